/*
 * The gate: applies rules to series. It makes one comparison per series and rule, and one exit
 * status of all of them. The caller finds the runs and histories to compare (struct gate_input);
 * the gate judges them, looks at them together, counts and ranks them (struct gate_result):
 *
 *    struct gate_plan plan = gate_plan(arena, &input);
 *    load the runs of plan.needed
 *    struct gate_result result = gate_run(arena, &plan);
 *
 * A comparison is judged by the baseline history of its series: the commits of the reference's
 * first-parent chain since its last change point. A slowdown is a regression only if all of these
 * hold:
 *  - it is unlikely to be chance among everything judged in the call;
 *  - it is not a shift of most series at once;
 *  - a second measurement confirms it.
 *
 * Ownership: all results are in the arena, and refer to the input, which must outlive them. Units
 * are those of the metrics (SI); changes are fractions. Errors: none. Unknown numbers are NAN, and
 * missing information leads to a verdict that states it.
 */
#pragma once

#include "base/base.h"
#include "model/verdict/verdicts.h"
#include "model/gate/exit_status.h"
#include "model/changepoint/changepoint.h"
#include "model/verdict/series_history.h"
#include "model/commits/commits.h"
#include "model/run/run.h"
#include "model/trend/trend.h"

/* Limits on the history that the gate reads per series, counted in commits with data. If a release
 * is pinned, everything since the pin is read as well. Loading more never changes a verdict. */
enum {
	GATE_BASELINE_COMMITS =
		500,        /* commits in which changes and the best period are looked for */
	GATE_HISTORY = 600, /* commits to load where a rule judges another metric than the
			     * headline, which some of the newest commits may lack */
};

/* One series with its runs on both sides; either may be empty. All runs are derived. */
struct gate_series {
	const char *key;
	const struct run *run;         /* names the series; its figures count only in `candidate` */
	struct run_list candidate;     /* in ingest order */
	struct run_list baseline;      /* the runs at the newest commit of the record */
	const struct history *history; /* on the reference's chain; NULL: none */
	const struct revision *baseline_revision; /* NULL without baseline */
	int64_t baseline_age;                     /* first-parent steps; -1 unknown */
	const struct message
		*incomparable;         /* what differs from the nearest other series, or NULL */
	const struct message *epoch;   /* the epoch that begins with its first run, or NULL */
	const struct message *stopped; /* when and where it was seen last, for a series that stopped
					* arriving before the baseline; or NULL */
};

struct gate_series_list {
	struct gate_series *items;
	size_t count;
	size_t capacity;
};

/* The baseline history of a comparison. NAN marks unknown noise. */
struct gate_history {
	struct history_points points;  /* oldest first */
	struct detect_result detected; /* changes of level among the points */
	size_t start;                  /* first point of the segment that is compared with */
	size_t accidents;              /* newest commits that are skipped as accidents: 0 or 1 */
	size_t open;         /* newest commits of an open suspicion, left out of the record */
	bool alone;          /* one candidate is judged, not the nights of a window */
	double noise;        /* between commits of that segment, relative; NAN: too few */
	double noise_of_all; /* noise_measure() of the logs of all points; NAN: unknown */
	double pooled;       /* of similar series, or the rule's; NAN: unknown */
};

struct acceptance;
struct explanation;

/* Runs of a series at an older commit of its history. The model requests them and the caller loads
 * them. If they cannot be loaded the list stays empty, and the explanation is shorter. */
struct gate_older_runs {
	const struct gate_series *series;
	const struct revision *commit;
	struct run_list runs;
};

struct gate_older_list {
	struct gate_older_runs **items;
	size_t count, capacity;
};

/* One measurement of the candidate: the runs of one ingest. */
struct gate_measurement {
	struct run **runs;
	size_t count;
	bool judged; /* `alone` is valid: judged by history, with a value */
	struct judgement alone;
};

/* A fact about the machine or its software that differs between baseline and candidate. */
struct gate_fact {
	const char *key, *baseline, *candidate;
};

/* What only an explanation of the verdict shows (gate_input.every_number). */
struct gate_details {
	struct gate_measurement *measurements; /* in ingest order */
	size_t measurement_count;
	struct gate_fact *facts;
	size_t fact_count;
	const char *kernel; /* "equal", "different", "unknown": the hashes of both sides */
};

/* The candidate's fastest measurement: below half of all that was measured before. */
struct gate_leap {
	double time;            /* its median total time */
	double best;            /* of the baseline history */
	struct run_list others; /* of the candidate's other measurements, which deny it */
};

/* A measurement of the candidate that has the numbers of an older commit. */
struct gate_copy {
	const struct revision *commit;
	uint32_t at;          /* its index in the chain */
	size_t equal, values; /* numbers of the measurement's values */
	double chance;        /* that noise makes them equal: an upper bound */
};

struct comparison {
	const struct gate_series *series;
	const struct run *run; /* names the series: candidate, else baseline */
	const struct policy *policy;
	enum metric metric; /* the judged metric */
	struct judgement judged;
	struct gate_history history;
	size_t measurements;                /* of the candidate: ingests at different times */
	enum verdict first, second;         /* verdict of each measurement alone; VERDICT_LIMIT: not
					     * asked */
	double p, p_faster;                 /* of the first measurement; NAN: not judged by
					     * history */
	bool older;                         /* looks worse, and so did the previous commit */
	bool already;                       /* already worse the night before (windowed gates) */
	bool back;                          /* at the level before a change for the worse that the
					     * window confirms (windowed gates) */
	bool recovered;                     /* back at the level before a change for the worse, and
					     * the night before was not (windowed gates) */
	const struct detect_change *change; /* METHOD_CHANGE_POINT: the change that was judged */
	const struct gate_leap *leap;       /* NULL: none, or not judged by history */
	const struct gate_copy *copy; /* NULL: all of its values were measured, as far as known */
	struct run_list copied;       /* the candidate's runs that are copied */
	struct drift_result drift_release, drift_best; /* of turned values (verdict_turned()) */
	enum verdict_turn drift_turn;
	const struct message *drift_reason;  /* NULL: no drift */
	const struct acceptance *acceptance; /* the matching line, NULL: none */
	enum verdict accepted;               /* VERDICT_ACCEPTED: the verdict without the
					      * acceptance */
	/* Runs around `change`, to see whether the environment changed; NULL: not needed. */
	struct gate_older_runs *before_change, *after_change;
	/* --- filled in when all are concluded --- */
	double measured;              /* the candidate's value, also without anything to judge it
				       * by; NAN: no value, or its result is incorrect */
	struct judge_interval effect; /* 95 % interval of the effect; NAN: not judged by history */
	struct judge_interval change_interval; /* 95 % interval of judged.change; NAN: unknown */
	enum exit_status status;               /* what it fails with; EXIT_PASS: it fails nothing */
	bool acceptable;                       /* an acceptance may apply to it */
	/* The commits of `change`; last_before is NULL where the history begins with it. */
	const struct revision *last_before, *first_after;
	const struct gate_details *details; /* NULL: not asked for */
	const struct explanation *why;      /* explain_gate(); NULL: not asked */
};

/* A shift of many series at once, and its possible causes. */
struct gate_environment {
	bool event;
	size_t moved, looked_at; /* comparisons that shifted together, out of those of that
				  * metric */
	double factor; /* median factor of those that shifted, above 1 is worse; NAN: none */
	size_t folded; /* comparisons that got VERDICT_ENVIRONMENT */
	const struct message **changes; /* "compiler_version 2.23 -> 2.24 (12 series)" */
	size_t change_count;
	const struct message *epoch; /* to begin one: all series of a tool or machine shifted; or
				      * NULL */
};

/* Where the rules come from. The caller chooses them; the gate only passes this on. */
struct gate_configuration {
	const char *source; /* "commit", "work-tree", or "file": a path outside of the work tree */
	const char *path;   /* of the file, in the tree of a commit from its top; NULL: none */
	const char *commit; /* full id, where the source is a commit; else NULL */
	bool found;         /* false: the file is missing, and the rules are the built-in ones */
	bool differs;       /* the work tree or the candidate has other rules than the commit */
	const struct message *notice; /* a sentence for the user; NULL: nothing to say */
};

struct acceptance_list;
struct acceptance_clock;
struct acceptance_use;

/* Input of a gate. The caller makes it; the gate never changes it. */
struct gate_input {
	struct revision candidate;
	bool dirty; /* the candidate's runs are those of a work tree with uncommitted changes */
	const struct gate_series_list *series;
	const struct policy_list *policies;
	const struct gate_settings *settings;
	struct policy_fail_on fail_on; /* of the command line, which overrides those of rules and
					* settings */
	bool fine_status;              /* end with a number of its own for each kind of failure */
	/* What the candidate is compared with. */
	const char *against;                 /* "the nearest ancestor with data", "v1.2 (...)" */
	const struct history_set *histories; /* NULL: no history at all */
	uint32_t newest;      /* index into the chain at which the baseline history begins */
	bool unmerged;        /* a change that is not on the branch it would be merged into */
	bool windowed;        /* changes within the history count as well */
	bool named;           /* the user named the newest commit of the history */
	bool best;            /* the baseline is the best period of the history */
	const char *pin_name; /* the newest pinned release on the chain, NULL: none */
	uint32_t pin;         /* its index in the chain */
	bool first;           /* no other commit was ever measured, or none in this epoch */
	size_t away;          /* series that other commits of the history have and this one lacks */
	size_t measured;      /* series of the candidate */
	size_t selected;      /* those of them that a filter selects; 0: without a filter */
	const struct gate_configuration *configuration; /* NULL: not known */
	/* From the base tree. */
	const struct acceptance_list *acceptances; /* NULL: none were looked for */
	const struct acceptance_clock *clock;      /* with `acceptances` */
	bool every_number; /* explanations are wanted: details, and drift figures even if no drift
			    * is flagged */
};

/* The comparisons of a call, each judged alone, and the runs that the gate needs next. */
struct gate_plan {
	const struct gate_input *input;
	struct comparison *comparisons;
	size_t count;
	const struct policy **idle; /* rules that match no series at all: probably a typing
				     * mistake */
	size_t idle_count;
	struct gate_older_list needed; /* to be loaded */
};

struct gate_rerun {
	const struct gate_series *series;
	const struct comparison *const *because; /* worst first, as the gate's comparisons are */
	size_t because_count;
	size_t measurements; /* further measurements, each in its own session */
	size_t runs;         /* in each measurement */
};

/* What to measure again: series for which another measurement would decide. */
struct gate_reruns {
	struct gate_rerun *items; /* one per series, the worst first */
	size_t count;
};

struct gate_result {
	const struct gate_input *input;
	struct comparison *comparisons; /* worst first */
	size_t count;
	size_t series;                /* series looked at */
	size_t counts[VERDICT_LIMIT]; /* comparisons by verdict, context rules not counted */
	size_t context;               /* comparisons of context rules */
	size_t judged;                /* comparisons with a statement about the candidate */
	size_t newly;                 /* windowed gate: worse, and not so at the previous commit */
	size_t drifted;               /* comparisons with drift, whatever their verdict */
	struct gate_environment environment;
	struct acceptance_use *uses; /* one per line of input->acceptances */
	/* A series whose baseline all comparisons share; NULL if baselines differ or are
	 * missing. */
	const struct gate_series *shared_baseline;
	struct gate_reruns reruns;
	struct policy_fail_on fail_on; /* what failed this gate, or would have */
	enum exit_status exit_status;  /* of the command */
	enum exit_status outcome;      /* the worst of what fails; EXIT_PASS: nothing does */
	enum exit_status code;         /* exit status if everything fails that is not a pass:
					* input->fine_status	 without a list */
	const char *verdict;           /* "pass", "regression", "undecided" ... */
	const struct message *reason;  /* with the denominators, and with at_tip */
	const struct message *warning; /* a night in which nothing could be decided; else NULL */
	const struct message
		*passes; /* why what is not a pass passes; NULL: it is one, or it fails */
	const struct message *remedy; /* what to do about the worst that fails, where a value is not
				       * there or cannot be; NULL: it is another failure, or none */
	const struct message *at_tip; /* what would be worse at the tip of the branch that changes
				       * go to, where the record is older; NULL: nothing */
};

/* First pass: one comparison for each series and rule that fits it, each judged by itself. */
struct gate_plan gate_plan(struct arena *arena, const struct gate_input *input);
/* Second pass, after plan->needed is loaded: chance, environment, drift, acceptances, and the
 * overall result. The result takes over the plan's comparisons. */
struct gate_result gate_run(struct arena *arena, const struct gate_plan *plan);

/* --- steps of gate_run(), shared with callers that replay a gate --- */

/* Judges each comparison alone. */
void gate_decide_each(struct arena *arena, struct gate_result *gate);
/* Adjusts all verdicts together: false discoveries, the environment, second measurements. */
void gate_decide_together(struct arena *arena, struct gate_result *gate);

/* --- questions about results --- */

/* What is counted: NOUN_SERIES, or NOUN_COMPARISONS if several rules judge one series. */
struct message_value gate_noun(const struct gate_result *gate);
/* Whether all primary comparisons with this verdict are of a time or a rate, so that together they
 * are called slower or faster, not worse or better. */
bool gate_is_about_speed(const struct gate_result *gate, enum verdict verdict);
/* verdict_words() of them all; the verdict itself where they differ. */
int gate_verdict_words(const struct gate_result *gate, enum verdict verdict);
/* Whether the fact describes the machine or its software, so that no change of the code explains
 * it. */
bool gate_is_environment_key(const char *key);
/* Requests the runs at a point of the comparison's history: adds them to the list to load. */
struct gate_older_runs *gate_need_runs(struct arena *arena, struct gate_older_list *needed,
				       const struct gate_result *gate, const struct comparison *one,
				       size_t point);

/* Finds the first commit of the history at which a comparison with drift would have been flagged,
 * as an index into the chain. False if only the candidate shows the drift, or no side does.
 * O(commits^2). */
bool gate_drift_since(const struct gate_result *gate, const struct comparison *one,
		      uint32_t *index);
/* Whether the loss from `before` to `now` is at least the rule's limit for a change. */
bool gate_is_worse_than(const struct comparison *one, double before, double now);
/* The judge compares with the points gate_first_used() to gate_end_used() - 1 of the history,
 * oldest first:
 *
 *     | earlier levels | level, older | level, as judged | outlier |
 *                      start          first_used         end_used  count
 *
 * A long level contributes its newest points only. An outlier at the end that nothing after it
 * confirms is left out. So are an open suspicion and, within the level, what was fixed
 * (judge_result.away, counted from gate_first_used()). Without a judge the whole level counts. */
size_t gate_first_used(const struct comparison *one);
size_t gate_end_used(const struct comparison *one);
/* The commit of a point of the comparison's history; the candidate for an index past its end. */
const struct revision *gate_revision_at(const struct gate_result *gate,
					const struct comparison *one, size_t point);
/* The number of points of the history that the nightly gate of the night before had. Commits within
 * half a day of the candidate are tonight's, too, unless all are. */
size_t gate_night_before(const struct gate_result *gate, const struct comparison *one);
/* The number of comparisons that lead to the status. */
size_t gate_count_of(const struct gate_result *gate, enum exit_status status);
/* Short names for all comparisons of the gate (model/run/runs.h). */
struct short_names;
struct short_names gate_short_names(struct arena *arena, const struct gate_result *gate);
/* The median of the runs' finite values; NAN without any. */
double gate_median(const struct run_list *runs, enum metric metric);
/* Whether the verdict is a statement about the candidate. */
bool gate_is_judged(enum verdict verdict);
/* Whether the verdict keeps a gate from passing where the list has it. */
bool gate_keeps_from_passing(enum verdict verdict);

/* Reads a list of classes and single verdicts, "regression,suspect", with "default" and "any", or
 * "none" alone. A word that is both is the class. False for any other word, or for none at all:
 * gate_fail_on_known() says what is expected. */
bool gate_fail_on_parse(const char *text, struct policy_fail_on *list);
/* All words: "regression, missing ... none". */
const char *gate_fail_on_known(struct arena *arena);
/* The gate's list: the command line's, else that of the settings, else the default. */
struct policy_fail_on gate_fail_on_of(const struct gate_input *input);
/* The list for the series of a rule: the rule's, unless the gate's overrides it. */
struct policy_fail_on gate_fail_on_for(const struct gate_input *input,
				       const struct policy_fail_on *list,
				       const struct policy *policy);
/* Whether the user let a verdict of a rule pass: a list was given that lacks it. */
bool gate_is_let_pass(const struct gate_input *input, const struct policy *policy,
		      enum verdict verdict);
/* The word that lets a verdict fail; NULL: there is none, because it never does. */
const char *gate_fail_on_word(enum verdict verdict);
/* The class of a verdict, as --fail-on and "rooflog help exit-status" call it; NULL for those that
 * have nothing against the candidate. */
const char *gate_class_of(enum verdict verdict);
/* The words of a list, classes where all of their verdicts are in it; returns their number. */
enum { GATE_FAIL_ON_WORDS = 14 };
size_t gate_fail_on_words(const struct policy_fail_on *list, const char *out[GATE_FAIL_ON_WORDS]);

/* The trend of a judged comparison, with its candidate, the judge's prediction band, the
 * acceptance, and the commits of its changes. */
struct trend gate_trend_of(struct arena *arena, const struct gate_result *gate,
			   const struct comparison *one);
/* The trends of the first `most` comparisons, in their order; *count is their number. */
struct trend *gate_trends(struct arena *arena, const struct gate_result *gate, size_t most,
			  size_t *count);

/* The noise between the commits of one level, relative; NAN for fewer than eight. */
double gate_own_noise(struct arena *arena, const double *values, size_t from, size_t to);
/* First commit of a segment too short to be a confirmed change; `level` if there is none. Later
 * commits are compared with this young segment. Otherwise a lost improvement would look like the
 * segment before it. */
size_t gate_young_change(struct arena *arena, const struct detect_series *series,
			 const double *values, size_t level);

/* Whether the history alone, without the candidate, has a change for the worse in the window. */
bool gate_was_worse(const struct gate_result *gate, const struct comparison *one);

/* --- self-test --- */

struct gate_selftest_row {
	const struct comparison *one;  /* as judged alone, without the slowdown */
	const struct message *why_not; /* why the planted slowdown is not flagged; NULL: it is
					* flagged */
	double smallest;               /* slowdown that would be flagged, relative; NAN: unknown */
};

struct gate_selftest {
	const struct gate_result *gate;
	double planted;                 /* the slowdown, relative: 0.25 */
	struct gate_selftest_row *rows; /* of judged comparisons, in the gate's order */
	size_t count;
	size_t judged;     /* rows of primary policies */
	size_t flagged;    /* rows whose slowdown would fail the gate */
	size_t context;    /* rows of context policies */
	size_t not_judged; /* comparisons without a row */
	/* EXIT_PASS: every judged row is flagged; EXIT_UNDECIDED: some are not; EXIT_NO_BASELINE:
	 * nothing was judged. */
	enum exit_status status;
};

/* The comparisons without a slowdown, and the runs that the gate needs next. Slowdowns are planted
 * and judged one at a time, so that they need the memory of one. */
struct gate_selftest_plan {
	const struct gate_result *gate;
	struct gate_result each; /* the gate's comparisons without a slowdown, each judged alone */
	double share;
	struct gate_older_list needed; /* to be loaded */
	/* Per comparison: the runs before and after the change that its slowdown would make; NULL:
	 * none. */
	struct gate_older_runs *(*around)[2];
};

/* share: the slowdown, relative: 0.25. */
struct gate_selftest_plan gate_selftest_plan(struct arena *arena, const struct gate_result *gate,
					     double share);
struct gate_selftest gate_selftest_run(struct arena *arena, const struct gate_selftest_plan *plan);
