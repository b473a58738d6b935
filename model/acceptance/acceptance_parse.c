/* The grammar of acceptances: parses lines and writes them. */
#include "model/acceptance/acceptance.h"

#include <ctype.h>

#include "base/text/text.h"

static const char fields_text[] = "series | metric | limit | expires | author | reason";
static const char byte_order_mark[] = "\xef\xbb\xbf";

struct parser {
	struct arena *arena;
	const char *path;
	size_t line;
	struct error *err;
};

/* Sets an error for a field, whose text is untrusted: what is wrong with it, and what to do. */
static int bad(const struct parser *parser, struct span field, const char *what)
{
	return error_set(parser->err, ERR_FORMAT, "%s:%zu: \"%.*s\": %s", parser->path,
			 parser->line, (int)(field.len < 80 ? field.len : 80),
			 field.len ? field.ptr : "", what);
}

/* ---- expiry ---- */

static bool is_digits(struct span text, size_t least, size_t most)
{
	size_t digits = 0;
	while (digits < text.len && isdigit((unsigned char)text.ptr[digits]))
		digits++;
	return digits == text.len && digits >= least && digits <= most;
}

static int number_of(struct span digits)
{
	int number = 0;
	for (size_t i = 0; i < digits.len; i++)
		number = number * 10 + (digits.ptr[i] - '0');
	return number;
}

/* Days from 1970-01-01 to a day of the Gregorian calendar. Years begin in March here, so that a
 * leap day is the last of its year. */
static int64_t days_of(int year, int month, int day)
{
	int64_t years = month > 2 ? year : year - 1;
	int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return years * 365 + years / 4 - years / 100 + years / 400 + day_of_year - 719468;
}

static bool is_day(int year, int month, int day)
{
	static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return year >= 1970 && month >= 1 && month <= 12 && day >= 1 &&
	       day <= lengths[month - 1] + (leap && month == 2);
}

/* Whether the text is three numbers separated by '-', '/' or '.', one of them a year: meant as a
 * day, whatever their order. */
static bool looks_like_a_day(struct span text, char separator)
{
	struct span first = span_cut(&text, separator), second = span_cut(&text, separator);
	return is_digits(first, 1, 4) && is_digits(second, 1, 2) && is_digits(text, 1, 4) &&
	       (first.len == 4 || text.len == 4 || separator != '.');
}

static int parse_day(const struct parser *parser, struct span field, struct acceptance *acceptance)
{
	struct span rest = field;
	struct span year = span_cut(&rest, '-'), month = span_cut(&rest, '-');
	if (!is_digits(year, 4, 4) || !is_digits(month, 2, 2) || !is_digits(rest, 2, 2) ||
	    !is_day(number_of(year), number_of(month), number_of(rest)))
		return bad(parser, field,
			   "is not a valid date (YYYY-MM-DD); write a tag with such a name as "
			   "refs/tags/NAME");
	acceptance->expiry = ACCEPTANCE_DAY;
	acceptance->end = (days_of(number_of(year), number_of(month), number_of(rest)) + 1) * 86400;
	return 0;
}

/* Whether the text is a time of day. A tag may begin with a date, but a time would be mistaken for
 * a revision that never comes. */
static bool is_moment(struct span text)
{
	return text.len > 10 && is_digits((struct span){text.ptr, 4}, 4, 4) &&
	       looks_like_a_day((struct span){text.ptr, 10}, '-') &&
	       (text.ptr[10] == ' ' || text.ptr[10] == 'T');
}

static int parse_expires(const struct parser *parser, struct span field,
			 struct acceptance *acceptance)
{
	if (span_is(field, "never")) {
		acceptance->expiry = ACCEPTANCE_NEVER;
		return 0;
	}
	if (looks_like_a_day(field, '-') || looks_like_a_day(field, '/') ||
	    looks_like_a_day(field, '.') || is_moment(field))
		return parse_day(parser, field, acceptance);
	/* Names of revisions contain no blanks, and a program could mistake '-' for an option. */
	if (field.len == 0 || field.len > 200 || field.ptr[0] == '-' ||
	    memchr(field.ptr, ' ', field.len))
		return bad(
			parser, field,
			"is not an expiry; write a date (YYYY-MM-DD), a tag, a revision, or never");
	acceptance->expiry = ACCEPTANCE_REVISION;
	return 0;
}

/* ---- limit ---- */

/* Parses a quantity; counts may have separators of thousands, as rooflog prints them. */
static bool parse_quantity(struct span text, enum unit unit, double *number)
{
	char digits[64];
	size_t len = 0;
	if (unit != UNIT_COUNT && unit != UNIT_NONE)
		return quantity_parse(text, unit, number);
	if (text.len > sizeof digits)
		return false;
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] != ',')
			digits[len++] = text.ptr[i];
	return quantity_parse((struct span){digits, len}, unit, number);
}

static bool has_symbol(enum unit unit)
{
	return unit != UNIT_COUNT && unit != UNIT_NONE;
}

/* Parses a limit. Its unit is required if the metric has one: a bare 47.5 hardly means
 * seconds. */
static bool parse_limit(struct span text, enum unit unit, double *number)
{
	double read;
	if ((has_symbol(unit) && span_number(text, &read)) || !parse_quantity(text, unit, &read) ||
	    !isfinite(read))
		return false;
	*number = read;
	return true;
}

static int check_limit(const struct parser *parser, struct span field,
		       const struct acceptance *acceptance)
{
	double number;
	if (acceptance->metric != METRIC_COUNT) {
		enum unit unit = metric_info(acceptance->metric)->unit;
		if (parse_limit(field, unit, &number))
			return 0;
		return bad(parser, field,
			   unit == UNIT_SECOND
				   ? "is not a valid limit for a time; write for example "
				     "47.5 us, or retired"
			   : unit == UNIT_FRACTION
				   ? "is not a valid limit for a share; write for example "
				     "28 %, or retired"
			   : has_symbol(unit) ? "is not a valid limit for this metric; write a "
						"number with its unit "
						"(GB, TFLOP/s ...), or retired"
					      : "is not a valid limit for this metric; write a "
						"number, or retired");
	}
	for (int unit = 0; unit < UNIT_LIMIT; unit++)
		if (has_symbol((enum unit)unit) && parse_limit(field, (enum unit)unit, &number))
			return 0;
	return bad(
		parser, field,
		"is not a valid limit for all metrics; write one with a unit such as 47.5 us, or "
		"retired, or name the metric");
}

double acceptance_limit(const struct acceptance *acceptance, enum metric metric)
{
	double number;
	enum unit unit = metric_info(metric)->unit;
	bool any = acceptance->metric == METRIC_COUNT;
	if (acceptance->retired || (!any && acceptance->metric != metric) ||
	    (any && !has_symbol(unit)) || !parse_limit(span_of(acceptance->limit), unit, &number))
		return NAN;
	return number;
}

/* ---- lines ---- */

static int parse_metric(const struct parser *parser, struct span field,
			struct acceptance *acceptance)
{
	acceptance->metric = metric_find(field);
	if (acceptance->metric != METRIC_COUNT || span_is(field, "*"))
		return 0;
	return bad(parser, field,
		   "not a metric; 'rooflog list metrics' lists the keys, * means all");
}

static int parse_fields(const struct parser *parser, struct span fields[6],
			struct acceptance *acceptance)
{
	static const char *const names[] = {"series", "metric", "limit",
					    "expiry", "author", "reason"};
	for (size_t i = 0; i < 6; i++)
		if (fields[i].len == 0)
			return error_set(parser->err, ERR_FORMAT,
					 "%s:%zu: the %s is missing; expected: %s", parser->path,
					 parser->line, names[i], fields_text);
	struct acceptance read = {.line = parser->line, .retired = span_is(fields[2], "retired")};
	if (parse_metric(parser, fields[1], &read) < 0 ||
	    (!read.retired && check_limit(parser, fields[2], &read) < 0) ||
	    parse_expires(parser, fields[3], &read) < 0)
		return -1;
	const char **texts[] = {&read.series,  NULL,         &read.limit,
				&read.expires, &read.author, &read.reason};
	for (size_t i = 0; i < 6; i++)
		if (texts[i])
			*texts[i] = arena_strndup(parser->arena, fields[i].ptr, fields[i].len);
	*acceptance = read;
	return 0;
}

static int parse_line(const struct parser *parser, struct span line, struct acceptance *acceptance)
{
	struct span fields[6];
	size_t count = 1;
	if (line.len > ACCEPTANCE_LINE_LIMIT)
		return error_set(parser->err, ERR_FORMAT,
				 "%s:%zu: the line has %zu bytes; the limit is %d", parser->path,
				 parser->line, line.len, ACCEPTANCE_LINE_LIMIT);
	for (struct span rest = line; count < 6 && span_find(rest, "|") < rest.len; count++)
		span_cut(&rest, '|');
	if (count < 6)
		return error_set(parser->err, ERR_FORMAT, "%s:%zu: %zu field%s, six expected: %s",
				 parser->path, parser->line, count, count == 1 ? "" : "s",
				 fields_text);
	for (size_t i = 0; i < 6; i++) {
		fields[i] = span_trim(i < 5 ? span_cut(&line, '|') : line);
		if (!utf8_is_line(fields[i]) || span_starts(fields[i], byte_order_mark))
			return error_set(
				parser->err, ERR_FORMAT,
				"%s:%zu: field %zu contains invisible characters (control "
				"characters or a byte order mark) or is not valid UTF-8: retype it",
				parser->path, parser->line, i + 1);
	}
	return parse_fields(parser, fields, acceptance);
}

int acceptance_parse(struct arena *arena, const char *path, struct span bytes,
		     struct acceptance_list *list, struct error *err)
{
	struct parser parser = {.arena = arena, .path = path, .err = err};
	struct acceptance_list read = {.path = path};
	if (span_starts(bytes, byte_order_mark))
		bytes = span_from(bytes, 3);
	while (bytes.len) {
		struct span line = span_cut(&bytes, '\n');
		struct acceptance acceptance;
		parser.line++;
		/* An editor may show a NUL byte as the end of the file. */
		if (line.len && memchr(line.ptr, '\0', line.len))
			return error_set(err, ERR_FORMAT,
					 "%s:%zu: not a text file (contains a NUL byte)", path,
					 parser.line);
		line = span_trim(line);
		if (line.len == 0 || line.ptr[0] == '#')
			continue;
		if (parse_line(&parser, line, &acceptance) < 0)
			return -1;
		*arena_add(arena, &read) = acceptance;
	}
	*list = read;
	return 0;
}

const char *acceptance_metric(const struct acceptance *acceptance)
{
	return acceptance->metric == METRIC_COUNT ? "*" : metric_info(acceptance->metric)->key;
}

const char *acceptance_line(struct arena *arena, const struct acceptance *acceptance)
{
	return arena_printf(arena, "%s | %s | %s | %s | %s | %s", acceptance->series,
			    acceptance_metric(acceptance), acceptance->limit, acceptance->expires,
			    acceptance->author, acceptance->reason);
}
