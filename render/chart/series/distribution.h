/*
 * How repeats are spread: of each comparison the candidate's below the baseline's,
 * as dots with the box of their quartiles. From comparison.distribution of a report
 * document (docs/formats/report-document.md).
 */
#ifndef RENDER_CHART_SERIES_DISTRIBUTION_H
#define RENDER_CHART_SERIES_DISTRIBUTION_H

#include "render/chart/chart.h"

enum { CHART_DISTRIBUTION_PANELS = 8 }; /* in one picture; it says how many are left out */

/* ERR_FORMAT when no comparison has a distribution. */
int chart_distribution(struct arena *arena, const struct json *report, bool dark,
		       struct scene **scene, struct error *err);

#endif
