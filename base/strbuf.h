/*
 * A growing text. A zeroed `struct strbuf` is empty and usable; `buf` is NULL
 * until something is added and NUL-terminated (at buf[len]) from then on. The
 * owner ends it with strbuf_free() or turns it into arena memory with strbuf_into().
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

void strbuf_add(struct strbuf *sb, const void *bytes, size_t len);
void strbuf_addch(struct strbuf *sb, char c);
void strbuf_addstr(struct strbuf *sb, const char *text);
void strbuf_addspan(struct strbuf *sb, struct span span);
void strbuf_addf(struct strbuf *sb, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *sb, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
void strbuf_repeat(struct strbuf *sb, const char *text, size_t times);
/* Forgets the content, keeps the memory. */
void strbuf_reset(struct strbuf *sb);
/* Cuts the content back to `len` bytes. */
void strbuf_truncate(struct strbuf *sb, size_t len);
/* Ends a line: without the spaces at its end. */
void strbuf_end_line(struct strbuf *sb);
struct span strbuf_span(const struct strbuf *sb);
/* "" rather than NULL when empty. */
const char *strbuf_text(const struct strbuf *sb);
/* A copy of the content that belongs to the arena; the strbuf is freed. */
char *strbuf_into(struct strbuf *sb, struct arena *arena);
void strbuf_free(struct strbuf *sb);
