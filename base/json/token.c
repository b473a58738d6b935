/* Checks and decodes the tokens of JSON. */
#include "base/json/token.h"

#include "base/base.h"
#include "base/text/text.h"

const char json_true[] = "true", json_false[] = "false", json_null[] = "null", json_nan[] = "NaN";

const struct json_literal json_literals[] = {
	{"true", json_true},    {"false", json_false},   {"null", json_null}, {"NaN", json_nan},
	{"Infinity", json_nan}, {"-Infinity", json_nan}, {NULL, NULL},
};

/* --- strings --- */

/* Eight bytes at a time ("Determine if a word has a byte less than n", S. E. Anderson, Bit
 * Twiddling Hacks): the high bit of a byte in `hit` is set for a quote, a backslash, a control
 * character and a byte from 0x80 on. A borrow can set it for later bytes only, so the first one is
 * exact. */
const char *json_plain_end(const char *p, const char *end)
{
	const uint64_t ones = 0x0101010101010101u, high = 0x8080808080808080u;
	while (end - p >= 8) {
		uint64_t x = word_at(p), quote = x ^ ones * '"', slash = x ^ ones * '\\';
		uint64_t hit = (((quote - ones) & ~quote) | ((slash - ones) & ~slash) |
				((x - ones * ' ') & ~x) | x) &
			       high;
		if (hit)
			return p + (__builtin_ctzll(hit) >> 3);
		p += 8;
	}
	while (p < end && *p != '"' && *p != '\\' && (signed char)*p >= ' ')
		p++;
	return p;
}

/* 1 + the value of a hexadecimal digit; 0 for other bytes. */
static const unsigned char hex_digits[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* The code unit of four hexadecimal digits, or -1. */
static int hex_unit(const char *p)
{
	int unit = 0, all = 0; /* all: negative if one of the digits is */
	for (int i = 0; i < 4; i++) {
		int digit = hex_digits[(unsigned char)p[i]] - 1;
		unit = unit * 16 + digit;
		all |= digit;
	}
	return all < 0 ? -1 : unit;
}

/* The letters after a backslash, except u. */
static const bool short_escapes[256] = {
	['"'] = true, ['\\'] = true, ['/'] = true, ['b'] = true,
	['f'] = true, ['n'] = true,  ['r'] = true, ['t'] = true,
};

/* The length of the escape at p; 0 if it is truncated by `end`, -1 if it is invalid. */
static int escape_length(const char *p, const char *end, const char **why)
{
	assert(p < end);
	if (end - p < 2)
		return 0;
	*why = "invalid escape sequence";
	if (p[1] != 'u')
		return short_escapes[(unsigned char)p[1]] ? 2 : -1;
	if (end - p < 6)
		return 0;
	int unit = hex_unit(p + 2);
	if (unit < 0)
		return -1;
	*why = "\\u0000 in a string";
	if (unit < 0xd800 || unit > 0xdfff)
		return unit ? 6 : -1;
	*why = "unpaired \\u surrogate";
	if (unit > 0xdbff)
		return -1;
	if ((end - p > 6 && p[6] != '\\') || (end - p > 7 && p[7] != 'u'))
		return -1;
	if (end - p < 12)
		return 0;
	int low = hex_unit(p + 8);
	return low >= 0xdc00 && low <= 0xdfff ? 12 : -1;
}

bool json_is_unit_escape(const char *p)
{
	if (*p != 'u')
		return short_escapes[(unsigned char)*p];
	int unit = hex_unit(p + 1);
	return unit > 0 && (unit < 0xd800 || unit > 0xdfff);
}

/* The length of the UTF-8 sequence at p; 0 if it is truncated by `end`, -1 if it is invalid. */
static int sequence_length(const char *p, const char *end)
{
	uint32_t code;
	struct span rest = {p, (size_t)(end - p)};
	size_t len = utf8_next(rest, &code);
	return len ? (int)len : utf8_is_cut_off(rest) ? 0 : -1;
}

enum json_chunk json_string_check(const char **p, const char *end, bool *escaped, const char **why)
{
	for (;;) {
		*p = json_plain_end(*p, end);
		if (*p == end)
			return JSON_CHUNK_MORE;
		int len = -1;
		if (**p == '"')
			return JSON_CHUNK_CLOSED;
		if (**p == '\\') {
			*escaped = true;
			len = escape_length(*p, end, why);
		} else if ((unsigned char)**p < ' ') {
			*why = "control character in a string";
		} else {
			*why = "invalid UTF-8";
			len = sequence_length(*p, end);
		}
		if (len <= 0)
			return len ? JSON_CHUNK_BAD : JSON_CHUNK_MORE;
		*p += len;
	}
}

/* The code point of a checked \u escape, which may be a surrogate pair; *p moves past it. The bytes
 * may be those of a file that another program writes to: an escape that is gone becomes U+FFFD. */
static uint32_t decode_unicode(const char **p, const char *end)
{
	enum { replacement = 0xfffd };
	const int unit = hex_unit(*p + 2);
	*p += 6;
	if (unit < 0xd800 || unit > 0xdfff)
		return unit < 0 ? replacement : (uint32_t)unit;
	const int low = end - *p < 6 ? -1 : hex_unit(*p + 2);
	if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return replacement;
	*p += 6;
	return 0x10000 + (((uint32_t)unit - 0xd800) << 10) + ((uint32_t)low - 0xdc00);
}

size_t json_string_decode(struct span raw, char *out)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const char *p = raw.ptr, *end = raw.ptr + raw.len;
	size_t len = 0;
	while (p < end) {
		if (*p != '\\') {
			out[len++] = *p++;
		} else if (p[1] == 'u' && end - p >= 6) {
			len += utf8_put(out + len, decode_unicode(&p, end));
		} else {
			const char *letter = strchr(from, p[1]);
			out[len++] = letter ? to[letter - from] : p[1];
			p += 2;
		}
	}
	return len;
}

/* --- numbers and literals --- */

const char *json_number_end(const char *p, bool *whole)
{
	*whole = true;
	if (*p == '-')
		p++;
	if (!ascii_is_digit(*p))
		return NULL;
	if (*p++ != '0')
		while (ascii_is_digit(*p))
			p++;
	if (*p == '.') {
		*whole = false;
		if (!ascii_is_digit(*++p))
			return NULL;
		while (ascii_is_digit(*p))
			p++;
	}
	if (*p == 'e' || *p == 'E') {
		*whole = false;
		p++;
		if (*p == '+' || *p == '-')
			p++;
		if (!ascii_is_digit(*p))
			return NULL;
		while (ascii_is_digit(*p))
			p++;
	}
	return p;
}

const char *json_scalar_end(const char *p)
{
	bool whole;
	if (ascii_is_digit(*p) || (*p == '-' && p[1] != 'I'))
		return json_number_end(p, &whole);
	for (const struct json_literal *each = json_literals; each->text; each++) {
		size_t len = strlen(each->text);
		if (strncmp(p, each->text, len) == 0)
			return p + len;
	}
	return NULL;
}
