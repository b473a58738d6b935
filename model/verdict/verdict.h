/*
 * The verdict on one series and one metric: the candidate's values judged by the history of the
 * series (model/verdict/judge.h), by a limit, or exactly.
 *
 * Times and ratios are judged by their history. Counters that are identical in every repeat are
 * compared exactly: the same program on the same input counts the same, so any difference is a
 * change of the program.
 */
#pragma once

#include "base/base.h"
#include "model/verdict/judge.h"
#include "model/run/run.h"
#include "model/message/message.h"

struct policy;

/* Worst first: comparisons are sorted by this order. */
enum verdict {
	VERDICT_REGRESSED,
	VERDICT_FAILED,       /* beyond a limit of an absolute gate */
	VERDICT_DRIFT,        /* drift: worse than the pinned release or the best period, in small
			       * steps */
	VERDICT_IMPOSSIBLE,   /* a time that no hardware can reach */
	VERDICT_MISSING,      /* the baseline has the series, the candidate does not */
	VERDICT_INCOMPARABLE, /* only series of another device, tool ... exist */
	VERDICT_SUSPECT,      /* looks worse; another measurement decides */
	VERDICT_UNPROVEN,     /* far faster than all that was measured; another measurement
			       * decides */
	VERDICT_ENVIRONMENT,  /* worse along with many others, or since the compiler, driver ...
			       * changed */
	VERDICT_UNDECIDED,
	VERDICT_NO_BASELINE, /* nothing to compare with */
	VERDICT_STALE,
	VERDICT_NEW,      /* this series starts here while others have a baseline */
	VERDICT_ACCEPTED, /* would be one of the above, but is accepted */
	VERDICT_IMPROVED,
	VERDICT_UNCHANGED,
	VERDICT_HELD, /* within the limit of an absolute gate */
	VERDICT_LIMIT
};

const char *verdict_name(enum verdict verdict);
/* As a value of a message: its words in the language of the text. `is_speed` means that the metric
 * is a time or a rate. */
#define verdict_value(verdict, is_speed)                                                           \
	message_value(VERDICT, .number = (verdict), .after = (is_speed))
/* A mark that needs no color: "▲" worse, "▼" better, "~" undecided, "=" unchanged ... */
const char *verdict_mark(enum verdict verdict);
/* The verdict with this name; VERDICT_LIMIT if there is none. */
enum verdict verdict_find(struct span name);

enum verdict_method {
	METHOD_NONE,         /* nothing to judge */
	METHOD_BASELINE,     /* by the history's noise */
	METHOD_EXACT,        /* value against value */
	METHOD_LIMIT,        /* by the rule's limit */
	METHOD_CHANGE_POINT, /* by a change point within the history */
};
const char *verdict_method_name(enum verdict_method method);

/* The judge expects that smaller is better. How values for which larger is better are turned for
 * it. */
enum verdict_turn { TURN_NONE, TURN_INVERSE, TURN_NEGATIVE /* if a value is not positive */ };
double verdict_turned(enum verdict_turn turn, double value); /* and back */
enum verdict_turn verdict_turn_of(enum metric_direction direction, const double *values,
				  size_t count);

struct judgement {
	enum verdict verdict;
	enum verdict_method method;
	double baseline; /* what the candidate is compared with: the history's mean, the baseline's
			  * value, or the limit */
	double candidate;
	double change; /* signed, relative to the baseline's size; NAN if that is 0 */
	const struct message *reason;
	size_t no_better; /* commits of the history as bad as a candidate that is believed all the
			   * same
			   */
	struct judge_result result; /* METHOD_BASELINE: of turned values */
	enum verdict_turn turn;
	double q; /* p adjusted for all comparisons of the call (Benjamini-Hochberg); NAN: none */
	double q_faster;
};

/* Whether the noise of the history decided: the result has the judge's numbers. */
bool verdict_is_by_history(const struct judgement *judged);
/* What a verdict is called: itself, or VERDICT_WORDS_CLEAR for a suspect that noise explains in
 * less than one of a million cases. It is slower, although a second measurement has yet to confirm
 * it. */
enum { VERDICT_WORDS_CLEAR = VERDICT_LIMIT, VERDICT_WORDS_LIMIT };
int verdict_words(const struct judgement *judged);

struct verdict_values {
	const double *values;
	size_t count;
};

/* The tolerance, relative to the mean: "unchanged" means not worse by more. At least the rule's own
 * limit, because a change within that limit does not count anyway. */
double verdict_tolerated(const struct policy *policy, double level);
/* Whether another measurement may decide what the history left undecided. */
bool verdict_may_remeasure(const struct judge_result *result);
const struct message *verdict_unchanged_message(struct arena *arena, const struct policy *policy,
						enum metric metric, double level);
/* Noise between commits, relative, of a short history of which nothing is known. */
extern const double verdict_assumed_noise;
/* Noise between commits, relative. */
struct verdict_noise {
	double of_all; /* noise_measure() of the history's logs; NAN: not measured yet */
	double lent;   /* of similar series, or from the configuration; NAN: unknown */
};
/* Judges by the history: one value per commit, oldest first. */
struct judgement verdict_by_history(struct arena *arena, const struct policy *policy,
				    enum metric metric, struct verdict_values history,
				    struct verdict_noise noise, struct verdict_values candidate);
/* Compares the baseline's value with the candidate's exactly; each is identical in all repeats. */
struct judgement verdict_exact(struct arena *arena, const struct policy *policy, enum metric metric,
			       double baseline, double candidate);
/* Judges by an absolute limit. `noise`: of one measurement, relative; if NAN, the bare values are
 * compared. */
struct judgement verdict_by_limit(struct arena *arena, const struct policy *policy,
				  enum metric metric, double noise,
				  struct verdict_values candidate);
