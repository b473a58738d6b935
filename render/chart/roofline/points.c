/* Draws and labels the points of a roofline. */
#include "render/chart/roofline/roofline.h"

#include "base/text/text.h"
#include "base/base.h"

struct chart_mark roofline_point_mark(const struct chart_roofline *drawing,
				      const struct chart_point *point)
{
	return plot_mark_of(drawing->plot.palette, point->run->series);
}

const char *roofline_point_percent(struct arena *arena, const struct chart_point *point)
{
	double percent = point->flops / point->attainable * 100;
	return arena_printf(arena, percent < 99.95 ? "%#.3g %%" : "%.0f %%", percent);
}

const char *roofline_point_tooltip(struct arena *arena, const struct chart_point *point)
{
	struct strbuf sb = {0};
	strbuf_addf(&sb, "%s: ", point->run->whole);
	quantity_add(&sb, point->flops, UNIT_FLOP_PER_SECOND);
	strbuf_addstr(&sb, " at ");
	quantity_add(&sb, point->ai, UNIT_FLOP_PER_BYTE);
	if (!isnan(point->attainable))
		strbuf_addf(&sb, ", %s of attainable", roofline_point_percent(arena, point));
	if (!isnan(point->fastest)) {
		strbuf_addstr(&sb, "; repeats: ");
		quantity_add(&sb, point->slowest, UNIT_FLOP_PER_SECOND);
		strbuf_addstr(&sb, " to ");
		quantity_add(&sb, point->fastest, UNIT_FLOP_PER_SECOND);
	}
	return strbuf_into(&sb, arena);
}

/* Draws the line from a point up to the roof that bounds it. */
static void draw_headroom(struct chart_roofline *drawing, const struct chart_point *point)
{
	struct scene *scene = drawing->plot.scene;
	struct scene_style style = scene_stroke(roofline_point_mark(drawing, point).colour, 1.25);
	style.opacity = 0.7;
	if (!(point->attainable > point->flops * 1.02) || point->attainable > drawing->plot.y.high)
		return;
	double top = plot_at(&drawing->plot.y, point->attainable);
	scene_line(scene, point->at.x, point->at.y, point->at.x, top, style)->avoid = true;
	scene_line(scene, point->at.x - 4, top, point->at.x + 4, top, style)->avoid = true;
}

static struct scene_point baseline_at(const struct chart_roofline *drawing,
				      const struct chart_point *point)
{
	return (struct scene_point){plot_at(&drawing->plot.x, point->base_ai),
				    plot_at(&drawing->plot.y, point->base_flops)};
}

bool roofline_point_shows_baseline(const struct chart_roofline *drawing,
				   const struct chart_point *point)
{
	const double shortest = 2; /* px */
	if (isnan(point->base_ai))
		return false;
	struct scene_point from = baseline_at(drawing, point);
	return hypot(point->at.x - from.x, point->at.y - from.y) >= shortest;
}

/* Draws the baseline's mark and an arrow to the run's. Nothing if both coincide; no arrow if it
 * would be shorter than its head. */
static void draw_baseline(struct chart_roofline *drawing, const struct chart_point *point)
{
	const double from_mark = 6, to_mark = 9, shortest_arrow = 14;
	const struct chart_plot *plot = &drawing->plot;
	if (!roofline_point_shows_baseline(drawing, point))
		return;
	struct chart_mark mark = roofline_point_mark(drawing, point);
	struct scene_point from = baseline_at(drawing, point);
	double dx = point->at.x - from.x, dy = point->at.y - from.y, length = hypot(dx, dy);
	if (length >= from_mark + to_mark + shortest_arrow) {
		struct scene_point start = {from.x + dx / length * from_mark,
					    from.y + dy / length * from_mark};
		struct scene_point end = {point->at.x - dx / length * to_mark,
					  point->at.y - dy / length * to_mark};
		scene_arrow(plot->scene, start, end, mark.colour);
	}
	struct scene_style hollow = {
		.fill = plot->palette->background, .stroke = mark.colour, .width = 1.5};
	scene_tooltip(plot->scene,
		      scene_mark(plot->scene, mark.marker, from.x, from.y, 4.5, hollow),
		      "baseline of %s: %s at %s", point->run->whole,
		      quantity_text(plot->arena, point->base_flops, UNIT_FLOP_PER_SECOND),
		      quantity_text(plot->arena, point->base_ai, UNIT_FLOP_PER_BYTE));
}

bool roofline_point_has_box(const struct chart_roofline *drawing, const struct chart_point *point)
{
	const double lowest = 10; /* px */
	const struct chart_axis *y = &drawing->plot.y;
	return !isnan(point->fastest) &&
	       plot_at(y, point->slowest) - plot_at(y, point->fastest) >= lowest;
}

static void draw_repeats(struct chart_roofline *drawing, const struct chart_point *point)
{
	const double half = 9;
	const struct chart_plot *plot = &drawing->plot;
	if (!roofline_point_has_box(drawing, point))
		return;
	uint32_t colour = roofline_point_mark(drawing, point).colour;
	double top = plot_at(&plot->y, point->fastest), low = plot_at(&plot->y, point->slowest);
	double left = point->at.x - half;
	scene_tooltip(
		plot->scene,
		scene_rect(plot->scene, left, top, 2 * half, low - top, scene_fill(colour, 0.25)),
		"%s", roofline_point_tooltip(plot->arena, point))
		->avoid = true;
	scene_rect(plot->scene, left, top, 2 * half, low - top, scene_stroke(colour, 1));
}

void roofline_points_draw(struct chart_roofline *drawing)
{
	const struct chart_plot *plot = &drawing->plot;
	bool crowd = drawing->drawn > CHART_NUMBERED_LIMIT;
	for (size_t i = 0; i < drawing->drawn && drawing->drawn <= CHART_NAMED_LIMIT + 4; i++)
		draw_headroom(drawing, &drawing->points[i]);
	for (size_t i = 0; i < drawing->drawn && !crowd; i++)
		draw_baseline(drawing, &drawing->points[i]);
	for (size_t i = 0; i < drawing->drawn && !crowd; i++)
		draw_repeats(drawing, &drawing->points[i]);
	for (size_t i = 0; i < drawing->drawn; i++) {
		const struct chart_point *point = &drawing->points[i];
		struct chart_mark mark = roofline_point_mark(drawing, point);
		struct scene_style style = plot_mark_style(plot->palette, mark);
		style.opacity = crowd ? 0.75 : 1;
		scene_tooltip(plot->scene,
			      scene_mark(plot->scene, mark.marker, point->at.x, point->at.y,
					 crowd ? 4.5 : 6, style),
			      "%s", roofline_point_tooltip(plot->arena, point));
	}
}

/* Places a text around a point: eight directions at three distances, near ones first. Straight
 * above comes last, because the headroom line runs there. */
static bool label_around(struct chart_roofline *drawing, const struct chart_point *point,
			 unsigned look, const char *text)
{
	static const struct {
		double x, y;
		enum scene_anchor anchor;
	} around[] = {{1, 0, SCENE_START},   {-1, 0, SCENE_END},   {0, 1, SCENE_MIDDLE},
		      {.8, .8, SCENE_START}, {-.8, .8, SCENE_END}, {.8, -.8, SCENE_START},
		      {-.8, -.8, SCENE_END}, {0, -1, SCENE_MIDDLE}};
	static const double distances[] = {10, 15, 21};
	struct scene_spot spots[24];
	for (size_t i = 0; i < 24; i++) {
		size_t k = i % 8;
		double distance = distances[i / 8], y = around[k].y;
		/* y is the baseline. The offset centers the cap height (0.72 of the size) on the
		 * spot: 0.36 at the same height, 0.72 below the point, 0 above it. */
		spots[i] = (struct scene_spot){point->at.x + around[k].x * distance,
					       point->at.y + y * distance +
						       plot_text_size(look) * (0.36 + 0.36 * y),
					       0, around[k].anchor};
	}
	return plot_label(&drawing->plot, look, text, spots, 24);
}

/* Whether the headroom line is long enough to carry the percentage. */
static bool shows_headroom(const struct chart_roofline *drawing, const struct chart_point *point)
{
	const struct chart_axis *y = &drawing->plot.y;
	return point->attainable > point->flops && point->attainable <= y->high &&
	       point->at.y - plot_at(y, point->attainable) >= 24;
}

/* Names all points or none: a chart that mixes names and numbers is hard to read. Returns false if
 * a name finds no room. */
static bool name_points(struct chart_roofline *drawing)
{
	size_t before = drawing->plot.scene->count;
	if (drawing->drawn > CHART_NAMED_LIMIT)
		return false;
	for (size_t i = 0; i < drawing->drawn; i++) {
		const struct chart_point *point = &drawing->points[i];
		const char *name = *point->run->point ? point->run->point : point->run->name;
		if (plot_text_width(PLOT_TEXT | PLOT_BOLD, name) <= chart_name_width &&
		    label_around(drawing, point, PLOT_TEXT | PLOT_BOLD, name))
			continue;
		scene_truncate(drawing->plot.scene, before);
		return false;
	}
	return true;
}

/* Labels the headroom next to the middle of its line, or around the point if the line is not
 * drawn. */
static void label_headroom(struct chart_roofline *drawing, const struct chart_point *point,
			   const char *suffix)
{
	static const double shares[] = {0.5, 0.38, 0.62, 0.26, 0.74, 0.86};
	struct chart_plot *plot = &drawing->plot;
	unsigned look = PLOT_SMALL | PLOT_MUTED;
	if (isnan(point->attainable))
		return;
	const char *text = arena_printf(plot->arena, "%s%s",
					roofline_point_percent(plot->arena, point), suffix);
	if (!shows_headroom(drawing, point)) {
		label_around(drawing, point, look, text);
		return;
	}
	double length = point->at.y - plot_at(&plot->y, point->attainable);
	struct scene_spot spots[12];
	for (size_t i = 0; i < 12; i++)
		spots[i] = (struct scene_spot){point->at.x + (i % 2 ? -6 : 6),
					       point->at.y - length * shares[i / 2] + 4, 0,
					       i % 2 ? SCENE_END : SCENE_START};
	plot_label(plot, look, text, spots, 12);
}

/* Labels the hollow marker of the baseline in a single-run chart. */
static void label_baseline(struct chart_roofline *drawing, const struct chart_point *point)
{
	if (!roofline_point_shows_baseline(drawing, point))
		return;
	double x = baseline_at(drawing, point).x, y = baseline_at(drawing, point).y;
	struct scene_spot spots[] = {{x - 9, y + 4, 0, SCENE_END},
				     {x, y + 18, 0, SCENE_MIDDLE},
				     {x, y - 10, 0, SCENE_MIDDLE},
				     {x + 9, y + 4, 0, SCENE_START}};
	plot_label(&drawing->plot, PLOT_SMALL | PLOT_MUTED, "baseline", spots, 4);
}

void roofline_points_label(struct chart_roofline *drawing)
{
	bool alone = drawing->drawn == 1;
	if (alone)
		label_baseline(drawing, &drawing->points[0]);
	drawing->numbered = !name_points(drawing);
	for (size_t i = 0; i < drawing->drawn; i++)
		if (!drawing->numbered)
			label_headroom(drawing, &drawing->points[i], alone ? " of attainable" : "");
		else if (drawing->drawn <= CHART_NUMBERED_LIMIT)
			label_around(drawing, &drawing->points[i], PLOT_SMALL | PLOT_BOLD,
				     arena_printf(drawing->plot.arena, "%zu", i + 1));
}
