/*
 * The gate: policies applied to series, one comparison for each series and row,
 * and one exit status out of all of them. Which runs are compared is the caller's
 * business; here they are judged, looked at together, counted and ranked.
 *
 * A comparison is judged by the record of its series: the commits of the
 * reference's first-parent chain since its last change of level. What looks worse
 * must also stand among everything judged in the call, must not be what happened
 * to most series at once, and must be measured a second time.
 */
#ifndef MODEL_GATE_GATE_H
#define MODEL_GATE_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/verdict/creep.h"
#include "model/verdict/exit_status.h"
#include "model/changepoint/detect.h"
#include "model/verdict/series_history.h"
#include "model/verdict/policy.h"
#include "model/commits/revision.h"
#include "model/run/run.h"
#include "model/verdict/verdict.h"

/* Of each series the gate looks at the newest so many commits with data, where it may choose, and
 * at all since a pinned release; to have some more at hand changes nothing. */
enum {
	/* In which changes and the best level are looked for. */
	GATE_RECORD = 500,
	/* Where rows judge what is no headline, which not all of these may have. */
	GATE_HISTORY = 600
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
	const char *incomparable; /* what differs from the nearest other series, or NULL */
	const char *stopped;      /* when and where it was seen last, for a series that stopped
				   * arriving before the baseline; or NULL */
	bool bare; /* its runs lack engines, totals and tensors: why it moved is not asked */
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
	double noise_of_all;           /* detect_noise() of the logs of all points; NAN: unknown */
	double pooled;                 /* of sister series, or the row's; NAN: unknown */
};

struct acceptance;
struct explanation;

/* Why a comparison moved, kept once it was found out: that may ask for stored runs. */
struct comparison_why {
	struct arena *arena; /* that of gate_conclude() */
	const struct explanation *found;
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
	struct creep_result creep_release, creep_best; /* of turned values */
	enum verdict_turn creep_turn;
	const char *creep_words;             /* NULL: no creep */
	const struct acceptance *acceptance; /* the line that is about it, NULL: none */
	enum verdict accepted;               /* VERDICT_ACCEPTED: what it would be */
	struct comparison_why *why;          /* explain_comparison()'s, shared by copies; NULL
					      * before the gate is concluded */
};

/* What may have moved many series at once. */
struct gate_environment {
	bool event;
	size_t moved, looked_at; /* comparisons that moved alike, of those of that metric */
	double factor;        /* of those that moved, in the median; above 1 is worse; NAN: none */
	size_t folded;        /* comparisons whose verdict it became */
	const char **changes; /* "compiler_version 2.23 -> 2.24 (12 series)" */
	size_t change_count;
};

struct acceptance_list;
struct acceptance_clock;
struct acceptance_use;

/* The command line's words on top of the rows' own. */
struct gate_treatment {
	enum treatment treat[VERDICT_LIMIT];
};

struct gate {
	/* Given. */
	const char *against; /* "nearest ancestor with data", "baseline v1.2" ... */
	struct revision candidate;
	bool dirty; /* the candidate's runs are those of a work tree with uncommitted changes */
	const struct gate_settings *settings;
	const struct history_set *set; /* NULL: no history at all */
	uint32_t newest;               /* the record begins at this place of the chain */
	bool windowed;                 /* changes within the history count as well */
	/* Loads the runs of a series at a place of the chain; NULL: nobody can. */
	void (*load_runs)(void *context, const char *series, uint32_t place, struct run_list *runs);
	void *load_context;
	bool named;           /* the newest commit of the record was asked for */
	bool best;            /* the record is the best level of the history */
	const char *pin_name; /* the newest pinned release on the chain, NULL: none */
	uint32_t pin;         /* its place */
	bool figures;         /* are asked for where no creep is flagged, too */
	size_t away;          /* series that this commit lacks, as others of the record do */
	/* Found. */
	struct comparison *comparisons; /* worst first */
	size_t count;
	size_t series;                /* series looked at */
	size_t counts[VERDICT_LIMIT]; /* comparisons by verdict, context rows left out */
	size_t context;               /* comparisons of context rows */
	size_t judged;                /* comparisons with a statement about the candidate */
	size_t newly;                 /* of a windowed gate: bad, and not at the commit before */
	size_t crept;                 /* comparisons with creep, whatever their verdict */
	struct gate_environment environment;
	const struct acceptance_list *acceptances; /* NULL: none were looked for */
	struct acceptance_use *uses;               /* of each of its lines */
	struct gate_treatment treatment;           /* that was concluded with */
	enum exit_status exit_status;
	const char *verdict;        /* "pass", "regression", "undecided" ... */
	const char *reason;         /* one sentence with the denominators */
	const struct policy **idle; /* rows that fit no series at all: a typing mistake? */
	size_t idle_count;
};

/* Makes the comparisons and finds their records; then judges them; then concludes. Between the
 * steps the caller may change verdicts (acceptances). */
void gate_compare(struct arena *arena, const struct gate_series_list *series,
		  const struct policy_list *policies, struct gate *gate);
void gate_decide(struct arena *arena, struct gate *gate);
/* Whether a line of the base tree may be about it: it is worse, or gone. */
bool gate_is_acceptable(const struct comparison *one);
/* Lines of the base tree turn what they accept into VERDICT_ACCEPTED. */
void gate_accept(struct arena *arena, const struct acceptance_list *list,
		 const struct acceptance_clock *clock, struct gate *gate);
void gate_conclude(struct arena *arena, const struct gate_treatment *treatment, struct gate *gate);

/* --- the parts of gate_decide(), in their order --- */

/* Each by itself. */
void gate_decide_each(struct arena *arena, struct gate *gate);
/* All of them: false discoveries, the environment. */
void gate_decide_together(struct arena *arena, struct gate *gate);
/* What no step shows. It becomes the verdict of a windowed gate only. */
void gate_decide_creep(struct arena *arena, struct gate *gate);

/* Of a comparison with creep: the first commit of the history at which it would have been flagged,
 * as a place of the chain. False where only the candidate shows it, or nothing does. O(commits^2).
 */
bool gate_creep_since(const struct gate *gate, const struct comparison *one, uint32_t *place);

/* A series whose baseline all comparisons share; NULL where they differ or have none. */
const struct gate_series *gate_shared_baseline(const struct gate *gate);
/* The commit of a point of the comparison's record; beyond its points the candidate. */
const struct revision *gate_revision_at(const struct gate *gate, const struct comparison *one,
					size_t point);
/* What the candidate measured, also where there is nothing to judge it by; NAN: nothing, or its
 * result is incorrect. */
double gate_candidate(struct arena *arena, const struct comparison *one);
/* Whether the verdict says something about the candidate. */
bool gate_is_judged(enum verdict verdict);
/* Whether a person may say that it passes, or fails. A regression always fails; a row for context
 * never does. */
bool gate_is_treatable(enum verdict verdict);
/* Whether it keeps a gate from passing unless it is treated otherwise. */
bool gate_keeps_from_passing(enum verdict verdict);
/* What the command line, or else the row, says about the verdict. */
enum treatment gate_treatment_of(const struct gate *gate, const struct policy *policy,
				 enum verdict verdict);
/* The exit status that the comparison alone leads to. */
enum exit_status gate_status_of(const struct gate *gate, const struct comparison *one);
/* All runs of both sides are of one kernel, byte for byte. False where that is unknown. */
bool gate_same_kernel(const struct gate_series *series);
/* What the fact was in the first run that knows it; NULL when none does, or when one of them, as a
 * baseline that was measured again, has it as it is now. */
const char *gate_was_otherwise(const struct run_list *before, const char *key, const char *now);
/* Whether the fact is one of the machine or its software, which no change of the code explains. */
bool gate_is_environment_key(const char *key);

#endif
