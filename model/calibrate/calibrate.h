/*
 * Calibration: what the gate would have said of the history, had it been asked
 * at every commit, and the limits with which it would have cried wolf as seldom
 * as is wished.
 *
 * The history is cut where the detector sees a change of level. Inside a level
 * nothing happened, so whatever the gate flags there is a false alarm. Every
 * commit with data is one call of the gate: its series are judged by their
 * records before it, with everything that looks at all series of a call (false
 * discoveries, the environment). What is not replayed: second measurements, a
 * changed compiler, creep, limits of absolute gates, and counters, which are
 * compared exactly and have no noise.
 *
 * Left out are commits whose answer the gate could not have known: the first of a
 * level until its change is confirmed, and the newest, which may begin one.
 *
 * Never add configuration files or words.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "model/message/message.h"
#include "model/verdict/series_history.h"
#include "model/verdict/verdicts.h"

/* How the commits of one level lie around it; the first that fits. */
enum calibrate_shape {
	SHAPE_UNKNOWN,   /* too few commits */
	SHAPE_CONSTANT,  /* more than half of the commits are the same number */
	SHAPE_MODES,     /* two levels that it jumps between */
	SHAPE_OUTLIERS,  /* some are far off */
	SHAPE_FOLLOWING, /* each is like the one before */
	SHAPE_PLAIN,
	SHAPE_LIMIT
};

/* Verdicts of one replay, counted. */
struct calibrate_tally {
	size_t judged;      /* commits whose record could decide */
	size_t flagged;     /* looked worse: false alarms, if nobody measures again */
	size_t undecided;   /* of those judged */
	size_t environment; /* looked worse together with many others */
};

/* What the numbers of one commit would say under other limits. */
struct calibrate_trial {
	uint32_t commit;  /* place in the chain */
	bool passes;      /* all gates but p and effect, and not the environment's doing */
	bool worse;       /* the direction is the wrong one */
	float df;         /* of the test */
	double p;         /* that noise alone makes it so much worse */
	double q;         /* of the direction in which it is off, among all of the call */
	double step;      /* distance from the level: of logs, or relative */
	double error;     /* its standard error */
	double exceeded;  /* a step must be beyond this: so slow were others on record */
	double ruled_out; /* as a step */
	bool environment; /* it was, with the limits as they are */
	bool older;       /* the commit before looked as bad, with the limits as they are */
};

/* One series under one row. */
struct calibrate_series {
	const struct history *history;
	const struct policy *row; /* as it is configured, without what refines it */
	const struct policy *now; /* with it */
	enum metric metric;
	bool over;                    /* more is better: steps are those of 1 / value */
	struct history_points points; /* all of the chain */
	const size_t *starts;         /* the first point of each level */
	size_t levels;
	double noise;  /* between commits, within levels, relative; NAN: too few */
	double pooled; /* of sister series; NAN unknown */
	enum calibrate_shape shape;
	double correlation; /* of each commit with the one before, 0 to 1 where it is plain */
	size_t outliers;    /* commits beyond five deviations */
	double gap, share;  /* SHAPE_MODES: between the modes, relative; commits in the upper one */
	double within;      /* noise between sessions of one commit, relative; NAN unknown */
	size_t sessions;    /* commits that were measured in several */
	struct calibrate_trial *trials;
	size_t trial_count;
	size_t call_size;              /* comparisons in a call, at its newest commit */
	size_t missing;                /* commits at one level until its noise is known; 0: it is */
	struct calibrate_tally before; /* with the limits as they are */
	struct calibrate_tally after;  /* with the chosen ones */
	double shown_before, shown_after; /* smallest slowdown with 80 % power, relative */
	size_t group;                     /* SIZE_MAX: none */
};

/* Why a limit is believed to keep its share of false alarms. */
enum calibrate_evidence {
	EVIDENCE_OWN,     /* its own commits show it */
	EVIDENCE_SISTERS, /* those of series of the same shape do; its own do not object */
	EVIDENCE_MODEL,   /* too few commits: only the formula says so */
	EVIDENCE_UNKNOWN, /* its noise is not known: the limits are the row's */
	EVIDENCE_NONE     /* no limit that was tried keeps it: the limits are the row's */
};

/* All series of one kernel pattern under one row: one set of limits. */
struct calibrate_group {
	const char *kernel; /* the pattern */
	const struct policy *row;
	size_t series;
	size_t commits;             /* of the series with most */
	enum calibrate_shape shape; /* the worst of them */
	double noise;               /* in the median; NAN unknown */
	struct calibrate_tally before, after;
	struct policy limits; /* the row with the chosen limits */
	enum calibrate_evidence evidence;
	double tolerable; /* tolerance at which nine of ten quiet commits are unchanged;
			   * NAN unknown */
	size_t needed;    /* judged commits until its own could show that it keeps its share */
	double shown_before, shown_after; /* of its series in the median; NAN unknown */
};

struct calibration {
	/* Given. */
	const struct history_set *set;
	const struct policy_list *policies;
	const struct gate_settings *settings;
	const char *const *patterns; /* of kernels; without any, each kernel is one */
	size_t pattern_count;
	double wished; /* false alarms in one call of the gate */
	/* Found. */
	struct calibrate_series *series;
	size_t count;
	struct calibrate_group *groups;
	size_t group_count;
	size_t exact;         /* comparisons of counters, which have no noise */
	size_t absolute;      /* comparisons with limits of absolute gates */
	size_t calls;         /* commits that were replayed */
	size_t calls_flagged; /* of them with a flag, with the limits as they are */
	int64_t seconds;      /* between the oldest and the newest commit with data */
	size_t data;          /* commits with data */
	size_t too_short;     /* series whose noise is not known */
	struct calibrate_tally before, after;
};

/* The measured rate is believed to be below this with 90 % confidence (Clopper and Pearson). */
double calibrate_upper(size_t flagged, size_t judged);
const struct message *calibrate_shape_message(struct arena *arena,
					      const struct calibrate_series *series);
const char *calibrate_shape_name(enum calibrate_shape shape);
/* By what the limits were chosen. */
enum message_code calibrate_evidence_message(enum calibrate_evidence evidence);

/* A run of the store and when it was ingested: runs of one ingest are one session. */
struct calibrate_run {
	int64_t row, when;
};

/* The series under their rows, with noise and shape; then their replay with the limits as they are;
 * then limits for each group, and what the replay's numbers come to under those; the last step may
 * be taken again with another wish. */
void calibrate_read(struct arena *arena, struct calibration *calibration);
/* The noise within commits, where some were measured in several sessions. `runs` are sorted by row;
 * those that are not among them are left out. */
void calibrate_sessions(struct calibration *calibration, const struct calibrate_run *runs,
			size_t count);
void calibrate_replay(struct arena *arena, struct calibration *calibration);
void calibrate_choose(struct arena *arena, struct calibration *calibration);

/* What is asked of a calibration, and how often the gate is called. */
struct calibrate_request {
	const char *oid;      /* the chain begins here */
	double wished;        /* false alarms */
	const char *per;      /* "week", "night" or "gate" */
	double calls_a_week;  /* of the gate; NAN: unknown */
	bool calls_are_given; /* by the user, else those of the history */
};

/* Flags of a tally in a week; NAN where the rate of calls is unknown. */
double calibrate_weekly(const struct calibration *calibration,
			const struct calibrate_request *request, double flagged);
/* The same, an upper bound with 90 % confidence. */
double calibrate_weekly_bound(const struct calibration *calibration,
			      const struct calibrate_request *request,
			      const struct calibrate_tally *tally);
/* Flags with the chosen limits that a second measurement would repeat if both were independent. */
double calibrate_repeated(const struct calibration *calibration);
/* The share of the noise's variance that lies between sessions of one commit, in the median of the
 * series that have some; NAN: none has. */
double calibrate_within(struct arena *arena, const struct calibration *calibration, size_t *series);

/* --- for the parts --- */

void calibrate_add(struct calibrate_tally *sum, const struct calibrate_tally *part);
/* The row's relative limit, of what is noisy where it has none of its own. */
double calibrate_relative(const struct policy *row);
/* A relative limit of the row as a step. */
double calibrate_step_of(const struct calibrate_series *series, double limit);
