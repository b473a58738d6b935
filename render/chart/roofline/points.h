/* The points of a roofline: marks, lines up to their roofs, names. */
#pragma once

#include "render/chart/plot/plot.h"
#include "render/chart/roofline/roofs.h"
#include "render/chart/plot/run.h"

enum { CHART_NAMED_LIMIT = 8, CHART_NUMBERED_LIMIT = 36, CHART_SERIES_LIMIT = 20 };
static const double chart_name_width = 190; /* px; longer names are replaced by numbers */

enum chart_skip {
	CHART_SKIP_NOT,
	CHART_SKIP_NO_FLOP,
	CHART_SKIP_NO_BYTES,
	CHART_SKIP_UNKNOWN,
	CHART_SKIP_LIMIT
};

struct chart_point {
	const struct chart_run *run;
	double ai, flops, attainable; /* attainable is NAN without peaks */
	double base_ai, base_flops;   /* of the baseline; NAN without one */
	double slowest, fastest;      /* FLOP/s over the repeats; NAN: not repeated */
	bool base_far;                /* the baseline is too far away to draw */
	struct scene_point at;
	enum chart_skip skip;
	bool algorithmic; /* from the work formula, because counters are missing */
};

enum { CHART_LEVEL_LIMIT = 4 };

struct chart_level {
	const char *name; /* "L2" */
	double ai;        /* FLOP per byte of this level's traffic */
	double bandwidth; /* peak, B/s; NAN: unknown */
	bool memory;      /* the device memory, whose point is the run's own */
};

struct chart_roofline {
	struct chart_plot plot;
	struct chart_runs runs;
	struct chart_roof_sets sets;
	struct chart_point *points; /* those that are drawn, in the order of their runs */
	size_t drawn;
	struct chart_point *skipped; /* those that cannot be drawn */
	size_t skipped_count;
	bool numbered;
	struct chart_level levels[CHART_LEVEL_LIMIT];
	size_t level_count;
};

struct chart_mark roofline_point_mark(const struct chart_roofline *drawing,
				      const struct chart_point *point);
/* Achieved over attainable: "12.4 %". */
const char *roofline_point_percent(struct arena *arena, const struct chart_point *point);
const char *roofline_point_tooltip(struct arena *arena, const struct chart_point *point);
/* Whether the baseline is drawn: known, not too far away, and not at the same position as
 * the run. */
bool roofline_point_shows_baseline(const struct chart_roofline *drawing,
				   const struct chart_point *point);
/* Whether to draw a box from the slowest to the fastest repeat; false if the mark would hide it. */
bool roofline_point_has_box(const struct chart_roofline *drawing, const struct chart_point *point);
/* Draws headroom lines, arrows from the baseline, boxes of the repeats, and marks, in this
 * order. */
void roofline_points_draw(struct chart_roofline *drawing);
/* Labels the points with names if all fit, otherwise with numbers (sets `numbered`); then the
 * percentages. */
void roofline_points_label(struct chart_roofline *drawing);
