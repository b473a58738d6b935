/*
 * Drift: many small losses, each too small for any test of steps. Compares the mean of the newest
 * commits with a fixed reference: a pinned release, or the best period of the history. Only the
 * caller moves a reference, so a drift stays visible until it is accepted.
 */
#pragma once

#include "base/base.h"

enum drift_reference {
	DRIFT_RELEASE, /* the first commits from the pinned one on */
	DRIFT_BEST     /* the lowest of all windows before the newest commits (smaller is better) */
};

struct drift_options {
	double alpha;            /* one-sided; for the best period, over all windows together */
	double least_effect;     /* smallest relative drift that counts */
	size_t current;          /* commits of the current mean and of each window, at most */
	size_t least_current;    /* the same, at least */
	size_t reference;        /* commits of a release's mean; needs as many, and least_current
				  * after them */
	enum drift_reference to; /* what is compared with */
	bool brief;              /* skip the figures unless the drift is flagged */
};

/* One value per commit, oldest first, all finite; smaller is better. */
struct drift_series {
	const double *values;
	size_t count;
	size_t pinned;   /* index of the release's commit; older values are ignored */
	size_t level_at; /* first commit since the last change point; 0: none */
};

/* The result. Indices refer to drift_series.values, ends exclusive. NAN: unknown. */
struct drift_result {
	bool judged;            /* both sides have enough commits; see `brief` */
	size_t missing_commits; /* if not judged: how many more are needed */
	bool flagged;
	double reference, current; /* means, in the unit of the values */
	double drift, low, high;   /* current / reference - 1, with its 95 % interval; a difference
				    * relative to the reference's size where values are not all
				    * positive, NAN where that is 0 */
	double p;                  /* probability that noise alone drifts this far, over all windows
				    * together */
	double scale;              /* noise of the mean, relative as the drift is */
	double correlation;        /* of neighbouring commits; it widens the test */
	size_t windows;            /* windows compared; 1 for a release */
	size_t reference_from, reference_to;
	size_t current_from, current_to;
};

struct drift_options drift_defaults(enum drift_reference to);
/* O(count), without random numbers. */
struct drift_result drift_measure(struct arena *arena, const struct drift_series *series,
				  const struct drift_options *options);
/* Index of the first commit at which drift_measure() would have flagged the series, had the series
 * ended there; `count` if it never would. Calls drift_measure() for each prefix: O(count^2). */
size_t drift_since(const struct drift_series *series, const struct drift_options *options);
