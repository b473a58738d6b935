/*
 * Trends: one panel per series, worst first, over the same commits, from comparison.trend of a
 * report document (docs/formats/report-document.md).
 *
 * Never add single runs.
 */
#pragma once

#include "render/chart/chart.h"
#include "render/scene/scene.h"

enum { CHART_TREND_PANELS = 12 }; /* per picture; a note states how many are left out */

/* Draws one series as its own scene of the given size (at least 240 x 110), for pages with many.
 * `oldest` is the commit index at the left end, so that all panels of a page share one axis; 0
 * starts at the series' own oldest point. Returns NULL if the comparison has no trend. */
struct scene *chart_trend_of(struct arena *arena, const struct json *comparison,
			     struct scene_point size, uint32_t oldest);
/* Adds `svg`, an inline element, to each trend of the document. Its colors are CSS variables
 * (palette_add_css()). Returns false without any trend. */
bool chart_trend_inline(struct arena *arena, struct json *document);
