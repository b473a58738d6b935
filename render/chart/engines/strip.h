/*
 * Activity over time, shared by the charts of engines. A timeline is an array of busy fractions (0
 * to 1) over the run's time, in bins of equal length.
 */
#pragma once

#include "render/chart/plot/plot.h"
#include "render/chart/plot/run.h"

enum { CHART_ENGINE_LIMIT = 12, CHART_BIN_LIMIT = 1024 };

/* The first engine of the run; NULL if the run has no engines. */
const struct json *engines_first(const struct chart_run *run);
/* "Tensor engine" -> "Tensor". */
const char *engines_name(struct arena *arena, const struct json *engine);
uint32_t engines_color(const struct palette *palette, const struct json *engine, size_t index);
bool engines_have_timeline(const struct json *engine, const char *member);

/* Clamps to 0..1; NAN becomes 0. */
double engines_share(double share);

/* The area of a timeline: `base` is its lower edge. */
struct chart_strip {
	double left, width, base, height;
};
/* Draws a step curve, one level per bin: filled, or as a line only. */
void engines_strip_draw(struct chart_plot *plot, const struct chart_strip *strip,
			const struct json *timeline, struct scene_style style);
/* Draws line, ticks and labels from 0 to `total` seconds at y; returns the y below. If the total
 * is unknown, draws the line only. */
double engines_time_axis(struct chart_plot *plot, double left, double right, double y,
			 double total);
