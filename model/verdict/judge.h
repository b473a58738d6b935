/*
 * Judges one commit by the history before it: slower, faster, unchanged, or undecided. Noise is
 * what differs between commits of the history, never what differs between repeats of one commit:
 * builds, clocks and sessions differ for reasons that repeats do not show.
 *
 * Positive values are judged as ratios. If a value of the history or of the candidate is 0 or
 * negative, differences are judged and reported relative to the size of the history's mean (NAN if
 * that is 0).
 *
 * Commits that a history needs:
 *  - `least` in general;
 *  - three, if more than half of them are equal, as with a counter or a simulator;
 *  - one, if the noise of similar series is known.
 */
#pragma once

#include "base/base.h"
#include "model/verdict/excursion.h"

/* A history this long borrows no noise, and every commit before takes weight from it */
enum { JUDGE_LENT_TO = 20 };

enum judge_verdict { JUDGE_REGRESSED, JUDGE_IMPROVED, JUDGE_UNCHANGED, JUDGE_UNDECIDED };

struct judge_options {
	double alpha;         /* of a regression, one-sided probability */
	double tolerance;     /* largest slowdown that still counts as unchanged, relative */
	double least_effect;  /* smallest relative change that counts */
	double seen_before;   /* share of the history that may be as slow as the candidate */
	size_t least;         /* commits that a history needs */
	size_t most;          /* the newest commits used, at most */
	double pool_noise;    /* relative noise between commits of similar series; NAN: none */
	double assumed_noise; /* the same where none is known, of positive values; NAN: none */
	double noise_of_all;  /* noise_measure() of the logs of the whole history; NAN: unknown */
	bool both_ways;       /* a speed-up beyond the tolerance is a change, too */
};

/* The conditions that a difference must pass to be believed, for its own direction. */
enum judge_gate_kind {
	JUDGE_GATE_COMMITS, /* commits in the history; at least the limit */
	JUDGE_GATE_P,       /* probability that noise alone does it; below the limit, which is a
			     * tenth of alpha for differences that are small relative to the
			     * tolerance */
	JUDGE_GATE_EFFECT,  /* relative effect; at least the limit */
	JUDGE_GATE_SEEN,    /* commits in the history that are as far, without those left out; at
			     * most the limit */
	JUDGE_GATE_KNOWN,   /* stretches of the history where the candidate is now, away from the
			     * other commits: a known mode; at most the limit */
	JUDGE_GATE_REPEATS, /* share of the repeats beyond half of the effect; at least the limit,
			     * which is 0 for fewer than three */
	JUDGE_GATE_LIMIT
};

struct judge_gate {
	const char *name;
	bool passed;
	double value, limit; /* NAN: unknown */
};

/* NAN marks what the history does not determine. */
struct judge_result {
	enum judge_verdict verdict;
	bool relative;          /* ratios were judged, else differences */
	bool slower;            /* direction of the difference, to which the gates apply */
	bool equivalent;        /* with 99 % confidence the slowdown is within the tolerance; if
				 * both_ways, the difference is */
	double level;           /* mean of the history, in the unit of the values */
	double level_error;     /* its standard error, in the same unit */
	double effect;          /* relative */
	double ruled_out;       /* smallest slowdown that is ruled out with 99 % confidence,
				 * relative */
	double error;           /* standard error of the difference: of logs if relative, else
				 * relative to the mean */
	double p, p_faster;     /* probability that noise alone makes the candidate this slow, this
				 * fast; for a bimodal history, the noise within the modes */
	double scale;           /* noise between commits, relative */
	double own_scale;       /* of this history alone; differs if noise is borrowed */
	bool borrowed;          /* `scale` includes the noise of similar series */
	bool assumed;           /* borrowed, but no noise is known: judge_options.assumed_noise */
	double autocorrelation; /* of neighbouring commits of the history, biased upwards by 1/n */
	double widening;        /* the variance of candidate - level is scale^2 times this */
	double df;              /* degrees of freedom of the t distribution of p */
	double candidate;       /* location of the repeats, in the unit of the values */
	double detectable;      /* smallest slowdown detected with 80 % power, relative */
	size_t count;           /* commits of the history that were used */
	struct excursion away;  /* commits among them that were left out, because a change was
				 * fixed; `first` counts from the oldest one */
	size_t missing_commits; /* further commits that the history needs before it can decide */
	bool resolves;          /* a candidate at the level would be `equivalent`: another
				 * measurement may decide */
	size_t helpful_commits; /* further commits until it `resolves`; 0: it does, or none would */
	struct judge_gate gates[JUDGE_GATE_LIMIT];
	/* For judge_interval(), in logs if ratios were judged: the difference, its standard error,
	 * and the mean. */
	struct {
		double difference, error, level;
	} judged;
};

/* A difference below this share of the tolerance is believed only at this share of alpha. */
extern const double judge_small_share, judge_small_alpha;

const char *judge_name(enum judge_verdict verdict);
struct judge_options judge_defaults(void);
/* history: one value per commit since the last change point, oldest first; candidate: its repeats.
 * All finite; smaller is better. */
struct judge_result judge(struct arena *arena, const double *history, size_t count,
			  const double *candidate, size_t repeats,
			  const struct judge_options *options);
/* The 95 % confidence interval of the effect; NAN if it is unknown. Computed on demand, because few
 * callers need it. */
struct judge_interval {
	double low, high;
};
struct judge_interval judge_interval(const struct judge_result *result);
/* The verdict if something other than alpha decides whether p is small enough, e.g. the false
 * discovery rate of many series judged at once. */
enum judge_verdict judge_decide(const struct judge_result *result, bool small_enough);
