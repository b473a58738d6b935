/*
 * A gate that proves that it can fail: a slowdown is planted into the candidate of every judged
 * comparison, one at a time and in memory only, and the gate decides again.
 */
#ifndef MODEL_GATE_SELFTEST_H
#define MODEL_GATE_SELFTEST_H

#include "model/gate/gate.h"

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

#endif
