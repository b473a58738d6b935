/* One panel of a trend chart, from comparison.trend. */
#include "render/chart/series/trend_panel.h"

#include "render/document/key.h"

#include "base/json/json.h"
#include "base/text/text.h"
#include "model/run/run.h"

enum { LABEL_LIMIT = 64, TICK_LIMIT = 12 };
static const double left_margin = 54, top_margin = 46, bottom_margin = 30;
/* The value axis spans at least this fraction of the values (5 %), so that quiet series look
 * quiet. Ranges with max/min >= log_from get a logarithmic axis. */
static const double smallest_span = 0.05, log_from = 20;

struct drawing {
	const struct trend_panel *panel;
	struct chart_plot plot;
	enum unit unit;
	struct trend_panel_points points;
	/* x ranges of the labels above the area: [from, to] */
	double used[LABEL_LIMIT][2];
	size_t labels;
};

/* --- what is drawn --- */

double trend_panel_oldest(const struct json *trend)
{
	double index = json_number_at(json_first(trend, KEY(points)), 0);
	return index > 0 ? index : 0;
}

enum unit trend_panel_unit(const struct json *comparison)
{
	enum metric metric = metric_find(span_of(json_text(comparison, KEY(metric), "")));
	return metric == METRIC_COUNT ? UNIT_NONE : metric_info(metric)->unit;
}

bool trend_panel_stopped(const struct json *comparison)
{
	const char *verdict = json_text(comparison, KEY(verdict), "");
	return strcmp(verdict, "stale") == 0 || strcmp(verdict, "missing") == 0;
}

static void set_axes(struct drawing *d)
{
	const struct trend_panel *panel = d->panel;
	struct chart_plot *plot = &d->plot;
	plot->area =
		(struct scene_bounds){panel->box.left + left_margin, panel->box.top + top_margin,
				      panel->box.right - 8, panel->box.bottom - bottom_margin};
	/* x counts commits back from the newest, at the right end: -oldest to 0. */
	plot->x = (struct chart_axis){.low = -fmax(panel->oldest, 1),
				      .from = plot->area.left + 3,
				      .to = plot->area.right - 6};
	/* At most as many points as a reader can distinguish. */
	d->points = trend_panel_points_of(plot->arena, panel->trend,
					  (size_t)fmax(plot->x.to - plot->x.from, 40) / 3);
	double middle = (d->points.low + d->points.high) / 2,
	       size = fmax(fabs(d->points.low), fabs(d->points.high));
	/* Margins of 16 % of half the range; an axis of nonnegative values does not go below 0. */
	double half = fmax((d->points.high - d->points.low) / 2 * 1.16, smallest_span / 2 * size);
	half = half > 0 ? half : 0.5;
	plot->y = (struct chart_axis){middle - half, middle + half, plot->area.bottom,
				      plot->area.top, false};
	if (d->points.low > 0 && d->points.high > d->points.low * log_from)
		plot->y = (struct chart_axis){d->points.low / 1.2, d->points.high * 1.2,
					      plot->area.bottom, plot->area.top, true};
	else if (d->points.low >= 0 && plot->y.low < 0)
		plot->y.low = 0;
}

static double clamped(double value, double low, double high)
{
	return value < low ? low : value > high ? high : value;
}

/* Rounds to 0.1 px, which is finer than visible: pages contain hundreds of panels. */
static double tenths(double coordinate)
{
	return round(coordinate * 10) / 10;
}

static double x_of(const struct drawing *d, double index)
{
	const struct chart_plot *plot = &d->plot;
	return tenths(clamped(plot_at(&plot->x, -index), plot->area.left, plot->area.right));
}

static double y_of(const struct drawing *d, double value)
{
	const struct chart_plot *plot = &d->plot;
	if (plot->y.logarithmic && !(value > plot->y.low))
		return plot->area.bottom;
	return tenths(clamped(plot_at(&plot->y, value), plot->area.top, plot->area.bottom));
}

/* --- axes --- */

static void draw_value(struct drawing *d, double value, double step)
{
	struct chart_plot *plot = &d->plot;
	double at = y_of(d, value);
	const char *text = plot_value_text(plot->arena, &plot->y, value, step, d->unit);
	scene_line(plot->scene, plot->area.left, at, plot->area.right, at,
		   scene_stroke(plot->palette->grid, 1));
	plot_text(plot, plot->area.left - 5, at + 3.5, PLOT_TICK | PLOT_MUTED | PLOT_END,
		  plot_shorten(plot, PLOT_TICK, text, left_margin - 6));
}

static void draw_values(struct drawing *d)
{
	const struct chart_axis *y = &d->plot.y;
	if (y->logarithmic) {
		draw_value(d, d->points.low, d->points.low);
		draw_value(d, d->points.high, d->points.high);
		return;
	}
	double span = y->high - y->low, step = plot_step(span, 3);
	if (floor(y->high / step) - ceil(y->low / step) < 1)
		step = plot_step(span, 5);
	double first = ceil(y->low / step), ticks = floor(y->high / step) - first + 1;
	/* Adding a step to a huge `first` may not change the double; then there is one tick. */
	int count = first + 1 > first && ticks < TICK_LIMIT ? (int)ticks : 1;
	for (int i = 0; i < count; i++)
		draw_value(d, (first + i) * step, step);
}

/* --- titles --- */

const char *trend_panel_name(struct arena *arena, const struct json *comparison)
{
	struct strbuf name = {0};
	const char *variant = json_text(comparison, KEY(variant), "");
	const char *params = json_text(comparison, KEY(params_text), "");
	const char *dtype = json_text(comparison, KEY(dtype), "");
	strbuf_addstr(&name, json_text(comparison, KEY(kernel), "unknown"));
	if (variant[0])
		strbuf_addf(&name, " %s", variant);
	if (params[0])
		strbuf_addf(&name, ", %s", params);
	if (dtype[0])
		strbuf_addf(&name, ", %s", dtype);
	return strbuf_into(&name, arena);
}

/* "unchanged: Total time 17.34 us, +0.16 %; 2 beyond the axis". Parts without room are left out
 * whole, because a shortened number is another number. */
static const char *subtitle_of(const struct drawing *d, double width)
{
	struct arena *arena = d->plot.arena;
	const struct json *comparison = d->panel->comparison;
	const char *verdict = json_text(comparison, KEY(verdict_text), "not judged");
	const char *value = json_text(json_get(d->panel->trend, KEY(candidate)), KEY(text), NULL);
	const char *change = json_text(comparison, KEY(change_text), "unknown");
	bool changed = strcmp(change, "unknown") != 0;
	const char *all = arena_printf(
		arena, "%s: %s%s%s%s%s", verdict, json_text(comparison, KEY(title), "value"),
		value ? " " : "", value ? value : "", changed ? ", " : "", changed ? change : "");
	const char *const texts[] = {
		d->points.far ? arena_printf(arena, "%s; %zu beyond the axis", all, d->points.far)
			      : all,
		all, changed ? arena_printf(arena, "%s: %s", verdict, change) : verdict};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (plot_text_width(PLOT_SMALL, texts[i]) <= width)
			return texts[i];
	return plot_shorten(&d->plot, PLOT_SMALL, verdict, width);
}

static void draw_title(struct drawing *d)
{
	struct chart_plot *plot = &d->plot;
	const struct trend_panel *panel = d->panel;
	double left = panel->box.left, width = panel->box.right - left - 8;
	const char *name = trend_panel_name(plot->arena, panel->comparison);
	const char *shown = plot_shorten(plot, PLOT_LABEL | PLOT_BOLD, name, width);
	struct scene_item *title =
		plot_text(plot, left, panel->box.top + 11, PLOT_LABEL | PLOT_BOLD, shown);
	if (strcmp(shown, name) != 0)
		scene_tooltip(plot->scene, title, "%s", name);
	plot_text(plot, left, panel->box.top + 25, PLOT_SMALL | PLOT_MUTED, subtitle_of(d, width));
}

/* --- the series --- */

static void draw_band(const struct drawing *d)
{
	const struct chart_plot *plot = &d->plot;
	const struct json *band = json_get(d->panel->trend, KEY(band));
	const struct json *levels = json_get(d->panel->trend, KEY(levels));
	double low = json_number(band, KEY(low), NAN), high = json_number(band, KEY(high), NAN);
	double from = levels && levels->last ? json_number_at(levels->last, 0) : NAN;
	if (!isfinite(low) || !isfinite(high))
		return;
	double left = isnan(from) ? plot->area.left : x_of(d, from), top = y_of(d, high);
	scene_tooltip(plot->scene,
		      scene_rect(plot->scene, left, top, plot->area.right - left,
				 fmax(1, y_of(d, low) - top),
				 scene_fill(plot->palette->frame, 0.22)),
		      "95 %% prediction for the next commit: %s to %s",
		      quantity_text(plot->arena, low, d->unit),
		      quantity_text(plot->arena, high, d->unit));
}

static void draw_levels(const struct drawing *d)
{
	const struct chart_plot *plot = &d->plot;
	for (const struct json *row = json_first(d->panel->trend, KEY(levels)); row;
	     row = row->next) {
		double at = json_number_at(row, 2), from = x_of(d, json_number_at(row, 0));
		if (isfinite(at) && json_number_at(row, 0) >= json_number_at(row, 1))
			scene_line(plot->scene, from, y_of(d, at),
				   fmax(x_of(d, json_number_at(row, 1)), from + 2), y_of(d, at),
				   scene_stroke(plot->palette->ink2, 1.25));
	}
}

/* Draws a point as a dot: a link to its commit, unless it stands for several. */
static void draw_point(const struct drawing *d, const struct trend_panel_point *point,
		       struct scene_point at)
{
	const struct chart_plot *plot = &d->plot;
	const struct trend_commit *commit = trend_panel_commit(d->panel->commits, point->commit);
	uint32_t colour = plot->palette->series[0];
	const char *value = quantity_text(plot->arena, point->middle, d->unit);
	const char *runs = quantity_count_text(plot->arena, (size_t)point->runs, "run", "runs");
	struct scene_item *dot =
		scene_mark(plot->scene, SCENE_CIRCLE, at.x, at.y,
			   d->points.count > 30 ? 1.75 : 2.25, scene_fill(colour, 1));
	if (commit)
		scene_tooltip(plot->scene, dot, "%s, %s · %s %s %s", value, runs, commit->id,
			      commit->day, commit->subject);
	else
		scene_tooltip(plot->scene, dot, "%.0f commit%s before: %s, %s", point->index,
			      point->index == 1 ? "" : "s", value, runs);
	scene_link(plot->scene, dot, commit ? commit->url : NULL);
}

/* Writes the farthest value next to its mark, if there is room. */
static void draw_far_value(const struct drawing *d, double x, bool above, double value)
{
	struct chart_plot plot = d->plot;
	double y = above ? plot.area.top + 8 : plot.area.bottom - 3;
	const struct scene_spot spots[] = {{x + 7, y, 0, SCENE_START}, {x - 7, y, 0, SCENE_END}};
	plot_label(&plot, PLOT_TICK | PLOT_MUTED, quantity_text(plot.arena, value, d->unit), spots,
		   2);
}

/* Marks a value beyond the axis at the edge of the area. */
static void draw_far(const struct drawing *d)
{
	const struct chart_plot *plot = &d->plot;
	for (size_t i = 0; i < d->points.count; i++) {
		const struct trend_panel_point *point = &d->points.items[i];
		bool above = point->high > plot->y.high, below = point->low < plot->y.low;
		if (!above && !below)
			continue;
		double value = above ? point->high : point->low, x = x_of(d, point->index);
		const struct trend_commit *commit =
			trend_panel_commit(d->panel->commits, point->commit);
		struct scene_item *mark =
			scene_mark(plot->scene, above ? SCENE_TRIANGLE : SCENE_TRIANGLE_DOWN, x,
				   above ? plot->area.top + 4 : plot->area.bottom - 4, 3.5,
				   scene_fill(plot->palette->muted, 1));
		scene_tooltip(plot->scene, mark, "beyond the axis: %s%s%s%s%s",
			      quantity_text(plot->arena, value, d->unit), commit ? ", " : "",
			      commit ? commit->id : "", commit ? " " : "",
			      commit ? commit->subject : "");
		scene_link(plot->scene, mark, commit ? commit->url : NULL);
		if (value == d->points.farthest)
			draw_far_value(d, x, above, value);
	}
}

/* The height of a value, which may lie outside of the area. */
static double open_y_of(const struct drawing *d, double value)
{
	const struct chart_plot *plot = &d->plot;
	return plot->y.logarithmic && !(value > 0) ? 1e6 : plot_at(&plot->y, value);
}

/* Draws a line through the points [from, to) whose neighbors are close enough to be joined. */
static void draw_joined(const struct drawing *d, size_t from, size_t to)
{
	const struct chart_plot *plot = &d->plot;
	const struct trend_panel_point *points = d->points.items + from;
	size_t count = to - from;
	struct scene_point *line = arena_array(plot->arena, 2 * count, sizeof *line);
	uint32_t colour = plot->palette->series[0];
	for (size_t i = 0; i < count; i++) {
		double x = x_of(d, points[i].index);
		line[i] = (struct scene_point){x, y_of(d, points[i].high)};
		line[2 * count - 1 - i] = (struct scene_point){x, y_of(d, points[i].low)};
	}
	if (d->points.binned && count > 1)
		scene_polygon(plot->scene, line, 2 * count, scene_fill(colour, 0.3));
	for (size_t i = 0; i < count; i++)
		line[i].y = open_y_of(d, points[i].middle);
	trend_panel_curve(plot, line, count, scene_stroke(colour, 1.25));
	for (size_t i = 0; i < count; i++)
		line[i].y = y_of(d, points[i].middle);
	for (size_t i = 0; i < count; i++)
		if (count == 1 || (d->points.count <= d->panel->dots && d->points.joined == 1))
			draw_point(d, &points[i], line[i]);
	if (count == 1 && points->low < points->high)
		scene_line(plot->scene, line->x, y_of(d, points->low), line->x,
			   y_of(d, points->high), scene_stroke(colour, 1.25));
}

static void draw_line(const struct drawing *d)
{
	double gap = json_number(d->panel->trend, KEY(gap), 3) * (double)d->points.joined;
	for (size_t from = 0, to; from < d->points.count; from = to) {
		to = from + 1;
		while (to < d->points.count &&
		       d->points.items[to - 1].index - d->points.items[to].index <= gap)
			to++;
		draw_joined(d, from, to);
	}
}

/* --- changes --- */

/* The line above the area has the marks of the changes and their labels. Every mark reserves its
 * range first; a label is drawn if a range next to its mark is free, right before left. */
static bool is_free(const struct drawing *d, double from, double to)
{
	bool free = d->labels < LABEL_LIMIT && from >= d->plot.area.left - 2 &&
		    to <= d->panel->box.right;
	for (size_t i = 0; i < d->labels; i++)
		free = free && (to < d->used[i][0] - 2 || from > d->used[i][1] + 2);
	return free;
}

static void use(struct drawing *d, double from, double to)
{
	assert(!(from > to));
	if (d->labels == LABEL_LIMIT)
		return;
	d->used[d->labels][0] = from;
	d->used[d->labels++][1] = to;
}

/* Draws the label of a change above the area, next to its mark, if there is room. */
static void draw_label(struct drawing *d, double at, const char *text, const char *tooltip)
{
	double width = plot_text_width(PLOT_TICK, text), from = at + 7;
	bool left = !is_free(d, from, from + width);
	if (left)
		from = at - 7 - width;
	if (!is_free(d, from, from + width))
		return;
	use(d, from - 4, from + width + 4);
	scene_tooltip(d->plot.scene,
		      plot_text(&d->plot, left ? at - 7 : from, d->plot.area.top - 4,
				left ? PLOT_TICK | PLOT_END : PLOT_TICK, text),
		      "%s", tooltip);
}

static const struct json *accepted_at(const struct drawing *d, double index)
{
	const struct json *one = json_first(d->panel->trend, KEY(accepted));
	while (one && json_number(one, KEY(place), NAN) != index)
		one = one->next;
	return one;
}

/* Draws a flag on the axis: an accepted change. */
static void draw_flag(const struct drawing *d, const struct json *accepted)
{
	const struct chart_plot *plot = &d->plot;
	double at = x_of(d, json_number(accepted, KEY(place), 0)), y = plot->area.bottom;
	double way = at + 9 > plot->area.right ? -9 : 9;
	struct scene_point pennant[] = {{at, y - 14}, {at + way, y - 10.5}, {at, y - 7}};
	struct scene_style style = {
		.fill = plot->palette->series[4], .stroke = plot->palette->ink, .width = 0.75};
	scene_line(plot->scene, at, y, at, y - 14, scene_stroke(plot->palette->ink, 1.25));
	scene_tooltip(plot->scene, scene_polygon(plot->scene, pennant, 3, style),
		      "accepted by %s: %s (until %s)", json_text(accepted, KEY(author), "unknown"),
		      json_text(accepted, KEY(reason), "unknown"),
		      json_text(accepted, KEY(expires), "unknown"));
}

static uint32_t colour_of(const struct drawing *d, bool worse, bool better)
{
	const struct palette *palette = d->plot.palette;
	return worse ? palette->slower : better ? palette->faster : palette->ink2;
}

static void draw_change(struct drawing *d, const struct json *change)
{
	const struct chart_plot *plot = &d->plot;
	double index = json_number(change, KEY(place), NAN);
	bool up = json_number(change, KEY(effect), 0) > 0,
	     sure = json_truth(change, KEY(confirmed));
	if (!(index >= 0))
		return;
	double at = x_of(d, index);
	uint32_t colour =
		colour_of(d, json_truth(change, KEY(worse)), json_truth(change, KEY(better)));
	const char *tooltip = arena_printf(
		plot->arena, "%s%s at %s, %.0f commit%s ago: %s to %s",
		sure ? "" : "tentative: ", json_text(change, KEY(effect_text), "changed"),
		json_text(json_get(change, KEY(first_after)), KEY(short), "unknown"), index,
		index == 1 ? "" : "s",
		json_text(json_get(change, KEY(before)), KEY(text), "unknown"),
		json_text(json_get(change, KEY(after)), KEY(text), "unknown"));
	struct scene_style line = {.fill = SCENE_NONE,
				   .stroke = colour,
				   .width = 1.5,
				   .opacity = sure ? 1 : 0.6,
				   .dash = SCENE_DOTTED};
	struct scene_style mark = {
		.fill = sure ? colour : plot->palette->background, .stroke = colour, .width = 1.25};
	scene_line(plot->scene, at, plot->area.top - 1, at, plot->area.bottom, line);
	scene_tooltip(plot->scene,
		      scene_mark(plot->scene, up ? SCENE_TRIANGLE : SCENE_TRIANGLE_DOWN, at,
				 plot->area.top - 7, 4, mark),
		      "%s", tooltip);
	draw_label(d, at,
		   arena_printf(plot->arena, "%s%s", json_text(change, KEY(effect_text), ""),
				accepted_at(d, index) ? ", accepted"
				: sure                ? ""
						      : "?"),
		   tooltip);
}

/* Draws the newest changes first, so that only old ones lose their labels. */
static void draw_changes(struct drawing *d)
{
	const struct json *list = json_get(d->panel->trend, KEY(changes));
	size_t count = list ? list->count : 0;
	const struct json **all = arena_array(d->plot.arena, count + 1, sizeof *all);
	size_t last = count;
	for (const struct json *one = list ? list->first : NULL; one; one = one->next) {
		double at = x_of(d, json_number(one, KEY(place), 0));
		use(d, at - 4.5, at + 4.5);
		all[--last] = one;
	}
	for (size_t i = last; i < count; i++)
		draw_change(d, all[i]);
	for (const struct json *one = json_first(d->panel->trend, KEY(accepted)); one;
	     one = one->next)
		draw_flag(d, one);
}

static void draw_candidate(const struct drawing *d)
{
	const struct chart_plot *plot = &d->plot;
	const struct json *candidate = json_get(d->panel->trend, KEY(candidate));
	const char *verdict = json_text(d->panel->comparison, KEY(verdict), "");
	static const char *const failing[] = {"regressed", "failed",      "drift",
					      "suspect",   "environment", "impossible"};
	double value = json_number(candidate, KEY(value), NAN);
	bool worse = false;
	if (!isfinite(value) || !d->points.count)
		return;
	for (size_t i = 0; i < sizeof failing / sizeof *failing; i++)
		worse = worse || strcmp(verdict, failing[i]) == 0;
	struct scene_style style = {.fill = colour_of(d, worse, strcmp(verdict, "improved") == 0),
				    .stroke = plot->palette->background,
				    .width = 1};
	scene_tooltip(plot->scene,
		      scene_mark(plot->scene, SCENE_DIAMOND,
				 x_of(d, json_number(candidate, KEY(place), 0)), y_of(d, value),
				 4.5, style),
		      "this commit: %s, %s", json_text(candidate, KEY(text), "unknown"),
		      json_text(d->panel->comparison, KEY(verdict_text), "not judged"));
}

void trend_panel_draw(const struct trend_panel *panel)
{
	struct drawing d = {
		.panel = panel, .plot = panel->plot, .unit = trend_panel_unit(panel->comparison)};
	set_axes(&d);
	draw_title(&d);
	draw_values(&d);
	draw_band(&d);
	trend_panel_axis(&d.plot, panel->commits);
	draw_line(&d);
	draw_levels(&d);
	draw_changes(&d);
	draw_candidate(&d);
	draw_far(&d);
}
