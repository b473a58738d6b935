/* Ranks and intervals of a leaderboard. Expected intervals are those of
 * R: exp(t.test(log(base), log(x), conf.level = 1 - .05 / K)$conf.int). */
#include "unit/unit.h"

#include <math.h>

#include "model/statistics/trials/candidates.h"
#include "model/statistics/statistics.h"

static const double base[] = {100, 101, 99, 100.5, 99.5};

/* A candidate whose sessions do not differ. */
static struct candidate of(const char *name, const double *numbers, size_t count,
			   enum candidate_state state)
{
	double logs = 0;
	for (size_t i = 0; i < count; i++)
		logs += log(numbers[i]) / (double)count;
	return (struct candidate){.name = name,
				  .numbers = numbers,
				  .count = count,
				  .state = state,
				  .lowest = exp(logs),
				  .highest = exp(logs)};
}

START_TEST(one_candidate_has_welchs_interval)
{
	static const double fast[] = {80, 81, 79.5, 80.4};
	struct candidate one = of("fast", fast, 4, CANDIDATE_CONFIRMED);
	candidates_rank(base, 5, true, &one, 1);
	ck_assert_uint_eq(one.rank, 1);
	ck_assert_double_eq_tol(one.speedup, 1.246492, 1e-6);
	ck_assert_double_eq_tol(one.low, 1.230751, 1e-6);
	ck_assert_double_eq_tol(one.high, 1.262435, 1e-6);
	ck_assert_ptr_eq(candidates_best(&one, 1), &one);
	/* Its sessions differ by more than the gain. */
	one.lowest = 73;
	one.highest = 91;
	candidates_rank(base, 5, true, &one, 1);
	ck_assert_ptr_null(candidates_best(&one, 1));
	candidates_rank(base, 5, false, &one, 1);
	ck_assert_double_eq_tol(one.speedup, 1 / 1.246492, 1e-6);
	ck_assert_ptr_null(candidates_best(&one, 1));
}
END_TEST

START_TEST(ties_share_a_rank_and_the_unchecked_have_none)
{
	static const double fast[] = {80, 81, 79.5, 80.4}, alike[] = {80.5, 79.9, 81, 80.2},
			    slow[] = {103, 104, 102.5, 103.3}, once[] = {50};
	struct candidate list[] = {
		of("slow", slow, 4, CANDIDATE_CONFIRMED),
		of("cheat", once, 1, CANDIDATE_INCORRECT),
		of("alike", alike, 4, CANDIDATE_CONFIRMED),
		of("claims", fast, 4, CANDIDATE_UNVERIFIED),
		of("fast", fast, 4, CANDIDATE_CORRECT),
	};
	candidates_rank(base, 5, true, list, 5);
	static const char *const order[] = {"fast", "alike", "slow", "claims", "cheat"};
	static const size_t ranks[] = {1, 1, 3, 0, 0};
	for (size_t i = 0; i < 5; i++) {
		ck_assert_str_eq(list[i].name, order[i]);
		ck_assert_uint_eq(list[i].rank, ranks[i]);
	}
	ck_assert(isnan(list[4].low));
	/* "fast" leads, but was measured once. */
	ck_assert_str_eq(candidates_best(list, 5)->name, "alike");
}
END_TEST

START_TEST(what_is_unknown_has_no_rank)
{
	static const double once[] = {20}, ticks[] = {99, 99}, still[] = {100, 100};
	struct candidate list[] = {of("d", once, 1, CANDIDATE_CORRECT),
				   of("b", once, 1, CANDIDATE_CORRECT),
				   of("c", ticks, 2, CANDIDATE_CONFIRMED)};
	candidates_rank(still, 2, true, list, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(list[i].rank, 0);
	ck_assert_str_eq(list[0].name, "c");
	ck_assert_str_eq(list[1].name, "b");
	candidates_rank(NULL, 0, true, list, 3);
	ck_assert_str_eq(list[1].name, "b");
	ck_assert_str_eq(list[2].name, "d");
}
END_TEST

/* Of 100 equal candidates, the first must not count as an improvement more often than in 5 % of
 * boards. The numbers are a fixed sequence of a linear congruential generator. */
START_TEST(the_best_of_a_hundred_equal_ones_does_not_count)
{
	enum { TRIES = 100, NUMBERS = 5, BOARDS = 400 };
	uint32_t state = 1;
	int wrong = 0;
	for (int board = 0; board < BOARDS; board++) {
		double numbers[TRIES + 1][NUMBERS];
		struct candidate list[TRIES];
		for (size_t i = 0; i <= TRIES; i++)
			for (size_t k = 0; k < NUMBERS; k++) {
				state = state * 1664525 + 1013904223;
				double u = ((double)(state >> 8) + .5) / (1 << 24);
				numbers[i][k] = exp(.01 * normal_upper_inverse(u));
			}
		for (size_t i = 0; i < TRIES; i++)
			list[i] = of("equal", numbers[i + 1], NUMBERS, CANDIDATE_CONFIRMED);
		candidates_rank(numbers[0], NUMBERS, true, list, TRIES);
		wrong += candidates_best(list, TRIES) != NULL;
	}
	ck_assert_int_le(wrong, BOARDS * 5 / 100);
	ck_assert_int_ge(wrong, 1);
}
END_TEST

UNIT_MAIN("candidates", one_candidate_has_welchs_interval, what_is_unknown_has_no_rank,
	  ties_share_a_rank_and_the_unchecked_have_none,
	  the_best_of_a_hundred_equal_ones_does_not_count)
