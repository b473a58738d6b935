/*
 * What the files of the timeline difference share: the panel of one run and its parts. Private to
 * this room.
 *
 *   - timeline.c: both sides, their folds, and how they correspond;
 *   - timeline_bars.c: by how much each part became longer or shorter.
 */
#pragma once

#include "render/chart/engines/strip.h"

enum { CHART_PART_LIMIT = 64 };

struct chart_part {
	double from, to, baseline_from, baseline_to;
	double change; /* s */
	const char *engine;
	double engine_change;
	bool reported; /* the change is above the resolution */
};

struct chart_difference {
	struct engines_panel rows;
	const struct json *difference;
	double before, after; /* s */
	struct chart_part parts[CHART_PART_LIMIT];
	size_t count;
	bool aligned;   /* the parts correspond */
	double largest; /* absolute change of a part, s */
	struct engines_scale a, b;
	/* y of the bars' foot, and their room above and below it, labels included */
	double zero, up, down;
};

uint32_t engines_part_color(const struct chart_difference *panel, const struct chart_part *part);
const char *engines_part_tooltip(struct arena *arena, const struct chart_part *part);
/* Draws the bars of both directions on one scale. Returns how many have no label. */
size_t engines_bars_draw(struct chart_difference *panel);
