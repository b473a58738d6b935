/*
 * Change points of one series of measurements, one value per commit: where its mean shifted for
 * good. Deterministic and without state: the same values always give the same answer.
 *
 * The method (docs/statistics.md):
 *  1. Penalized least squares proposes boundaries (model/changepoint/segmentation.h).
 *  2. Each boundary is tested against its neighbours (model/changepoint/boundary_test.h): whether
 *     it is a change, and whether it is at that position. The weakest one that fails is removed
 *     first.
 *  3. The remaining boundaries must explain the series better than drifting noise does
 *     (model/changepoint/random_walk.h).
 *  4. A change is confirmed once enough commits follow it; before that it is a suspect.
 */
#pragma once

#include "base/base.h"
#include "model/statistics/statistics.h"

/* Parameters of one detection; detect_defaults() has the tuned values. */
struct detect_options {
	double alpha;        /* two-sided, for the t test */
	double rank_alpha;   /* one-sided, for the rank test */
	double least_effect; /* smallest relative change that counts */
	size_t least_after;  /* commits after a change until it is confirmed */
	size_t least_before; /* commits before the first change */
	double short_alpha;  /* replaces alpha if the segment before has ... */
	size_t short_before; /* ... fewer commits than this */
	double model_cost;   /* a change must gain this times log n in likelihood over drifting
			      * noise */
};

struct detect_change {
	size_t index;         /* first commit after the change */
	double before, after; /* segment means in the unit of the values */
	double effect;        /* after / before - 1 if `relative`, else after - before */
	double low, high;     /* 95 % interval of the effect */
	double p, rank_p;     /* p of the t test and of the rank test */
	size_t count_before, count_after; /* commits of the two segments */
	bool relative;                    /* same as in the result */
};

struct detect_result {
	struct detect_change *changes; /* by index */
	size_t count;
	double noise;  /* standard deviation between neighbouring commits; relative if `relative` */
	bool relative; /* logarithms were used, because all values are positive */
};

struct detect_options detect_defaults(void);
/* For changes that too few commits confirm: they deserve another measurement, but no verdict. */
struct detect_options detect_suspects(void);
/* The steps of detection that do not depend on options, to be shared by several calls.
 * values[0..count-1]: the commits' medians, in order, all finite. */
struct detect_series {
	const double *x; /* values, or their logarithms if `relative` */
	size_t count;
	bool relative; /* logs were taken */
	double noise;
	const size_t *bounds; /* proposed boundaries */
	size_t bound_count;
};
struct detect_series detect_series_of(struct arena *arena, const double *values, size_t count);
struct detect_result detect_in(struct arena *arena, const struct detect_series *series,
			       const struct detect_options *options);
/* The two-sided probability that noise alone makes the level of values[at..count-1] this different
 * from that of values[0..at-1], however few they are; the noise is that before `at`.
 * 0 < at < count. */
double detect_chance(const double *values, size_t count, size_t at);
/* detect_series_of() and detect_in() in one call. The result is in the arena. */
struct detect_result detect_changes(struct arena *arena, const double *values, size_t count,
				    const struct detect_options *options);
