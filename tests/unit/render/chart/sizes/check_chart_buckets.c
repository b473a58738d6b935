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

UNIT_MAIN("chart_buckets", the_largest_size_is_named, the_frame_is_around_all_marks)
