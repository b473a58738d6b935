/*
 * Levels against drift: how well levels plus noise that follows itself explain a
 * series. Slow noise looks like changes of level; it is told from them by what it
 * costs to describe the series either way.
 */
#ifndef MODEL_DRIFT_H
#define MODEL_DRIFT_H

#include <stddef.h>

/* -2 log likelihood, up to a constant, of n >= 1 deviations from the levels, errors capped:
 * the best of a grid of noises that return to the level at different speeds and show through
 * measurement noise of different sizes. */
double drift_cost(const double *deviations, size_t n, double sigma);

#endif
