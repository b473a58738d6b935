/* Formulas: values, faults with their position, limits, and numbers that are unknown. */
#include "unit/unit.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/formula/formula.h"

/* a = 2, b = 3, zero = 0, huge = 1e308. */
static int number_of(const void *context, struct span name, struct formula_step *step,
		     struct error *err)
{
	(void)context;
	static const struct {
		const char *name;
		double number;
	} rows[] = {{"a", 2}, {"b", 3}, {"zero", 0}, {"huge", 1e308}, {"min", 7}, {"e1", 10}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (span_is(name, rows[i].name)) {
			step->number = rows[i].number;
			return 0;
		}
	return error_set(err, ERR_USAGE, "unknown name \"%.*s\"", (int)name.len, name.ptr);
}

static const struct formula_scope scope = {.name = number_of};

START_TEST(formulas_are_computed)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
		{"1", 1},
		{" 1e6 ", 1e6},
		{"2.5E-1", 0.25},
		{".5", 0.5},
		{"1+2*3", 7},
		{"(1+2)*3", 9},
		{"10-4-3", 3},
		{"16/4/2", 2},
		{"2^3^2", 512},
		{"2**3", 8},
		{"2**-1", 0.5},
		{"-2^2", -4},
		{"(-2)^2", 4},
		{"--a", 2},
		{"+a", 2},
		{"a*b", 6},
		{"a *\tb", 6},
		{"2*e1", 20},
		{"min", 7},
		{"min(3, 1, 2)", 1},
		{"max(3, 1, 2, 4)", 4},
		{"max(-3)", -3},
		{"ceil(1.2) + floor(1.8)", 3},
		{"ceildiv(10, 3)", 4},
		{"ceildiv(9, b)", 3},
		{"ceildiv(a*b, 2+2)", 2},
		{"min (1, 2)", 1},
		{"((((((((((1))))))))))", 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error err = {ERR_NONE, ""};
		double value = NAN;
		ck_assert_msg(formula_value(rows[i].text, &scope, &value, &err) == 0, "%s: %s",
			      rows[i].text, err.text);
		ck_assert_msg(value == rows[i].value, "%s = %g", rows[i].text, value);
		ck_assert_int_eq(formula_check(rows[i].text, &err), 0);
	}
}
END_TEST

/* `syntax`: wrong whatever the names stand for. */
START_TEST(faults_are_named_with_their_place)
{
	static const struct {
		const char *text, *message;
		bool syntax;
	} rows[] = {
		{"", "at 1: the formula ends where a number is expected", true},
		{"1 +", "at 4: the formula ends where a number is expected", true},
		{"1 + * 2", "at 5: expected a number, a name or ( before \"*\"", true},
		{"(1 + 2", "at 7: expected )", true},
		{"1 2", "at 3: expected an operator or the end of the formula", true},
		{"a b", "at 3: expected an operator or the end of the formula", true},
		{"2a", "at 2: expected an operator between a number and a name", true},
		{"1.2.3", "at 1: not a valid number", true},
		{"1e999", "at 1: not a valid number", true},
		{"a % b", "at 3: expected an operator or the end of the formula", true},
		{"a ; b", "at 3: expected an operator or the end of the formula", true},
		{"\x01", "at 1: expected a number, a name or (", true},
		{"\xc3\xa9", "at 1: expected a number, a name or (", true},
		{"log(2)", "at 1: unknown function; available: min, max, ceil, floor, ceildiv",
		 true},
		{"ceil(1, 2)", "at 1: this function has too many arguments", true},
		{"1 + ceildiv(1)", "at 5: this function needs another argument", true},
		{"min(1", "at 6: expected ) or ,", true},
		{"min()", "at 5: expected a number, a name or ( before \")\"", true},
		{"2*q", "at 3: unknown name \"q\"", false},
		{"a/zero", "at 2: division by zero", false},
		{"1 + a / (b - 3)", "at 7: division by zero", false},
		{"ceildiv(1, zero)", "at 12: division by zero", false},
		{"zero^-1", "at 5: division by zero", false},
		{"huge*huge", "at 5: the result is not finite", false},
		{"huge+huge", "at 5: the result is not finite", false},
		{"(-2)^0.5", "at 5: the result is not finite", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error err = {ERR_NONE, ""};
		double value = -5;
		ck_assert_msg(formula_value(rows[i].text, &scope, &value, &err) < 0, "%s = %g",
			      rows[i].text, value);
		ck_assert_str_eq(err.text, rows[i].message);
		ck_assert(value == -5);
		ck_assert_msg((formula_check(rows[i].text, &err) < 0) == rows[i].syntax, "%s",
			      rows[i].text);
	}
}
END_TEST

START_TEST(deep_and_long_formulas_are_refused)
{
	static const char *const repeated[] = {"(", "-", "2^", "min(", "ceil(-"};
	for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++) {
		struct strbuf text = {0};
		struct error err;
		strbuf_repeat(&text, repeated[i], 300);
		strbuf_addstr(&text, "1");
		ck_assert_int_lt(formula_check(strbuf_text(&text), &err), 0);
		ck_assert_msg(strstr(err.text, "nested too deeply") != NULL, "%s", err.text);
		strbuf_free(&text);
	}
	struct strbuf text = {0};
	struct error err;
	strbuf_repeat(&text, "1+", 5000);
	ck_assert_int_lt(formula_check(strbuf_text(&text), &err), 0);
	ck_assert_ptr_nonnull(strstr(err.text, "longer than"));
	strbuf_free(&text);
}
END_TEST

/* Random texts of the grammar's own characters: either a finite number or a message, and what is
 * computed has passed the check. */
START_TEST(random_formulas_do_no_harm)
{
	static const char *const tokens[] = {
		"a",  "b", "zero", "huge", "1",    "2.5",   "1e9",      "+", "-", "*", "/",   "^",
		"**", "(", ")",    ",",    "min(", "ceil(", "ceildiv(", " ", "e", ".", "\xff"};
	enum { TOKENS = sizeof tokens / sizeof *tokens };
	unsigned state = 1;
	size_t computed = 0;
	for (int i = 0; i < 100000; i++) {
		struct strbuf text = {0};
		struct error err = {ERR_NONE, ""};
		double value;
		for (unsigned left = 1 + (unsigned)i % 9; left; left--) {
			state = state * 1664525u + 1013904223u;
			strbuf_addstr(&text, tokens[(state >> 8) % TOKENS]);
		}
		if (formula_value(strbuf_text(&text), &scope, &value, &err) == 0) {
			computed++;
			ck_assert_msg(isfinite(value), "%s", strbuf_text(&text));
			ck_assert_int_eq(formula_check(strbuf_text(&text), &err), 0);
		} else {
			ck_assert(err.text[0]);
		}
		strbuf_free(&text);
	}
	ck_assert_uint_gt(computed, 1000);
}
END_TEST

/* x = 2, y = 0, z = -3, u and v are unknown. */
static int slot_of(const void *context, struct span name, struct formula_step *step,
		   struct error *err)
{
	(void)context;
	(void)err;
	step->kind = FORMULA_SLOT;
	step->slot = (size_t)(strchr("xyzuv", name.ptr[0]) - "xyzuv");
	return 0;
}

START_TEST(what_needs_an_unknown_number_is_unknown)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
		{"x", 2},
		{"u", NAN},
		{"-u", NAN},
		{"x + u", NAN},
		{"0 * u", NAN},
		{"u ^ 0", NAN},
		{"1 ^ u", NAN},
		{"min(1, u)", NAN},
		{"max(u, 1)", NAN},
		{"ceil(u)", NAN},
		{"x / y", NAN},
		{"ceildiv(x, y)", NAN},
		{"1 / (x / y)", NAN},
		{"1e308 * 10", NAN},
		{"1 / (1e308 * 10)", NAN},
		{"coalesce(u, x)", 2},
		{"coalesce(x, u)", 2},
		{"coalesce(u, v, y, x)", 0},
		{"coalesce(u, v)", NAN},
		{"coalesce(x / y, 7)", 7},
		{"max_known(u, z, v, x, y)", 2},
		{"max_known(u, z)", -3},
		{"max_known(u, v)", NAN},
		{"positive(x)", 2},
		{"positive(y)", NAN},
		{"positive(z)", NAN},
		{"positive(u)", NAN},
	};
	const double slots[] = {2, 0, -3, NAN, NAN};
	const struct formula_scope unknowns = {.name = slot_of, .unknowns = true};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct formula_step steps[64];
		struct formula formula = {steps, 0};
		struct error err;
		ck_assert_msg(formula_parse(rows[i].text, &unknowns, &formula, &err) == 0, "%s: %s",
			      rows[i].text, err.text);
		double value = formula_number(&formula, slots);
		ck_assert_msg(isnan(rows[i].value) ? isnan(value) : value == rows[i].value,
			      "%s = %g", rows[i].text, value);
	}
}
END_TEST

UNIT_MAIN("formula", formulas_are_computed, faults_are_named_with_their_place,
	  deep_and_long_formulas_are_refused, random_formulas_do_no_harm,
	  what_needs_an_unknown_number_is_unknown)
