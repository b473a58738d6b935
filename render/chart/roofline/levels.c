/* The memory levels in a roofline: slopes of what is on the chip or was measured, and points. */
#include "render/chart/roofline/roofline.h"

#include "render/document/key.h"

#include "base/text/text.h"
#include "render/vocabulary/vocabulary.h"

/* Adds a slope unless one of this name is known; returns false if that one is another. */
static bool add_ceiling(struct chart_roofline *drawing, const struct chart_ceiling *one)
{
	for (size_t i = 0; i < drawing->ceiling_count; i++) {
		const struct chart_ceiling *known = &drawing->ceilings[i];
		if (strcmp(known->name, one->name) == 0)
			return fabs(known->bandwidth / one->bandwidth - 1) < 0.01;
	}
	if (drawing->ceiling_count < CHART_CEILING_LIMIT)
		drawing->ceilings[drawing->ceiling_count++] = *one;
	return true;
}

/* Reads the slopes of all runs; none if they differ. */
static void read_ceilings(struct chart_roofline *drawing)
{
	bool same = drawing->sets.count == 1;
	for (size_t i = 0; i < drawing->runs.count && same; i++) {
		const struct json *run = drawing->runs.items[i].json;
		for (const struct json *c = json_first(run, KEY(ceilings)); c; c = c->next) {
			struct chart_ceiling one = {
				.name = json_text(c, KEY(name), ""),
				.bandwidth = plot_number(c, KEY(bandwidth)),
				.source = json_text(c, KEY(source), ""),
				.measured = json_truth(c, KEY(measured)),
			};
			if (one.bandwidth > 1 && one.bandwidth < 1e24)
				same &= add_ceiling(drawing, &one);
		}
	}
	drawing->ceiling_count = same ? drawing->ceiling_count : 0;
}

void roofline_levels_read(struct chart_roofline *drawing)
{
	const struct json *run = drawing->runs.items[0].json;
	read_ceilings(drawing);
	if (drawing->runs.count != 1 || drawing->sets.count != 1 || drawing->drawn != 1)
		return;
	for (const struct json *level = json_first(run, KEY(levels)); level; level = level->next) {
		struct chart_level one = {.name = json_text(level, KEY(name), ""),
					  .ai = plot_number(level, KEY(intensity))};
		/* The run's own point already represents the device memory. */
		if (strcmp(one.name, "DRAM") != 0 && one.ai > 1e-9 && one.ai < 1e24 &&
		    drawing->level_count < CHART_LEVEL_LIMIT)
			drawing->levels[drawing->level_count++] = one;
	}
}

static bool ends_of(const struct chart_roofline *drawing, const struct chart_ceiling *ceiling,
		    struct scene_point ends[2])
{
	return roofline_slope(&drawing->plot, ceiling->bandwidth,
			      drawing->sets.items[0].roofs[0].flops, ends);
}

static const char *slope_text(const struct chart_roofline *drawing,
			      const struct chart_ceiling *ceiling)
{
	struct arena *arena = drawing->plot.arena;
	return arena_printf(arena, "%s %s%s", ceiling->name,
			    quantity_text(arena, ceiling->bandwidth, UNIT_BYTE_PER_SECOND),
			    ceiling->measured ? vocabulary_format(", measured") : "");
}

void roofline_levels_slopes(struct chart_roofline *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	struct scene_style style = scene_stroke(plot->palette->accent, 1.25);
	style.dash = SCENE_DASHED;
	for (size_t i = 0; i < drawing->ceiling_count; i++) {
		struct scene_point ends[2];
		const struct chart_ceiling *ceiling = &drawing->ceilings[i];
		if (ends_of(drawing, ceiling, ends))
			scene_tooltip(plot->scene,
				      scene_line(plot->scene, ends[0].x, ends[0].y, ends[1].x,
						 ends[1].y, style),
				      "%s; %s", slope_text(drawing, ceiling), ceiling->source)
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
		struct scene_style hollow = {.fill = plot->palette->background,
					     .stroke = plot->palette->accent,
					     .width = 1.75};
		scene_tooltip(plot->scene,
			      scene_mark(plot->scene, SCENE_DIAMOND, plot_at(&plot->x, level->ai),
					 point->at.y, 5, hollow),
			      vocabulary_format("%s: %s at %s"), level->name,
			      quantity_text(plot->arena, point->flops, UNIT_FLOP_PER_SECOND),
			      quantity_text(plot->arena, level->ai, UNIT_FLOP_PER_BYTE));
	}
}

void roofline_levels_label(struct chart_roofline *drawing)
{
	static const double shares[] = {0.35, 0.5, 0.2, 0.65, 0.8, 0};
	struct chart_plot *plot = &drawing->plot;
	const unsigned look = PLOT_SMALL | PLOT_ACCENT;
	for (size_t i = 0; i < drawing->level_count; i++) {
		const struct chart_level *level = &drawing->levels[i];
		double x = plot_at(&plot->x, level->ai), y = drawing->points[0].at.y;
		/* Preferably below the point: the slopes run close above it. */
		const struct scene_spot spots[] = {
			{x, y + 19, 0, SCENE_MIDDLE},  {x + 8, y + 16, 0, SCENE_START},
			{x - 8, y + 16, 0, SCENE_END}, {x + 10, y + 4, 0, SCENE_START},
			{x - 10, y + 4, 0, SCENE_END}, {x, y - 11, 0, SCENE_MIDDLE},
			{x, y + 33, 0, SCENE_MIDDLE}};
		plot_label(plot, look, level->name, spots, sizeof spots / sizeof *spots);
	}
	for (size_t i = 0; i < drawing->ceiling_count; i++) {
		struct scene_point ends[2];
		if (ends_of(drawing, &drawing->ceilings[i], ends))
			roofline_slope_label(plot, look, slope_text(drawing, &drawing->ceilings[i]),
					     ends, shares);
	}
}
