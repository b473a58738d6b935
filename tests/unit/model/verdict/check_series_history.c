/* Which times of a history are leaps that nothing confirms: below half of all values before, and no
 * later value within a factor of two. By hand. */
#include "unit/unit.h"

#include "model/verdict/series_history.h"

enum { MOST = 8 };

/* Marks the points that are leaps, oldest first. */
static void find_unproven(struct history_points *points)
{
	double best = HUGE_VAL;
	for (size_t i = 0; i < points->count; i++) {
		struct history_point *point = &points->items[i];
		point->unproven = history_is_leap(points, i, best, point->value);
		if (!point->unproven)
			best = fmin(best, point->value);
	}
}

START_TEST(leaps)
{
	static const struct {
		double values[MOST];
		size_t count;
		const char *unproven; /* a letter a point */
	} rows[] = {
		{{3}, 1, "."},
		{{3, 1.5}, 2, ".."},
		{{3, 1.49}, 2, ".u"},
		{{1, 3, 3, 1}, 4, "...."},             /* it was there before */
		{{1, 3, 3, 0.49}, 4, "...u"},          /* of the best, not of the newest */
		{{3, 1, 1}, 3, "..."},                 /* the next commit confirms it */
		{{3, 1, 3, 3, 2}, 5, "....."},         /* a later one, just within the factor */
		{{3, 1, 3, 3, 2.01}, 5, ".u..."},      /* just not */
		{{3, 1, 3, 0.5, 3}, 5, "....."},       /* each confirms the other: 1 / 0.5 = 2 */
		{{3, 1, 3, 0.49, 3}, 5, ".u.u."},      /* neither does */
		{{8, 3.9, 1.9, 0.9, 0.9}, 5, ".uu.."}, /* halved again and again */
		{{30, 3, 3.1, 3}, 4, "...."},
		{{3, 3, 0, 3}, 4, "..u."},
		{{-1, -3, -9}, 3, "..."}, /* no times */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct history_point items[MOST];
		struct history_points points = {items, rows[i].count};
		for (size_t k = 0; k < points.count; k++)
			items[k] = (struct history_point){(uint32_t)(points.count - k), 1, false,
							  rows[i].values[k]};
		find_unproven(&points);
		for (size_t k = 0; k < points.count; k++)
			ck_assert_msg(items[k].unproven == (rows[i].unproven[k] == 'u'),
				      "row %zu, point %zu", i, k);
		struct history_points taken = history_take_unproven(&arena, &points);
		ck_assert_uint_eq(taken.count + points.count, rows[i].count);
		for (size_t k = 0; k < taken.count; k++)
			ck_assert(taken.items[k].unproven);
		for (size_t k = 0; k < points.count; k++)
			ck_assert(!points.items[k].unproven);
		arena_free(&arena);
	}
}
END_TEST

/* One of two measurements of a commit is a leap: the other one is the commit's value. Where both
 * are leaps, both count. */
START_TEST(a_commit_is_what_is_proven_of_it)
{
	struct arena arena = {0};
	struct history_run runs[] = {{1, 1, false}, {2, 0, true}, {3, 0, false}};
	const double values[] = {3, 1, 3.2};
	const struct history history = {.runs = runs, .values = values, .run_count = 3};
	struct history_points points = history_points(&arena, &history, 0, 0, 0);
	ck_assert(!points.items[1].unproven && points.items[1].runs == 2);
	ck_assert_double_eq(points.items[1].value, 3.2);
	ck_assert_double_eq(history_best_proven(&points), 3);
	runs[2].unproven = true;
	points = history_points(&arena, &history, 0, 0, 0);
	ck_assert(points.items[1].unproven);
	ck_assert_double_eq(points.items[1].value, 2.1);
	arena_free(&arena);
}
END_TEST

/* Random histories, two runs a commit, some without a value: one that cannot leap has no leaps. */
START_TEST(what_cannot_leap_has_no_leaps)
{
	uint64_t state = 1;
	size_t able = 0, marked = 0;
	for (int round = 0; round < 20000; round++) {
		struct arena arena = {0};
		struct history_run runs[8];
		double values[8];
		const struct history history = {.runs = runs, .values = values, .run_count = 8};
		const double span = round % 10 + 0.5;
		for (uint32_t i = 0; i < 8; i++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			runs[i] = (struct history_run){i + 1, 3 - i / 2, false};
			values[i] =
				state >> 61 ? 1 + (double)(state >> 33) / 2147483648.0 * span : NAN;
		}
		struct history_points points = history_points(&arena, &history, 0, 0, 0);
		bool any = false, may = history_may_leap(&history, 0);
		find_unproven(&points);
		for (size_t i = 0; i < points.count; i++)
			any = any || points.items[i].unproven;
		ck_assert_msg(may || !any, "round %d", round);
		able += may;
		marked += any;
		arena_free(&arena);
	}
	ck_assert_uint_gt(marked, 100);
	ck_assert_uint_gt(20000 - able, 100);
}
END_TEST

UNIT_MAIN("series history", leaps, what_cannot_leap_has_no_leaps, a_commit_is_what_is_proven_of_it)
