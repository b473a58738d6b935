/*
 * Piecewise constant fits: the boundaries of the segmentation that has the least
 * squared error, capped for each value so that spikes are no levels, plus a
 * penalty for each boundary.
 */
#pragma once

#include <stddef.h>

#include "base/base.h"

enum { SEGMENT_LEVELS = 600 };

/* Writes the first index of every segment but the first into bounds[0..n-1] and returns how many.
 * x: n >= 1 finite values with noise sigma. Needs 8 bytes of scratch memory for each, and some 11
 * kB. */
size_t segmentation_bounds(struct arena *scratch, const double *x, size_t n, double sigma,
			   size_t *bounds);

/* The parts of it, for the test: the levels that segments may have, what a value costs at one, and
 * what a boundary costs. Values and levels count in sixteenths of the noise above the first one. */
const float *segmentation_levels(struct arena *scratch, const float *x, size_t n, size_t *count);
int segmentation_loss(float x, float level);
int segmentation_penalty(size_t n);
