/* render: points, subtitles and values beyond the axis of a trend. */
#include "unit/unit.h"

#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "render/chart/series/trend_panel.h"

static void add_row(struct arena *arena, struct json *rows, const double *numbers, size_t count)
{
	struct json *row = json_add_array(arena, rows);
	for (size_t i = 0; i < count; i++)
		json_add_number(arena, row, numbers[i]);
}

/* Values of the commits, oldest first, around a level of 10. */
static struct json *comparison_of(struct arena *arena, const double *values, size_t count)
{
	struct json *one = json_object(arena), *trend = json_set_object(arena, one, "trend");
	struct json *points = json_set_array(arena, trend, "points");
	for (size_t i = 0; i < count; i++)
		add_row(arena, points,
			(double[]){(double)(count - 1 - i), values[i], values[i], values[i], 1}, 5);
	add_row(arena, json_set_array(arena, trend, "levels"),
		(double[]){(double)(count - 1), 0, 10}, 3);
	json_set_text(arena, one, "kernel", "softmax");
	json_set_text(arena, one, "metric", "total_time");
	json_set_text(arena, one, "title", "Total time");
	json_set_text(arena, one, "verdict", "unchanged");
	json_set_text(arena, one, "verdict_text", "unchanged");
	json_set_text(arena, one, "change_text", "+0.16 %");
	json_set_text(arena, json_set_object(arena, trend, "candidate"), "text", "17.34 us");
	return one;
}

/* 20 values near 10, the first of them far. */
static struct json *with_far(struct arena *arena, size_t far, double value)
{
	double values[20];
	for (size_t i = 0; i < 20; i++)
		values[i] = i % 3 == 1 && i / 3 < far ? value : 10 + 0.1 * (double)(i % 4);
	return comparison_of(arena, values, 20);
}

START_TEST(bins_of_two_have_the_mean_and_no_commit)
{
	struct arena arena = {0};
	static const double values[] = {1, 3, 9, 5, 4};
	struct json *trend = json_get(comparison_of(&arena, values, 5), "trend");
	struct trend_panel_points all = trend_panel_points_of(&arena, trend, 5);
	ck_assert_uint_eq(all.count, 5);
	ck_assert_double_eq(all.items[1].commit, 3);
	struct trend_panel_points some = trend_panel_points_of(&arena, trend, 3);
	ck_assert_uint_eq(some.count, 3);
	ck_assert_double_eq(some.items[0].middle, 2);
	ck_assert_double_eq(some.items[0].low, 1);
	ck_assert_double_eq(some.items[0].runs, 2);
	ck_assert_double_nan(some.items[0].commit);
	ck_assert_double_eq(some.items[1].middle, 7);
	ck_assert_double_eq(some.items[2].middle, 4);
	ck_assert_double_eq(some.items[2].commit, 0);
	arena_free(&arena);
}
END_TEST

START_TEST(values_beyond_the_axis_are_rare)
{
	for (size_t far = 0; far <= 5; far++) {
		struct arena arena = {0};
		struct json *trend = json_get(with_far(&arena, far, 90), "trend");
		struct trend_panel_points points = trend_panel_points_of(&arena, trend, 100);
		ck_assert_uint_eq(points.far, far <= 2 ? far : 0);
		ck_assert_msg(far <= 2 ? points.high < 20 : points.high == 90, "%zu far: %g", far,
			      points.high);
		ck_assert_int_eq(isnan(points.farthest), far == 0 || far > 2);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(findings_name_the_change_that_was_judged)
{
	static const struct {
		const char *verdict;
		bool confirmed;
		const char *text;
	} cases[] = {{"regressed", true, "18.40 % slower since c1f9e07d2a"},
		     {"regressed", false, "slower, +0.16 %"},
		     {"improved", true, "slower, +0.16 %"},
		     {"unchanged", true, "slower, +0.16 %"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct json *one = with_far(&arena, 0, 0);
		struct json *trend = json_get(one, "trend");
		struct json *change =
			json_add_object(&arena, json_set_array(&arena, trend, "changes"));
		json_set_number(&arena, change, "place", 4);
		json_set_text(&arena, change, "effect_text", "+18.40 %");
		json_set_bool(&arena, change, "confirmed", cases[i].confirmed);
		json_set_bool(&arena, change, "worse", true);
		json_set_text(&arena, json_set_object(&arena, change, "first_after"), "short",
			      "c1f9e07d2a");
		json_get(one, "verdict")->text = cases[i].verdict;
		json_get(one, "verdict_text")->text = "slower";
		ck_assert_str_eq(trend_panel_finding(&arena, one), cases[i].text);
		arena_free(&arena);
	}
}
END_TEST

/* A change stands before the first commit of the new level; a release stands at its commit. */
START_TEST(marks_stand_in_their_lanes)
{
	struct arena arena = {0};
	struct json *one = with_far(&arena, 0, 0), *trend = json_get(one, "trend");
	struct json *change = json_add_object(&arena, json_set_array(&arena, trend, "changes"));
	json_set_number(&arena, change, "place", 10);
	json_set_number(&arena, change, "effect", -0.1);
	json_set_text(&arena, change, "effect_text", "-10.00 %");
	json_set_bool(&arena, change, "confirmed", true);
	struct trend_commit commits[20];
	for (size_t i = 0; i < 20; i++)
		commits[i] = (struct trend_commit){.id = "d3dfb86bd9",
						   .day = "2026-11-28",
						   .subject = "s",
						   .release = i == 10 ? "<v1>" : NULL};
	const struct trend_commits all = {commits, 20};
	const struct trend_view view = {.size = {700, 300}, .commits = &all, .dots = 100};
	struct scene *scene = chart_trend_of(&arena, one, &view);
	double dot = NAN, dashed = NAN, dotted = NAN, pill = NAN, tag = NAN;
	for (size_t i = 0; i < scene->count; i++) {
		const struct scene_item *item = &scene->items[i];
		if (item->kind == SCENE_LINE && item->style.dash == SCENE_DASHED)
			dashed = item->x;
		if (item->kind == SCENE_LINE && item->style.dash == SCENE_DOTTED)
			dotted = item->x;
		if (item->kind == SCENE_MARKER && item->place == 10 && !item->role)
			dot = item->x;
		if (item->kind == SCENE_TEXT && strcmp(item->text, "\u221210.00 %") == 0)
			pill = item->y;
		if (item->kind == SCENE_TEXT && strcmp(item->text, "<v1>") == 0)
			tag = item->y;
	}
	ck_assert_double_eq(dotted, dot);
	ck_assert_double_lt(dashed, dot - 5);
	ck_assert_double_gt(tag, pill + 15);
	arena_free(&arena);
}
END_TEST

/* Two far values, above or below, part the curve in three; it keeps its slope up to the edge. */
START_TEST(curves_end_at_the_edge_of_the_area)
{
	for (int above = 0; above < 2; above++) {
		struct arena arena = {0};
		const struct trend_view view = {.size = {640, 260}};
		struct scene *scene =
			chart_trend_of(&arena, with_far(&arena, 2, above ? 1e9 : -1e9), &view);
		size_t curves = 0;
		double edge = above ? HUGE_VAL : 0, mark = NAN;
		for (size_t i = 0; i < scene->count; i++) {
			const struct scene_item *item = &scene->items[i];
			curves += item->kind == SCENE_POLYLINE;
			for (size_t k = 0; item->kind == SCENE_POLYLINE && k < item->point_count;
			     k++)
				edge = above ? fmin(edge, item->points[k].y)
					     : fmax(edge, item->points[k].y);
			if (item->kind == SCENE_MARKER && item->marker != SCENE_CIRCLE)
				mark = item->y;
		}
		ck_assert_uint_eq(curves, 3);
		ck_assert_double_eq_tol(fabs(mark - edge), 4, 0.06);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("chart_trend", bins_of_two_have_the_mean_and_no_commit, values_beyond_the_axis_are_rare,
	  findings_name_the_change_that_was_judged, marks_stand_in_their_lanes,
	  curves_end_at_the_edge_of_the_area)
