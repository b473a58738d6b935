/* Benjamini and Hochberg's step-up procedure, as adjusted p values. */
#include "model/statistics/false_discovery.h"

struct judged {
	double p;
	size_t at;
};

/* Equal p keep the order of the series, so that sorting is deterministic. */
static int by_p(const void *a, const void *b)
{
	const struct judged *x = a, *y = b;
	int order = (x->p > y->p) - (x->p < y->p);
	return order ? order : (x->at > y->at) - (x->at < y->at);
}

double *false_discovery_adjust(struct arena *arena, const double *p, size_t count)
{
	double *q = arena_array(arena, count, sizeof *q), least = 1;
	struct judged *judged = arena_array(arena, count, sizeof *judged);
	size_t m = 0;
	for (size_t i = 0; i < count; i++) {
		q[i] = NAN;
		if (!isnan(p[i]))
			judged[m++] = (struct judged){p[i], i};
	}
	array_sort(judged, m, sizeof *judged, by_p);
	for (size_t rank = m; rank > 0; rank--) {
		least = fmin(least, judged[rank - 1].p * (double)m / (double)rank);
		q[judged[rank - 1].at] = least;
	}
	return q;
}
