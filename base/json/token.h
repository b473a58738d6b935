/*
 * The tokens of JSON (RFC 8259): strings, numbers and literals in memory. Nothing here does I/O or
 * allocates.
 */
#pragma once

#include "base/base.h"

/* --- strings --- */

enum json_chunk { JSON_CHUNK_CLOSED, JSON_CHUNK_MORE, JSON_CHUNK_BAD };

/* Skips printable ASCII other than quote and backslash; returns the first other byte, or `end`. */
const char *json_plain_end(const char *p, const char *end);
/* Checks a part of a string, from *p on, and moves *p:
 *   JSON_CHUNK_CLOSED  to the closing quote
 *   JSON_CHUNK_MORE    to `end`, or to an escape or code point that is truncated there
 *   JSON_CHUNK_BAD     to the invalid byte or escape; *why is a description
 * Sets *escaped to true if there was an escape; otherwise leaves it unchanged. */
enum json_chunk json_string_check(const char **p, const char *end, bool *escaped, const char **why);
/* Decodes the escapes of a string that was checked. `out` has room for raw.len bytes. Returns the
 * length of the result. */
size_t json_string_decode(struct span raw, char *out);
/* Whether `p`, the text after a backslash, is an escape for a whole character: valid, and not half
 * of a surrogate pair. Reads up to 5 bytes. */
bool json_is_unit_escape(const char *p);

/* --- numbers and literals --- */

/* The literals and their values. A value is one of the four texts below and is compared by address.
 * NaN and the infinities are not JSON, but profilers write them; all three have the value NaN. */
extern const struct json_literal {
	const char *text; /* NULL ends the list */
	const char *value;
} json_literals[];
extern const char json_true[], json_false[], json_null[], json_nan[];

/* The end of the number at the beginning of a NUL-terminated text; NULL if there is none. *whole is
 * true for a number without fraction and exponent.
 * Grammar: -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)? */
const char *json_number_end(const char *p, bool *whole);
/* The end of the number or literal at the beginning of a NUL-terminated text; NULL if there is
 * none. */
const char *json_scalar_end(const char *p);
/* Whether a byte may be part of a number or literal: it is not a space, a control character, a
 * comma, a colon, a quote, a brace or a bracket. Bit 0x20 is the difference between brace and
 * bracket. */
static inline bool json_in_scalar(char c)
{
	return (unsigned char)c > ' ' && c != ',' && c != ':' && c != '"' && (c | 0x20) != '{' &&
	       (c | 0x20) != '}';
}
