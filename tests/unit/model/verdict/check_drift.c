/* Levels that drift, and levels that only seem to. */
#include "model/verdict/drift.h"

#include <math.h>
#include <string.h>

#include "model/changepoint/detect.h"
#include "model/statistics/median.h"
#include "unit/unit.h"

enum { COUNT = 120 };

/* Around 100, commits differing by 1 %, without a trend of its own. */
static void make(double *values, size_t count)
{
	static const double pattern[] = {0.3, -1.1, 0.8, -0.2, 1.4, -0.7,
					 0.1, -1.6, 1.0, 0.0,  -0.4};
	for (size_t i = 0; i < count; i++)
		values[i] = 100 * (1 + 0.01 * pattern[i * 7 % 11]);
}

static struct drift_result ask(const double *values, size_t count, enum drift_reference to)
{
	struct arena arena = {0};
	struct drift_options options = drift_defaults(to);
	struct drift_series series = {.values = values, .count = count};
	struct drift_result result = drift_measure(&arena, &series, &options);
	arena_free(&arena);
	return result;
}

/* Half a percent, half of what commits differ by, after every tenth commit. */
static void make_drift(double *values)
{
	make(values, COUNT);
	for (size_t i = 0; i < COUNT; i++)
		values[i] *= i < 20 ? 1 : pow(1.005, (double)(i / 10 - 1));
}

START_TEST(small_steps_add_up)
{
	double values[COUNT];
	make_drift(values);
	for (enum drift_reference to = DRIFT_RELEASE; to <= DRIFT_BEST; to++) {
		struct drift_options options = drift_defaults(to);
		struct drift_series series = {.values = values, .count = COUNT};
		struct drift_result r = ask(values, COUNT, to);
		ck_assert(r.judged && r.flagged);
		ck_assert_double_eq_tol(r.reference, 100, 1);
		ck_assert_double_eq_tol(r.drift, pow(1.005, 10) - 1, 0.01);
		ck_assert(r.low < r.drift && r.drift < r.high && r.low > 0);
		ck_assert_uint_eq(r.current_from, COUNT - 10);
		ck_assert_uint_eq(r.current_to, COUNT);
		ck_assert_uint_eq(r.reference_to - r.reference_from, to == DRIFT_BEST ? 10 : 20);
		/* Windows from 0, 5 .. 100. */
		ck_assert_uint_eq(r.windows, to == DRIFT_BEST ? 21 : 1);
		size_t since = drift_since(&series, &options);
		ck_assert(since > 30 && since < COUNT - 20);
		ck_assert(ask(values, since + 1, to).flagged && !ask(values, since, to).flagged);
	}
}
END_TEST

START_TEST(what_is_not_a_drift)
{
	double values[COUNT];
	struct drift_options options = drift_defaults(DRIFT_RELEASE);
	struct drift_series series = {.values = values, .count = COUNT};
	make(values, COUNT);
	ck_assert_uint_eq(drift_since(&series, &options), COUNT);
	for (size_t i = 0; i < COUNT; i++) /* getting better */
		values[i] *= pow(0.995, (double)(i / 10));
	ck_assert(!ask(values, COUNT, DRIFT_RELEASE).flagged);
	ck_assert(!ask(values, COUNT, DRIFT_BEST).flagged);
	ck_assert_double_lt(ask(values, COUNT, DRIFT_RELEASE).drift, -0.03);
	/* Two stretches of slow commits among the newest ten move their mean without being a
	 * segment. */
	make(values, COUNT);
	for (size_t i = COUNT - 9; i < COUNT; i++)
		values[i] *= i % 4 == 3 ? 1 : 1.1;
	struct drift_result r = ask(values, COUNT, DRIFT_RELEASE);
	ck_assert_double_lt(r.p, options.alpha);
	ck_assert(!r.flagged);
	/* Sure, and too small for a word. */
	for (size_t i = 0; i < COUNT; i++)
		values[i] = i < 60 ? 100 : 100.4;
	r = ask(values, COUNT, DRIFT_RELEASE);
	ck_assert(r.p < 1e-6 && !r.flagged);
	values[0] = 99.9;
	for (size_t i = 60; i < COUNT; i++)
		values[i] = 100.6;
	ck_assert(ask(values, COUNT, DRIFT_RELEASE).flagged);
}
END_TEST

/* Noise that follows itself is more than neighbours show. */
START_TEST(following_noise)
{
	double alone[COUNT], following[COUNT];
	unsigned state = 1;
	for (size_t i = 0; i < COUNT; i++) {
		state = state * 1103515245u + 12345u;
		alone[i] = 100 + (state >> 20 & 1 ? 0.8 : -0.8) + (i % 3 == 0 ? 0.3 : 0);
		following[i] = 100 + (i / 4 % 2 ? 0.8 : -0.8) + (i % 3 == 0 ? 0.3 : 0);
	}
	for (size_t i = COUNT - 10; i < COUNT; i++) {
		alone[i] *= 1.02;
		following[i] *= 1.02;
	}
	struct drift_result a = ask(alone, COUNT, DRIFT_RELEASE);
	struct drift_result b = ask(following, COUNT, DRIFT_RELEASE);
	ck_assert_double_lt(a.correlation, 0.3);
	ck_assert_double_gt(b.correlation, 0.35);
	struct arena arena = {0};
	double logs[COUNT];
	for (size_t i = 0; i < COUNT; i++)
		logs[i] = log(following[i]);
	ck_assert_double_eq_tol(b.scale, noise_measure(&arena, logs, COUNT) / (1 - b.correlation),
				1e-12);
	arena_free(&arena);
}
END_TEST

/* How many commits it takes, where the reference starts, and what a change of level leaves. */
START_TEST(commits_that_are_compared)
{
	static const struct {
		size_t count, pinned, level_at, missing, reference_from, current_from;
	} rows[] = {
		{0, 0, 0, 24, 0, 0},       {23, 0, 0, 1, 0, 0},        {24, 0, 0, 0, 0, 20},
		{30, 0, 0, 0, 0, 20},      {120, 0, 0, 0, 0, 110},     {120, 50, 0, 0, 50, 110},
		{120, 96, 0, 0, 96, 116},  {120, 97, 0, 1, 0, 0},      {120, 130, 0, 24, 0, 0},
		{120, 0, 115, 0, 0, 115},  {120, 50, 116, 0, 50, 116}, {120, 50, 118, 0, 50, 110},
		{120, 50, 60, 0, 50, 110},
	};
	double values[COUNT];
	make(values, COUNT);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct drift_options options = drift_defaults(DRIFT_RELEASE);
		struct drift_series series = {values, rows[i].count, rows[i].pinned,
					      rows[i].level_at};
		struct drift_result r = drift_measure(&arena, &series, &options);
		ck_assert_msg(r.missing_commits == rows[i].missing, "row %zu: %zu", i,
			      r.missing_commits);
		ck_assert_int_eq(r.judged, rows[i].missing == 0);
		if (r.judged) {
			ck_assert_uint_eq(r.reference_from, rows[i].reference_from);
			ck_assert_msg(r.current_from == rows[i].current_from, "row %zu: %zu", i,
				      r.current_from);
		} else {
			ck_assert(isnan(r.p) && isnan(r.drift) && !r.flagged);
		}
		arena_free(&arena);
	}
}
END_TEST

/* Without ratios: differences against the size of the reference, which 0 has none of. */
START_TEST(values_without_ratios)
{
	double values[COUNT];
	for (size_t i = 0; i < COUNT; i++)
		values[i] = (i < 60 ? -100 : -90) + (double)(i * 7 % 11) / 10;
	struct drift_result r = ask(values, COUNT, DRIFT_RELEASE);
	ck_assert(r.flagged);
	ck_assert_double_eq_tol(r.drift, 0.1, 0.01);
	ck_assert_double_eq_tol(r.reference, -99.5, 0.2);
	for (size_t i = 0; i < COUNT; i++)
		values[i] = i < 60 ? 0 : 3;
	r = ask(values, COUNT, DRIFT_BEST);
	ck_assert(r.flagged && isnan(r.drift));
	ck_assert_double_eq(r.current, 3);
	for (size_t i = 0; i < COUNT; i++)
		values[i] = 0;
	r = ask(values, COUNT, DRIFT_RELEASE);
	ck_assert(r.judged && !r.flagged);
}
END_TEST

static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

/* Noise of some size with slow drift, and values that lie far out. */
static void make_random(uint64_t *seed, double *values, size_t count)
{
	double noise = 0.05 * uniform(seed), drift = 0.3 * (uniform(seed) - 0.3);
	double spikes = 0.1 * uniform(seed), level = uniform(seed) < 0.1 ? 0.03 : 5;
	for (size_t i = 0; i < count; i++) {
		double error = uniform(seed) + uniform(seed) + uniform(seed) - 1.5;
		values[i] =
			level * (1 + drift * (double)i / (double)count) * exp(2 * noise * error);
		values[i] *= uniform(seed) < spikes ? 1 + 2 * (uniform(seed) - 0.3) : 1;
		values[i] -= level < 1 ? 0.01 : 0;
	}
}

/* The best level, with every window measured. */
static double plain_best(struct arena *arena, const double *values, const struct drift_result *r)
{
	double x[COUNT], best = HUGE_VAL;
	for (size_t i = 0; i < COUNT; i++)
		x[i] = log(values[i]);
	double limit = 2 * noise_measure(arena, x, COUNT);
	for (size_t from = 0; from + 10 <= r->current_from; from += 5) {
		double copy[10], sum = 0;
		memcpy(copy, x + from, sizeof copy);
		double middle = median_in_place(copy, 10);
		for (size_t i = from; i < from + 10; i++)
			sum += noise_clip(x[i] - middle, limit);
		best = fmin(best, middle + sum / 10);
	}
	return exp(best);
}

START_TEST(what_is_left_out_changes_nothing)
{
	uint64_t seed = 11;
	size_t flagged = 0, positive = 0;
	for (int round = 0; round < 600; round++) {
		struct arena arena = {0};
		double values[COUNT], low = HUGE_VAL;
		make_random(&seed, values, COUNT);
		struct drift_series series = {.values = values, .count = COUNT};
		struct drift_options options = drift_defaults((enum drift_reference)(round % 2));
		options.least_effect = 0.1 * uniform(&seed);
		struct drift_result all = drift_measure(&arena, &series, &options);
		options.brief = true;
		struct drift_result brief = drift_measure(&arena, &series, &options);
		ck_assert_int_eq(brief.flagged, all.flagged);
		flagged += all.flagged;
		if (all.flagged)
			ck_assert(brief.p == all.p && brief.low == all.low);
		for (size_t i = 0; i < COUNT; i++)
			low = fmin(low, values[i]);
		if (options.to == DRIFT_BEST && low > 0) {
			positive++;
			ck_assert_double_eq(all.reference, plain_best(&arena, values, &all));
		}
		arena_free(&arena);
	}
	ck_assert(flagged > 50 && flagged < 400 && positive > 100);
}
END_TEST

UNIT_MAIN("drift", small_steps_add_up, what_is_left_out_changes_nothing, what_is_not_a_drift,
	  following_noise, commits_that_are_compared, values_without_ratios)
