/* Shared by the files of the gate, and by no other room. */
#pragma once

#include "model/gate/gate.h"

/* Values of the points from index `from` on, with room for one more. */
double *gate_values(struct arena *arena, const struct history_points *points, size_t from);
/* The runs' finite values of the metric, in order. */
struct verdict_values gate_values_of_runs(struct arena *arena, const struct run_list *runs,
					  enum metric metric);
/* Judges runs of the candidate by the comparison's baseline history. */
struct judgement gate_judge_values(struct arena *arena, const struct comparison *one,
				   struct verdict_values candidate);
struct judgement gate_judge_runs(struct arena *arena, const struct comparison *one,
				 const struct run_list *runs);
/* The same for all runs of the candidate: a regression in its first measurement must also be one in
 * the later measurements alone. */
struct judgement gate_judge_measurements(struct arena *arena, struct comparison *one);
/* The nightly question about the newest commits: are they, with the candidate, all worse than the
 * record before them? If so, fills `judged` and returns true. */
bool gate_judge_suspicion(struct arena *arena, const struct gate_result *gate,
			  struct comparison *one, struct judgement *judged);
/* Undecided, because the newest commits are no better than the candidate: fills `judged` and
 * returns true. Not for a nightly gate. */
bool gate_blame_older(struct arena *arena, const struct gate_result *gate, struct comparison *one,
		      struct judgement *judged);
/* "...; but c10 before it is no better, so the cause is older" */
const struct message *gate_older_message(struct arena *arena, const struct gate_result *gate,
					 const struct comparison *one,
					 const struct message *reason);
/* Since which commit the series is worse, or better: that of one->change. */
const struct message *gate_since_message(struct arena *arena, const struct gate_result *gate,
					 const struct comparison *one, bool worse, size_t commits,
					 double p);
/* An undecided candidate that another measurement may decide: the reason asks for one, unless that
 * was done. */
void gate_note_remeasure(struct arena *arena, size_t measurements, struct judgement *judged);
/* Whether the commits from one->change on, without the candidate, were a regression already. */
bool gate_was_severe(const struct comparison *one, const struct judgement *judged, size_t end);
/* Makes a good verdict suspect where files of one measurement are too far apart to be repeats,
 * and one of them alone is worse. (repeats.c) */
void gate_doubt_repeats(struct arena *arena, struct comparison *one);
/* --- what must be measured again to be proven (unproven.c, copies.c) --- */

/* The leap of the candidate's fastest measurement; NULL: none, or another measurement confirms
 * it. */
const struct gate_leap *gate_leap_of(struct arena *arena, const struct gate_result *gate,
				     const struct gate_series *series);
const struct message *gate_leap_message(struct arena *arena, const struct gate_leap *leap);
/* Makes good verdicts unproven where the candidate's only measurement is a leap. */
void gate_doubt_leaps(struct arena *arena, struct gate_result *gate);
/* Finds measurements of the candidate that have the numbers of an older commit. */
void gate_find_copies(struct arena *arena, struct gate_result *gate);
/* The candidate's runs without leaps that others deny, and without copies if there are others. */
struct run_list gate_judged_runs(struct arena *arena, const struct comparison *one);
/* Makes good verdicts unproven where all that was measured is copied. */
void gate_doubt_copies(struct arena *arena, struct gate_result *gate);

/* Whether any run has a result that is known to be wrong. */
bool gate_any_incorrect(const struct run_list *runs);
/* Index of the metric in the histories; metric_count if it is not among them. */
size_t gate_metric_index(const struct gate_result *gate, enum metric metric);
/* Whether an acceptance may apply: the comparison is worse, or its series is gone. */
bool gate_is_acceptable(const struct comparison *one);

/* --- a comparison among the others of its call (peers.c) --- */

struct gate_numbers {
	double *items; /* ascending, without NAN */
	size_t count;
};

/* How far the comparisons of one metric moved. */
struct gate_steps {
	enum metric metric;
	struct gate_numbers sizes[2]; /* sizes of the steps, in logs; [true]: to the worse */
	size_t looked_at;             /* comparisons that say something about the machine */
};

struct gate_peers {
	struct gate_numbers p[2]; /* [true]: of being slower */
	struct gate_steps *steps;
	size_t count, capacity;
};

/* A shift of many series of one metric at once. */
struct gate_movement {
	size_t moved, looked_at;
	double usual; /* step, in logs, above 0 for the worse; NAN: none */
};

/* A step within these multiples of the usual one shifted together with it. */
#define GATE_ALIKE_LEAST 0.5
#define GATE_ALIKE_MOST 2.0

/* Fewer series that shift together prove no common cause. */
enum { GATE_LEAST_MOVED = 5 };

/* The comparison's step in logs, above 0 for the worse; NAN if it says nothing about the
 * machine. */
double gate_step(const struct comparison *one);
/* Whether it is beyond the noise, in this direction. */
bool gate_is_step(const struct comparison *one, bool slower);

/* The comparisons of a gate, each judged alone. */
struct gate_peers gate_peers_of(struct arena *arena, const struct gate_result *gate);
/* The rest is about the peers with `new` in the place of `old`, one of them; both may be the same.
 * Benjamini and Hochberg's q of `new`; NAN: not judged by history. */
double gate_peers_q(const struct gate_peers *peers, const struct comparison *old,
		    const struct comparison *new, bool slower);
/* The number of comparisons that are judged by history. */
size_t gate_peers_judged(const struct gate_peers *peers, const struct comparison *old,
			 const struct comparison *new);
/* The shift of the metric of `new`. */
struct gate_movement gate_peers_movement(const struct gate_peers *peers, bool slower,
					 const struct comparison *old,
					 const struct comparison *new);
/* Like gate_decide_together() of all of them, for `one` in the place of `old`. */
void gate_decide_among(struct arena *arena, const struct gate_result *gate,
		       const struct gate_peers *peers, const struct comparison *old,
		       struct comparison *one);

/* All runs of both sides are of one kernel, byte for byte. False where that is unknown. */
bool gate_same_kernel(const struct gate_series *series);
/* The digest of the kernel's file that all runs of both sides were measured with, as it was
 * computed when they were ingested; NULL if it differs or is unknown. */
const char *gate_same_digest(const struct run_list *before, const struct run_list *after);
/* The value of the fact in the first run that has it. NULL if no run has it, or if any run already
 * has the value `now`, e.g. a baseline that was measured again. */
const char *gate_was_otherwise(const struct run_list *before, const char *key, const char *now);

/* --- the steps of gate_plan() and gate_run(), in their order --- */

/* Requests the runs around the changes that comparisons were judged by. */
void gate_need_changes(struct arena *arena, struct gate_result *gate,
		       struct gate_older_list *needed);
/* Clears comparisons that look worse but already did before the candidate. */
void gate_clear_older_changes(struct arena *arena, struct gate_result *gate);
/* Measures drift. It becomes the verdict of a windowed gate only. */
void gate_decide_drift(struct arena *arena, struct gate_result *gate);
/* Sets gate->environment.epoch. */
void gate_propose_epoch(struct arena *arena, struct gate_result *gate);
/* Acceptances of the base tree turn the verdicts they cover into VERDICT_ACCEPTED. */
void gate_accept(struct arena *arena, struct gate_result *gate);
/* Sorts and counts the comparisons; sets the gate's word and exit status. */
void gate_conclude(struct arena *arena, struct gate_result *gate);
/* Fills in what outputs show in addition to the verdict. */
void gate_describe(struct arena *arena, struct gate_result *gate);
struct gate_reruns gate_reruns_of(struct arena *arena, const struct gate_result *gate);

/* The verdicts of all classes of --fail-on, as bits. */
unsigned gate_all_classes(void);
