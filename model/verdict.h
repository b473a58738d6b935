/*
 * The judge: values of a baseline and of a candidate in, a verdict out. Everything
 * that decides stands behind verdict_of(), so that a better judge replaces one
 * function.
 *
 * This judge compares medians with limits: worse by more than the relative and the
 * absolute limit is a regression. Repeats are used for doubt only: when the ranges
 * of both sides overlap, a difference beyond the limits is undecided.
 */
#ifndef MODEL_VERDICT_H
#define MODEL_VERDICT_H

#include <stddef.h>

#include "base/arena.h"
#include "model/metric.h"

enum verdict {
	VERDICT_REGRESSED,
	VERDICT_MISSING,      /* the baseline has the series, the candidate has not */
	VERDICT_INCOMPARABLE, /* only series of another device, tool ... exist */
	VERDICT_UNDECIDED,
	VERDICT_NO_BASELINE, /* nothing to compare with */
	VERDICT_NEW,         /* this series starts here while others have a baseline */
	VERDICT_STALE,
	VERDICT_IMPROVED,
	VERDICT_UNCHANGED,
	VERDICT_LIMIT
};

const char *verdict_name(enum verdict verdict);
/* A mark that reads without colour: "▲" worse, "▼" better, "~" undecided, "=" unchanged ... */
const char *verdict_mark(enum verdict verdict);

struct limits {
	double relative; /* fraction of the baseline */
	double absolute; /* in the metric's unit; both must be exceeded */
};

struct judgement {
	enum verdict verdict;
	double baseline, candidate; /* medians */
	double change;              /* candidate / baseline - 1; NAN when the baseline is 0 */
	const char *reason;         /* one sentence */
};

double median_of(const double *values, size_t count);

struct judgement verdict_of(struct arena *arena, enum metric metric, const struct limits *limits,
			    const double *baseline, size_t baseline_count, const double *candidate,
			    size_t candidate_count);

#endif
