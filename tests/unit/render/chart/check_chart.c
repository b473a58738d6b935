/* render: rooflines and engine occupancy, from sample documents and from made-up crowds. */
#include "unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/file.h"
#include "render/chart/chart.h"
#include "render/chart/series/spark.h"
#include "render/scene/palette.h"
#include "render/scene/scene.h"
#include "unit/golden.h"

#define FOLDER "tests/golden/charts/"

static struct json *read_sample(struct arena *arena, const char *name)
{
	struct error err = {0};
	struct span bytes;
	const char *path = arena_printf(arena, FOLDER "%s/document.json", name);
	ck_assert_msg(file_read(arena, path, 1 << 24, &bytes, &err) == 0, "%s", err.text);
	struct json *report = json_parse(arena, bytes, &err);
	ck_assert_msg(report != NULL, "%s", err.text);
	return report;
}

static void set_quantity(struct arena *arena, struct json *object, const char *name, double value)
{
	json_set_number(arena, json_set_object(arena, object, name), "value", value);
}

/* A made-up number in 0 to 1 that is the same in every run of the test. */
static double random_of(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) / 16777216.0;
}

static void add_engines(struct arena *arena, struct json *run, unsigned *seed)
{
	struct json *engines = json_set_array(arena, run, "engines");
	for (int i = 0; i < 14; i++) {
		struct json *engine = json_add_object(arena, engines);
		json_set_text(arena, engine, "name", "a very long name of some engine");
		set_quantity(arena, engine, "occupancy", random_of(seed) * 1.2);
		json_set_number(arena, engine, "baseline_occupancy", random_of(seed));
		struct json *timeline = json_set_array(arena, engine, "timeline");
		for (int k = 0; k < 256; k++)
			json_add_number(arena, timeline, random_of(seed));
	}
}

static void add_run(struct arena *arena, struct json *runs, int number, const char *kernel,
		    unsigned *seed)
{
	struct json *run = json_add_object(arena, runs);
	json_set_text(arena, run, "kernel", arena_printf(arena, "%s%d", kernel, number));
	json_set_text(arena, run, "device", "trn2");
	json_set_number(arena, run, "cores", 2);
	struct json *peaks = json_set_object(arena, run, "peaks");
	set_quantity(arena, peaks, "flops", 157.2864e12);
	set_quantity(arena, peaks, "bandwidth", 716e9);
	struct json *metrics = json_set_object(arena, run, "metrics");
	double ai = pow(10, 3.5 * random_of(seed)), roof = fmin(157.2864e12, ai * 716e9);
	set_quantity(arena, metrics, "arithmetic_intensity", ai);
	set_quantity(arena, metrics, "achieved_flops", roof * pow(10, -2 * random_of(seed)));
	set_quantity(arena, metrics, "total_time", 5e-5 * pow(10, 4 * random_of(seed)));
	/* Only the first runs are drawn with their engines; a timeline each would take long. */
	if (number < 7)
		add_engines(arena, run, seed);
}

static struct json *make_report(struct arena *arena, int count, const char *kernel)
{
	unsigned seed = (unsigned)count;
	struct json *report = json_object(arena);
	struct json *runs = json_set_array(arena, report, "runs");
	for (int i = 0; i < count; i++)
		add_run(arena, runs, i, kernel, &seed);
	return report;
}

static struct scene *draw(struct arena *arena, const char *chart, const struct json *report,
			  bool dark)
{
	struct error err = {0};
	const struct chart_look look = {.dark = dark};
	struct scene *scene;
	ck_assert_msg(chart_find(chart)->draw(arena, report, &look, &scene, &err) == 0, "%s",
		      err.text);
	return scene;
}

static bool is_inside(const struct scene *scene, const struct scene_quad *box)
{
	for (size_t i = 0; i < 4; i++)
		if (box->corner[i].x < 0 || box->corner[i].x > scene->width ||
		    box->corner[i].y < 0 || box->corner[i].y > scene->height)
			return false;
	return true;
}

/* Every text is inside, large enough, readable, and clear of all others. */
static void check_texts(const struct scene *scene)
{
	for (size_t i = 0; i < scene->count; i++) {
		const struct scene_item *a = &scene->items[i];
		if (a->kind != SCENE_TEXT)
			continue;
		struct scene_quad box = scene_text_box(a);
		ck_assert_msg(is_inside(scene, &box), "outside: %s", a->text);
		ck_assert_msg(a->size >= 11, "too small: %s", a->text);
		ck_assert_msg(palette_contrast(a->style.fill, scene->background) >= 4.5,
			      "too pale: %s", a->text);
		for (size_t k = i + 1; k < scene->count; k++) {
			const struct scene_item *b = &scene->items[k];
			if (b->kind != SCENE_TEXT)
				continue;
			struct scene_quad other = scene_text_box(b);
			ck_assert_msg(!scene_quads_meet(&box, &other), "\"%s\" meets \"%s\"",
				      a->text, b->text);
		}
	}
}

static void check_marks(const struct scene *scene)
{
	for (size_t i = 0; i < scene->count; i++) {
		const struct scene_item *item = &scene->items[i];
		ck_assert(isfinite(item->x) && isfinite(item->y) && isfinite(item->w) &&
			  isfinite(item->h));
		if (item->kind == SCENE_MARKER)
			ck_assert(item->x >= 0 && item->x <= scene->width && item->y >= 0 &&
				  item->y <= scene->height);
	}
}

static const struct {
	const char *sample, *chart;
	bool dark, narrow;
} rows[] = {
	{"one", "roofline", false, false},        {"one", "roofline", true, false},
	{"six", "roofline", false, false},        {"gpu", "roofline", true, false},
	{"hostile", "roofline", false, false},    {"devices", "roofline", false, false},
	{"thirty", "roofline", false, false},     {"one", "occupancy", false, false},
	{"two", "occupancy", true, false},        {"gpu", "occupancy", false, false},
	{"hostile", "occupancy", true, false},    {"sweep", "latency", false, false},
	{"sweep", "latency", true, false},        {"doubling", "latency", false, false},
	{"hostile", "occupancy", true, false},    {"levels", "roofline", false, false},
	{"ceilings", "roofline", false, false},   {"formula", "roofline", true, false},
	{"kinds", "roofline", false, false},      {"repeats", "distribution", false, false},
	{"repeats", "distribution", true, false}, {"trend", "trend", false, false},
	{"trend", "trend", true, false},          {"scripts", "roofline", false, false},
	{"scripts", "occupancy", true, false},    {"trend", "trend", false, true},
	{"repeats", "distribution", false, true},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

static struct scene *draw_row(struct arena *arena, size_t i)
{
	const struct chart_look look = {.dark = rows[i].dark,
					.width = rows[i].narrow ? CHART_NARROWEST : 0};
	struct error err = {0};
	struct scene *scene;
	ck_assert_msg(chart_find(rows[i].chart)
				      ->draw(arena, read_sample(arena, rows[i].sample), &look,
					     &scene, &err) == 0,
		      "%s", err.text);
	return scene;
}

START_TEST(charts_equal_the_golden_files)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		struct arena arena = {0};
		struct strbuf out = {0};
		scene_svg(draw_row(&arena, i), &out);
		const char *path = arena_printf(&arena, FOLDER "%s/%s-%s%s.svg", rows[i].sample,
						rows[i].chart, rows[i].narrow ? "narrow-" : "",
						rows[i].dark ? "dark" : "light");
		golden_compare(&arena, path, strbuf_span(&out));
		strbuf_free(&out);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(texts_of_the_samples_have_room)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		struct arena arena = {0};
		check_texts(draw_row(&arena, i));
		arena_free(&arena);
	}
}
END_TEST

/* Enough of XML for what we write: tags nest, attributes are quoted, no stray markup. */
static bool is_well_formed(const char *p)
{
	const char *open[16];
	size_t depth = 0;
	for (; *p; p++) {
		if (*p == '&' && strncmp(p, "&lt;", 4) && strncmp(p, "&gt;", 4) &&
		    strncmp(p, "&amp;", 5) && strncmp(p, "&quot;", 6) && strncmp(p, "&#39;", 5) &&
		    strncmp(p, "&#8206;", 7))
			return false;
		if (*p != '<')
			continue;
		const char *name = p + 1 + (p[1] == '/');
		size_t len = strcspn(name, " />");
		const char *end = name;
		for (bool quoted = false; *end && (quoted || *end != '>'); end++) {
			quoted ^= *end == '"';
			if (*end == '<')
				return false;
		}
		if (!*end)
			return false;
		if (p[1] == '/') {
			if (!depth || strncmp(open[--depth], name, len) != 0)
				return false;
		} else if (end[-1] != '/') {
			if (depth == 16)
				return false;
			open[depth++] = name;
		}
		p = end;
	}
	return depth == 0;
}

START_TEST(svg_is_well_formed_and_harmless)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		struct arena arena = {0};
		struct strbuf out = {0};
		scene_svg(draw_row(&arena, i), &out);
		const char *text = strbuf_text(&out);
		ck_assert_msg(is_well_formed(text), "%s %s", rows[i].sample, rows[i].chart);
		ck_assert(!strstr(text, "<script") && !strstr(text, "href") &&
			  !strstr(text, "url("));
		ck_assert(!strstr(text, "nan") && !strstr(text, "inf\""));
		strbuf_free(&out);
		arena_free(&arena);
	}
}
END_TEST

static bool says(const struct scene *scene, const char *text)
{
	for (size_t i = 0; i < scene->count; i++)
		if (scene->items[i].kind == SCENE_TEXT && strstr(scene->items[i].text, text))
			return true;
	return false;
}

START_TEST(charts_say_what_they_show)
{
	static const struct {
		const char *sample, *chart, *text;
	} said[] = {
		{"six", "roofline", "bf16, 2 cores: 157.3 TFLOP/s"},
		{"six", "roofline", "bf16, 1 core: 78.64 TFLOP/s"},
		{"six", "roofline", "ridge 219.7 FLOP/B (2 cores)"},
		{"six", "roofline", "ridge 109.8 FLOP/B (1 core)"},
		{"six", "roofline", "HBM 716.0 GB/s"},
		{"six", "roofline", "12.4 % of its roof"},
		{"six", "roofline", "s=2048"},
		{"six", "roofline", "fused"},
		{"one", "roofline", "3.52 % of its roof"},
		{"gpu", "roofline", "(1 without matmul FLOP)."},
		{"gpu", "roofline", "built-in table: NVIDIA H100 data sheet"},
		{"levels", "roofline", "L2 4.500 TB/s"},
		{"ceilings", "roofline", "L1 15.60 TB/s, measured"},
		{"levels", "roofline", "bf16 at 1.095 GHz: 242.3 TFLOP/s"},
		{"levels", "roofline", "L1"},
		{"levels", "roofline", "DRAM"},
		{"kinds", "roofline", "without known FLOP or DRAM bytes"},
		{"formula", "roofline", "FLOP and bytes are algorithmic"},
		{"kinds", "roofline", " runs are algorithmic (from the work formula"},
		{"devices", "roofline",
		 "Rooflines of the first 3 devices only; runs on other devices: 1."},
		{"one", "occupancy", "Throttle"},
		{"one", "occupancy", "36.35 µs"},
		{"one", "occupancy", "pp: percentage points from A."},
		{"one", "occupancy", "is the busiest engine: "},
		{"sweep", "latency", "Latency of matmul over M"},
		{"sweep", "latency", "matmul K=512"},
		{"sweep", "latency", "Dashed: tile boundaries (multiples of 128)."},
		{"sweep", "latency", "The time axis does not start at 0."},
		{"sweep", "latency", "Not drawn: 2 without a time or a size."},
		{"sweep", "latency", "Host time, µs"},
		{"sweep", "latency", "360"},
		{"doubling", "latency", "powers of two drawn"},
		{"doubling", "latency", "20"},
		{"trend", "trend", "17.10 % slower since 4f2a1c9"},
		{"trend", "trend", "Total time, µs"},
		{"trend", "trend", "lower is better"},
		{"trend", "trend", "+17.10 % accepted"},
		{"trend", "trend", "+1.00 % ?"},
		{"repeats", "distribution", "n = 1 run"},
		{"repeats", "distribution", "n = 12 executions"},
		{"repeats", "distribution", "n = 5000 executions, 1024 known"},
		{"repeats", "distribution", "unclear (unconfirmed), +12.10 %"},
		{"repeats", "distribution", "1 better, 2 unclear of 4 series"},
		{"trend", "trend", "1 worse, 1 better, 1 accepted of 5 series"},
		{"repeats", "distribution", "Executions of 3 more runs not drawn."},
		{"trend", "trend", "Each point is the median of 2 commits"},
		{"trend", "trend", "2026-11-21: Wider tiles"},
	};
	for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
		struct arena arena = {0};
		struct scene *scene =
			draw(&arena, said[i].chart, read_sample(&arena, said[i].sample), false);
		ck_assert_msg(says(scene, said[i].text), "%s: %s", said[i].sample, said[i].text);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(legends_list_what_is_drawn)
{
	struct arena arena = {0};
	struct json *report = read_sample(&arena, "six");
	for (struct json *run = json_get(report, "runs")->first; run; run = run->next)
		if (strcmp(json_text(run, "variant", ""), "fused") == 0)
			json_get(run, "metrics")->first = NULL;
	struct scene *scene = draw(&arena, "roofline", report, false);
	ck_assert(says(scene, "Not drawn: 3 of 6 runs (3 without known FLOP or HBM bytes)."));
	for (size_t i = 0; i < scene->count; i++)
		ck_assert(scene->items[i].kind != SCENE_TEXT ||
			  strcmp(scene->items[i].text, "fused") != 0);
	arena_free(&arena);
}
END_TEST

/* Commits of 119 places. */
static void add_commits(struct arena *arena, struct json *report)
{
	struct json *list = json_set_array(arena, json_get(report, "gate"), "commits");
	json_set_text(arena, report, "commit_url", "https://example.org/c/");
	for (int i = 0; i < 119; i++) {
		struct json *one = json_add_object(arena, list);
		json_set_text(arena, one, "oid", arena_printf(arena, "%040d", i));
		json_set_text(arena, one, "short", arena_printf(arena, "%010d", i));
		json_set_text(arena, one, "subject", "a <subject>");
		json_set_text(arena, one, "time", "2026-11-21T09:32:51Z");
	}
}

START_TEST(trends_name_and_link_their_commits)
{
	struct arena arena = {0};
	struct strbuf svg = {0};
	struct json *report = read_sample(&arena, "trend");
	add_commits(&arena, report);
	struct scene *scene = draw(&arena, "trend", report, false);
	ck_assert(says(scene, "0000000000") && says(scene, "0000000118"));
	ck_assert(says(scene, "21 Nov 2026"));
	ck_assert(!says(scene, "-50"));
	scene_svg(scene, &svg);
	ck_assert_ptr_nonnull(strstr(
		strbuf_text(&svg), "<a tabindex=\"-1\" href=\"https://example.org/c/000000000000000"
				   "0000000000000000000000060\"><circle"));
	ck_assert_ptr_nonnull(strstr(strbuf_text(&svg), "0000000060 2026-11-21 a &lt;subject&gt;"));
	strbuf_free(&svg);
	arena_free(&arena);
}
END_TEST

START_TEST(a_far_value_does_not_flatten_a_trend)
{
	struct arena arena = {0};
	struct json *report = read_sample(&arena, "trend");
	struct json *trend = json_get(json_first(json_get(report, "gate"), "comparisons"), "trend");
	struct json *point = json_first(trend, "points")->next;
	for (struct json *value = point->first->next; value != point->last; value = value->next)
		value->number = 4.5;
	struct scene *scene = draw(&arena, "trend", report, false);
	ck_assert(says(scene, "1 value outside the range"));
	ck_assert(says(scene, "4.500 s once"));
	ck_assert(says(scene, "50"));
	arena_free(&arena);
}
END_TEST

START_TEST(stopped_series_are_a_line)
{
	struct arena arena = {0};
	struct json *report = read_sample(&arena, "trend");
	struct json *one = (struct json *)json_first(json_get(report, "gate"), "comparisons");
	((struct json *)json_get(one, "verdict"))->text = "stale";
	struct scene *scene = draw(&arena, "trend", report, false);
	ck_assert(says(scene, "1 series not measured at this commit is not drawn: attention, "));
	ck_assert(!says(scene, "slower: Total time 53.30 µs, +17.10 %"));
	arena_free(&arena);
}
END_TEST

/* 40 values of 1, some replaced; NAN is a gap. */
static const char *spark_with(struct arena *arena, const double *replaced, size_t from,
			      size_t count)
{
	struct scene_point points[40];
	static const struct spark_step step = {0.5, true, false};
	for (size_t i = 0; i < 40; i++) {
		double y = i >= from && i < from + count ? replaced[i - from] : 1;
		points[i] = (struct scene_point){(double)i / 39, y};
	}
	const struct spark spark = {.width = 84,
				    .height = 22,
				    .label = "40 commits, 1 change",
				    .verdict = "regressed",
				    .points = points,
				    .count = 40,
				    .steps = &step,
				    .step_count = 1,
				    .band_low = NAN,
				    .band_high = NAN};
	return spark_svg(arena, &spark);
}

START_TEST(sparklines_keep_gaps_and_survive_far_values)
{
	struct arena arena = {0};
	const char *quiet = spark_with(&arena, NULL, 0, 0);
	ck_assert_ptr_nonnull(strstr(quiet, "aria-label=\"40 commits, 1 change\""));
	ck_assert_ptr_nonnull(strstr(quiet, "<path class=\"step worse\" d=\"M84 2V42\"/>"));
	ck_assert_ptr_nonnull(
		strstr(quiet, "<circle class=\"bad\" cx=\"162\" cy=\"22\" r=\"5\"/>"));
	const char *far = spark_with(&arena, (double[]){9}, 20, 1);
	ck_assert_ptr_nonnull(strstr(far, "<path class=\"far\" d=\"M86 0v4\"/>"));
	ck_assert_ptr_nonnull(strstr(far, "cy=\"22\""));
	const char *risen = spark_with(&arena, (double[]){2, 2, 2, 2}, 36, 4);
	ck_assert_ptr_null(strstr(risen, "far"));
	ck_assert_ptr_nonnull(strstr(risen, "cy=\"6\""));
	const char *gap = spark_with(&arena, (double[]){NAN, NAN}, 20, 2);
	ck_assert_ptr_nonnull(strstr(strchr(strstr(gap, "d=\"M") + 4, 'M'), "l"));
	double nothing[40];
	for (size_t i = 0; i < 40; i++)
		nothing[i] = NAN;
	ck_assert_str_eq(spark_with(&arena, nothing, 0, 40), "");
	arena_free(&arena);
}
END_TEST

START_TEST(crowds_are_cut_off_and_say_so)
{
	struct arena arena = {0};
	struct json *report = make_report(&arena, 300, "k");
	struct scene *scene = draw(&arena, "roofline", report, false);
	ck_assert(says(scene, "300 points, labels omitted."));
	ck_assert(says(scene, "The first 20 of 300 series are listed."));
	scene = draw(&arena, "occupancy", report, false);
	ck_assert(says(scene, "293 runs without times of engines are not drawn."));
	ck_assert(says(scene, "1 more run is not drawn."));
	ck_assert(says(scene, "12 more engines are not drawn."));
	arena_free(&arena);
}
END_TEST

/* Boxes in the line of throttles, its track included. */
static size_t windows_in(const struct scene *scene)
{
	size_t count = 0;
	for (size_t i = 0; i < scene->count; i++)
		count += scene->items[i].kind == SCENE_RECT && scene->items[i].h == 8;
	return count;
}

START_TEST(throttle_windows_are_drawn_or_counted)
{
	static const struct {
		size_t windows;
		const char *last_type; /* NULL: none; else one more window, over the whole run */
		size_t drawn;
		const char *note; /* NULL: none */
	} cases[] = {
		{3, NULL, 3, NULL},
		{200, NULL, 200, NULL},
		{201, NULL, 200, "1 throttle window is not drawn."},
		{1024, NULL, 200, "824 throttle windows are not drawn."},
		{3, "merged", 3, "At least 1 throttle window is not drawn."},
		{1024, "merged", 200, "At least 825 throttle windows are not drawn."},
		{3, "power", 4, NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct json *report = make_report(&arena, 1, "k");
		struct json *run = json_get(report, "runs")->first;
		struct json *list = json_set_array(&arena, run, "throttles");
		double total =
			json_number(json_get(json_get(run, "metrics"), "total_time"), "value", NAN);
		for (size_t k = 0; k < cases[i].windows + (cases[i].last_type != NULL); k++) {
			struct json *window = json_add_object(&arena, list);
			bool last = k == cases[i].windows;
			json_set_text(&arena, window, "type", last ? cases[i].last_type : "clock");
			json_set_number(&arena, window, "start",
					last ? 0 : total * (double)k / 1024);
			json_set_number(&arena, window, "duration", last ? total : total / 2048);
			json_set_number(&arena, window, "limit", 0.5);
		}
		const struct scene *scene = draw(&arena, "occupancy", report, false);
		check_texts(scene);
		ck_assert_uint_eq(windows_in(scene), 1 + cases[i].drawn);
		ck_assert_msg(says(scene, cases[i].note ? cases[i].note : "throttle window") ==
				      (cases[i].note != NULL),
			      "case %zu", i);
		arena_free(&arena);
	}
}
END_TEST

static size_t count_of(const struct scene *scene, enum scene_kind kind)
{
	size_t count = 0;
	for (size_t i = 0; i < scene->count; i++)
		count += scene->items[i].kind == kind;
	return count;
}

/* A run whose baseline has the given multiples of its intensity and rate, and repeats around its
 * time. */
static struct json *moved_report(struct arena *arena, double ai, double flops, double slowest)
{
	struct error err = {0};
	const char *text = arena_printf(
		arena,
		"{\"runs\":[{\"kernel\":\"k0\",\"peaks\":{\"flops\":157e12,\"bandwidth\":716e9},"
		"\"metrics\":{\"arithmetic_intensity\":50,\"achieved_flops\":1e13,"
		"\"total_time\":1e-5},\"baseline\":{\"point\":{\"ai\":%g,\"flops\":%g}},"
		"\"samples\":{\"fastest\":1e-5,\"slowest\":%g}}]}",
		50 * ai, 1e13 * flops, 1e-5 * slowest);
	struct json *report = json_parse(arena, span_of(text), &err);
	ck_assert_msg(report != NULL, "%s", err.text);
	return report;
}

/* An arrow only where there is room for more than its head; a box where the mark does not hide it.
 * Polygons are heads and the ground; the legend repeats the arrow, and shows the ground. */
START_TEST(baselines_and_repeats_are_drawn_where_they_show)
{
	static const struct {
		double ai, flops, slowest;
		size_t arrows, marks, boxes; /* a box is two rectangles */
		const char *text;
	} cases[] = {
		{1, 1, 1.001, 0, 1, 0, "Spread of repeats is smaller than the marker."},
		{1.001, 1, 1.001, 0, 1, 0, "Spread of repeats"},
		{1.03, 1, 1.001, 0, 2, 0, "from A (baseline) to B"},
		{2, 0.5, 1.001, 1, 2, 0, "from A (baseline) to B"},
		{1e-3, 1, 3, 1, 2, 1, "Boxes: slowest to fastest repeat."},
		{1e-4, 1, 3, 0, 1, 1, "1 baseline outside the plot."},
		{1, 1, 500, 0, 1, 0, "of its memory roof"}, /* no spread of one measurement */
		{1, 1, 0.5, 0, 1, 0, "of its memory roof"}, /* slower than the slowest */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		const struct scene *scene = draw(
			&arena, "roofline",
			moved_report(&arena, cases[i].ai, cases[i].flops, cases[i].slowest), false);
		size_t key = cases[i].marks - 1;
		ck_assert_msg(count_of(scene, SCENE_POLYGON) == 1 + key + cases[i].arrows,
			      "arrows %zu", i);
		ck_assert_msg(count_of(scene, SCENE_MARKER) == key + cases[i].marks, "marks %zu",
			      i);
		ck_assert_msg(count_of(scene, SCENE_RECT) == 1 + 2 * cases[i].boxes, "boxes %zu",
			      i);
		ck_assert_msg(says(scene, cases[i].text), "says %zu", i);
		check_texts(scene);
		arena_free(&arena);
	}
}
END_TEST

/* Bars show the changes of the parts: one for each reported part, as high as its change. */
START_TEST(a_timeline_difference_is_drawn_in_parts)
{
	static const char text[] =
		"{\"runs\":[{\"kernel\":\"k\",\"engines\":[{\"name\":\"dma\",\"title\":\"DMA\","
		"\"timeline\":[1,0,1,0],\"baseline_timeline\":[1,0,0,1]},{\"name\":\"sync\"}],"
		"\"baseline\":{\"commit\":{\"short\":\"4f2a1c9\"},\"timeline_difference\":{"
		"\"before_seconds\":8e-6,\"after_seconds\":1e-5,\"resolution_seconds\":1e-7,"
		"\"aligned\":%s,\"parts\":["
		"{\"from\":0,\"to\":4e-6,\"baseline_from\":0,\"baseline_to\":1e-6,"
		"\"change_seconds\":3e-6,\"engine\":\"dma\",\"engine_title\":\"DMA\"},"
		"{\"from\":4e-6,\"to\":7e-6,\"baseline_from\":1e-6,\"baseline_to\":4e-6,"
		"\"change_seconds\":0},"
		"{\"from\":7e-6,\"to\":1e-5,\"baseline_from\":4e-6,\"baseline_to\":8e-6,"
		"\"change_seconds\":-1e-6,\"engine\":\"idle\"}]}}}]}";
	for (int aligned = 0; aligned < 2; aligned++) {
		struct arena arena = {0};
		struct error err = {0};
		const char *document = arena_printf(&arena, text, aligned ? "true" : "false");
		const struct json *report = json_parse(&arena, span_of(document), &err);
		ck_assert_msg(report != NULL, "%s", err.text);
		const struct scene *scene = draw(&arena, "timeline", report, false);
		ck_assert(says(scene, "A 4f2a1c9") && says(scene, "8.000 µs"));
		ck_assert(says(scene, "10.00 µs"));
		ck_assert(says(scene, "+3.000 µs DMA") == aligned);
		ck_assert(says(scene, "-1.000 µs idle") == aligned);
		ck_assert(says(scene, "differ too much") == !aligned);
		ck_assert(!says(scene, "sync"));
		double up = 0, down = 0;
		for (size_t i = 0; i < scene->count; i++) {
			const struct scene_item *item = &scene->items[i];
			if (item->kind != SCENE_RECT || !item->tooltip)
				continue;
			up += item->style.fill == palette_of(false)->slower ? item->h : 0;
			down += item->style.fill == palette_of(false)->faster ? item->h : 0;
		}
		ck_assert_double_eq_tol(up, 3 * down, 1e-9);
		ck_assert((down > 5) == aligned);
		check_texts(scene);
		arena_free(&arena);
	}
}
END_TEST

/* Of 10 us the baseline is idle for 5, the run of 20 us for 15: both are folded, so that what is
 * left fills the picture, in one scale. */
START_TEST(idle_stretches_are_folded)
{
	static const char text[] =
		"{\"runs\":[{\"kernel\":\"k\",\"engines\":[{\"name\":\"dma\",\"title\":\"DMA\","
		"\"timeline\":[1,0,0,0,0,0,0,1],\"baseline_timeline\":[1,0,0,1]},"
		"{\"name\":\"pe\",\"title\":\"PE\",\"timeline\":[0,0,0,0,0,0,0,1],"
		"\"baseline_timeline\":[0,0,0,1]}],\"baseline\":{\"timeline_difference\":{"
		"\"before_seconds\":1e-5,\"after_seconds\":2e-5,\"resolution_seconds\":1e-7,"
		"\"aligned\":true,\"parts\":[{\"from\":0,\"to\":2e-5,\"baseline_from\":0,"
		"\"baseline_to\":1e-5,\"change_seconds\":1e-5,\"engine\":\"idle\",\"engine_title\":"
		"\"idle\",\"engine_seconds\":1e-5}]}}}]}";
	static const double widths[] = {0, CHART_NARROWEST};
	for (size_t w = 0; w < 2; w++) {
		struct arena arena = {0};
		struct error err = {0};
		const struct chart_look look = {.width = widths[w]};
		struct scene *scene;
		const struct json *report = json_parse(&arena, span_of(text), &err);
		ck_assert_msg(report != NULL, "%s", err.text);
		ck_assert_int_eq(chart_find("timeline")->draw(&arena, report, &look, &scene, &err),
				 0);
		/* Two zigzags each, and two in the legend. */
		ck_assert_uint_eq(count_of(scene, SCENE_POLYLINE), 6);
		ck_assert_str_eq(scene->title, "k: +10.00 µs in 1 part, idle time +10.00 µs");
		double last[2] = {0, 0}, longest = 0;
		for (size_t i = 0; i < scene->count; i++) {
			const struct scene_item *item = &scene->items[i];
			if (item->kind == SCENE_RECT && item->tooltip &&
			    strstr(item->tooltip, "no engine active for ")) {
				bool after = strstr(item->tooltip, "15.00 µs") != NULL;
				ck_assert(after || strstr(item->tooltip, "5.000 µs"));
				last[after] = item->x;
				ck_assert_double_eq_tol(item->w, 30, 1e-9);
			}
			if (item->kind == SCENE_RECT &&
			    item->style.fill == palette_of(false)->surface)
				longest = fmax(longest, item->x + item->w);
		}
		/* A quarter of 10 us and an eighth of 20 us are equally long. */
		ck_assert_double_eq_tol(last[0], last[1], 1e-9);
		ck_assert_double_eq_tol(longest, scene->width - (w ? 12 : 28), 1e-6);
		check_texts(scene);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(documents_without_what_is_needed_are_refused)
{
	static const struct {
		const char *text, *chart, *message;
	} bad[] = {
		{"{}", "roofline", "no runs to plot"},
		{"{\"runs\":[]}", "occupancy", "no runs to plot"},
		{"{\"runs\":[1,null]}", "roofline", "no runs to plot"},
		{"{\"runs\":[{}]}", "roofline",
		 "no run states the peak FLOP/s and the peak bandwidth of its device: no "
		 "roof to draw. \"rooflog list devices\" lists known peaks by dtype; ingest --set "
		 "dtype=...,device=... states what profiles leave out"},
		{"{\"runs\":[{\"engines\":{}}]}", "occupancy",
		 "no engine activity to plot: these profiles have no per-engine times\nhint: "
		 "neuron-profile view --output-format json, or an NTFF, has them: rooflog ingest "
		 "FILE"},
		{"{\"runs\":[{}]}", "latency",
		 "nothing to plot: no run has both a time and a problem size\nhint: state the size "
		 "of "
		 "each file: rooflog ingest --set s=512 FILE"},
		{"{\"gate\":{\"comparisons\":[{}]}}", "distribution",
		 "no repeats to plot: nothing was compared"},
		{"{\"gate\":{\"comparisons\":[{}]}}", "trend",
		 "no history to plot: measure at least two commits\nhint: rooflog ingest FILE, at "
		 "each "
		 "of them"},
		{"{\"sweep\":{\"lines\":[{\"points\":[{\"x\":0,\"time\":1}]}]}}", "latency",
		 "nothing to plot: no run has both a time and a problem size\nhint: state the size "
		 "of "
		 "each file: rooflog ingest --set s=512 FILE"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct scene *scene = NULL;
		struct json *report = json_parse(&arena, span_of(bad[i].text), &err);
		ck_assert_int_eq(chart_find(bad[i].chart)
					 ->draw(&arena, report, &(struct chart_look){.dark = false},
						&scene, &err),
				 -1);
		ck_assert_int_eq(err.kind, ERR_FORMAT);
		ck_assert_str_eq(err.text, bad[i].message);
		ck_assert_ptr_null(scene);
		arena_free(&arena);
	}
}
END_TEST

/* Members of the wrong type or of absurd size must not break anything. */
START_TEST(odd_documents_do_no_harm)
{
	static const char *const odd[] = {
		"{\"runs\":[{\"peaks\":{\"flops\":1e12,\"bandwidth\":1e9},\"roofs\":7,\"params\":["
		"1,2],"
		"\"metrics\":{\"arithmetic_intensity\":{\"value\":null}},\"engines\":[{}]}]}",
		"{\"runs\":[{\"peaks\":{\"flops\":1e300,\"bandwidth\":1e-300},\"engines\":[1,{"
		"\"timeline\":[\"x\",-1,9]}],\"metrics\":{\"total_time\":1e-300}}]}",
		"{\"runs\":[{\"peaks\":{\"flops\":5,\"bandwidth\":5},\"roofs\":[{\"flops\":-1},{}],"
		"\"metrics\":{\"arithmetic_intensity\":1e-8,\"achieved_flops\":1e23},"
		"\"baseline\":{\"point\":{\"ai\":1e20,\"flops\":1}},\"engines\":[{\"timeline\":[1],"
		"\"occupancy\":-3}],\"throttles\":[{}, {\"start\":-5,\"duration\":1e9}]}]}",
		"{\"gate\":{\"comparisons\":[{\"metric\":7,\"trend\":{\"gap\":\"x\",\"points\":[[],"
		"[3],[9,"
		"1e300,1e300,1e300,1],[-1,2,2,2,2],[5,0,0,0,0],[4,-1,-1,-1,1],7],\"levels\":[[1]],"
		"\"changes\":[{},{\"place\":-4},{\"place\":1e300,\"effect\":1}],\"accepted\":[{}]},"
		"\"distribution\":{\"candidate\":{\"rows\":[{},7,{\"values\":[1e300,null,1,2],"
		"\"minimum\":\"x\",\"quartile_low\":9,\"quartile_high\":1}]}}}]}}",
		"{\"sweep\":{\"x\":3,\"tile\":1e-14,\"lines\":[7,{\"name\":1,\"points\":[{\"x\":1,"
		"\"time\":1e-15},{\"x\":1e15,\"time\":1e15},{},{\"x\":-1,\"time\":null}]}]}}",
		"{\"runs\":[{\"peaks\":{\"flops\":{\"value\":989400000000000},\"bandwidth\":{"
		"\"value\":"
		"3350000000000}},\"roofs\":[{\"label\":\"r\",\"flops\":989400000000000}],"
		"\"levels\":[{"
		"\"name\":\"L1\",\"bytes\":{\"value\":1e+18},\"intensity\":{\"value\":1.6006e-08}},"
		"{"
		"\"name\":\"L2\",\"bytes\":{\"value\":350000000},\"intensity\":{\"value\":"
		"45.73142857142857},\"peak_bandwidth\":{\"value\":1.9787999999999995e+23}}],"
		"\"metrics\":{\"arithmetic_intensity\":{\"value\":101.76340738932292},"
		"\"achieved_flops\":{\"value\":64024000000000}}}]}",
		"{\"sweep\":{\"tile\":128,\"lines\":[{\"points\":[{\"x\":0.001,\"time\":1}]}]}}",
		"{\"runs\":[{\"device\":3,\"kernel\":\"\",\"cores\":-1,\"peaks\":{\"flops\":2e12,"
		"\"bandwidth\":1e12},\"engines\":[{\"title\":\" engine\"}]}]}",
	};
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct json *report = json_parse(&arena, span_of(odd[i]), &err);
		ck_assert_msg(report != NULL, "%s", err.text);
		for (const struct chart *chart = charts; chart->name; chart++) {
			struct scene *scene;
			if (chart->draw(&arena, report, &(struct chart_look){.dark = false}, &scene,
					&err) < 0) {
				ck_assert_int_eq(err.kind, ERR_FORMAT);
				continue;
			}
			check_texts(scene);
			check_marks(scene);
		}
		arena_free(&arena);
	}
}
END_TEST

START_TEST(pictures_repeat)
{
	for (int dark = 0; dark < 2; dark++) {
		struct arena arena = {0};
		struct error err = {0};
		struct strbuf first = {0}, second = {0};
		const struct json *report = read_sample(&arena, "scripts");
		ck_assert_int_eq(scene_png(draw(&arena, "roofline", report, dark), 1, &first, &err),
				 0);
		ck_assert_int_eq(
			scene_png(draw(&arena, "roofline", report, dark), 1, &second, &err), 0);
		ck_assert_uint_gt(first.len, 20000);
		ck_assert(span_eq(strbuf_span(&first), strbuf_span(&second)));
		strbuf_free(&first);
		strbuf_free(&second);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(charts_are_found_by_name)
{
	ck_assert_str_eq(chart_find("roofline")->name, "roofline");
	ck_assert_str_eq(chart_find("occupancy")->name, "occupancy");
	ck_assert_ptr_null(chart_find("pie"));
}
END_TEST

UNIT_MAIN("chart", charts_equal_the_golden_files, texts_of_the_samples_have_room,
	  svg_is_well_formed_and_harmless, charts_say_what_they_show, legends_list_what_is_drawn,
	  crowds_are_cut_off_and_say_so, trends_name_and_link_their_commits,
	  sparklines_keep_gaps_and_survive_far_values, a_far_value_does_not_flatten_a_trend,
	  stopped_series_are_a_line, throttle_windows_are_drawn_or_counted,
	  baselines_and_repeats_are_drawn_where_they_show, a_timeline_difference_is_drawn_in_parts,
	  idle_stretches_are_folded, documents_without_what_is_needed_are_refused,
	  odd_documents_do_no_harm, pictures_repeat, charts_are_found_by_name)
