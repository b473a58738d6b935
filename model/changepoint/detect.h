/*
 * Change points of one series of measurements, one value a commit: where its
 * level changed for good. Deterministic, without state, without random numbers;
 * the same values give the same answer whenever they are asked for.
 *
 * The method (docs/user/verdicts.md): penalised least squares proposes boundaries
 * (model/changepoint/segmentation.h), each is tested against its neighbours
 * (model/changepoint/boundary_test.h): is it a change, and is it there? The weakest that fails goes
 * first. What is left must explain the series better than drifting noise does
 * (model/changepoint/drift_model.h). A change is confirmed when enough commits came after it;
 * before that it is a suspect.
 */
#ifndef MODEL_CHANGEPOINT_DETECT_H
#define MODEL_CHANGEPOINT_DETECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "model/statistics/noise.h"

/* Of one detection; detect_defaults() has the measured ones. */
struct detect_options {
	double alpha;        /* of the t test, two-sided */
	double rank_alpha;   /* of the rank test */
	double least_effect; /* smallest relative change that is worth a word */
	size_t least_after;  /* commits after a change until it is confirmed */
	size_t least_before; /* commits before the first change */
	double short_alpha;  /* instead of alpha, where the level before has ... */
	size_t short_before; /* ... fewer commits than this */
	double model_cost;   /* a change must pay this times log n in likelihood against noise that
			      * drifts */
};

struct detect_change {
	size_t index;         /* first commit at the new level */
	double before, after; /* levels, in the unit of the values */
	double effect;        /* after / before - 1 where `relative`, else after - before */
	double low, high;     /* 95 % interval of the effect */
	double p, rank_p;     /* of the two tests */
	size_t count_before, count_after; /* commits of the two segments */
	bool relative;                    /* as that of the result */
};

struct detect_result {
	struct detect_change *changes; /* by index */
	size_t count;
	double noise;  /* standard deviation between neighbouring commits: relative where logs were
			  taken */
	bool relative; /* logs were taken: all values are positive */
};

struct detect_options detect_defaults(void);
/* For changes that too few commits confirm: worth another measurement, no verdict. */
struct detect_options detect_suspects(void);
/* What does not depend on options. values[0..count-1]: the commits' medians, in order, all finite.
 */
struct detect_series {
	const double *x; /* values or their logs */
	size_t count;
	bool relative; /* logs were taken */
	double noise;
	const size_t *bounds; /* proposed boundaries */
	size_t bound_count;
};
struct detect_series detect_series_of(struct arena *arena, const double *values, size_t count);
struct detect_result detect_in(struct arena *arena, const struct detect_series *series,
			       const struct detect_options *options);
/* Both. The result is the arena's. */
struct detect_result detect_changes(struct arena *arena, const double *values, size_t count,
				    const struct detect_options *options);

#endif
