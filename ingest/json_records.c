/* Records that json_blocks.h found: their values, and the callback. What is rare is left to
 * json_stream.c, by refusing the record. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ingest/json_reading.h"

/* --- numbers --- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits of at most 19 places are summed up without overflow. */
static const char *add_digits(const char *p, uint64_t *n, int *count)
{
	for (; is_digit(*p); p++, ++*count)
		*n = *n * 10 + (uint64_t)(*p - '0');
	return p;
}

/* A whole number below 2^53 divided by a power of ten up to 10^22 is rounded once, correctly: both
 * are exact as doubles (Clinger, "How to Read Floating Point Numbers Accurately", 1990). */
static double scaled(uint64_t n, int places)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
					1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
					1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	return (double)n / powers[places];
}

static bool number(const char *p, struct json_value *value)
{
	const char *begin = p;
	uint64_t n = 0;
	int digits = 0, places = 0;
	bool negative = *p == '-';
	p = add_digits(p + negative, &n, &digits);
	bool whole = *p != '.' && *p != 'e' && *p != 'E';
	if (*p == '.') {
		p = add_digits(p + 1, &n, &places);
		digits += places;
	}
	if (digits > 19)
		return false;
	value->kind = JSON_VALUE_NUMBER;
	value->negative = negative;
	value->exact = whole;
	value->magnitude = whole ? n : 0;
	bool plain = *p != 'e' && *p != 'E' && (whole || n < (uint64_t)1 << 53);
	double size = plain ? scaled(n, places) : 0;
	value->number = plain ? (negative ? -size : size) : strtod(begin, NULL);
	return isfinite(value->number);
}

/* --- other values --- */

static bool text(const char *p, const char *end, struct json_value *value, char *room)
{
	bool escaped = false;
	const char *begin = p;
	while (*(p = json_plain_end(p, end)) != '"') {
		escaped |= *p == '\\';
		p += *p == '\\' ? 2 : 1;
	}
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

static bool any_value(const char *p, const char *end, struct json_value *value, char *room)
{
	if (*p == '"')
		return text(p + 1, end, value, room);
	if (*p == '{' || *p == '[') {
		value->kind = JSON_VALUE_CONTAINER;
		return true;
	}
	if (is_digit(*p) || (*p == '-' && p[1] != 'I'))
		return number(p, value);
	return literal(p, value);
}

static bool read_value(const struct json_field *field, const char *p, const char *end,
		       struct json_value *value, char *room)
{
	*value = (struct json_value){.kind = JSON_VALUE_MISSING};
	if (!p)
		return true;
	while (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')
		p++;
	if (!any_value(p, end, value, room))
		return false;
	if (field->type == JSON_FIELD_TEXT && value->kind != JSON_VALUE_TEXT)
		value->kind = JSON_VALUE_MISSING;
	return field->type != JSON_FIELD_NUMBER || value->kind == JSON_VALUE_NUMBER ||
	       value->kind == JSON_VALUE_MISSING;
}

/* --- records --- */

static bool take_record(void *context, const char *begin, const char *end,
			const char *const *values)
{
	struct json_reading *r = context;
	const struct json_section *section = r->section;
	for (int i = 0; i < r->name_count; i++)
		if (!read_value(&section->fields[i], values[i], end, &r->values[i], r->texts[i]))
			return false;
	uint64_t offset = r->scan->base + (uint64_t)(begin - r->scan->buffer);
	if (json_reading_record(r, offset, r->err) < 0) {
		r->failed = true;
		return false;
	}
	r->index++;
	return true;
}

void json_records_prepare(struct json_reading *r)
{
	r->quick = !r->section || (r->section->fields &&
				   json_names_init(&r->quick_names, r->names, r->name_count));
}

int json_records_read(struct json_reading *r, struct error *err)
{
	struct json_blocks job = {
		.names = r->section ? &r->quick_names : NULL,
		.record = take_record,
		.context = r,
	};
	if (!r->quick)
		return json_scan_offset(r->scan) >= r->until;
	r->err = err;
	r->failed = false;
	int rc = json_scan_items(r->scan, &job, r->until, err);
	return r->failed ? -1 : rc;
}
