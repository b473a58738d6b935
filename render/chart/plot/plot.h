/*
 * The furniture of a chart: axes with ticks, title, legend rows, notes. Everything
 * is drawn into a scene of the standard width; the height is set when all is drawn.
 *
 * Never add a particular chart.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text/text.h"
#include "render/scene/palette.h"
#include "render/scene/scene.h"

/* Units of the scene. Every size of a text is one of these. */
enum { CHART_WIDTH = 820, CHART_MARGIN = 28 };
static const double chart_title_size = 17, chart_text_size = 12.5, chart_label_size = 12,
		    chart_small_size = 11.5;

/* Values from `low` to `high` lie between the coordinates `from` and `to`. */
struct chart_axis {
	double low, high;
	double from, to;
	bool logarithmic;
};

struct chart_plot {
	struct arena *arena;
	struct scene *scene;
	const struct palette *palette;
	struct scene_bounds area;
	struct chart_axis x, y;
};

double plot_at(const struct chart_axis *axis, double value);
/* Widens a positive range to round numbers (1, 2, 5 times a power of ten) that lie at least
 * `decades` apart. */
void plot_round_range(double *low, double *high, double decades);
/* Grid, frame and tick labels of two logarithmic axes. `unit` is appended to the labels at the
 * powers of ten of y, with a prefix: "10 TFLOP/s". */
void plot_log_grid(struct chart_plot *plot, const char *unit);
/* About `count` round steps from 0; returns the step. */
double plot_step(double high, int count);

/* The label of a tick on a linear axis whose ticks lie `step` apart: all of an axis have the prefix
 * that fits its largest value, and as many decimals as tell them apart. */
const char *plot_value_text(struct arena *arena, const struct chart_axis *axis, double value,
			    double step, enum unit unit);

/* Title and the line below it; both are shortened to the width. */
void plot_heading(struct chart_plot *plot, const char *title, const char *below);
/* A note below the picture, wrapped to at most `lines` lines; returns the y below it. */
double plot_note(struct chart_plot *plot, double y, const char *text, size_t lines);

struct chart_mark {
	enum scene_marker marker;
	uint32_t colour;
};
/* The mark of a series: a different pair of colour and shape for the first 42. */
struct chart_mark plot_mark_of(const struct palette *palette, size_t series);
struct scene_style plot_mark_style(const struct palette *palette, struct chart_mark mark);

struct chart_entry {
	struct chart_mark mark;
	const char *text;
	const char *tooltip; /* or NULL */
};
/* Entries in as many columns as fit; returns the y below them. */
double plot_legend(struct chart_plot *plot, double y, const struct chart_entry *entries,
		   size_t count);
