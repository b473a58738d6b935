/*
 * What a night brought, seen against the night before: which comparisons turned
 * bad, which were made good, which stay as they are, which drift. Of a nightly
 * gate (gate->windowed) that is concluded.
 */
#ifndef MODEL_GATE_NIGHTLY_H
#define MODEL_GATE_NIGHTLY_H

#include "model/gate/gate.h"

/* Each comparison of a primary row is in one of them. */
enum night_group {
	NIGHT_NEWLY,     /* fails the gate, and did not the night before */
	NIGHT_SUSPECT,   /* looks worse tonight; another measurement, or more nights, decide */
	NIGHT_FIXED,     /* failed the night before; its level changed for the better since */
	NIGHT_IMPROVED,  /* better, and not by a repair */
	NIGHT_STILL,     /* failed the night before, too */
	NIGHT_MISSING,   /* not measured tonight, or incomparable */
	NIGHT_STALE,     /* stopped arriving before */
	NIGHT_UNDECIDED, /* measured, and nobody can tell */
	NIGHT_NEW,       /* nothing to compare with yet */
	NIGHT_QUIET,     /* unchanged, held, accepted */
	NIGHT_LIMIT
};

struct night_list {
	const struct comparison **items; /* worst first; of NIGHT_FIXED as in the gate */
	size_t count;
};

struct night {
	struct night_list groups[NIGHT_LIMIT];
	struct night_list drifts; /* with creep, and no regression by one step; the largest first */
	const struct revision *before; /* the newest commit on record; NULL: none */
	int64_t age;                   /* its first-parent steps; -1 unknown */
};

struct night night_of(struct arena *arena, const struct gate *gate);
const char *night_group_name(enum night_group group);

#endif
