/*
 * Runs in which one size varies, as lines of (size, time): runs that differ only in that parameter
 * form a line. Drawn by the latency chart, and the input for choosing buckets.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

struct sweep_point {
	double x, seconds;
	double fastest, slowest; /* of the repeats and of the runs that share the point */
};

struct sweep_line {
	const char *name;           /* what distinguishes it from the other lines: "matmul K=512" */
	const struct run *run;      /* one of its runs */
	enum metric time;           /* time metric of all its runs */
	struct sweep_point *points; /* sorted by x, each x once */
	size_t count;
};

struct sweep {
	const char *x;            /* the parameter */
	const char *common;       /* what all lines share: "fp16, inf2, K=128"; "" for nothing */
	struct sweep_line *lines; /* sorted by kernel, variant and parameters */
	size_t count;
	size_t skipped; /* runs without a time, or without a positive number as x */
};

/* `x` NULL: the parameter that varies, which must be the only one with numeric values. If several
 * runs share a point of a line, their median time counts, for an even number the faster of the
 * middle two. ERR_USAGE with a sentence if x cannot be determined, or no run has it. */
int sweep_of(struct arena *arena, const struct run *const *runs, size_t count, const char *x,
	     struct sweep *sweep, struct error *err);

/* The parameter as a size; NAN if the run has none, or not a positive number. */
double sweep_size(const struct run *run, const char *param);
/* A copy of the run without the parameter. */
struct run *sweep_without(struct arena *arena, const struct run *run, const char *param);
/* Equal for runs that may lie on one line: `rest` is the run without its sizes. */
const char *sweep_key(struct arena *arena, const struct run *rest);
