/* Whether times depend on one of two sizes: noise, effects of several kinds, and how often noise
 * alone is taken for a dependence. */
#include "model/sizing/grid/grid.h"

#include <math.h>

#include "model/statistics/statistics.h"

#include "unit/unit.h"

enum { rows = 4, columns = 8 };

static double random_of(unsigned *state)
{
	double sum = 0;
	for (int i = 0; i < 12; i++) {
		*state = *state * 1664525u + 1013904223u;
		sum += (double)(*state >> 8) / (1u << 24);
	}
	return sum - 6;
}

/* The time of a pair without noise, relative to that of its column. */
static double same(size_t row, size_t column)
{
	(void)row;
	(void)column;
	return 1;
}
static double trend(size_t row, size_t column)
{
	(void)column;
	return 1 + 0.02 * (double)row;
}
static double step(size_t row, size_t column)
{
	(void)column;
	return row == rows - 1 ? 1.03 : 1;
}
static double middle(size_t row, size_t column)
{
	(void)column;
	return row == 1 ? 1.04 : 1;
}
static double one_column(size_t row, size_t column)
{
	return column == columns - 1 ? 1 + 0.2 * (double)row : 1;
}

static struct size_grid make(struct arena *arena, double (*time)(size_t, size_t), unsigned seed)
{
	struct size_grid grid = {.counts = {rows, columns}};
	grid.seconds = arena_array(arena, rows * columns, sizeof(double));
	for (size_t i = 0; i < rows * columns; i++)
		grid.seconds[i] = (double)(1 + i % columns) *
				  (time(i / columns, i % columns) + 0.01 * random_of(&seed));
	return grid;
}

START_TEST(tells_dependence_from_noise)
{
	static const struct {
		double (*time)(size_t, size_t);
		bool none;
	} cases[] = {
		{same, true}, {trend, false}, {step, false}, {middle, false}, {one_column, false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct size_grid grid = make(&arena, cases[i].time, 11);
		struct grid_dependence of[2] = {grid_dependence_of(&arena, &grid, 0),
						grid_dependence_of(&arena, &grid, 1)};
		ck_assert_msg(of[0].none == cases[i].none, "%zu: %g %g %g", i, of[0].trend,
			      of[0].pattern, of[0].uneven);
		ck_assert(!of[1].none);
		const double *times = grid_dependence_times(&arena, &grid, of);
		for (size_t k = 0; k < rows * columns; k++)
			ck_assert(cases[i].none ? times[k] == times[k % columns]
						: times[k] == grid.seconds[k]);
		arena_free(&arena);
	}
}
END_TEST

/* Each of three tests errs in 1 % of all cases. */
START_TEST(errs_as_often_as_said)
{
	int wrong = 0;
	for (unsigned seed = 1; seed <= 1000; seed++) {
		struct arena arena = {0};
		struct size_grid grid = make(&arena, same, seed * 2654435761u);
		wrong += !grid_dependence_of(&arena, &grid, 0).none;
		arena_free(&arena);
	}
	ck_assert_int_ge(wrong, 8);
	ck_assert_int_le(wrong, 45);
}
END_TEST

/* Two lines of 4 sizes hold less than one of 8; what is equal everywhere depends on nothing. */
START_TEST(few_times_decide_nothing)
{
	struct arena arena = {0};
	struct size_grid grid = make(&arena, trend, 3);
	for (size_t i = 0; i < rows * columns; i++)
		if (i % columns > 1)
			grid.seconds[i] = NAN;
	struct grid_dependence found = grid_dependence_of(&arena, &grid, 0);
	ck_assert(!found.none && isnan(found.trend) && isnan(found.pattern));
	for (size_t i = 0; i < rows * columns; i++)
		grid.seconds[i] = 2;
	found = grid_dependence_of(&arena, &grid, 0);
	ck_assert(found.none);
	ck_assert_double_eq(found.spread, 0);
	arena_free(&arena);
}
END_TEST

/* By hand: lines 1 2 3 and 2 2 8, relative to their means 2 and 4. */
START_TEST(figures_by_hand)
{
	struct arena arena = {0};
	struct size_grid grid = {.counts = {3, 2}, .seconds = (double[]){1, 2, 2, 2, 3, 8}};
	struct grid_dependence found = grid_dependence_of(&arena, &grid, 0);
	ck_assert_double_eq_tol(found.spread, 3, 1e-15);
	ck_assert_double_eq_tol(found.noise, sqrt((0.25 + 0.25 + 0 + 2.25) / 2 / 4), 1e-15);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("grid_dependence", tells_dependence_from_noise, errs_as_often_as_said,
	  few_times_decide_nothing, figures_by_hand)
