/*
 * A growing text.
 *
 *   - A zeroed `struct strbuf` is empty and usable.
 *   - `buf` is NULL until something is added; from then on buf[len] is NUL. The text itself may
 *     contain NUL bytes.
 *   - The owner frees it with strbuf_free() or moves it into an arena with strbuf_into().
 *   - If memory runs out, the process aborts.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/span.h"

struct strbuf {
	char *buf;
	size_t len;
	size_t capacity;
};

/* Takes the beginning of a long text while the rest is being made. */
struct strbuf_drain {
	void (*take)(void *context, struct span text);
	void *context;
};

void strbuf_add(struct strbuf *sb, const void *bytes, size_t len);
void strbuf_addch(struct strbuf *sb, char c);
void strbuf_addstr(struct strbuf *sb, const char *text);
void strbuf_addspan(struct strbuf *sb, struct span span);
/* The text as one word of a shell: in quotes, unless it means nothing to a shell without. */
void strbuf_addquoted(struct strbuf *sb, const char *text);
void strbuf_addf(struct strbuf *sb, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *sb, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
/* Aborts at once if no memory could hold so much. */
void strbuf_repeat(struct strbuf *sb, const char *text, size_t times);
/* Adds the blanks after a text of `used` columns in a field of `width` columns: none if the text
 * fills the field or is wider. */
void strbuf_pad(struct strbuf *sb, size_t used, size_t width);
/* Removes the content and keeps the memory. */
void strbuf_reset(struct strbuf *sb);
/* Shortens the content to its first `len` bytes; aborts if it has fewer. */
void strbuf_truncate(struct strbuf *sb, size_t len);
/* If the content is long, gives it to the drain and removes it. */
void strbuf_drain_long(struct strbuf *sb, const struct strbuf_drain *drain);
/* Removes spaces at the end and adds a newline. */
void strbuf_end_line(struct strbuf *sb);
/* The content; valid until the next change. */
struct span strbuf_span(const struct strbuf *sb);
/* The content as a NUL-terminated text, "" if empty; valid until the next change. */
const char *strbuf_text(const struct strbuf *sb);
/* Copies the content into the arena and frees the strbuf. */
char *strbuf_into(struct strbuf *sb, struct arena *arena);
void strbuf_free(struct strbuf *sb);
