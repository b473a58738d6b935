/* One panel of a trend chart, from comparison.trend. */
#include "render/chart/series/trend_panel.h"

#include "render/document/key.h"

#include "base/json/json.h"
#include "base/text/text.h"
#include "model/run/run.h"

enum { POINT_LIMIT = 1000, DOT_LIMIT = 60, LABEL_LIMIT = 64, TICK_LIMIT = 12 };
static const double tick_size = 9.5, left_margin = 54, top_margin = 46, bottom_margin = 18;
/* The value axis spans at least this fraction of the values (5 %), so that quiet series look
 * quiet. Ranges with max/min >= log_from get a logarithmic axis. */
static const double least_span = 0.05, log_from = 20;

struct point {
	double place, low, middle, high, runs;
};

struct drawing {
	const struct trend_panel *panel;
	struct scene_bounds area;
	struct chart_axis x, y;
	enum unit unit;
	struct point *points;
	size_t count;
	bool binned;
	double low, high;
	/* x ranges of the labels above the area: [from, to] */
	double taken[LABEL_LIMIT][2];
	size_t labels;
};

/* --- what is drawn --- */

static double item(const struct json *row, size_t index)
{
	const struct json *at = row ? row->first : NULL;
	while (at && index--)
		at = at->next;
	return at && at->type == JSON_NUMBER ? at->number : NAN;
}

static const struct json *first_of(const struct json *object, const char *list)
{
	const struct json *found = json_get(object, list);
	return found ? found->first : NULL;
}

double trend_panel_oldest(const struct json *trend)
{
	double place = item(first_of(trend, KEY(points)), 0);
	return place > 0 ? place : 0;
}

static void widen(struct drawing *d, double value)
{
	if (!isfinite(value) || fabs(value) > 1e30)
		return;
	d->low = fmin(d->low, value);
	d->high = fmax(d->high, value);
}

static void read_points(struct drawing *d)
{
	const struct json *trend = d->panel->trend;
	d->points = arena_array(d->panel->arena, POINT_LIMIT, sizeof *d->points);
	d->low = HUGE_VAL;
	d->high = -HUGE_VAL;
	for (const struct json *row = first_of(trend, KEY(points)); row && d->count < POINT_LIMIT;
	     row = row->next) {
		struct point point = {item(row, 0), item(row, 1), item(row, 2), item(row, 3),
				      item(row, 4)};
		if (!(point.place >= 0) || !isfinite(point.low) || !isfinite(point.middle) ||
		    !isfinite(point.high) || fabs(point.low) > 1e30 || fabs(point.high) > 1e30)
			continue;
		d->points[d->count++] = point;
		widen(d, point.low);
		widen(d, point.high);
		d->binned = d->binned || point.low < point.high;
	}
	const struct json *band = json_get(trend, KEY(band));
	if (d->count) {
		widen(d, json_number(band, KEY(low), NAN));
		widen(d, json_number(band, KEY(high), NAN));
	}
}

static void set_axes(struct drawing *d)
{
	const struct trend_panel *panel = d->panel;
	d->area = (struct scene_bounds){panel->box.left + left_margin, panel->box.top + top_margin,
					panel->box.right - 8, panel->box.bottom - bottom_margin};
	/* x counts commits back from the newest, at the right end: -oldest to 0. */
	d->x = (struct chart_axis){
		.low = -fmax(panel->oldest, 1), .from = d->area.left + 3, .to = d->area.right - 6};
	double middle = (d->low + d->high) / 2, size = fmax(fabs(d->low), fabs(d->high));
	/* Margins of 16 % of half the range; an axis of nonnegative values does not go below 0. */
	double half = fmax((d->high - d->low) / 2 * 1.16, least_span / 2 * size);
	half = half > 0 ? half : 0.5;
	d->y = (struct chart_axis){middle - half, middle + half, d->area.bottom, d->area.top,
				   false};
	if (d->low > 0 && d->high > d->low * log_from)
		d->y = (struct chart_axis){d->low / 1.2, d->high * 1.2, d->area.bottom, d->area.top,
					   true};
	else if (d->low >= 0 && d->y.low < 0)
		d->y.low = 0;
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

static double x_of(const struct drawing *d, double place)
{
	return tenths(clamped(plot_at(&d->x, -place), d->area.left, d->area.right));
}

static double y_of(const struct drawing *d, double value)
{
	if (d->y.logarithmic && !(value > d->y.low))
		return d->area.bottom;
	return tenths(clamped(plot_at(&d->y, value), d->area.top, d->area.bottom));
}

/* --- axes --- */

static void draw_value(const struct drawing *d, double value, double step)
{
	const struct trend_panel *panel = d->panel;
	double at = y_of(d, value);
	scene_line(panel->scene, d->area.left, at, d->area.right, at,
		   (struct scene_style){
			   .fill = SCENE_NONE, .stroke = panel->palette->grid, .width = 1});
	struct scene_item *text = scene_text(
		panel->scene, d->area.left - 5, at + 3.5, tick_size, panel->palette->muted,
		scene_shorten(panel->arena,
			      plot_value_text(panel->arena, &d->y, value, step, d->unit), tick_size,
			      false, left_margin - 6));
	text->anchor = SCENE_END;
}

static void draw_values(const struct drawing *d)
{
	if (d->y.logarithmic) {
		draw_value(d, d->low, d->low);
		draw_value(d, d->high, d->high);
		return;
	}
	double span = d->y.high - d->y.low, step = plot_step(span, 3);
	if (floor(d->y.high / step) - ceil(d->y.low / step) < 1)
		step = plot_step(span, 5);
	double first = ceil(d->y.low / step), ticks = floor(d->y.high / step) - first + 1;
	/* Adding a step to a huge `first` may not change the double; then there is one tick. */
	int count = first + 1 > first && ticks < TICK_LIMIT ? (int)ticks : 1;
	for (int i = 0; i < count; i++)
		draw_value(d, (first + i) * step, step);
}

static void draw_places(const struct drawing *d)
{
	const struct trend_panel *panel = d->panel;
	struct scene_style frame = {
		.fill = SCENE_NONE, .stroke = panel->palette->frame, .width = 1};
	scene_line(panel->scene, d->area.left, d->area.bottom, d->area.right, d->area.bottom,
		   frame);
	double step = fmax(1, plot_step(-d->x.low, 4));
	int count = (int)fmin(-d->x.low / step, TICK_LIMIT);
	for (int i = 0; i <= count; i++) {
		double place = i * step, at = x_of(d, place);
		scene_line(panel->scene, at, d->area.bottom, at, d->area.bottom + 3, frame);
		struct scene_item *text = scene_text(
			panel->scene, at, d->area.bottom + 13, tick_size, panel->palette->muted,
			place > 0 ? arena_printf(panel->arena, "-%.0f", place) : "0");
		text->anchor = SCENE_MIDDLE;
	}
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

static void draw_title(const struct drawing *d)
{
	const struct trend_panel *panel = d->panel;
	const struct json *comparison = panel->comparison;
	double width = panel->box.right - panel->box.left - 8;
	const char *name = trend_panel_name(panel->arena, comparison);
	const char *shown = scene_shorten(panel->arena, name, chart_label_size, true, width);
	struct scene_item *title = scene_bold(panel->scene, panel->box.left, panel->box.top + 11,
					      chart_label_size, panel->palette->ink, shown);
	if (strcmp(shown, name) != 0)
		scene_tooltip(panel->scene, title, name);
	const char *candidate = json_text(json_get(panel->trend, KEY(candidate)), KEY(text), NULL);
	const char *change = json_text(comparison, KEY(change_text), "unknown");
	struct strbuf below = {0};
	strbuf_addf(&below, "%s: %s", json_text(comparison, KEY(verdict), "not judged"),
		    json_text(comparison, KEY(title), "value"));
	if (candidate)
		strbuf_addf(&below, " %s", candidate);
	if (strcmp(change, "unknown") != 0)
		strbuf_addf(&below, ", %s", change);
	scene_text(
		panel->scene, panel->box.left, panel->box.top + 25, chart_small_size,
		panel->palette->muted,
		scene_shorten(panel->arena, strbuf_text(&below), chart_small_size, false, width));
	strbuf_free(&below);
}

/* --- the series --- */

static void draw_band(const struct drawing *d)
{
	const struct trend_panel *panel = d->panel;
	const struct json *band = json_get(panel->trend, KEY(band));
	const struct json *levels = json_get(panel->trend, KEY(levels));
	double low = json_number(band, KEY(low), NAN), high = json_number(band, KEY(high), NAN);
	double from = levels && levels->last ? item(levels->last, 0) : NAN;
	if (!isfinite(low) || !isfinite(high))
		return;
	double left = isnan(from) ? d->area.left : x_of(d, from), top = y_of(d, high);
	struct scene_item *rect = scene_rect(
		panel->scene, left, top, d->area.right - left, fmax(1, y_of(d, low) - top),
		(struct scene_style){
			.fill = panel->palette->frame, .stroke = SCENE_NONE, .opacity = 0.22});
	scene_tooltip(panel->scene, rect,
		      arena_printf(panel->arena, "95 of 100 next commits: %s to %s",
				   quantity_text(panel->arena, low, d->unit),
				   quantity_text(panel->arena, high, d->unit)));
}

static void draw_levels(const struct drawing *d)
{
	struct scene_style style = {
		.fill = SCENE_NONE, .stroke = d->panel->palette->roof, .width = 1.25};
	for (const struct json *row = first_of(d->panel->trend, KEY(levels)); row;
	     row = row->next) {
		double at = item(row, 2);
		if (!isfinite(at) || !(item(row, 0) >= item(row, 1)))
			continue;
		scene_line(d->panel->scene, x_of(d, item(row, 0)), y_of(d, at),
			   fmax(x_of(d, item(row, 1)), x_of(d, item(row, 0)) + 2), y_of(d, at),
			   style);
	}
}

/* Draws a line through the points [from, to) whose neighbors are close enough to be joined. */
static void draw_joined(const struct drawing *d, size_t from, size_t to)
{
	const struct trend_panel *panel = d->panel;
	struct scene_point *line = arena_array(panel->arena, 2 * (to - from), sizeof *line);
	uint32_t colour = panel->palette->series[0];
	size_t count = to - from;
	for (size_t i = 0; i < count; i++)
		line[i] = (struct scene_point){x_of(d, d->points[from + i].place),
					       y_of(d, d->points[from + i].high)};
	for (size_t i = 0; i < count; i++)
		line[2 * count - 1 - i] =
			(struct scene_point){line[i].x, y_of(d, d->points[from + i].low)};
	if (d->binned && count > 1)
		scene_polygon(
			panel->scene, line, 2 * count,
			(struct scene_style){.fill = colour, .stroke = SCENE_NONE, .opacity = 0.3});
	for (size_t i = 0; i < count; i++)
		line[i].y = y_of(d, d->points[from + i].middle);
	if (count > 1)
		scene_polyline(
			panel->scene, line, count,
			(struct scene_style){.fill = SCENE_NONE, .stroke = colour, .width = 1.25});
	struct scene_style dot = {.fill = colour, .stroke = SCENE_NONE};
	for (size_t i = 0; i < count && (count == 1 || d->count <= DOT_LIMIT); i++) {
		const struct point *point = &d->points[from + i];
		if (point->low < point->high && count == 1)
			scene_line(panel->scene, line[i].x, y_of(d, point->low), line[i].x,
				   y_of(d, point->high),
				   (struct scene_style){
					   .fill = SCENE_NONE, .stroke = colour, .width = 1.25});
		struct scene_item *mark = scene_mark(panel->scene, SCENE_CIRCLE, line[i].x,
						     line[i].y, d->count > 30 ? 1.5 : 2, dot);
		scene_tooltip(panel->scene, mark,
			      arena_printf(panel->arena, "%.0f commits before: %s, %.0f run%s",
					   point->place,
					   quantity_text(panel->arena, point->middle, d->unit),
					   point->runs, point->runs == 1 ? "" : "s"));
	}
}

static void draw_line(const struct drawing *d)
{
	double gap = json_number(d->panel->trend, KEY(gap), 3);
	for (size_t from = 0, to; from < d->count; from = to) {
		to = from + 1;
		while (to < d->count && d->points[to - 1].place - d->points[to].place <= gap)
			to++;
		draw_joined(d, from, to);
	}
}

/* --- changes --- */

static bool is_free(const struct drawing *d, double from, double to)
{
	bool free =
		d->labels < LABEL_LIMIT && from >= d->area.left - 2 && to <= d->panel->box.right;
	for (size_t i = 0; i < d->labels; i++)
		free = free && (to < d->taken[i][0] - 2 || from > d->taken[i][1] + 2);
	return free;
}

static void take(struct drawing *d, double from, double to)
{
	if (d->labels == LABEL_LIMIT)
		return;
	d->taken[d->labels][0] = from;
	d->taken[d->labels++][1] = to;
}

/* Draws the label of a change above the area, next to its mark, if there is room. */
static void draw_label(struct drawing *d, double at, const char *text, const char *tooltip)
{
	double width = scene_text_width(text, tick_size, false), from = at + 7;
	bool left = !is_free(d, from, from + width);
	if (left)
		from = at - 7 - width;
	if (!is_free(d, from, from + width))
		return;
	take(d, from - 4, from + width + 4);
	struct scene_item *label =
		scene_text(d->panel->scene, left ? at - 7 : from, d->area.top - 4, tick_size,
			   d->panel->palette->ink, text);
	label->anchor = left ? SCENE_END : SCENE_START;
	scene_tooltip(d->panel->scene, label, tooltip);
}

static const struct json *accepted_at(const struct drawing *d, double place)
{
	const struct json *one = first_of(d->panel->trend, KEY(accepted));
	while (one && json_number(one, KEY(place), NAN) != place)
		one = one->next;
	return one;
}

/* Draws a flag on the axis: an accepted change. */
static void draw_flag(const struct drawing *d, const struct json *accepted)
{
	const struct trend_panel *panel = d->panel;
	double at = x_of(d, json_number(accepted, KEY(place), 0)), y = d->area.bottom;
	double way = at + 9 > d->area.right ? -9 : 9;
	struct scene_point pennant[] = {{at, y - 14}, {at + way, y - 10.5}, {at, y - 7}};
	const char *tooltip = arena_printf(panel->arena, "accepted by %s: %s (until %s)",
					   json_text(accepted, KEY(author), "unknown"),
					   json_text(accepted, KEY(reason), "unknown"),
					   json_text(accepted, KEY(expires), "unknown"));
	scene_line(panel->scene, at, y, at, y - 14,
		   (struct scene_style){
			   .fill = SCENE_NONE, .stroke = panel->palette->ink, .width = 1.25});
	scene_tooltip(panel->scene,
		      scene_polygon(panel->scene, pennant, 3,
				    (struct scene_style){.fill = panel->palette->series[4],
							 .stroke = panel->palette->ink,
							 .width = 0.75}),
		      tooltip);
}

static uint32_t colour_of(const struct drawing *d, bool worse, bool better)
{
	const struct palette *palette = d->panel->palette;
	return worse ? palette->warn : better ? palette->series[2] : palette->roof;
}

static void draw_change(struct drawing *d, const struct json *change)
{
	const struct trend_panel *panel = d->panel;
	double place = json_number(change, KEY(place), NAN);
	bool worse = json_truth(change, KEY(worse)), better = json_truth(change, KEY(better));
	bool up = json_number(change, KEY(effect), 0) > 0,
	     sure = json_truth(change, KEY(confirmed));
	if (!(place >= 0))
		return;
	double at = x_of(d, place);
	uint32_t colour = colour_of(d, worse, better);
	const char *tooltip =
		arena_printf(panel->arena, "%s%s at %s, %.0f commits before: %s to %s",
			     sure ? "" : "perhaps ", json_text(change, KEY(effect_text), "changed"),
			     json_text(json_get(change, KEY(first_after)), KEY(short), "unknown"),
			     place, json_text(json_get(change, KEY(before)), KEY(text), "unknown"),
			     json_text(json_get(change, KEY(after)), KEY(text), "unknown"));
	struct scene_style line = {.fill = SCENE_NONE,
				   .stroke = colour,
				   .width = 1.5,
				   .opacity = sure ? 1 : 0.6,
				   .dash = SCENE_DOTTED};
	scene_line(panel->scene, at, d->area.top - 1, at, d->area.bottom, line);
	struct scene_style fill = {.fill = sure ? colour : panel->palette->background,
				   .stroke = colour,
				   .width = 1.25};
	struct scene_item *mark =
		scene_mark(panel->scene, up ? SCENE_TRIANGLE : SCENE_TRIANGLE_DOWN, at,
			   d->area.top - 7, 4, fill);
	scene_tooltip(panel->scene, mark, tooltip);
	draw_label(d, at,
		   arena_printf(panel->arena, "%s%s", json_text(change, KEY(effect_text), ""),
				accepted_at(d, place) ? ", accepted"
				: sure                ? ""
						      : "?"),
		   tooltip);
}

/* Draws the newest changes first, so that only old ones lose their labels. */
static void draw_changes(struct drawing *d)
{
	const struct json *list = json_get(d->panel->trend, KEY(changes));
	size_t count = list ? list->count : 0;
	const struct json **all = arena_array(d->panel->arena, count + 1, sizeof *all);
	size_t at = 0;
	for (const struct json *one = list ? list->first : NULL; one; one = one->next)
		all[at++] = one;
	for (size_t i = 0; i < count; i++)
		take(d, x_of(d, json_number(all[i], KEY(place), 0)) - 4.5,
		     x_of(d, json_number(all[i], KEY(place), 0)) + 4.5);
	while (at-- > 0)
		draw_change(d, all[at]);
	for (const struct json *one = first_of(d->panel->trend, KEY(accepted)); one;
	     one = one->next)
		draw_flag(d, one);
}

static void draw_candidate(const struct drawing *d)
{
	const struct trend_panel *panel = d->panel;
	const struct json *candidate = json_get(panel->trend, KEY(candidate));
	const char *verdict = json_text(panel->comparison, KEY(verdict), "");
	static const char *const bad[] = {"regressed", "failed", "creep", "suspect", "environment"};
	double value = json_number(candidate, KEY(value), NAN);
	bool worse = false;
	if (!isfinite(value) || !d->count)
		return;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		worse = worse || strcmp(verdict, bad[i]) == 0;
	struct scene_style style = {.fill = colour_of(d, worse, strcmp(verdict, "improved") == 0),
				    .stroke = panel->palette->background,
				    .width = 1};
	struct scene_item *mark = scene_mark(panel->scene, SCENE_DIAMOND,
					     x_of(d, json_number(candidate, KEY(place), 0)),
					     y_of(d, value), 4.5, style);
	scene_tooltip(panel->scene, mark,
		      arena_printf(panel->arena, "the candidate: %s, %s",
				   json_text(candidate, KEY(text), "unknown"), verdict));
}

void trend_panel_draw(const struct trend_panel *panel)
{
	struct drawing d = {.panel = panel};
	enum metric metric = metric_find(span_of(json_text(panel->comparison, KEY(metric), "")));
	d.unit = metric == METRIC_COUNT ? UNIT_NONE : metric_info(metric)->unit;
	read_points(&d);
	if (!d.count)
		d.low = d.high = 0;
	set_axes(&d);
	draw_title(&d);
	draw_values(&d);
	draw_band(&d);
	draw_places(&d);
	draw_line(&d);
	draw_levels(&d);
	draw_changes(&d);
	draw_candidate(&d);
}
