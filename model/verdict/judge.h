/*
 * One commit against what is on record before it: is it slower, faster, the
 * same, or can nobody know yet? Noise is what differs between commits of the
 * record, never what differs between repeats of one commit: builds, clocks and
 * sessions differ for reasons that repeats do not show.
 *
 * Positive values are judged as ratios. Where a value of the record or of the
 * candidate is 0 or negative, differences are judged, and told relative to the
 * size of the record's level (NAN where that is 0).
 *
 * How many commits a record needs: `least` of them; three when they are equal (or
 * more than half of them are), as those of a counter or a simulator; one when the
 * noise of sister series is known.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum judge_verdict { JUDGE_REGRESSED, JUDGE_IMPROVED, JUDGE_UNCHANGED, JUDGE_UNDECIDED };

struct judge_options {
	double alpha;        /* of a regression, one-sided */
	double tolerance;    /* largest slowdown that one is willing to let through */
	double least_effect; /* smallest relative change that is worth a word */
	double seen_before;  /* share of the record that may be as slow as the candidate */
	size_t least;        /* commits on record */
	size_t most;         /* of them the newest so many */
	double pool_noise;   /* relative noise between commits of sister series, NAN none */
	double noise_of_all; /* noise_measure() of the logs of all of the record; NAN: unknown */
	bool both_ways;      /* a speed-up beyond the tolerance is not equivalent either */
};

/* What a difference must pass to be believed, in the direction in which it points. */
enum judge_gate_kind {
	JUDGE_GATE_RECORD,  /* commits on record; at least the limit */
	JUDGE_GATE_P,       /* that noise alone does it; below the limit, which is a tenth of alpha
			     * where the difference is small against the tolerance */
	JUDGE_GATE_EFFECT,  /* relative; at least the limit */
	JUDGE_GATE_SEEN,    /* commits on record that are as far; at most the limit */
	JUDGE_GATE_KNOWN,   /* spells of commits on record that were where the candidate is, away
			     * from the others: a known mode; at most the limit */
	JUDGE_GATE_REPEATS, /* share of the repeats beyond half of the effect; at least the limit,
			     * which is 0 for fewer than three */
	JUDGE_GATE_LIMIT
};

struct judge_gate {
	const char *name;
	bool passed;
	double value, limit; /* NAN what is not known */
};

/* NAN is what the record does not tell. */
struct judge_result {
	enum judge_verdict verdict;
	bool relative;          /* ratios were judged, else differences */
	bool slower;            /* the direction of the difference, which the gates are about */
	bool equivalent;        /* with 99 % confidence the slowdown is within the tolerance, or
				 * the difference is where both ways count */
	double level;           /* of the record, in the unit of the values */
	double level_error;     /* its standard error, in the same unit */
	double effect;          /* relative */
	double ruled_out;       /* a slowdown of so much is ruled out with 99 % confidence */
	double error;           /* standard error of the difference, of logs where ratios were
				 * judged, else relative to the level */
	double p, p_faster;     /* that noise alone makes the candidate so slow, so fast;
				 * of a record with two modes, the noise within them */
	double scale;           /* noise between commits, relative */
	double own_scale;       /* that of this record alone; differs where noise is borrowed */
	bool borrowed;          /* noise of sister series is in `scale` */
	double autocorrelation; /* of neighbouring commits of the record, biased upwards by 1/n */
	double widening;        /* the variance of candidate - level is scale^2 times this */
	double df;              /* degrees of freedom of the t distribution of p */
	double candidate;       /* location of the repeats, in the unit of the values */
	double detectable;      /* smallest slowdown that this record shows with 80 % power */
	size_t count;           /* commits of the record that were used */
	size_t missing_commits; /* more commits that the record needs before it can decide */
	/* More measurements of the candidate, in sessions of their own, until `detectable` is
	 * within the tolerance, if the noise is that of sessions and not of builds. 0 where it is
	 * already; and where it is not, none would do: the record's level itself is not known well
	 * enough, and only more commits help. */
	size_t more_runs;
	struct judge_gate gates[JUDGE_GATE_LIMIT];
	/* For judge_interval(), in logs where ratios were judged: the difference, its standard
	 * error, and the level. */
	struct {
		double difference, error, level;
	} judged;
};

/* A difference below this share of the tolerance is believed at this share of alpha. */
extern const double judge_small_share, judge_small_alpha;

const char *judge_name(enum judge_verdict verdict);
struct judge_options judge_defaults(void);
/* record: one value a commit since the last change, oldest first; candidate: its repeats. All
 * finite; smaller is better. */
struct judge_result judge(struct arena *arena, const double *record, size_t count,
			  const double *candidate, size_t repeats,
			  const struct judge_options *options);
/* The 95 % interval of the effect: NAN where there is none. Few look at it. */
struct judge_interval {
	double low, high;
};
struct judge_interval judge_interval(const struct judge_result *result);
/* The verdict when something else than alpha decides whether p is small enough, as it does where
 * many series are judged at once. */
enum judge_verdict judge_decide(const struct judge_result *result, bool small_enough);
