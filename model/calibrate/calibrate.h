/*
 * Calibration: replays the gate at every commit of the history, and chooses the limits that keep
 * its false alarms at a wanted rate.
 *
 * The detector cuts the history into segments. Nothing changed within a segment, so whatever the
 * gate flags there is a false alarm. Every measured commit is one call of the gate: its series are
 * judged by their histories before it, including all steps that look at the whole call (false
 * discoveries, the environment). Not replayed: second measurements, a changed compiler, drift,
 * absolute limits, and counters, which are compared exactly and have no noise.
 *
 * Skipped are commits whose answer the gate could not have known: the first ones of a segment until
 * its change is confirmed, and the newest, which may begin another segment.
 *
 * Never add configuration files or words.
 */
#pragma once

#include "base/base.h"
#include "model/message/message.h"
#include "model/verdict/series_history.h"
#include "model/verdict/verdicts.h"

/* Shape of the values within a segment; the first shape that applies. */
enum calibrate_shape {
	SHAPE_UNKNOWN,   /* too few commits */
	SHAPE_CONSTANT,  /* more than half of the commits are the same number */
	SHAPE_MODES,     /* jumps between two modes */
	SHAPE_OUTLIERS,  /* some values are far off */
	SHAPE_FOLLOWING, /* each value is like the one before (autocorrelated) */
	SHAPE_PLAIN,
	SHAPE_LIMIT
};

/* Counts of verdicts in one replay. */
struct calibrate_tally {
	size_t judged;      /* commits whose history was sufficient to decide */
	size_t flagged;     /* looked worse: false alarms, without a second measurement */
	size_t undecided;   /* of those judged */
	size_t environment; /* looked worse along with many others */
};

/* The figures of one replayed commit, from which its verdict under other limits follows. */
struct calibrate_trial {
	uint32_t commit;  /* index in the chain */
	bool passes;      /* passes all conditions except p and effect, and is not the
			   * environment's */
	bool worse;       /* the difference is for the worse */
	float df;         /* of the test */
	double p;         /* probability that noise alone makes it this much worse */
	double q;         /* p of its direction, adjusted for the whole call */
	double step;      /* distance from the mean: of logarithms, or relative */
	double error;     /* its standard error */
	double exceeded;  /* a step must exceed this to be larger than nearly all of the history */
	double ruled_out; /* as a step */
	bool environment; /* was the environment's under the current limits */
	bool older;       /* the previous commit looked as bad under the current limits */
};

/* One series under one rule. */
struct calibrate_series {
	const struct history *history;
	const struct policy *row; /* as configured, without refining rules */
	const struct policy *now; /* with it */
	enum metric metric;
	bool over;                    /* larger is better: steps are those of 1 / value */
	struct history_points points; /* of the whole chain */
	const size_t *starts;         /* first point of each segment */
	size_t levels;
	double noise;  /* between commits, within segments, relative; NAN: too few */
	double pooled; /* of similar series; NAN: unknown */
	enum calibrate_shape shape;
	double correlation; /* of each commit with the one before; 0 to 1 for plain shapes */
	size_t outliers;    /* commits more than five deviations away */
	double gap, share;  /* SHAPE_MODES: distance of the modes, relative; share of commits in the
			     * upper one */
	double within;      /* noise between sessions of one commit, relative; NAN: unknown */
	size_t sessions;    /* commits with several sessions */
	struct calibrate_trial *trials;
	size_t trial_count;
	size_t call_size;                 /* comparisons in the call of its newest commit */
	size_t missing;                   /* commits needed until the noise is known; 0: it is */
	struct calibrate_tally before;    /* under the current limits */
	struct calibrate_tally after;     /* under the chosen limits */
	double shown_before, shown_after; /* smallest slowdown detected with 80 % power, relative */
	size_t group;                     /* SIZE_MAX: none */
};

/* The evidence that a limit keeps its share of false alarms. */
enum calibrate_evidence {
	EVIDENCE_OWN,     /* its own commits */
	EVIDENCE_SIMILAR, /* commits of series of the same shape; its own do not contradict */
	EVIDENCE_MODEL,   /* too few commits: only the formula */
	EVIDENCE_UNKNOWN, /* unknown noise: the limits are the rule's */
	EVIDENCE_NONE     /* no limit that was tried keeps it: the limits are the rule's */
};

/* All series of one kernel pattern under one rule share one set of limits. */
struct calibrate_group {
	const char *kernel; /* the pattern */
	const struct policy *row;
	size_t series;
	size_t commits;             /* of the series with the most commits */
	enum calibrate_shape shape; /* the worst shape among its series */
	double noise;               /* median over its series; NAN: unknown */
	struct calibrate_tally before, after;
	struct policy limits; /* the rule with the chosen limits */
	enum calibrate_evidence evidence;
	double tolerable; /* tolerance at which nine of ten quiet commits are unchanged; NAN:
			   * unknown */
	size_t needed;    /* judged commits needed until its own commits can prove the share */
	double shown_before, shown_after; /* median over its series; NAN: unknown */
};

struct calibration {
	/* Given. */
	const struct history_set *set;
	const struct policy_list *policies;
	const struct gate_settings *settings;
	const char *const *patterns; /* of kernels; without any, each kernel is a pattern */
	size_t pattern_count;
	double target; /* wanted false alarms per call of the gate */
	/* Found. */
	struct calibrate_series *series;
	size_t count;
	struct calibrate_group *groups;
	size_t group_count;
	size_t exact;         /* comparisons of counters, which have no noise */
	size_t absolute;      /* comparisons with limits of absolute gates */
	size_t calls;         /* commits that were replayed */
	size_t calls_flagged; /* calls with a flag under the current limits */
	int64_t seconds;      /* between the oldest and the newest measured commit */
	size_t data;          /* commits with data */
	size_t too_short;     /* series of unknown noise */
	struct calibrate_tally before, after;
};

/* Upper 90 % confidence bound of the false-alarm rate (Clopper and Pearson). */
double calibrate_upper(size_t flagged, size_t judged);
const struct message *calibrate_shape_message(struct arena *arena,
					      const struct calibrate_series *series);
const char *calibrate_shape_name(enum calibrate_shape shape);
/* The evidence in words. */
enum message_code calibrate_evidence_message(enum calibrate_evidence evidence);

/* A run of the store. Runs of one measurement (run_by_measurement()) are one session. */
struct calibrate_run {
	int64_t row;
	const struct run *run;
};

/* The steps of a calibration, in this order: calibrate_read() finds the series of each rule with
 * noise and shape; calibrate_replay() replays them under the current limits; calibrate_choose()
 * chooses limits for each group and derives the counts under these. The last step may be repeated
 * with another rate. */
void calibrate_read(struct arena *arena, struct calibration *calibration);
/* Computes the noise within commits, for series with several sessions of a commit. `runs` are
 * sorted by row; history runs that are not among them are ignored. */
void calibrate_sessions(struct calibration *calibration, const struct calibrate_run *runs,
			size_t count);
void calibrate_replay(struct arena *arena, struct calibration *calibration);
void calibrate_choose(struct arena *arena, struct calibration *calibration);

/* The request of the user, and how often the gate is called. */
struct calibrate_request {
	const char *oid;      /* first commit of the chain */
	double target;        /* false alarms */
	const char *per;      /* "week", "night" or "gate" */
	double calls_a_week;  /* calls of the gate per week; NAN: unknown */
	bool calls_are_given; /* given by the user; else derived from the history */
};

/* Flags per week; NAN if the rate of calls is unknown. */
double calibrate_weekly(const struct calibration *calibration,
			const struct calibrate_request *request, double flagged);
/* The same, as an upper bound with 90 % confidence. */
double calibrate_weekly_bound(const struct calibration *calibration,
			      const struct calibrate_request *request,
			      const struct calibrate_tally *tally);
/* Flags under the chosen limits that a second, independent measurement would repeat. */
double calibrate_repeated(const struct calibration *calibration);
/* The share of the noise's variance that lies between sessions of one commit: the median over
 * series with several sessions; NAN if there is none. *series is their number. */
double calibrate_within(struct arena *arena, const struct calibration *calibration, size_t *series);

/* --- shared by the files of this room --- */

void calibrate_add(struct calibrate_tally *sum, const struct calibrate_tally *part);
/* The rule's relative limit; the default for noisy metrics if it has none of its own. */
double calibrate_relative(const struct policy *row);
/* Converts a relative limit of the rule to a step. */
double calibrate_step_of(const struct calibrate_series *series, double limit);
