/* The points of a roofline: their marks, the way up to their roofs, their names. */
#pragma once

#include "render/chart/plot/plot.h"
#include "render/chart/roofline/roofs.h"
#include "render/chart/plot/run.h"

enum { CHART_NAMED_LIMIT = 8, CHART_NUMBERED_LIMIT = 36, CHART_SERIES_LIMIT = 20 };
static const double chart_name_width = 190; /* longer names are numbered */

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
	double base_ai, base_flops;   /* of the baseline, NAN when there is none */
	double slowest, fastest;      /* FLOP/s over the repeats; NAN: not repeated */
	bool base_far;                /* the baseline is too far away to draw */
	struct scene_point at;
	enum chart_skip skip;
	bool algorithmic; /* by the formula of the work, for want of counters */
};

enum { CHART_LEVEL_LIMIT = 4 };

struct chart_level {
	const char *name; /* "L2" */
	double ai;        /* FLOP a byte of this level's traffic */
	double bandwidth; /* its peak, B/s; NAN unknown */
	bool memory;      /* the device memory: the run's own point */
};

struct chart_roofline {
	struct chart_plot plot;
	struct chart_runs runs;
	struct chart_roof_sets sets;
	struct chart_point *points; /* one per run */
	size_t drawn;
	bool numbered;
	struct chart_level levels[CHART_LEVEL_LIMIT];
	size_t level_count;
};

struct chart_mark roofline_point_mark(const struct chart_roofline *drawing,
				      const struct chart_point *point);
/* "12.4 %": achieved over attainable. */
const char *roofline_point_percent(struct arena *arena, const struct chart_point *point);
const char *roofline_point_tooltip(struct arena *arena, const struct chart_point *point);
/* False where it stands on its run, too. */
bool roofline_point_shows_baseline(const struct chart_roofline *drawing,
				   const struct chart_point *point);
/* A box from the slowest to the fastest repeat; none where the mark would hide it. */
bool roofline_point_has_box(const struct chart_roofline *drawing, const struct chart_point *point);
/* Headroom lines, arrows from the baseline, boxes of the repeats, marks. */
void roofline_points_draw(struct chart_roofline *drawing);
/* Names where they fit, else numbers (`numbered` is set); percentages. */
void roofline_points_label(struct chart_roofline *drawing);
