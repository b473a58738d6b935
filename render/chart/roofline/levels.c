/* The points and slopes of the memory levels in a roofline. */
#include "render/chart/roofline/roofline.h"

#include "render/document/key.h"

#include "base/text/text.h"

void roofline_levels_read(struct chart_roofline *drawing)
{
	const struct json *run = drawing->runs.items[0].json;
	if (drawing->runs.count != 1 || drawing->sets.count != 1 || drawing->drawn != 1)
		return;
	for (const struct json *level = json_first(run, KEY(levels)); level; level = level->next) {
		struct chart_level one = {.name = json_text(level, KEY(name), ""),
					  .ai = plot_number(level, KEY(intensity)),
					  .bandwidth = plot_number(level, KEY(peak_bandwidth))};
		/* The run's own point and slope already represent the device memory. */
		one.memory = strcmp(one.name, "DRAM") == 0;
		if (one.ai > 1e-9 && one.ai < 1e24 && drawing->level_count < CHART_LEVEL_LIMIT)
			drawing->levels[drawing->level_count++] = one;
	}
}

static bool ends_of(const struct chart_roofline *drawing, const struct chart_level *level,
		    struct scene_point ends[2])
{
	return !level->memory && level->bandwidth > 0 &&
	       roofline_slope(&drawing->plot, level->bandwidth,
			      drawing->sets.items[0].roofs[0].flops, ends);
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
	struct scene_style style = scene_stroke(plot->palette->ink2, 1.1);
	style.dash = SCENE_DASHED;
	for (size_t i = 0; i < drawing->level_count; i++) {
		struct scene_point ends[2];
		if (ends_of(drawing, &drawing->levels[i], ends))
			scene_tooltip(plot->scene,
				      scene_line(plot->scene, ends[0].x, ends[0].y, ends[1].x,
						 ends[1].y, style),
				      "%s", slope_text(drawing, &drawing->levels[i]))
				->avoid = true;
	}
}

void roofline_levels_draw(struct chart_roofline *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	const struct chart_point *point = &drawing->points[0];
	assert(drawing->level_count == 0 || drawing->drawn == 1);
	for (size_t i = 0; i < drawing->level_count; i++) {
		const struct chart_level *level = &drawing->levels[i];
		if (level->memory)
			continue;
		struct chart_mark mark = roofline_point_mark(drawing, point);
		struct scene_style hollow = {
			.fill = plot->palette->background, .stroke = mark.colour, .width = 1.75};
		scene_tooltip(plot->scene,
			      scene_mark(plot->scene, mark.marker, plot_at(&plot->x, level->ai),
					 point->at.y, 5, hollow),
			      "%s: %s at %s", level->name,
			      quantity_text(plot->arena, point->flops, UNIT_FLOP_PER_SECOND),
			      quantity_text(plot->arena, level->ai, UNIT_FLOP_PER_BYTE));
	}
}

void roofline_levels_label(struct chart_roofline *drawing)
{
	static const double shares[] = {0.35, 0.5, 0.2, 0.65, 0.8, 0};
	struct chart_plot *plot = &drawing->plot;
	for (size_t i = 0; i < drawing->level_count; i++) {
		const struct chart_level *level = &drawing->levels[i];
		double x = plot_at(&plot->x, level->ai), y = drawing->points[0].at.y;
		/* Preferably below the point: the slopes run close above it. */
		const struct scene_spot spots[] = {
			{x, y + 19, 0, SCENE_MIDDLE},  {x + 8, y + 16, 0, SCENE_START},
			{x - 8, y + 16, 0, SCENE_END}, {x + 10, y + 4, 0, SCENE_START},
			{x - 10, y + 4, 0, SCENE_END}, {x, y - 11, 0, SCENE_MIDDLE},
			{x, y + 33, 0, SCENE_MIDDLE}};
		struct scene_point ends[2];
		plot_label(plot, PLOT_SMALL | PLOT_MUTED, level->name, spots,
			   sizeof spots / sizeof *spots);
		if (ends_of(drawing, level, ends))
			roofline_slope_label(plot, PLOT_SMALL | PLOT_MUTED,
					     slope_text(drawing, level), ends, shares);
	}
}
