/* Tests one boundary between two segments: whether it is a change, and where it would be. */
#pragma once

#include "base/base.h"

struct boundary_test {
	double left, right; /* levels */
	double se, df;      /* standard error and degrees of freedom of their difference */
	double p, rank_p;   /* two-sided t test, one-sided rank test */
	size_t likeliest;   /* where the two means would put the boundary */
};

/* Compares x[from..at-1] with x[at..to-1], at most 100 commits of each; from < at < to. */
struct boundary_test boundary_test(const double *x, double sigma, size_t from, size_t at,
				   size_t to);
/* The mean of x[from..to-1]; the pull of outliers is bounded (Huber). */
double boundary_level(const double *x, double sigma, size_t from, size_t to);
