/*
 * Trends: one panel a series, the worst first, over the same commits. From
 * comparison.trend of a report document (docs/formats/report-document.md).
 *
 * Never add single runs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "render/chart/chart.h"
#include "render/scene/scene.h"

enum { CHART_TREND_PANELS = 12 }; /* in one picture; it says how many are left out */

/* One series alone, for pages that have many: its own scene of that size (at least 240 x 110).
 * `oldest` is the place at the left end, so that panels of a page share their commits; 0: that of
 * the series' own oldest point. NULL when the comparison has no trend. */
struct scene *chart_trend_of(struct arena *arena, const struct json *comparison, bool dark,
			     struct scene_point size, uint32_t oldest);
/* Sets svg, an element for a page, into each trend of the document; its colours are variables
 * (palette_add_css()). False where there is none. */
bool chart_trend_inline(struct arena *arena, struct json *document);
