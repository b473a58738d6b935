/* Medians. For an even number of values: the mean of the middle two. */
#pragma once

#include "base/base.h"

/* NAN without values. The values must not be NAN. */
double median_of(const double *values, size_t count);
/* The same for `count` >= 1 values, whose order may change. */
double median_in_place(double *values, size_t count);
/* The same, but the order of the values afterwards is always that of the selection. For callers
 * that add the values up next, so that sums round identically. */
double median_by_order(double *values, size_t count);

static inline double median_of_sorted(const double *values, size_t count)
{
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}
