/* Formats and parses quantities, by one table of units and one of prefixes. */
#include "base/text/quantity.h"

static const struct {
	const char *symbol; /* unit of the stored number */
	const char *shown;  /* the text after the prefix; NULL: no unit is shown */
	bool small, large;  /* prefixes below 1, above 1 are used */
} units[UNIT_LIMIT] = {
	[UNIT_NONE] = {"1", NULL, false, false},
	[UNIT_COUNT] = {"1", NULL, false, false},
	[UNIT_SECOND] = {"s", "s", true, false},
	[UNIT_BYTE] = {"B", "B", false, true},
	[UNIT_FLOP] = {"FLOP", "FLOP", false, true},
	[UNIT_BYTE_PER_SECOND] = {"B/s", "B/s", false, true},
	[UNIT_FLOP_PER_SECOND] = {"FLOP/s", "FLOP/s", false, true},
	[UNIT_FLOP_PER_BYTE] = {"FLOP/B", "FLOP/B", false, false},
	[UNIT_FRACTION] = {"1", "%", false, false},
	[UNIT_HERTZ] = {"Hz", "Hz", false, true},
	[UNIT_PER_SECOND] = {"1/s", "/s", false, true},
};

static const struct {
	const char *text;
	int exponent;
} prefixes[] = {{"P", 15}, {"T", 12}, {"G", 9},  {"M", 6},  {"k", 3},
		{"", 0},   {"m", -3}, {"u", -6}, {"n", -9}, {"p", -12}};

enum { NO_PREFIX = 5 }; /* index of the empty prefix */

const char *quantity_unit_symbol(enum unit unit)
{
	assert(unit < UNIT_LIMIT);
	return units[unit].symbol;
}

void quantity_add_unit(struct strbuf *out, enum unit unit)
{
	const char *shown = unit == UNIT_COUNT ? "" : units[unit].shown, *quote = shown ? "\"" : "";
	strbuf_addf(out, "[%s%s%s,%d,%d]", quote, shown ? shown : "null", quote, units[unit].small,
		    units[unit].large);
}

enum { DIGITS = 4, SHORT_DIGITS = 3 };

/* From here on a number of this many significant digits is rounded to 1. */
static double rounds_to_one(int digits)
{
	return 1 - 0.5 * pow(10, -digits);
}

/* The decimals at which a number has this many significant digits. The limits of the loops are
 * those at which it is rounded to the next power of ten. */
static int decimals_for(double number, int digits)
{
	double size = fabs(number);
	int decimals = digits - 1;
	for (double limit = 10 * rounds_to_one(digits); decimals > 0 && size >= limit; limit *= 10)
		decimals--;
	for (double limit = rounds_to_one(digits); size != 0 && size < limit && decimals < 7;
	     limit /= 10)
		decimals++;
	return decimals;
}

/* Significant digits; without an exponent from 1e-4 to 1e7. */
static void add_digits(struct strbuf *out, double number, int digits)
{
	double size = fabs(number);
	if (size != 0 && (size < 1e-4 || size >= 1e7))
		strbuf_addf(out, "%.*e", digits - 1, number);
	else
		strbuf_addf(out, "%.*f", decimals_for(number, digits), number);
}

static void add_count(struct strbuf *out, double number)
{
	char digits[64];
	if (fabs(number) >= 1e15 || number != floor(number)) {
		add_digits(out, number, DIGITS);
		return;
	}
	snprintf(digits, sizeof digits, "%.0f", fabs(number));
	size_t len = strlen(digits);
	if (number < 0)
		strbuf_addch(out, '-');
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			strbuf_addch(out, ',');
		strbuf_addch(out, digits[i]);
	}
}

/* The index of the largest prefix of the unit that is not larger than the number, or of the
 * smallest one. 0 has no prefix. */
static size_t prefix_of(double number, enum unit unit, int digits)
{
	size_t count = sizeof prefixes / sizeof *prefixes, best = NO_PREFIX;
	for (size_t i = 0; number != 0 && i < count; i++) {
		int exponent = prefixes[i].exponent;
		if ((exponent > 0 && !units[unit].large) || (exponent < 0 && !units[unit].small))
			continue;
		best = i;
		/* 999.95 would be rounded to 1000, so it already gets the next prefix. */
		if (fabs(number) >= rounds_to_one(digits) * pow(10, exponent))
			break;
	}
	return best;
}

static void add_prefixed(struct strbuf *out, double number, enum unit unit, int digits)
{
	size_t best = prefix_of(number, unit, digits);
	double scaled = number / pow(10, prefixes[best].exponent);
	bool whole = best == NO_PREFIX && number == floor(number) && units[unit].large;
	if (whole)
		strbuf_addf(out, "%.0f", number);
	else
		add_digits(out, scaled, digits);
	strbuf_addf(out, " %s%s", prefixes[best].text, units[unit].shown);
}

static void add_number(struct strbuf *out, double number, enum unit unit, int digits)
{
	assert(unit < UNIT_LIMIT);
	if (isnan(number)) {
		strbuf_addstr(out, "unknown");
	} else if (isinf(number)) {
		strbuf_addstr(out, number > 0 ? "infinite" : "-infinite");
	} else if (unit == UNIT_COUNT) {
		add_count(out, number);
	} else if (unit == UNIT_FRACTION) {
		add_digits(out, number * 100, digits);
		strbuf_addstr(out, " %");
	} else if (units[unit].small || units[unit].large) {
		add_prefixed(out, number, unit, digits);
	} else {
		add_digits(out, number, digits);
		if (units[unit].shown)
			strbuf_addf(out, " %s", units[unit].shown);
	}
}

void quantity_add(struct strbuf *out, double number, enum unit unit)
{
	add_number(out, number, unit, DIGITS);
}

void quantity_add_short(struct strbuf *out, double number, enum unit unit)
{
	add_number(out, number, unit, SHORT_DIGITS);
}

void quantity_add_sides(struct strbuf *out, double before, double after, enum unit unit)
{
	const double small = fmin(fabs(before), fabs(after)),
		     large = fmax(fabs(before), fabs(after));
	const struct quantity_scale scale = quantity_scale_of(&large, 1, unit);
	const int digits = large < small * 1.05 ? DIGITS : SHORT_DIGITS;
	if (!isfinite(large) || unit == UNIT_COUNT || !(small * 100 >= large)) {
		quantity_add_short(out, before, unit);
		strbuf_addstr(out, " -> ");
		quantity_add_short(out, after, unit);
		return;
	}
	before *= scale.factor;
	after *= scale.factor;
	strbuf_addf(out, "%.*f -> %.*f%s%s", decimals_for(before, digits), before,
		    decimals_for(after, digits), after, scale.text[0] ? " " : "", scale.text);
}

void quantity_add_change(struct strbuf *out, double change)
{
	if (!isfinite(change))
		strbuf_addstr(out, "unknown");
	else
		strbuf_addf(out, "%+.2f %%", change * 100);
}

const char *quantity_text(struct arena *arena, double number, enum unit unit)
{
	struct strbuf sb = {0};
	quantity_add(&sb, number, unit);
	return strbuf_into(&sb, arena);
}

const char *quantity_signed_text(struct arena *arena, double difference, enum unit unit)
{
	return arena_printf(arena, "%s%s", difference < 0 ? "-" : "+",
			    quantity_text(arena, fabs(difference), unit));
}

const char *quantity_change_text(struct arena *arena, double change)
{
	struct strbuf sb = {0};
	quantity_add_change(&sb, change);
	return strbuf_into(&sb, arena);
}

const char *quantity_exact_change_text(struct arena *arena, double reference, double number)
{
	if (reference == number)
		return "equal";
	double change = reference != 0 ? number / reference - 1 : NAN;
	if (fabs(change) < 5e-5)
		return arena_printf(arena, "%+.1e", change);
	return quantity_change_text(arena, change);
}

const char *quantity_percent_text(struct arena *arena, double fraction)
{
	return isnan(fraction) ? "unknown" : arena_printf(arena, "%.1f %%", fraction * 100);
}

const char *quantity_count_text(struct arena *arena, size_t count, const char *one,
				const char *many)
{
	return arena_printf(arena, "%zu %s", count, count == 1 ? one : many);
}

/* The decimals at which the median has four significant digits and the smallest number three; at
 * most MAX_DECIMALS. */
static int decimals_of(double smallest, double median)
{
	enum { MAX_DECIMALS = 4 };
	assert(smallest > 0 && median >= smallest);
	int decimals = 3 - (int)floor(log10(median)), minimum = 2 - (int)floor(log10(smallest));
	decimals = minimum > decimals ? minimum : decimals;
	return decimals < 0 ? 0 : decimals > MAX_DECIMALS ? MAX_DECIMALS : decimals;
}

/* Whether "us" at this place is a unit, and no part of a word. */
static bool is_microseconds(struct span text, size_t at)
{
	const char *p = text.ptr + at;
	if (text.len - at < 2 || p[0] != 'u' || p[1] != 's')
		return false;
	bool ends = text.len - at == 2 || (p[2] && strchr(" ,;.:/)", p[2])) || p[2] & 0x80;
	if (!ends)
		return false;
	if (at > 2 && memcmp(p - 3, "，", 3) == 0)
		return true;
	return at == 0 ? text.len == 2
		       : at > 1 && p[-1] == ' ' && (ascii_is_digit(p[-2]) || p[-2] == ',');
}

void quantity_add_typeset(struct strbuf *out, struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (is_microseconds(text, i))
			strbuf_addstr(out, "\u00b5");
		else
			strbuf_addch(out, text.ptr[i]);
}

struct quantity_scale quantity_scale_of(const double *numbers, size_t count, enum unit unit)
{
	struct quantity_scale scale = {.unit = unit, .factor = 1};
	assert(unit < UNIT_LIMIT && prefixes[NO_PREFIX].exponent == 0);
	struct arena scratch = {0};
	double *sizes = arena_array(&scratch, count + 1, sizeof *sizes);
	size_t known = 0;
	for (size_t i = 0; i < count; i++)
		if (isfinite(numbers[i]) && numbers[i] != 0)
			sizes[known++] = fabs(numbers[i]);
	array_sort(sizes, known, sizeof *sizes, array_by_double);
	double median = known ? sizes[known / 2] : 1, smallest = known ? sizes[0] : 1;
	bool prefixed = units[unit].small || units[unit].large;
	size_t prefix = prefixed && known ? prefix_of(median, unit, DIGITS) : NO_PREFIX;
	if (unit == UNIT_FRACTION)
		scale.factor = 100;
	else if (prefixed)
		scale.factor = pow(10, -prefixes[prefix].exponent);
	if (unit != UNIT_COUNT)
		scale.decimals = decimals_of(smallest * scale.factor, median * scale.factor);
	if (units[unit].shown)
		snprintf(scale.text, sizeof scale.text, "%s%s", prefixes[prefix].text,
			 units[unit].shown);
	arena_free(&scratch);
	return scale;
}

const char *quantity_scaled_text(struct arena *arena, const struct quantity_scale *scale,
				 double number)
{
	if (isnan(number))
		return "unknown";
	if (scale->unit == UNIT_COUNT)
		return quantity_text(arena, number, UNIT_COUNT);
	double scaled = number * scale->factor, last = pow(10, -scale->decimals);
	/* Below 5 units of the last decimal, a number would have no significant digit, or one that
	 * is mostly rounding. */
	bool too_small = number != 0 && scale->decimals > 0 && fabs(scaled) < 5 * last;
	return too_small || fabs(scaled) >= 1e7
		       ? arena_printf(arena, "%#.3g", scaled)
		       : arena_printf(arena, "%.*f", scale->decimals, scaled);
}

bool quantity_parse(struct span text, enum unit unit, double *number)
{
	assert(unit < UNIT_LIMIT);
	text = span_trim(text);
	size_t digits = 0;
	while (digits < text.len && strchr("+-.0123456789eE", text.ptr[digits]))
		digits++;
	/* No unit begins with "e" or "E", and E (exa) is not among the prefixes. */
	double value;
	if (!span_number((struct span){text.ptr, digits}, &value))
		return false;
	struct span rest = span_trim(span_from(text, digits));
	if (rest.len == 0) {
		*number = value;
		return true;
	}
	const char *shown = units[unit].shown;
	if (unit == UNIT_FRACTION && span_is(rest, "%")) {
		*number = value / 100;
		return true;
	}
	if (!shown || !span_ends(rest, shown))
		return false;
	struct span prefix = {rest.ptr, rest.len - strlen(shown)};
	/* U+03BC, the Greek letter, and U+00B5, the micro sign. */
	if (span_is(prefix, "\xce\xbc") || span_is(prefix, "\xc2\xb5"))
		prefix = span_of("u");
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		bool sensible = prefixes[i].exponent == 0 ||
				(prefixes[i].exponent > 0 ? units[unit].large : units[unit].small);
		if (sensible && span_is(prefix, prefixes[i].text)) {
			*number = value * pow(10, prefixes[i].exponent);
			return true;
		}
	}
	return false;
}
