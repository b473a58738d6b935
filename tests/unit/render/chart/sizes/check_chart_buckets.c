/* The chart of buckets: which sizes are named, and where its axes are. */
#include "render/chart/chart.h"

#include <string.h>

#include "render/scene/scene.h"
#include "tests/unit/unit.h"

static struct scene *draw(struct arena *arena, const double *sizes, size_t shapes)
{
	struct error err = {0};
	struct scene *scene;
	struct json *document = json_object(arena);
	struct json *list = json_set_array(arena, document, "shapes");
	for (size_t i = 0; i < shapes; i++) {
		struct json *shape = json_add_object(arena, list);
		struct json *plan = json_add_object(arena, json_set_array(arena, shape, "plans"));
		struct json *buckets = json_set_array(arena, plan, "buckets");
		struct json *measured = json_set_array(arena, shape, "measured");
		json_set_number(arena, plan, "seconds", 1e-3);
		for (size_t k = 0; sizes[k] > 0; k++)
			for (int side = 0; side < 2; side++) {
				struct json *one =
					json_add_object(arena, side ? measured : buckets);
				json_set_number(arena, one, "size", sizes[k]);
				json_set_number(arena, one, "seconds", sizes[k] * 1e-6);
			}
	}
	ck_assert_msg(chart_buckets(arena, document, &(struct chart_look){.dark = false}, &scene,
				    &err) == 0,
		      "%s", err.text);
	return scene;
}

static bool says(const struct scene *scene, const char *text)
{
	for (size_t i = 0; i < scene->count; i++)
		if (scene->items[i].kind == SCENE_TEXT && strcmp(scene->items[i].text, text) == 0)
			return true;
	return false;
}

/* The largest bounds what is covered: what would meet its label has none. */
START_TEST(the_largest_size_is_named)
{
	static const struct {
		double sizes[5];
		const char *named[3], *left_out;
	} rows[] = {
		{{100, 3990, 4096}, {"100", "4096"}, "3990"},
		{{100, 2000, 4096}, {"100", "2000", "4096"}, "none"},
		{{4096}, {"4096"}, "none"},
		{{1000, 1010, 1020, 1030}, {"1030"}, "1000"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		const struct scene *scene = draw(&arena, rows[i].sizes, 1);
		for (size_t k = 0; k < 3 && rows[i].named[k]; k++)
			ck_assert_msg(says(scene, rows[i].named[k]), "%s", rows[i].named[k]);
		ck_assert_msg(!says(scene, rows[i].left_out), "%s", rows[i].left_out);
		arena_free(&arena);
	}
}
END_TEST

/* From the first panel's upper edge to the last one's lower. */
START_TEST(the_frame_is_around_all_marks)
{
	for (size_t shapes = 1; shapes <= 4; shapes++) {
		struct arena arena = {0};
		const struct scene *scene =
			draw(&arena, (const double[]){100, 2000, 4096, 0}, shapes);
		const struct scene_bounds *frame = &scene->frame;
		ck_assert(frame->right > frame->left && frame->bottom > frame->top);
		for (size_t i = 0; i < scene->count; i++) {
			const struct scene_item *item = &scene->items[i];
			if (item->kind == SCENE_MARKER)
				ck_assert(item->x >= frame->left && item->x <= frame->right &&
					  item->y >= frame->top && item->y <= frame->bottom);
		}
		arena_free(&arena);
	}
}
END_TEST

static void add_pair(struct arena *arena, struct json *list, double row, double column,
		     double seconds)
{
	struct json *one = json_add_object(arena, list);
	struct json *sizes = json_set_array(arena, one, "sizes");
	json_add_number(arena, sizes, row);
	json_add_number(arena, sizes, column);
	json_set_number(arena, one, "seconds", seconds);
	json_set_number(arena, one, "used_seconds", seconds);
}

/* 2 x `columns` measured pairs but the last, of which the larger row and the last column but one
 * are buckets. */
static struct json *grid_of(struct arena *arena, size_t columns)
{
	struct json *document = json_object(arena);
	struct json *grid = json_add_object(arena, json_set_array(arena, document, "grids"));
	struct json *measured = json_set_array(arena, grid, "measured");
	struct json *plan = json_add_object(arena, json_set_array(arena, grid, "plans"));
	struct json *sizes = json_set_array(arena, plan, "sizes");
	json_set_number(arena, plan, "seconds", 2);
	json_add_number(arena, json_add_array(arena, sizes), 8);
	json_add_number(arena, json_add_array(arena, sizes), 100 * ((double)columns - 1));
	add_pair(arena, json_set_array(arena, plan, "buckets"), 8, 100 * ((double)columns - 1), 2);
	for (size_t i = 1; i <= columns; i++) {
		add_pair(arena, measured, 1, 100 * (double)i, 1);
		if (i < columns)
			add_pair(arena, measured, 8, 100 * (double)i, 1.6);
	}
	return document;
}

START_TEST(pairs_show_what_they_lose)
{
	struct arena arena = {0};
	struct error err = {0};
	struct scene *scene;
	const struct chart_look look = {.dark = false};
	ck_assert_int_eq(chart_buckets(&arena, grid_of(&arena, 3), &look, &scene, &err), 0);
	ck_assert(says(scene, "+25 %") && says(scene, "+1e+02 %") == false);
	ck_assert(says(scene, "+100 %") && says(scene, "?"));
	ck_assert(says(scene, "8") && says(scene, "200") && says(scene, "300"));
	ck_assert_int_eq(chart_buckets(&arena, grid_of(&arena, 64), &look, &scene, &err), 0);
	ck_assert(!says(scene, "300"));
	ck_assert_int_lt(chart_buckets(&arena, grid_of(&arena, 65), &look, &scene, &err), 0);
	ck_assert_msg(strncmp(err.text,
			      "no grid to plot: a chart has at most 64 sizes of a parameter",
			      60) == 0,
		      "%s", err.text);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("chart_buckets", the_largest_size_is_named, the_frame_is_around_all_marks,
	  pairs_show_what_they_lose)
