/* One panel of a trend chart: axes, band, levels, line, changes, candidate. */
#pragma once

#include "render/chart/plot/plot.h"
#include "render/chart/series/trend.h"

struct json;

struct trend_panel {
	struct chart_plot plot; /* trend_panel_draw() sets its area and axes */
	const struct json *comparison, *trend;
	struct scene_bounds box;             /* includes title and labels */
	double oldest;                       /* commit index at the left end */
	const struct trend_commits *commits; /* NULL: unknown */
	size_t dots;                         /* as in struct trend_view */
};

void trend_panel_draw(const struct trend_panel *panel);
/* Kernel, variant and parameters of a comparison. */
const char *trend_panel_name(struct arena *arena, const struct json *comparison);
/* The unit of the metric that is compared. */
enum unit trend_panel_unit(const struct json *comparison);
/* The commit index of the oldest point; 0 without points. */
double trend_panel_oldest(const struct json *trend);
/* Whether the series is measured no longer, or not at this commit: nothing new can be drawn. */
bool trend_panel_stopped(const struct json *comparison);

/* trend_points.c: the points of a trend, and the range of its values. */
struct trend_panel_point {
	double index, low, middle, high, runs;
	double commit; /* the index of the commit that has this value; NAN: of several */
};
struct trend_panel_points {
	struct trend_panel_point *items; /* oldest first */
	size_t count;
	bool binned;      /* a point stands for several commits */
	size_t joined;    /* points of the trend in a point */
	double low, high; /* range of the axis: levels with three noises, band, candidate, and
			   * values within a third of that around it */
	size_t far;       /* values beyond it: at most a tenth of the points, or one */
	double farthest;  /* of them; NAN: none */
};
/* At most `limit` points: neighbors are joined to one. */
struct trend_panel_points trend_panel_points_of(struct arena *arena, const struct json *trend,
						size_t limit);

/* trend_curve.c: draws the line through the points as far as it lies in the area. */
void trend_panel_curve(const struct chart_plot *plot, const struct scene_point *points,
		       size_t count, struct scene_style style);

/* trend_axis.c: the axis of commits below the area. */
void trend_panel_axis(struct chart_plot *plot, const struct trend_commits *commits);
/* The commit at a place; NULL if unknown. */
const struct trend_commit *trend_panel_commit(const struct trend_commits *commits, double place);
/* The commits of a report document. */
struct trend_commits trend_panel_commits(struct arena *arena, const struct json *report);
