/*
 * The gate: rules applied to series, one comparison for each series and rule, and one
 * exit status out of all of them. The caller finds the runs and histories that are
 * compared (struct gate_input); here they are judged, looked at together, counted and
 * ranked (struct gate_result):
 *
 *	struct gate_plan plan = gate_plan(arena, &input);
 *	load the runs of plan.needed
 *	struct gate_result result = gate_run(arena, &plan);
 *
 * A comparison is judged by the baseline history of its series: the commits of the
 * reference's first-parent chain since its last change point. What looks worse must
 * also be unlikely among everything judged in the call, must not be what happened to
 * most series at once, and must be measured a second time.
 *
 * Everything lives in the arena. Nothing here fails: unknown numbers are NAN, and what
 * is not known leads to a verdict that says so.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	GATE_RECORD = 500,  /* commits in which changes and the best period are looked for */
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
	const struct message *stopped; /* when and where it was seen last, for a series that stopped
					* arriving before the baseline; or NULL */
};

struct gate_series_list {
	struct gate_series *items;
	size_t count;
	size_t capacity;
};

/* What a candidate is compared with. */
struct gate_record {
	struct history_points points;  /* oldest first */
	struct detect_result detected; /* changes of level among them */
	size_t start;                  /* the first point of the level that is compared with */
	size_t accidents;              /* of its newest commits that are left out: 0 or 1 */
	double noise;                  /* between commits at that level, relative; NAN: too few */
	double noise_of_all;           /* noise_measure() of the logs of all points; NAN: unknown */
	double pooled;                 /* of sister series, or the row's; NAN: unknown */
};

struct acceptance;
struct explanation;

/* Runs of a series at an older commit of its history. The model says which are needed, the caller
 * loads them; a series whose runs cannot be loaded keeps an empty list, and is simply less known.
 */
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
	bool judged; /* `alone` is known: by history, and with a value */
	struct judgement alone;
};

/* A fact of the machine or its software that differs between baseline and candidate. */
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

struct comparison {
	const struct gate_series *series;
	const struct run *run; /* names the series: candidate, else baseline */
	const struct policy *policy;
	enum metric metric; /* that was judged */
	struct judgement judged;
	struct gate_record record;
	size_t measurements;                /* of the candidate: ingests at different times */
	enum verdict first, second;         /* what each says alone; VERDICT_LIMIT: not asked */
	double p, p_faster;                 /* of the first measurement; NAN: not by the record */
	bool older;                         /* looks worse, as the commit before did */
	bool already;                       /* bad at the commit before, too (windowed gates) */
	const struct detect_change *change; /* METHOD_HISTORY: the change that is meant */
	struct drift_result creep_release, creep_best; /* of turned values */
	enum verdict_turn creep_turn;
	const struct message *creep_reason;  /* NULL: no creep */
	const struct acceptance *acceptance; /* the line that is about it, NULL: none */
	enum verdict accepted;               /* VERDICT_ACCEPTED: what it would be */
	/* Around `change`, where the environment may have changed; NULL: not needed. */
	struct gate_older_runs *before_change, *after_change;
	/* --- filled in when all are concluded --- */
	double measured;              /* what the candidate measured, also where there is nothing to
				       * judge it by; NAN: nothing, or its result is incorrect */
	struct judge_interval effect; /* 95 % interval of the effect; NAN: not judged by history */
	struct judge_interval change_interval; /* 95 % interval of judged.change; NAN: unknown */
	enum treatment treat;                  /* of its verdict */
	enum exit_status status;               /* that the comparison alone leads to */
	bool acceptable;                       /* a line of the base tree may be about it */
	/* The commits of `change`; last_before is NULL where the history begins with it. */
	const struct revision *last_before, *first_after;
	const struct gate_details *details; /* NULL: not asked for */
	const struct explanation *why;      /* explain_gate(); NULL: not asked */
};

/* What may have moved many series at once. */
struct gate_environment {
	bool event;
	size_t moved, looked_at; /* comparisons that moved alike, of those of that metric */
	double factor; /* of those that moved, in the median; above 1 is worse; NAN: none */
	size_t folded; /* comparisons whose verdict it became */
	const struct message **changes; /* "compiler_version 2.23 -> 2.24 (12 series)" */
	size_t change_count;
};

struct acceptance_list;
struct acceptance_clock;
struct acceptance_use;

/* The command line's words on top of the rows' own. */
struct gate_treatment {
	enum treatment treat[VERDICT_LIMIT];
};

/* What is judged, and by what. Made by the caller, and never changed by the gate. */
struct gate_input {
	struct revision candidate;
	bool dirty; /* the candidate's runs are those of a work tree with uncommitted changes */
	const struct gate_series_list *series;
	const struct policy_list *policies;
	const struct gate_settings *settings;
	struct gate_treatment treatment;
	/* What the candidate is compared with. */
	const char *against;                 /* "the nearest ancestor with data", "v1.2 (...)" */
	const struct history_set *histories; /* NULL: no history at all */
	uint32_t newest;      /* place in the chain at which the baseline history begins */
	bool windowed;        /* changes within the history count as well */
	bool named;           /* the newest commit of the history was asked for */
	bool best;            /* the baseline is the best period of the history */
	const char *pin_name; /* the newest pinned release on the chain, NULL: none */
	uint32_t pin;         /* its place */
	size_t away;          /* series that this commit lacks, as others of the history do */
	/* The base tree's. */
	const struct acceptance_list *acceptances; /* NULL: none were looked for */
	const struct acceptance_clock *clock;      /* with `acceptances` */
	bool every_number; /* explanations are asked for: details, and drift where none is flagged
			    */
};

/* The comparisons of a call, each judged by itself, and what the gate needs to go on. */
struct gate_plan {
	const struct gate_input *input;
	struct comparison *comparisons;
	size_t count;
	const struct policy **idle; /* rules that fit no series at all: a typing mistake? */
	size_t idle_count;
	struct gate_older_list needed; /* to be loaded */
};

struct gate_rerun {
	const struct gate_series *series;
	const struct comparison *const *because; /* worst first, as the gate's comparisons are */
	size_t because_count;
	size_t measurements; /* more of them, each in a session of its own */
	size_t runs;         /* in each measurement */
};

/* What to measure again: series that another measurement of the candidate would decide. */
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
	size_t newly;                 /* of a windowed gate: bad, and not at the commit before */
	size_t crept;                 /* comparisons with drift, whatever their verdict */
	struct gate_environment environment;
	struct acceptance_use *uses; /* of each line of input->acceptances */
	/* A series whose baseline all comparisons share; NULL where they differ or have none. */
	const struct gate_series *shared_baseline;
	struct gate_reruns reruns;
	enum exit_status exit_status;
	const char *verdict;          /* "pass", "regression", "undecided" ... */
	const struct message *reason; /* with the denominators */
};

/* First pass: one comparison for each series and rule that fits it, each judged by itself. */
struct gate_plan gate_plan(struct arena *arena, const struct gate_input *input);
/* Second pass, when plan->needed is loaded: chance, environment, drift, acceptances, and what all
 * of them amount to. The result takes over the plan's comparisons. */
struct gate_result gate_run(struct arena *arena, const struct gate_plan *plan);

/* --- what the steps of gate_run() share with those who replay a gate --- */

/* Judges each comparison by itself. */
void gate_decide_each(struct arena *arena, struct gate_result *gate);
/* All of them together: false discoveries, the environment, second measurements. */
void gate_decide_together(struct arena *arena, struct gate_result *gate);

/* --- questions about results --- */

/* Whether the fact is one of the machine or its software, which no change of the code explains. */
bool gate_is_environment_key(const char *key);
/* Adds the runs at a point of the comparison's history to those that are to be loaded. */
struct gate_older_runs *gate_need_runs(struct arena *arena, struct gate_older_list *needed,
				       const struct gate_result *gate, const struct comparison *one,
				       size_t point);

/* Of a comparison with drift: the first commit of the history at which it would have been flagged,
 * as a place of the chain. False where only the candidate shows it, or nothing does. O(commits^2).
 */
bool gate_drift_since(const struct gate_result *gate, const struct comparison *one,
		      uint32_t *place);
/* The commit of a point of the comparison's history; beyond its points the candidate. */
const struct revision *gate_revision_at(const struct gate_result *gate,
					const struct comparison *one, size_t point);
/* Whether the verdict says something about the candidate. */
bool gate_is_judged(enum verdict verdict);
/* Whether a person may say that it passes, or fails. A regression always fails; a context rule
 * never does. */
bool gate_is_treatable(enum verdict verdict);
/* Whether it keeps a gate from passing unless it is treated otherwise. */
bool gate_keeps_from_passing(enum verdict verdict);
/* What the command line, or else the rule, says about the verdict. */
enum treatment gate_treatment_of(const struct gate_input *input, const struct policy *policy,
				 enum verdict verdict);

/* Of a comparison with its candidate, judged: the band is the judge's, acceptances are flagged, and
 * commits are known. */
struct trend gate_trend_of(struct arena *arena, const struct gate_result *gate,
			   const struct comparison *one);
/* Those of the first `most` comparisons, in their order; *count: how many. */
struct trend *gate_trends(struct arena *arena, const struct gate_result *gate, size_t most,
			  size_t *count);

/* Whether the history alone, without the candidate, has a change for the worse in the window. */
bool gate_was_bad(const struct gate_result *gate, const struct comparison *one);

/* --- self-test --- */

struct gate_selftest_row {
	const struct comparison *one;  /* as it was judged by itself, without the slowdown */
	const struct message *why_not; /* why the planted slowdown is not flagged; NULL: it is */
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

/* The planted comparisons, each judged by itself, and what the gate needs to go on. */
struct gate_selftest_plan {
	const struct gate_result *gate;
	struct gate_result each; /* the gate's comparisons without a slowdown, judged likewise */
	struct comparison *planted;
	double share;
	struct gate_older_list needed; /* to be loaded */
};

/* share: the slowdown, relative: 0.25. */
struct gate_selftest_plan gate_selftest_plan(struct arena *arena, const struct gate_result *gate,
					     double share);
struct gate_selftest gate_selftest_run(struct arena *arena, const struct gate_selftest_plan *plan);
