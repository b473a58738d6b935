/* The order of the processes of a session, and what their pairs show. Expected figures are R's:
 * wilcox.test(x, mu = 0, conf.int = TRUE, exact = TRUE) of the log ratios. */
#include "unit/unit.h"

#include <math.h>

#include "model/statistics/trials/paired.h"

START_TEST(the_order_is_abba_baab_with_controls)
{
	char order[49];
	for (size_t i = 0; i < 48; i++) {
		struct paired_slot slot = paired_slot(i);
		order[i] = slot.control ? '-' : slot.side == PAIRED_BASE ? 'A' : 'B';
	}
	order[48] = '\0';
	ck_assert_str_eq(order, "ABBABA--ABABBA--BAABAB--BABAAB--ABBABA--ABABBA--");
}
END_TEST

START_TEST(looks_end_with_a_control)
{
	size_t pairs = 0, looks = 0;
	while (paired_next_look(pairs)) {
		pairs = paired_next_look(pairs);
		ck_assert_uint_eq(paired_slots(pairs) % 8, 0);
		ck_assert_uint_eq(paired_slots(pairs) / 8 * 3, pairs);
		looks++;
	}
	ck_assert_uint_eq(looks, 7);
	ck_assert_uint_eq(pairs, 36);
}
END_TEST

/* Values of a session in which the pairs have these log ratios, and the controls this one. */
static double *session(struct arena *arena, const double *ratios, size_t pairs, double control)
{
	size_t slots = paired_slots(pairs), at = 0;
	double *values = arena_array(arena, slots, sizeof *values);
	for (size_t i = 0; i < slots; i += 2) {
		struct paired_slot slot = paired_slot(i);
		double ratio = slot.control ? control : ratios[at++];
		bool reversed = slot.side == PAIRED_CANDIDATE;
		values[i + reversed] = exp(-ratio / 2);
		values[i + !reversed] = exp(ratio / 2);
	}
	return values;
}

static const double nine[] = {.051, .048, .055, .049, .062, .037, .0501, .0449, .058};

START_TEST(a_difference_that_all_pairs_show)
{
	struct arena arena = {0};
	const struct paired_rule rule = {.01, 1};
	const double *values = session(&arena, nine, 9, .002);
	struct paired_result found = paired_judge(&arena, values, 24, &rule);
	ck_assert_int_eq(found.verdict, PAIRED_HIGHER);
	ck_assert_uint_eq(found.pairs, 9);
	ck_assert_uint_eq(found.controls, 3);
	ck_assert_double_eq_tol(found.p, 2.0 / 512, 1e-12);
	ck_assert_double_eq_tol(log1p(found.effect), .0501, 1e-12);
	ck_assert_double_eq_tol(log1p(found.low), .0440, 1e-12);
	ck_assert_double_eq_tol(log1p(found.high), .0565, 1e-12);
	ck_assert_double_eq_tol(log1p(found.control), .002, 1e-12);
	/* Nothing is judged between the looks, or with a share for each of two series. */
	ck_assert_int_eq(paired_judge(&arena, values, 22, &rule).verdict, PAIRED_UNCLEAR);
	const struct paired_rule two = {.01, 2};
	ck_assert_int_eq(paired_judge(&arena, values, 24, &two).verdict, PAIRED_UNCLEAR);
	/* The control moved as far. */
	values = session(&arena, nine, 9, -.06);
	ck_assert_int_eq(paired_judge(&arena, values, 24, &rule).verdict, PAIRED_UNFIT);
	arena_free(&arena);
}
END_TEST

START_TEST(no_difference_and_not_enough)
{
	static const double small[] = {.001, -.002,  .0015, .0005, -.001,
				       .002, -.0005, .0012, -.003};
	static const double wide[] = {.031, -.022, .015, .025, -.01, .052, -.035, .012, -.03};
	static const double none[9] = {0};
	struct arena arena = {0};
	const struct paired_rule rule = {.01, 1};
	struct paired_result found = paired_judge(&arena, session(&arena, small, 9, 0), 24, &rule);
	ck_assert_int_eq(found.verdict, PAIRED_SAME);
	ck_assert_double_gt(found.p, .5);
	found = paired_judge(&arena, session(&arena, none, 9, 0), 24, &rule);
	ck_assert_int_eq(found.verdict, PAIRED_SAME);
	ck_assert_double_eq(found.effect, 0);
	ck_assert_double_eq(found.p, 1);
	found = paired_judge(&arena, session(&arena, wide, 9, 0), 24, &rule);
	ck_assert_int_eq(found.verdict, PAIRED_UNCLEAR);
	ck_assert_double_ge(found.more, 1);
	arena_free(&arena);
}
END_TEST

START_TEST(ties_share_their_ranks)
{
	/* Base and candidate of each pair: three changes alike, one opposite to them, one twice as
	 * large; with mid-ranks 2.5 and 5. The order is AB BA BA, a control, AB AB. */
	static const double values[] = {100, 101, 101, 100, 101, 100, 7, 7, 101, 100, 100, 102};
	struct arena arena = {0};
	const struct paired_rule rule = {.01, 1};
	struct paired_result found = paired_judge(&arena, values, 12, &rule);
	ck_assert_uint_eq(found.pairs, 5);
	ck_assert_uint_eq(found.controls, 1);
	/* 2.5 or less: none negative, or one of the four equal ones: 5 of 32. */
	ck_assert_double_eq_tol(found.p, 2 * 5.0 / 32, 1e-12);
	ck_assert(isnan(found.low));
	arena_free(&arena);
}
END_TEST

START_TEST(what_is_missing_takes_its_pair_along)
{
	struct arena arena = {0};
	const struct paired_rule rule = {.01, 1};
	double *values = session(&arena, nine, 9, .002);
	values[1] = NAN;
	values[6] = 0;
	struct paired_result found = paired_judge(&arena, values, 24, &rule);
	ck_assert_uint_eq(found.pairs, 8);
	ck_assert_uint_eq(found.controls, 2);
	found = paired_judge(&arena, values, 0, &rule);
	ck_assert_uint_eq(found.pairs, 0);
	ck_assert(isnan(found.effect) && isnan(found.p));
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("paired", the_order_is_abba_baab_with_controls, looks_end_with_a_control,
	  a_difference_that_all_pairs_show, no_difference_and_not_enough, ties_share_their_ranks,
	  what_is_missing_takes_its_pair_along)
