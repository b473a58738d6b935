/*
 * Between which two measured commits a change lies. A detector names the most probable position; if
 * the step is small relative to the noise, or many unmeasured commits are next to it, the change
 * may have happened slightly earlier or later.
 */
#pragma once

#include "base/base.h"

/* A part of a series with one change, oldest value first; logarithms if ratios count. */
struct border_series {
	const double *values;
	const double *gaps; /* first-parent steps from the previous value to this one, at least 1 */
	size_t count;
	size_t change; /* first value after the change, 1 to count - 1 */
	double noise;  /* standard deviation between commits, > 0 */
};

struct location_interval {
	size_t good, bad; /* index of values: the change is after `good` and at `bad` or before */
	double before, after;
	size_t count_before, count_after; /* values up to `good`, and from `bad` on */
};

/* The narrowest interval that misses the change, on each side, with at most this probability. */
struct location_interval location_interval_of(const struct border_series *series, double error);
/* With a given interval: the means of the values up to `good` and from `bad` on. */
struct location_interval location_interval_given(const struct border_series *series, size_t good,
						 size_t bad);
