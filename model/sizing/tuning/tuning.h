/*
 * What the tuning of a kernel tried, and which configuration was chosen. A history is the tallies
 * TALLY_TUNING of a run, the fastest first; names of a stage begin with "<stage>: ". The choice is
 * the attributes "tiling.[<stage>.]<name>".
 *
 * Never add the reading of a history.
 */
#pragma once

#include "model/run/run.h"

struct tuning {
	const char *stage; /* "": the run's own */
	const struct run_tally *best,
		*chosen; /* chosen NULL: not known, or not among the fastest */
	size_t listed;   /* configurations that the run has */
	size_t rank;     /* of the chosen one, from 1; equal times share it */
};

/* The history of one stage; false: there is none. */
bool tuning_of_stage(struct arena *arena, const struct run *run, const char *stage,
		     struct tuning *tuning);
/* The history of the stage whose chosen configuration is the furthest from its best one; false:
 * none has one that is chosen. */
bool tuning_worst(struct arena *arena, const struct run *run, struct tuning *tuning);
/* "Bm=64, Bn=128" without its stage */
const char *tuning_name(const struct run_tally *tally);
/* chosen / best - 1: how much longer the chosen configuration took in tuning; NAN unknown. */
double tuning_excess(const struct tuning *tuning);
