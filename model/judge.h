/*
 * One commit against what is on record before it: is it slower, faster, the
 * same, or can nobody know yet? Noise is what differs between commits of the
 * record, never what differs between repeats of one commit: builds, clocks and
 * sessions differ for reasons that repeats do not show.
 */
#ifndef MODEL_JUDGE_H
#define MODEL_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum judge_verdict { JUDGE_REGRESSED, JUDGE_IMPROVED, JUDGE_UNCHANGED, JUDGE_UNDECIDED };

struct judge_options {
	double alpha;        /* of a regression, one-sided */
	double tolerance;    /* largest slowdown that one is willing to let through */
	double least_effect; /* smallest relative change that is worth a word */
	double seen_before;  /* share of the record that may be as slow as the candidate */
	size_t least;        /* commits on record */
	size_t most;         /* of them the newest so many */
	double pool_noise;   /* noise of sister series, NAN none */
};

/* NAN is what fewer than three commits on record do not tell. */
struct judge_result {
	enum judge_verdict verdict;
	double effect, low, high; /* relative, with its 95 % interval */
	double p, p_faster;       /* that noise alone makes the candidate so slow, so fast */
	double scale;             /* noise between commits, relative */
	double detectable;        /* smallest slowdown that this record shows with 80 % power */
	size_t count;             /* commits of the record that were used */
};

const char *judge_name(enum judge_verdict verdict);
struct judge_options judge_defaults(void);
/* record: medians of the commits since the last change, oldest first, all positive; candidate: its
 * repeats. Smaller is better. */
struct judge_result judge(struct arena *arena, const double *record, size_t count,
			  const double *candidate, size_t repeats,
			  const struct judge_options *options);

#endif
