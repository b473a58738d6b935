/*
 * Between which two measured commits a change of level lies. A detector names the
 * most probable place; where the step is small beside the noise, or many commits
 * without data lie beside it, the change may have come a little earlier or later.
 */
#pragma once

#include <stddef.h>

/* A piece of a series with one change, oldest value first; logs where ratios count. */
struct border_series {
	const double *values;
	const double *gaps; /* commits from the value before to this one: at least 1 */
	size_t count;
	size_t change; /* first value at the new level, 1 to count - 1 */
	double noise;  /* standard deviation between commits, > 0 */
};

struct location_interval {
	size_t good, bad; /* the change lies after the value `good`, at the latest at `bad` */
	double before, after;
	size_t count_before, count_after; /* values up to `good`, and from `bad` on */
};

/* The narrowest borders outside of which the change is, on each side, with at most this
 * probability. */
struct location_interval location_interval_of(const struct border_series *series, double error);
/* Where the borders are given: the levels of the values up to `good` and from `bad` on. */
struct location_interval location_interval_given(const struct border_series *series, size_t good,
						 size_t bad);
