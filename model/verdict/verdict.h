/*
 * The verdict about one series and one metric: the candidate's values against the
 * record of its series (model/verdict/judge.h), against a limit, or exactly.
 *
 * Times and ratios are judged by their record. Counters that are the same in
 * every repeat are compared exactly: the same program on the same input counts
 * the same, so any difference is a change of the program.
 */
#pragma once

#include <stddef.h>

#include "base/base.h"
#include "model/verdict/judge.h"
#include "model/run/run.h"
#include "model/message/message.h"

struct policy;

/* Worst first. */
enum verdict {
	VERDICT_REGRESSED,
	VERDICT_FAILED,  /* beyond a limit of an absolute gate */
	VERDICT_CREEP,   /* worse than the pinned release, or the best on record, in small steps
			  */
	VERDICT_MISSING, /* the baseline has the series, the candidate has not */
	VERDICT_INCOMPARABLE, /* only series of another device, tool ... exist */
	VERDICT_SUSPECT,      /* looks worse; another measurement decides */
	VERDICT_ENVIRONMENT,  /* worse as many others, or since the compiler, driver ... changed */
	VERDICT_UNDECIDED,
	VERDICT_NO_BASELINE, /* nothing to compare with */
	VERDICT_STALE,
	VERDICT_NEW,      /* this series starts here while others have a baseline */
	VERDICT_ACCEPTED, /* would be one of the above, but people accepted it */
	VERDICT_IMPROVED,
	VERDICT_UNCHANGED,
	VERDICT_HELD, /* within the limit of an absolute gate */
	VERDICT_LIMIT
};

const char *verdict_name(enum verdict verdict);
/* A mark that reads without colour: "▲" worse, "▼" better, "~" undecided, "=" unchanged ... */
const char *verdict_mark(enum verdict verdict);
/* The verdict of this name; VERDICT_LIMIT when there is none. */
enum verdict verdict_find(struct span name);

enum verdict_method {
	METHOD_NONE,    /* there was nothing to judge */
	METHOD_RECORD,  /* by the record's noise */
	METHOD_EXACT,   /* value against value */
	METHOD_LIMIT,   /* against the row's limit */
	METHOD_HISTORY, /* a change of level within the history */
};
const char *verdict_method_name(enum verdict_method method);

/* Fewer is better for those who judge; how values of which more is better are turned over. */
enum verdict_turn { TURN_NONE, TURN_INVERSE, TURN_NEGATIVE /* where not all are above 0 */ };
double verdict_turned(enum verdict_turn turn, double value); /* and back */
enum verdict_turn verdict_turn_of(enum metric_direction direction, const double *values,
				  size_t count);

struct judgement {
	enum verdict verdict;
	enum verdict_method method;
	double baseline; /* what the candidate is compared with: the level of the record, the
			  * baseline's value, or the limit */
	double candidate;
	double change; /* relative to the baseline's size; NAN when that is 0 */
	const struct message *reason;
	struct judge_result record; /* METHOD_RECORD: of turned values */
	enum verdict_turn turn;
	double q; /* p among all of the call (Benjamini-Hochberg); NAN none */
	double q_faster;
};

struct verdict_values {
	const double *values;
	size_t count;
};

/* "Unchanged" promises that it is not worse by more, relative to the level. What the row lets
 * through is no more in doubt than that. */
double verdict_tolerated(const struct policy *policy, double level);
const struct message *verdict_unchanged_message(struct arena *arena, const struct policy *policy,
						enum metric metric, double level);
/* Noise between commits. */
struct verdict_noise {
	double of_all; /* noise_measure() of the record's logs; NAN: not measured yet */
	double lent;   /* of sister series or given, relative; NAN: unknown */
};
/* Judged by the record, one value a commit, oldest first. */
struct judgement verdict_by_record(struct arena *arena, const struct policy *policy,
				   enum metric metric, struct verdict_values record,
				   struct verdict_noise noise, struct verdict_values candidate);
/* The baseline's value against the candidate's; each is the same in all repeats. */
struct judgement verdict_exact(struct arena *arena, const struct policy *policy, enum metric metric,
			       double baseline, double candidate);
/* An absolute gate. `noise`: of one measurement, relative; NAN where it is unknown: then the
 * bare values are compared. */
struct judgement verdict_by_limit(struct arena *arena, const struct policy *policy,
				  enum metric metric, double noise,
				  struct verdict_values candidate);
