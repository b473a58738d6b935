/*
 * The memory levels of a run in a roofline: one point a level, at the run's rate
 * and the intensity against that level's traffic, and the slopes of the caches'
 * peak bandwidths. Drawn for a run that is alone; of several it would be a thicket.
 */
#pragma once

#include "render/chart/roofline/points.h"

/* Fills drawing->levels when the chart is of one run that tells of levels. */
void roofline_levels_read(struct chart_roofline *drawing);
/* The slopes before the points, the points, and last their labels. */
void roofline_levels_slopes(struct chart_roofline *drawing);
void roofline_levels_draw(struct chart_roofline *drawing);
void roofline_levels_label(struct chart_roofline *drawing);
