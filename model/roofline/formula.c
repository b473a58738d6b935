/*
 * A recursive descent that computes while it reads; parentheses, signs and powers
 * count against FORMULA_DEPTH.
 */
#include "model/roofline/formula.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct reader {
	const char *text;
	const char *at;
	const struct formula_scope *scope; /* NULL: only the syntax counts */
	int depth;
	struct error *err;
};

static int expression(struct reader *reader, double *value);

static int fail(struct reader *reader, const char *at, const char *what)
{
	return error_set(reader->err, ERR_USAGE, "at %d: %s", (int)(at - reader->text) + 1, what);
}

static void skip_blanks(struct reader *reader)
{
	while (*reader->at == ' ' || *reader->at == '\t')
		reader->at++;
}

static bool take(struct reader *reader, const char *token)
{
	size_t len = strlen(token);
	skip_blanks(reader);
	if (strncmp(reader->at, token, len) != 0)
		return false;
	reader->at += len;
	return true;
}

/* The result of what stands at `at`; without a scope there are no numbers to be wrong. */
static int result(struct reader *reader, const char *at, double number, double *value)
{
	if (reader->scope && !isfinite(number))
		return fail(reader, at, "the result is no finite number");
	*value = number;
	return 0;
}

static int unexpected(struct reader *reader)
{
	char found[] = "expected a number, a name or ( before \"?\"";
	if (!*reader->at)
		return fail(reader, reader->at, "the formula ends where a number is expected");
	if (!isgraph((unsigned char)*reader->at))
		return fail(reader, reader->at, "expected a number, a name or (");
	found[sizeof found - 3] = *reader->at;
	return fail(reader, reader->at, found);
}

static int number(struct reader *reader, double *value)
{
	const char *start = reader->at, *end = start;
	while (isdigit((unsigned char)*end) || *end == '.')
		end++;
	/* "2e" is no number, but "2 * e" is a product. */
	if (*end == 'e' || *end == 'E') {
		const char *digits = end + 1 + (end[1] == '+' || end[1] == '-');
		if (isdigit((unsigned char)*digits))
			for (end = digits; isdigit((unsigned char)*end);)
				end++;
	}
	if (isalpha((unsigned char)*end) || *end == '_')
		return fail(reader, end, "expected an operator between a number and a name");
	if (!span_number((struct span){start, (size_t)(end - start)}, value))
		return fail(reader, start, "this is no number");
	reader->at = end;
	return 0;
}

enum function { FUNCTION_MIN, FUNCTION_MAX, FUNCTION_CEIL, FUNCTION_FLOOR, FUNCTION_CEILDIV };

static const struct {
	const char *name;
	int least, most; /* arguments */
} functions[] = {
	[FUNCTION_MIN] = {"min", 1, 64},        [FUNCTION_MAX] = {"max", 1, 64},
	[FUNCTION_CEIL] = {"ceil", 1, 1},       [FUNCTION_FLOOR] = {"floor", 1, 1},
	[FUNCTION_CEILDIV] = {"ceildiv", 2, 2},
};

/* Takes one more argument into the value of the function so far. */
static void step(enum function function, int count, double argument, double *value)
{
	if (function == FUNCTION_CEILDIV && count == 2) {
		*value = ceil(*value / argument);
	} else if (count > 1) {
		*value = function == FUNCTION_MIN ? fmin(*value, argument) : fmax(*value, argument);
	} else if (function == FUNCTION_CEIL || function == FUNCTION_FLOOR) {
		*value = function == FUNCTION_CEIL ? ceil(argument) : floor(argument);
	} else {
		*value = argument;
	}
}

static int call(struct reader *reader, enum function function, const char *start, double *value)
{
	int count = 0;
	double argument;
	do {
		skip_blanks(reader);
		const char *at = reader->at;
		if (expression(reader, &argument) < 0)
			return -1;
		if (++count > functions[function].most)
			return fail(reader, start, "this function has too many arguments");
		if (function == FUNCTION_CEILDIV && count == 2 && argument == 0 && reader->scope)
			return fail(reader, at, "division by zero");
		step(function, count, argument, value);
	} while (take(reader, ","));
	if (count < functions[function].least)
		return fail(reader, start, "this function lacks an argument");
	if (!take(reader, ")"))
		return fail(reader, reader->at, "expected ) or ,");
	return result(reader, start, *value, value);
}

static int named(struct reader *reader, double *value)
{
	const char *start = reader->at, *end = start;
	struct error why;
	while (isalnum((unsigned char)*end) || *end == '_' || *end == '.')
		end++;
	struct span name = {start, (size_t)(end - start)};
	reader->at = end;
	if (take(reader, "(")) {
		for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
			if (span_is(name, functions[i].name))
				return call(reader, (enum function)i, start, value);
		return fail(reader, start,
			    "unknown function; there are min, max, ceil, floor, ceildiv");
	}
	*value = 1;
	if (!reader->scope)
		return 0;
	if (reader->scope->number(reader->scope->context, name, value, &why) < 0)
		return fail(reader, start, why.text);
	return result(reader, start, *value, value);
}

static int atom(struct reader *reader, double *value)
{
	skip_blanks(reader);
	if (take(reader, "(")) {
		if (expression(reader, value) < 0)
			return -1;
		return take(reader, ")") ? 0 : fail(reader, reader->at, "expected )");
	}
	if (isdigit((unsigned char)*reader->at) || *reader->at == '.')
		return number(reader, value);
	if (isalpha((unsigned char)*reader->at) || *reader->at == '_')
		return named(reader, value);
	return unexpected(reader);
}

static int sign(struct reader *reader, double *value);

static int power(struct reader *reader, double *value)
{
	double exponent;
	if (atom(reader, value) < 0)
		return -1;
	skip_blanks(reader);
	const char *at = reader->at;
	if (!take(reader, "**") && !take(reader, "^"))
		return 0;
	if (sign(reader, &exponent) < 0)
		return -1;
	if (reader->scope && *value == 0 && exponent < 0)
		return fail(reader, at, "division by zero");
	return result(reader, at, pow(*value, exponent), value);
}

static int sign(struct reader *reader, double *value)
{
	skip_blanks(reader);
	if (++reader->depth > FORMULA_DEPTH)
		return fail(reader, reader->at, "this is nested too deeply");
	bool minus = take(reader, "-");
	int rc = minus || take(reader, "+") ? sign(reader, value) : power(reader, value);
	if (minus && rc == 0)
		*value = -*value;
	reader->depth--;
	return rc;
}

static int term(struct reader *reader, double *value)
{
	double factor;
	if (sign(reader, value) < 0)
		return -1;
	for (;;) {
		skip_blanks(reader);
		const char *at = reader->at;
		bool divide = take(reader, "/");
		if (!divide && !take(reader, "*"))
			return 0;
		if (sign(reader, &factor) < 0)
			return -1;
		if (divide && factor == 0 && reader->scope)
			return fail(reader, at, "division by zero");
		if (result(reader, at, divide ? *value / factor : *value * factor, value) < 0)
			return -1;
	}
}

static int expression(struct reader *reader, double *value)
{
	double summand;
	if (term(reader, value) < 0)
		return -1;
	for (;;) {
		skip_blanks(reader);
		const char *at = reader->at;
		bool minus = take(reader, "-");
		if (!minus && !take(reader, "+"))
			return 0;
		if (term(reader, &summand) < 0 ||
		    result(reader, at, minus ? *value - summand : *value + summand, value) < 0)
			return -1;
	}
}

int formula_value(const char *text, const struct formula_scope *scope, double *value,
		  struct error *err)
{
	struct reader reader = {.text = text, .at = text, .scope = scope, .err = err};
	double number_of_all;
	if (strlen(text) > FORMULA_LENGTH)
		return error_set(err, ERR_USAGE, "the formula is longer than %d bytes",
				 FORMULA_LENGTH);
	if (expression(&reader, &number_of_all) < 0)
		return -1;
	skip_blanks(&reader);
	if (*reader.at)
		return fail(&reader, reader.at, "expected an operator or the end of the formula");
	*value = number_of_all;
	return 0;
}

int formula_check(const char *text, struct error *err)
{
	double ignored;
	return formula_value(text, NULL, &ignored, err);
}
