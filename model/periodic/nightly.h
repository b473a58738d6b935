/*
 * What a night brought, seen against the night before: which comparisons turned
 * bad, which were made good, which stay as they are, which drift. Of a nightly
 * gate (gate->input->windowed) that is concluded.
 *
 * Never add loading, printing, or new statistics.
 */
#pragma once

#include "model/gate/gate.h"

/* Each comparison of a primary row is in one of them. */
enum nightly_group {
	NIGHTLY_NEWLY,     /* fails the gate, and did not the night before */
	NIGHTLY_SUSPECT,   /* looks worse tonight; another measurement, or more nights, decide */
	NIGHTLY_FIXED,     /* failed the night before; its level changed for the better since */
	NIGHTLY_IMPROVED,  /* better, and not by a repair */
	NIGHTLY_STILL,     /* failed the night before, too */
	NIGHTLY_MISSING,   /* not measured tonight, or incomparable */
	NIGHTLY_STALE,     /* stopped arriving before */
	NIGHTLY_UNDECIDED, /* measured, and not decided */
	NIGHTLY_NEW,       /* nothing to compare with yet */
	NIGHTLY_QUIET,     /* unchanged, held, accepted */
	NIGHTLY_LIMIT
};

/* A comparison in a list; the first ones of a list have what is shown of them. */
struct nightly_row {
	const struct comparison *one;
	const char *spark;                     /* the trend as a line of text; NULL: not shown */
	const struct revision *drifting_since; /* of a shown drift: the first commit at which it
						* would have been flagged; NULL: this one */
};

struct nightly_list {
	struct nightly_row *rows; /* worst first; of NIGHTLY_FIXED as in the gate */
	size_t count;
};

struct nightly {
	const struct gate_result *gate;
	struct nightly_list groups[NIGHTLY_LIMIT];
	struct nightly_list still_stepped; /* those of NIGHTLY_STILL that are no drifts */
	struct nightly_list
		drifts; /* with drift, and no regression by one step; the largest first */
	const struct revision *before; /* the newest commit of the history; NULL: none */
	int64_t age;                   /* its first-parent steps; -1 unknown */
};

/* The first `shown` rows of each list get what is shown of them. */
struct nightly nightly_of(struct arena *arena, const struct gate_result *gate, size_t shown);
const char *nightly_group_name(enum nightly_group group);

/* A row with its trend, for other lists. */
struct nightly_row nightly_row_of(struct arena *arena, const struct gate_result *gate,
				  const struct comparison *one);
