/*
 * Changes or drift: how well segments plus autocorrelated noise explain a series. Slow noise looks
 * like changes of the mean; comparing the cost of both explanations separates them.
 */
#pragma once

#include "base/base.h"

/* -2 log likelihood, up to a constant, of n >= 1 deviations from the segment means, with bounded
 * errors. The best of a grid of noise models, which differ in how fast they return to the mean and
 * in the size of the measurement noise on top. Half of it is computed from squares, half from the
 * error distribution (model/statistics/error_density.h): the first is steadier, the second
 * recognizes a run in the other of two modes as no change. */
double random_walk_cost(const double *deviations, size_t n, double sigma);
