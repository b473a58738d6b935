/* Benjamini-Hochberg. */
#include "model/multiplicity.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	double x = **(const double *const *)a, y = **(const double *const *)b;
	return (x > y) - (x < y);
}

double *multiplicity_adjust(struct arena *arena, const double *p, size_t count)
{
	double *q = arena_array(arena, count + 1, sizeof *q);
	const double **order = arena_array(arena, count + 1, sizeof *order);
	size_t made = 0;
	for (size_t i = 0; i < count; i++) {
		q[i] = NAN;
		if (!isnan(p[i]))
			order[made++] = &p[i];
	}
	qsort(order, made, sizeof *order, by_value);
	double least = 1;
	for (size_t rank = made; rank > 0; rank--) {
		least = fmin(least, *order[rank - 1] * (double)made / (double)rank);
		q[order[rank - 1] - p] = least;
	}
	return q;
}
