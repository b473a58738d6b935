/*
 * The roofline. A few points are named in place. If names do not fit, points are numbered and a
 * legend below the plot names them. Too many points for numbers are distinguished by series only.
 */
#include "render/chart/roofline/roofline.h"

#include "render/document/key.h"
#include "render/chart/chart.h"

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
	const struct json *samples = json_get(run, KEY(samples));
	*shortest = plot_number(samples, KEY(fastest));
	*longest = plot_number(samples, KEY(slowest));
	for (const struct json *s = json_first(run, KEY(spreads)); s; s = s->next) {
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
	size_t runs = drawing->runs.count;
	drawing->points = arena_array(drawing->plot.arena, runs, sizeof *drawing->points);
	drawing->skipped = arena_array(drawing->plot.arena, runs, sizeof *drawing->skipped);
	drawing->sets.clocks = runs == 1;
	for (size_t i = 0; i < runs; i++) {
		struct chart_point point = {.at = {0, 0}};
		read_point(&point, &drawing->runs.items[i]);
		roofline_roofs_add(&drawing->sets, drawing->runs.items[i].json);
		if (point.skip == CHART_SKIP_NOT)
			drawing->points[drawing->drawn++] = point;
		else
			drawing->skipped[drawing->skipped_count++] = point;
	}
	if (!drawing->sets.count)
		return error_set(
			err, ERR_FORMAT,
			"no run states the peak FLOP/s and the peak bandwidth of its "
			"device: no roof to draw. \"rooflog list devices\" lists "
			"known peaks by dtype; ingest --set dtype=...,device=... states what "
			"profiles leave out");
	roofline_levels_read(drawing);
	return 0;
}

/* Extends a range to values from `low` to `high`. NAN (no baseline, no repeats) extends nothing. */
static void widen(double range[2], double low, double high)
{
	range[0] = low < range[0] ? low : range[0];
	range[1] = high > range[1] ? high : range[1];
}

/* Sets the axes to the data, ridges and roofs, with margins. */
static void set_ranges(struct chart_roofline *drawing)
{
	double x[2] = {INFINITY, 0}, y[2] = {INFINITY, 0};
	/* All factors are margins on logarithmic axes. */
	for (size_t i = 0; i < drawing->sets.count; i++) {
		const struct chart_roof_set *set = &drawing->sets.items[i];
		for (size_t k = 0; k < set->count; k++) {
			double flops = set->roofs[k].flops, ridge = flops / set->bandwidth;
			widen(x, ridge / 5, ridge * 4);
			widen(y, flops / 50, flops * 2);
		}
	}
	for (size_t i = 0; i < drawing->drawn; i++) {
		const struct chart_point *point = &drawing->points[i];
		widen(x, point->ai / 2.5, point->ai * 4); /* space for the labels of the roofs */
		widen(y, point->flops / 3, point->flops * 2);
		widen(x, point->base_ai / 2, point->base_ai * 2);
		widen(y, point->base_flops / 3, point->base_flops * 2);
		widen(y, point->slowest / 1.2, point->fastest * 1.2);
	}
	for (size_t i = 0; i < drawing->level_count; i++)
		widen(x, drawing->levels[i].ai / 2.5, drawing->levels[i].ai / 2.5);
	plot_round_range(&x[0], &x[1], 2);
	plot_round_range(&y[0], &y[1], 2);
	struct scene_bounds *area = &drawing->plot.area;
	*area = (struct scene_bounds){126, drawing->plot.below + 9, drawing->plot.right,
				      drawing->plot.below + 379};
	drawing->plot.x = (struct chart_axis){x[0], x[1], area->left, area->right, true};
	drawing->plot.y = (struct chart_axis){y[0], y[1], area->bottom, area->top, true};
	for (size_t i = 0; i < drawing->drawn; i++) {
		struct chart_point *point = &drawing->points[i];
		point->at.x = plot_at(&drawing->plot.x, point->ai);
		point->at.y = plot_at(&drawing->plot.y, point->flops);
	}
}

/* Numbers points in drawing order, as the labels in the plot do. */
static size_t add_keys(struct chart_roofline *drawing, struct chart_entry *entries)
{
	struct arena *arena = drawing->plot.arena;
	for (size_t i = 0; i < drawing->drawn; i++) {
		const struct chart_point *point = &drawing->points[i];
		bool known = !isnan(point->attainable);
		entries[i].mark = roofline_point_mark(drawing, point);
		entries[i].text = arena_printf(arena, "%zu  %s%s%s", i + 1, point->run->name,
					       known ? ", " : "",
					       known ? roofline_point_percent(arena, point) : "");
		entries[i].tooltip = roofline_point_tooltip(arena, point);
	}
	return drawing->drawn;
}

static bool is_series_drawn(const struct chart_roofline *drawing, size_t series)
{
	for (size_t i = 0; i < drawing->drawn; i++)
		if (drawing->points[i].run->series == series)
			return true;
	return false;
}

static size_t add_series(struct chart_roofline *drawing, struct chart_entry *entries)
{
	const struct chart_runs *runs = &drawing->runs;
	size_t count = 0;
	for (size_t i = 0; i < runs->series_count && i < CHART_SERIES_LIMIT; i++) {
		const char *name = runs->series[i];
		if (is_series_drawn(drawing, i))
			entries[count++] =
				(struct chart_entry){plot_mark_of(drawing->plot.palette, i),
						     *name ? name : "unnamed", name};
	}
	return count;
}

/* Draws the legend: numbered names, or the series if the points' names do not include them. */
static void draw_legend(struct chart_roofline *drawing)
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
	plot_legend(plot, entries, count);
	plot->below += count ? 6 : 0;
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
	return plot_shorten(&drawing->plot, PLOT_SMALL, name, chart_name_width);
}

/* "not drawn: a, b (no matmul FLOP); c (no HBM traffic)", at most two names per reason. */
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
	enum { NAMED = 2 };
	bool gpu = false;
	for (size_t i = 0; i < drawing->runs.count; i++)
		gpu = gpu || json_truth(drawing->runs.items[i].json, KEY(gpu));
	struct strbuf sb = {0};
	for (int reason = CHART_SKIP_NO_FLOP; reason < CHART_SKIP_LIMIT; reason++) {
		size_t found = 0;
		for (size_t i = 0; i < drawing->skipped_count; i++) {
			const struct chart_point *point = &drawing->skipped[i];
			if ((int)point->skip == reason && ++found <= NAMED)
				strbuf_addf(&sb, "%s%s",
					    found > 1 ? ", "
					    : sb.len  ? "; "
						      : "Not drawn: ",
					    skipped_name(drawing, point));
		}
		if (found > NAMED)
			strbuf_addf(&sb, " and %zu more", found - NAMED);
		if (found)
			strbuf_addf(&sb, " (%s)", reasons[gpu][reason]);
	}
	return strbuf_into(&sb, drawing->plot.arena);
}

/* The names of points whose FLOP come from a formula. */
static const char *formula_text(struct chart_roofline *drawing)
{
	struct strbuf names = {0};
	size_t found = 0;
	for (size_t i = 0; i < drawing->drawn; i++)
		if (drawing->points[i].algorithmic && ++found <= 6)
			strbuf_addf(&names, "%s%s", found > 1 ? ", " : "",
				    plot_shorten(&drawing->plot, PLOT_SMALL,
						 drawing->points[i].run->name, chart_name_width));
	const char *list = strbuf_into(&names, drawing->plot.arena);
	if (!found)
		return "";
	if (found == drawing->drawn)
		return "FLOP and bytes are algorithmic (from the work formula, not measured).";
	return arena_printf(drawing->plot.arena,
			    "Algorithmic FLOP and bytes (formula, not measured): %s%s.", list,
			    found > 6 ? " and more" : "");
}

/* A note explaining hollow marks and boxes, and naming the baselines that are not drawn. */
static const char *marks_text(struct chart_roofline *drawing)
{
	struct strbuf sb = {0};
	size_t hollow = 0, boxes = 0, hidden = 0, far = 0;
	for (size_t i = 0; i < drawing->drawn; i++) {
		const struct chart_point *point = &drawing->points[i];
		bool box = roofline_point_has_box(drawing, point);
		hollow += roofline_point_shows_baseline(drawing, point);
		boxes += box;
		hidden += !box && !isnan(point->fastest);
		far += point->base_far;
	}
	bool crowd = drawing->drawn > CHART_NUMBERED_LIMIT;
	if (hollow && !crowd)
		strbuf_addstr(&sb, "Arrows: from the baseline (hollow) to this run. ");
	if (boxes && !crowd)
		strbuf_addstr(&sb, "Boxes: slowest to fastest repeat. ");
	if (hidden && !crowd)
		strbuf_addstr(&sb,
			      boxes ? "Spread of the other repeats is smaller than the marker. "
				    : "Spread of repeats is smaller than the marker. ");
	if ((hollow || boxes) && crowd)
		strbuf_addstr(&sb, "Baselines and repeats not drawn. ");
	if (far)
		strbuf_addf(&sb, "%zu baseline%s outside the plot. ", far, far == 1 ? "" : "s");
	return strbuf_into(&sb, drawing->plot.arena);
}

static void draw_notes(struct chart_roofline *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	size_t series = drawing->runs.series_count;
	plot_note(plot, 4, "%s", skipped_text(drawing));
	plot_note(plot, 2, "%s", marks_text(drawing));
	plot_note(plot, 3, "%s", roofline_roofs_note(plot->arena, &drawing->sets));
	plot_note(plot, 2, "%s", formula_text(drawing));
	if (drawing->drawn > CHART_NUMBERED_LIMIT && series > CHART_SERIES_LIMIT)
		plot_note(plot, 2,
			  "%zu points, labels omitted. The first %d of %zu series are listed.",
			  drawing->drawn, CHART_SERIES_LIMIT, series);
	else if (drawing->drawn > CHART_NUMBERED_LIMIT)
		plot_note(plot, 2, "%zu points, labels omitted.", drawing->drawn);
	if (drawing->sets.left_out)
		plot_note(plot, 1,
			  "Rooflines of the first %d devices only; runs on other devices: %zu.",
			  CHART_SET_LIMIT, drawing->sets.left_out);
}

static void draw_heading(struct chart_roofline *drawing)
{
	struct arena *arena = drawing->plot.arena;
	const char *line = drawing->runs.device;
	struct strbuf text = {0};
	strbuf_addf(&text, "Achieved FLOP/s over arithmetic intensity. Runs drawn: %zu",
		    drawing->drawn);
	for (size_t i = 0; i < drawing->drawn && i < 6; i++)
		strbuf_addf(&text, "%s%s", i ? "; " : ". ",
			    roofline_point_tooltip(arena, &drawing->points[i]));
	strbuf_addch(&text, '.');
	if (drawing->drawn > 1 && drawing->drawn <= CHART_NUMBERED_LIMIT)
		line = arena_printf(arena, "%s%spercentages are achieved / attainable FLOP/s", line,
				    *line ? "; " : "");
	plot_heading(&drawing->plot, arena_printf(arena, "Roofline of %s", drawing->runs.subject),
		     line, strbuf_into(&text, arena));
}

int chart_roofline(struct arena *arena, const struct json *report, const struct chart_look *look,
		   struct scene **scene, struct error *err)
{
	struct chart_roofline drawing = {.drawn = 0};
	struct chart_plot *plot = &drawing.plot;
	plot_begin(plot, arena, look->dark, look->width);
	if (plot_runs_read(arena, report, &drawing.runs, err) < 0 || read_points(&drawing, err) < 0)
		return -1;
	/* Labels avoid what was drawn before them: lines and marks come first. Roofs are labeled
	 * before points, because the label of a roof has fewer spots. */
	draw_heading(&drawing);
	set_ranges(&drawing);
	plot_log_grid(plot, "FLOP/s");
	roofline_roofs_draw(plot, &drawing.sets);
	roofline_levels_slopes(&drawing);
	roofline_points_draw(&drawing);
	roofline_levels_draw(&drawing);
	plot_x_title(plot, 40, "Arithmetic intensity (FLOP/B)");
	plot_y_title(plot, 32, "Achieved performance (FLOP/s)");
	roofline_roofs_label(plot, &drawing.sets);
	roofline_points_label(&drawing);
	roofline_levels_label(&drawing);
	plot->below = plot->area.bottom + 60;
	draw_legend(&drawing);
	draw_notes(&drawing);
	*scene = plot_end(plot, 16);
	(*scene)->frame = plot->area;
	(*scene)->empty = !drawing.drawn;
	return 0;
}
