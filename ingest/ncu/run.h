/* Turns launches into runs: launches of one kernel with the same work are repeats of one run. */
#pragma once

#include "ingest/ncu/profile.h"
#include "model/run/run.h"

/* Adds the runs of a finished profile, in the order of their first launches. -1 and *err if no
 * launch has a known quantity. */
int ncu_runs(struct ncu_profile *profile, struct run_list *runs, struct error *err);
