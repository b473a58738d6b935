/* The points and slopes of the memory levels in a roofline. */
#include "render/chart/roofline/levels.h"

#include "render/document/key.h"

#include "base/text/text.h"

static const struct chart_point *only_point(const struct chart_roofline *drawing)
{
	return &drawing->points[0];
}

void roofline_levels_read(struct chart_roofline *drawing)
{
	if (drawing->runs.count != 1 || drawing->sets.count != 1 || only_point(drawing)->skip)
		return;
	const struct json *levels = json_get(drawing->runs.items[0].json, KEY(levels));
	for (const struct json *level = levels ? levels->first : NULL; level; level = level->next) {
		if (drawing->level_count == CHART_LEVEL_LIMIT)
			return;
		struct chart_level one = {.name = json_text(level, KEY(name), ""),
					  .ai = plot_number(level, KEY(intensity)),
					  .bandwidth = plot_number(level, KEY(peak_bandwidth))};
		/* The run's own point and slope already represent the device memory. */
		one.memory = strcmp(one.name, "DRAM") == 0;
		if (one.ai > 1e-9 && one.ai < 1e24)
			drawing->levels[drawing->level_count++] = one;
	}
}

static bool ends_of(const struct chart_roofline *drawing, const struct chart_level *level,
		    struct scene_point ends[2])
{
	const struct chart_plot *plot = &drawing->plot;
	double top = fmin(drawing->sets.items[0].roofs[0].flops, plot->y.high);
	double low = fmax(plot->x.low, plot->y.low / level->bandwidth);
	double high = fmin(plot->x.high, top / level->bandwidth);
	if (level->memory || !(level->bandwidth > 0) || !(low < high))
		return false;
	ends[0] = (struct scene_point){plot_at(&plot->x, low),
				       plot_at(&plot->y, low * level->bandwidth)};
	ends[1] = (struct scene_point){plot_at(&plot->x, high),
				       plot_at(&plot->y, high * level->bandwidth)};
	return true;
}

static const char *slope_text(const struct chart_roofline *drawing, const struct chart_level *level)
{
	struct arena *arena = drawing->plot.arena;
	return arena_printf(arena, "%s %s",
			    quantity_text(arena, level->bandwidth, UNIT_BYTE_PER_SECOND),
			    level->name);
}

void roofline_levels_slopes(struct chart_roofline *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	for (size_t i = 0; i < drawing->level_count; i++) {
		struct scene_point ends[2];
		if (!ends_of(drawing, &drawing->levels[i], ends))
			continue;
		struct scene_style style = {.fill = SCENE_NONE,
					    .stroke = plot->palette->roof,
					    .width = 1.1,
					    .dash = SCENE_DASHED};
		struct scene_item *line =
			scene_line(plot->scene, ends[0].x, ends[0].y, ends[1].x, ends[1].y, style);
		line->avoid = true;
		scene_tooltip(plot->scene, line, slope_text(drawing, &drawing->levels[i]));
	}
}

void roofline_levels_draw(struct chart_roofline *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	const struct chart_point *point = only_point(drawing);
	for (size_t i = 0; i < drawing->level_count; i++) {
		const struct chart_level *level = &drawing->levels[i];
		if (level->memory)
			continue;
		struct chart_mark mark = roofline_point_mark(drawing, point);
		struct scene_style hollow = {
			.fill = plot->palette->background, .stroke = mark.colour, .width = 1.75};
		struct scene_item *item =
			scene_mark(plot->scene, mark.marker, plot_at(&plot->x, level->ai),
				   point->at.y, 5, hollow);
		scene_tooltip(
			plot->scene, item,
			arena_printf(plot->arena, "%s: %s at %s", level->name,
				     quantity_text(plot->arena, point->flops, UNIT_FLOP_PER_SECOND),
				     quantity_text(plot->arena, level->ai, UNIT_FLOP_PER_BYTE)));
	}
}

/* Labels a point, preferably below it: the slopes run close above it. */
static void label_point(struct chart_roofline *drawing, const struct chart_level *level)
{
	struct chart_plot *plot = &drawing->plot;
	double x = plot_at(&plot->x, level->ai), y = only_point(drawing)->at.y;
	const struct scene_spot spots[] = {
		{x, y + 19, 0, SCENE_MIDDLE},  {x + 8, y + 16, 0, SCENE_START},
		{x - 8, y + 16, 0, SCENE_END}, {x + 10, y + 4, 0, SCENE_START},
		{x - 10, y + 4, 0, SCENE_END}, {x, y - 11, 0, SCENE_MIDDLE},
		{x, y + 33, 0, SCENE_MIDDLE}};
	struct scene_item *item =
		scene_text(plot->scene, 0, 0, chart_small_size, plot->palette->muted, level->name);
	item->halo = plot->palette->background;
	scene_place(plot->scene, &plot->area, spots, sizeof spots / sizeof *spots);
}

/* Labels a slope along its line, on the side that has room. */
static void label_slope(struct chart_roofline *drawing, const struct chart_level *level)
{
	static const double shares[] = {0.35, 0.5, 0.2, 0.65, 0.8};
	enum { SHARES = sizeof shares / sizeof *shares };
	struct chart_plot *plot = &drawing->plot;
	struct scene_point ends[2];
	if (!ends_of(drawing, level, ends))
		return;
	double dx = ends[1].x - ends[0].x, dy = ends[1].y - ends[0].y, length = hypot(dx, dy);
	struct scene_spot spots[2 * SHARES];
	for (size_t i = 0; i < 2 * SHARES; i++) {
		/* Baseline 6 px above the line, or 15 px below it: the text is 9 px high. All
		 * shares above the line come before those below it. */
		double share = shares[i % SHARES], off = i < SHARES ? 6 : -15;
		spots[i] = (struct scene_spot){ends[0].x + share * dx + dy / length * off,
					       ends[0].y + share * dy - dx / length * off,
					       atan2(dy, dx) * 180 / M_PI, SCENE_MIDDLE};
	}
	struct scene_item *item =
		scene_text(plot->scene, 0, 0, chart_small_size, plot->palette->muted,
			   scene_shorten(plot->arena, slope_text(drawing, level), chart_small_size,
					 false, length * 0.95));
	item->halo = plot->palette->background;
	scene_place(plot->scene, &plot->area, spots, 2 * SHARES);
}

void roofline_levels_label(struct chart_roofline *drawing)
{
	for (size_t i = 0; i < drawing->level_count; i++) {
		label_point(drawing, &drawing->levels[i]);
		label_slope(drawing, &drawing->levels[i]);
	}
}
