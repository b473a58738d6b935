/*
 * Runs in which one size varies, as lines of (size, time): runs that differ in that parameter
 * alone lie on one line. What the latency chart draws and what buckets are chosen from.
 */
#pragma once

#include <stddef.h>

#include "base/base.h"
#include "model/run/run.h"

struct sweep_point {
	double x, seconds;
};

struct sweep_line {
	const char *name;           /* what tells it from the other lines: "matmul K=512" */
	const struct run *run;      /* one of its runs */
	enum metric time;           /* the time metric of all its runs */
	struct sweep_point *points; /* by x, each x once */
	size_t count;
};

struct sweep {
	const char *x;            /* the parameter */
	const char *common;       /* what all lines share: "fp16, inf2, K=128"; "" nothing */
	struct sweep_line *lines; /* by kernel, variant and parameters */
	size_t count;
	size_t skipped; /* runs without a time, or without a positive number as x */
};

/* `x` NULL: the parameter that varies, which must be the only one with numbers as values. Of runs
 * with one place on one line the median time counts, of an even number the faster of the middle
 * two. ERR_USAGE with a sentence when x is not to be found, or no run has it. */
int sweep_of(struct arena *arena, const struct run *const *runs, size_t count, const char *x,
	     struct sweep *sweep, struct error *err);
