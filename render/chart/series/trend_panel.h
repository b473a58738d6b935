/* One panel of a trend chart: axes, band, levels, line, changes, candidate. */
#pragma once

#include "render/chart/plot/plot.h"

struct json;

struct trend_panel {
	struct chart_plot plot; /* trend_panel_draw() sets its area and axes */
	const struct json *comparison, *trend;
	struct scene_bounds box; /* includes title and labels */
	double oldest;           /* commit index at the left end */
};

void trend_panel_draw(const struct trend_panel *panel);
/* Kernel, variant and parameters of a comparison. */
const char *trend_panel_name(struct arena *arena, const struct json *comparison);
/* The unit of the metric that is compared. */
enum unit trend_panel_unit(const struct json *comparison);
/* The commit index of the oldest point; 0 without points. */
double trend_panel_oldest(const struct json *trend);
