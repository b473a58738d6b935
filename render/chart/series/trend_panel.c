/* One panel of a trend chart, from comparison.trend. */
#include "render/chart/series/trend_panel.h"

#include "render/document/key.h"

#include "base/json/json.h"
#include "base/text/text.h"
#include "model/run/run.h"
#include "render/vocabulary/vocabulary.h"

enum { TICK_LIMIT = 12 };
static const double top_margin = 22, heading_height = 36, lane_distance = 6, label_room = 96;
/* Panels at least this wide have room for values at the right of the area. */
static const double wide_from = 560;
/* The value axis spans at least this fraction of the values (5 %), so that quiet series look
 * quiet. Ranges with max/min >= log_from get a logarithmic axis. */
static const double smallest_span = 0.05, log_from = 20;
/* Half the noise band, in standard deviations: 95 % of the commits. */
static const double noise_reach = 1.96;

struct drawing {
	const struct trend_panel *panel;
	struct chart_plot plot;
	enum unit unit;
	struct trend_panel_points points;
	struct trend_panel_lanes lanes;
	double top; /* below the heading */
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

static bool is_wide(const struct trend_panel *panel)
{
	return panel->box.right - panel->box.left >= wide_from;
}

/* The label of a tick: a number and a unit, which stands once, above the axis. */
static struct span tick_number(const char *text)
{
	return (struct span){text, span_find(span_of(text), " ")};
}

static const char *tick_text(const struct drawing *d, double value, double step)
{
	return plot_value_text(d->plot.arena, &d->plot.y, value, step, d->unit);
}

static void set_x(struct drawing *d)
{
	const struct trend_panel *panel = d->panel;
	struct chart_plot *plot = &d->plot;
	bool wide = is_wide(panel);
	d->top = panel->box.top + (panel->heading ? heading_height : 0);
	d->lanes = trend_panel_lanes_of(panel, d->top + top_margin);
	plot->area = (struct scene_bounds){panel->box.left + (wide ? 56 : 44),
					   d->lanes.below + lane_distance,
					   panel->box.right - (wide ? label_room : 4),
					   panel->box.bottom - trend_panel_axis_height};
	/* x counts commits back from the newest, at the right end: -oldest to 0. */
	plot->x = (struct chart_axis){.low = -fmax(panel->oldest, 1),
				      .from = plot->area.left + 4,
				      .to = plot->area.right - 8};
}

double trend_panel_height(const struct trend_panel *panel)
{
	struct drawing d = {.panel = panel, .plot = panel->plot};
	set_x(&d);
	return d.plot.area.top - panel->box.top + (is_wide(panel) ? 224 : 124) +
	       trend_panel_axis_height;
}

static void set_axes(struct drawing *d)
{
	const struct trend_panel *panel = d->panel;
	struct chart_plot *plot = &d->plot;
	set_x(d);
	/* At most as many points as a reader can distinguish. */
	d->points = trend_panel_points_of(plot->arena, panel->trend,
					  (size_t)fmax(plot->x.to - plot->x.from, 40) /
						  (is_wide(panel) ? 3 : 4));
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
	return trend_panel_x(&d->plot, index);
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
	double at = y_of(d, value), room = plot->area.left - d->panel->box.left - 8;
	struct span number = tick_number(tick_text(d, value, step));
	const char *text = arena_strndup(plot->arena, number.ptr, number.len);
	scene_line(plot->scene, plot->area.left, at, plot->area.right, at,
		   scene_stroke(plot->palette->grid, 1));
	plot_text(plot, plot->area.left - 8, at + 4, PLOT_LABEL | PLOT_MUTED | PLOT_END,
		  plot_shorten(plot, PLOT_LABEL, text, room));
}

static void draw_values(struct drawing *d)
{
	const struct chart_axis *y = &d->plot.y;
	if (y->logarithmic) {
		draw_value(d, d->points.low, d->points.low);
		draw_value(d, d->points.high, d->points.high);
		return;
	}
	double span = y->high - y->low, step = plot_step(span, 4);
	if (floor(y->high / step) - ceil(y->low / step) < 1)
		step = plot_step(span, 6);
	double first = ceil(y->low / step), ticks = floor(y->high / step) - first + 1;
	/* Adding a step to a huge `first` may not change the double; then there is one tick. */
	int count = first + 1 > first && ticks < TICK_LIMIT ? (int)ticks : 1;
	for (int i = 0; i < count; i++)
		draw_value(d, (first + i) * step, step);
}

/* "Total time, us", and which way is better. */
static void draw_unit(struct drawing *d)
{
	struct chart_plot *plot = &d->plot;
	const struct json *comparison = d->panel->comparison;
	enum metric metric = metric_find(span_of(json_text(comparison, KEY(metric), "")));
	const char *tick = tick_text(d, d->points.high, fmax(plot->y.high - plot->y.low, 1e-300));
	const char *unit = tick + tick_number(tick).len;
	const char *better = metric == METRIC_COUNT ? ""
			     : metric_info(metric)->direction == METRIC_LOWER
				     ? vocabulary_format("lower is better")
			     : metric_info(metric)->direction == METRIC_HIGHER
				     ? vocabulary_format("higher is better")
				     : "";
	const char *title = json_text(comparison, KEY(title), "value");
	if (*unit)
		title = arena_printf(plot->arena, vocabulary_format("%s, %s"), title,
				     unit + (*unit == ' '));
	double left = d->panel->box.left, y = d->top + 12, right = d->panel->box.right;
	struct scene_type type = {plot_text_size(PLOT_LABEL), plot->palette->ink2, true,
				  SCENE_START};
	title = plot_shorten(plot, PLOT_LABEL | PLOT_BOLD, title, right - left);
	scene_text(plot->scene, left, y, type, title);
	double from = left + plot_text_width(PLOT_LABEL | PLOT_BOLD, title) + 10;
	if (*better && from + plot_text_width(PLOT_LABEL, better) <= right)
		plot_text(plot, from, y, PLOT_LABEL | PLOT_MUTED, better);
}

static void draw_heading(struct drawing *d)
{
	struct chart_plot *plot = &d->plot;
	const struct trend_panel *panel = d->panel;
	double left = panel->box.left, width = panel->box.right - left;
	const char *name = trend_panel_name(plot->arena, panel->comparison);
	const char *shown = plot_shorten(plot, PLOT_TEXT | PLOT_BOLD, name, width);
	struct scene_item *title =
		plot_text(plot, left, panel->box.top + 12, PLOT_TEXT | PLOT_BOLD, shown);
	if (strcmp(shown, name) != 0)
		scene_tooltip(plot->scene, title, "%s", name);
	struct trend_panel_colours colours = trend_panel_verdict(plot->palette, panel->comparison);
	bool news = colours.line != plot->palette->data;
	struct scene_type type = {plot_text_size(PLOT_LABEL),
				  news ? colours.line : plot->palette->muted, news, SCENE_START};
	unsigned look = news ? PLOT_LABEL | PLOT_BOLD : PLOT_LABEL;
	scene_text(plot->scene, left, panel->box.top + 28, type,
		   plot_shorten(plot, look, trend_panel_finding(plot->arena, panel->comparison),
				width));
}

/* --- the series --- */

/* Where a level begins: before its first commit. */
static double level_start(const struct drawing *d, const struct json *level)
{
	return x_of(d, json_number_at(level, 0) + 0.5);
}

/* Where it ends: where the next one begins. The last one reaches up to the newest commit, unless
 * the series stopped. */
static double level_end(const struct drawing *d, const struct json *level)
{
	double to = json_number_at(level, 1), gap = json_number(d->panel->trend, KEY(gap), 3);
	double next = level->next ? json_number_at(level->next, 0) : -1;
	if (to - next > gap + 1)
		return x_of(d, to - 0.5);
	return level->next ? level_start(d, level->next) : d->plot.area.right;
}

static bool is_level(const struct json *level)
{
	return isfinite(json_number_at(level, 2)) &&
	       json_number_at(level, 0) >= json_number_at(level, 1);
}

static void draw_band(const struct drawing *d, const struct json *level, double low, double high,
		      const char *what)
{
	const struct chart_plot *plot = &d->plot;
	double left = level ? level_start(d, level) : plot->area.left, top = y_of(d, high);
	double right = level ? level_end(d, level) : plot->area.right;
	scene_tooltip(plot->scene,
		      scene_rect(plot->scene, left, top, fmax(1, right - left),
				 fmax(1, y_of(d, low) - top), scene_fill(plot->palette->band, 1)),
		      vocabulary_format("%s: %s to %s"), what,
		      quantity_text(plot->arena, low, d->unit),
		      quantity_text(plot->arena, high, d->unit));
}

/* The noise of each level; that of the last one is what the next commit is judged by. */
static void draw_bands(const struct drawing *d)
{
	const struct json *trend = d->panel->trend, *band = json_get(trend, KEY(band));
	const struct json *level = json_first(trend, KEY(levels));
	const struct json *noise = json_first(trend, KEY(noises));
	double low = json_number(band, KEY(low), NAN), high = json_number(band, KEY(high), NAN);
	bool known = isfinite(low) && isfinite(high);
	for (; level; level = level->next, noise = noise ? noise->next : NULL) {
		double half =
			noise && noise->type == JSON_NUMBER ? noise->number * noise_reach : NAN;
		double value = json_number_at(level, 2);
		if (is_level(level) && (level->next || !known) && isfinite(value + half))
			draw_band(d, level, value - half, value + half,
				  vocabulary_format("95 % of the commits at this level"));
		if (!level->next && known)
			draw_band(d, level, low, high,
				  vocabulary_format("95 % prediction for the next commit"));
	}
	if (known && !json_first(trend, KEY(levels)))
		draw_band(d, NULL, low, high,
			  vocabulary_format("95 % prediction for the next commit"));
}

static void draw_levels(const struct drawing *d)
{
	const struct chart_plot *plot = &d->plot;
	for (const struct json *row = json_first(d->panel->trend, KEY(levels)); row;
	     row = row->next) {
		double at = json_number_at(row, 2), from = level_start(d, row);
		if (is_level(row))
			scene_line(plot->scene, from, y_of(d, at),
				   fmax(level_end(d, row), from + 2), y_of(d, at),
				   scene_stroke(plot->palette->ink, 1.75));
	}
}

/* Draws a point as a dot: a link to its commit, unless it stands for several. */
static void draw_point(const struct drawing *d, const struct trend_panel_point *point,
		       struct scene_point at)
{
	const struct chart_plot *plot = &d->plot;
	const struct trend_commit *commit = trend_panel_commit(d->panel->commits, point->commit);
	/* draw_far() marks what is beyond. */
	if (point->middle > plot->y.high || point->middle < plot->y.low)
		return;
	uint32_t colour = plot->palette->data;
	const char *value = quantity_text(plot->arena, point->middle, d->unit);
	const char *runs = quantity_count_text(plot->arena, (size_t)point->runs,
					       vocabulary_format("run"), vocabulary_format("runs"));
	struct scene_item *dot = scene_mark(plot->scene, SCENE_CIRCLE, at.x, at.y,
					    d->points.count > 60   ? 1.8
					    : d->points.count > 30 ? 2.25
								   : 3,
					    scene_fill(colour, 1));
	scene_role(dot, NULL, point->index);
	if (commit)
		scene_tooltip(plot->scene, dot, "%s, %s · %s %s %s", value, runs, commit->id,
			      commit->day, commit->subject);
	else
		scene_tooltip(plot->scene, dot, vocabulary_format("%.0f commit%s before: %s, %s"),
			      point->index, point->index == 1 ? "" : "s", value, runs);
	scene_link(plot->scene, dot, commit ? commit->url : NULL);
}

/* Writes the farthest value next to its mark, if there is room. */
static void draw_far_value(const struct drawing *d, double x, bool above, double value)
{
	struct chart_plot plot = d->plot;
	double y = above ? plot.area.top + 10 : plot.area.bottom - 4;
	plot.area.top -= 6;
	const struct scene_spot spots[] = {{x + 7, y, 0, SCENE_START},
					   {x - 7, y, 0, SCENE_END},
					   {x + 16, y, 0, SCENE_START},
					   {x - 16, y, 0, SCENE_END},
					   {x - 30, y, 0, SCENE_END}};
	const char *text = quantity_text(plot.arena, value, d->unit);
	plot_label(&plot, PLOT_SMALL | PLOT_MUTED,
		   d->points.far == 1 ? arena_printf(plot.arena, vocabulary_format("%s once"), text)
				      : text,
		   spots, sizeof spots / sizeof *spots);
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
		scene_tooltip(plot->scene, mark, vocabulary_format("beyond the axis: %s%s%s%s%s"),
			      quantity_text(plot->arena, value, d->unit), commit ? ", " : "",
			      commit ? commit->id : "", commit ? " " : "",
			      commit ? commit->subject : "");
		scene_role(mark, "trend-far", point->index);
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
	uint32_t colour = plot->palette->data;
	struct scene_style curve = scene_stroke(colour, d->points.binned ? 1.25 : 1);
	curve.opacity = d->points.binned ? 1 : 0.55;
	for (size_t i = 0; i < count; i++) {
		double x = x_of(d, points[i].index);
		line[i] = (struct scene_point){x, y_of(d, points[i].high)};
		line[2 * count - 1 - i] = (struct scene_point){x, y_of(d, points[i].low)};
	}
	if (d->points.binned && count > 1)
		scene_polygon(plot->scene, line, 2 * count, scene_fill(colour, 0.25));
	for (size_t i = 0; i < count; i++)
		line[i].y = open_y_of(d, points[i].middle);
	trend_panel_curve(plot, line, count, curve);
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

/* --- the newest value --- */

/* A value and what it is, right of the area. */
static void draw_end(const struct drawing *d, double y, uint32_t colour, double value,
		     const char *what)
{
	struct chart_plot plot = d->plot;
	struct scene_type type = {13, colour, true, SCENE_START};
	double x = plot.area.right + 12;
	scene_text(plot.scene, x, y - 1, type, quantity_text(plot.arena, value, d->unit));
	plot_text(&plot, x, y + 13, PLOT_SMALL | PLOT_MUTED, what);
}

/* The newest value, and the level if it is another one. */
static void draw_ends(const struct drawing *d, double value, uint32_t colour)
{
	const struct json *trend = d->panel->trend, *levels = json_get(trend, KEY(levels));
	const double apart = 32, near = 20;
	double level = levels && levels->last ? json_number_at(levels->last, 2) : NAN;
	double y = y_of(d, value), high = d->plot.area.top + 6, low = d->plot.area.bottom - 18;
	uint32_t text = colour == d->plot.palette->data ? d->plot.palette->ink : colour;
	if (!is_wide(d->panel))
		return;
	if (isfinite(level) && fabs(y_of(d, level) - y) <= near) {
		draw_end(d, clamped(y_of(d, level), high, low), text, level,
			 vocabulary_format("level now"));
		return;
	}
	y = clamped(y, high, low);
	draw_end(d, y, text, value, vocabulary_format("newest"));
	if (isfinite(level) && fabs(clamped(y_of(d, level), high, low) - y) >= apart)
		draw_end(d, clamped(y_of(d, level), high, low), d->plot.palette->ink2, level,
			 vocabulary_format("level"));
}

static void draw_candidate(const struct drawing *d)
{
	const struct chart_plot *plot = &d->plot;
	const struct json *candidate = json_get(d->panel->trend, KEY(candidate));
	double value = json_number(candidate, KEY(value), NAN);
	double place = json_number(candidate, KEY(place), 0);
	const struct trend_commit *commit = trend_panel_commit(d->panel->commits, place);
	if (!isfinite(value) || !d->points.count)
		return;
	uint32_t colour = trend_panel_verdict(plot->palette, d->panel->comparison).line;
	double x = x_of(d, place);
	double y = clamped(y_of(d, value), plot->area.top + 6, plot->area.bottom - 6);
	/* A ring of two discs: pages take the outlines of linked marks for a larger target. */
	scene_mark(plot->scene, SCENE_CIRCLE, x, y, 6.25, scene_fill(colour, 1));
	struct scene_item *mark = scene_mark(plot->scene, SCENE_CIRCLE, x, y, 3.75,
					     scene_fill(plot->palette->background, 1));
	scene_tooltip(plot->scene, mark, vocabulary_format("newest%s%s: %s, %s"),
		      commit ? ", " : "", commit ? commit->id : "",
		      json_text(candidate, KEY(text), "unknown"),
		      json_text(d->panel->comparison, KEY(verdict_text), "not judged"));
	scene_role(mark, "trend-now", place);
	scene_link(plot->scene, mark, commit ? commit->url : NULL);
	draw_ends(d, value, colour);
}

void trend_panel_draw(const struct trend_panel *panel)
{
	struct drawing d = {
		.panel = panel, .plot = panel->plot, .unit = trend_panel_unit(panel->comparison)};
	set_axes(&d);
	if (panel->heading)
		draw_heading(&d);
	draw_unit(&d);
	draw_values(&d);
	draw_bands(&d);
	trend_panel_axis(&d.plot, panel->commits, &panel->box);
	draw_line(&d);
	draw_levels(&d);
	trend_panel_marks(panel, &d.plot, &d.lanes);
	draw_candidate(&d);
	draw_far(&d);
	if (panel->legend)
		trend_panel_legend_add(panel->legend, panel, &d.points);
}
