/*
 * Buckets: the measured times of each shape, and, as steps, the time of a request that is padded
 * up to its bucket. The area between them is the time lost to padding. Bars below show the
 * expected time of each plan.
 */

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/text/text.h"
#include "base/base.h"
#include "render/chart/plot/plot.h"
#include "render/chart/plot/run.h"

enum { PANEL_LIMIT = 4, PLAN_LIMIT = 8, POINT_LIMIT = 4096, STEPS = 5 };
static const double plot_height = 190, bar_pitch = 19, bar_height = 11, name_width = 150,
		    value_width = 280, label_gap = 8;

struct panel {
	struct chart_plot plot;
	const struct json *shape, *best; /* best: the shape's first plan */
	struct scene_point *points;      /* size and seconds */
	size_t count;
	double most; /* the longest expected time of a plan, s */
};

/* --- what is drawn --- */

static bool in_range(double number)
{
	return number >= 1e-15 && number <= 1e15;
}

static const struct json *first_of(const struct json *object, const char *name)
{
	const struct json *list = json_get(object, name);
	return list && list->type == JSON_ARRAY ? list->first : NULL;
}

static const struct json *first_bucket(const struct panel *panel)
{
	return first_of(panel->best, KEY(buckets));
}

static bool is_drawable(const struct json *shape)
{
	const struct json *bucket = first_of(first_of(shape, KEY(plans)), KEY(buckets));
	return bucket && in_range(json_number(bucket, KEY(size), NAN)) &&
	       in_range(json_number(bucket, KEY(seconds), NAN));
}

static void read_panel(struct panel *panel)
{
	const struct json *list = json_get(panel->shape, KEY(measured));
	size_t plans = 0;
	panel->best = first_of(panel->shape, KEY(plans));
	panel->points =
		arena_array(panel->plot.arena, list ? list->count : 0, sizeof *panel->points);
	for (const struct json *p = first_of(panel->shape, KEY(measured));
	     p && panel->count < POINT_LIMIT; p = p->next) {
		struct scene_point point = {json_number(p, KEY(size), NAN),
					    json_number(p, KEY(seconds), NAN)};
		if (in_range(point.x) && in_range(point.y))
			panel->points[panel->count++] = point;
	}
	for (const struct json *p = panel->best; p && plans < PLAN_LIMIT; p = p->next, plans++)
		if (in_range(json_number(p, KEY(seconds), NAN)))
			panel->most = fmax(panel->most, json_number(p, KEY(seconds), NAN));
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
		double size = json_number(b, KEY(size), NAN),
		       time = json_number(b, KEY(seconds), NAN);
		largest = in_range(size) ? fmax(largest, size) : largest;
		smallest = in_range(size) ? fmin(smallest, size) : smallest;
		longest = in_range(time) ? fmax(longest, time) : longest;
	}
	for (size_t i = 0; i < panel->count; i++)
		below += panel->points[i].x < largest / 4;
	/* Logarithmic if more than half of the sizes would fall into the left quarter. */
	plot->area = (struct scene_bounds){112, y, CHART_WIDTH - CHART_MARGIN, y + plot_height};
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
	double step = plot_step(plot->y.high, STEPS);
	struct scene_style grid = {
		.fill = SCENE_NONE, .stroke = plot->palette->grid, .width = 1, .opacity = 0.8};
	for (int i = 0; i <= 2 * STEPS && i * step <= plot->y.high * (1 + 1e-9); i++) {
		double y = plot_at(&plot->y, i * step);
		scene_line(plot->scene, plot->area.left, y, plot->area.right, y, grid);
		struct scene_item *text =
			scene_text(plot->scene, plot->area.left - 8, y + 4, chart_label_size,
				   plot->palette->muted,
				   i ? quantity_text(plot->arena, i * step, UNIT_SECOND) : "0");
		text->anchor = SCENE_END;
	}
}

static void draw_tick(struct panel *panel, double size)
{
	struct chart_plot *plot = &panel->plot;
	double at = plot_at(&plot->x, size);
	struct scene_style tick = {.fill = SCENE_NONE, .stroke = plot->palette->frame, .width = 1};
	scene_line(plot->scene, at, plot->area.bottom, at, plot->area.bottom + 4, tick);
}

/* Labels a size below its tick if it lies in `room` (x range that is still free). The label's
 * width is then removed from the right or the left of `room`. */
static void label_size(struct panel *panel, double size, bool rightmost, double room[2])
{
	struct chart_plot *plot = &panel->plot;
	double at = plot_at(&plot->x, size);
	const char *text = arena_printf(plot->arena, "%.10g", size);
	double half = scene_text_width(text, chart_small_size, false) / 2;
	if (at - half < room[0] || at + half > room[1])
		return;
	room[rightmost] = rightmost ? at - half - label_gap : at + half + label_gap;
	scene_text(plot->scene, at, plot->area.bottom + 17, chart_small_size, plot->palette->muted,
		   text)
		->anchor = SCENE_MIDDLE;
}

/* Draws the largest size first: its label limits the room of the others. */
static void draw_sizes(struct panel *panel)
{
	double room[] = {panel->plot.area.left - 40 + label_gap, CHART_WIDTH - 4}, largest = 0;
	for (const struct json *b = first_bucket(panel); b; b = b->next) {
		double size = json_number(b, KEY(size), NAN);
		if (!in_range(size))
			continue;
		draw_tick(panel, size);
		largest = fmax(largest, size);
	}
	if (largest > 0)
		label_size(panel, largest, true, room);
	for (const struct json *b = first_bucket(panel); b; b = b->next) {
		double size = json_number(b, KEY(size), NAN);
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
	double size = json_number(bucket, KEY(size), NAN),
	       time = json_number(bucket, KEY(seconds), NAN);
	if (!in_range(size) || !in_range(time) || size < below)
		return;
	double left = left_of(panel, below), right = plot_at(&plot->x, size);
	double top = plot_at(&plot->y, time), bottom = plot->area.bottom;
	uint32_t colour = plot->palette->series[0];
	struct scene_style fill = {.fill = colour, .stroke = SCENE_NONE, .opacity = 0.16};
	struct scene_style edge = {.fill = SCENE_NONE, .stroke = colour, .width = 2};
	struct scene_item *box =
		scene_rect(plot->scene, left, top, fmax(right - left, 0), bottom - top, fill);
	scene_tooltip(plot->scene, box,
		      arena_printf(plot->arena, "bucket %.10g: %s, %s of the requests", size,
				   quantity_text(plot->arena, time, UNIT_SECOND),
				   quantity_text(plot->arena, json_number(bucket, KEY(share), NAN),
						 UNIT_FRACTION)));
	scene_line(plot->scene, left, top, right, top, edge)->avoid = true;
	edge.width = 1;
	edge.opacity = 0.5;
	scene_line(plot->scene, right, top, right, bottom, edge)->avoid = true;
}

static void draw_points(struct panel *panel)
{
	struct chart_plot *plot = &panel->plot;
	struct chart_mark mark = {SCENE_CIRCLE, plot->palette->series[4]};
	double radius = panel->count > 60 ? 2 : 3;
	for (size_t i = 0; i < panel->count; i++) {
		struct scene_item *item =
			scene_mark(plot->scene, mark.marker, plot_at(&plot->x, panel->points[i].x),
				   plot_at(&plot->y, panel->points[i].y), radius,
				   plot_mark_style(plot->palette, mark));
		scene_tooltip(
			plot->scene, item,
			arena_printf(plot->arena, "measured at %.10g: %s", panel->points[i].x,
				     quantity_text(plot->arena, panel->points[i].y, UNIT_SECOND)));
	}
}

/* The share of requests, at the foot of its bucket if it fits. */
static void label_bucket(struct panel *panel, const struct json *bucket, double below)
{
	struct chart_plot *plot = &panel->plot;
	double size = json_number(bucket, KEY(size), NAN),
	       share = json_number(bucket, KEY(share), NAN);
	if (!in_range(size) || isnan(share))
		return;
	double middle = (left_of(panel, below) + plot_at(&plot->x, size)) / 2;
	const char *text = arena_printf(plot->arena, "%.3g %%", share * 100);
	if (scene_text_width(text, chart_small_size, false) + 6 >
	    plot_at(&plot->x, size) - left_of(panel, below))
		return;
	scene_text(plot->scene, 0, 0, chart_small_size, plot->palette->ink, text);
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

static void draw_frame(struct panel *panel)
{
	struct chart_plot *plot = &panel->plot;
	const struct scene_bounds *area = &plot->area;
	struct scene_style frame = {.fill = SCENE_NONE, .stroke = plot->palette->frame, .width = 1};
	scene_line(plot->scene, area->left, area->top, area->left, area->bottom, frame);
	scene_line(plot->scene, area->left, area->bottom, area->right, area->bottom, frame);
	const char *param = scene_shorten(plot->arena, json_text(panel->shape, KEY(x), "size"),
					  chart_text_size, false, 400);
	scene_text(plot->scene, (area->left + area->right) / 2, area->bottom + 36, chart_text_size,
		   plot->palette->ink, param)
		->anchor = SCENE_MIDDLE;
}

/* --- the plans --- */

static double draw_plan(struct panel *panel, const struct json *plan, size_t index, double y)
{
	struct chart_plot *plot = &panel->plot;
	struct arena *arena = plot->arena;
	double seconds = json_number(plan, KEY(seconds), NAN),
	       track = CHART_MARGIN + name_width + 8;
	double room = CHART_WIDTH - CHART_MARGIN - value_width - track;
	double middle = y + bar_pitch / 2, covered = json_number(plan, KEY(covered), NAN);
	struct scene_style back = {.fill = plot->palette->track, .stroke = SCENE_NONE};
	struct scene_style fill = {.fill = plot->palette->series[index ? 6 : 0],
				   .stroke = SCENE_NONE};
	const char *name = scene_shorten(arena, json_text(plan, KEY(name), "plan"),
					 chart_label_size, index == 0, name_width);
	struct scene_item *text = index ? scene_text(plot->scene, track - 8, middle + 4,
						     chart_label_size, plot->palette->ink, name)
					: scene_bold(plot->scene, track - 8, middle + 4,
						     chart_label_size, plot->palette->ink, name);
	text->anchor = SCENE_END;
	scene_rect(plot->scene, track, middle - bar_height / 2, room, bar_height, back)->radius = 2;
	if (in_range(seconds))
		scene_rect(plot->scene, track, middle - bar_height / 2,
			   fmax(seconds / panel->most * room, 1), bar_height, fill)
			->radius = 2;
	const char *value = arena_printf(
		arena, "%s, waste %s%s", quantity_text(arena, seconds, UNIT_SECOND),
		quantity_change_text(arena, json_number(plan, KEY(waste), NAN)),
		covered < 1 ? arena_printf(arena, ", covers %s",
					   quantity_text(arena, covered, UNIT_FRACTION))
			    : "");
	scene_text(plot->scene, track + room + 8, middle + 4, chart_label_size, plot->palette->ink,
		   scene_shorten(arena, value, chart_label_size, false, value_width - 8));
	return y + bar_pitch;
}

/* Extends the scene's frame by an area: panels are stacked. */
static void widen_frame(struct scene *scene, const struct scene_bounds *area)
{
	if (scene->frame.right > scene->frame.left)
		scene->frame.bottom = area->bottom;
	else
		scene->frame = *area;
}

static double draw_panel(struct panel *panel, double y)
{
	struct chart_plot *plot = &panel->plot;
	const char *name = json_text(panel->shape, KEY(name), "");
	size_t index = 0;
	scene_bold(plot->scene, CHART_MARGIN, y, chart_text_size, plot->palette->ink,
		   scene_shorten(plot->arena, *name ? name : "unnamed", chart_text_size, true,
				 CHART_WIDTH - 2 * CHART_MARGIN));
	read_panel(panel);
	set_axes(panel, y + 18);
	widen_frame(plot->scene, &plot->area);
	draw_times(panel);
	draw_steps(panel);
	draw_frame(panel);
	draw_sizes(panel);
	y = plot->area.bottom + 54;
	for (const struct json *p = panel->best; p && index < PLAN_LIMIT; p = p->next)
		y = draw_plan(panel, p, index++, y);
	return y;
}

/* --- the picture --- */

static double draw_notes(struct chart_plot *plot, double y, bool uniform, size_t hidden)
{
	y = plot_note(plot, y,
		      arena_printf(plot->arena,
				   "Dots are measured times. Steps are what a request takes that "
				   "is padded up to its bucket, with the share of the requests "
				   "(%s); bars are the expected time of a request by plan, waste "
				   "is over a bucket at every measured size.",
				   uniform ? "every size alike" : "as in the file of sizes"),
		      3);
	if (hidden)
		y = plot_note(plot, y,
			      arena_printf(plot->arena, "%zu more shapes are not drawn.", hidden),
			      1);
	return y;
}

static void describe(struct chart_plot *plot, const struct json *document, const char *title)
{
	struct strbuf desc = {0};
	size_t told = 0;
	strbuf_addstr(&desc, "Time of a request over its size, padded up to the next bucket");
	for (const struct json *shape = document->first; shape && told < PANEL_LIMIT;
	     shape = shape->next) {
		if (!is_drawable(shape))
			continue;
		told++;
		strbuf_addf(&desc, "; %s: buckets", json_text(shape, KEY(name), "unnamed"));
		for (const struct json *b = first_of(first_of(shape, KEY(plans)), KEY(buckets)); b;
		     b = b->next)
			strbuf_addf(&desc, " %.10g", json_number(b, KEY(size), NAN));
	}
	strbuf_addch(&desc, '.');
	scene_describe(plot->scene, title, strbuf_into(&desc, plot->arena));
}

int chart_buckets(struct arena *arena, const struct json *document, bool dark, struct scene **scene,
		  struct error *err)
{
	struct chart_plot plot = {.arena = arena, .palette = palette_of(dark)};
	const struct json *first = NULL;
	size_t count = 0, drawn = 0;
	if (document && document->type == JSON_ARRAY)
		for (const struct json *shape = document->first; shape; shape = shape->next) {
			first = !first && is_drawable(shape) ? shape : first;
			count += is_drawable(shape);
		}
	if (!count)
		return error_set(err, ERR_FORMAT, "no shape has buckets: there is nothing to draw");
	plot.scene = scene_new(arena, CHART_WIDTH, 0, plot.palette->background);
	const char *title = arena_printf(arena, "Buckets of %s", json_text(first, KEY(x), "size"));
	describe(&plot, document, title);
	plot_heading(&plot, title, json_text(first, KEY(common), ""));
	double y = 88;
	for (const struct json *shape = document->first; shape && drawn < PANEL_LIMIT;
	     shape = shape->next) {
		if (!is_drawable(shape))
			continue;
		struct panel panel = {.plot = plot, .shape = shape};
		y = draw_panel(&panel, drawn++ ? y + 30 : y);
	}
	const struct json *uniform = json_get(first, KEY(uniform));
	y = draw_notes(&plot, y + 10, uniform && uniform->truth, count - drawn);
	plot.scene->height = ceil(y + 14);
	*scene = plot.scene;
	return 0;
}
