/*
 * The changes of level of some days, by the commit that each is attributed to:
 * what a team looks through once a week. Of a nightly gate (gate->windowed) that is
 * concluded.
 */
#ifndef MODEL_GATE_WEEKLY_H
#define MODEL_GATE_WEEKLY_H

#include "model/gate/gate.h"
#include "model/gate/trend.h"

enum week_state {
	WEEK_OPEN,     /* worse, and so it still is */
	WEEK_ACCEPTED, /* worse, and people put up with it */
	WEEK_MENDED,   /* was worse; the level is back */
	WEEK_BETTER,   /* better, and so it still is */
	WEEK_LOST,     /* was better; the level is back */
	WEEK_NEUTRAL   /* of a metric of which neither way is better */
};
const char *week_state_name(enum week_state state);

struct week_move {
	const struct comparison *one;
	struct trend_change change;
	enum week_state state;
};

/* A commit, or where some before it were not measured the newest of several. */
struct week_commit {
	uint32_t last_before, first_after; /* places of the gate's trends (model/gate/trend.h) */
	const struct revision *before, *commit; /* good and bad of a bisection */
	struct week_move *moves;                /* open ones first, then by size */
	size_t count;
	size_t states[WEEK_NEUTRAL + 1];
};

struct week {
	struct week_commit *commits; /* first those whose open moves cost most, then the newest */
	size_t count;
	size_t moves, open; /* in all of them */
};

/* Changes at commits whose time is `since` (Unix seconds) or later. */
struct week week_of(struct arena *arena, const struct gate *gate, int64_t since);

#endif
