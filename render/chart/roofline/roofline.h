/*
 * What the files of the roofline chart share. Private to this room.
 *
 *   - roofs.c: the roofs of the devices: the slope of the memory bandwidth and one ceiling per
 *     compute rate. Runs on one device with equal core count and bandwidth share a set.
 *   - points.c: the points: marks, lines up to their roofs, names.
 *   - levels.c: the slopes of the memories on the chip, and what was measured of the device memory.
 *     A chart of one run also has one point per level, at the run's FLOP/s and its intensity
 *     relative to that level's traffic.
 *   - text.c: what is said around the picture: title, legend, notes.
 */
#pragma once

#include "render/chart/plot/plot.h"
#include "render/chart/plot/run.h"

enum { CHART_ROOF_LIMIT = 8, CHART_SET_LIMIT = 3 };

struct chart_roof {
	double flops; /* FLOP/s */
	double cores; /* NAN when not stated */
	const char *dtype, *source, *label;
	bool used;     /* the peak that some run is judged by; drawn as a solid line */
	bool measured; /* by a tool on this device */
};

struct chart_roof_set {
	const char *device; /* "" when not stated */
	double cores;
	double bandwidth; /* B/s */
	const char *bandwidth_source;
	bool gpu;
	struct chart_roof roofs[CHART_ROOF_LIMIT]; /* highest first */
	size_t count;
};

struct chart_roof_sets {
	struct chart_roof_set items[CHART_SET_LIMIT];
	size_t count;
	bool clocks;         /* has roofs at the measured clock (single-run charts only) */
	size_t left_out;     /* runs whose device exceeded the limit of sets */
	const char *missing; /* a sentence that lists the labels without room */
};

enum { CHART_NAMED_LIMIT = 8, CHART_NUMBERED_LIMIT = 36, CHART_SERIES_LIMIT = 20 };
enum { CHART_STEM_LIMIT = CHART_NAMED_LIMIT + 4 }; /* points that show what is left to gain */
static const double chart_name_width = 190;        /* px; longer names are replaced by numbers */

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

enum { CHART_LEVEL_LIMIT = 4, CHART_CEILING_LIMIT = 6 };

struct chart_level {
	const char *name; /* "L2" */
	double ai;        /* FLOP per byte of this level's traffic */
};

struct chart_ceiling {
	const char *name; /* "L2", "HBM" */
	double bandwidth; /* B/s */
	const char *source;
	bool measured;
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
	struct chart_ceiling ceilings[CHART_CEILING_LIMIT];
	size_t ceiling_count;
};

/* --- roofs.c --- */

/* Adds the roofs of a run that states bandwidth and peak; ignores other runs. */
void roofline_roofs_add(struct chart_roof_sets *sets, const struct json *run);
/* Shades what no run can reach, if all share one roofline. */
void roofline_roofs_ground(struct chart_plot *plot, const struct chart_roof_sets *sets);
/* Draw order: the lines first; the labels after the markers, which they must avoid. */
void roofline_roofs_draw(struct chart_plot *plot, const struct chart_roof_sets *sets);
void roofline_roofs_label(struct chart_plot *plot, struct chart_roof_sets *sets);

/* The part of the slope of a bandwidth that the plot shows, up to the roof `top`; false if none. */
bool roofline_slope(const struct chart_plot *plot, double bandwidth, double top,
		    struct scene_point ends[2]);
/* Labels a slope along its line, above it if there is room, at one of the `shares` of its length,
 * which end with 0. */
void roofline_slope_label(struct chart_plot *plot, unsigned look, const char *text,
			  const struct scene_point ends[2], const double *shares);

/* The note for what labels omit: long sources, and roofs without room for a label. "" if nothing
 * is omitted. Call after roofline_roofs_label(). */
const char *roofline_roofs_note(struct arena *arena, const struct chart_roof_sets *sets);

/* --- text.c --- */

/* Draws the title, which says what the picture shows, and the line below it. */
void roofline_text_heading(struct chart_roofline *drawing);
void roofline_text_legend(struct chart_roofline *drawing);
void roofline_text_notes(struct chart_roofline *drawing);

/* --- points.c --- */

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
/* Draws dotted stems up to the roofs, arrows from the baseline, boxes of the repeats, and marks, in
 * this order. */
void roofline_points_draw(struct chart_roofline *drawing);
/* Labels the points with names and their share of the roof if all fit, otherwise with numbers (sets
 * `numbered`). */
void roofline_points_label(struct chart_roofline *drawing);

/* --- levels.c --- */

/* Fills drawing->ceilings if all runs share one roofline, and drawing->levels if the chart has one
 * run. */
void roofline_levels_read(struct chart_roofline *drawing);
/* Draw order: the slopes, then the points, then their labels. */
void roofline_levels_slopes(struct chart_roofline *drawing);
void roofline_levels_draw(struct chart_roofline *drawing);
void roofline_levels_label(struct chart_roofline *drawing);
