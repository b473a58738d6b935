/* rooflog log --view candidates: the runs that "run --candidate" stored, as leaderboards. */
#pragma once

#include "cli/context.h"
#include "cli/runs/runs.h"

/* Attributes of the runs of a candidate, besides RUN_CANDIDATE. */
#define CANDIDATE_PARENT "parent"
#define CANDIDATE_INPUTS "inputs" /* "fresh": each process got a seed of its own */

/* Prints the boards of the series that the filter selects. */
int candidates_command_print(struct cli *cli, const struct run_filter *filter, struct error *err);
