/*
 * What charts share: axes with ticks, title, texts, labels, legend rows, notes. A chart draws into
 * a scene: first its panels, then what follows below them, from plot->below on.
 *
 * Never add a particular chart.
 */
#pragma once

#include "base/text/text.h"
#include "render/scene/palette.h"
#include "render/scene/scene.h"

/* Widths in units of the scene (CSS pixels): the usual one, and that below which a picture is drawn
 * for a phone. */
enum { CHART_WIDTH = 820, CHART_NARROW = 600, CHART_MARGIN = 28 };

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
	double left, right; /* where texts begin and end */
	bool narrow;
	double below; /* y at which the next legend or note is drawn, below all others */
};

/* Begins a picture whose height is set by plot_end(). `width` 0 is CHART_WIDTH. */
void plot_begin(struct chart_plot *plot, struct arena *arena, bool dark, double width);
/* Draws a title and the line below it, wrapped to the width, sets title and description for readers
 * who cannot see the picture, and moves plot->below below both. */
void plot_heading(struct chart_plot *plot, const char *title, const char *line,
		  const char *description);
/* Ends the picture `margin` below everything drawn; returns its scene. */
struct scene *plot_end(struct chart_plot *plot, double margin);

/* In Chinese, removes the blank before each sign of percent. For pictures without plot_end(). */
void plot_close_percents(struct scene *scene);

double plot_at(const struct chart_axis *axis, double value);
/* Widens a positive range to round numbers (1, 2, 5 times a power of ten) that are at least
 * `decades` apart. */
void plot_round_range(double *low, double *high, double decades);
/* The round step that divides 0 to `high` into about `count` parts. */
double plot_step(double high, int count);

/* Draws grid, frame and tick labels of two logarithmic axes. Labels of y count `y_unit`. */
void plot_log_grid(struct chart_plot *plot, double y_unit);
/* The power of 1000 that fits the value, at least 1, and its prefix: "T" for 157e12. */
double plot_prefix(double value, const char **prefix);
/* Draws a grid line of one axis at a coordinate, and its label unless it is NULL. */
void plot_x_tick(struct chart_plot *plot, double at, double opacity, const char *label);
void plot_y_tick(struct chart_plot *plot, double at, double opacity, const char *label);
/* Draws the left and the lower edge of the area. */
void plot_frame(struct chart_plot *plot);
/* Draws the title of the x axis `distance` below the area, and that of the y axis at a coordinate
 * of x. */
void plot_x_title(struct chart_plot *plot, double distance, const char *title);
void plot_y_title(struct chart_plot *plot, double x, const char *title);

/* The label of a tick on a linear axis with ticks `step` apart. All labels of an axis use the
 * prefix that fits its largest value, and enough decimals to be distinct. */
const char *plot_value_text(struct arena *arena, const struct chart_axis *axis, double value,
			    double step, enum unit unit);

/* The unit in which `seconds` are at least `smallest`: s, ms, us or ns. `scale` converts seconds to
 * it. */
const char *plot_time_unit(double seconds, double smallest, double *scale);

/* How a text looks: a size, combined with any of the flags by |. Without flags it has the color of
 * ink and starts at its position. */
enum plot_look {
	PLOT_TICK,  /* values in cells of a map */
	PLOT_SMALL, /* labels inside the picture, notes */
	PLOT_LABEL, /* ticks, legends */
	PLOT_TEXT,  /* titles of axes and panels */
	PLOT_TITLE, /* of the picture */
	PLOT_SIZES,
	PLOT_MUTED = 8,
	PLOT_BOLD = 16,
	PLOT_MIDDLE = 32,
	PLOT_END = 64,
	PLOT_ACCENT = 128,
	PLOT_BAD = 256, /* what got slower */
	PLOT_GOOD = 512
};
struct scene_item *plot_text(struct chart_plot *plot, double x, double y, unsigned look,
			     const char *text);
/* Draws a text in the first of the spots (best first) that is free inside the area, with a halo.
 * False, and nothing drawn, if none is. */
bool plot_label(struct chart_plot *plot, unsigned look, const char *text,
		const struct scene_spot *spots, size_t count);
/* The same for two texts, the second below the first. */
bool plot_label_pair(struct chart_plot *plot, const unsigned looks[2], const char *const texts[2],
		     const struct scene_spot *spots, size_t count);
double plot_text_size(unsigned look);
double plot_text_width(unsigned look, const char *text);
/* The text, shortened to at most `width` in this look. */
const char *plot_shorten(const struct chart_plot *plot, unsigned look, const char *text,
			 double width);

/* Draws a note of the format at plot->below, wrapped to at most `lines` lines; nothing if it is
 * empty. */
void plot_note(struct chart_plot *plot, size_t lines, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* keys.c: what a legend shows of a mark. */
enum plot_sample {
	PLOT_SAMPLE_AREA,
	PLOT_SAMPLE_LINE,
	PLOT_SAMPLE_DASHES,
	PLOT_SAMPLE_DOTS,
	PLOT_SAMPLE_TICK,
	PLOT_SAMPLE_ARROW, /* from a hollow mark */
	PLOT_SAMPLE_FOLD
};
struct plot_key {
	enum plot_sample sample;
	uint32_t colour;
	const char *text;
};
/* Draws the keys at plot->below, one after the other, in as many lines as they need. */
void plot_keys(struct chart_plot *plot, const struct plot_key *keys, size_t count);
/* Draws the upright zigzag that marks a folded stretch, from `top` to `bottom`. */
void plot_fold(struct chart_plot *plot, double x, double top, double bottom);

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
/* Draws the entries at plot->below in as many columns as fit. */
void plot_legend(struct chart_plot *plot, const struct chart_entry *entries, size_t count);
