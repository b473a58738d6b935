/* One commit against the record before it: verdicts of made-up records whose answer is plain. */
#include "model/judge.h"

#include <math.h>
#include <string.h>

#include "unit/unit.h"

enum { RECORD = 30 };

/* A record around 100 whose commits differ by `noise`, in a fixed pattern without a trend. */
static void make(double *record, size_t count, double noise)
{
	static const double pattern[] = {0.3, -1.1, 0.8, -0.2, 1.4, -0.7,
					 0.1, -1.6, 1.0, 0.0,  -0.4};
	for (size_t i = 0; i < count; i++)
		record[i] = 100 * (1 + noise * pattern[i * 7 % 11]);
}

static const struct {
	double noise;
	size_t count;
	double candidate[5];
	size_t repeats;
	enum judge_verdict verdict;
} cases[] = {
	{0.01, 30, {100}, 1, JUDGE_UNCHANGED},
	{0.01, 30, {110}, 1, JUDGE_REGRESSED},
	{0.01, 30, {90}, 1, JUDGE_IMPROVED},
	{0.02, 30, {103}, 1, JUDGE_UNDECIDED},
	{0.01, 30, {110, 111, 109}, 3, JUDGE_REGRESSED},
	/* Repeats that disagree about the code are no evidence. */
	{0.001, 30, {103, 100, 100, 103, 100}, 5, JUDGE_UNCHANGED},
	/* Too little on record, and nothing. */
	{0.01, 7, {150}, 1, JUDGE_UNDECIDED},
	{0.01, 0, {150}, 1, JUDGE_UNDECIDED},
	/* As slow as one in twenty on record is nothing new; below what is worth a word neither. */
	{0.0001, 30, {100.5}, 1, JUDGE_UNCHANGED},
	{0.05, 30, {104}, 1, JUDGE_UNDECIDED},
	{0.2, 30, {100}, 1, JUDGE_UNDECIDED},
};

static struct judge_result judged(struct arena *arena, size_t i)
{
	struct judge_options options = judge_defaults();
	double record[RECORD];
	make(record, cases[i].count, cases[i].noise);
	return judge(arena, record, cases[i].count, cases[i].candidate, cases[i].repeats, &options);
}

START_TEST(verdicts)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct judge_result result = judged(&arena, i);
		ck_assert_msg(result.verdict == cases[i].verdict, "case %zu: %s, p %g, effect %g",
			      i, judge_name(result.verdict), result.p, result.effect);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(numbers_behind_a_verdict)
{
	struct arena arena = {0};
	struct judge_result result = judged(&arena, 1);
	ck_assert_double_eq_tol(result.effect, 0.1, 0.01);
	ck_assert(result.low < result.effect && result.effect < result.high);
	ck_assert(result.p < 0.01 && result.p_faster > 0.99);
	ck_assert(result.detectable > 0.01 && result.detectable < 0.06);
	ck_assert_double_eq_tol(result.p + result.p_faster, 1, 1e-9);
	ck_assert_uint_eq(result.count, 30);
	arena_free(&arena);
}
END_TEST

/* One spike on record does not hide a regression, however high it was. */
START_TEST(a_spike_hides_nothing)
{
	struct arena arena = {0};
	struct judge_options options = judge_defaults();
	double record[RECORD], candidate = 108;
	make(record, RECORD, 0.01);
	record[12] = 150;
	ck_assert_int_eq(judge(&arena, record, RECORD, &candidate, 1, &options).verdict,
			 JUDGE_REGRESSED);
	options.seen_before = 0;
	ck_assert_int_eq(judge(&arena, record, RECORD, &candidate, 1, &options).verdict,
			 JUDGE_UNDECIDED);
	arena_free(&arena);
}
END_TEST

/* The newest commits count, and only so many of them. */
START_TEST(old_commits_are_forgotten)
{
	struct arena arena = {0};
	struct judge_options options = judge_defaults();
	double record[RECORD + 60], candidate = 100;
	make(record, RECORD, 0.01);
	for (size_t i = 0; i < RECORD; i++)
		record[i] *= 2;
	make(record + RECORD, 60, 0.01);
	struct judge_result result = judge(&arena, record, RECORD + 60, &candidate, 1, &options);
	ck_assert_uint_eq(result.count, 60);
	ck_assert_int_eq(result.verdict, JUDGE_UNCHANGED);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("judge", verdicts, numbers_behind_a_verdict, a_spike_hides_nothing,
	  old_commits_are_forgotten)
