/* Parses digits with separators, and units of a numerator with or without a denominator. */
#include "ingest/ncu/value.h"

#include <strings.h>

#include "base/base.h"

/* --- units --- */

const char *ncu_kind_name(enum ncu_kind kind)
{
	static const char *const names[] = {"a count",          "a time",      "bytes",
					    "bytes per second", "a frequency", "a percentage"};
	assert((size_t)kind < sizeof names / sizeof *names);
	return names[kind];
}

static bool is_word(struct span text, const char *word)
{
	return text.len == strlen(word) && strncasecmp(text.ptr, word, text.len) == 0;
}

static bool time_exponent(struct span unit, int *exponent)
{
	static const struct {
		const char *name;
		int exponent;
	} times[] = {{"ns", -9}, {"nsecond", -9}, {"us", -6}, {"usecond", -6}, {"\xc2\xb5s", -6},
		     {"ms", -3}, {"msecond", -3}, {"s", 0},   {"second", 0},   {"sec", 0}};
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (is_word(unit, times[i].name)) {
			*exponent = times[i].exponent;
			return true;
		}
	return false;
}

/* The power of ten of a unit's prefix, as in "Gbyte" or "Minst". Removes the prefix from *unit. */
static int cut_prefix(struct span *unit)
{
	static const char *const words[] = {"byte",   "hz",   "inst",  "cycle",   "sector",
					    "thread", "warp", "block", "request", "op"};
	static const char prefixes[] = {'K', 'M', 'G', 'T', 'P'}; /* 10^3, 10^6 ... */
	const char *prefix =
		unit->len ? memchr(prefixes, unit->ptr[0] & ~0x20, sizeof prefixes) : NULL;
	for (size_t i = 0; prefix && i < sizeof words / sizeof *words; i++) {
		struct span rest = {unit->ptr + 1, unit->len - 1};
		if (is_word(rest, words[i])) {
			*unit = rest;
			return 3 * (int)(prefix - prefixes + 1);
		}
	}
	return 0;
}

enum ncu_kind ncu_unit(struct span unit, int *exponent)
{
	struct span rest = span_trim(unit), over = span_cut(&rest, '/');
	int per = 0;
	bool rate = rest.len && time_exponent(rest, &per);
	*exponent = 0;
	if (over.len == 0)
		return NCU_PLAIN;
	if (time_exponent(over, exponent))
		return NCU_SECONDS;
	if (span_is(over, "%")) {
		*exponent = -2;
		return NCU_FRACTION;
	}
	*exponent = cut_prefix(&over) - per;
	if (is_word(over, "byte") || is_word(over, "bytes"))
		return rate ? NCU_BYTES_PER_SECOND : NCU_BYTES;
	return rate || is_word(over, "hz") ? NCU_HERTZ : NCU_PLAIN;
}

/* --- numbers --- */

/* Length of a blank or an apostrophe between groups of digits, which some locales print; bytes. */
static size_t group_mark(struct span text)
{
	static const char *const marks[] = {" ", "'", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x99"};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (span_starts(text, marks[i]))
			return strlen(marks[i]);
	return 0;
}

/* "12 (5; 7)" is the value followed by those of several instances: returns the value. */
static struct span without_instances(struct span cell)
{
	size_t at = span_find(cell, " (");
	return span_trim((struct span){cell.ptr, at});
}

/* How a cell separates its digits. Blanks and apostrophes between groups are not counted. */
struct shape {
	size_t commas, points;
	size_t first_group; /* digits before the first separator */
	size_t last_group;  /* digits after the last separator */
	char last;          /* the last separator */
	bool even;          /* all groups after the first one have three digits */
};

static bool shape_of(struct span cell, struct shape *shape)
{
	size_t group = 0, separators = 0, i = cell.len && cell.ptr[0] == '-';
	*shape = (struct shape){.even = true};
	if (cell.len > 64)
		return false;
	while (i < cell.len) {
		char c = cell.ptr[i];
		bool plain = ascii_is_digit(c) || c == ',' || c == '.';
		size_t mark = plain ? 0 : group_mark(span_from(cell, i));
		i += mark ? mark : 1;
		if (ascii_is_digit(c)) {
			group++;
		} else if (c == ',' || c == '.') {
			*(c == ',' ? &shape->commas : &shape->points) += 1;
			if (separators++ == 0)
				shape->first_group = group;
			else
				shape->even &= group == 3;
			shape->last = c;
			group = 0;
		} else if (!mark) {
			return false;
		}
	}
	shape->last_group = group;
	shape->even &= group == 3;
	return group > 0 && (separators == 0 || shape->first_group > 0);
}

void ncu_numerals_look(struct ncu_numerals *numerals, struct span cell, size_t line)
{
	struct shape shape;
	if (!shape_of(without_instances(cell), &shape) || shape.commas + shape.points == 0)
		return;
	size_t same = shape.last == ',' ? shape.commas : shape.points;
	bool comma_decimal = shape.last == ',';
	if (same > 1)
		comma_decimal = !comma_decimal; /* a repeated separator groups digits */
	else if (shape.commas && shape.points)
		; /* of two separators the last one is the decimal sign */
	else if (shape.even && shape.first_group <= 3)
		return; /* "1,234" and "1.234" are ambiguous */
	size_t *seen = comma_decimal ? &numerals->comma_line : &numerals->point_line;
	if (!*seen)
		*seen = line;
}

int ncu_numerals_decide(const struct ncu_numerals *numerals, const char *locale, char *decimal,
			struct error *err)
{
	if (!locale && numerals->comma_line && numerals->point_line)
		return error_set(err, ERR_FORMAT,
				 "line %zu has a decimal comma and line %zu a decimal point; "
				 "choose one with --decimal",
				 numerals->comma_line, numerals->point_line);
	*decimal = locale ? locale[0] : numerals->comma_line ? ',' : '.';
	return 0;
}

static bool is_absent(struct span cell)
{
	static const char *const words[] = {"",      "no data",   "n/a", "na",   "nan", "-nan",
					    "(nan)", "-nan(ind)", "inf", "-inf", "-"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (is_word(cell, words[i]))
			return true;
	return false;
}

bool ncu_number(struct span cell, char decimal, int exponent, double *number)
{
	char digits[64 + 16];
	size_t len = 0;
	struct shape shape;
	cell = span_trim(cell);
	*number = NAN;
	if (is_absent(cell))
		return true;
	cell = without_instances(cell);
	if (span_find(cell, "e") < cell.len || span_find(cell, "E") < cell.len) {
		if (!span_number(cell, number))
			return false;
		*number *= pow(10, exponent);
		return isfinite(*number);
	}
	if (!shape_of(cell, &shape))
		return false;
	for (size_t i = 0; i < cell.len; i++)
		if (ascii_is_digit(cell.ptr[i]) || cell.ptr[i] == '-')
			digits[len++] = cell.ptr[i];
		else if (cell.ptr[i] == decimal)
			digits[len++] = '.';
	len += (size_t)snprintf(digits + len, sizeof digits - len, "e%d", exponent);
	return span_number((struct span){digits, len}, number);
}
