/* Speed-up of fused operators over the size of the work, with its interval. */
#ifndef RENDER_CHART_FUSION_H
#define RENDER_CHART_FUSION_H

#include "render/chart.h"

/* Draws the document of "rooflog fusion --json", not a report: it is no row of charts[].
 * ERR_FORMAT when no shape has a speed-up. */
extern const struct chart fusion_chart;

#endif
