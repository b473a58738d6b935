/*
 * Geometry of every chart in the table: with one, two, thirty and hundreds of whatever it draws,
 * and with names of all kinds. A chart that this file has no document for fails it.
 */
#include "unit/unit.h"

#include <math.h>
#include <string.h>

#include "render/chart/chart.h"
#include "render/chart/series/trend.h"
#include "render/chart/plot/plot.h"
#include "render/scene/palette.h"
#include "render/scene/scene.h"

/* --- documents --- */

/* A made-up number in 0 to 1 that is the same in every run of the test. */
static double random_of(unsigned *state)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) / 16777216.0;
}

static void set_quantity(struct arena *arena, struct json *object, const char *name, double value)
{
	json_set_number(arena, json_set_object(arena, object, name), "value", value);
}

static void add_bins(struct arena *arena, struct json *engine, const char *name, unsigned *seed)
{
	struct json *timeline = json_set_array(arena, engine, name);
	for (int k = 0; k < 64; k++)
		json_add_number(arena, timeline, random_of(seed) > 0.6 ? random_of(seed) : 0);
}

static void add_engines(struct arena *arena, struct json *run, const char *name, unsigned *seed)
{
	struct json *engines = json_set_array(arena, run, "engines");
	int count = 1 + (int)(random_of(seed) * 14);
	for (int i = 0; i < count; i++) {
		struct json *engine = json_add_object(arena, engines);
		json_set_text(arena, engine, "name", name);
		double share = random_of(seed) * 1.2, before = random_of(seed);
		set_quantity(arena, engine, "occupancy", i ? share : 1);
		json_set_number(arena, engine, "baseline_occupancy", i ? before : 1);
		add_bins(arena, engine, "timeline", seed);
		add_bins(arena, engine, "baseline_timeline", seed);
	}
}

/* Parts that follow each other, some of no length at all. */
static void add_difference(struct arena *arena, struct json *baseline, double total, unsigned *seed)
{
	struct json *out = json_set_object(arena, baseline, "timeline_difference");
	struct json *parts = json_set_array(arena, out, "parts");
	int count = 1 + (int)(random_of(seed) * 12);
	double at = 0, was = 0, before = total * (0.3 + 2 * random_of(seed));
	for (int i = 0; i < count; i++) {
		struct json *part = json_add_object(arena, parts);
		double to = i + 1 == count ? total : at + (total - at) * random_of(seed) / 2;
		double old = i + 1 == count ? before : was + (before - was) * random_of(seed) / 2;
		json_set_number(arena, part, "from", at);
		json_set_number(arena, part, "to", i % 4 == 2 && i + 1 < count ? (to = at) : to);
		json_set_number(arena, part, "baseline_from", was);
		json_set_number(arena, part, "baseline_to", old);
		json_set_number(arena, part, "change_seconds", (to - at) - (old - was));
		json_set_text(arena, part, "engine", i % 3 ? "dma" : "idle");
		at = to;
		was = old;
	}
	json_set_number(arena, out, "before_seconds", before);
	json_set_number(arena, out, "after_seconds", total);
	json_set_number(arena, out, "resolution_seconds", total / 100);
	json_set_bool(arena, out, "aligned", count > 1);
}

/* Where the baseline stands: near, far, outside of everything else. */
static void add_baseline(struct arena *arena, struct json *run, double ai, double flops,
			 unsigned *seed)
{
	static const double factors[] = {1, 1.001, 1.05, 0.5, 30, 1e-4};
	struct json *baseline = json_set_object(arena, run, "baseline");
	struct json *point = json_set_object(arena, baseline, "point");
	double x = factors[(int)(random_of(seed) * 6)], y = factors[(int)(random_of(seed) * 6)];
	json_set_number(arena, point, "ai", ai * x);
	json_set_number(arena, point, "flops", flops * y);
	json_set_text(arena, json_set_object(arena, baseline, "commit"), "short", "4f2a1c9b02");
	add_difference(arena, baseline, 5e-5, seed);
}

static void add_spread(struct arena *arena, struct json *run, double time, unsigned *seed)
{
	struct json *spread = json_add_object(arena, json_set_array(arena, run, "spreads"));
	double width = pow(10, -3 * random_of(seed));
	json_set_text(arena, spread, "metric", "total_time");
	json_set_number(arena, spread, "count", 2 + floor(200 * random_of(seed)));
	set_quantity(arena, spread, "minimum", time * (1 - width / 2));
	set_quantity(arena, spread, "maximum", time * (1 + width));
	set_quantity(arena, spread, "median", time);
}

static void add_run(struct arena *arena, struct json *runs, int number, const char *name,
		    unsigned *seed)
{
	static const char *const levels[] = {"L1", "L2", "DRAM"};
	struct json *run = json_add_object(arena, runs);
	double ai = pow(10, 3.5 * random_of(seed)), roof = fmin(157.2864e12, ai * 716e9);
	double flops = roof * pow(10, -2 * random_of(seed));
	json_set_text(arena, run, "kernel", arena_printf(arena, "%s%d", name, number / 3));
	json_set_text(arena, run, "variant", number % 3 ? name : "v2");
	json_set_text(arena, run, "device", number % 40 == 39 ? name : "trn2");
	json_set_number(arena, run, "cores", 2);
	struct json *peaks = json_set_object(arena, run, "peaks");
	set_quantity(arena, peaks, "flops", 157.2864e12);
	set_quantity(arena, peaks, "bandwidth", 716e9);
	json_set_text(arena, peaks, "flops_source", name);
	struct json *metrics = json_set_object(arena, run, "metrics");
	set_quantity(arena, metrics, "arithmetic_intensity", ai);
	set_quantity(arena, metrics, "achieved_flops", flops);
	set_quantity(arena, metrics, "total_time", 5e-5);
	add_baseline(arena, run, ai, flops, seed);
	add_spread(arena, run, 5e-5, seed);
	struct json *list = json_set_array(arena, run, "levels");
	for (int i = 0; i < 3; i++) {
		struct json *level = json_add_object(arena, list);
		json_set_text(arena, level, "name", levels[i]);
		set_quantity(arena, level, "intensity", ai * pow(10, i - 2));
		set_quantity(arena, level, "peak_bandwidth", 716e9 * pow(10, 2 - i));
	}
	/* Only the first runs are drawn with their engines; a timeline each would take long. */
	if (number < 7)
		add_engines(arena, run, name, seed);
}

static struct json *report_of(struct arena *arena, int count, const char *name)
{
	unsigned seed = (unsigned)count;
	struct json *report = json_object(arena);
	struct json *runs = json_set_array(arena, report, "runs");
	for (int i = 0; i < count; i++)
		add_run(arena, runs, i, name, &seed);
	return report;
}

/* Lines over a size: of one point to hundreds, near and far apart. */
static struct json *sweep_of(struct arena *arena, int count, const char *name)
{
	unsigned seed = (unsigned)count;
	struct json *report = json_object(arena), *sweep = json_set_object(arena, report, "sweep");
	json_set_text(arena, sweep, "x", name);
	json_set_text(arena, sweep, "subject", name);
	json_set_text(arena, sweep, "common", name);
	json_set_number(arena, sweep, "tile", count % 2 ? 128 : NAN);
	json_set_number(arena, sweep, "skipped", count);
	struct json *lines = json_set_array(arena, sweep, "lines");
	for (int i = 0; i < count; i++) {
		struct json *line = json_add_object(arena, lines);
		json_set_text(arena, line, "name", arena_printf(arena, "%s%d", name, i));
		struct json *points = json_set_array(arena, line, "points");
		double x = 1, step = count % 3 ? 32 : 0;
		for (int k = 0; k < 1 + count % 40; k++) {
			struct json *point = json_add_object(arena, points);
			json_set_number(arena, point, "x", x);
			json_set_number(arena, point, "time",
					1e-4 * pow(10, 2.0 * (count % 2) * random_of(&seed)));
			x = step > 0 ? x + step : x * 2;
		}
	}
	return report;
}

/* Operators of a shape each, or one of many shapes. */
static struct json *fusion_of(struct arena *arena, int count, const char *name)
{
	unsigned seed = (unsigned)count;
	struct json *document = json_object(arena);
	json_set_number(arena, document, "margin", count % 2 ? 0 : 0.3);
	struct json *operators = json_set_array(arena, document, "operators"), *shapes = NULL;
	for (int i = 0; i < count; i++) {
		if (i % 25 == 0 || count < 31) {
			struct json *one = json_add_object(arena, operators);
			json_set_text(arena, one, "kernel", arena_printf(arena, "%s%d", name, i));
			json_set_text(arena, one, "device", name);
			shapes = json_set_array(arena, one, "shapes");
		}
		struct json *shape = json_add_object(arena, shapes);
		double speedup = 0.2 + 3 * random_of(&seed);
		json_set_text(arena, shape, "shape",
			      arena_printf(arena, "[%d, 64, 512]", 1 << (i % 13)));
		json_set_number(arena, shape, "speedup", speedup);
		json_set_number(arena, shape, "lowest", speedup * 0.9);
		json_set_number(arena, shape, "highest", speedup * (1 + random_of(&seed)));
		json_set_text(arena, shape, "decision", i % 3 ? "fuse" : "undecided");
	}
	return document;
}

static struct json *buckets_of(struct arena *arena, int count, const char *name)
{
	unsigned seed = (unsigned)count;
	struct json *document = json_object(arena);
	struct json *list = json_set_array(arena, document, "shapes");
	for (int i = 0; i < 1 + count / 60; i++) {
		struct json *shape = json_add_object(arena, list);
		json_set_text(arena, shape, "name", name);
		json_set_text(arena, shape, "common", name);
		json_set_text(arena, shape, "x", name);
		struct json *measured = json_set_array(arena, shape, "measured");
		struct json *plan = json_add_object(arena, json_set_array(arena, shape, "plans"));
		struct json *buckets = json_set_array(arena, plan, "buckets");
		json_set_text(arena, plan, "name", name);
		json_set_number(arena, plan, "seconds", 1e-3);
		json_set_number(arena, plan, "covered", 0.5);
		json_set_number(arena, plan, "waste", 0.1);
		double size = 1, time = 1e-5;
		for (int k = 0; k < count; k++) {
			struct json *object = json_add_object(arena, k % 5 ? measured : buckets);
			size = count % 2 ? size + 64 : size * 1.09;
			time *= 1 + random_of(&seed) / 10;
			json_set_number(arena, object, "size", floor(size) + k);
			json_set_number(arena, object, "seconds", time);
			json_set_number(arena, object, "share", random_of(&seed));
		}
	}
	return document;
}

static void add_pair(struct arena *arena, struct json *list, int row, int column)
{
	struct json *pair = json_add_object(arena, list);
	struct json *sizes = json_set_array(arena, pair, "sizes");
	json_add_number(arena, sizes, 128 * (row + 1));
	json_add_number(arena, sizes, 64 * (column + 1));
	json_set_number(arena, pair, "seconds", 1e-5 * (row + 2) * (column + 2));
	json_set_number(arena, pair, "used_seconds", 1e-5 * (row + 1) * (column + 1));
}

/* Buckets over two sizes, `count` of each: one for all. */
static struct json *grids_of(struct arena *arena, int count, const char *name)
{
	struct json *document = json_object(arena);
	struct json *grid = json_add_object(arena, json_set_array(arena, document, "grids"));
	struct json *parameters = json_set_array(arena, grid, "parameters");
	json_set_text(arena, grid, "name", name);
	json_set_text(arena, grid, "common", name);
	json_add_text(arena, parameters, name);
	json_add_text(arena, parameters, name);
	struct json *measured = json_set_array(arena, grid, "measured");
	for (int i = 0; i < count * count; i++)
		add_pair(arena, measured, i / count, i % count);
	struct json *plan = json_add_object(arena, json_set_array(arena, grid, "plans"));
	struct json *lists = json_set_array(arena, plan, "sizes");
	for (int side = 0; side < 2; side++)
		json_add_number(arena, json_add_array(arena, lists), (side ? 64 : 128) * count);
	add_pair(arena, json_set_array(arena, plan, "buckets"), count - 1, count - 1);
	json_set_text(arena, plan, "name", name);
	json_set_number(arena, plan, "seconds", 1e-3);
	return document;
}

static void add_row(struct arena *arena, struct json *list, const double *numbers, size_t count)
{
	struct json *row = json_add_array(arena, list);
	for (size_t i = 0; i < count; i++)
		json_add_number(arena, row, numbers[i]);
}

static void add_changes(struct arena *arena, struct json *trend, int count)
{
	struct json *changes = json_set_array(arena, trend, "changes");
	struct json *accepted = json_set_array(arena, trend, "accepted");
	for (int i = 0; i < count % 40; i++) {
		struct json *change = json_add_object(arena, changes);
		json_set_number(arena, change, "place", (count % 40 - i) * (count / 40 + 1));
		json_set_number(arena, change, "effect", i % 2 ? 0.1 : -0.1);
		json_set_text(arena, change, "effect_text", i % 2 ? "+10.00 %" : "-10.00 %");
		json_set_bool(arena, change, "confirmed", i % 3);
		json_set_bool(arena, change, i % 2 ? "worse" : "better", true);
	}
	json_set_number(arena, json_add_object(arena, accepted), "place", 1);
}

/* Series of `count` commits, of any size, some of them in bins or with gaps. */
static struct json *trends_of(struct arena *arena, int count, const char *kernel)
{
	static const char *const metrics[] = {"total_time", "hbm_bytes", "mfu", "achieved_flops"};
	unsigned seed = (unsigned)count;
	struct json *report = json_object(arena), *gate = json_set_object(arena, report, "gate");
	struct json *list = json_set_array(arena, gate, "comparisons");
	for (int i = 0; i < 5; i++) {
		struct json *one = json_add_object(arena, list);
		json_set_text(arena, one, "kernel", kernel);
		json_set_text(arena, one, "metric", metrics[i % 4]);
		json_set_text(arena, one, "verdict", "regressed");
		struct json *trend = json_set_object(arena, one, "trend");
		json_set_number(arena, trend, "gap", 3);
		struct json *points = json_set_array(arena, trend, "points");
		double size = pow(10, 24 * random_of(&seed) - 12);
		for (int k = count; k-- > 0;) {
			double at = size * (1 + random_of(&seed) * (i % 2 ? 0.01 : 30));
			double row[] = {k * (1 + k % 7 / 6), at, at, i % 3 ? at : at * 1.1, 1};
			add_row(arena, points, row, 5);
		}
		set_quantity(arena, trend, "candidate", size);
		add_changes(arena, trend, count);
	}
	return report;
}

/* As many repeats, known one by one, by their figures alone, or not at all. */
static void add_repeats(struct arena *arena, struct json *comparison, int count, double size)
{
	static const char *const sides[] = {"baseline", "candidate"};
	struct json *both = json_set_object(arena, comparison, "distribution");
	unsigned seed = (unsigned)count;
	for (int i = 0; i < 2; i++) {
		struct json *side = json_set_object(arena, both, sides[i]);
		json_set_text(arena, json_set_object(arena, side, "commit"), "short", "4f2a1c9a2b");
		struct json *rows = json_set_array(arena, side, "rows");
		for (int k = 0; k < 1 + count % 8; k++) {
			struct json *row = json_add_object(arena, rows);
			json_set_number(arena, row, "count", count + 1); /* two at least */
			json_set_text(arena, row, "what", "executions");
			set_quantity(arena, row, "minimum", size);
			set_quantity(arena, row, k % 2 ? "mean" : "median", size * 1.5);
			set_quantity(arena, row, "maximum", size * 2);
			json_set_number(arena, row, "quartile_low", size * 1.2);
			json_set_number(arena, row, "quartile_high", size * 1.7);
			struct json *values = json_set_array(arena, row, "values");
			for (int v = 0; v < count && k % 3 < 2; v++)
				json_add_number(arena, values, size * (1 + random_of(&seed)));
		}
	}
}

static struct json *distributions_of(struct arena *arena, int count, const char *kernel)
{
	unsigned seed = (unsigned)count;
	struct json *report = json_object(arena), *gate = json_set_object(arena, report, "gate");
	struct json *list = json_set_array(arena, gate, "comparisons");
	for (int i = 0; i < 5; i++) {
		struct json *one = json_add_object(arena, list);
		json_set_text(arena, one, "kernel", kernel);
		json_set_text(arena, one, "metric", "total_time");
		json_set_text(arena, one, "verdict", "regressed");
		add_repeats(arena, one, count, pow(10, 24 * random_of(&seed) - 12));
	}
	return report;
}

static const struct {
	const char *chart;
	struct json *(*make)(struct arena *arena, int count, const char *name);
	bool framed; /* marks stand between axes */
} makers[] = {
	{"roofline", report_of, true},  {"occupancy", report_of, false},
	{"timeline", report_of, false}, {"latency", sweep_of, true},
	{"fusion", fusion_of, true},    {"buckets", buckets_of, true},
	{"trend", trends_of, false},    {"distribution", distributions_of, false},
};

/* Draws for a light page; `width` 0 is the usual one. */
static struct scene *draw(struct arena *arena, const struct chart *chart, int count,
			  const char *name, double width)
{
	struct error err = {0};
	struct scene *scene = NULL;
	size_t i = 0, makers_count = sizeof makers / sizeof *makers;
	while (i < makers_count && strcmp(makers[i].chart, chart->name) != 0)
		i++;
	ck_assert_msg(i < makers_count, "no document to draw the chart %s from", chart->name);
	ck_assert_msg(chart->draw(arena, makers[i].make(arena, count, name),
				  &(struct chart_look){.width = width}, &scene, &err) == 0,
		      "%s: %s", chart->name, err.text);
	ck_assert_msg((scene->frame.right > scene->frame.left) == makers[i].framed,
		      "%s: whether it says where its axes are", chart->name);
	return scene;
}

/* --- what holds for all of them --- */

static bool is_inside(const struct scene *scene, double x, double y)
{
	return x >= 0 && x <= scene->width && y >= 0 && y <= scene->height;
}

/* What is wrong with a text, or NULL. */
static const char *fault_of_text(const struct scene *scene, const struct scene_item *item)
{
	struct scene_quad box = scene_text_box(item);
	for (size_t i = 0; i < 4; i++)
		if (!is_inside(scene, box.corner[i].x, box.corner[i].y))
			return "is outside";
	if (item->size < 11)
		return "is too small";
	if (palette_contrast(item->style.fill, scene->background) < 4.5)
		return "is too pale";
	return NULL;
}

/* Legends stand below the title of the axis. */
static bool is_in_frame(const struct scene_bounds *frame, const struct scene_item *mark)
{
	const double slack = 1e-6, legend = 45;
	if (!(frame->right > frame->left) || mark->y > frame->bottom + legend)
		return true;
	return mark->x >= frame->left - slack && mark->x <= frame->right + slack &&
	       mark->y >= frame->top - slack && mark->y <= frame->bottom + slack;
}

static const char *fault_of_place(const struct scene *scene, const struct scene_item *item)
{
	double reach = item->kind == SCENE_MARKER ? item->radius : 0;
	bool box = item->kind == SCENE_RECT || item->kind == SCENE_LINE;
	if (!isfinite(item->x + item->y + item->w + item->h))
		return "is nowhere";
	if (item->kind == SCENE_RECT && (item->w < 0 || item->h < 0))
		return "is inside out";
	if (!is_inside(scene, item->x - reach, item->y - reach) ||
	    !is_inside(scene, item->x + reach, item->y + reach) ||
	    (box && !is_inside(scene, item->x + item->w, item->y + item->h)))
		return "is outside";
	if (item->kind == SCENE_MARKER && !is_in_frame(&scene->frame, item))
		return "is beside the axes";
	for (size_t i = 0; i < item->point_count; i++)
		if (!is_inside(scene, item->points[i].x, item->points[i].y))
			return "has a corner outside";
	return NULL;
}

/* The first fault of a scene, or NULL. */
static const char *fault_of(struct arena *arena, const struct scene *scene)
{
	static const char *const kinds[] = {"line", "curve", "area", "box", "mark", "text"};
	for (size_t i = 0; i < scene->count; i++) {
		const struct scene_item *a = &scene->items[i];
		const char *fault =
			a->kind == SCENE_TEXT ? fault_of_text(scene, a) : fault_of_place(scene, a);
		if (fault)
			return arena_printf(arena, "%s \"%s\" at %g, %g %s", kinds[a->kind],
					    a->text ? a->text : "", a->x, a->y, fault);
		struct scene_quad box = scene_text_box(a);
		for (size_t k = i + 1; k < scene->count && a->kind == SCENE_TEXT; k++) {
			const struct scene_item *b = &scene->items[k];
			struct scene_quad other = scene_text_box(b);
			if (b->kind == SCENE_TEXT && scene_quads_meet(&box, &other))
				return arena_printf(arena, "\"%s\" meets \"%s\"", a->text, b->text);
		}
	}
	return NULL;
}

/* 200 characters each, but for the first. */
static const char *const alphabets[] = {
	"W",
	"\xe4\xb8\xad",         /* Chinese */
	"\xf0\x9f\x9a\x80",     /* a rocket */
	"\xd7\xa9",             /* Hebrew: right to left */
	"\xe2\x80\xae<script>", /* an override of the direction, and markup */
	"|`&\"'<",
};
enum { ALPHABETS = sizeof alphabets / sizeof *alphabets };

static const char *name_of(struct arena *arena, size_t alphabet)
{
	struct strbuf sb = {0};
	if (alphabet >= ALPHABETS)
		return "k";
	strbuf_repeat(&sb, alphabets[alphabet], 200);
	return strbuf_into(&sb, arena);
}

START_TEST(nothing_overlaps_or_leaves_the_picture)
{
	static const int counts[] = {1, 2, 3, 6, 8, 9, 30, 36, 37, 300};
	/* A crowd takes long, and names few: one alphabet and the short names will do. */
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		for (size_t k = counts[i] > 100 ? ALPHABETS - 1 : 0; k <= ALPHABETS; k++)
			for (const struct chart *chart = charts; chart->name; chart++) {
				const double widths[] = {0, CHART_NARROWEST, 400};
				struct arena arena = {0};
				double width = widths[(i + k) % 3];
				struct scene *scene =
					draw(&arena, chart, counts[i], name_of(&arena, k), width);
				const char *fault = fault_of(&arena, scene);
				ck_assert_msg(!fault, "%s of %d, names %zu, width %g: %s",
					      chart->name, counts[i], k, width, fault);
				ck_assert_double_le(scene->height, 4000);
				arena_free(&arena);
			}
}
END_TEST

/* Axes, levels, changes and lone bins: nothing in a trend is slanted but the curve. */
START_TEST(lines_of_trends_are_upright_or_level)
{
	for (int count = 1; count <= 37; count += 4) {
		struct arena arena = {0};
		struct scene *scene = draw(&arena, chart_find("trend"), count, "k", 0);
		for (size_t i = 0; i < scene->count; i++)
			if (scene->items[i].kind == SCENE_LINE)
				ck_assert_msg(scene->items[i].w == 0 || scene->items[i].h == 0,
					      "%d points: a line from %g, %g by %g, %g", count,
					      scene->items[i].x, scene->items[i].y,
					      scene->items[i].w, scene->items[i].h);
		arena_free(&arena);
	}
}
END_TEST

/* Trends and distributions for a phone: nothing is smaller or nearer than in the usual width. */
START_TEST(narrow_histories_fit)
{
	static const char *const names[] = {"trend", "distribution"};
	static const int counts[] = {1, 2, 9, 36, 300};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		for (size_t k = 0; k < 2; k++) {
			struct arena arena = {0};
			struct error err = {0};
			struct scene *scene = NULL;
			const struct chart_look look = {.width = CHART_NARROWEST};
			const struct json *report = (k ? distributions_of : trends_of)(
				&arena, counts[i], "attention_of_a_long_name_with_a_tail");
			ck_assert_int_eq(
				chart_find(names[k])->draw(&arena, report, &look, &scene, &err), 0);
			ck_assert_double_eq(scene->width, CHART_NARROWEST);
			const char *fault = fault_of(&arena, scene);
			ck_assert_msg(!fault, "%s of %d: %s", names[k], counts[i], fault);
			for (size_t n = 0; n < scene->count; n++)
				ck_assert(scene->items[n].kind != SCENE_TEXT ||
					  scene->items[n].size >= 11);
			arena_free(&arena);
		}
}
END_TEST

START_TEST(maps_of_two_sizes_fit)
{
	static const double widths[] = {0, CHART_NARROWEST, 400};
	for (int count = 1; count <= 64; count += count < 12 ? 1 : 13)
		for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
			struct arena arena = {0};
			struct error err = {0};
			struct scene *scene = NULL;
			const struct chart_look look = {.width = widths[i]};
			const struct json *document = grids_of(&arena, count, i ? "s" : "WWWW");
			ck_assert_int_eq(
				chart_find("buckets")->draw(&arena, document, &look, &scene, &err),
				0);
			const char *fault = fault_of(&arena, scene);
			ck_assert_msg(!fault, "%d sizes at %g px: %s", count, widths[i], fault);
			arena_free(&arena);
		}
}
END_TEST

/* Ids and days below a trend of any width, of few commits and of many. */
START_TEST(commits_of_an_axis_stand_apart)
{
	static const double widths[] = {240, 327, 400, 640, 880};
	for (int count = 1; count <= 41; count++)
		for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
			struct arena arena = {0};
			const struct json *one = json_first(
				json_get(trends_of(&arena, count, "k"), "gate"), "comparisons");
			struct trend_commit items[200];
			for (size_t k = 0; k < 200; k++)
				items[k] = (struct trend_commit){
					.id = "d3dfb86bd9",
					.day = k < 60 ? "2026-11-28" : "2026-08-02",
					.subject = "subject",
					.release = k % 7 == 3 ? "v1.2.0-rc1" : NULL};
			const struct trend_commits commits = {items, 200};
			const struct trend_view view = {.size = {widths[i], 260},
							.heading = count % 2,
							.commits = &commits};
			const char *fault = fault_of(&arena, chart_trend_of(&arena, one, &view));
			ck_assert_msg(!fault, "%d commits at %g px: %s", count, widths[i], fault);
			arena_free(&arena);
		}
}
END_TEST

/* In a page that is light or dark every colour of a picture is one of the page's. */
START_TEST(pictures_of_pages_have_no_colours_of_their_own)
{
	for (const struct chart *chart = charts; chart->name; chart++) {
		struct arena arena = {0};
		const char *svg = scene_page_svg(&arena, draw(&arena, chart, 9, "k", 0));
		const char *fixed = strstr(svg, "=\"#");
		ck_assert_msg(!fixed, "%s: %.20s", chart->name, fixed ? fixed : "");
		ck_assert_ptr_nonnull(strstr(svg, "=\"var(--c"));
		arena_free(&arena);
	}
}
END_TEST

/* Each rule refuses a scene that breaks it. */
START_TEST(faults_are_seen)
{
	static const char *const faults[] = {
		"is outside",        "meets",         "is too small", "is too pale",
		"is outside",        "is inside out", "is nowhere",   "has a corner outside",
		"is beside the axes"};
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		struct arena arena = {0};
		struct scene *scene = scene_new(&arena, 100, 100, 0xffffff);
		struct scene_style style = {.fill = 0, .stroke = SCENE_NONE};
		struct scene_point corners[] = {{5, 5}, {5, 200}, {9, 9}};
		scene->frame = (struct scene_bounds){20, 10, 90, 90};
		scene_text(scene, 10, 50, (struct scene_type){.size = 11}, "here");
		ck_assert_ptr_null(fault_of(&arena, scene));
		if (i < 4)
			scene_text(scene, i == 0 ? 90 : 12, i == 1 ? 52 : 80,
				   (struct scene_type){i == 2 ? 10 : 11, i == 3 ? 0xbbbbbb : 0,
						       false, SCENE_START},
				   "there");
		if (i == 4)
			scene_mark(scene, SCENE_CIRCLE, 98, 5, 3, style);
		if (i == 5 || i == 6)
			scene_rect(scene, 5, 5, i == 5 ? -2 : (double)NAN, 5, style);
		if (i == 7)
			scene_polygon(scene, corners, 3, style);
		if (i == 8)
			scene_mark(scene, SCENE_CIRCLE, 15, 20, 3, style);
		const char *fault = fault_of(&arena, scene);
		ck_assert_msg(fault && strstr(fault, faults[i]), "%zu: %s", i,
			      fault ? fault : "no fault");
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("chart_geometry", nothing_overlaps_or_leaves_the_picture,
	  lines_of_trends_are_upright_or_level, commits_of_an_axis_stand_apart,
	  narrow_histories_fit, maps_of_two_sizes_fit,
	  pictures_of_pages_have_no_colours_of_their_own, faults_are_seen)
