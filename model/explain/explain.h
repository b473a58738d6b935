/*
 * Why a figure moved: what two profiles of one series know about the difference
 * between them, ranked and in at most two sentences (docs/user/explain.md).
 *
 * Engines overlap, so their active times are never added up to the time of the
 * run; what a part contributes is a fact about that part alone. Where the
 * profiles say nothing there is no sentence.
 *
 * Never add sentences; reasons are codes with numbers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "model/gate/gate.h"
#include "model/message/message.h"
#include "model/run/run.h"

enum explain_cause {
	EXPLAIN_UNKNOWN,
	EXPLAIN_CODE,        /* a deterministic counter differs */
	EXPLAIN_NOISE,       /* the kernel is the same byte for byte */
	EXPLAIN_ENVIRONMENT, /* no such counter differs, but versions, clocks or throttling do */
	EXPLAIN_CAUSES
};

/* One thing that differs. */
struct explain_part {
	const char *kind; /* "input", "engine", "gap", "device", "dispatch", "phase", "cycles",
			     "clock", "throttle", "kernel", "source", "opcode", "counter",
			     "gauge", "tuning", "environment" */
	const char *key;  /* a metric's key, or the name of the line, kernel, fact ... */
	const struct message *text; /* "DMA active +2.9 us" */
	enum unit unit;             /* of before and after */
	double before, after;       /* NAN: not there, or words */
	double change;              /* after / before - 1; NAN: none */
	double seconds;             /* after less before, of a time; else NAN */
	double weight;              /* larger is said first, within its kind of evidence */
};

struct explanation {
	enum metric metric; /* what is explained; METRIC_COUNT: nothing moved, or it is unknown */
	double before, after, change;
	enum explain_cause cause;
	const struct message *text; /* NULL: the profiles do not say */
	struct explain_part *parts; /* the most telling first */
	size_t count, capacity;
	size_t compared, different; /* deterministic counters that both know, and those of them
				     * that differ */
};

/* "code", "noise", "environment", "unknown" */
const char *explain_cause_name(enum explain_cause cause);

/* Of one metric; METRIC_COUNT: of what says how fast the run was. Both runs are derived and have
 * their details; either may be NULL. */
struct explanation explain_runs(struct arena *arena, const struct run *before,
				const struct run *after, enum metric metric);

/* Whether it is worth a sentence where nothing was judged: a difference of 1 %, or another
 * program. */
bool explain_is_worth(const struct explanation *found);

/* --- the comparisons of a gate --- */

/* The two sides of one comparison; each either runs at hand or older ones that are to be loaded. */
struct explain_sides {
	struct comparison *one;
	const struct gate_older_runs *before, *after; /* NULL: the baseline, the candidate */
	const char *since; /* the commit of `before`, where that would not be expected; else NULL */
};

/* Which comparisons are explained, and what that takes. */
struct explain_plan {
	struct explain_sides *sides;
	size_t count;
	struct gate_older_list needed; /* to be loaded, with details */
	/* Series whose runs on both sides need their details. */
	const struct gate_series **series;
	size_t series_count;
};

/* Comparisons that decide something, where something moved: of one that found a change within the
 * history the commits between which it lies, else baseline and candidate. Only the series of the
 * first 200 comparisons: hundreds moved by one event. */
struct explain_plan explain_plan(struct arena *arena, const struct gate_result *gate);
/* Sets `why` of the plan's comparisons, once what it needs is loaded. */
void explain_gate(struct arena *arena, const struct explain_plan *plan);
