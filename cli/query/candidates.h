/* rooflog log --view candidates: the runs that "run --candidate" stored, as leaderboards. */
#pragma once

#include "cli/context.h"
#include "cli/runs/runs.h"

/* Prints the boards of the series that the filter selects. */
int cli_query_print_candidates(struct cli *cli, const struct run_filter *filter, struct error *err);
