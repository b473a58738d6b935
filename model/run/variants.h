/*
 * Runs of one kernel that do the same work, side by side: what differs is one dimension (the
 * variant, the device, the dtype, the tool or one parameter); everything else of their identity is
 * the same. Within each configuration every run's speed-up is t(reference) / t(run): above 1 it is
 * faster. Tools have none: they tell of the same work, and what counts is whether they agree.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "model/run/run.h"

struct compare_row {
	size_t run;        /* index of the run that was given */
	const char *value; /* of the dimension: "nkilib" */
	double time;       /* s; NAN unknown */
	double speedup; /* against the reference; NAN where either time is unknown, of another basis
			 * or of a wrong result, and between tools */
};

/* One configuration: the same work by at least two values of the dimension. */
struct compare_group {
	const char *name;         /* "mlp s=128": what tells it from the other configurations */
	struct compare_row *rows; /* the reference first, then by value */
	size_t count;
};

/* The geometric mean of the speed-ups of one value over the configurations that have both. */
struct compare_mean {
	const char *value;
	double speedup;
	size_t configurations;
};

struct compare {
	const char *by;        /* "variant", "dtype", "device", "tool", or a parameter's name */
	const char *common;    /* "bf16, b=1": what all configurations share; "" nothing */
	const char *reference; /* the value that the others are compared with; NULL: no groups */
	struct compare_group *groups;
	size_t group_count;
	struct compare_mean *means; /* the reference left out */
	size_t mean_count;
	size_t alone; /* configurations with one value only, or without the reference */
};

/* A metric that two runs both know, but not alike. */
struct compare_difference {
	enum metric metric;
	double reference, number;
	double relative; /* number / reference - 1; NAN where the reference is 0 */
};

/* What two runs say of the same things: metrics of every role, given and derived. */
struct compare_agreement {
	size_t common, equal; /* metrics that both know; those whose numbers are the same */
	struct compare_difference *differences; /* in the order of metric.def */
	size_t difference_count;
	enum metric only_reference[METRIC_COUNT], only_other[METRIC_COUNT];
	size_t only_reference_count, only_other_count;
};

struct compare_agreement variants_agreement_of(struct arena *arena, const struct run *reference,
					       const struct run *run);

/* The run's value of the dimension; NULL when it has none. */
const char *variants_value(const struct run *run, const char *by);
/* Whether speed-ups mean anything along the dimension. */
bool variants_have_speedups(const char *by);

/* `runs` are of one kernel, at most one for each series. `reference` NULL: the value that occurs in
 * most configurations, of equals the slowest on geometric average over shared ones; simply the
 * first by name where that does not decide. */
struct compare variants_of(struct arena *arena, const struct run *const *runs, size_t count,
			   const char *by, const char *reference);
