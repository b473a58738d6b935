/*
 * How the errors of a series are spread, learnt from all of them: a smoothed
 * histogram. Two modes, long tails and outliers are in it as they are, where a
 * normal distribution knows only a width.
 */
#pragma once

#include <stddef.h>

enum { DENSITY_CELLS = 128 };

struct density {
	double sigma;
	double squares; /* of errors in units of sigma, far ones clipped */
	size_t count;
	double mass[DENSITY_CELLS + 1]; /* how many errors: from -8 to 8 sigma */
	double logs[DENSITY_CELLS + 1]; /* of the density, once it is settled */
};

/* sigma > 0: the noise of the series, the unit of everything. */
void density_start(struct density *density, double sigma);
void density_add(struct density *density, double error);
/* After the last error and before the two below. */
void density_settle(struct density *density);
/* Log of the density at an error, up to a constant. */
double density_log(const struct density *density, double error);
/* -2 log likelihood of the errors it was learnt from, up to a constant of sigma and their count. */
double density_cost(const struct density *density);
