/*
 * Levels against drift: how well levels plus noise that follows itself explain a
 * series. Slow noise looks like changes of level; it is told from them by what it
 * costs to describe the series either way.
 */
#pragma once

#include <stddef.h>

/* -2 log likelihood, up to a constant, of n >= 1 deviations from the levels, errors capped:
 * the best of a grid of noises that return to the level at different speeds and show through
 * measurement noise of different sizes. Half of it by their squares, half by how they are spread
 * (model/statistics/error_density.h): the first is the steadier, the second knows that a run of the
 * other of two modes is no level. */
double random_walk_cost(const double *deviations, size_t n, double sigma);
