/*
 * A recursive-descent parser writes the steps in the order in which a stack machine computes them.
 * Parentheses, signs and powers count towards FORMULA_DEPTH, which bounds both stacks.
 */
#include "model/formula/formula.h"

#include <ctype.h>

/* --- parsing --- */

struct reader {
	const char *text;
	const char *at;
	const struct formula_scope *scope;
	struct formula *formula;
	int depth;
	struct error *err;
};

static int expression(struct reader *reader);

static int fail(const struct reader *reader, const char *at, const char *what)
{
	return error_set(reader->err, ERR_USAGE, "at %d: %s", (int)(at - reader->text) + 1, what);
}

static struct formula_step *add_step(struct reader *reader, enum formula_step_kind kind,
				     const char *at)
{
	struct formula_step *step = &reader->formula->steps[reader->formula->count++];
	*step = (struct formula_step){.kind = (uint8_t)kind, .at = (uint16_t)(at - reader->text)};
	return step;
}

static void skip_blanks(struct reader *reader)
{
	while (*reader->at == ' ' || *reader->at == '\t')
		reader->at++;
}

static bool accept(struct reader *reader, const char *token)
{
	size_t len = strlen(token);
	skip_blanks(reader);
	if (*reader->at != *token || strncmp(reader->at, token, len) != 0)
		return false;
	reader->at += len;
	return true;
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

static int number(struct reader *reader)
{
	const char *start = reader->at, *end = start;
	double value;
	while (isdigit((unsigned char)*end) || *end == '.')
		end++;
	/* "2e" is an incomplete number, but "2 * e" is a product. */
	if (*end == 'e' || *end == 'E') {
		const char *digits = end + 1 + (end[1] == '+' || end[1] == '-');
		if (isdigit((unsigned char)*digits))
			for (end = digits; isdigit((unsigned char)*end);)
				end++;
	}
	if (isalpha((unsigned char)*end) || *end == '_')
		return fail(reader, end, "expected an operator between a number and a name");
	if (!span_number((struct span){start, (size_t)(end - start)}, &value))
		return fail(reader, start, "not a valid number");
	add_step(reader, FORMULA_NUMBER, start)->number = value;
	reader->at = end;
	return 0;
}

/* A function of more than two arguments is computed two at a time. */
static const struct function {
	const char *name;
	enum formula_step_kind kind;
	int least, most; /* arguments */
	bool unknowns;   /* only if numbers may be unknown */
} functions[] = {
	{"min", FORMULA_MIN, 1, 64, false},
	{"max", FORMULA_MAX, 1, 64, false},
	{"ceil", FORMULA_CEIL, 1, 1, false},
	{"floor", FORMULA_FLOOR, 1, 1, false},
	{"ceildiv", FORMULA_CEILDIV, 2, 2, false},
	{"coalesce", FORMULA_COALESCE, 1, 64, true},
	{"max_known", FORMULA_MAX_KNOWN, 1, 64, true},
	{"positive", FORMULA_POSITIVE, 1, 1, true},
};

static bool is_binary(enum formula_step_kind kind)
{
	return kind >= FORMULA_ADD;
}

static int call(struct reader *reader, const struct function *function, const char *start)
{
	int count = 0;
	do {
		skip_blanks(reader);
		const char *at = reader->at;
		if (expression(reader) < 0)
			return -1;
		if (++count > function->most)
			return fail(reader, start, "this function has too many arguments");
		if (!is_binary(function->kind))
			add_step(reader, function->kind, start);
		else if (count > 1)
			add_step(reader, function->kind, at);
	} while (accept(reader, ","));
	if (count < function->least)
		return fail(reader, start, "this function needs another argument");
	return accept(reader, ")") ? 0 : fail(reader, reader->at, "expected ) or ,");
}

static int named(struct reader *reader)
{
	const char *start = reader->at, *end = start;
	const struct formula_scope *scope = reader->scope;
	struct error why;
	while (isalnum((unsigned char)*end) || *end == '_' || *end == '.')
		end++;
	struct span name = {start, (size_t)(end - start)};
	reader->at = end;
	if (accept(reader, "(")) {
		for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
			if (span_is(name, functions[i].name) &&
			    (scope->unknowns || !functions[i].unknowns))
				return call(reader, &functions[i], start);
		return fail(reader, start,
			    "unknown function; available: min, max, ceil, floor, ceildiv");
	}
	return scope->name(scope->context, name, add_step(reader, FORMULA_NUMBER, start), &why) < 0
		       ? fail(reader, start, why.text)
		       : 0;
}

static int atom(struct reader *reader)
{
	skip_blanks(reader);
	if (accept(reader, "(")) {
		if (expression(reader) < 0)
			return -1;
		return accept(reader, ")") ? 0 : fail(reader, reader->at, "expected )");
	}
	if (isdigit((unsigned char)*reader->at) || *reader->at == '.')
		return number(reader);
	if (isalpha((unsigned char)*reader->at) || *reader->at == '_')
		return named(reader);
	return unexpected(reader);
}

static int sign(struct reader *reader);

static int power(struct reader *reader)
{
	if (atom(reader) < 0)
		return -1;
	skip_blanks(reader);
	const char *at = reader->at;
	if (!accept(reader, "**") && !accept(reader, "^"))
		return 0;
	if (sign(reader) < 0)
		return -1;
	add_step(reader, FORMULA_POWER, at);
	return 0;
}

static int sign(struct reader *reader)
{
	skip_blanks(reader);
	const char *at = reader->at;
	if (++reader->depth > FORMULA_DEPTH)
		return fail(reader, reader->at, "nested too deeply");
	bool minus = accept(reader, "-");
	int rc = minus || accept(reader, "+") ? sign(reader) : power(reader);
	if (minus && rc == 0)
		add_step(reader, FORMULA_NEGATE, at);
	reader->depth--;
	return rc;
}

static int term(struct reader *reader)
{
	if (sign(reader) < 0)
		return -1;
	for (;;) {
		skip_blanks(reader);
		const char *at = reader->at;
		bool divide = accept(reader, "/");
		if (!divide && !accept(reader, "*"))
			return 0;
		if (sign(reader) < 0)
			return -1;
		add_step(reader, divide ? FORMULA_DIVIDE : FORMULA_MULTIPLY, at);
	}
}

static int expression(struct reader *reader)
{
	if (term(reader) < 0)
		return -1;
	for (;;) {
		skip_blanks(reader);
		const char *at = reader->at;
		bool minus = accept(reader, "-");
		if (!minus && !accept(reader, "+"))
			return 0;
		if (term(reader) < 0)
			return -1;
		add_step(reader, minus ? FORMULA_SUBTRACT : FORMULA_ADD, at);
	}
}

int formula_parse(const char *text, const struct formula_scope *scope, struct formula *formula,
		  struct error *err)
{
	struct reader reader = {
		.text = text, .at = text, .scope = scope, .formula = formula, .err = err};
	formula->count = 0;
	if (strlen(text) > FORMULA_LENGTH)
		return error_set(err, ERR_USAGE, "the formula is longer than %d bytes",
				 FORMULA_LENGTH);
	if (expression(&reader) < 0)
		return -1;
	skip_blanks(&reader);
	if (*reader.at)
		return fail(&reader, reader.at, "expected an operator or the end of the formula");
	assert(formula->count <= strlen(text));
	return 0;
}

/* --- computing --- */

/* Operators pending at one depth: a power or a function, a product, a sum. */
enum { STACK = 4 * (FORMULA_DEPTH + 1) };

static double unary(enum formula_step_kind kind, double a)
{
	switch (kind) {
	case FORMULA_CEIL:
		return ceil(a);
	case FORMULA_FLOOR:
		return floor(a);
	case FORMULA_POSITIVE:
		return a > 0 ? a : NAN;
	default:
		return -a;
	}
}

static double binary(enum formula_step_kind kind, double a, double b)
{
	if (kind == FORMULA_COALESCE)
		return isnan(a) ? b : a;
	if (kind == FORMULA_MAX_KNOWN)
		return fmax(a, b); /* ignores NAN */
	if (isnan(a) || isnan(b))  /* pow(NAN, 0) is 1 */
		return NAN;
	switch (kind) {
	case FORMULA_SUBTRACT:
		return a - b;
	case FORMULA_MULTIPLY:
		return a * b;
	case FORMULA_DIVIDE:
		return a / b;
	case FORMULA_CEILDIV:
		return ceil(a / b);
	case FORMULA_POWER:
		return pow(a, b);
	case FORMULA_MIN:
		return fmin(a, b);
	case FORMULA_MAX:
		return fmax(a, b);
	default:
		return a + b;
	}
}

/* Why a step on finite numbers has a result that is not finite. */
static const char *fault_of(enum formula_step_kind kind, double a, double b)
{
	bool by_zero = ((kind == FORMULA_DIVIDE || kind == FORMULA_CEILDIV) && b == 0) ||
		       (kind == FORMULA_POWER && a == 0 && b < 0);
	return by_zero ? "division by zero" : "the result is not finite";
}

/* If `fault` is given, stops at the first step whose result is not finite; *fault is that step and
 * *why the reason. */
static double compute(const struct formula *formula, const double *slots,
		      const struct formula_step **fault, const char **why)
{
	/* Each number is written before it is read. Zeroing them all, as the build does with
	 * variables, would take longer than the formula. */
	double stack[STACK] __attribute__((uninitialized));
	size_t depth = 0;
	for (const struct formula_step *step = formula->steps;
	     step < formula->steps + formula->count; step++) {
		double a = NAN, b = NAN, result;
		assert(step->kind != FORMULA_SLOT || slots);
		if (step->kind <= FORMULA_SLOT) {
			result = step->kind == FORMULA_SLOT ? slots[step->slot] : step->number;
		} else if (is_binary(step->kind)) {
			assert(depth >= 2);
			b = stack[--depth];
			a = stack[--depth];
			result = binary(step->kind, a, b);
		} else {
			assert(depth >= 1);
			a = stack[--depth];
			result = unary(step->kind, a);
		}
		if (!isfinite(result)) {
			result = NAN;
			if (fault) {
				*fault = step;
				*why = fault_of(step->kind, a, b);
				return NAN;
			}
		}
		assert(depth < STACK);
		stack[depth++] = result;
	}
	assert(depth == 1);
	return stack[0];
}

double formula_number(const struct formula *formula, const double *slots)
{
	return compute(formula, slots, NULL, NULL);
}

int formula_value(const char *text, const struct formula_scope *scope, double *value,
		  struct error *err)
{
	struct formula_step steps[FORMULA_LENGTH];
	struct formula formula = {steps, 0};
	const struct formula_step *fault = NULL;
	const char *why;
	if (formula_parse(text, scope, &formula, err) < 0)
		return -1;
	double result = compute(&formula, NULL, &fault, &why);
	if (fault)
		return error_set(err, ERR_USAGE, "at %d: %s", fault->at + 1, why);
	*value = result;
	return 0;
}

static int any_name(const void *context, struct span name, struct formula_step *step,
		    struct error *err)
{
	(void)context;
	(void)name;
	(void)err;
	step->number = 1;
	return 0;
}

int formula_check(const char *text, struct error *err)
{
	const struct formula_scope scope = {.name = any_name};
	struct formula_step steps[FORMULA_LENGTH];
	struct formula formula = {steps, 0};
	return formula_parse(text, &scope, &formula, err);
}
