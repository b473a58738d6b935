/* Steps over JSON syntax in a sliding buffer: nothing recursive, nothing allocated. */
#include "ingest/json_scan.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

const char json_true[] = "true", json_false[] = "false", json_null[] = "null", json_nan[] = "NaN";

struct json_scan *json_scan_new(struct input *input)
{
	struct json_scan *scan = malloc(sizeof *scan);
	if (!scan)
		abort();
	memset(scan, 0, offsetof(struct json_scan, buffer));
	scan->input = input;
	scan->at = scan->end = scan->buffer;
	scan->buffer[0] = '\0';
	return scan;
}

static uint64_t offset_of(const struct json_scan *scan, const char *where)
{
	return scan->base + (uint64_t)(where - scan->buffer);
}

uint64_t json_scan_offset(const struct json_scan *scan)
{
	return offset_of(scan, scan->at);
}

int json_scan_fail(const struct json_scan *scan, const char *where, struct error *err,
		   const char *format, ...)
{
	char text[512];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return error_set(err, ERR_FORMAT, "byte %" PRIu64 ": %s", offset_of(scan, where), text);
}

static int fail_cut_off(const struct json_scan *scan, struct error *err)
{
	return json_scan_fail(scan, scan->end, err, "the document is cut off here");
}

static int fail_unexpected(const struct json_scan *scan, const char *expected, struct error *err)
{
	unsigned char c = (unsigned char)*scan->at;
	if (c > ' ' && c < 0x7f)
		return json_scan_fail(scan, scan->at, err, "'%c' where %s is expected", c,
				      expected);
	return json_scan_fail(scan, scan->at, err, "byte 0x%02x where %s is expected", c, expected);
}

/* Moves the unread bytes to the front and reads more: 1, or 0 at the end of the document. */
static int more(struct json_scan *scan, struct error *err)
{
	if (scan->ended)
		return 0;
	size_t kept = (size_t)(scan->end - scan->at), got;
	memmove(scan->buffer, scan->at, kept);
	scan->base += (uint64_t)(scan->at - scan->buffer);
	scan->at = scan->buffer;
	scan->end = scan->buffer + kept;
	if (input_read(scan->input, scan->buffer + kept, json_buffer_size - kept, &got, err) < 0)
		return error_prefix(err, "byte %" PRIu64, offset_of(scan, scan->end));
	scan->end += got;
	scan->buffer[kept + got] = '\0';
	scan->ended = got == 0;
	return got != 0;
}

int json_scan_ensure(struct json_scan *scan, size_t count, struct error *err)
{
	while ((size_t)(scan->end - scan->at) < count) {
		int rc = more(scan, err);
		if (rc <= 0)
			return rc;
	}
	return 0;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

int json_scan_at_end(struct json_scan *scan, struct error *err)
{
	for (;;) {
		while (is_space(*scan->at))
			scan->at++;
		if (scan->at < scan->end)
			return 0;
		int rc = more(scan, err);
		if (rc <= 0)
			return rc < 0 ? -1 : 1;
	}
}

int json_scan_peek(struct json_scan *scan, struct error *err)
{
	if (is_space(*scan->at) || scan->at == scan->end) {
		int rc = json_scan_at_end(scan, err);
		if (rc)
			return rc < 0 ? -1 : fail_cut_off(scan, err);
	}
	return (unsigned char)*scan->at;
}

static bool in_object(const struct json_scan *scan)
{
	return scan->is_object[(scan->depth - 1) / 8] >> (scan->depth - 1) % 8 & 1;
}

int json_scan_open(struct json_scan *scan, struct error *err)
{
	unsigned level = scan->depth;
	if (level == json_depth_limit)
		return json_scan_fail(scan, scan->at, err, "nested deeper than %d levels",
				      json_depth_limit);
	unsigned char bit = (unsigned char)(1u << level % 8);
	if (*scan->at++ == '{')
		scan->is_object[level / 8] |= bit;
	else
		scan->is_object[level / 8] &= (unsigned char)~bit;
	scan->depth++;
	scan->fresh = true;
	return 0;
}

int json_scan_next(struct json_scan *scan, struct error *err)
{
	bool object = in_object(scan), fresh = scan->fresh;
	/* The usual case without white space; the NUL at the end of the buffer is neither. */
	if (object && !fresh && scan->at[0] == ',' && scan->at[1] == '"') {
		scan->at++;
		return 1;
	}
	int c = json_scan_peek(scan, err);
	if (c < 0)
		return -1;
	scan->fresh = false;
	if (c == (object ? '}' : ']')) {
		scan->at++;
		scan->depth--;
		return 0;
	}
	if (!fresh) {
		if (c != ',')
			return fail_unexpected(scan, object ? "',' or '}'" : "',' or ']'", err);
		scan->at++;
		c = json_scan_peek(scan, err);
	}
	if (object && c >= 0 && c != '"')
		return fail_unexpected(scan, "a name in quotes", err);
	return c < 0 ? -1 : 1;
}

int json_scan_colon(struct json_scan *scan, struct error *err)
{
	int c = json_scan_peek(scan, err);
	if (c < 0)
		return -1;
	if (c != ':')
		return fail_unexpected(scan, "':'", err);
	scan->at++;
	return 0;
}

/* --- strings --- */

enum chunk { CHUNK_CLOSED, CHUNK_MORE, CHUNK_BAD };

/* Skips bytes that mean only themselves: printable ASCII without quote and backslash. */
static inline const char *skip_plain(const char *p, const char *end)
{
	const uint64_t ones = 0x0101010101010101u, high = 0x8080808080808080u;
	while (end - p >= 8) {
		uint64_t x;
		memcpy(&x, p, 8);
		uint64_t quote = x ^ ones * '"', slash = x ^ ones * '\\';
		uint64_t hit = (((quote - ones) & ~quote) | ((slash - ones) & ~slash) |
				((x - ones * ' ') & ~x) | x) &
			       high;
		if (hit) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
			return p + (__builtin_ctzll(hit) >> 3);
#else
			break;
#endif
		}
		p += 8;
	}
	while (p < end && *p != '"' && *p != '\\' && (signed char)*p >= ' ')
		p++;
	return p;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The code unit of four hexadecimal digits, or -1. */
static int hex_unit(const char *p)
{
	int unit = 0;
	for (int i = 0; i < 4 && unit >= 0; i++)
		unit = hex_digit(p[i]) < 0 ? -1 : unit << 4 | hex_digit(p[i]);
	return unit;
}

/* Length of the escape at p; 0 when it is cut off by `end`, -1 when it is bad. */
static int escape_length(const char *p, const char *end, const char **why)
{
	if (end - p < 2)
		return 0;
	*why = "an escape that JSON does not have";
	if (p[1] != 'u')
		return memchr("\"\\/bfnrt", p[1], 8) ? 2 : -1;
	if (end - p < 6)
		return 0;
	int unit = hex_unit(p + 2);
	if (unit < 0)
		return -1;
	*why = "\\u0000 in a text";
	if (unit < 0xd800 || unit > 0xdfff)
		return unit ? 6 : -1;
	*why = "half of a \\u surrogate pair";
	if (unit > 0xdbff)
		return -1;
	if ((end - p > 6 && p[6] != '\\') || (end - p > 7 && p[7] != 'u'))
		return -1;
	if (end - p < 12)
		return 0;
	int low = hex_unit(p + 8);
	return low >= 0xdc00 && low <= 0xdfff ? 12 : -1;
}

/* Length of the UTF-8 sequence at p; 0 when it is cut off by `end`, -1 when it is bad. */
static int sequence_length(const char *p, const char *end)
{
	uint32_t code;
	struct span rest = {p, (size_t)(end - p)};
	size_t len = utf8_next(rest, &code);
	return len ? (int)len : utf8_is_cut_off(rest) ? 0 : -1;
}

/* Checks a string from *p to its closing quote, to the last complete unit before `end`, or to
 * what is bad. */
static enum chunk check_string(const char **p, const char *end, bool *escaped, const char **why)
{
	for (;;) {
		*p = skip_plain(*p, end);
		if (*p == end)
			return CHUNK_MORE;
		int len = -1;
		if (**p == '"')
			return CHUNK_CLOSED;
		if (**p == '\\') {
			*escaped = true;
			len = escape_length(*p, end, why);
		} else if ((unsigned char)**p < ' ') {
			*why = "a control character in a text";
		} else {
			*why = "invalid UTF-8";
			len = sequence_length(*p, end);
		}
		if (len <= 0)
			return len ? CHUNK_BAD : CHUNK_MORE;
		*p += len;
	}
}

int json_scan_text(struct json_scan *scan, struct span *raw, bool *escaped, struct error *err)
{
	const char *quote = skip_plain(scan->at + 1, scan->end);
	*escaped = false;
	if (*quote == '"' && quote - scan->at <= json_text_limit) {
		*raw = (struct span){scan->at + 1, (size_t)(quote - scan->at - 1)};
		scan->at = quote + 1;
		return 0;
	}
	for (;;) {
		const char *start = scan->at + 1, *p = start, *why = "";
		*escaped = false;
		enum chunk chunk = check_string(&p, scan->end, escaped, &why);
		if (chunk == CHUNK_BAD)
			return json_scan_fail(scan, p, err, "%s", why);
		if (p - start > json_text_limit)
			return json_scan_fail(scan, scan->at, err,
					      "a text longer than %d bytes here", json_text_limit);
		if (chunk == CHUNK_CLOSED) {
			*raw = (struct span){start, (size_t)(p - start)};
			scan->at = p + 1;
			return 0;
		}
		int rc = more(scan, err);
		if (rc <= 0)
			return rc < 0 ? -1 : fail_cut_off(scan, err);
	}
}

static int skip_string(struct json_scan *scan, struct error *err)
{
	const char *quote = skip_plain(scan->at + 1, scan->end);
	if (*quote == '"') { /* the usual case */
		scan->at = quote + 1;
		return 0;
	}
	uint64_t start = json_scan_offset(scan);
	bool escaped;
	scan->at++;
	for (;;) {
		const char *p = scan->at, *why = "";
		enum chunk chunk = check_string(&p, scan->end, &escaped, &why);
		if (chunk == CHUNK_BAD)
			return json_scan_fail(scan, p, err, "%s", why);
		scan->at = p;
		if (json_scan_offset(scan) - start > json_string_limit)
			return error_set(err, ERR_FORMAT,
					 "byte %" PRIu64 ": a string longer than %d MiB", start,
					 json_string_limit / 1024 / 1024);
		if (chunk == CHUNK_CLOSED) {
			scan->at++;
			return 0;
		}
		int rc = more(scan, err);
		if (rc <= 0)
			return rc < 0 ? -1 : fail_cut_off(scan, err);
	}
}

/* The code point of a checked \u escape; *p moves behind it. */
static uint32_t decode_unicode(const char **p)
{
	uint32_t code = (uint32_t)hex_unit(*p + 2);
	*p += 6;
	if (code >= 0xd800 && code <= 0xdbff) {
		code = 0x10000 + ((code - 0xd800) << 10) + ((uint32_t)hex_unit(*p + 2) - 0xdc00);
		*p += 6;
	}
	return code;
}

size_t json_scan_decode(struct span raw, char *out)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const char *p = raw.ptr;
	size_t len = 0;
	while (p < raw.ptr + raw.len) {
		if (*p != '\\') {
			out[len++] = *p++;
		} else if (p[1] == 'u') {
			len += utf8_put(out + len, decode_unicode(&p));
		} else {
			const char *letter = strchr(from, p[1]);
			out[len++] = letter ? to[letter - from] : p[1];
			p += 2;
		}
	}
	return len;
}

/* --- numbers and literals --- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)? in NUL-ended text; the first byte behind it, or
 * NULL when there is no such number. */
static const char *number_end(const char *p, bool *whole)
{
	*whole = true;
	if (*p == '-')
		p++;
	if (!is_digit(*p))
		return NULL;
	if (*p++ != '0')
		while (is_digit(*p))
			p++;
	if (*p == '.') {
		*whole = false;
		if (!is_digit(*++p))
			return NULL;
		while (is_digit(*p))
			p++;
	}
	if (*p == 'e' || *p == 'E') {
		*whole = false;
		p++;
		if (*p == '+' || *p == '-')
			p++;
		if (!is_digit(*p))
			return NULL;
		while (is_digit(*p))
			p++;
	}
	return p;
}

int json_scan_number(struct json_scan *scan, struct span *text, bool *whole, struct error *err)
{
	/* Only a number that ends well before the end of the buffer is known to be complete. */
	const char *p = number_end(scan->at, whole);
	if (!p || p == scan->end) {
		if (json_scan_ensure(scan, json_number_limit + 1, err) < 0)
			return -1;
		p = number_end(scan->at, whole);
	}
	size_t left = (size_t)(scan->end - scan->at);
	if (!p && left <= json_number_limit && strspn(scan->at, "+-.0123456789eE") == left)
		return fail_cut_off(scan, err);
	if (!p)
		return json_scan_fail(scan, scan->at, err, "a malformed number");
	if (p - scan->at > json_number_limit)
		return json_scan_fail(scan, scan->at, err, "a number of more than %d characters",
				      json_number_limit);
	*text = (struct span){scan->at, (size_t)(p - scan->at)};
	scan->at = p;
	return 0;
}

int json_scan_literal(struct json_scan *scan, const char **literal, struct error *err)
{
	static const struct {
		const char *text;
		const char *literal;
	} table[] = {
		{"true", json_true}, {"false", json_false},  {"null", json_null},
		{"NaN", json_nan},   {"Infinity", json_nan}, {"-Infinity", json_nan},
	};
	if (json_scan_ensure(scan, sizeof "-Infinity" - 1, err) < 0)
		return -1;
	size_t left = (size_t)(scan->end - scan->at);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		size_t len = strlen(table[i].text);
		if (memcmp(scan->at, table[i].text, left < len ? left : len) != 0)
			continue;
		if (left < len)
			return fail_cut_off(scan, err);
		*literal = table[i].literal;
		scan->at += len;
		return 0;
	}
	return fail_unexpected(scan, "a value", err);
}

/* --- whole values --- */

static int skip_scalar(struct json_scan *scan, int c, struct error *err)
{
	if (c == '"')
		return skip_string(scan, err);
	struct span text;
	bool whole;
	if (c == '-' && json_scan_ensure(scan, 2, err) < 0)
		return -1;
	if (is_digit((char)c) || (c == '-' && scan->at[1] != 'I'))
		return json_scan_number(scan, &text, &whole, err);
	const char *literal;
	return json_scan_literal(scan, &literal, err);
}

int json_scan_skip(struct json_scan *scan, struct error *err)
{
	unsigned depth = scan->depth;
	for (;;) {
		int c = json_scan_peek(scan, err);
		if (c < 0)
			return -1;
		int rc = c == '{' || c == '[' ? json_scan_open(scan, err)
					      : skip_scalar(scan, c, err);
		if (rc < 0)
			return -1;
		do {
			if (scan->depth == depth)
				return 0;
			rc = json_scan_next(scan, err);
			if (rc < 0)
				return -1;
		} while (rc == 0);
		if (in_object(scan) &&
		    (skip_string(scan, err) < 0 || json_scan_colon(scan, err) < 0))
			return -1;
	}
}
