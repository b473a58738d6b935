/* Whether times depend on the size: noise, trends, steps, patterns, ties, and how often noise alone
 * is taken for a dependence. */
#include "model/sizing/sizing.h"

#include <math.h>

#include "model/statistics/statistics.h"

#include "unit/unit.h"

enum { count = 64 };

static double random_of(unsigned *state)
{
	double sum = 0;
	for (int i = 0; i < 12; i++) {
		*state = *state * 1664525u + 1013904223u;
		sum += (double)(*state >> 8) / (1u << 24);
	}
	return sum - 6;
}

static double noise_only(size_t i, double noise)
{
	(void)i;
	return 1 + 0.01 * noise;
}
static double trend(size_t i, double noise)
{
	return 1 + 0.01 * noise + 0.0005 * (double)i;
}
static double step(size_t i, double noise)
{
	return 1 + 0.01 * noise + (i < count / 2 ? 0 : 0.02);
}
static double alternating(size_t i, double noise)
{
	return 1 + 0.01 * noise + (i % 2 ? 0.03 : 0);
}
static double humped(size_t i, double noise)
{
	return 1 + 0.005 * noise + 0.02 * sin((double)i / count * 6.2832);
}
static double constant(size_t i, double noise)
{
	(void)i;
	(void)noise;
	return 2;
}

static const struct {
	double (*time)(size_t i, double noise);
	bool none;
} rows[] = {
	{noise_only, true},   {trend, false},  {step, false},
	{alternating, false}, {humped, false}, {constant, true},
};

static struct dependence of(struct arena *arena, double (*time)(size_t, double), size_t points,
			    unsigned seed)
{
	struct sweep_point *line = arena_array(arena, points, sizeof *line);
	for (size_t i = 0; i < points; i++)
		line[i] = (struct sweep_point){.x = (double)(i + 1),
					       .seconds = time(i, random_of(&seed))};
	return dependence_of(arena, line, points);
}

START_TEST(tells_dependence_from_noise)
{
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ck_assert_int_eq(of(&arena, rows[i].time, count, 7).none, rows[i].none);
	arena_free(&arena);
}
END_TEST

/* Each test errs in 1 % of all cases. */
START_TEST(errs_as_often_as_said)
{
	struct arena arena = {0};
	int wrong = 0;
	for (unsigned seed = 1; seed <= 1000; seed++)
		wrong += !of(&arena, noise_only, count, seed * 2654435761u).none;
	ck_assert_int_ge(wrong, 5);
	ck_assert_int_le(wrong, 35);
	arena_free(&arena);
}
END_TEST

START_TEST(few_sizes_decide_nothing)
{
	struct arena arena = {0};
	struct dependence found = of(&arena, noise_only, DEPENDENCE_LEAST - 1, 7);
	ck_assert(!found.none && isnan(found.trend) && isnan(found.order));
	ck_assert(of(&arena, noise_only, DEPENDENCE_LEAST, 7).none);
	/* By hand: S of 1 2 3 4 5 6 7 8 is 28, its variance 8 * 7 * 21 / 18. */
	struct sweep_point line[8];
	for (size_t i = 0; i < 8; i++)
		line[i] = (struct sweep_point){.x = (double)(i + 1), .seconds = (double)(i + 1)};
	found = dependence_of(&arena, line, 8);
	ck_assert_double_eq_tol(found.trend, 2 * normal_upper(27 / sqrt(8 * 7 * 21 / 18.0)), 1e-12);
	ck_assert_double_eq_tol(found.spread, 7, 1e-12);
	ck_assert_double_eq_tol(found.noise, sqrt(0.5) / 4.5, 1e-12);
	ck_assert(!found.none);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("dependence", tells_dependence_from_noise, errs_as_often_as_said,
	  few_sizes_decide_nothing)
