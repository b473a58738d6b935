/* render: texts and their boxes, placing labels, SVG, PNG and PDF of a scene; palettes. */
#include "unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "render/scene/palette.h"
#include "render/scene/scene.h"

START_TEST(texts_are_cleaned)
{
	static const struct {
		const char *text, *clean;
	} rows[] = {
		{"plain", "plain"},
		{"a\nb\tc\x01", "a b c<U+0001>"},
		{"a\xe2\x80\xae"
		 "b\xe2\x81\xa9",
		 "a<U+202E>b<U+2069>"}, /* right-to-left override, pop isolate */
		{"a\xe2\x80\x8b\xef\xbb\xbf\xc2\xad", "a<U+200B><U+FEFF><U+00AD>"},
		{"a\xc2\x85z", "a<U+0085>z"},
		{"\xff\xc3(", "\xef\xbf\xbd\xef\xbf\xbd("},
		{"\xef\xbf\xbe", "<U+FFFE>"}, /* XML does not allow it */
		{"\xc2\xb5s \xe4\xb8\xad", "\xc2\xb5s \xe4\xb8\xad"},
		{"\xd7\x90 \xd7\x91, -1 %", "\xd7\x90 \xd7\x91, -1 %"},
		{NULL, ""},
	};
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ck_assert_str_eq(scene_clean(&arena, rows[i].text), rows[i].clean);
	arena_free(&arena);
}
END_TEST

/* Alef, beth: a mark ends the stretch from right to left, with all that is within. */
START_TEST(right_to_left_runs_end)
{
	static const struct {
		const char *text, *directed;
	} rows[] = {
		{"a", "a"},
		{"\xd7\x90 \xd7\x91, -1 %", "\xd7\x90 \xd7\x91|, -1 %"},
		{"\xd7\x90 7 \xd7\x91", "\xd7\x90 7 \xd7\x91|"},
		{"\xd7\x90, s=1, \xd7\x91", "\xd7\x90|, s=1, \xd7\x91|"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf out = {0};
		scene_directed(&out, rows[i].text, "|");
		ck_assert_str_eq(strbuf_text(&out), rows[i].directed);
		strbuf_free(&out);
	}
}
END_TEST

START_TEST(widths_are_those_of_the_widest_font)
{
	static const struct {
		const char *text;
		double regular, bold;
	} rows[] = {
		{"", 0, 0},
		{"Hamburg", 4657, 5192},
		{"e\xcc\x81", 616, 679},                      /* a combining accent */
		{"\xe4\xb8\xad\xe3\x82\xab", 2060, 2060},     /* Chinese, Japanese */
		{"\xd8\xb6", 840, 930},                       /* Arabic */
		{"\xe0\xae\x95", 1300, 1300},                 /* Tamil */
		{"\xf0\x9f\x9a\x80\xe2\x9a\xa1", 2750, 2750}, /* emoji */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ck_assert_double_eq_tol(scene_text_width(rows[i].text, 1000, false),
					rows[i].regular, 1e-6);
		ck_assert_double_eq_tol(scene_text_width(rows[i].text, 1000, true), rows[i].bold,
					1e-6);
	}
}
END_TEST

START_TEST(long_texts_are_shortened_in_the_middle)
{
	static const struct {
		const char *text;
		double width;
		const char *shown;
	} rows[] = {
		{"short", 100, "short"},
		{"ampere_sgemm_128x64_nn", 100,
		 "ampere\xe2\x80\xa6"
		 "64_nn"},
		/* Devanagari ka with the vowel sign e, four times: a sign stays with its letter. */
		{"\xe0\xa4\x95\xe0\xa5\x87\xe0\xa4\x95\xe0\xa5\x87"
		 "\xe0\xa4\x95\xe0\xa5\x87\xe0\xa4\x95\xe0\xa5\x87",
		 24, "\xe2\x80\xa6\xe0\xa4\x95\xe0\xa5\x87"},
		{"anything", 5, "\xe2\x80\xa6"},
	};
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *shown = scene_shorten(&arena, rows[i].text, 12, false, rows[i].width);
		ck_assert_str_eq(shown, rows[i].shown);
	}
	arena_free(&arena);
}
END_TEST

START_TEST(boxes_follow_anchor_and_angle)
{
	struct scene_item item = {.x = 100, .y = 50, .size = 10, .text_width = 40};
	struct scene_quad box = scene_text_box(&item);
	ck_assert_double_eq_tol(box.corner[0].x, 100, 1e-9);
	ck_assert_double_eq_tol(box.corner[0].y, 42, 1e-9);
	ck_assert_double_eq_tol(box.corner[2].x, 140, 1e-9);
	ck_assert_double_eq_tol(box.corner[2].y, 52.2, 1e-9);
	item.anchor = SCENE_END;
	ck_assert_double_eq_tol(scene_text_box(&item).corner[0].x, 60, 1e-9);
	item.anchor = SCENE_MIDDLE;
	item.angle = -90; /* reads upwards */
	box = scene_text_box(&item);
	ck_assert_double_eq_tol(box.corner[0].x, 92, 1e-9);
	ck_assert_double_eq_tol(box.corner[0].y, 70, 1e-9);
	ck_assert_double_eq_tol(box.corner[1].y, 30, 1e-9);
}
END_TEST

START_TEST(quads_meet_only_when_they_overlap)
{
	static const struct {
		double x, y, angle;
		bool meet;
	} rows[] = {
		{0, 0, 0, true},     {39, 0, 0, true},     {41, 0, 0, false},
		{0, 9, 0, true},     {0, 11, 0, false},    {20, 40, -45, false},
		{20, 12, -45, true}, {-6, -9, -45, false}, /* the surrounding boxes overlap, the
							      texts do not */
	};
	struct scene_item fixed = {.size = 10, .text_width = 40};
	struct scene_quad a = scene_text_box(&fixed);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene_item other = fixed;
		other.x = rows[i].x;
		other.y = rows[i].y;
		other.angle = rows[i].angle;
		struct scene_quad b = scene_text_box(&other);
		ck_assert_msg(scene_quads_meet(&a, &b) == rows[i].meet, "row %zu", i);
		ck_assert_msg(scene_quads_meet(&b, &a) == rows[i].meet, "row %zu reversed", i);
	}
}
END_TEST

START_TEST(labels_find_a_free_spot)
{
	struct arena arena = {0};
	struct scene *scene = scene_new(&arena, 200, 100, 0xffffff);
	struct scene_bounds all = {0, 0, 200, 100};
	struct scene_style style = {.fill = 0, .stroke = SCENE_NONE};
	struct scene_spot spots[] = {{50, 50, 0, SCENE_START},
				     {50, 70, 0, SCENE_START},
				     {190, 90, 0, SCENE_START},
				     {50, 90, 0, SCENE_START}};
	scene_mark(scene, SCENE_CIRCLE, 60, 48, 6, style);
	scene_line(scene, 0, 66, 200, 66, (struct scene_style){.stroke = 0, .width = 1})->avoid =
		true;
	scene_text(scene, 0, 0, (struct scene_type){.size = 12}, "label");
	ck_assert(scene_place(scene, &all, spots, 4));
	ck_assert_double_eq(scene->items[2].y, 90); /* marker, line, edge, free */
	scene_text(scene, 0, 0, (struct scene_type){.size = 12}, "label");
	ck_assert(scene_place(scene, &all, spots, 4));
	ck_assert_double_eq(scene->items[3].y, 70); /* crossing a line is better than nothing */
	scene_text(scene, 0, 0, (struct scene_type){.size = 12}, "label");
	ck_assert(!scene_place(scene, &all, spots, 4));
	ck_assert_uint_eq(scene->count, 4);
	arena_free(&arena);
}
END_TEST

/* Boxes and areas are in the way of labels only where they say so. */
START_TEST(labels_avoid_boxes_and_areas)
{
	struct scene_bounds all = {0, 0, 200, 100};
	struct scene_spot spots[] = {{50, 50, 0, SCENE_START}, {50, 90, 0, SCENE_START}};
	struct scene_style style = {.fill = 0, .stroke = SCENE_NONE};
	struct scene_point corners[] = {{55, 30}, {70, 60}, {40, 60}};
	for (int i = 0; i < 4; i++) {
		struct arena arena = {0};
		struct scene *scene = scene_new(&arena, 200, 100, 0xffffff);
		struct scene_item *item = i < 2 ? scene_rect(scene, 55, 30, 10, 30, style)
						: scene_polygon(scene, corners, 3, style);
		item->avoid = i % 2;
		scene_text(scene, 0, 0, (struct scene_type){.size = 12}, "label");
		ck_assert(scene_place(scene, &all, spots, 2));
		ck_assert_double_eq(scene->items[1].y, i % 2 ? 90 : 50);
		arena_free(&arena);
	}
}
END_TEST

/* One item of every kind, with hostile texts. */
static struct scene *sample(struct arena *arena)
{
	struct scene *scene = scene_new(arena, 120, 80.5, 0xffffff);
	struct scene_style line = {.fill = SCENE_NONE, .stroke = 0x0072b2, .width = 1.5};
	struct scene_style fill = {.fill = 0xd55e00, .stroke = SCENE_NONE, .opacity = 0.5};
	struct scene_point points[] = {{10, 10}, {20, 10}, {20, 30.004}, {25.555, 40}};
	scene_describe(scene, "A <title>", "Says \"it's\" & more\n");
	line.dash = SCENE_DASHED;
	scene_line(scene, 0, -0.001, 120, 1e300, line);
	line.dash = SCENE_SOLID;
	scene_polyline(scene, points, 4, line);
	scene_polygon(scene, points, 4, fill);
	scene_rect(scene, 1, 2, 30, 4, fill)->radius = 2;
	for (int i = 0; i < SCENE_MARKER_LIMIT; i++)
		scene_mark(scene, (enum scene_marker)i, 10 + 12 * i, 60, 5, fill);
	scene_tooltip(scene, &scene->items[scene->count - 1], "%s",
		      "</title><script>alert(1)</script>");
	scene_arrow(scene, (struct scene_point){5, 70}, (struct scene_point){60, 75}, 0x111111);
	struct scene_type plain = {.size = 12, .colour = 0x111111};
	struct scene_type bold = {9, 0x111111, true, SCENE_MIDDLE};
	scene_text(scene, 60, 40, plain, "<script>\xc2\xb5 'x' \xe2\x80\xae")->halo = 0xffffff;
	scene_text(scene, 110, 40, bold, "up")->angle = -90;
	return scene;
}

START_TEST(svg_is_exact)
{
	struct arena arena = {0};
	struct strbuf out = {0};
	scene_svg(sample(&arena), &out);
	const char *text = strbuf_text(&out);
	ck_assert(strstr(text, "\n<title>A &lt;title&gt;</title>"));
	ck_assert(strstr(text, "<desc>Says &quot;it&#39;s&quot; &amp; more </desc>"));
	ck_assert(strstr(text, "viewBox=\"0 0 120 80.5\" role=\"img\""
			       " aria-label=\"A &lt;title&gt;\" font-family="));
	/* Several pictures may stand in one page. */
	ck_assert(!strstr(text, " id=\""));
	ck_assert(strstr(text, "<line x1=\"0\" y1=\"0\" x2=\"120\" y2=\"0\" fill=\"none\""
			       " stroke=\"#0072b2\" stroke-width=\"1.5\""
			       " stroke-dasharray=\"5,3.5\"/>"));
	ck_assert(strstr(text, "<path d=\"M10,10H20V30L25.56,40\" fill=\"none\""));
	ck_assert(strstr(text,
			 "<path d=\"M10,10H20V30L25.56,40z\" fill=\"#d55e00\" opacity=\"0.5\""));
	ck_assert(strstr(text, "<title>&lt;/title&gt;&lt;script&gt;alert(1)"));
	ck_assert(strstr(text, ">&lt;script&gt;\xc2\xb5 &#39;x&#39; &lt;U+202E&gt;</text>"));
	ck_assert(strstr(text, "text-anchor=\"middle\" transform=\"rotate(-90 110 40)\""));
	ck_assert(!strstr(text, "<script") && !strstr(text, "<style") && !strstr(text, "href"));
	strbuf_free(&out);
	arena_free(&arena);
}
END_TEST

struct reader {
	struct span rest;
};

static cairo_status_t take(void *closure, unsigned char *bytes, unsigned len)
{
	struct reader *reader = closure;
	if (len > reader->rest.len)
		return CAIRO_STATUS_READ_ERROR;
	memcpy(bytes, reader->rest.ptr, len);
	reader->rest.ptr += len;
	reader->rest.len -= len;
	return CAIRO_STATUS_SUCCESS;
}

/* Number of pixels that are not white. */
static size_t count_ink(cairo_surface_t *picture)
{
	size_t ink = 0;
	int width = cairo_image_surface_get_width(picture);
	for (int y = 0; y < cairo_image_surface_get_height(picture); y++) {
		const unsigned char *row = cairo_image_surface_get_data(picture) +
					   y * cairo_image_surface_get_stride(picture);
		for (int x = 0; x < width; x++)
			ink += row[4 * x] != 255 || row[4 * x + 1] != 255 || row[4 * x + 2] != 255;
	}
	return ink;
}

static cairo_surface_t *decode(const struct strbuf *file)
{
	struct reader reader = {strbuf_span(file)};
	cairo_surface_t *picture = cairo_image_surface_create_from_png_stream(take, &reader);
	ck_assert_int_eq(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
	return picture;
}

START_TEST(png_decodes_and_repeats)
{
	struct arena arena = {0};
	struct error err = {0};
	struct strbuf first = {0}, second = {0};
	ck_assert_int_eq(scene_png(sample(&arena), 2, &first, &err), 0);
	ck_assert_int_eq(scene_png(sample(&arena), 2, &second, &err), 0);
	ck_assert(span_eq(strbuf_span(&first), strbuf_span(&second)));
	cairo_surface_t *picture = decode(&first);
	ck_assert_int_eq(cairo_image_surface_get_width(picture), 240);
	ck_assert_int_eq(cairo_image_surface_get_height(picture), 161);
	ck_assert_uint_gt(count_ink(picture), 500);
	cairo_surface_destroy(picture);
	strbuf_free(&first);
	strbuf_free(&second);
	arena_free(&arena);
}
END_TEST

START_TEST(png_has_the_colours_of_the_scene)
{
	struct arena arena = {0};
	struct error err = {0};
	struct strbuf file = {0};
	uint32_t pixels[2];
	struct scene *scene = scene_new(&arena, 2, 1, 0x123456);
	struct scene_style style = {.fill = 0xd55e00, .stroke = SCENE_NONE};
	scene_rect(scene, 1, 0, 1, 1, style);
	ck_assert_int_eq(scene_png(scene, 1, &file, &err), 0);
	cairo_surface_t *picture = decode(&file);
	memcpy(pixels, cairo_image_surface_get_data(picture), sizeof pixels);
	ck_assert_uint_eq(pixels[0] & 0xffffff, 0x123456);
	ck_assert_uint_eq(pixels[1] & 0xffffff, 0xd55e00);
	cairo_surface_destroy(picture);
	strbuf_free(&file);
	arena_free(&arena);
}
END_TEST

START_TEST(pdf_repeats_and_has_no_date)
{
	struct arena arena = {0};
	struct error err = {0};
	struct strbuf first = {0}, second = {0};
	ck_assert_int_eq(scene_pdf(sample(&arena), &first, &err), 0);
	ck_assert_int_eq(scene_pdf(sample(&arena), &second, &err), 0);
	ck_assert(span_starts(strbuf_span(&first), "%PDF-1."));
	ck_assert(span_find(strbuf_span(&first), "CreationDate") == first.len);
	ck_assert(span_eq(strbuf_span(&first), strbuf_span(&second)));
	strbuf_free(&first);
	strbuf_free(&second);
	arena_free(&arena);
}
END_TEST

START_TEST(a_picture_that_cannot_be_is_an_error)
{
	struct arena arena = {0};
	struct error err = {0};
	struct strbuf out = {0};
	strbuf_addstr(&out, "kept");
	static const double sizes[][2] = {{1e6, 1e6}, {0, 10},    {10, 0},        {-1, 10},
					  {10, NAN},  {NAN, 10},  {INFINITY, 10}, {1e300, 10},
					  {10, -1e9}, {16384, 1}, {1, 16384}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct scene *scene = scene_new(&arena, sizes[i][0], sizes[i][1], 0);
		ck_assert_int_eq(scene_png(scene, 2, &out, &err), -1);
		ck_assert_int_eq(err.kind, ERR_USAGE);
		ck_assert_str_eq(strbuf_text(&out), "kept");
	}
	strbuf_free(&out);
	arena_free(&arena);
}
END_TEST

START_TEST(engines_have_the_color_of_their_role)
{
	for (int dark = 0; dark < 2; dark++) {
		const struct palette *palette = palette_of(dark);
		for (size_t i = 0; i < PALETTE_SERIES; i++)
			ck_assert_double_ge(
				palette_contrast(palette->series[i], palette->background), 2);
		ck_assert_uint_eq(palette_engine(palette, "tensor_engine", 5),
				  palette_engine(palette, "Tensor engine", 0));
		ck_assert_uint_eq(palette_engine(palette, "MFMA", 0), palette->tensor);
		ck_assert_uint_eq(palette_engine(palette, "unheard-of", 9), palette->vector);
	}
	ck_assert_double_eq_tol(palette_contrast(0, 0xffffff), 21, 1e-9);
}
END_TEST

UNIT_MAIN("scene", right_to_left_runs_end, texts_are_cleaned, widths_are_those_of_the_widest_font,
	  long_texts_are_shortened_in_the_middle, boxes_follow_anchor_and_angle,
	  quads_meet_only_when_they_overlap, labels_find_a_free_spot, labels_avoid_boxes_and_areas,
	  svg_is_exact, png_decodes_and_repeats, png_has_the_colours_of_the_scene,
	  pdf_repeats_and_has_no_date, a_picture_that_cannot_be_is_an_error,
	  engines_have_the_color_of_their_role)
