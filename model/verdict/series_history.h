/*
 * The history of series along one first-parent chain: every measured run, commit by commit. The
 * store fills it (store_histories()); history_points() reduces the runs of a commit to one value.
 *
 * Never add several series judged at once, configuration files, or words.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"
#include "model/commits/commits.h"

struct run;

/* A run that may serve as history: measured on a clean work tree, without a result known to be
 * wrong. */
struct history_run {
	int64_t row;     /* the store's number, growing with ingest order */
	uint32_t commit; /* index into the chain: first-parent steps from its first commit */
	bool unproven;   /* its time is a leap that nothing else confirms (history_is_leap()) */
};

/* One series on the chain. */
struct history {
	const char *series;         /* run_series_key() */
	const struct run *identity; /* kernel, variant, params, dtype, device ...; may lack
				     * numbers */
	struct history_run *runs;   /* oldest commit first, then in ingest order */
	size_t run_count;
	/* values[metric * run_count + run], metric as in history_set.metrics; NAN unknown. */
	const double *values;
};

struct history_set {
	struct revision *chain; /* newest first; [0] is the commit that was asked for */
	size_t chain_count;
	bool truncated; /* the chain ends before the root, at a commit whose parent is not stored */
	const enum metric *metrics;
	size_t metric_count;
	struct history *items; /* sorted by series key */
	size_t count;
	size_t out_of_bounds; /* values that no run can have, which an older program stored; they
				 count as unknown */
};

/* The value of one metric at one commit: the location of its runs (noise_location()). */
struct history_point {
	uint32_t commit; /* index into the chain */
	uint32_t runs : 31;
	bool unproven : 1; /* so are the times of all its runs */
	double value;      /* finite; of its proven runs if there are any */
};
struct history_points {
	struct history_point *items; /* oldest first */
	size_t count;
};

/* The commits of the chain from index `newest` on (0: all) that have a finite value of the metric
 * (an index into history_set.metrics), at most the `most` newest ones (0: all). In the arena. */
struct history_points history_points(struct arena *arena, const struct history *history,
				     size_t metric, uint32_t newest, size_t most);
/* The point of the runs from index `start` to `end`, which are all of one commit. They have a
 * finite value. */
struct history_point history_point_of(const struct history *history, size_t metric, size_t start,
				      size_t end);
/* --- times that leap: they are below half of all that was measured before --- */

/* Whether two times confirm each other: neither is more than twice the other. */
bool history_confirms(double a, double b);
/* False if no point of the history can be a leap, which is far cheaper to see than which are. */
bool history_may_leap(const struct history *history, size_t metric);
/* Whether a time at point `at` is a leap that no later point confirms; `best` is the least value of
 * the proven points before it, HUGE_VAL without any. */
bool history_is_leap(const struct history_points *points, size_t at, double best, double time);
/* The least value that is not unproven; HUGE_VAL: none. */
double history_best_proven(const struct history_points *points);
/* Takes the unproven points out; returns them. */
struct history_points history_take_unproven(struct arena *arena, struct history_points *points);

/* NULL when the set has no such series. */
const struct history *history_find(const struct history_set *set, const char *series);
