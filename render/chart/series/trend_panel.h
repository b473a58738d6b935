/* One panel of a trend chart: axes, band, levels, line, changes, candidate. */
#pragma once

#include "render/chart/plot/plot.h"
#include "render/chart/series/trend.h"

struct json;

/* The marks that occur, for the legend. */
struct trend_panel_legend {
	bool dots, bins, band, changes, tentative, accepted, releases;
	size_t far; /* values beyond the axis */
};

struct trend_panel {
	struct chart_plot plot; /* trend_panel_draw() sets its area and axes */
	const struct json *comparison, *trend;
	struct scene_bounds box;             /* includes heading, lanes and labels */
	double oldest;                       /* commit index at the left end */
	const struct trend_commits *commits; /* NULL: unknown */
	size_t dots;                         /* as in struct trend_view */
	bool heading;                        /* its name and finding stand above it */
	struct trend_panel_legend *legend;   /* gets the marks that are drawn; or NULL */
};

void trend_panel_draw(const struct trend_panel *panel);
/* The least height that shows the series well at this width. */
double trend_panel_height(const struct trend_panel *panel);
/* The unit of the metric that is compared. */
enum unit trend_panel_unit(const struct json *comparison);
/* The commit index of the oldest point; 0 without points. */
double trend_panel_oldest(const struct json *trend);
/* Whether the series is measured no longer, or not at this commit: nothing new can be drawn. */
bool trend_panel_stopped(const struct json *comparison);

/* trend_words.c: what is written about a series. */
/* Kernel, variant and parameters of a comparison. */
const char *trend_panel_name(struct arena *arena, const struct json *comparison);
/* "18.40 % slower since c1f9e07d2a", "unchanged, +0.16 %". */
const char *trend_panel_finding(struct arena *arena, const struct json *comparison);
/* The confirmed change that the verdict is about; NULL if that is not the newest one. */
const struct json *trend_panel_judged_change(const struct json *comparison);
/* The acceptance of the change at a place; NULL: none. */
const struct json *trend_panel_accepted(const struct json *trend, double place);
/* The color of a verdict and of the ground of its label. */
struct trend_panel_colours {
	uint32_t line, ground;
};
struct trend_panel_colours trend_panel_verdict(const struct palette *palette,
					       const struct json *comparison);
/* The same for a change. */
struct trend_panel_colours trend_panel_change(const struct palette *palette,
					      const struct json *trend, const struct json *change);
/* How many series are slower, faster ...: "2 slower, 1 faster of 9 series". */
struct trend_panel_tally {
	size_t slower, faster, unclear, accepted, all;
};
void trend_panel_tally_add(struct trend_panel_tally *tally, const struct json *comparison);
const char *trend_panel_tally_text(struct arena *arena, const struct trend_panel_tally *tally);
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

/* trend_legend.c: what marks mean, at plot->below. */
struct trend_panel_entry {
	bool shown;
	void (*draw)(struct chart_plot *plot, double x, double y); /* in the middle of a line */
	const char *text;
};
void trend_panel_legend_entries(struct chart_plot *plot, const struct trend_panel_entry *entries,
				size_t count);
void trend_panel_glyph_band(struct chart_plot *plot, double x, double y);
/* Explains the marks of trends. */
void trend_panel_legend_draw(struct chart_plot *plot, const struct trend_panel_legend *legend);
void trend_panel_legend_add(struct trend_panel_legend *legend, const struct trend_panel *panel,
			    const struct trend_panel_points *points);

/* trend_curve.c: draws the line through the points as far as it lies in the area. */
void trend_panel_curve(const struct chart_plot *plot, const struct scene_point *points,
		       size_t count, struct scene_style style);

/* trend_marks.c: marks above the area: changes of the level in an upper lane, releases in one below
 * it. A mark without room for its words keeps its line and its tooltip. */
struct trend_panel_lanes {
	double changes, releases; /* the top of each; NAN: nothing to show */
	double below;
};
struct trend_panel_lanes trend_panel_lanes_of(const struct trend_panel *panel, double top);
void trend_panel_marks(const struct trend_panel *panel, const struct chart_plot *plot,
		       const struct trend_panel_lanes *lanes);

/* trend_axis.c: the axis of commits below the area, `trend_panel_axis_height` high. */
extern const double trend_panel_axis_height;
void trend_panel_axis(struct chart_plot *plot, const struct trend_commits *commits,
		      const struct scene_bounds *box);
/* Where a place stands on it, or between two: 2.5. */
double trend_panel_x(const struct chart_plot *plot, double place);
/* The commit at a place; NULL if unknown. */
const struct trend_commit *trend_panel_commit(const struct trend_commits *commits, double place);
/* The commits of a report document. */
struct trend_commits trend_panel_commits(struct arena *arena, const struct json *report);
