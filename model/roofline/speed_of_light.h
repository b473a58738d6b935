/*
 * Nsight Compute's SpeedOfLight rule, as stated in its SpeedOfLight.py: maps the throughput of the
 * SMs and of the memory system (both relative to peak) and the waves per SM to one of six outcomes.
 * Reimplemented so that files without rule texts have a verdict, too, and so that the texts of
 * other files can be checked.
 */
#pragma once

#include "base/base.h"
#include "model/roofline/bottleneck.h"

enum sol {
	SOL_UNKNOWN,    /* a throughput is unknown */
	SOL_SMALL_GRID, /* both low, and less than one wave */
	SOL_LATENCY,    /* both low, at least one wave */
	SOL_LOW,        /* both low, waves unknown: either of the two above */
	SOL_COMPUTE,
	SOL_MEMORY,
	SOL_BALANCED,
	SOL_HIGH, /* one of them at 80 % or more */
	SOL_LIMIT
};

/* The rule's constants: from 80 % on not bound; below 60 % latency; balanced within 10 points; less
 * than one wave is a small grid. */
extern const double sol_no_bound, sol_latency, sol_balanced, sol_waves;

struct speed_of_light_info {
	const char *title;  /* the rule's own title: "High Memory Throughput" */
	const char *phrase; /* identifies the rule's text in a file; NULL: has none */
	enum bound bound;
};

/* Arguments: fractions of peak, and waves; NAN: unknown. */
enum sol speed_of_light_of(double sm, double memory, double waves);
const struct speed_of_light_info *speed_of_light_info(enum sol sol);
/* The outcome that a rule text in a profile states; SOL_UNKNOWN for any other text. */
enum sol speed_of_light_of_text(struct span text);
/* As speed_of_light_info()->bound. For SOL_HIGH: the higher of the two, balanced if they are near,
 * unknown if only one is known. */
enum bound speed_of_light_bound(enum sol sol, double sm, double memory);
