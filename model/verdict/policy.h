/*
 * What a gate asks of a series: one row of the configuration ([gate "name"]), and
 * the settings that all rows share ([gate]).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "model/run/run.h"
#include "model/verdict/verdict.h"
#include "model/message/message.h"

/* Context rows are judged and shown; they never decide. */
enum policy_role { POLICY_PRIMARY, POLICY_CONTEXT };
/* What a verdict other than a regression does to the exit status. */
enum treatment { TREAT_DEFAULT, TREAT_PASS, TREAT_FAIL };

/* What a row that refines another one gives. */
enum policy_parameter {
	POLICY_RELATIVE = 1,
	POLICY_TOLERANCE = 2,
	POLICY_ALPHA = 4,
	POLICY_NOISE = 8,
};

/* A change counts when it is beyond both. */
struct limits {
	double relative; /* fraction of the baseline; NAN: 1 % of what is noisy, 0 of a counter */
	double absolute; /* in the metric's unit */
};

struct policy {
	const char *name;
	const char *kernel, *variant, *device; /* patterns; NULL: any */
	enum metric metric;
	bool own_headline; /* judge the run's time, or its rate, instead (run_headline) */
	enum metric_direction direction;
	bool own_direction; /* the metric's, not `direction` */
	enum policy_role role;

	/* Against the record. */
	struct limits limits;
	double tolerance;  /* "unchanged" promises that it is not worse by more than this */
	double alpha;      /* of one regression, one-sided, before all of the call are looked at */
	double noise;      /* between commits, relative, where the record is short; NAN: unknown */
	size_t least_runs; /* of the candidate; fewer are undecided */
	bool confirm;      /* what looks bad is measured again before it is a regression */

	/* An absolute gate, which needs no record. NAN: none. */
	double at_least, at_most;

	double stale_days; /* a baseline commit older than the candidate by more is stale; 0: never
			    */
	enum treatment treat[VERDICT_LIMIT];

	/* The name of another row. This one judges nothing then: it gives that one parameters for
	 * the series that both fit. NULL: it judges. */
	const char *refines;
	unsigned given; /* by a row that refines: enum policy_parameter */
};

struct policy_list {
	struct policy *items;
	size_t count;
	size_t capacity;
};

struct gate_settings {
	double false_discovery; /* share of false regressions among those of one call
				 * (Benjamini-Hochberg) */
	double together;        /* share of the judged that move alike: the environment's doing */
	size_t window;          /* commits with data that --against window looks back */
	double stale_days;      /* a series that was seen in the last so many days is missed */
	bool creep;             /* also compare with the pinned release and the best on record */
	const char *rerun;      /* the command that measures a series again; NULL: none */
};

/* Without configuration: the run's time, by its record. */
extern const struct policy default_policy;
extern const struct gate_settings default_settings;

/* The size of a change, in the metric's unit, from which on it counts. */
double policy_limit(const struct policy *policy, double baseline, bool exact);
bool policy_is_absolute(const struct policy *policy);
/* What the row asks for: "worse by 1 % or more", "at least 30 %". */
const struct message *policy_message(struct arena *arena, const struct policy *policy);
bool policy_fits(const struct policy *policy, const struct run *run);
/* The row with the parameters of those that refine it and fit the run: of several the last one that
 * gives the parameter. The row itself where there is none. */
const struct policy *policy_refined(struct arena *arena, const struct policy_list *policies,
				    const struct policy *policy, const struct run *run);
/* The metric that the row judges for this run. */
enum metric policy_metric(const struct policy *policy, const struct run *run);
enum metric_direction policy_direction(const struct policy *policy, enum metric metric);
/* Which way of a metric is better for a run by the first row that judges it, one that decides
 * before one of context; the metric's own way where none does. */
enum metric_direction policy_list_direction(const struct policy_list *policies,
					    const struct run *run, enum metric metric);
