/* model: series over their commits, made to be looked at. */
#include "unit/unit.h"

#include <math.h>
#include <string.h>

#include "model/acceptance/acceptance.h"
#include "model/trend/trend.h"
#include "unit/gate_fixture.h"

static struct history_points points_of(struct arena *arena, const double *values, size_t count,
				       uint32_t step)
{
	struct history_points points = {arena_array(arena, count + 1, sizeof *points.items), count};
	for (size_t i = 0; i < count; i++)
		points.items[i] = (struct history_point){(uint32_t)(count - i) * step, 1 + i % 3,
							 false, values[i]};
	return points;
}

/* No value is outside of the points, and each extreme is in one of them. */
static void check_extremes(const struct trend *trend, const struct history_points *points)
{
	double low = HUGE_VAL, high = -HUGE_VAL, least = HUGE_VAL, most = -HUGE_VAL;
	size_t commits = 0, runs = 0, all = 0;
	for (size_t i = 0; i < trend->point_count; i++) {
		const struct trend_point *point = &trend->points[i];
		ck_assert(point->low <= point->middle && point->middle <= point->high);
		ck_assert(i == 0 || point->place < trend->points[i - 1].place);
		low = fmin(low, point->low);
		high = fmax(high, point->high);
		commits += point->commits;
		runs += point->runs;
	}
	for (size_t i = 0; i < points->count; i++) {
		least = fmin(least, points->items[i].value);
		most = fmax(most, points->items[i].value);
		all += points->items[i].runs;
	}
	ck_assert_uint_eq(commits, points->count);
	ck_assert_uint_eq(runs, all);
	ck_assert_double_eq(low, least);
	ck_assert_double_eq(high, most);
}

START_TEST(extremes_survive_down_sampling)
{
	static const struct {
		size_t count;
		uint32_t step;
		size_t least_points;
	} cases[] = {{1, 1, 1},     {2, 1, 2},      {240, 1, 240},  {240, 50, 240},
		     {241, 1, 120}, {1000, 1, 180}, {1000, 7, 180}, {30000, 1, 180}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		double *values = (double *)fixture_noise(&f, 1e-5, 0.01, cases[i].count, 3);
		values[cases[i].count / 3] *= 50;
		values[cases[i].count / 2] /= 50;
		struct history_points points =
			points_of(&f.arena, values, cases[i].count, cases[i].step);
		struct trend trend = trend_of(&f.arena, &points, &(struct trend_options){0});
		check_extremes(&trend, &points);
		ck_assert_uint_le(trend.point_count, TREND_POINTS);
		ck_assert_uint_ge(trend.point_count, cases[i].least_points);
		ck_assert_uint_eq(trend.commits, cases[i].count);
		arena_free(&f.arena);
	}
}
END_TEST

START_TEST(gaps_are_those_beyond_the_usual_distance)
{
	static const struct {
		uint32_t places[6];
		size_t count;
		uint32_t gap;
	} cases[] = {
		{{5, 4, 3, 2, 1}, 5, 3},
		{{50, 40, 30, 20, 10}, 5, 30},
		{{100, 4, 3, 2, 1}, 5, 3},
		{{7}, 1, 3},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		double values[6] = {1, 1, 1, 1, 1, 1};
		struct history_points points = points_of(&arena, values, cases[i].count, 1);
		for (size_t k = 0; k < cases[i].count; k++)
			points.items[k].commit = cases[i].places[k];
		struct trend trend = trend_of(&arena, &points, &(struct trend_options){0});
		ck_assert_uint_eq(trend.gap, cases[i].gap);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(changes_say_whether_they_are_shares)
{
	static const struct {
		double before, after, effect;
		bool relative;
	} cases[] = {{10, 20, 1, true}, {0, 4096, 4096, false}, {-5, 5, 10, false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		double values[40];
		for (size_t k = 0; k < 40; k++)
			values[k] = k < 20 ? cases[i].before : cases[i].after;
		struct history_points points = points_of(&arena, values, 40, 1);
		struct trend trend = trend_of(&arena, &points, &(struct trend_options){0});
		ck_assert_uint_eq(trend.change_count, 1);
		ck_assert_double_eq_tol(trend.changes[0].effect, cases[i].effect, 1e-9);
		ck_assert(trend.changes[0].relative == cases[i].relative);
		arena_free(&arena);
	}
}
END_TEST

/* The line ends at the place that is asked for, and where the newest point is it shows that. */
START_TEST(bins_end_where_they_are_asked_to)
{
	struct arena arena = {0};
	const double values[] = {1, 1, 1, 1, 1, 9};
	struct history_points points = points_of(&arena, values, 6, 1);
	struct trend_bins own = trend_bins_of(&arena, &points, 3, 1);
	ck_assert_uint_eq(own.count, 3);
	ck_assert_double_eq(own.middles[1], 1);
	ck_assert_double_eq(own.middles[2], 9);
	ck_assert_double_eq(own.low, 1);
	ck_assert_double_eq(own.high, 9);
	for (size_t i = 0; i < 6; i++)
		points.items[i].commit += 6;
	struct trend_bins stopped = trend_bins_of(&arena, &points, 4, 1);
	ck_assert_uint_eq(stopped.count, 4);
	ck_assert_double_eq(stopped.middles[1], 9);
	ck_assert_double_nan(stopped.middles[2]);
	ck_assert_double_nan(stopped.middles[3]);
	points.count = 0;
	ck_assert_uint_eq(trend_bins_of(&arena, &points, 4, 0).count, 0);
	arena_free(&arena);
}
END_TEST

START_TEST(sparks_show_levels_gaps_and_quiet)
{
	static const struct {
		double values[8];
		uint32_t places[8];
		size_t count, cells;
		const char *spark;
	} cases[] = {
		{{0}, {0}, 0, 24, ""},
		{{5}, {0}, 1, 24, "▄"},
		{{1, 1.001, 1, 1.001}, {4, 3, 2, 1}, 4, 24, "▄▄▄▄"},
		{{1, 1, 2, 2}, {4, 3, 2, 1}, 4, 24, "▁▁██"},
		{{1, 2}, {4, 1}, 2, 24, "▁··█"},
		{{1, 3, 2, 2, 9, 9}, {6, 5, 4, 3, 2, 1}, 6, 3, "▁▁█"},
		{{1, 1, 1, 1, 1, 9}, {6, 5, 4, 3, 2, 1}, 6, 2, "▁█"},
		{{-1, 0, 1}, {3, 2, 1}, 3, 24, "▁▄█"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct history_points points =
			points_of(&arena, cases[i].values, cases[i].count, 1);
		for (size_t k = 0; k < cases[i].count; k++)
			points.items[k].commit = cases[i].places[k];
		ck_assert_str_eq(trend_spark(&arena, &points, cases[i].cells), cases[i].spark);
		arena_free(&arena);
	}
}
END_TEST

/* 100 commits, 10 % more from the 60th on. */
static const double *stepped(struct gate_fixture *f)
{
	double *values = (double *)fixture_noise(f, 1e-5, 0.01, 100, 8);
	for (size_t i = 60; i < 100; i++)
		values[i] *= 1.1;
	return values;
}

START_TEST(changes_cut_the_levels)
{
	struct gate_fixture f;
	fixture_init(&f);
	struct history_points points = points_of(&f.arena, stepped(&f), 100, 1);
	struct trend_options options = {.direction = METRIC_LOWER};
	struct trend trend = trend_of(&f.arena, &points, &options);
	ck_assert_uint_eq(trend.change_count, 1);
	ck_assert_uint_eq(trend.changes[0].first_after, 40);
	ck_assert_uint_eq(trend.changes[0].last_before, 41);
	ck_assert(trend.changes[0].confirmed && trend.changes[0].worse && !trend.changes[0].better);
	ck_assert_uint_eq(trend.level_count, 2);
	ck_assert_uint_eq(trend.levels[0].from, 100);
	ck_assert_uint_eq(trend.levels[0].to, 41);
	ck_assert_uint_eq(trend.levels[1].from, 40);
	ck_assert_uint_eq(trend.levels[1].to, 1);
	ck_assert_double_eq_tol(trend.level, 1.1e-5, 1e-7);
	ck_assert(trend.band_low < 1.09e-5 && trend.band_low > 1.05e-5);
	ck_assert(trend.band_high > 1.11e-5 && trend.band_high < 1.15e-5);
	options.direction = METRIC_HIGHER;
	trend = trend_of(&f.arena, &points, &options);
	ck_assert(trend.changes[0].better && !trend.changes[0].worse);
	ck_assert(trend.band_low < 1.09e-5 && trend.band_high > 1.11e-5);
	arena_free(&f.arena);
}
END_TEST

/* The share of next commits in the band, over many records. */
START_TEST(the_band_holds_what_it_promises)
{
	size_t inside = 0, series = 400;
	for (size_t i = 0; i < series; i++) {
		struct gate_fixture f;
		fixture_init(&f);
		const double *values = fixture_noise(&f, 1e-5, 0.01, 31, 100 + (unsigned)i);
		struct history_points points = points_of(&f.arena, values, 30, 1);
		struct trend trend = trend_of(&f.arena, &points, &(struct trend_options){0});
		inside += values[30] >= trend.band_low && values[30] <= trend.band_high;
		arena_free(&f.arena);
	}
	ck_assert_uint_ge(inside, series * 92 / 100);
	ck_assert_uint_le(inside, series * 98 / 100);
}
END_TEST

START_TEST(a_comparison_has_its_candidate_at_place_0)
{
	for (int windowed = 0; windowed < 2; windowed++) {
		struct gate_fixture f;
		fixture_init(&f);
		struct gate_series *series =
			fixture_series(&f, "k", METRIC_TOTAL_TIME, stepped(&f), 100);
		fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1.1e-5, 2);
		f.input.windowed = windowed;
		fixture_judge(&f);
		struct trend trend = gate_trend_of(&f.arena, &f.gate, &f.gate.comparisons[0]);
		ck_assert_uint_gt(trend.candidate.runs, 0);
		ck_assert_uint_eq(trend.commits, 101);
		ck_assert_uint_eq(trend.points[100].place, 0);
		ck_assert_double_eq(trend.candidate.value, 1.1e-5);
		ck_assert_uint_eq(trend.change_count, 1);
		ck_assert_uint_eq(trend.changes[0].first_after, 40);
		/* Judged by the others, the candidate is part of no level but a nightly one. */
		ck_assert_uint_eq(trend.levels[1].to, windowed ? 0 : 1);
		ck_assert_ptr_null(trend.accepted);
		arena_free(&f.arena);
	}
}
END_TEST

/* The judge asked about the level before; what is drawn is the new one. */
START_TEST(the_band_is_that_of_the_newest_level)
{
	struct gate_fixture f;
	fixture_init(&f);
	double *values = (double *)fixture_noise(&f, 1e-5, 0.005, 100, 8);
	for (size_t i = 96; i < 100; i++)
		values[i] *= 1.2;
	struct gate_series *series = fixture_series(&f, "k", METRIC_TOTAL_TIME, values, 100);
	fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1.2e-5, 2);
	f.input.windowed = true;
	fixture_judge(&f);
	struct trend trend = gate_trend_of(&f.arena, &f.gate, &f.gate.comparisons[0]);
	ck_assert_double_eq_tol(trend.level, 1.2e-5, 2e-7);
	ck_assert(isnan(trend.band_low) || trend.band_low > 1.1e-5);
	arena_free(&f.arena);
}
END_TEST

START_TEST(what_was_accepted_is_flagged_where_it_came_about)
{
	struct gate_fixture f;
	struct error err = {0};
	struct acceptance_list list = {0};
	const char *line = "k | total_time | 1.3e-5 s | never | ann | wider tiles\n";
	fixture_init(&f);
	double *values = (double *)fixture_noise(&f, 1e-5, 0.005, 100, 8);
	for (size_t i = 90; i < 100; i++)
		values[i] *= 1.2;
	struct gate_series *series = fixture_series(&f, "k", METRIC_TOTAL_TIME, values, 100);
	fixture_candidate(&f, series, METRIC_TOTAL_TIME, 1.2e-5, 2);
	f.input.windowed = true;
	ck_assert_int_eq(acceptance_parse(&f.arena, "accept", span_of(line), &list, &err), 0);
	f.input.acceptances = &list;
	f.input.clock = &(struct acceptance_clock){.now = 0};
	fixture_judge(&f);
	ck_assert_int_eq(f.gate.comparisons[0].judged.verdict, VERDICT_ACCEPTED);
	struct trend trend = gate_trend_of(&f.arena, &f.gate, &f.gate.comparisons[0]);
	ck_assert_ptr_nonnull(trend.accepted);
	ck_assert_uint_eq(trend.accepted->place, 10);
	ck_assert_str_eq(trend.accepted->author, "ann");
	ck_assert_double_eq(trend.accepted->limit, 1.3e-5);
	arena_free(&f.arena);
}
END_TEST

START_TEST(series_without_values_have_no_points)
{
	struct arena arena = {0};
	struct trend trend =
		trend_of(&arena, &(struct history_points){0}, &(struct trend_options){0});
	ck_assert_uint_eq(trend.point_count, 0);
	ck_assert(isnan(trend.level) && isnan(trend.band_low));
	ck_assert_str_eq(trend.spark, "");
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("trend", extremes_survive_down_sampling, gaps_are_those_beyond_the_usual_distance,
	  changes_say_whether_they_are_shares, bins_end_where_they_are_asked_to,
	  sparks_show_levels_gaps_and_quiet, changes_cut_the_levels,
	  the_band_holds_what_it_promises, a_comparison_has_its_candidate_at_place_0,
	  the_band_is_that_of_the_newest_level, what_was_accepted_is_flagged_where_it_came_about,
	  series_without_values_have_no_points)
