/*
 * Activity over time: what the charts of engines share. A timeline is an array of
 * busy fractions over the run's time.
 */
#pragma once

#include "render/chart/plot/plot.h"
#include "render/chart/plot/run.h"

enum { CHART_ENGINE_LIMIT = 12, CHART_BIN_LIMIT = 1024 };

/* NULL when the run tells of no engine. */
const struct json *engines_first(const struct chart_run *run);
/* "Tensor engine" -> "Tensor". */
const char *engines_name(struct arena *arena, const struct json *engine);
uint32_t engines_color(const struct palette *palette, const struct json *engine, size_t index);
bool engines_have_timeline(const struct json *engine, const char *member);

/* Between 0 and 1; NAN is 0. */
double engines_share(double share);

/* Where a timeline is drawn: up from `base`. */
struct chart_strip {
	double left, width, base, height;
};
/* A curve of steps, one level per bin: filled, or with a stroke alone. */
void engines_strip_draw(struct chart_plot *plot, const struct chart_strip *strip,
			const struct json *timeline, struct scene_style style);
/* Line, ticks and labels from 0 to `total` seconds, downwards from y; returns the y below. Only the
 * line when the total is not known. */
double engines_time_axis(struct chart_plot *plot, double left, double right, double y,
			 double total);
