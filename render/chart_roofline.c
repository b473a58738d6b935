/*
 * The roofline. Points are named where they stand when there are few; else they
 * are numbered and named below the plot, and a crowd is told apart by series alone.
 */
#include "render/chart_roofline.h"

#include <math.h>
#include <string.h>

#include "base/quantity.h"
#include "base/strbuf.h"
#include "render/chart_plot.h"
#include "render/chart_roofs.h"
#include "render/chart_run.h"

enum { NAMED_LIMIT = 8, NUMBERED_LIMIT = 36, SERIES_LIMIT = 20 };
static const double name_width = 190; /* longer names are numbered */

enum skip { SKIP_NOT, SKIP_NO_FLOP, SKIP_NO_BYTES, SKIP_UNKNOWN, SKIP_LIMIT };

struct point {
	const struct chart_run *run;
	double ai, flops, attainable; /* attainable is NAN without peaks */
	double base_ai, base_flops;   /* of the baseline, NAN when there is none */
	struct scene_point at;
	enum skip skip;
};

struct drawing {
	struct chart_plot plot;
	struct chart_runs runs;
	struct chart_roof_sets sets;
	struct point *points; /* one per run */
	size_t drawn;
	bool numbered;
};

static bool drawable(double value)
{
	return value > 1e-9 && value < 1e24;
}

static enum skip skip_of(const struct json *run, const struct point *point)
{
	if (drawable(point->ai) && drawable(point->flops))
		return SKIP_NOT;
	double useful = chart_metric(run, "useful_flops");
	if (useful == 0 || point->flops == 0 || chart_metric(run, "hardware_flops") == 0)
		return SKIP_NO_FLOP;
	return chart_metric(run, "hbm_bytes") == 0 ? SKIP_NO_BYTES : SKIP_UNKNOWN;
}

static void read_point(struct point *point, const struct chart_run *run)
{
	const struct json *peaks = json_get(run->json, "peaks");
	const struct json *base = json_get(json_get(run->json, "baseline"), "point");
	point->run = run;
	point->ai = chart_metric(run->json, "arithmetic_intensity");
	point->flops = chart_metric(run->json, "achieved_flops");
	point->attainable = chart_metric(run->json, "attainable_flops");
	double roof = chart_number(peaks, "flops"), slope = chart_number(peaks, "bandwidth");
	if (isnan(point->attainable) && roof > 0 && slope > 0)
		point->attainable = fmin(roof, slope * point->ai);
	if (!drawable(point->attainable))
		point->attainable = NAN;
	point->base_ai = chart_number(base, "ai");
	point->base_flops = chart_number(base, "flops");
	if (!drawable(point->base_ai) || !drawable(point->base_flops))
		point->base_ai = point->base_flops = NAN;
	point->skip = skip_of(run->json, point);
}

static int read_points(struct drawing *drawing, struct error *err)
{
	drawing->points =
		arena_array(drawing->plot.arena, drawing->runs.count, sizeof *drawing->points);
	for (size_t i = 0; i < drawing->runs.count; i++) {
		read_point(&drawing->points[i], &drawing->runs.items[i]);
		chart_roofs_add(&drawing->sets, drawing->runs.items[i].json);
		drawing->drawn += drawing->points[i].skip == SKIP_NOT;
	}
	if (!drawing->sets.count)
		return error_set(err, ERR_FORMAT,
				 "no run states the peak FLOP/s and the peak bandwidth of its "
				 "device: there is no roof to draw");
	return 0;
}

static void widen(double *low, double *high, double value)
{
	if (value < *low)
		*low = value;
	if (value > *high)
		*high = value;
}

/* Data, ridges and roofs with margins. */
static void set_ranges(struct drawing *drawing)
{
	double x[2] = {INFINITY, 0}, y[2] = {INFINITY, 0};
	for (size_t i = 0; i < drawing->sets.count; i++) {
		const struct chart_roof_set *set = &drawing->sets.items[i];
		for (size_t k = 0; k < set->count; k++) {
			double ridge = set->roofs[k].flops / set->bandwidth;
			widen(&x[0], &x[1], ridge / 5);
			widen(&x[0], &x[1], ridge * 4);
			widen(&y[0], &y[1], set->roofs[k].flops / 50);
			widen(&y[0], &y[1], set->roofs[k].flops * 2);
		}
	}
	for (size_t i = 0; i < drawing->runs.count; i++) {
		const struct point *point = &drawing->points[i];
		if (point->skip)
			continue;
		widen(&x[0], &x[1], point->ai / 2.5);
		widen(&x[0], &x[1], point->ai * 4); /* room for the roofs' labels */
		widen(&y[0], &y[1], point->flops / 3);
		widen(&y[0], &y[1], point->flops * 2);
		widen(&x[0], &x[1], point->base_ai / 2);
		widen(&x[0], &x[1], point->base_ai * 2);
		widen(&y[0], &y[1], point->base_flops / 3);
	}
	chart_round_range(&x[0], &x[1], 2);
	chart_round_range(&y[0], &y[1], 2);
	struct scene_bounds *area = &drawing->plot.area;
	*area = (struct scene_bounds){122, 76, CHART_WIDTH - CHART_MARGIN, 446};
	drawing->plot.x = (struct chart_axis){x[0], x[1], area->left, area->right, true};
	drawing->plot.y = (struct chart_axis){y[0], y[1], area->bottom, area->top, true};
	for (size_t i = 0; i < drawing->runs.count; i++) {
		struct point *point = &drawing->points[i];
		if (point->skip)
			continue;
		point->at.x = chart_at(&drawing->plot.x, point->ai);
		point->at.y = chart_at(&drawing->plot.y, point->flops);
	}
}

static struct chart_mark mark_of(const struct drawing *drawing, const struct point *point)
{
	return chart_mark_of(drawing->plot.palette, point->run->series);
}

static const char *percent_text(struct arena *arena, const struct point *point)
{
	return arena_printf(arena, "%.3g %%", point->flops / point->attainable * 100);
}

static const char *point_tooltip(struct arena *arena, const struct point *point)
{
	struct strbuf sb = {0};
	strbuf_addf(&sb, "%s: ", point->run->whole);
	quantity_add(&sb, point->flops, UNIT_FLOP_PER_SECOND);
	strbuf_addstr(&sb, " at ");
	quantity_add(&sb, point->ai, UNIT_FLOP_PER_BYTE);
	if (!isnan(point->attainable))
		strbuf_addf(&sb, ", %s of attainable", percent_text(arena, point));
	return strbuf_into(&sb, arena);
}

/* The way from a point up to the roof that bounds it. */
static void draw_headroom(struct drawing *drawing, const struct point *point)
{
	struct scene *scene = drawing->plot.scene;
	if (!(point->attainable > point->flops * 1.02) || point->attainable > drawing->plot.y.high)
		return;
	double top = chart_at(&drawing->plot.y, point->attainable);
	struct scene_style style = {.fill = SCENE_NONE,
				    .stroke = mark_of(drawing, point).colour,
				    .width = 1.25,
				    .opacity = 0.7};
	scene_line(scene, point->at.x, point->at.y, point->at.x, top, style)->avoid = true;
	scene_line(scene, point->at.x - 4, top, point->at.x + 4, top, style);
}

static void draw_baseline(struct drawing *drawing, const struct point *point)
{
	const struct chart_plot *plot = &drawing->plot;
	if (isnan(point->base_ai))
		return;
	struct chart_mark mark = mark_of(drawing, point);
	struct scene_point from = {chart_at(&plot->x, point->base_ai),
				   chart_at(&plot->y, point->base_flops)};
	double dx = point->at.x - from.x, dy = point->at.y - from.y, length = hypot(dx, dy);
	if (length > 20) {
		struct scene_point start = {from.x + dx / length * 6, from.y + dy / length * 6};
		struct scene_point end = {point->at.x - dx / length * 8,
					  point->at.y - dy / length * 8};
		scene_arrow(plot->scene, start, end, mark.colour);
	}
	struct scene_style hollow = {
		.fill = plot->palette->background, .stroke = mark.colour, .width = 1.5};
	struct scene_item *item = scene_mark(plot->scene, mark.marker, from.x, from.y, 4.5, hollow);
	scene_tooltip(plot->scene, item,
		      arena_printf(plot->arena, "baseline of %s", point->run->whole));
}

static void draw_points(struct drawing *drawing)
{
	const struct chart_plot *plot = &drawing->plot;
	bool few = drawing->drawn <= NAMED_LIMIT + 4;
	for (size_t i = 0; i < drawing->runs.count && few; i++)
		if (!drawing->points[i].skip)
			draw_headroom(drawing, &drawing->points[i]);
	for (size_t i = 0; i < drawing->runs.count && drawing->drawn <= NUMBERED_LIMIT; i++)
		if (!drawing->points[i].skip)
			draw_baseline(drawing, &drawing->points[i]);
	for (size_t i = 0; i < drawing->runs.count; i++) {
		const struct point *point = &drawing->points[i];
		if (point->skip)
			continue;
		struct chart_mark mark = mark_of(drawing, point);
		struct scene_style style = chart_mark_style(plot->palette, mark);
		style.opacity = drawing->drawn > NUMBERED_LIMIT ? 0.75 : 1;
		struct scene_item *item =
			scene_mark(plot->scene, mark.marker, point->at.x, point->at.y,
				   drawing->drawn > NUMBERED_LIMIT ? 4.5 : 6, style);
		scene_tooltip(plot->scene, item, point_tooltip(plot->arena, point));
	}
}

/* Around a point, near before far; upright above it last, where the headroom line is. */
static bool label_point(struct drawing *drawing, const struct point *point, const char *text,
			double size, bool bold)
{
	static const struct {
		double x, y;
		enum scene_anchor anchor;
	} around[] = {{1, 0, SCENE_START},   {-1, 0, SCENE_END},   {0, 1, SCENE_MIDDLE},
		      {.8, .8, SCENE_START}, {-.8, .8, SCENE_END}, {.8, -.8, SCENE_START},
		      {-.8, -.8, SCENE_END}, {0, -1, SCENE_MIDDLE}};
	static const double distances[] = {10, 15, 21};
	struct scene_spot spots[24];
	struct chart_plot *plot = &drawing->plot;
	for (size_t i = 0; i < 24; i++) {
		size_t k = i % 8;
		double distance = distances[i / 8], y = around[k].y;
		spots[i].x = point->at.x + around[k].x * distance;
		spots[i].y = point->at.y + y * distance + size * (0.36 + 0.36 * y);
		spots[i].anchor = around[k].anchor;
		spots[i].angle = 0;
	}
	struct scene_item *item =
		bold ? scene_bold(plot->scene, 0, 0, size, plot->palette->ink, text)
		     : scene_text(plot->scene, 0, 0, size, plot->palette->ink, text);
	item->halo = plot->palette->background;
	return scene_place(plot->scene, &plot->area, spots, 24);
}

/* Is the way up to the roof long enough to carry the percentage? */
static bool shows_headroom(const struct drawing *drawing, const struct point *point)
{
	const struct chart_axis *y = &drawing->plot.y;
	return point->attainable > point->flops && point->attainable <= y->high &&
	       point->at.y - chart_at(y, point->attainable) >= 24;
}

static const char *name_of(const struct drawing *drawing, const struct point *point)
{
	const char *name = *point->run->point ? point->run->point : point->run->name;
	if (isnan(point->attainable) || shows_headroom(drawing, point))
		return name;
	return arena_printf(drawing->plot.arena, "%s, %s", name,
			    percent_text(drawing->plot.arena, point));
}

static bool name_points(struct drawing *drawing)
{
	size_t before = drawing->plot.scene->count;
	if (drawing->drawn > NAMED_LIMIT)
		return false;
	for (size_t i = 0; i < drawing->runs.count; i++) {
		const struct point *point = &drawing->points[i];
		const char *name = name_of(drawing, point);
		if (point->skip)
			continue;
		if (scene_text_width(name, chart_text_size, true) > name_width ||
		    !label_point(drawing, point, name, chart_text_size, true)) {
			scene_truncate(drawing->plot.scene, before);
			return false;
		}
	}
	return true;
}

static void number_points(struct drawing *drawing)
{
	size_t number = 0;
	for (size_t i = 0; i < drawing->runs.count && drawing->drawn <= NUMBERED_LIMIT; i++)
		if (!drawing->points[i].skip)
			label_point(drawing, &drawing->points[i],
				    arena_printf(drawing->plot.arena, "%zu", ++number),
				    chart_small_size, true);
}

/* Beside the headroom line, near its middle. */
static void label_headroom(struct drawing *drawing, const struct point *point, const char *suffix)
{
	static const double shares[] = {0.5, 0.38, 0.62, 0.26, 0.74, 0.86};
	struct chart_plot *plot = &drawing->plot;
	if (!shows_headroom(drawing, point))
		return;
	double length = point->at.y - chart_at(&plot->y, point->attainable);
	struct scene_spot spots[12];
	for (size_t i = 0; i < 12; i++)
		spots[i] = (struct scene_spot){point->at.x + (i % 2 ? -6 : 6),
					       point->at.y - length * shares[i / 2] + 4, 0,
					       i % 2 ? SCENE_END : SCENE_START};
	struct scene_item *item = scene_text(
		plot->scene, 0, 0, chart_small_size, plot->palette->muted,
		arena_printf(plot->arena, "%s%s", percent_text(plot->arena, point), suffix));
	item->halo = plot->palette->background;
	scene_place(plot->scene, &plot->area, spots, 12);
}

static void label_points(struct drawing *drawing)
{
	drawing->numbered = !name_points(drawing);
	if (drawing->numbered)
		number_points(drawing);
	for (size_t i = 0; i < drawing->runs.count && drawing->drawn <= NAMED_LIMIT; i++)
		if (!drawing->points[i].skip)
			label_headroom(drawing, &drawing->points[i],
				       drawing->drawn == 1 ? " of attainable" : "");
}

static void draw_axis_titles(struct drawing *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	const struct scene_bounds *area = &plot->area;
	struct scene_item *x =
		scene_text(plot->scene, (area->left + area->right) / 2, area->bottom + 40,
			   chart_text_size, plot->palette->ink, "Arithmetic intensity (FLOP/B)");
	x->anchor = SCENE_MIDDLE;
	struct scene_item *y =
		scene_text(plot->scene, 38, (area->top + area->bottom) / 2, chart_text_size,
			   plot->palette->ink, "Achieved performance (FLOP/s)");
	y->anchor = SCENE_MIDDLE;
	y->angle = -90;
}

static const char *key_text(struct arena *arena, const struct point *point, size_t number)
{
	if (isnan(point->attainable))
		return arena_printf(arena, "%zu  %s", number, point->run->name);
	return arena_printf(arena, "%zu  %s, %s", number, point->run->name,
			    percent_text(arena, point));
}

static size_t add_keys(struct drawing *drawing, struct chart_entry *entries)
{
	size_t count = 0;
	for (size_t i = 0; i < drawing->runs.count; i++) {
		const struct point *point = &drawing->points[i];
		if (point->skip)
			continue;
		struct arena *arena = drawing->plot.arena;
		entries[count].mark = mark_of(drawing, point);
		entries[count].text = key_text(arena, point, count + 1);
		entries[count].tooltip = point_tooltip(arena, point);
		count++;
	}
	return count;
}

static size_t add_series(struct drawing *drawing, struct chart_entry *entries)
{
	const struct chart_runs *runs = &drawing->runs;
	size_t count = 0;
	for (; count < runs->series_count && count < SERIES_LIMIT; count++) {
		const char *name = runs->series[count];
		entries[count].mark = chart_mark_of(drawing->plot.palette, count);
		entries[count].text = *name ? name : "unnamed";
		entries[count].tooltip = name;
	}
	return count;
}

/* Numbered names; or the series, when the names beside the points do not tell them. */
static double draw_legend(struct drawing *drawing, double y)
{
	struct chart_plot *plot = &drawing->plot;
	const struct chart_runs *runs = &drawing->runs;
	struct chart_entry *entries =
		arena_array(plot->arena, runs->count + runs->series_count, sizeof *entries);
	size_t count = 0;
	bool named = !drawing->numbered;
	for (size_t i = 0; i < runs->count; i++)
		named &= !*runs->items[i].point;
	if (drawing->numbered && drawing->drawn <= NUMBERED_LIMIT)
		count = add_keys(drawing, entries);
	else if (runs->series_count > 1 && !named)
		count = add_series(drawing, entries);
	return count ? chart_legend(plot, y, entries, count) + 6 : y;
}

/* "not drawn: a, b (no matmul FLOP); c (no HBM traffic)", at most six names per reason. */
static const char *skipped_text(struct drawing *drawing)
{
	static const char *const reasons[] = {[SKIP_NO_FLOP] = "no matmul FLOP",
					      [SKIP_NO_BYTES] = "no HBM traffic",
					      [SKIP_UNKNOWN] = "FLOP or HBM bytes unknown"};
	struct arena *arena = drawing->plot.arena;
	struct strbuf sb = {0};
	for (int reason = SKIP_NO_FLOP; reason < SKIP_LIMIT; reason++) {
		size_t found = 0;
		for (size_t i = 0; i < drawing->runs.count; i++) {
			const struct point *point = &drawing->points[i];
			if ((int)point->skip != reason)
				continue;
			const char *name = scene_shorten(arena, point->run->name, chart_small_size,
							 false, name_width);
			if (++found <= 6)
				strbuf_addf(&sb, "%s%s",
					    found > 1 ? ", "
					    : sb.len  ? "; "
						      : "Not drawn: ",
					    name);
		}
		if (found > 6)
			strbuf_addf(&sb, " and %zu more", found - 6);
		if (found)
			strbuf_addf(&sb, " (%s)", reasons[reason]);
	}
	return strbuf_into(&sb, arena);
}

static double draw_notes(struct drawing *drawing, double y)
{
	struct chart_plot *plot = &drawing->plot;
	struct arena *arena = plot->arena;
	if (drawing->drawn < drawing->runs.count)
		y = chart_note(plot, y, skipped_text(drawing), 4);
	if (drawing->drawn > NUMBERED_LIMIT)
		y = chart_note(
			plot, y,
			arena_printf(arena, "%zu points are too many to name.", drawing->drawn), 1);
	if (drawing->drawn > NUMBERED_LIMIT && drawing->runs.series_count > SERIES_LIMIT)
		y = chart_note(plot, y,
			       arena_printf(arena, "%zu more series are drawn but not listed.",
					    drawing->runs.series_count - SERIES_LIMIT),
			       1);
	if (drawing->sets.left_out)
		y = chart_note(plot, y,
			       arena_printf(arena,
					    "Roofs of the first %d devices only; %zu runs belong "
					    "to others.",
					    CHART_SET_LIMIT, drawing->sets.left_out),
			       1);
	return y;
}

static void draw_heading(struct drawing *drawing)
{
	struct arena *arena = drawing->plot.arena;
	const char *place = drawing->runs.place;
	const char *subject = drawing->runs.subject;
	chart_heading(&drawing->plot, arena_printf(arena, "Roofline of %s", subject),
		      arena_printf(arena, "%s%spercentages are achieved / attainable FLOP/s", place,
				   *place ? "; " : ""));
	struct strbuf desc = {0};
	strbuf_addf(&desc, "Achieved FLOP/s over arithmetic intensity of %zu runs", drawing->drawn);
	size_t told = 0;
	for (size_t i = 0; i < drawing->runs.count && told < 6; i++)
		if (!drawing->points[i].skip)
			strbuf_addf(&desc, "%s%s", told++ ? "; " : ". ",
				    point_tooltip(arena, &drawing->points[i]));
	strbuf_addch(&desc, '.');
	scene_describe(drawing->plot.scene, arena_printf(arena, "Roofline of %s", subject),
		       strbuf_text(&desc));
	strbuf_free(&desc);
}

int chart_roofline(struct arena *arena, const struct json *report, bool dark, struct scene **scene,
		   struct error *err)
{
	struct drawing drawing = {.plot = {.arena = arena, .palette = palette_of(dark)}};
	struct chart_plot *plot = &drawing.plot;
	if (chart_runs_read(arena, report, &drawing.runs, err) < 0 ||
	    read_points(&drawing, err) < 0)
		return -1;
	plot->scene = scene_new(arena, CHART_WIDTH, 0, plot->palette->background);
	set_ranges(&drawing);
	draw_heading(&drawing);
	chart_log_grid(plot, "FLOP/s");
	chart_roofs_draw(plot, &drawing.sets);
	draw_points(&drawing);
	draw_axis_titles(&drawing);
	chart_roofs_label(plot, &drawing.sets);
	label_points(&drawing);
	double y = draw_legend(&drawing, plot->area.bottom + 60);
	plot->scene->height = ceil(draw_notes(&drawing, y) + 16);
	*scene = plot->scene;
	return 0;
}
