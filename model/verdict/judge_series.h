/*
 * Series of a table judged without a store: what was measured last, or after an
 * index, against what was measured before it. One series alone, or all as one call.
 */
#ifndef MODEL_VERDICT_JUDGE_SERIES_H
#define MODEL_VERDICT_JUDGE_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/changepoint/measured_series.h"
#include "model/verdict/judge.h"

struct judge_table {
	bool has_base;
	long long base;    /* last index of the record; without, the last index is the candidate */
	double pool_noise; /* of sister series, relative; NAN: none */
};

/* A series, taken apart: the record, the candidate, what was measured of it afterwards. */
struct judged_series {
	const struct measured_series *series;
	struct judge_result first, second;
	bool has_second;
	double q, q_faster; /* NAN unless judged together */
	const char *verdict;
};

/* ERR_USAGE when the series has no row after the base. */
int judge_series(struct arena *arena, const struct judge_table *asked,
		 const struct measured_series *series, struct judged_series *out,
		 struct error *err);
/* Decides again with a share `q` of false alarms among what looks slower in all of them. */
void judge_series_together(struct arena *arena, struct judged_series *cases, size_t count,
			   double q);

#endif
