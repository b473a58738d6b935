/*
 * Basics that detector and judge share: one value for the repeats of a commit, and the noise
 * between commits.
 */
#pragma once

#include "base/base.h"

/* The value, clipped to [-limit, limit]. */
static inline double noise_clip(double value, double limit)
{
	return value > limit ? limit : value < -limit ? -limit : value;
}
/* Sorts doubles, faster than qsort(). The values must not be NAN. */
void noise_sort(struct arena *scratch, double *values, size_t count);
/* One value for the repeats of a commit: their median; from five on the Hodges-Lehmann estimate,
 * which is as robust and more efficient. */
double noise_location(struct arena *arena, const double *repeats, size_t count);
/* The standard deviation between neighbouring commits of a series of logarithms. */
double noise_measure(struct arena *arena, const double *x, size_t count);
