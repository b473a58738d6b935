/* The test of one boundary between two segments: is it a change, and where would it be? */
#pragma once

#include <stddef.h>

struct boundary_test {
	double left, right; /* levels */
	double se, df;      /* of their difference */
	double p, rank_p;   /* two-sided t test, one-sided rank test */
	size_t likeliest;   /* where the two levels would put the boundary */
};

/* x[from..at-1] against x[at..to-1], at most 100 commits of each; from < at < to. */
struct boundary_test boundary_test(const double *x, double sigma, size_t from, size_t at,
				   size_t to);
/* The level of x[from..to-1]: values that lie far out pull at it, but only so far. */
double boundary_level(const double *x, double sigma, size_t from, size_t to);
