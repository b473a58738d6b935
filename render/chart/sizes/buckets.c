/*
 * Buckets: the measured times of each shape, and, as steps, the time of a request that is padded
 * up to its bucket. The area between them is the time lost to padding. Bars below show the
 * expected time of each plan.
 */

#include "render/document/key.h"
#include "render/chart/chart.h"
#include "render/chart/sizes/bucket_pairs.h"

#include "base/text/text.h"
#include "base/base.h"
#include "render/chart/plot/plot.h"
#include "render/chart/plot/run.h"
#include "render/vocabulary/vocabulary.h"

enum { PANEL_LIMIT = 4, PLAN_LIMIT = 8, POINT_LIMIT = 4096, STEPS = 5 };
static const double plot_height = 190, bar_pitch = 19, bar_height = 11, name_width = 150,
		    value_width = 280, label_gap = 8;

struct panel {
	struct chart_plot plot;
	const struct json *shape, *best; /* best: the shape's first plan */
	struct scene_point *points;      /* size and seconds */
	size_t count;
};

/* --- what is drawn --- */

static bool in_range(double number)
{
	return number >= 1e-15 && number <= 1e15;
}

static const struct json *first_bucket(const struct panel *panel)
{
	return json_first(panel->best, KEY(buckets));
}

static bool is_drawable(const struct json *shape)
{
	const struct json *bucket = json_first(json_first(shape, KEY(plans)), KEY(buckets));
	return bucket && in_range(plot_number(bucket, KEY(size))) &&
	       in_range(plot_number(bucket, KEY(seconds)));
}

static void read_panel(struct panel *panel)
{
	const struct json *list = json_get(panel->shape, KEY(measured));
	panel->best = json_first(panel->shape, KEY(plans));
	panel->points =
		arena_array(panel->plot.arena, list ? list->count : 0, sizeof *panel->points);
	for (const struct json *p = json_first(panel->shape, KEY(measured));
	     p && panel->count < POINT_LIMIT; p = p->next) {
		struct scene_point point = {plot_number(p, KEY(size)),
					    plot_number(p, KEY(seconds))};
		if (in_range(point.x) && in_range(point.y))
			panel->points[panel->count++] = point;
	}
}

static void set_axes(struct panel *panel, double y)
{
	struct chart_plot *plot = &panel->plot;
	double largest = 0, smallest = INFINITY, longest = 0;
	size_t below = 0;
	for (size_t i = 0; i < panel->count; i++) {
		largest = fmax(largest, panel->points[i].x);
		smallest = fmin(smallest, panel->points[i].x);
		longest = fmax(longest, panel->points[i].y);
	}
	for (const struct json *b = first_bucket(panel); b; b = b->next) {
		double size = plot_number(b, KEY(size)), time = plot_number(b, KEY(seconds));
		largest = in_range(size) ? fmax(largest, size) : largest;
		smallest = in_range(size) ? fmin(smallest, size) : smallest;
		longest = in_range(time) ? fmax(longest, time) : longest;
	}
	for (size_t i = 0; i < panel->count; i++)
		below += panel->points[i].x < largest / 4;
	/* Logarithmic if more than half of the sizes would fall into the left quarter. */
	plot->area = (struct scene_bounds){plot->left + 60, y, plot->right, y + plot_height};
	plot->x = (struct chart_axis){0, largest, plot->area.left, plot->area.right - 8,
				      below * 2 > panel->count};
	if (plot->x.logarithmic)
		plot->x.low = smallest / 2;
	double step = plot_step(longest, STEPS);
	plot->y = (struct chart_axis){0, ceil(longest / step - 1e-9) * step, plot->area.bottom,
				      plot->area.top, false};
}

/* --- the steps --- */

static void draw_times(struct panel *panel)
{
	struct chart_plot *plot = &panel->plot;
	double step = plot_step(plot->y.high, STEPS), scale;
	const char *unit = plot_time_unit(plot->y.high, 0.9999, &scale);
	for (int i = 0; i <= 2 * STEPS && i * step <= plot->y.high * (1 + 1e-9); i++)
		plot_y_tick(plot, plot_at(&plot->y, i * step), 0.8,
			    arena_printf(plot->arena, "%.5g", i * step * scale));
	plot_y_title(plot, plot->left + 10,
		     arena_printf(plot->arena, vocabulary_format("Time, %s"), unit));
}

/* Labels a size below its tick if it lies in `room`, the x range that is still free. The range
 * then ends at the label: buckets come in ascending order, so labels are placed from left to right,
 * except the rightmost, which comes first. */
static void label_size(struct panel *panel, double size, bool rightmost, double room[2])
{
	struct chart_plot *plot = &panel->plot;
	double at = plot_at(&plot->x, size);
	const char *text = arena_printf(plot->arena, "%.10g", size);
	double half = plot_text_width(PLOT_SMALL, text) / 2;
	if (at - half < room[0] || at + half > room[1])
		return;
	room[rightmost] = rightmost ? at - half - label_gap : at + half + label_gap;
	plot_text(plot, at, plot->area.bottom + 17, PLOT_SMALL | PLOT_MUTED | PLOT_MIDDLE, text);
}

/* Labels the largest size first: its label limits the room of the others. */
static void draw_sizes(struct panel *panel)
{
	struct chart_plot *plot = &panel->plot;
	double room[] = {plot->area.left - 40 + label_gap, plot->scene->width - 4}, largest = 0;
	for (const struct json *b = first_bucket(panel); b; b = b->next) {
		double size = plot_number(b, KEY(size));
		if (!in_range(size))
			continue;
		double at = plot_at(&plot->x, size);
		scene_line(plot->scene, at, plot->area.bottom, at, plot->area.bottom + 4,
			   scene_stroke(plot->palette->frame, 1));
		largest = fmax(largest, size);
	}
	if (largest > 0)
		label_size(panel, largest, true, room);
	for (const struct json *b = first_bucket(panel); b; b = b->next) {
		double size = plot_number(b, KEY(size));
		if (in_range(size) && size < largest)
			label_size(panel, size, false, room);
	}
}

static double left_of(const struct panel *panel, double size)
{
	return size > panel->plot.x.low ? plot_at(&panel->plot.x, size) : panel->plot.area.left;
}

static void draw_bucket(struct panel *panel, const struct json *bucket, double below)
{
	struct chart_plot *plot = &panel->plot;
	double size = plot_number(bucket, KEY(size)), time = plot_number(bucket, KEY(seconds));
	if (!in_range(size) || !in_range(time) || size < below)
		return;
	double left = left_of(panel, below), right = plot_at(&plot->x, size);
	double top = plot_at(&plot->y, time), bottom = plot->area.bottom;
	uint32_t colour = plot->palette->data;
	struct scene_style edge = scene_stroke(colour, 2);
	scene_tooltip(plot->scene,
		      scene_rect(plot->scene, left, top, fmax(right - left, 0), bottom - top,
				 scene_fill(colour, 0.16)),
		      vocabulary_format("bucket %.10g: %s, %s of the requests"), size,
		      quantity_text(plot->arena, time, UNIT_SECOND),
		      quantity_text(plot->arena, plot_number(bucket, KEY(share)), UNIT_FRACTION));
	scene_line(plot->scene, left, top, right, top, edge)->avoid = true;
	edge.width = 1;
	edge.opacity = 0.5;
	scene_line(plot->scene, right, top, right, bottom, edge)->avoid = true;
}

static void draw_points(struct panel *panel)
{
	struct chart_plot *plot = &panel->plot;
	struct chart_mark mark = {SCENE_CIRCLE, plot->palette->series[4]};
	for (size_t i = 0; i < panel->count; i++)
		scene_tooltip(
			plot->scene,
			scene_mark(plot->scene, mark.marker, plot_at(&plot->x, panel->points[i].x),
				   plot_at(&plot->y, panel->points[i].y), panel->count > 60 ? 2 : 3,
				   plot_mark_style(plot->palette, mark)),
			vocabulary_format("measured at %.10g: %s"), panel->points[i].x,
			quantity_text(plot->arena, panel->points[i].y, UNIT_SECOND));
}

/* The share of requests, at the foot of its bucket if it fits. */
static void label_bucket(struct panel *panel, const struct json *bucket, double below)
{
	struct chart_plot *plot = &panel->plot;
	double size = plot_number(bucket, KEY(size)), share = plot_number(bucket, KEY(share));
	if (!in_range(size) || isnan(share))
		return;
	double left = left_of(panel, below), right = plot_at(&plot->x, size);
	double middle = (left + right) / 2;
	const char *text = arena_printf(plot->arena, "%.3g %%", share * 100);
	if (plot_text_width(PLOT_SMALL, text) + 6 > right - left)
		return;
	plot_text(plot, 0, 0, PLOT_SMALL, text);
	struct scene_spot spots[] = {{middle, plot->area.bottom - 7, 0, SCENE_MIDDLE},
				     {middle, plot->area.bottom - 22, 0, SCENE_MIDDLE}};
	scene_place(plot->scene, &plot->area, spots, 2);
}

static void draw_steps(struct panel *panel)
{
	double below = 0;
	for (const struct json *b = first_bucket(panel); b; b = b->next) {
		draw_bucket(panel, b, below);
		below = fmax(below, json_number(b, KEY(size), 0));
	}
	draw_points(panel);
	below = 0;
	for (const struct json *b = first_bucket(panel); b; b = b->next) {
		label_bucket(panel, b, below);
		below = fmax(below, json_number(b, KEY(size), 0));
	}
}

/* --- the plans --- */

static void draw_plan_bar(struct chart_plot *plot, double part, size_t index, double left,
			  double right)
{
	double top = plot->below + (bar_pitch - bar_height) / 2;
	uint32_t colour = index ? plot->palette->frame : plot->palette->data;
	scene_rect(plot->scene, left, top, right - left, bar_height,
		   scene_fill(plot->palette->track, 1))
		->radius = 2;
	if (part > 0)
		scene_rect(plot->scene, left, top, fmax(part * (right - left), 1), bar_height,
			   scene_fill(colour, 1))
			->radius = 2;
}

/* Draws a plan's name, bar and value as a row at plot->below; on a narrow picture the bar is below
 * the texts. */
static void draw_plan(struct chart_plot *plot, const struct json *plan, size_t index,
		      double longest)
{
	struct arena *arena = plot->arena;
	double seconds = plot_number(plan, KEY(seconds)), covered = plot_number(plan, KEY(covered));
	double track = plot->left + name_width + 8, end = plot->right - value_width;
	double middle = plot->below + bar_pitch / 2;
	double part = in_range(seconds) ? seconds / longest : 0;
	unsigned look = index ? PLOT_LABEL : PLOT_LABEL | PLOT_BOLD;
	const char *name = json_text(plan, KEY(name), "plan");
	const char *value = arena_printf(
		arena, vocabulary_format("%s, waste %s%s"),
		quantity_text(arena, seconds, UNIT_SECOND),
		quantity_change_text(arena, plot_number(plan, KEY(waste))),
		covered < 1 ? arena_printf(arena, vocabulary_format(", covers %s"),
					   quantity_text(arena, covered, UNIT_FRACTION))
			    : "");
	if (plot->narrow) {
		plot_text(plot, plot->left, middle + 4, look,
			  plot_shorten(plot, look, arena_printf(arena, "%s: %s", name, value),
				       plot->right - plot->left));
		plot->below += bar_pitch;
		draw_plan_bar(plot, part, index, plot->left, plot->right);
	} else {
		plot_text(plot, track - 8, middle + 4, look | PLOT_END,
			  plot_shorten(plot, look, name, name_width));
		draw_plan_bar(plot, part, index, track, end);
		plot_text(plot, end + 8, middle + 4, PLOT_LABEL,
			  plot_shorten(plot, PLOT_LABEL, value, value_width - 8));
	}
	plot->below += bar_pitch;
}

void chart_buckets_plans(struct chart_plot *plot, const struct json *plans)
{
	double longest = 0;
	size_t index = 0;
	for (const struct json *p = plans; p && index < PLAN_LIMIT; p = p->next, index++)
		if (in_range(plot_number(p, KEY(seconds))))
			longest = fmax(longest, plot_number(p, KEY(seconds)));
	index = 0;
	for (const struct json *p = plans; p && index < PLAN_LIMIT; p = p->next)
		draw_plan(plot, p, index++, longest);
}

void chart_buckets_frame(struct scene *scene, const struct scene_bounds *area)
{
	if (scene->frame.right > scene->frame.left)
		scene->frame.bottom = area->bottom;
	else
		scene->frame = *area;
}

/* Draws a shape at panel->plot.below, which ends below it. */
static void draw_panel(struct panel *panel)
{
	struct chart_plot *plot = &panel->plot;
	const char *name = json_text(panel->shape, KEY(name), "");
	plot_text(plot, plot->left, plot->below, PLOT_TEXT | PLOT_BOLD,
		  plot_shorten(plot, PLOT_TEXT | PLOT_BOLD,
			       *name ? name : vocabulary_format("unnamed"),
			       plot->right - plot->left));
	read_panel(panel);
	set_axes(panel, plot->below + 18);
	chart_buckets_frame(plot->scene, &plot->area);
	draw_times(panel);
	draw_steps(panel);
	plot_frame(plot);
	plot_x_title(plot, 36,
		     plot_shorten(plot, PLOT_TEXT, json_text(panel->shape, KEY(x), "size"),
				  (plot->area.right - plot->area.left) * 0.7));
	draw_sizes(panel);
	plot->below = plot->area.bottom + 54;
	chart_buckets_plans(plot, panel->best);
}

/* --- the picture --- */

static const char *description(struct arena *arena, const struct json **shapes, size_t count)
{
	struct strbuf text = {0};
	strbuf_addstr(&text,
		      vocabulary_format("Request time over size, padded to the next bucket"));
	for (size_t i = 0; i < count; i++) {
		const struct json *plans = json_first(shapes[i], KEY(plans));
		strbuf_addf(&text, vocabulary_format("; %s: buckets"),
			    json_text(shapes[i], KEY(name), "unnamed"));
		for (const struct json *b = json_first(plans, KEY(buckets)); b; b = b->next)
			strbuf_addf(&text, " %.10g", plot_number(b, KEY(size)));
	}
	strbuf_addch(&text, '.');
	return strbuf_into(&text, arena);
}

int chart_buckets(struct arena *arena, const struct json *document, const struct chart_look *look,
		  struct scene **scene, struct error *err)
{
	struct chart_plot plot = {.below = 0};
	const struct json *shapes[PANEL_LIMIT], *shape = json_first(document, KEY(shapes));
	size_t count = 0, drawn = 0;
	if (json_first(document, KEY(grids)))
		return chart_buckets_pairs(arena, document, look, scene, err);
	for (; shape; shape = shape->next) {
		if (is_drawable(shape) && drawn < PANEL_LIMIT)
			shapes[drawn++] = shape;
		count += is_drawable(shape);
	}
	if (!count)
		return error_set(err, ERR_FORMAT,
				 "no buckets to plot: no shape has times of several sizes\nhint: "
				 "measure more "
				 "sizes: rooflog ingest --set s=512 FILE");
	plot_begin(&plot, arena, look->dark, look->width);
	plot_heading(&plot,
		     arena_printf(arena, vocabulary_format("Buckets of %s"),
				  json_text(shapes[0], KEY(x), "size")),
		     json_text(shapes[0], KEY(common), ""), description(arena, shapes, drawn));
	plot.below += 21;
	for (size_t i = 0; i < drawn; i++) {
		struct panel panel = {.plot = plot, .shape = shapes[i]};
		draw_panel(&panel);
		plot.below = panel.plot.below + (i + 1 < drawn ? 30 : 10);
	}
	plot_note(&plot, 3,
		  vocabulary_format("Dots: measured times. Steps: time of a request padded to its "
				    "bucket, with its "
				    "share of requests (%s). Bars: expected time per request; "
				    "waste is relative to "
				    "one bucket per measured size."),
		  json_truth(shapes[0], KEY(uniform))
			  ? vocabulary_format("all sizes equally likely")
			  : vocabulary_format("weights from --sizes"));
	if (count > drawn)
		plot_note(&plot, 1, vocabulary_format("%zu more shapes not drawn."), count - drawn);
	*scene = plot_end(&plot, 14);
	return 0;
}
