/*
 * A policy is one rule of the gate's configuration ([rule "name"]): which series it matches and
 * what it demands of them. Also the settings that all rules share ([gate]).
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"
#include "model/verdict/verdict.h"
#include "model/message/message.h"

/* Context rules are judged and shown; they never decide. */
enum policy_role { POLICY_PRIMARY, POLICY_CONTEXT };

/* Parameters that a refining rule sets. */
enum policy_parameter {
	POLICY_RELATIVE = 1,
	POLICY_TOLERANCE = 2,
	POLICY_ALPHA = 4,
	POLICY_NOISE = 8,
};

/* A change counts if it is beyond both limits. */
struct limits {
	double relative; /* fraction of the baseline; NAN: 1 % of noisy metrics, 0 of counters */
	double absolute; /* in the metric's unit */
};

/* The verdicts that fail a gate. */
struct policy_fail_on {
	unsigned verdicts; /* a bit, 1 << enum verdict, each */
	bool given;        /* by the user: false is the default list */
	bool usual;        /* the default list as well */
	bool overrides;    /* the lists of rules */
	bool waits;        /* what is suspect or undecided is seen again, and fails later */
};

struct policy {
	const char *name;
	const char *kernel, *variant, *device; /* patterns; NULL: any */
	enum metric metric;
	bool own_headline; /* judge the run's time, or its rate, instead (run_headline) */
	enum metric_direction direction;
	bool own_direction; /* the metric's, not `direction` */
	enum policy_role role;

	/* Judged by the history. */
	struct limits limits;
	double tolerance;  /* "unchanged" means not worse by more than this, relative */
	double alpha;      /* of one regression, one-sided, before correction for the whole call */
	double noise;      /* between commits, relative, for short histories; NAN: unknown */
	size_t least_runs; /* of the candidate; fewer are undecided */
	bool confirm;      /* a slowdown is measured again before it is a regression */

	/* An absolute limit, which needs no history. NAN: none. */
	double at_least, at_most;

	double stale_days; /* days; a baseline commit older than the candidate by more is stale; 0:
			    * never */
	struct policy_fail_on fail_on; /* of its series; not given: the gate's */

	/* Name of the rule that this one refines: it judges nothing itself, and gives that rule
	 * other parameters for the series that both match. NULL: this rule judges. */
	const char *refines;
	unsigned given; /* set by a refining rule: bits of enum policy_parameter */
};

struct policy_list {
	struct policy *items;
	size_t count;
	size_t capacity;
};

struct gate_settings {
	double false_discovery; /* share of false regressions among those of one call
				 * (Benjamini-Hochberg) */
	double together;        /* share of judged series above which a common shift is the
				 * environment's */
	size_t window;          /* measured commits that --against window looks back */
	double stale_days;      /* days after its last measurement in which a series is reported
				 * missing */
	bool drift;             /* also compare with the pinned release and the best period */
	const char *rerun;      /* command that measures a series again; NULL: none */
	struct policy_fail_on fail_on;
};

/* Used without configuration: the run's time, judged by its history. */
extern const struct policy default_policy;
extern const struct gate_settings default_settings;

/* The smallest change that counts, in the metric's unit. `exact`: the metric is a counter that is
 * compared exactly. */
double policy_limit(const struct policy *policy, double baseline, bool exact);
bool policy_is_absolute(const struct policy *policy);
/* The demand of the rule in words: "worse by 1 % or more", "at least 30 %". */
const struct message *policy_message(struct arena *arena, const struct policy *policy);
bool policy_fits(const struct policy *policy, const struct run *run);
/* The rule with the parameters of those that refine it and match the run; if several set a
 * parameter, the last one wins. The rule itself if none refines it. */
const struct policy *policy_refined(struct arena *arena, const struct policy_list *policies,
				    const struct policy *policy, const struct run *run);
/* The metric that the rule judges for this run. */
enum metric policy_metric(const struct policy *policy, const struct run *run);
enum metric_direction policy_direction(const struct policy *policy, enum metric metric);
/* Which way of a metric is better for a run: by the first primary rule that judges it, else by the
 * first context rule, else the metric's own direction. */
enum metric_direction policy_list_direction(const struct policy_list *policies,
					    const struct run *run, enum metric metric);
