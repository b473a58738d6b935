/*
 * What charts share: axes with ticks, title, legend rows, notes. A chart draws into a scene of
 * CHART_WIDTH and sets the height when everything is drawn.
 *
 * Never add a particular chart.
 */
#pragma once

#include "base/text/text.h"
#include "render/scene/palette.h"
#include "render/scene/scene.h"

/* Widths in units of the scene (CSS pixels). Every text has one of the sizes below. */
enum { CHART_WIDTH = 820, CHART_MARGIN = 28 };
static const double chart_title_size = 17, chart_text_size = 12.5, chart_label_size = 12,
		    chart_small_size = 11.5;

/* Maps the values `low` to `high` to the coordinates `from` to `to`. A vertical axis has from >
 * to, because y points down. */
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
/* Widens a positive range to round numbers (1, 2, 5 times a power of ten) that are at least
 * `decades` apart. */
void plot_round_range(double *low, double *high, double decades);
/* Draws grid, frame and tick labels of two logarithmic axes. `unit` is appended, with a prefix, to
 * the labels at the powers of ten of y: "10 TFLOP/s". */
void plot_log_grid(struct chart_plot *plot, const char *unit);
/* The round step that divides 0 to `high` into about `count` parts. */
double plot_step(double high, int count);

/* The label of a tick on a linear axis with ticks `step` apart. All labels of an axis use the
 * prefix that fits its largest value, and enough decimals to be distinct. */
const char *plot_value_text(struct arena *arena, const struct chart_axis *axis, double value,
			    double step, enum unit unit);

/* Draws a title and the line below it; both are shortened to the width. */
void plot_heading(struct chart_plot *plot, const char *title, const char *below);
/* Draws a note, wrapped to at most `lines` lines; returns the y below it. */
double plot_note(struct chart_plot *plot, double y, const char *text, size_t lines);

struct chart_mark {
	enum scene_marker marker;
	uint32_t colour;
};
/* The mark of a series: color and shape are unique for the first 42 series. */
struct chart_mark plot_mark_of(const struct palette *palette, size_t series);
struct scene_style plot_mark_style(const struct palette *palette, struct chart_mark mark);

struct chart_entry {
	struct chart_mark mark;
	const char *text;
	const char *tooltip; /* or NULL */
};
/* Draws the entries in as many columns as fit; returns the y below them. */
double plot_legend(struct chart_plot *plot, double y, const struct chart_entry *entries,
		   size_t count);
