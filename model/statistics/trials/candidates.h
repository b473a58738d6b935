/*
 * Several tries to make one kernel faster, and which of them is: a leaderboard.
 *
 *   - A speed-up is the ratio of geometric means. Its interval is Welch's for the difference of the
 *     logarithms (Welch 1947; degrees of freedom by Satterthwaite).
 *   - The best of K tries looks better than it is, by luck: of 100 equal ones the first is 2.5
 *     noise widths ahead. So each interval has the confidence 1 - 5 % / K (Bonferroni), and all of
 *     them hold together in 95 % of boards.
 *   - That is luck within sessions. Sessions differ, too: by clock, temperature and other load. So
 *     an improvement counts only if it is larger than what the candidate's own sessions differ by.
 *     What all of them share against the base cannot be distinguished from the kernel: paired.h
 *     compares in turns.
 *   - Candidates whose intervals overlap share a rank; one without an interval has none.
 *   - Only what was checked and measured on fresh inputs has a rank: what remembers results is
 *     not faster there. An improvement counts once two sessions measured it.
 *
 * Never add how candidates are stored or found. paired.h compares two versions in turns.
 */
#pragma once

#include "base/base.h"

/* From the worst to the best. */
enum candidate_state {
	CANDIDATE_INCORRECT,  /* a check failed */
	CANDIDATE_IMPOSSIBLE, /* no hardware takes so little time */
	CANDIDATE_UNVERIFIED, /* without a check */
	CANDIDATE_CHECKED,    /* but measured on inputs that it may have seen before */
	CANDIDATE_CORRECT,    /* checked, and measured on fresh inputs in one session */
	CANDIDATE_CONFIRMED   /* in two sessions or more */
};

struct candidate {
	const char *name;
	const double *numbers; /* above 0; the more of them, the narrower the interval */
	size_t count;
	enum candidate_state state;
	double lowest, highest; /* geometric means of the sessions; NAN unknown */
	/* Filled in by candidates_rank(): */
	double speedup, low, high; /* against the base: above 1 is better; NAN unknown */
	double least;              /* speed-up of its worst session, less what sessions differ by */
	size_t rank;               /* from 1; 0: none */
};

/* Ranks the candidates, the best first, then those without a rank. `lower_is_better`: the numbers
 * are times, else rates. */
void candidates_rank(const double *base, size_t base_count, bool lower_is_better,
		     struct candidate *candidates, size_t count);
/* The best candidate whose improvement counts: confirmed, with the whole interval above 1, and
 * beyond what its sessions differ by; NULL if there is none. */
const struct candidate *candidates_best(const struct candidate *candidates, size_t count);
