/*
 * The roofline. A few points are named in place. If names do not fit, points are numbered and a
 * legend below the plot names them. Too many points for numbers are distinguished by series only.
 */

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/base.h"
#include "render/chart/roofline/levels.h"
#include "render/chart/roofline/points.h"

static bool drawable(double value)
{
	return value > 1e-9 && value < 1e24;
}

static enum chart_skip skip_of(const struct json *run, const struct chart_point *point)
{
	if (drawable(point->ai) && drawable(point->flops))
		return CHART_SKIP_NOT;
	double useful = plot_metric(run, KEY(useful_flops));
	if (useful == 0 || point->flops == 0 || plot_metric(run, KEY(hardware_flops)) == 0)
		return CHART_SKIP_NO_FLOP;
	return plot_metric(run, KEY(hbm_bytes)) == 0 ? CHART_SKIP_NO_BYTES : CHART_SKIP_UNKNOWN;
}

/* The shortest and the longest time of the repeats, both within the run's file and among the runs
 * it represents, s. */
static void read_times(const struct json *run, double *shortest, double *longest)
{
	const struct json *samples = json_get(run, KEY(samples)),
			  *spreads = json_get(run, KEY(spreads));
	*shortest = plot_number(samples, KEY(fastest));
	*longest = plot_number(samples, KEY(slowest));
	for (const struct json *s = spreads ? spreads->first : NULL; s; s = s->next) {
		if (strcmp(json_text(s, KEY(metric), ""), "total_time") != 0)
			continue;
		*shortest = fmin(*shortest, plot_number(s, KEY(minimum)));
		*longest = fmax(*longest, plot_number(s, KEY(maximum)));
	}
}

/* The FLOP/s at the shortest and longest time. Unset if the repeats' range does not include the
 * run's own time. */
static void read_repeats(struct chart_point *point, const struct json *run)
{
	double time = plot_metric(run, KEY(total_time)), shortest, longest;
	read_times(run, &shortest, &longest);
	point->fastest = point->flops * (time / shortest);
	point->slowest = point->flops * (time / longest);
	if (!(shortest > 0) || !drawable(point->fastest) || !drawable(point->slowest) ||
	    point->fastest < point->flops * (1 - 1e-9) ||
	    point->slowest > point->flops * (1 + 1e-9) || point->fastest > 100 * point->slowest)
		point->fastest = point->slowest = NAN;
}

/* Whether a baseline is so far away that drawing it would compress everything else. */
static bool is_far(double ratio)
{
	return ratio > 3e3 || ratio < 1 / 3e3;
}

static void read_baseline(struct chart_point *point, const struct json *run)
{
	const struct json *base = json_get(json_get(run, KEY(baseline)), KEY(point));
	point->base_ai = plot_number(base, KEY(ai));
	point->base_flops = plot_number(base, KEY(flops));
	bool there = drawable(point->base_ai) && drawable(point->base_flops);
	point->base_far = there && (is_far(point->base_ai / point->ai) ||
				    is_far(point->base_flops / point->flops));
	if (!there || point->base_far)
		point->base_ai = point->base_flops = NAN;
}

static void read_point(struct chart_point *point, const struct chart_run *run)
{
	const struct json *peaks = json_get(run->json, KEY(peaks));
	point->run = run;
	point->ai = plot_metric(run->json, KEY(arithmetic_intensity));
	point->flops = plot_metric(run->json, KEY(achieved_flops));
	point->attainable = plot_metric(run->json, KEY(attainable_flops));
	double ai = plot_metric(run->json, KEY(algorithmic_intensity));
	double rate = plot_metric(run->json, KEY(algorithmic_rate));
	if (!drawable(point->ai) && drawable(ai) && drawable(rate)) {
		point->algorithmic = true;
		point->ai = ai;
		point->flops = rate;
		point->attainable = NAN;
	}
	double roof = plot_number(peaks, KEY(flops)), slope = plot_number(peaks, KEY(bandwidth));
	if (isnan(point->attainable) && roof > 0 && slope > 0)
		point->attainable = fmin(roof, slope * point->ai);
	if (!drawable(point->attainable))
		point->attainable = NAN;
	read_baseline(point, run->json);
	read_repeats(point, run->json);
	point->skip = skip_of(run->json, point);
}

static int read_points(struct chart_roofline *drawing, struct error *err)
{
	drawing->points =
		arena_array(drawing->plot.arena, drawing->runs.count, sizeof *drawing->points);
	drawing->sets.clocks = drawing->runs.count == 1;
	for (size_t i = 0; i < drawing->runs.count; i++) {
		read_point(&drawing->points[i], &drawing->runs.items[i]);
		roofline_roofs_add(&drawing->sets, drawing->runs.items[i].json);
		drawing->drawn += drawing->points[i].skip == CHART_SKIP_NOT;
	}
	if (!drawing->sets.count)
		return error_set(err, ERR_FORMAT,
				 "no run states the peak FLOP/s and the peak bandwidth of its "
				 "device: there is no roof to draw. \"rooflog devices\" lists "
				 "known peaks by dtype; ingest --dtype and --device name what "
				 "profiles leave out");
	roofline_levels_read(drawing);
	return 0;
}

static void widen(double *low, double *high, double value)
{
	if (value < *low)
		*low = value;
	if (value > *high)
		*high = value;
}

/* Sets the axes to the data, ridges and roofs, with margins. */
static void set_ranges(struct chart_roofline *drawing)
{
	double x[2] = {INFINITY, 0}, y[2] = {INFINITY, 0};
	/* All factors are margins on logarithmic axes. NAN (no baseline, no repeats) widens
	 * nothing. */
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
		const struct chart_point *point = &drawing->points[i];
		if (point->skip)
			continue;
		widen(&x[0], &x[1], point->ai / 2.5);
		widen(&x[0], &x[1], point->ai * 4); /* space for the labels of the roofs */
		widen(&y[0], &y[1], point->flops / 3);
		widen(&y[0], &y[1], point->flops * 2);
		widen(&x[0], &x[1], point->base_ai / 2);
		widen(&x[0], &x[1], point->base_ai * 2);
		widen(&y[0], &y[1], point->base_flops / 3);
		widen(&y[0], &y[1], point->base_flops * 2);
		widen(&y[0], &y[1], point->fastest * 1.2);
		widen(&y[0], &y[1], point->slowest / 1.2);
	}
	for (size_t i = 0; i < drawing->level_count; i++)
		widen(&x[0], &x[1], drawing->levels[i].ai / 2.5);
	plot_round_range(&x[0], &x[1], 2);
	plot_round_range(&y[0], &y[1], 2);
	struct scene_bounds *area = &drawing->plot.area;
	*area = (struct scene_bounds){126, 76, CHART_WIDTH - CHART_MARGIN, 446};
	drawing->plot.x = (struct chart_axis){x[0], x[1], area->left, area->right, true};
	drawing->plot.y = (struct chart_axis){y[0], y[1], area->bottom, area->top, true};
	for (size_t i = 0; i < drawing->runs.count; i++) {
		struct chart_point *point = &drawing->points[i];
		if (point->skip)
			continue;
		point->at.x = plot_at(&drawing->plot.x, point->ai);
		point->at.y = plot_at(&drawing->plot.y, point->flops);
	}
}

static void draw_axis_titles(struct chart_roofline *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	const struct scene_bounds *area = &plot->area;
	struct scene_item *x =
		scene_text(plot->scene, (area->left + area->right) / 2, area->bottom + 40,
			   chart_text_size, plot->palette->ink, "Arithmetic intensity (FLOP/B)");
	x->anchor = SCENE_MIDDLE;
	struct scene_item *y =
		scene_text(plot->scene, 32, (area->top + area->bottom) / 2, chart_text_size,
			   plot->palette->ink, "Achieved performance (FLOP/s)");
	y->anchor = SCENE_MIDDLE;
	y->angle = -90;
}

static const char *key_text(struct arena *arena, const struct chart_point *point, size_t number)
{
	if (isnan(point->attainable))
		return arena_printf(arena, "%zu  %s", number, point->run->name);
	return arena_printf(arena, "%zu  %s, %s", number, point->run->name,
			    roofline_point_percent(arena, point));
}

/* Numbers points in drawing order, as the labels in the plot do. */
static size_t add_keys(struct chart_roofline *drawing, struct chart_entry *entries)
{
	size_t count = 0;
	for (size_t i = 0; i < drawing->runs.count; i++) {
		const struct chart_point *point = &drawing->points[i];
		if (point->skip)
			continue;
		struct arena *arena = drawing->plot.arena;
		entries[count].mark = roofline_point_mark(drawing, point);
		entries[count].text = key_text(arena, point, count + 1);
		entries[count].tooltip = roofline_point_tooltip(arena, point);
		count++;
	}
	return count;
}

static bool is_series_drawn(const struct chart_roofline *drawing, size_t series)
{
	for (size_t i = 0; i < drawing->runs.count; i++)
		if (drawing->runs.items[i].series == series &&
		    drawing->points[i].skip == CHART_SKIP_NOT)
			return true;
	return false;
}

static size_t add_series(struct chart_roofline *drawing, struct chart_entry *entries)
{
	const struct chart_runs *runs = &drawing->runs;
	size_t count = 0;
	for (size_t i = 0; i < runs->series_count && i < CHART_SERIES_LIMIT; i++) {
		const char *name = runs->series[i];
		if (!is_series_drawn(drawing, i))
			continue;
		entries[count].mark = plot_mark_of(drawing->plot.palette, i);
		entries[count].text = *name ? name : "unnamed";
		entries[count++].tooltip = name;
	}
	return count;
}

/* Draws the legend: numbered names, or the series if the points' names do not include them. */
static double draw_legend(struct chart_roofline *drawing, double y)
{
	struct chart_plot *plot = &drawing->plot;
	const struct chart_runs *runs = &drawing->runs;
	struct chart_entry *entries =
		arena_array(plot->arena, runs->count + runs->series_count, sizeof *entries);
	size_t count = 0;
	bool named = !drawing->numbered;
	for (size_t i = 0; i < runs->count; i++)
		named &= !*runs->items[i].point;
	if (drawing->numbered && drawing->drawn <= CHART_NUMBERED_LIMIT)
		count = add_keys(drawing, entries);
	else if (runs->series_count > 1 && !named)
		count = add_series(drawing, entries);
	return count ? plot_legend(plot, y, entries, count) + 6 : y;
}

/* The name of a run that is not drawn. If no parameter differs, run->point is the commit, and the
 * series' name says more. */
static const char *skipped_name(const struct chart_roofline *drawing,
				const struct chart_point *point)
{
	const struct chart_run *run = point->run;
	const char *commit = json_text(json_get(run->json, KEY(commit)), KEY(short), "");
	const char *series = drawing->runs.series[run->series];
	const char *name = *series && strcmp(run->point, commit) == 0 ? series : run->name;
	return scene_shorten(drawing->plot.arena, name, chart_small_size, false, chart_name_width);
}

/* "not drawn: a, b (no matmul FLOP); c (no HBM traffic)", at most six names per reason. */
static const char *skipped_text(struct chart_roofline *drawing)
{
	static const char *const reasons[2][CHART_SKIP_LIMIT] = {
		{[CHART_SKIP_NO_FLOP] = "no matmul FLOP",
		 [CHART_SKIP_NO_BYTES] = "no HBM traffic",
		 [CHART_SKIP_UNKNOWN] = "FLOP or HBM bytes unknown"},
		{[CHART_SKIP_NO_FLOP] = "no FLOP",
		 [CHART_SKIP_NO_BYTES] = "no DRAM traffic",
		 [CHART_SKIP_UNKNOWN] = "FLOP or DRAM bytes unknown"},
	};
	bool gpu = false;
	for (size_t i = 0; i < drawing->runs.count; i++) {
		const struct json *is_gpu = json_get(drawing->runs.items[i].json, KEY(gpu));
		gpu = gpu || (is_gpu && is_gpu->truth);
	}
	struct arena *arena = drawing->plot.arena;
	struct strbuf sb = {0};
	for (int reason = CHART_SKIP_NO_FLOP; reason < CHART_SKIP_LIMIT; reason++) {
		size_t found = 0;
		for (size_t i = 0; i < drawing->runs.count; i++) {
			const struct chart_point *point = &drawing->points[i];
			if ((int)point->skip != reason)
				continue;
			const char *name = skipped_name(drawing, point);
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
			strbuf_addf(&sb, " (%s)", reasons[gpu][reason]);
	}
	return strbuf_into(&sb, arena);
}

static const char *crowd_text(struct chart_roofline *drawing)
{
	struct strbuf sb = {0};
	size_t series = drawing->runs.series_count;
	if (drawing->drawn > CHART_NUMBERED_LIMIT) {
		strbuf_addf(&sb, "%zu points are too many to name.", drawing->drawn);
		if (series > CHART_SERIES_LIMIT)
			strbuf_addf(&sb, " The first %d of %zu series are listed.",
				    CHART_SERIES_LIMIT, series);
	}
	return strbuf_into(&sb, drawing->plot.arena);
}

static const char *foreign_text(struct chart_roofline *drawing)
{
	if (!drawing->sets.left_out)
		return "";
	return arena_printf(drawing->plot.arena,
			    "Roofs of the first %d devices only; runs of others: %zu.",
			    CHART_SET_LIMIT, drawing->sets.left_out);
}

/* A note naming the points whose FLOP come from a formula. */
static const char *formula_text(struct chart_roofline *drawing)
{
	struct strbuf sb = {0};
	size_t found = 0;
	for (size_t i = 0; i < drawing->runs.count; i++) {
		const struct chart_point *point = &drawing->points[i];
		if (point->skip || !point->algorithmic)
			continue;
		if (++found <= 6)
			strbuf_addf(&sb, "%s%s", found > 1 ? ", " : "",
				    scene_shorten(drawing->plot.arena, point->run->name,
						  chart_small_size, false, chart_name_width));
	}
	const char *names = strbuf_into(&sb, drawing->plot.arena);
	if (!found)
		return "";
	if (found == drawing->drawn)
		return "FLOP and bytes are algorithmic: by the formula of the work, not counted.";
	return arena_printf(drawing->plot.arena,
			    "Algorithmic FLOP and bytes, by formula and not counted: %s%s.", names,
			    found > 6 ? " and more" : "");
}

/* A note explaining hollow marks and boxes, and naming the baselines that are not drawn. */
static const char *marks_text(struct chart_roofline *drawing)
{
	struct strbuf sb = {0};
	size_t hollow = 0, boxes = 0, hidden = 0, far = 0;
	for (size_t i = 0; i < drawing->runs.count; i++) {
		const struct chart_point *point = &drawing->points[i];
		hollow += !point->skip && roofline_point_shows_baseline(drawing, point);
		bool box = roofline_point_has_box(drawing, point);
		boxes += !point->skip && box;
		hidden += !point->skip && !box && !isnan(point->fastest);
		far += !point->skip && point->base_far;
	}
	bool crowd = drawing->drawn > CHART_NUMBERED_LIMIT;
	if (hollow && !crowd)
		strbuf_addstr(&sb, "Arrows lead from the baseline, the hollow mark, to the run. ");
	if (boxes && !crowd)
		strbuf_addstr(&sb, "Boxes reach from the slowest to the fastest repeat. ");
	if (hidden && !crowd)
		strbuf_addstr(&sb, boxes ? "Other repeats lie within their marks. "
					 : "All repeats lie within the marks. ");
	if ((hollow || boxes) && crowd)
		strbuf_addstr(&sb, "Baselines and repeats are not drawn. ");
	if (far)
		strbuf_addf(&sb, "%zu baseline%s too far away to draw. ", far,
			    far == 1 ? " is" : "s are");
	return strbuf_into(&sb, drawing->plot.arena);
}

static double draw_notes(struct chart_roofline *drawing, double y)
{
	struct chart_plot *plot = &drawing->plot;
	struct arena *arena = plot->arena;
	if (drawing->drawn < drawing->runs.count)
		y = plot_note(plot, y, skipped_text(drawing), 4);
	y = plot_note(plot, y, marks_text(drawing), 2);
	y = plot_note(plot, y, roofline_roofs_note(arena, &drawing->sets), 3);
	y = plot_note(plot, y, formula_text(drawing), 2);
	y = plot_note(plot, y, crowd_text(drawing), 2);
	return plot_note(plot, y, foreign_text(drawing), 1);
}

static const char *description(const struct chart_roofline *drawing)
{
	struct strbuf desc = {0};
	strbuf_addstr(&desc, "Achieved FLOP/s over arithmetic intensity. Runs drawn: ");
	strbuf_addf(&desc, "%zu", drawing->drawn);
	size_t told = 0;
	for (size_t i = 0; i < drawing->runs.count && told < 6; i++)
		if (!drawing->points[i].skip)
			strbuf_addf(
				&desc, "%s%s", told++ ? "; " : ". ",
				roofline_point_tooltip(drawing->plot.arena, &drawing->points[i]));
	strbuf_addch(&desc, '.');
	return strbuf_into(&desc, drawing->plot.arena);
}

static void draw_heading(struct chart_roofline *drawing)
{
	struct arena *arena = drawing->plot.arena;
	const char *title = arena_printf(arena, "Roofline of %s", drawing->runs.subject);
	const char *below = drawing->runs.place;
	if (drawing->drawn > 1 && drawing->drawn <= CHART_NUMBERED_LIMIT)
		below = arena_printf(arena, "%s%spercentages are achieved / attainable FLOP/s",
				     below, *below ? "; " : "");
	plot_heading(&drawing->plot, title, below);
	scene_describe(drawing->plot.scene, title, description(drawing));
}

int chart_roofline(struct arena *arena, const struct json *report, bool dark, struct scene **scene,
		   struct error *err)
{
	struct chart_roofline drawing = {.plot = {.arena = arena, .palette = palette_of(dark)}};
	struct chart_plot *plot = &drawing.plot;
	if (plot_runs_read(arena, report, &drawing.runs, err) < 0 || read_points(&drawing, err) < 0)
		return -1;
	plot->scene = scene_new(arena, CHART_WIDTH, 0, plot->palette->background);
	set_ranges(&drawing);
	draw_heading(&drawing);
	plot_log_grid(plot, "FLOP/s");
	roofline_roofs_draw(plot, &drawing.sets);
	roofline_levels_slopes(&drawing);
	roofline_points_draw(&drawing);
	roofline_levels_draw(&drawing);
	draw_axis_titles(&drawing);
	roofline_roofs_label(plot, &drawing.sets);
	roofline_points_label(&drawing);
	roofline_levels_label(&drawing);
	double y = draw_legend(&drawing, plot->area.bottom + 60);
	plot->scene->height = ceil(draw_notes(&drawing, y) + 16);
	plot->scene->frame = plot->area;
	*scene = plot->scene;
	return 0;
}
