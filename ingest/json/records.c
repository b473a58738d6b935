/* Parses the values of records that blocks.h found, and calls the callback. Rare forms are left to
 * stream.c, by refusing the record. */
#if defined __SSE2__
#include <emmintrin.h>
#endif

#include "base/text/text.h"
#include "ingest/json/internal.h"

/* --- numbers --- */

/* Words may be loaded from any position in a number: it ends before the end of its record, after
 * which json_slack bytes are readable. */
static const uint64_t ones = 0x0101010101010101u, high_bits = 0x8080808080808080u;

/* The value of eight decimal digits, one per byte; the first digit is in the lowest byte. */
static uint64_t eight_digits(uint64_t x)
{
	x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ffu;
	x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffffu;
	return (x * 10000 + (x >> 32)) & 0xffffffffu;
}

/* Adds the digits at p to *n. At most 19 digits do not overflow. */
static inline const char *add_digits(const char *p, uint64_t *n)
{
	static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
	uint64_t x, others;
	for (;; p += 8) {
		x = word_at(p) ^ ones * '0';
		others = (x | (x + ones * 0x76)) & high_bits; /* exact up to the first non-digit */
		if (others)
			break;
		*n = *n * 100000000 + eight_digits(x);
	}
	int places = __builtin_ctzll(others) >> 3;
	*n = *n * powers[places] + eight_digits(x << (56 - 8 * places) << 8);
	return p + places;
}

/* n / 10^places. The result is rounded once and therefore correct if n is below 2^53 and places is
 * at most 22: both operands are exact as doubles (Clinger, "How to Read Floating Point Numbers
 * Accurately", 1990). */
static double scaled(uint64_t n, ptrdiff_t places)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
					1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
					1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	assert(places >= 0 && (size_t)places < sizeof powers / sizeof *powers);
	return (double)n / powers[places];
}

/* Parses the number at `begin`, which has no sign. p points to its decimal point or exponent, n is
 * the value of the digits before. */
static bool fraction(const char *begin, const char *p, uint64_t n, double *size)
{
	ptrdiff_t digits = p - begin, places = 0;
	if (*p == '.') {
		const char *first = p + 1;
		p = add_digits(first, &n);
		places = p - first;
	}
	if (digits + places > 19)
		return false;
	bool plain = *p != 'e' && *p != 'E' && n < (uint64_t)1 << 53;
	*size = plain ? scaled(n, places) : strtod(begin, NULL);
	return isfinite(*size);
}

/* Parses a number, of which the sign was consumed. */
static inline bool number(const char *begin, bool negative, struct json_value *value)
{
	uint64_t n = 0;
	const char *p = add_digits(begin, &n);
	bool whole = *p != '.' && (*p | 0x20) != 'e';
	double size = (double)n;
	if (whole ? p - begin > 19 : !fraction(begin, p, n, &size))
		return false;
	value->kind = JSON_VALUE_NUMBER;
	value->exact = whole;
	value->negative = negative;
	value->magnitude = whole ? n : 0;
	value->number = negative ? -size : size;
	return true;
}

/* --- other values --- */

/* The first quote or backslash of a text; `end` or later if there is none. A text has a closing
 * quote unless another program writes to the file meanwhile. */
#if defined __SSE2__
static const char *plain_end(const char *p, const char *end)
{
	const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
	for (; p < end; p += 32) {
		__m128i a = _mm_loadu_si128((const void *)p);
		__m128i b = _mm_loadu_si128((const void *)(p + 16));
		a = _mm_or_si128(_mm_cmpeq_epi8(a, quote), _mm_cmpeq_epi8(a, slash));
		b = _mm_or_si128(_mm_cmpeq_epi8(b, quote), _mm_cmpeq_epi8(b, slash));
		unsigned hit = (unsigned)_mm_movemask_epi8(a) | (unsigned)_mm_movemask_epi8(b)
									<< 16;
		if (hit)
			return p + __builtin_ctz(hit);
	}
	return p;
}
#else
static const char *plain_end(const char *p, const char *end)
{
	for (; p < end; p += 8) {
		uint64_t x = word_at(p), quote = x ^ ones * '"', slash = x ^ ones * '\\';
		uint64_t hit = (((quote - ones) & ~quote) | ((slash - ones) & ~slash)) & high_bits;
		if (hit)
			return p + (__builtin_ctzll(hit) >> 3); /* exact up to the first hit */
	}
	return p;
}
#endif

/* Parses a text; `end` is the end of its record. */
static bool text(const char *begin, const char *end, struct json_value *value, char *room)
{
	const char *p = plain_end(begin, end);
	bool escaped = p < end && *p != '"';
	while (p < end && *p != '"')
		p = plain_end(p + 2, end);
	if (p >= end)
		return false;
	value->kind = JSON_VALUE_TEXT;
	value->text = (struct span){begin, (size_t)(p - begin)};
	if (escaped) {
		value->text.len = json_string_decode(value->text, room);
		value->text.ptr = room;
	}
	return true;
}

static bool literal(const char *p, struct json_value *value)
{
	value->truth = *p == 't';
	if (*p == 't' || *p == 'f')
		value->kind = JSON_VALUE_BOOL;
	return *p == 't' || *p == 'f' || *p == 'n';
}

static bool odd_value(const char *p, struct json_value *value)
{
	if (*p == '-' && p[1] != 'I')
		return number(p + 1, true, value);
	if (*p != '{' && *p != '[')
		return literal(p, value);
	value->kind = JSON_VALUE_CONTAINER;
	return true;
}

/* Parses the value at p in a record of valid JSON. */
static inline bool read_value(enum json_field_type type, const char *p, const char *end,
			      struct json_value *value, char *room)
{
	*value = json_value_missing;
	if (!p)
		return true;
	while (p < end && (unsigned char)*p <= ' ')
		p++;
	if (p == end)
		return false;
	if (*p == '"')
		return text(p + 1, end, value, room) && type != JSON_FIELD_NUMBER;
	if (!(ascii_is_digit(*p) ? number(p, false, value) : odd_value(p, value)))
		return false;
	if (type == JSON_FIELD_TEXT)
		*value = json_value_missing;
	return type != JSON_FIELD_NUMBER || value->kind == JSON_VALUE_NUMBER ||
	       value->kind == JSON_VALUE_MISSING;
}

static bool read_values(struct json_reading *r, const char *const *at, const char *end)
{
	const struct json_field *field = r->section->fields;
	struct json_value *value = r->values;
	for (int i = 0, count = r->name_count; i < count; i++, at++, field++, value++)
		if (!read_value(field->type, *at, end, value, r->texts[i]))
			return false;
	return true;
}

/* --- records --- */

static bool pass_record(void *context, const char *begin, const char *end,
			const char *const *values)
{
	struct json_reading *r = context;
	(void)begin;
	if (!read_values(r, values, end))
		return false;
	r->section->record(r->stream->context, r->values);
	r->index++;
	return true;
}

void json_records_prepare(struct json_reading *r)
{
	r->quick =
		!r->section || (r->section->fields &&
				json_blocks_names_init(&r->quick_names, r->names, r->name_count));
}

int json_records_read(struct json_reading *r, struct error *err)
{
	struct json_blocks job = {
		.names = r->section ? &r->quick_names : NULL,
		.record = pass_record,
		.context = r,
	};
	return r->quick ? json_scan_items(r->scan, &job, err) : 0;
}
