/* The detector: what it must find, what it must not, and that scale, direction and sign of the
 * values change nothing that they should not. */
#include "model/changepoint/detect.h"
#include "model/statistics/median.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "unit/unit.h"

enum { LENGTH = 120 };

/* Normal numbers of our own, the same everywhere. */
static double uniform(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15u;
	uint64_t z = *state;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return ((double)((z ^ z >> 31) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
	double a = uniform(state), b = uniform(state);
	return sqrt(-2 * log(a)) * cos(6.283185307179586 * b);
}

/* Around `level` with relative noise; from `at` on `factor` times that. */
static void make(double *x, size_t n, double noise, size_t at, double factor, uint64_t seed)
{
	for (size_t i = 0; i < n; i++)
		x[i] = 100 * (1 + noise * normal(&seed)) * (i >= at ? factor : 1);
}

static struct detect_result found(struct arena *arena, const double *x, size_t n)
{
	struct detect_options options = detect_defaults();
	return detect_changes(arena, x, n, &options);
}

static const struct {
	double noise, factor;
	size_t at;
} steps[] = {
	{0.01, 1.1, 60}, {0.01, 0.9, 60}, {0.002, 1.02, 20}, {0.05, 1.5, 100},
	{0.01, 2, 4},    {0, 1.01, 30},   {0.01, 1.1, 115},
};

START_TEST(steps_are_found_where_they_are)
{
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		for (uint64_t seed = 1; seed <= 20; seed++) {
			struct arena arena = {0};
			double x[LENGTH];
			make(x, LENGTH, steps[i].noise, steps[i].at, steps[i].factor, seed);
			struct detect_result result = found(&arena, x, LENGTH);
			ck_assert_msg(result.count >= 1, "step %zu, seed %d", i, (int)seed);
			const struct detect_change *one = &result.changes[0];
			for (size_t k = 1; k < result.count; k++)
				if (result.changes[k].p < one->p)
					one = &result.changes[k];
			ck_assert_msg(labs((long)one->index - (long)steps[i].at) <= 1,
				      "step %zu, seed %d: at %zu", i, (int)seed, one->index);
			ck_assert(one->low <= steps[i].factor - 1 + 0.05 &&
				  one->high >= steps[i].factor - 1 - 0.05);
			ck_assert((one->effect > 0) == (steps[i].factor > 1));
			arena_free(&arena);
		}
}
END_TEST

/* One far value does not move a step of 50 %, not even one at the other level, unless it is
 * next to the step: there it is not known to which side it belongs. */
START_TEST(a_far_value_does_not_move_a_step)
{
	enum { OLD = 9, NEW = 7 };
	static const double far[] = {100, 110, 124, 55, 190, 150, 2750};
	for (size_t i = 0; i < sizeof far / sizeof *far; i++)
		for (size_t at = 0; at <= OLD + NEW; at += at == OLD - 2 ? 4 : 1)
			for (uint64_t seed = 1; seed <= 10; seed++) {
				struct arena arena = {0};
				double x[OLD + NEW + 1];
				size_t step = at < OLD ? OLD + 1 : OLD;
				make(x, OLD + NEW, 0.003, OLD, 1.5, seed);
				memmove(x + at + 1, x + at, (OLD + NEW - at) * sizeof *x);
				x[at] = far[i];
				struct detect_result result = found(&arena, x, OLD + NEW + 1);
				ck_assert_uint_eq(result.count, 1);
				ck_assert_msg(result.changes[0].index == step,
					      "%g at %zu, seed %d: a step at %zu instead of %zu",
					      far[i], at, (int)seed, result.changes[0].index, step);
				arena_free(&arena);
			}
}
END_TEST

/* A value two widths below the old level is a hundred widths from the new one. */
START_TEST(the_nearer_level_has_the_value)
{
	static const double x[] = {1.002, 0.998, 1.015, 1.001, 0.995, 1.004,
				   0.984, 1.404, 1.396, 1.400, 1.391, 1.409};
	struct arena arena = {0};
	struct detect_result result = found(&arena, x, sizeof x / sizeof *x);
	ck_assert_uint_eq(result.count, 1);
	ck_assert_uint_eq(result.changes[0].index, 7);
	arena_free(&arena);
}
END_TEST

/* A value between both levels, which the likelihood leaves open by less than nine to one. */
START_TEST(the_likelier_of_two_neighbours_has_the_step)
{
	static const double percent[] = {
		.43,   .51,   .45,   -.28,  .92,   -.48,  .26,   -.75,  -.08,  .13,   -.09,  0,
		-.49,  .38,   .05,   -.95,  6.02,  19.39, 18.82, 19.39, 20.09, 19.76, 20.12, 19.56,
		18.95, 19.82, 20.96, 19.73, 19.29, 20.41, 20.26, 19.67, 19.83, 19.43, 19.55, 20.17};
	enum { COUNT = sizeof percent / sizeof *percent, STEP = 17 };
	struct arena arena = {0};
	double x[COUNT];
	for (size_t i = 0; i < COUNT; i++)
		x[i] = 100 + percent[i];
	struct detect_result result = found(&arena, x, COUNT);
	ck_assert_uint_eq(result.count, 1);
	ck_assert_uint_eq(result.changes[0].index, STEP);
	arena_free(&arena);
}
END_TEST

START_TEST(noise_is_no_change)
{
	size_t false_alarms = 0;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct arena arena = {0};
		double x[LENGTH];
		make(x, LENGTH, 0.01, LENGTH, 1, 1000 + seed);
		false_alarms += found(&arena, x, LENGTH).count;
		arena_free(&arena);
	}
	ck_assert_uint_le(false_alarms, 4);
}
END_TEST

START_TEST(spikes_are_no_change)
{
	for (size_t width = 1; width <= 3; width++)
		for (size_t at = 10; at + width <= LENGTH; at += 11) {
			struct arena arena = {0};
			double x[LENGTH];
			make(x, LENGTH, 0.01, LENGTH, 1, 7);
			for (size_t i = at; i < at + width; i++)
				x[i] *= 1.3;
			ck_assert_msg(found(&arena, x, LENGTH).count == 0, "%zu from %zu", width,
				      at);
			arena_free(&arena);
		}
}
END_TEST

START_TEST(edges)
{
	struct arena arena = {0};
	double same[LENGTH], two[] = {1, 2}, mixed[LENGTH], zero[LENGTH] = {0};
	for (size_t i = 0; i < LENGTH; i++) {
		same[i] = 5;
		mixed[i] = (i >= 60 ? 3 : -3) + 0.01 * (double)(i % 5);
	}
	ck_assert_uint_eq(found(&arena, NULL, 0).count, 0);
	ck_assert_uint_eq(found(&arena, two, 1).count, 0);
	ck_assert_uint_eq(found(&arena, two, 2).count, 0);
	ck_assert_uint_eq(found(&arena, same, LENGTH).count, 0);
	ck_assert_uint_eq(found(&arena, zero, LENGTH).count, 0);
	struct detect_result result = found(&arena, mixed, LENGTH);
	ck_assert(!result.relative);
	ck_assert_uint_eq(result.count, 1);
	ck_assert_uint_eq(result.changes[0].index, 60);
	ck_assert_double_eq_tol(result.changes[0].effect, 6, 0.1);
	arena_free(&arena);
}
END_TEST

/* A change is confirmed when five commits came after it, and suspected after two. */
START_TEST(a_change_needs_commits_after_it)
{
	struct arena arena = {0};
	struct detect_options suspects = detect_suspects();
	double x[LENGTH];
	make(x, LENGTH, 0.01, 50, 1.2, 3);
	for (size_t after = 1; after <= 8; after++) {
		ck_assert_uint_eq(found(&arena, x, 50 + after).count, after >= 5);
		ck_assert_uint_eq(detect_changes(&arena, x, 50 + after, &suspects).count,
				  after >= 2);
	}
	arena_free(&arena);
}
END_TEST

START_TEST(units_change_nothing)
{
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct arena arena = {0};
		double x[LENGTH], scaled[LENGTH];
		make(x, LENGTH, 0.02, 40 + seed, seed % 2 ? 1.07 : 0.95, seed);
		for (size_t i = 0; i < LENGTH; i++)
			scaled[i] = x[i] * 1e-9;
		struct detect_result a = found(&arena, x, LENGTH);
		struct detect_result b = found(&arena, scaled, LENGTH);
		ck_assert_uint_eq(a.count, b.count);
		for (size_t i = 0; i < a.count; i++) {
			ck_assert_uint_eq(a.changes[i].index, b.changes[i].index);
			ck_assert_double_eq_tol(a.changes[i].effect, b.changes[i].effect, 1e-9);
		}
		arena_free(&arena);
	}
}
END_TEST

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

START_TEST(medians)
{
	uint64_t seed = 1;
	enum { MOST = 1500 };
	for (size_t n = 1; n <= MOST; n += n < 200 ? 1 : 37) {
		double x[MOST], sorted[MOST];
		for (size_t i = 0; i < n; i++)
			x[i] = sorted[i] = floor(uniform(&seed) * (double)(n % 7 ? 1000 : 5));
		qsort(sorted, n, sizeof *sorted, by_value);
		double middle = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
		ck_assert_double_eq(median_in_place(x, n), middle);
	}
}
END_TEST

/* Few values far away, or nearly all of them alike. */
START_TEST(medians_beside_spikes)
{
	uint64_t seed = 2;
	enum { LONGEST = 90 };
	for (size_t n = 1; n <= LONGEST; n++)
		for (int shape = 0; shape < 4; shape++) {
			double x[LONGEST], sorted[LONGEST];
			for (size_t i = 0; i < n; i++) {
				double value = uniform(&seed), scale = i % 9 ? 1e-9 : 1e300;
				x[i] = sorted[i] = shape == 0   ? value * scale
						   : shape == 1 ? -value * scale
						   : shape == 2 ? 7
								: 1 + floor(value * 3) * 1e-15;
			}
			qsort(sorted, n, sizeof *sorted, by_value);
			double low = sorted[(n - 1) / 2], high = sorted[n / 2];
			double middle = n % 2 ? high : (low + high) / 2;
			ck_assert_double_eq(median_in_place(x, n), middle);
		}
}
END_TEST

START_TEST(sorting)
{
	uint64_t seed = 3;
	enum { LONGEST = 700 };
	for (size_t n = 0; n <= LONGEST; n += n < 150 ? 1 : 50) {
		struct arena arena = {0};
		double x[LONGEST + 1], sorted[LONGEST + 1];
		for (size_t i = 0; i < n; i++)
			x[i] = sorted[i] = floor(uniform(&seed) * (double)(n % 5 ? 1000 : 4));
		if (n)
			qsort(sorted, n, sizeof *sorted, by_value);
		noise_sort(&arena, x, n);
		for (size_t i = 0; i < n; i++)
			ck_assert_double_eq(x[i], sorted[i]);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(repeats_of_a_commit)
{
	struct arena arena = {0};
	const double few[] = {1, 2, 90}, many[] = {1, 2, 3, 4, 1000};
	ck_assert_double_eq(noise_location(&arena, few, 1), 1);
	ck_assert_double_eq(noise_location(&arena, few, 3), 2);
	/* The median of 1 1.5 2 2 2.5 2.5 3 3 3.5 4 500.5 ... */
	ck_assert_double_eq(noise_location(&arena, many, 5), 3);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("detect", steps_are_found_where_they_are, a_far_value_does_not_move_a_step,
	  the_nearer_level_has_the_value, the_likelier_of_two_neighbours_has_the_step,
	  noise_is_no_change, spikes_are_no_change, edges, a_change_needs_commits_after_it,
	  units_change_nothing, medians, medians_beside_spikes, sorting, repeats_of_a_commit)
