/*
 * Two versions measured in turns, each time by a process of its own: the order of the processes,
 * and what their pairs show. No history is needed.
 *
 *   - The order is ABBA BAAB: a drift of the machine adds to one pair what it takes from the next.
 *     Every fourth pair is a control, the base against itself.
 *   - The test is Wilcoxon's signed rank test of the pairs' log ratios, exact also with ties: the
 *     distribution is that of the mid-ranks. Effect and interval are those of Hodges and
 *     Lehmann: the median of the means of any two log ratios, and the order statistics of these
 *     means that the test does not reject at 5 % (Hollander and Wolfe, Nonparametric Statistical
 *     Methods, 3.1 to 3.3). One slow process, or a machine with two speeds, moves them little.
 *   - A session is judged at fixed numbers of pairs, each of which has a share of 1 %: two equal
 *     versions differ in at most that share of sessions.
 *
 * Never add what a run is: this judges numbers.
 */
#pragma once

#include "base/base.h"

enum paired_side { PAIRED_BASE, PAIRED_CANDIDATE };

/* Process `index` of a session, from 0. */
struct paired_slot {
	enum paired_side side;
	bool control; /* its pair is the base against itself */
};
struct paired_slot paired_slot(size_t index);
/* The number of processes until there are `pairs` pairs of both versions, and their controls. */
size_t paired_slots(size_t pairs);
/* The next number of pairs after `pairs` at which is judged; 0: none. */
size_t paired_next_look(size_t pairs);
/* The most pairs of a session. */
size_t paired_most_pairs(void);

enum paired_verdict {
	PAIRED_UNCLEAR,
	PAIRED_SAME,   /* the interval lies within the limit */
	PAIRED_LOWER,  /* the candidate's numbers are below the base's */
	PAIRED_HIGHER, /* above */
	PAIRED_UNFIT   /* they differ, and the control moved as far: nothing is shown */
};

struct paired_rule {
	double limit;  /* relative: differences below it do not matter */
	size_t series; /* judged together: they share the 1 % */
};

/* Effects are relative to the base: candidate / base - 1. Unknown numbers are NAN. */
struct paired_result {
	enum paired_verdict verdict;
	size_t pairs, controls;   /* with both numbers */
	double base, candidate;   /* medians */
	double effect, low, high; /* with the 95 % interval */
	double p;                 /* of no difference, two-sided */
	double control;           /* median of second / first - 1 of the controls */
	double more; /* pairs that would decide if all stays as it is; an estimate; INFINITY: no
			number of them */
};

/* Judges the numbers of the first `slots` processes, by index; what is not finite and above 0 is
 * missing, and its pair with it. At another number of pairs than paired_next_look() gives, nothing
 * but PAIRED_UNCLEAR comes out. */
struct paired_result paired_judge(struct arena *arena, const double *values, size_t slots,
				  const struct paired_rule *rule);
