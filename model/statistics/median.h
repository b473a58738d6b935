/* Medians. Of an even number of values it is the mean of the two in the middle. */
#ifndef MODEL_STATISTICS_MEDIAN_H
#define MODEL_STATISTICS_MEDIAN_H

#include <stddef.h>

/* NAN without values; none of them is NAN. */
double median_of(const double *values, size_t count);
/* The same of `count` >= 1 values, whose order may change. */
double median_in_place(double *values, size_t count);
/* The same where what comes next adds the values up: their order afterwards is always by selection.
 */
double median_by_order(double *values, size_t count);

static inline double median_of_sorted(const double *values, size_t count)
{
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

#endif
