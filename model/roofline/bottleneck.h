/*
 * What holds a kernel back, said twice because the two can differ: the side of
 * the roofline it stands on (arithmetic intensity against the effective ridge),
 * and the class by utilisation, as in the health table of profiling practice:
 * memory high and tensor low is memory-bound, the reverse compute-bound, both
 * low latency-bound; poor reuse is a locality issue on top of any class.
 *
 * Of a GPU run the class is by DRAM throughput (high above 70 %) and tensor pipe
 * (high above 60 %). Where one of them is not known, that is said, and the class is
 * that of Nsight Compute's SpeedOfLight rule (model/roofline/speed_of_light.h).
 */
#pragma once

#include "base/base.h"
#include "model/message/message.h"
#include "model/run/run.h"

enum bound { BOUND_UNKNOWN, BOUND_MEMORY, BOUND_COMPUTE, BOUND_BALANCED, BOUND_LATENCY };

/* What one rule says of a GPU run. */
struct bottleneck_verdict {
	const char *rule;            /* "roofline", "ncu-sol", "utilisation" */
	const struct message *title; /* "memory side", "Latency Issue", "Memory-bound" */
	enum bound bound;
	const struct message *reason;
};

enum { BOTTLENECK_VERDICTS = 3 };

struct bottleneck {
	enum bound class; /* by utilisation */
	enum bound side;  /* of the roofline: BOUND_MEMORY, BOUND_COMPUTE or BOUND_UNKNOWN */
	bool locality;    /* more HBM traffic than 1 / 0.8 of the compulsory, or few L2 hits */
	enum message_code title;        /* "Latency-bound" */
	const struct message *reason;   /* one sentence with the numbers */
	const struct message *roofline; /* one on the roofline position; NULL when unknown */
	struct bottleneck_verdict verdicts[BOTTLENECK_VERDICTS]; /* of a GPU run */
	size_t verdict_count;
	bool disagree; /* the verdicts are not all the same */
};

/* "memory", "compute" ... */
const char *bottleneck_bound_name(enum bound bound);
struct bottleneck bottleneck_of(struct arena *arena, const struct run *run);

/* The utilisation from which memory or the tensor engine counts as well used: 60 %. */
extern const double bottleneck_high;
/* HBM traffic over compulsory traffic from which reuse counts as poor: 1.25. */
extern const double locality_limit;
