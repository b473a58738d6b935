/* A growing text. Capacity grows by half, at least to 64 bytes, and includes the final NUL. */
#include "base/strbuf.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `extra` bytes and a NUL. */
static void reserve(struct strbuf *sb, size_t extra)
{
	assert(sb->capacity ? sb->len < sb->capacity : sb->len == 0);
	if (extra > SIZE_MAX / 4 || sb->len > SIZE_MAX / 4)
		abort();
	size_t need = sb->len + extra + 1;
	if (need <= sb->capacity)
		return;
	size_t wider = sb->capacity + sb->capacity / 2;
	if (wider < need)
		wider = need < 64 ? 64 : need;
	char *buf = realloc(sb->buf, wider);
	if (!buf)
		abort();
	sb->buf = buf;
	sb->capacity = wider;
}

void strbuf_add(struct strbuf *sb, const void *bytes, size_t len)
{
	reserve(sb, len);
	if (len)
		memcpy(sb->buf + sb->len, bytes, len);
	sb->len += len;
	sb->buf[sb->len] = '\0';
}

void strbuf_addch(struct strbuf *sb, char c)
{
	strbuf_add(sb, &c, 1);
}

void strbuf_addstr(struct strbuf *sb, const char *text)
{
	strbuf_add(sb, text, strlen(text));
}

void strbuf_addquoted(struct strbuf *sb, const char *text)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "_-./=:,";
	if (text[0] && text[strspn(text, bare)] == 0) {
		strbuf_addstr(sb, text);
		return;
	}
	strbuf_addch(sb, '\'');
	for (; *text; text++)
		if (*text == '\'')
			strbuf_addstr(sb, "'\\''");
		else
			strbuf_addch(sb, *text);
	strbuf_addch(sb, '\'');
}

void strbuf_addspan(struct strbuf *sb, struct span span)
{
	strbuf_add(sb, span.ptr, span.len);
}

void strbuf_vaddf(struct strbuf *sb, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int len = vsnprintf(NULL, 0, format, args);
	if (len < 0)
		abort();
	reserve(sb, (size_t)len);
	vsnprintf(sb->buf + sb->len, (size_t)len + 1, format, again);
	va_end(again);
	sb->len += (size_t)len;
}

void strbuf_addf(struct strbuf *sb, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	strbuf_vaddf(sb, format, args);
	va_end(args);
}

void strbuf_repeat(struct strbuf *sb, const char *text, size_t times)
{
	size_t len = strlen(text), all;
	/* A count that wrapped ends here, before memory is touched. */
	if (__builtin_mul_overflow(len, times, &all))
		abort();
	if (all == 0)
		return;
	reserve(sb, all);
	while (times--)
		strbuf_add(sb, text, len);
}

void strbuf_pad(struct strbuf *sb, size_t used, size_t width)
{
	strbuf_repeat(sb, " ", used < width ? width - used : 0);
}

void strbuf_reset(struct strbuf *sb)
{
	strbuf_truncate(sb, 0);
}

void strbuf_truncate(struct strbuf *sb, size_t len)
{
	if (len > sb->len)
		abort();
	sb->len = len;
	if (sb->buf)
		sb->buf[len] = '\0';
}

void strbuf_drain_long(struct strbuf *sb, const struct strbuf_drain *drain)
{
	enum { LONG = 64 * 1024 };
	if (sb->len < LONG)
		return;
	drain->take(drain->context, strbuf_span(sb));
	strbuf_reset(sb);
}

void strbuf_end_line(struct strbuf *sb)
{
	size_t len = sb->len;
	while (len > 0 && sb->buf[len - 1] == ' ')
		len--;
	strbuf_truncate(sb, len);
	strbuf_addch(sb, '\n');
}

struct span strbuf_span(const struct strbuf *sb)
{
	return (struct span){sb->buf, sb->len};
}

const char *strbuf_text(const struct strbuf *sb)
{
	return sb->buf ? sb->buf : "";
}

char *strbuf_into(struct strbuf *sb, struct arena *arena)
{
	char *copy = arena_strndup(arena, strbuf_text(sb), sb->len);
	strbuf_free(sb);
	return copy;
}

void strbuf_free(struct strbuf *sb)
{
	free(sb->buf);
	*sb = (struct strbuf){NULL, 0, 0};
}
