/* Spans: comparing, cutting, searching and parsing numbers. */
#include "base/span.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/ascii.h"

bool span_text_eq(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool span_among(struct span text, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (span_is(text, names[i]))
			return true;
	return false;
}

bool span_is_any_case(struct span a, const char *text)
{
	return a.len == strlen(text) && (a.len == 0 || strncasecmp(a.ptr, text, a.len) == 0);
}

bool span_among_any_case(struct span text, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (span_is_any_case(text, names[i]))
			return true;
	return false;
}

bool span_starts(struct span a, const char *prefix)
{
	size_t len = strlen(prefix);
	return a.len >= len && (len == 0 || memcmp(a.ptr, prefix, len) == 0);
}

bool span_ends(struct span a, const char *suffix)
{
	size_t len = strlen(suffix);
	return a.len >= len && (len == 0 || memcmp(a.ptr + a.len - len, suffix, len) == 0);
}

struct span span_trim(struct span a)
{
	while (a.len && ascii_is_space(a.ptr[0])) {
		a.ptr++;
		a.len--;
	}
	while (a.len && ascii_is_space(a.ptr[a.len - 1]))
		a.len--;
	return a;
}

struct span span_last_line(struct span a)
{
	a = span_trim(a);
	size_t at = a.len;
	while (at > 0 && a.ptr[at - 1] != '\n')
		at--;
	return span_from(a, at);
}

struct span span_cut(struct span *rest, char separator)
{
	const char *hit = rest->len ? memchr(rest->ptr, separator, rest->len) : NULL;
	struct span piece = *rest;
	if (hit) {
		piece.len = (size_t)(hit - rest->ptr);
		rest->ptr = hit + 1;
		rest->len -= piece.len + 1;
	} else {
		*rest = (struct span){NULL, 0};
	}
	return piece;
}

size_t span_find(struct span a, const char *needle)
{
	size_t len = strlen(needle);
	if (len == 0 || a.len < len)
		return len == 0 ? 0 : a.len;
	const char *hit = memmem(a.ptr, a.len, needle, len);
	return hit ? (size_t)(hit - a.ptr) : a.len;
}

/* After a mismatch, matching resumes after the last star, which takes one more byte of the text.
 * Earlier stars need not be tried again: the last one can take any text that they could leave. */
bool span_glob(const char *pattern, const char *text)
{
	text = text ? text : "";
	assert(pattern);
	const char *star = NULL, *resume = text;
	while (*text) {
		if (*pattern == '*') {
			star = pattern++;
			resume = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

/* [+-]digits[.digits][(e|E)[+-]digits], at least one digit before the exponent. */
static bool is_number(struct span a)
{
	size_t i = 0, digits = 0;
	if (i < a.len && (a.ptr[i] == '-' || a.ptr[i] == '+'))
		i++;
	for (; i < a.len && isdigit((unsigned char)a.ptr[i]); i++)
		digits++;
	if (i < a.len && a.ptr[i] == '.')
		for (i++; i < a.len && isdigit((unsigned char)a.ptr[i]); i++)
			digits++;
	if (digits == 0)
		return false;
	if (i == a.len)
		return true;
	if (a.ptr[i] != 'e' && a.ptr[i] != 'E')
		return false;
	i++;
	if (i < a.len && (a.ptr[i] == '-' || a.ptr[i] == '+'))
		i++;
	size_t exponent = i;
	while (i < a.len && isdigit((unsigned char)a.ptr[i]))
		i++;
	return i > exponent && i == a.len;
}

bool span_number(struct span a, double *number)
{
	char text[512];
	if (a.len == 0 || a.len >= sizeof text || !is_number(a))
		return false;
	memcpy(text, a.ptr, a.len);
	text[a.len] = '\0';
	/* strtod() expects a decimal point, because the program never calls setlocale(). */
	double value = strtod(text, NULL);
	if (!isfinite(value))
		return false;
	*number = value;
	return true;
}
