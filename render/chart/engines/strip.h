/*
 * A panel of engines, shared by the charts of engines: names at the left, and to their right, from
 * `track` on, bars or timelines. A timeline is an array of busy fractions (0 to 1) over the run's
 * time, in bins of equal length.
 */
#pragma once

#include "render/chart/plot/plot.h"
#include "render/chart/plot/run.h"

enum { CHART_ENGINE_LIMIT = 12, CHART_BIN_LIMIT = 1024, CHART_FOLD_LIMIT = 8 };

/* The engines that a chart draws: the first CHART_ENGINE_LIMIT of the run. */
struct engines {
	const struct json *items[CHART_ENGINE_LIMIT];
	size_t count, hidden;
};

struct engines engines_of(const struct chart_run *run);
/* "Tensor engine" -> "Tensor". */
const char *engines_name(struct arena *arena, const struct json *engine);
uint32_t engines_color(const struct palette *palette, const struct json *engine, size_t index);
bool engines_have_timeline(const struct json *engine, const char *member);
/* The width of the widest name in this look, but at least `widest`. */
double engines_names_width(struct arena *arena, const struct engines *engines, unsigned look,
			   double widest);

/* The share, at least 0 and at most 1; 0 for NAN. */
double engines_share(double share);

struct engines_panel {
	struct chart_plot *plot;
	const struct chart_run *run;
	struct engines engines;
	double left, right; /* edges of the whole panel */
	double name_width;  /* width of the column of names */
	double track;       /* where bars and strips begin */
	double y;           /* top of the next row */
};
struct engines_panel engines_panel_of(struct chart_plot *plot, const struct chart_run *run,
				      double left, double right, double name_width);
/* Draws the run's name at the left, and a text at the right. */
void engines_title(struct engines_panel *panel, unsigned look, const char *right);
/* Draws a name in the column of names. */
void engines_label(struct engines_panel *panel, unsigned look, double y, const char *name);
/* Where the seconds of a run are: evenly, but for stretches that are folded to `fold_width`. */
struct engines_scale {
	double left, per_second; /* px */
	double total;            /* s */
	struct {
		double from, to; /* s */
	} folds[CHART_FOLD_LIMIT];
	size_t fold_count;
	double fold_width; /* px */
};
double engines_x(const struct engines_scale *scale, double seconds);
/* The seconds of the run that are not folded. */
double engines_unfolded(const struct engines_scale *scale);
/* Folds stretches above `share` of the total in which no engine is active. `member` is that of the
 * timelines. */
void engines_find_folds(struct engines_scale *scale, const struct engines *engines,
			const char *member, double share);

/* The place of a timeline: `base` is its lower edge. */
struct chart_strip {
	const struct engines_scale *scale;
	double base, height;
};
/* Draws a step curve, one level per bin: filled, or as a line only. */
void engines_strip_draw(struct chart_plot *plot, const struct chart_strip *strip,
			const struct json *timeline, struct scene_style style);
/* Draws line, ticks and labels from 0 to the total. If that is unknown, draws the line only. */
void engines_time_axis(struct engines_panel *panel, const struct engines_scale *scale);
