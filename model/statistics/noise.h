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
/* The density of the normal distribution with standard deviation 1 at 0. */
static const double noise_normal_peak = 0.3989422804014327;
/* The density of an outlier that is `u` standard deviations from the level it belongs to, per
 * standard deviation, times the share of outliers: one value in fifty is one, and is spread as by a
 * Cauchy distribution of four standard deviations. So of two far levels the nearer one is the
 * likelier, and no single value is evidence beyond all doubt. */
static const double noise_outlier_share = 0.02;
static inline double noise_outlier_density(double u)
{
	static const double width = 4, pi = 3.14159265358979323846;
	return noise_outlier_share / (pi * width * (1 + u * u / (width * width)));
}
/* The standard deviation between neighbouring commits of a series of logarithms. */
double noise_measure(struct arena *arena, const double *x, size_t count);
