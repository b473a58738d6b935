/*
 * Activity over time: what the charts of engines share. A timeline is an array of
 * busy fractions over the run's time.
 */
#pragma once

#include "render/chart/plot/plot.h"
#include "render/chart/plot/run.h"

enum { CHART_ENGINE_LIMIT = 12, CHART_BIN_LIMIT = 1024 };

/* NULL when the run tells of no engine. */
const struct json *chart_first_engine(const struct chart_run *run);
/* "Tensor engine" -> "Tensor". */
const char *chart_engine_name(struct arena *arena, const struct json *engine);
uint32_t chart_engine_colour(const struct palette *palette, const struct json *engine,
			     size_t index);
bool chart_has_timeline(const struct json *engine, const char *member);

/* Between 0 and 1; NAN is 0. */
double chart_share(double share);

/* Where a timeline is drawn: up from `base`. */
struct chart_strip {
	double left, width, base, height;
};
/* A curve of steps, one level per bin: filled, or with a stroke alone. */
void chart_strip_draw(struct chart_plot *plot, const struct chart_strip *strip,
		      const struct json *timeline, struct scene_style style);
/* Line, ticks and labels from 0 to `total` seconds, downwards from y; returns the y below. Only the
 * line when the total is not known. */
double chart_time_axis(struct chart_plot *plot, double left, double right, double y, double total);
