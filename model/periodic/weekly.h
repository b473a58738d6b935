/*
 * The weekly review: the changes of some days, grouped by the commit that each is attributed to.
 * The input is the concluded result of a nightly gate (gate->input->windowed).
 */
#pragma once

#include "model/gate/gate.h"
#include "model/periodic/nightly.h"
#include "model/trend/trend.h"

enum weekly_state {
	WEEKLY_OPEN,     /* worse, and still so */
	WEEKLY_ACCEPTED, /* worse, and accepted */
	WEEKLY_MENDED,   /* was worse; the mean is back */
	WEEKLY_BETTER,   /* better, and still so */
	WEEKLY_LOST,     /* was better; the mean is back */
	WEEKLY_NEUTRAL   /* the metric has no better direction */
};
const char *weekly_state_name(enum weekly_state state);

struct weekly_move {
	const struct comparison *one;
	struct trend_change change;
	enum weekly_state state;
	const struct revision *mended_by; /* of a change that was fixed: the commit that did */
};

/* A commit; if some before it were not measured, the newest of several. */
struct weekly_commit {
	uint32_t last_before, first_after; /* places in the gate's trends (model/trend/trend.h) */
	const struct revision *before, *commit; /* --good and --bad of a bisection */
	struct weekly_move *moves;              /* open ones first, then by size of the change */
	size_t count;
	size_t states[WEEKLY_NEUTRAL + 1];
	const char *author; /* set by the caller; NULL: unknown */
};

struct weekly {
	const struct gate_result *gate;
	int64_t since;                 /* Unix seconds */
	struct weekly_commit *commits; /* those whose open moves cost most first, then the newest
					* first */
	size_t count;
	size_t moves, open; /* totals over all commits */
	/* Open slowdowns other than the week's moves: `newly` at the newest commit only, where a
	 * change point cannot be confirmed yet, and `older`. Then accepted ones. All worst
	 * first. */
	struct nightly_list newly, older, accepted;
};

/* Changes at commits whose time is `since` (Unix seconds) or later. The first `shown` rows of each
 * list get their trends. */
struct weekly weekly_of(struct arena *arena, const struct gate_result *gate, int64_t since,
			size_t shown);
