/*
 * What detector and judge know of a series before they ask whether it changed:
 * medians, one value for the repeats of a commit, and the noise between commits.
 */
#pragma once

#include <stddef.h>

#include "base/base.h"

/* The value, but no further from 0 than the limit. */
static inline double noise_clip(double value, double limit)
{
	return value > limit ? limit : value < -limit ? -limit : value;
}
/* For qsort(): doubles from the smallest on. */
int noise_by_value(const void *a, const void *b);
/* The same order, faster; none of them is NAN. */
void noise_sort(struct arena *scratch, double *values, size_t count);
/* One value for the repeats of a commit: their median, from five on the Hodges-Lehmann estimate,
 * which is as robust and uses them better. */
double noise_location(struct arena *arena, const double *repeats, size_t count);
/* The noise between neighbouring commits of a series of logs. */
double noise_measure(struct arena *arena, const double *x, size_t count);
