/*
 * What limits a kernel, by two criteria that can differ:
 *  - the side of the roofline: arithmetic intensity vs. the effective ridge;
 *  - the class by utilization, as in the health table of profiling practice: memory high and
 *    tensor low is memory-bound, the reverse is compute-bound, both low is latency-bound. Poor
 *    reuse is a locality issue on top of any class.
 *
 * For GPU runs the class is by DRAM throughput (high above 70 %) and tensor pipe (high above 60 %).
 * If one of them is unknown, the text states so, and the class is that of Nsight Compute's
 * SpeedOfLight rule (model/roofline/speed_of_light.h).
 */
#pragma once

#include "base/base.h"
#include "model/message/message.h"
#include "model/run/run.h"

enum bound { BOUND_UNKNOWN, BOUND_MEMORY, BOUND_COMPUTE, BOUND_BALANCED, BOUND_LATENCY };

/* The verdict of one rule on a GPU run. */
struct bottleneck_verdict {
	const char *rule;            /* "roofline", "ncu-sol", "utilisation" */
	const struct message *title; /* "memory side", "Latency Issue", "Memory-bound" */
	enum bound bound;
	const struct message *reason;
};

enum { BOTTLENECK_VERDICTS = 3 };

struct bottleneck {
	enum bound class; /* by utilisation */
	enum bound side;  /* side of the roofline: BOUND_MEMORY, BOUND_COMPUTE or BOUND_UNKNOWN */
	bool locality;    /* HBM traffic above 1 / 0.8 of the compulsory traffic, or few L2 hits */
	enum message_code title;        /* "Latency-bound" */
	const struct message *reason;   /* one sentence with the numbers */
	const struct message *roofline; /* one sentence on the roofline position; NULL: unknown */
	struct bottleneck_verdict verdicts[BOTTLENECK_VERDICTS]; /* of a GPU run */
	size_t verdict_count;
	bool disagree; /* the verdicts are not all the same */
};

/* "memory", "compute" ... */
const char *bottleneck_bound_name(enum bound bound);
struct bottleneck bottleneck_of(struct arena *arena, const struct run *run);

/* Utilization from which memory or the tensor engine counts as well used: 60 %. */
extern const double bottleneck_high;
/* HBM traffic / compulsory traffic from which reuse counts as poor: 1.25. */
extern const double locality_limit;
