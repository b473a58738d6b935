/* The chart of buckets over two sizes, and what both charts of buckets draw alike. */
#pragma once

#include "render/chart/chart.h"
#include "render/chart/plot/plot.h"

/* Draws the member "grids" of the document of analyze buckets; as chart_draw. */
int chart_buckets_pairs(struct arena *arena, const struct json *document,
			const struct chart_look *look, struct scene **scene, struct error *err);
/* Draws a row per plan at plot->below: name, bar, expected time, waste. */
void chart_buckets_plans(struct chart_plot *plot, const struct json *plans);
/* Extends the scene's frame by an area: panels are stacked. */
void chart_buckets_frame(struct scene *scene, const struct scene_bounds *area);
