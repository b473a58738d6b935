/* Short kernel names. */
#include "ingest/kernel_name.h"

#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"

static bool is_clean(struct span name)
{
	for (size_t i = 0; i < name.len; i++)
		if ((unsigned char)name.ptr[i] < ' ' || name.ptr[i] == 0x7f)
			return false;
	return name.len && utf8_valid_prefix(name) == name.len;
}

static struct span skip(struct span text, size_t bytes)
{
	return (struct span){text.ptr + bytes, text.len - bytes};
}

/* Spellings of what has no name; the first lost its bracket in the tool. */
static const char *const anonymous[] = {
	"unnamed>::", "<unnamed>::", "(anonymous namespace)::", "(anonymous)::", "_GLOBAL__N__::"};

/* Where the parameter list begins: the first bracket outside of templates that is not that of an
 * anonymous namespace or of operator(). */
static size_t parameters_at(struct span name)
{
	int depth = 0;
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		if (c == '<' && i && name.ptr[i - 1] != ' ')
			depth++;
		else if (c == '>' && depth && name.ptr[i - 1] != '-')
			depth--;
		if (c != '(' || depth)
			continue;
		struct span rest = skip(name, i);
		if (span_starts(rest, "(anonymous"))
			i += span_find(rest, ")");
		else if (i >= 8 && memcmp(name.ptr + i - 8, "operator", 8) == 0)
			i++;
		else
			return i;
	}
	return name.len;
}

/* "(int)32" in template arguments: a cast that only some tools print. */
static size_t cast_length(struct span text)
{
	static const char *const casts[] = {"(int)",  "(bool)",          "(unsigned int)",
					    "(long)", "(unsigned long)", "(unsigned)"};
	for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
		if (span_starts(text, casts[i]))
			return strlen(casts[i]);
	return 0;
}

static void add_name(struct strbuf *sb, struct span name)
{
	while (name.len && sb->len < kernel_name_limit) {
		size_t anonymous_len = 0, cast = cast_length(name);
		for (size_t i = 0; i < sizeof anonymous / sizeof *anonymous; i++)
			if (!anonymous_len && span_starts(name, anonymous[i]))
				anonymous_len = strlen(anonymous[i]);
		if (anonymous_len) {
			strbuf_addstr(sb, "(anonymous)::");
			name = skip(name, anonymous_len);
		} else if (cast) {
			name = skip(name, cast);
		} else {
			/* ", " and "> >" differ between tools. */
			bool drop = name.ptr[0] == ' ' && sb->len &&
				    (sb->buf[sb->len - 1] == ',' || sb->buf[sb->len - 1] == '>' ||
				     (name.len > 1 && name.ptr[1] == '>'));
			if (!drop)
				strbuf_addch(sb, name.ptr[0]);
			name = skip(name, 1);
		}
	}
	if (name.len) {
		size_t len = kernel_name_limit - 3;
		while (len && ((unsigned char)sb->buf[len] & 0xc0) == 0x80)
			len--;
		strbuf_truncate(sb, len);
		strbuf_addstr(sb, "...");
	}
}

const char *kernel_short_name(struct arena *arena, struct span name)
{
	struct strbuf sb = {0};
	name = span_trim(name);
	if (!is_clean(name))
		return "?";
	if (span_starts(name, "void "))
		name = span_trim(skip(name, 5));
	size_t end = parameters_at(name);
	struct span head = span_trim((struct span){name.ptr, end});
	add_name(&sb, head.len ? head : name);
	return strbuf_into(&sb, arena);
}
