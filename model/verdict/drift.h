/*
 * Many small losses, each too small for any test of steps: the level of the newest
 * commits against a reference that stands still, which is a pinned release or the
 * best level on record. Nothing but the caller moves a reference, so what has
 * crept in stays visible until somebody accepts it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum creep_reference {
	CREEP_RELEASE, /* the first commits from the pinned one on */
	CREEP_BEST     /* the lowest of all windows before the newest commits */
};

struct drift_options {
	double alpha;            /* one-sided; over all windows together for the best */
	double least_effect;     /* smallest relative drift that is worth a word */
	size_t current;          /* commits of the current level and of each window, at most */
	size_t least_current;    /* and at least */
	size_t reference;        /* commits of a release's level; so many, and least_current after
				  * them, it takes at least */
	enum creep_reference to; /* what is compared with */
	bool brief;              /* the figures of what is not flagged are left out */
};

/* One value a commit, oldest first, all finite; smaller is better. */
struct drift_series {
	const double *values;
	size_t count;
	size_t pinned;   /* place of the release's commit; what is older is not looked at */
	size_t level_at; /* first commit since the last change of level; 0 none */
};

/* Places are those of creep_series.values, ends exclusive. NAN is what is not known. */
struct drift_result {
	bool judged;            /* there are enough commits on both sides; see `brief` */
	size_t missing_commits; /* else so many more are needed */
	bool flagged;
	double reference, current; /* levels, in the unit of the values */
	double drift, low, high;   /* current / reference - 1, with its 95 % interval; a difference
				    * relative to the reference's size where values are not all
				    * positive, NAN where that is 0 */
	double p;                  /* that noise alone drifts so far, over all windows together */
	double scale;              /* noise of the level of commits, relative as the drift is */
	double correlation;        /* of neighbouring commits, that widened the test */
	size_t windows;            /* looked at; 1 for a release */
	size_t reference_from, reference_to;
	size_t current_from, current_to;
};

struct drift_options drift_defaults(enum creep_reference to);
/* O(count), without random numbers. */
struct drift_result drift_measure(struct arena *arena, const struct drift_series *series,
				  const struct drift_options *options);
/* The first commit at which drift_measure() would have flagged the series had it ended there;
 * `count` where it never would. Asks drift_measure() for each prefix: O(count^2). */
size_t drift_since(const struct drift_series *series, const struct drift_options *options);
