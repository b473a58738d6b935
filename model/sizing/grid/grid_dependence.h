/*
 * Whether measured times depend on one of two sizes at all: otherwise its buckets would only follow
 * the noise.
 *
 * The times of one size of the other parameter are a line. Three tests of independence, each at
 * 1 %: Kendall's rank correlation, summed over the lines, for a trend; the analysis of variance of
 * relative times with both sizes as factors, for any pattern that lines share; and the variance of
 * one line against that of the others, for a size that matters in some lines only. They decide
 * nothing if they hold less than DEPENDENCE_LEAST sizes on one line do.
 */
#pragma once

#include "base/base.h"
#include "model/sizing/grid/size_grid.h"

struct grid_dependence {
	bool none;     /* tested, and no test finds any */
	double spread; /* largest time / smallest time - 1, on the line where it is largest */
	/* Of one time, from the differences of neighboring sizes, relative: above the true noise
	 * where the times rise steeply. NAN: no line has two sizes. */
	double noise;
	double trend, pattern, uneven; /* p of the three tests; NAN: not tested */
};

struct grid_dependence grid_dependence_of(struct arena *arena, const struct size_grid *grid,
					  int side);
/* The times by which plans are made: on a line that does not depend on the size, the median of its
 * measured times. What was not measured stays NAN. */
double *grid_dependence_times(struct arena *arena, const struct size_grid *grid,
			      const struct grid_dependence dependence[2]);
