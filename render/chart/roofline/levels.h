/*
 * The memory levels of a run in a roofline: one point per level, at the run's FLOP/s and its
 * intensity relative to that level's traffic, and the slopes of the caches' peak bandwidths. Drawn
 * for single-run charts only; with several runs the points would be unreadable.
 */
#pragma once

#include "render/chart/roofline/points.h"

/* Fills drawing->levels if the chart has one run and that run has memory levels. */
void roofline_levels_read(struct chart_roofline *drawing);
/* Draw order: the slopes, then the points, then their labels. */
void roofline_levels_slopes(struct chart_roofline *drawing);
void roofline_levels_draw(struct chart_roofline *drawing);
void roofline_levels_label(struct chart_roofline *drawing);
