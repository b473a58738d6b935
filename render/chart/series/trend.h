/*
 * Trends: one panel per series, worst first, over the same commits, from comparison.trend of a
 * report document (docs/formats/report-document.md).
 *
 * Scripts find in the SVG of a series: data-place, the place of a commit, on every mark of one; the
 * class trend-now (newest value), trend-far (beyond the axis) or trend-change (label of a change,
 * at the first commit of the new level); dots have none. <title> has value, number of runs, commit,
 * day and subject. A place counts back from the newest commit, as in gate.commits and in
 * rooflog.commits of a site.
 *
 * Never add single runs.
 */
#pragma once

#include "render/chart/chart.h"
#include "render/scene/scene.h"

enum { CHART_TREND_PANELS = 12 }; /* per picture; a note states how many are left out */

/* What a picture shows of a commit. */
struct trend_commit {
	const char *id, *day, *subject; /* shortened id; id NULL: unknown */
	const char *release;            /* names of releases at it; NULL: none */
	const char *url;                /* of its page; NULL: none */
};
/* By place. */
struct trend_commits {
	const struct trend_commit *items;
	size_t count;
};

struct trend_view {
	struct scene_point size; /* width at least 240; height 0: as high as it needs */
	uint32_t oldest;         /* commit index at the left end, so that all panels of a page share
				  * one axis; 0 starts at the series' own oldest point */
	const struct trend_commits *commits; /* NULL: the axis counts them */
	bool dark;                           /* in the colors for dark pages */
	bool plain;   /* without tooltips and links, for screens without a pointer */
	bool heading; /* the name of the series and the finding stand above it */
	size_t dots;  /* up to this number of points each is a dot with a tooltip and a link */
};
/* Draws one series as its own scene, for pages with many. Returns NULL if the comparison has no
 * trend. */
struct scene *chart_trend_of(struct arena *arena, const struct json *comparison,
			     const struct trend_view *view);
/* Draws the first series of a document alone, for a comment, wide or for a phone. NULL: it has no
 * trend. */
struct scene *chart_trend_first(struct arena *arena, const struct json *document, bool dark,
				bool narrow);
/* Adds `svg`, an inline element, to the trends of the document that a page shows: those of series
 * that are measured, worst first, all that are not unchanged and some more. `trends_left_out` of
 * the gate says how many others there are. Colors are CSS variables (palette_add_css()). Returns
 * false without any trend. */
bool chart_trend_inline(struct arena *arena, struct json *document);
