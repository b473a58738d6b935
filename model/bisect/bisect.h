/*
 * Bisection with noisy measurements: which commit of a range changed the mean of a series, and
 * which one to measure next to decide with the fewest measurements.
 *
 * The state is a probability per commit: that it is the first one at the new mean. A commit is at
 * the new mean exactly if that first commit is the commit itself or one of its ancestors, so side
 * branches of merges count like all others. Each measurement is uncertain, and multiplies the
 * probabilities by its likelihood at both means: many noisy measurements and one clear measurement
 * are handled alike. A value far from both means says little, and that for the nearer one.
 * Deterministic; the forecast uses a
 * fixed sequence of random numbers.
 *
 * Noise is that between commits, as everywhere (docs/user/verdicts.md). A session is one
 * measurement of a commit; its repeats are reduced to one value. Sessions of one commit may differ
 * less than commits do. By how much is estimated from commits with several sessions: that part of
 * the noise remains however often a commit is measured.
 */
#pragma once

#include "base/base.h"

enum { BISECT_COMMITS = 8192 }; /* limit of a range */
static const size_t bisect_none = SIZE_MAX;

struct bisect_commit {
	const uint32_t *parents; /* parents in the range, by index; each smaller than the commit's
				  * own */
	size_t parent_count;
	const double *sessions; /* finite; logarithms if ratios count */
	size_t session_count;
};

/* The commits in question, and what is known from outside the range. */
struct bisect_range {
	const struct bisect_commit *commits; /* the last one is at the new mean */
	size_t count;                        /* 1 to BISECT_COMMITS */
	double before, after;                /* the two means, from commits outside and from the
					      * last one */
	double count_before, count_after;    /* number of commits that each mean is based on, at
					      * least 1 */
	double noise;                        /* standard deviation between commits, > 0 */
};

struct bisect {
	struct bisect_range range;
	uint64_t *ancestors; /* bit h of row x: h is x, or an ancestor of x */
	size_t words;        /* of a row */
	bool *whole;         /* all commits before x are its ancestors */
	bool *inert;         /* cannot be the cause: same kernel as a parent */
	/* The probabilities, set by bisect_update(). */
	double *cause;        /* probability of being the first at the new mean */
	double *moved;        /* probability of being at the new mean */
	bool *stray;          /* measured, at neither mean */
	double before, after; /* the two means, refined by measurements in the range */
	double weight_before, weight_after;
	double build; /* share of the noise's variance that more sessions do not reduce */
	size_t best;  /* most probable cause */
};

/* Reads the measurements at each bisect_update(); everything else is fixed. */
struct bisect *bisect_start(struct arena *arena, const struct bisect_range *range);
/* Declares that nothing between two commits changed the mean, because they are identical to
 * the machine; `from` is an ancestor of `to`, or bisect_none for the state before the range. False
 * if that would leave no commit. */
bool bisect_exclude(struct bisect *bisect, size_t from, size_t to);
bool bisect_is_ancestor(const struct bisect *bisect, size_t ancestor, size_t of);
void bisect_update(struct bisect *bisect);

/* The probability that a commit with these sessions is at the new mean, by these sessions alone. */
double bisect_side(const struct bisect *bisect, const double *sessions, size_t count);

/* The commit whose measurement is the most informative; bisect_none if no measurement would
 * help. */
size_t bisect_next(const struct bisect *bisect);
/* The result of bisect_next() if that commit were known to be at the new (`moved`) or the old
 * mean. */
size_t bisect_next_after(struct arena *arena, const struct bisect *bisect, size_t measured,
			 bool moved);
/* Sessions of one commit after which it is assigned to the wrong side with at most this
 * probability; 0 if no number is enough. */
size_t bisect_sessions(const struct bisect *bisect, double error);
/* Expected sessions until one commit is more probable than `certainty`: the mean over fixed
 * simulations. NAN if most of them end without a decision. */
double bisect_forecast(struct arena *arena, const struct bisect *bisect, double certainty);
