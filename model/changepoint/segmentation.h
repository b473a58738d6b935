/*
 * Piecewise constant fits: the segmentation with the least squared error plus a penalty per
 * boundary. The loss of each value is capped, so that a spike does not become a segment.
 */
#pragma once

#include "base/base.h"

enum { SEGMENT_LEVELS = 600 };

/* Writes the first index of every segment except the first into bounds[0..n-1]; returns their
 * number. x: n >= 1 finite values with noise sigma. Scratch memory: 8 bytes per value plus about 11
 * kB. */
size_t segmentation_bounds(struct arena *scratch, const double *x, size_t n, double sigma,
			   size_t *bounds);

/* Exposed for tests: the candidate means, the loss of a value at one of them, and the penalty of a
 * boundary. Values and means are in sixteenths of the noise above the first value. */
const float *segmentation_levels(struct arena *scratch, const float *x, size_t n, size_t *count);
int segmentation_loss(float x, float level);
int segmentation_penalty(size_t n);
