/*
 * Explains why a metric changed: finds what differs between two profiles of one series, ranks it,
 * and summarizes it in at most two sentences (docs/user/explain.md).
 *
 * Engines overlap, so their active times are never added up to the run's time; the contribution of
 * a part is a fact about that part alone. Profiles that show no difference get no sentence.
 *
 * Never add sentences; reasons are codes with numbers.
 */
#pragma once

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
	const char *key;  /* key of the metric, or name of the line, kernel, fact ... */
	const struct message *text; /* "DMA active +2.9 us" */
	enum unit unit;             /* of before and after */
	double before, after;       /* NAN: missing on that side, or not a number */
	double change;              /* after / before - 1; NAN: none */
	double seconds;             /* after - before for a time, s; else NAN */
	double weight;              /* larger comes first, within its kind of evidence */
};

struct explanation {
	enum metric metric; /* the explained metric; METRIC_COUNT: nothing changed, or it is
			     * unknown */
	double before, after, change;
	enum explain_cause cause;
	const struct message *text; /* NULL: the profiles do not show it */
	struct explain_part *parts; /* most informative first */
	size_t count, capacity;
	size_t compared, different; /* deterministic counters that both have, and how many of these
				     * differ */
};

/* "code", "noise", "environment", "unknown" */
const char *explain_cause_name(enum explain_cause cause);

/* Explains one metric; METRIC_COUNT: the headline. Both runs are derived and have their details;
 * either may be NULL. */
struct explanation explain_runs(struct arena *arena, const struct run *before,
				const struct run *after, enum metric metric);

/* Whether the difference deserves a sentence although nothing was judged: at least 1 %, or another
 * program. */
bool explain_is_worth(const struct explanation *found);

/* --- the comparisons of a gate --- */

/* The two sides of one comparison: runs already loaded, or older ones that the caller loads. */
struct explain_sides {
	struct comparison *one;
	const struct gate_older_runs *before, *after; /* NULL: the baseline, the candidate */
	const char *since; /* the commit of `before` if it is not the expected one; else NULL */
};

/* The comparisons to explain, and the runs that this requires. */
struct explain_plan {
	struct explain_sides *sides;
	size_t count;
	struct gate_older_list needed; /* to be loaded, with details */
	/* Series whose runs on both sides need their details. */
	const struct gate_series **series;
	size_t series_count;
};

/* Plans explanations of the comparisons that decide something and changed. For a change within the
 * history the two sides are the commits around it, else baseline and candidate. Only series of the
 * first 200 comparisons are explained: if hundreds shifted, one event did it. */
struct explain_plan explain_plan(struct arena *arena, const struct gate_result *gate);
/* Sets `why` of the plan's comparisons, after `needed` is loaded. */
void explain_gate(struct arena *arena, const struct explain_plan *plan);
