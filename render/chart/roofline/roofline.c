/*
 * The roofline. A few points are named in place. If names do not fit, points are numbered and a
 * legend below the plot names them. Too many points for numbers are distinguished by series only.
 */
#include "render/chart/roofline/roofline.h"

#include "render/document/key.h"
#include "render/chart/chart.h"
#include "render/vocabulary/vocabulary.h"

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
	for (size_t i = 0; i < drawing->ceiling_count; i++)
		widen(x,
		      fmax(drawing->sets.items[0].roofs[0].flops / drawing->ceilings[i].bandwidth /
				   4,
			   x[0] / 30),
		      x[1]);
	plot_round_range(&x[0], &x[1], 2);
	plot_round_range(&y[0], &y[1], 2);
	struct chart_plot *plot = &drawing->plot;
	struct scene_bounds *area = &plot->area;
	*area = (struct scene_bounds){plot->left + (plot->narrow ? 46 : 58), plot->below + 9,
				      plot->right - (plot->narrow ? 12 : 0),
				      plot->below + (plot->narrow ? 309 : 369)};
	plot->x = (struct chart_axis){x[0], x[1], area->left, area->right, true};
	plot->y = (struct chart_axis){y[0], y[1], area->bottom, area->top, true};
	for (size_t i = 0; i < drawing->drawn; i++) {
		struct chart_point *point = &drawing->points[i];
		point->at.x = plot_at(&drawing->plot.x, point->ai);
		point->at.y = plot_at(&drawing->plot.y, point->flops);
	}
}

int chart_roofline(struct arena *arena, const struct json *report, const struct chart_look *look,
		   struct scene **scene, struct error *err)
{
	struct chart_roofline drawing = {.drawn = 0};
	struct chart_plot *plot = &drawing.plot;
	const char *prefix;
	plot_begin(plot, arena, look->dark, look->width);
	if (plot_runs_read(arena, report, &drawing.runs, err) < 0 || read_points(&drawing, err) < 0)
		return -1;
	/* Labels avoid what was drawn before them: lines and marks come first. Roofs are labeled
	 * before points, because the label of a roof has fewer spots. */
	roofline_text_heading(&drawing);
	set_ranges(&drawing);
	roofline_roofs_ground(plot, &drawing.sets);
	double unit = plot_prefix(drawing.sets.items[0].roofs[0].flops, &prefix);
	plot_log_grid(plot, unit);
	roofline_roofs_draw(plot, &drawing.sets);
	roofline_levels_slopes(&drawing);
	roofline_points_draw(&drawing);
	roofline_levels_draw(&drawing);
	plot_x_title(plot, 40, vocabulary_format("Arithmetic intensity, FLOP/B"));
	plot_y_title(plot, plot->left + 4,
		     arena_printf(arena, vocabulary_format("Achieved, %sFLOP/s"), prefix));
	roofline_roofs_label(plot, &drawing.sets);
	roofline_points_label(&drawing);
	roofline_levels_label(&drawing);
	plot->below = plot->area.bottom + 54;
	roofline_text_legend(&drawing);
	roofline_text_notes(&drawing);
	*scene = plot_end(plot, 16);
	(*scene)->frame = plot->area;
	(*scene)->empty = !drawing.drawn;
	return 0;
}
