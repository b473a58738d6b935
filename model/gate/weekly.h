/*
 * The changes of level of some days, by the commit that each is attributed to:
 * what a team looks through once a week. Of a nightly gate (gate->input->windowed) that is
 * concluded.
 */
#ifndef MODEL_GATE_WEEKLY_H
#define MODEL_GATE_WEEKLY_H

#include "model/gate/gate.h"
#include "model/gate/nightly.h"
#include "model/gate/trend.h"

enum weekly_state {
	WEEKLY_OPEN,     /* worse, and so it still is */
	WEEKLY_ACCEPTED, /* worse, and accepted */
	WEEKLY_MENDED,   /* was worse; the level is back */
	WEEKLY_BETTER,   /* better, and so it still is */
	WEEKLY_LOST,     /* was better; the level is back */
	WEEKLY_NEUTRAL   /* the metric has no better direction */
};
const char *weekly_state_name(enum weekly_state state);

struct weekly_move {
	const struct comparison *one;
	struct trend_change change;
	enum weekly_state state;
};

/* A commit, or where some before it were not measured the newest of several. */
struct weekly_commit {
	uint32_t last_before, first_after; /* places of the gate's trends (model/gate/trend.h) */
	const struct revision *before, *commit; /* good and bad of a bisection */
	struct weekly_move *moves;              /* open ones first, then by size */
	size_t count;
	size_t states[WEEKLY_NEUTRAL + 1];
	const char *author; /* filled in by the caller; NULL: unknown */
};

struct weekly {
	const struct gate_result *gate;
	int64_t since;                 /* Unix seconds */
	struct weekly_commit *commits; /* first those whose open moves cost most, then the newest */
	size_t count;
	size_t moves, open; /* in all of them */
	/* What is bad and not a move of the week: of the newest commit only, where no change point
	 * is confirmed yet, or older. Then what is accepted. All worst first. */
	struct nightly_list newly, older, accepted;
};

/* Changes at commits whose time is `since` (Unix seconds) or later. The first `shown` rows of each
 * list get what is shown of them. */
struct weekly weekly_of(struct arena *arena, const struct gate_result *gate, int64_t since,
			size_t shown);

#endif
