/*
 * The error distribution of a series, estimated from all its errors as a smoothed histogram. It
 * represents two modes, long tails and outliers as they are, which a normal distribution cannot.
 */
#pragma once

#include "base/base.h"

enum {
	DENSITY_CELLS = 128,
	DENSITY_REACH = 8, /* in sigma: how far the cells reach on both sides */
};

struct error_density {
	double sigma;
	double floor;   /* smallest density anywhere */
	double squares; /* of errors in units of sigma, outliers clipped */
	size_t count;
	double mass[DENSITY_CELLS +
		    1]; /* errors per cell, from -DENSITY_REACH to DENSITY_REACH sigma */
	double logs[DENSITY_CELLS + 1]; /* log density, after error_density_settle() */
};

/* sigma > 0: the noise of the series, the unit of everything. floor > 0: the smallest density
 * anywhere, per sigma; it bounds the evidence of a single error. */
void error_density_start(struct error_density *density, double sigma, double floor);
void error_density_add(struct error_density *density, double error);
/* Call after the last error, and before the two functions below. */
void error_density_settle(struct error_density *density);
/* Log of the density at an error, up to a constant. */
double error_density_log(const struct error_density *density, double error);
/* -2 log likelihood of the errors it was estimated from, up to a constant that depends on sigma and
 * their number. */
double error_density_cost(const struct error_density *density);
