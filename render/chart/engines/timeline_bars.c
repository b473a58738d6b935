/* By how much each part of a run became longer (up) or shorter (down), as bars with labels. */
#include "render/chart/engines/timeline.h"

#include "base/text/text.h"
#include "render/vocabulary/vocabulary.h"

static const double bar_height = 30, label_height = 14, gap = 6;

static const char *part_label(struct arena *arena, const struct chart_part *part)
{
	return arena_printf(arena, "%s%s%s", quantity_signed_text(arena, part->change, UNIT_SECOND),
			    *part->engine ? " " : "", part->engine);
}

const char *engines_part_tooltip(struct arena *arena, const struct chart_part *part)
{
	struct strbuf sb = {0};
	strbuf_addf(&sb, vocabulary_format("%s: %s to %s of the run, "),
		    quantity_signed_text(arena, part->change, UNIT_SECOND),
		    quantity_text(arena, part->from, UNIT_SECOND),
		    quantity_text(arena, part->to, UNIT_SECOND));
	strbuf_addf(&sb, vocabulary_format("%s to %s of the baseline"),
		    quantity_text(arena, part->baseline_from, UNIT_SECOND),
		    quantity_text(arena, part->baseline_to, UNIT_SECOND));
	if (*part->engine)
		strbuf_addf(&sb, vocabulary_format("; %s %s %s"), part->engine,
			    strcmp(part->engine, "idle") == 0 ? vocabulary_format("time")
							      : vocabulary_format("active"),
			    quantity_signed_text(arena, part->engine_change, UNIT_SECOND));
	return strbuf_into(&sb, arena);
}

uint32_t engines_part_color(const struct chart_difference *panel, const struct chart_part *part)
{
	const struct palette *palette = panel->rows.plot->palette;
	return part->change > 0 ? palette->slower : palette->faster;
}

static void draw_bar(struct chart_difference *panel, const struct chart_part *part)
{
	struct chart_plot *plot = panel->rows.plot;
	double x = engines_x(&panel->b, part->from),
	       width = fmax(engines_x(&panel->b, part->to) - x, 3);
	double height = fmax(fabs(part->change) / panel->largest * bar_height, 1);
	double top = part->change > 0 ? panel->zero - height : panel->zero;
	x = fmin(x, panel->rows.right - width);
	scene_tooltip(plot->scene,
		      scene_rect(plot->scene, x, top, width, height,
				 scene_fill(engines_part_color(panel, part), 1)),
		      "%s", engines_part_tooltip(plot->arena, part))
		->avoid = true;
}

/* Labels a bar at its end or, so that neighbors do not touch, at the far edge of the bars' room;
 * centered or half a width aside. If the text does not fit, the engine is dropped before the
 * number. */
static bool label_bar(struct chart_difference *panel, const struct chart_part *part)
{
	const struct engines_panel *rows = &panel->rows;
	struct chart_plot *plot = rows->plot;
	double middle = (engines_x(&panel->b, part->from) + engines_x(&panel->b, part->to)) / 2;
	double height = fabs(part->change) / panel->largest * bar_height;
	double y = panel->zero - height - 4, far = panel->zero - panel->up + label_height - 4;
	struct scene_bounds bounds = {rows->track, panel->zero - panel->up - 2, rows->right,
				      panel->zero + panel->down + 2};
	if (part->change < 0) {
		y = panel->zero + height + 12;
		far = panel->zero + panel->down - label_height + 12;
	}
	/* A label further away than its own height could be mistaken for that of another bar. */
	far = fabs(far - y) <= label_height ? far : y;
	const char *texts[] = {part_label(plot->arena, part),
			       quantity_signed_text(plot->arena, part->change, UNIT_SECOND)};
	for (size_t i = 0; i < 2; i++) {
		unsigned look = PLOT_SMALL | PLOT_BOLD | (part->change > 0 ? PLOT_BAD : PLOT_GOOD);
		double half = plot_text(plot, 0, 0, look, texts[i])->text_width / 2;
		double at = fmin(fmax(middle, rows->track + half), rows->right - half);
		struct scene_spot spots[6];
		for (size_t k = 0; k < 6; k++) {
			static const double steps[] = {0, 0.5, -0.5};
			spots[k] = (struct scene_spot){at + steps[k % 3] * half, k < 3 ? y : far, 0,
						       SCENE_MIDDLE};
		}
		if (scene_place(plot->scene, &bounds, spots, 6))
			return true;
	}
	return false;
}

static int by_change(const void *a, const void *b)
{
	const struct chart_part *const *x = a, *const *y = b;
	double first = fabs((*x)->change), second = fabs((*y)->change);
	return first != second ? (first < second) - (first > second) : (*x > *y) - (*x < *y);
}

/* Labels the largest bars first, so that only small ones stay without a label. Returns how many
 * stay without. */
static size_t label_bars(struct chart_difference *panel)
{
	const struct chart_part *parts[CHART_PART_LIMIT];
	size_t left_out = 0;
	assert(panel->count <= CHART_PART_LIMIT);
	for (size_t i = 0; i < panel->count; i++)
		parts[i] = &panel->parts[i];
	qsort(parts, panel->count, sizeof *parts, by_change);
	for (size_t i = 0; i < panel->count; i++)
		left_out += parts[i]->reported && !label_bar(panel, parts[i]);
	return left_out;
}

/* The room of the bars in one direction: at least 6 px to stay visible, and their labels. */
static double room_of(const struct chart_difference *panel, double change)
{
	return change > 0 ? fmax(change / panel->largest * bar_height, 6) + label_height : 0;
}

size_t engines_bars_draw(struct chart_difference *panel)
{
	struct engines_panel *rows = &panel->rows;
	double longer = 0, shorter = 0;
	for (size_t i = 0; i < panel->count; i++) {
		double change = panel->parts[i].reported ? panel->parts[i].change : 0;
		longer = fmax(longer, change);
		shorter = fmax(shorter, -change);
	}
	if (!panel->aligned || !(panel->largest > 0))
		return 0;
	panel->up = room_of(panel, longer);
	panel->down = room_of(panel, shorter);
	panel->zero = rows->y + gap + panel->up;
	double zero = panel->zero;
	for (size_t i = 0; i < panel->count; i++)
		if (panel->parts[i].reported)
			draw_bar(panel, &panel->parts[i]);
	scene_line(rows->plot->scene, rows->track, zero, rows->right, zero,
		   scene_stroke(rows->plot->palette->frame, 1));
	if (longer > 0)
		engines_label(rows, PLOT_LABEL, zero - 4, vocabulary_format("longer by"));
	if (shorter > 0)
		engines_label(rows, PLOT_LABEL, zero + 13, vocabulary_format("shorter by"));
	size_t left_out = label_bars(panel);
	rows->y = zero + panel->down + gap;
	return left_out;
}
