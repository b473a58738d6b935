/*
 * The tokens of JSON that lie in memory. Nothing here reads or allocates.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

/* --- strings --- */

enum json_chunk { JSON_CHUNK_CLOSED, JSON_CHUNK_MORE, JSON_CHUNK_BAD };

/* Skips bytes that mean only themselves: printable ASCII without quote and backslash. */
const char *json_plain_end(const char *p, const char *end);
/* Checks a string from *p to its closing quote, to the last complete unit before `end`, or to
 * what is bad: `why` says what. */
enum json_chunk json_string_check(const char **p, const char *end, bool *escaped, const char **why);
/* Decodes the escapes of a checked raw string; `out` has room for raw.len bytes. */
size_t json_string_decode(struct span raw, char *out);
/* Whether an escape goes on like this behind its backslash, and stands for a character of its own:
 * no half of a surrogate pair. Reads up to 5 bytes. */
bool json_is_unit_escape(const char *p);

/* --- numbers and literals --- */

/* What literals mean: one of the four texts below, by address. */
extern const struct json_literal {
	const char *text; /* NULL ends the list */
	const char *value;
} json_literals[];
extern const char json_true[], json_false[], json_null[], json_nan[];

/* -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)? in NUL-ended text; the first byte behind it, or
 * NULL when there is no such number. */
const char *json_number_end(const char *p, bool *whole);
/* The same for any number or literal. */
const char *json_scalar_end(const char *p);
/* Whether a byte can belong to a number or literal: it ends no value and begins none. */
static inline bool json_in_scalar(char c)
{
	return (unsigned char)c > ' ' && c != ',' && c != ':' && c != '"' && (c | 0x20) != '{' &&
	       (c | 0x20) != '}';
}
