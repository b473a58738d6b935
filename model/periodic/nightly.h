/*
 * What changed since the previous run of the nightly gate: which comparisons are newly slower,
 * which were fixed, which are still open, which drift. The input is the concluded result of a
 * nightly gate (gate->input->windowed).
 *
 * Never add loading, printing, or new statistics.
 */
#pragma once

#include "model/gate/gate.h"

/* Each comparison of a primary rule is in exactly one group. */
enum nightly_group {
	NIGHTLY_NEWLY,     /* fails the gate, but did not in the previous run */
	NIGHTLY_SUSPECT,   /* looks worse; another measurement, or further runs, decide */
	NIGHTLY_FIXED,     /* back where it was before a change for the worse, as of this run */
	NIGHTLY_IMPROVED,  /* better as of this run, and not by a fix */
	NIGHTLY_STILL,     /* also failed in the previous run */
	NIGHTLY_MISSING,   /* not measured in this run, or incomparable */
	NIGHTLY_STALE,     /* no longer measured in earlier runs */
	NIGHTLY_UNDECIDED, /* measured, but undecided */
	NIGHTLY_NEW,       /* nothing to compare with yet */
	NIGHTLY_QUIET,     /* unchanged, held, accepted */
	NIGHTLY_LIMIT
};

/* A comparison in a list. Only the first rows of a list have a trend. */
struct nightly_row {
	const struct comparison *one;
	const char *spark;                     /* the trend as a sparkline; NULL: not shown */
	const struct revision *drifting_since; /* for drifts: the first commit at which it would
						* have been flagged; NULL: this commit */
};

struct nightly_list {
	struct nightly_row *rows; /* worst first; NIGHTLY_FIXED in the gate's order */
	size_t count;
};

struct nightly {
	const struct gate_result *gate;
	struct nightly_list groups[NIGHTLY_LIMIT];
	struct nightly_list still_stepped; /* the rows of NIGHTLY_STILL without drift */
	struct nightly_list
		drifts; /* with drift, but without a regression by one step; the largest first */
	const struct revision *before; /* the newest commit of the history; NULL: none */
	int64_t age;                   /* first-parent steps to `before`; -1: unknown */
};

/* The first `shown` rows of each list get their trends. */
struct nightly nightly_of(struct arena *arena, const struct gate_result *gate, size_t shown);
const char *nightly_group_name(enum nightly_group group);

/* A row with its trend, for use in other lists. */
struct nightly_row nightly_row_of(struct arena *arena, const struct gate_result *gate,
				  const struct comparison *one);
