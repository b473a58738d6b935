/*
 * The gate: policies applied to series, one comparison per series and policy, and
 * one exit status out of all of them. Which runs are compared is the caller's
 * business; here they are judged, counted and ranked.
 */
#ifndef MODEL_GATE_H
#define MODEL_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/revision.h"
#include "model/run.h"
#include "model/verdict.h"

/* A row of the configuration: [gate "name"] metric, kernel (glob), relative, absolute,
 * stale-after. */
struct policy {
	const char *name;
	const char *kernel;
	enum metric metric;
	bool own_headline; /* judge the run's time, or its rate, instead (run_headline) */
	struct limits limits;
	double stale_days; /* a baseline commit older than the candidate by more is stale; 0: never
			    */
};

struct policy_list {
	struct policy *items;
	size_t count;
	size_t capacity;
};

/* Without configuration: the time of each run may grow by 5 %, its rate fall where that is all. */
extern const struct policy default_policy;

/* One series with its runs on both sides; either may be empty. All runs are derived. */
struct gate_series {
	const char *key;
	struct run_list candidate;
	struct run_list baseline;
	const struct revision *baseline_revision; /* NULL without baseline */
	int64_t baseline_age;                     /* first-parent steps; -1 unknown */
	const char *incomparable; /* what differs from the nearest other series, or NULL */
};

struct gate_series_list {
	struct gate_series *items;
	size_t count;
	size_t capacity;
};

struct comparison {
	const struct gate_series *series;
	const struct run *run; /* names the series: candidate, else baseline */
	const struct policy *policy;
	enum metric metric; /* that was judged */
	struct judgement judged;
};

struct gate {
	const char *against; /* "nearest ancestor with data", "baseline v1.2" ... */
	struct revision candidate;
	bool dirty; /* the candidate's runs are those of a work tree with uncommitted changes */
	struct comparison *comparisons; /* worst first */
	size_t count;
	size_t series;                /* series looked at */
	size_t counts[VERDICT_LIMIT]; /* comparisons by verdict */
	size_t judged;                /* regressed + improved + unchanged + undecided */
	int exit_status;              /* of the table in docs/rooflog.1.md */
	const char *verdict;          /* "pass", "regression", "undecided" ... */
	const char *reason;           /* one sentence with the denominators */
	const struct policy **idle;   /* rows that fit no series at all: a typing mistake? */
	size_t idle_count;
};

/* What a verdict other than regressed does to the exit status: its own status by default. */
struct gate_treatment {
	bool pass[VERDICT_LIMIT];
	bool fail[VERDICT_LIMIT]; /* counts as a regression */
};

void gate_judge(struct arena *arena, const struct gate_series_list *series,
		const struct policy_list *policies, const struct gate_treatment *treatment,
		struct gate *gate);

#endif
