/*
 * The roofs of the devices in a chart: the slope of the memory bandwidth and one ceiling per
 * compute rate. Runs on one device with equal core count and bandwidth share a set.
 */
#pragma once

#include "render/chart/plot/plot.h"
#include "render/chart/plot/run.h"

enum { CHART_ROOF_LIMIT = 8, CHART_SET_LIMIT = 3 };

struct chart_roof {
	double flops; /* FLOP/s */
	double cores; /* NAN when not stated */
	const char *dtype, *source, *label;
	bool used; /* the peak that some run is judged by; drawn as a solid line */
};

struct chart_roof_set {
	const char *device; /* "" when not stated */
	double cores;
	double bandwidth; /* B/s */
	const char *bandwidth_source;
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

/* Adds the roofs of a run that states bandwidth and peak; ignores other runs. */
void roofline_roofs_add(struct chart_roof_sets *sets, const struct json *run);
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
