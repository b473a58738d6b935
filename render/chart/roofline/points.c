/* Draws and labels the points of a roofline. */
#include "render/chart/roofline/roofline.h"

#include "base/text/text.h"
#include "base/base.h"
#include "render/vocabulary/vocabulary.h"

struct chart_mark roofline_point_mark(const struct chart_roofline *drawing,
				      const struct chart_point *point)
{
	struct chart_mark one = {SCENE_CIRCLE, drawing->plot.palette->data};
	return drawing->runs.series_count == 1
		       ? one
		       : plot_mark_of(drawing->plot.palette, point->run->series);
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
	strbuf_addstr(&sb, vocabulary_format(" at "));
	quantity_add(&sb, point->ai, UNIT_FLOP_PER_BYTE);
	if (!isnan(point->attainable))
		strbuf_addf(&sb, vocabulary_format(", %s of attainable"),
			    roofline_point_percent(arena, point));
	if (!isnan(point->fastest)) {
		strbuf_addstr(&sb, vocabulary_format("; repeats: "));
		quantity_add(&sb, point->slowest, UNIT_FLOP_PER_SECOND);
		strbuf_addstr(&sb, vocabulary_format(" to "));
		quantity_add(&sb, point->fastest, UNIT_FLOP_PER_SECOND);
	}
	return strbuf_into(&sb, arena);
}

/* Draws the stem from a point up to the roof that bounds it: what is left to gain. */
static void draw_stem(struct chart_roofline *drawing, const struct chart_point *point)
{
	struct scene *scene = drawing->plot.scene;
	struct scene_style style = scene_stroke(roofline_point_mark(drawing, point).colour, 1.25);
	style.dash = SCENE_DOTTED;
	if (!(point->attainable > point->flops * 1.02) || point->attainable > drawing->plot.y.high)
		return;
	double top = plot_at(&drawing->plot.y, point->attainable);
	scene_line(scene, point->at.x, point->at.y, point->at.x, top, style)->avoid = true;
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
		      vocabulary_format("baseline of %s: %s at %s"), point->run->whole,
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
	for (size_t i = 0; i < drawing->drawn && drawing->drawn <= CHART_STEM_LIMIT; i++)
		draw_stem(drawing, &drawing->points[i]);
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

/* Whether no other point is nearer to a place than this one. */
static bool is_nearest(const struct chart_roofline *drawing, const struct chart_point *point,
		       struct scene_point at)
{
	double own = hypot(point->at.x - at.x, point->at.y - at.y);
	for (size_t i = 0; i < drawing->drawn; i++)
		if (hypot(drawing->points[i].at.x - at.x, drawing->points[i].at.y - at.y) < own)
			return false;
	return true;
}

/* The spots around a point: eight directions at three distances, near ones first. Straight above
 * comes last, because the stem runs there. Spots nearer to
 * another point are left out. `below`: height of a second line. */
enum { SPOTS = 24 };
static size_t spots_around(const struct chart_roofline *drawing, const struct chart_point *point,
			   double size, double below, struct scene_spot spots[SPOTS])
{
	static const struct {
		double x, y;
		enum scene_anchor anchor;
	} around[] = {{1, 0, SCENE_START},   {-1, 0, SCENE_END},   {.8, .8, SCENE_START},
		      {-.8, .8, SCENE_END},  {0, 1, SCENE_MIDDLE}, {.8, -.8, SCENE_START},
		      {-.8, -.8, SCENE_END}, {0, -1, SCENE_MIDDLE}};
	static const double distances[] = {11, 17, 26};
	size_t count = 0;
	for (size_t i = 0; i < SPOTS; i++) {
		size_t k = i % 8;
		double distance = distances[i / 8], y = around[k].y;
		struct scene_point at = {point->at.x + around[k].x * distance,
					 point->at.y + y * distance};
		if (!is_nearest(drawing, point, at))
			continue;
		/* y is the baseline of the first text. The offset centers the cap height (0.72 of
		 * the size) and what is below on the spot; all of it is below or above it when the
		 * spot is. */
		spots[count++] = (struct scene_spot){
			at.x, at.y + size * (0.36 + 0.36 * y) - below * (0.5 - 0.5 * y), 0,
			around[k].anchor};
	}
	return count;
}

/* The spots at the side from which no arrow comes are tried first. */
static void prefer_free_side(const struct chart_roofline *drawing, const struct chart_point *point,
			     struct scene_spot spots[SPOTS], size_t count)
{
	if (!roofline_point_shows_baseline(drawing, point) ||
	    baseline_at(drawing, point).x <= point->at.x)
		return;
	for (size_t i = 0; i + 1 < count; i++)
		if (spots[i].anchor == SCENE_START && spots[i + 1].anchor == SCENE_END) {
			struct scene_spot other = spots[i];
			spots[i] = spots[i + 1];
			spots[++i] = other;
		}
}

static bool label_number(struct chart_roofline *drawing, const struct chart_point *point,
			 const char *text)
{
	struct scene_spot spots[SPOTS];
	size_t count = spots_around(drawing, point, plot_text_size(PLOT_SMALL), 0, spots);
	return plot_label(&drawing->plot, PLOT_SMALL | PLOT_BOLD, text, spots, count);
}

/* Writes the name, and its share of the roof below it. */
static bool label_name(struct chart_roofline *drawing, const struct chart_point *point,
		       const char *name)
{
	static const unsigned looks[] = {PLOT_TEXT | PLOT_BOLD, PLOT_SMALL | PLOT_MUTED};
	struct chart_plot *plot = &drawing->plot;
	struct scene_spot spots[SPOTS];
	bool known = !isnan(point->attainable);
	size_t count = spots_around(drawing, point, plot_text_size(PLOT_TEXT),
				    known ? plot_text_size(PLOT_SMALL) + 3 : 0, spots);
	prefer_free_side(drawing, point, spots, count);
	if (!known)
		return plot_label(plot, looks[0], name, spots, count);
	const char *share = arena_printf(plot->arena, vocabulary_format("%s of its roof"),
					 roofline_point_percent(plot->arena, point));
	return plot_label_pair(plot, looks, (const char *const[]){name, share}, spots, count);
}

/* Names all points or none: a chart that mixes names and numbers is hard to read. Returns false if
 * a name finds no room. */
static bool name_points(struct chart_roofline *drawing)
{
	size_t before = drawing->plot.scene->count;
	double widest =
		fmin(chart_name_width, (drawing->plot.area.right - drawing->plot.area.left) / 2);
	if (drawing->drawn > CHART_NAMED_LIMIT)
		return false;
	for (size_t i = 0; i < drawing->drawn; i++) {
		const struct chart_point *point = &drawing->points[i];
		bool one = drawing->runs.series_count == 1 && *point->run->point;
		const char *name = one ? point->run->point : point->run->name;
		if (drawing->drawn == 1)
			name = plot_shorten(&drawing->plot, PLOT_TEXT | PLOT_BOLD, name, widest);
		if (plot_text_width(PLOT_TEXT | PLOT_BOLD, name) <= widest &&
		    label_name(drawing, point, name))
			continue;
		scene_truncate(drawing->plot.scene, before);
		return false;
	}
	return true;
}

void roofline_points_label(struct chart_roofline *drawing)
{
	drawing->numbered = !name_points(drawing);
	for (size_t i = 0; drawing->numbered && i < drawing->drawn; i++)
		if (drawing->drawn <= CHART_NUMBERED_LIMIT)
			label_number(drawing, &drawing->points[i],
				     arena_printf(drawing->plot.arena, "%zu", i + 1));
}
