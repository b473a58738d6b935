/*
 * Judges the series of a table, without a store: the last measurement, or those after an index, by
 * the earlier ones. Each series alone, or all as one call.
 */
#pragma once

#include "base/base.h"
#include "model/changepoint/changepoint.h"
#include "model/verdict/judge.h"

struct judge_table {
	bool has_base;
	long long base;    /* last index of the history; without it the last index is the
			    * candidate */
	double pool_noise; /* of similar series, relative; NAN: none */
};

/* One series of the table: the judgement of its candidate, and of all later measurements as a
 * second one. */
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
/* Decides again, with a share `q` of false alarms among everything that looks slower. */
void judge_series_together(struct arena *arena, struct judged_series *cases, size_t count,
			   double q);
