/*
 * Compares runs of one kernel that do the same work. They differ in one dimension (the variant, the
 * device, the dtype, the tool or one parameter); the rest of their identity is equal. Within each
 * configuration a run's speed-up is t(reference) / t(run): above 1 it is faster. Tools have no
 * speed-ups: they measure the same work, so what matters is whether they agree.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

struct compare_row {
	size_t run;        /* index into the given runs */
	const char *value; /* value of the dimension: "nkilib" */
	double time;       /* s; NAN unknown */
	double speedup;    /* vs. the reference; NAN if either time is unknown, has another basis or
			    * belongs to a wrong result, and between tools */
};

/* One configuration: the same work with at least two values of the dimension. */
struct compare_group {
	const char *name;         /* "mlp s=128": what distinguishes it from the other
				   * configurations */
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
	struct compare_mean *means; /* one per value except the reference */
	size_t mean_count;
	size_t alone; /* configurations with a single value, or without the reference */
};

/* A metric that both runs have, with different numbers. */
struct compare_difference {
	enum metric metric;
	double reference, number;
	double relative; /* number / reference - 1; NAN where the reference is 0 */
};

/* Agreement of two runs on the same work: metrics of every role, given and derived. */
struct compare_agreement {
	size_t common, equal; /* metrics that both have, and how many of these are equal */
	struct compare_difference *differences; /* in the order of metric.def */
	size_t difference_count;
	enum metric only_reference[METRIC_COUNT], only_other[METRIC_COUNT];
	size_t only_reference_count, only_other_count;
};

struct compare_agreement variants_agreement_of(struct arena *arena, const struct run *reference,
					       const struct run *run);

/* The run's value of the dimension; NULL if it has none. */
const char *variants_value(const struct run *run, const char *by);
/* Whether speed-ups are meaningful along the dimension. */
bool variants_have_speedups(const char *by);

/* `runs` are of one kernel, at most one per series. `reference` NULL chooses one: the value in most
 * configurations; among equals the slowest by the geometric mean over shared configurations; if
 * that does not decide, the first by name. */
struct compare variants_of(struct arena *arena, const struct run *const *runs, size_t count,
			   const char *by, const char *reference);
