/*
 * A span is a range of bytes that it does not own. The bytes may contain NUL and need not be
 * followed by one. The empty span may have a NULL ptr.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct span {
	const char *ptr;
	size_t len;
};

/* The span of a NUL-terminated text; empty for NULL. Inline, like the next three, so that the
 * compiler computes the length of a constant. */
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

/* What follows the first `start` bytes, at most a.len. */
static inline struct span span_from(struct span a, size_t start)
{
	return start == 0 ? a : (struct span){a.ptr + start, a.len - start};
}

/* Whether two texts are equal; NULL equals only NULL. */
bool span_text_eq(const char *a, const char *b);
/* Whether a text is one of the names. */
bool span_among(struct span text, const char *const *names, size_t count);
/* The same for ASCII text in upper or lower case. */
bool span_is_any_case(struct span a, const char *text);
bool span_among_any_case(struct span text, const char *const *names, size_t count);
bool span_starts(struct span a, const char *prefix);
bool span_ends(struct span a, const char *suffix);
/* Removes spaces, tabs, CR and LF at both ends. */
struct span span_trim(struct span a);
/* The last line that is not blank, where programs usually state the reason of a failure. */
struct span span_last_line(struct span a);
/* Returns the part of *rest before the next `separator` and removes it, with the separator, from
 * *rest. After the last part, rest->ptr is NULL. */
struct span span_cut(struct span *rest, char separator);
/* Whether the whole text matches the pattern: * is any number of bytes, ? is one byte, every other
 * byte is itself. A NULL text counts as "". */
bool span_glob(const char *pattern, const char *text);
/* The offset of the first `needle` in `a`; a.len if it does not occur. */
size_t span_find(struct span a, const char *needle);
/* Parses the whole span as a decimal number, with or without an exponent, independent of the
 * locale. False, and *number unchanged, if it is not one, overflows a double, or has 512 or more
 * bytes. */
bool span_number(struct span a, double *number);
