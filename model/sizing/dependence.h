/*
 * Whether measured times depend on the size at all: otherwise a choice of sizes would only follow
 * the noise.
 *
 * Two tests of independence, each at 1 %: Kendall's rank correlation of size and time, for a trend,
 * and von Neumann's ratio of successive differences, for steps and patterns. Fewer than
 * DEPENDENCE_LEAST sizes decide nothing.
 */
#pragma once

#include "base/base.h"
#include "model/sizing/sweep.h"

enum { DEPENDENCE_LEAST = 8 };

struct dependence {
	bool none;     /* tested, and neither test finds any */
	double spread; /* largest time / smallest time - 1 */
	/* Of one time, from the differences of neighbouring sizes, relative: above the true noise
	 * where the times rise steeply. */
	double noise;
	double trend, order; /* p of the two tests; NAN: not tested */
};

/* The points are sorted by size, with times above 0. */
struct dependence dependence_of(struct arena *arena, const struct sweep_point *points,
				size_t count);
