/*
 * How the errors of a series are spread, learnt from all of them: a smoothed
 * histogram. Two modes, long tails and outliers are in it as they are, where a
 * normal distribution knows only a width.
 */
#pragma once

#include <stddef.h>

enum { DENSITY_CELLS = 128 };

struct error_density {
	double sigma;
	double squares; /* of errors in units of sigma, far ones clipped */
	size_t count;
	double mass[DENSITY_CELLS + 1]; /* how many errors: from -8 to 8 sigma */
	double logs[DENSITY_CELLS + 1]; /* of the density, once it is settled */
};

/* sigma > 0: the noise of the series, the unit of everything. */
void error_density_start(struct error_density *density, double sigma);
void error_density_add(struct error_density *density, double error);
/* After the last error and before the two below. */
void error_density_settle(struct error_density *density);
/* Log of the density at an error, up to a constant. */
double error_density_log(const struct error_density *density, double error);
/* -2 log likelihood of the errors it was learnt from, up to a constant of sigma and their count. */
double error_density_cost(const struct error_density *density);
