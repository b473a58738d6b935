/*
 * Nsight Compute's SpeedOfLight rule, as its SpeedOfLight.py states it: from the
 * throughput of the SMs and of the memory system (both of peak) and the waves
 * per SM to one of six outcomes. Ours, so that a file without rule texts has a
 * verdict too, and so that one with them can be checked.
 */
#pragma once

#include "base/base.h"
#include "model/roofline/bottleneck.h"

enum sol {
	SOL_UNKNOWN,    /* a throughput is not known */
	SOL_SMALL_GRID, /* both low, and less than one wave */
	SOL_LATENCY,    /* both low, at least one wave */
	SOL_LOW,        /* both low, the waves are not known: either of the two */
	SOL_COMPUTE,
	SOL_MEMORY,
	SOL_BALANCED,
	SOL_HIGH, /* one of them is at 80 % or more */
	SOL_LIMIT
};

/* The rule's constants: 80 % counts as no bound, below 60 % as latency; apart by 10 points. */
extern const double sol_no_bound, sol_latency, sol_balanced, sol_waves;

struct speed_of_light_info {
	const char *title;  /* the rule's own: "High Memory Throughput" */
	const char *phrase; /* by which the rule's text in a file is known; NULL: it has none */
	enum bound bound;
};

/* Fractions of peak, and waves; NAN unknown. */
enum sol speed_of_light_of(double sm, double memory, double waves);
const struct speed_of_light_info *speed_of_light_info(enum sol sol);
/* What the rule's text in a profile says; SOL_UNKNOWN when it is no such text. */
enum sol speed_of_light_of_text(struct span text);
/* As speed_of_light_info()->bound, and for SOL_HIGH the higher of the two, balanced when they are
 * near, unknown when only one of them is known. */
enum bound speed_of_light_bound(enum sol sol, double sm, double memory);
