/* The chart of fused operators: what is drawn, and that odd documents do no harm. */
#include "render/chart/chart.h"

#include <math.h>
#include <string.h>

#include "render/scene/scene.h"
#include "tests/unit/unit.h"

#define SHAPE(shape, speedup, lowest, highest, decision)                                           \
	"{\"shape\":\"" shape "\",\"speedup\":" speedup ",\"lowest\":" lowest                      \
	",\"highest\":" highest ",\"decision\":\"" decision "\"}"
#define OPERATOR(shapes)                                                                           \
	"{\"kernel\":\"a+b\",\"device\":\"d\",\"dtype\":\"fp16\",\"shapes\":[" shapes              \
	"],\"counts\":{\"shapes\":4,\"fuse\":3,\"undecided\":1}}"
#define DOCUMENT(operators) "{\"margin\":0.5,\"operators\":[" operators "]}"

static int draw(struct arena *arena, const char *text, struct scene **scene, struct error *err)
{
	struct json *document = json_parse(arena, span_of(text), err);
	ck_assert_msg(document != NULL, "%s: %s", text, err->text);
	return chart_fusion(arena, document, &(struct chart_look){.dark = false}, scene, err);
}

static void check_inside(const struct scene *scene)
{
	for (size_t i = 0; i < scene->count; i++) {
		const struct scene_item *item = &scene->items[i];
		ck_assert(isfinite(item->x) && isfinite(item->y) && isfinite(item->w) &&
			  isfinite(item->h));
		ck_assert_msg(item->x >= 0 && item->x <= scene->width && item->y >= 0 &&
				      item->y <= scene->height,
			      "%s at %g, %g", item->text ? item->text : "item", item->x, item->y);
		if (item->kind != SCENE_TEXT)
			continue;
		struct scene_quad box = scene_text_box(item);
		for (size_t k = 0; k < 4; k++)
			ck_assert_msg(box.corner[k].x >= 0 && box.corner[k].x <= scene->width,
				      "outside: %s", item->text);
		for (size_t k = i + 1; k < scene->count; k++) {
			if (scene->items[k].kind != SCENE_TEXT)
				continue;
			struct scene_quad other = scene_text_box(&scene->items[k]);
			ck_assert_msg(!scene_quads_meet(&box, &other), "%s meets %s", item->text,
				      scene->items[k].text);
		}
	}
}

static size_t count_of(const struct scene *scene, enum scene_kind kind, const char *text)
{
	size_t count = 0;
	for (size_t i = 0; i < scene->count; i++) {
		const struct scene_item *item = &scene->items[i];
		count += item->kind == kind && (!text || (item->text && strstr(item->text, text)));
	}
	return count;
}

/* Three shapes and a mark in the legend; hollow is the undecided one. */
START_TEST(draws_what_has_both_sides)
{
	struct arena arena = {0};
	struct error err = {0};
	struct scene *scene;
	ck_assert_msg(
		draw(&arena,
		     DOCUMENT(OPERATOR(SHAPE("[1, 64, 512]", "2", "1.9", "2.1", "fuse") "," SHAPE(
			     "[1, 128, 512]", "1.5", "1.4", "1.6",
			     "undecided") "," SHAPE("[8, 16, 512]", "1.2", "1.1", "null",
						    "keep") "," SHAPE("", "2", "2", "2",
								      "fuse") "," SHAPE("[1]",
											"null",
											"null",
											"null",
											"unknow"
											"n"))),
		     &scene, &err) == 0,
		"%s", err.text);
	check_inside(scene);
	ck_assert_uint_eq(count_of(scene, SCENE_MARKER, NULL), 4);
	size_t hollow = 0;
	for (size_t i = 0; i < scene->count; i++)
		hollow += scene->items[i].kind == SCENE_MARKER &&
			  scene->items[i].style.fill == scene->background;
	ck_assert_uint_eq(hollow, 1);
	ck_assert_uint_eq(count_of(scene, SCENE_TEXT, "3 shapes; fusing pays above 1.5"), 1);
	ck_assert_uint_eq(count_of(scene, SCENE_TEXT, "a+b, d fp16: fuse 3, undecided 1 of 4"), 1);
	ck_assert_uint_eq(count_of(scene, SCENE_TEXT, "Not drawn: 2 of 5"), 1);
	arena_free(&arena);
}
END_TEST

START_TEST(stands_odd_documents)
{
	static const char *const odd[] = {
		"{}",
		"[]",
		"{\"operators\":{}}",
		"{\"operators\":[1,null,{\"shapes\":2},{\"shapes\":[3]}]}",
		DOCUMENT(OPERATOR(SHAPE("[1]", "0", "0", "0", "keep"))),
		DOCUMENT(OPERATOR(SHAPE("[1]", "1", "1", "1", "keep"))),
		DOCUMENT(OPERATOR(SHAPE("[5, 5]", "1e5", "1e-9", "9e99", "fuse"))),
		DOCUMENT(OPERATOR(SHAPE("[5, 5]", "1e-5", "-1", "1e-5", ""))),
		DOCUMENT(OPERATOR(SHAPE("[999999999999999, 2, 2]", "2", "1", "3", "fuse"))),
		DOCUMENT(OPERATOR(SHAPE("[99999999999999, 2]", "2", "1", "3",
					"fuse") "," SHAPE("[1, 2]", "2", "1", "3", "fuse"))),
		"{\"margin\":1e300,\"operators\":[" OPERATOR(
			SHAPE("[8, 2]", "2", "1", "3", "fuse")) "]}",
		"{\"margin\":-3,\"operators\":[" OPERATOR(
			SHAPE("[8, 2]", "2", "1", "3", "fuse")) "]}",
	};
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct scene *scene;
		if (draw(&arena, odd[i], &scene, &err) == 0)
			check_inside(scene);
		else
			ck_assert_str_eq(err.text, "nothing to plot: no shape was timed both "
						   "fused and unfused\nhint: measure both sides of "
						   "a shape: rooflog ingest FILE");
		arena_free(&arena);
	}
}
END_TEST

/* More operators than there is room for. */
START_TEST(leaves_a_crowd_out)
{
	struct arena arena = {0};
	struct error err = {0};
	struct scene *scene;
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "{\"operators\":[");
	for (int i = 0; i < 40; i++)
		strbuf_addf(&sb, "%s%s", i ? "," : "",
			    OPERATOR(SHAPE("[1, 64, 512]", "2", "1.9", "2.1", "fuse")));
	strbuf_addstr(&sb, "]}");
	ck_assert_int_eq(draw(&arena, strbuf_text(&sb), &scene, &err), 0);
	check_inside(scene);
	ck_assert_uint_eq(count_of(scene, SCENE_MARKER, NULL), 24);
	ck_assert_uint_eq(count_of(scene, SCENE_TEXT, "Not drawn: 28 of 40"), 1);
	strbuf_free(&sb);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("chart_fusion", draws_what_has_both_sides, stands_odd_documents, leaves_a_crowd_out)
