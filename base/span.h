/* A span is a piece of somebody else's bytes: it owns nothing and may hold NUL. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct span {
	const char *ptr;
	size_t len;
};

/* Of a NUL-terminated text; NULL gives the empty span. Here, as the next two, so that the length of
 * a constant is a constant. */
static inline struct span span_of(const char *text)
{
	return (struct span){text, text ? strlen(text) : 0};
}

static inline bool span_eq(struct span a, struct span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool span_is(struct span a, const char *text)
{
	return text ? span_eq(a, span_of(text)) : a.len == 0;
}

/* Equal texts; NULL equals only NULL. */
bool text_eq(const char *a, const char *b);
bool span_starts(struct span a, const char *prefix);
bool span_ends(struct span a, const char *suffix);
/* Without blanks, tabs, CR and LF at both ends. */
struct span span_trim(struct span a);
/* Cuts the text up to the next `separator` off the front of *rest and returns it; the rest
 * is empty with a NULL ptr after the last piece. */
struct span span_cut(struct span *rest, char separator);
/* Whether the whole text fits the pattern: * any characters, ? any one byte, all else itself. A
 * NULL text is empty. */
bool span_glob(const char *pattern, const char *text);
/* Position of `needle` in `a`, or a.len when it is not there. */
size_t span_find(struct span a, const char *needle);
/* The whole span as a decimal or exponent number, without locale; false (and *number
 * untouched) when it is anything else, NaN, infinite or overflows a double. */
bool span_number(struct span a, double *number);
