/*
 * Which commit of a range changed the level of a series, and which one to measure
 * next to know it with the fewest measurements.
 *
 * What is believed is a probability for each commit of the range to be the first at
 * the new level: a commit is at the new level exactly when that one is among its
 * ancestors or is it itself, so side branches of merges count like all others. Each
 * measurement is uncertain, and each moves the belief by its likelihood at both
 * levels: a hundred noisy measurements and a single clear one are the same kind of
 * thing. Values far from both levels say nothing. Deterministic; the random numbers
 * of the forecast are a fixed sequence.
 *
 * Noise is that between commits, as everywhere (docs/user/verdicts.md). A session is one
 * measurement of a commit, with all its repeats one value. How much less the sessions
 * of one commit differ than commits do is learnt from commits with several sessions:
 * that part of the noise stays however often a commit is measured.
 */
#ifndef MODEL_BISECT_BISECT_H
#define MODEL_BISECT_BISECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { BISECT_COMMITS = 8192 }; /* most commits of a range */
static const size_t bisect_none = SIZE_MAX;

struct bisect_commit {
	const uint32_t *parents; /* those in the range, by index; each smaller than its own */
	size_t parent_count;
	const double *sessions; /* finite; logs where ratios count */
	size_t session_count;
};

/* What is known from outside, and the commits in question. */
struct bisect_range {
	const struct bisect_commit *commits; /* the last is at the new level */
	size_t count;                        /* 1 to BISECT_COMMITS */
	double before, after;                /* the levels, by commits outside and the last one */
	double count_before, count_after;    /* that many of them, at least 1 */
	double noise;                        /* standard deviation between commits, > 0 */
};

struct bisect {
	struct bisect_range range;
	uint64_t *ancestors; /* bit h of row x: h is x or an ancestor of it */
	size_t words;        /* of a row */
	bool *whole;         /* the ancestors of x are all commits before it */
	bool *inert;         /* cannot be the first: its kernel is that of a parent */
	/* The belief; bisect_update() makes it. */
	double *cause;        /* probability to be the first at the new level */
	double *moved;        /* probability to be at the new level */
	bool *stray;          /* measured at neither level */
	double before, after; /* with what the range itself tells */
	double weight_before, weight_after;
	double build; /* share of the noise's variance that more sessions do not take away */
	size_t best;  /* most probable cause */
};

/* The measurements are read at each bisect_update(); all else is fixed. */
struct bisect *bisect_start(struct arena *arena, const struct bisect_range *range);
/* The commits a and b, a an ancestor of b or bisect_none for the level before the range, are the
 * same to the machine: nothing between them changed the level. False when nothing would be left. */
bool bisect_exclude(struct bisect *bisect, size_t a, size_t b);
bool bisect_is_ancestor(const struct bisect *bisect, size_t ancestor, size_t of);
void bisect_update(struct bisect *bisect);

/* The probability that a commit with these sessions is at the new level, if nothing else were known
 * of it. */
double bisect_side(const struct bisect *bisect, const double *sessions, size_t count);

/* The commit whose measurement tells most; bisect_none when no further one would tell anything. */
size_t bisect_next(const struct bisect *bisect);
/* What bisect_next() would be if that commit were found at the new or the old level for good. */
size_t bisect_next_after(struct arena *arena, const struct bisect *bisect, size_t measured,
			 bool moved);
/* Sessions of one commit after which it is put on the wrong side with at most this probability;
 * 0 when no number of them is enough. */
size_t bisect_sessions(const struct bisect *bisect, double error);
/* Sessions until one commit is more probable than `certainty`: the mean over fixed play-outs. NAN
 * when most of them end without a decision. */
double bisect_forecast(struct arena *arena, const struct bisect *bisect, double certainty);

#endif
