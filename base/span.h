/* A span is a piece of somebody else's bytes: it owns nothing and may hold NUL. */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>

struct span {
	const char *ptr;
	size_t len;
};

struct span span_of(const char *text); /* of a NUL-terminated text; NULL gives the empty span */
bool span_eq(struct span a, struct span b);
bool span_is(struct span a, const char *text);
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

#endif
