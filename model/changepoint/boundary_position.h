/* Locates the boundary between two segments, using the error distribution of the whole series. */
#pragma once

#include "model/statistics/statistics.h"

enum { POSITION_NEAR = 60 };

/* Looks at x[from..to-1], at most 60 commits on each side of the boundary `at`; from < at < to
 * (range[] = {from, at, to}). Returns the index around which most of the likelihood lies: a
 * boundary that is off by one commit is nearly as good as the right one, one that is off by five is
 * not. */
size_t boundary_position_find(const struct error_density *density, const double *x,
			      const size_t range[3], const double level[2]);
