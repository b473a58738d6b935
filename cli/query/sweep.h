/* The runs of a commit as lines over one size parameter, for the latency chart and for buckets. */
#pragma once

#include "cli/runs/runs.h"
#include "model/sizing/sizing.h"

/* Loads the matching runs of a commit (NULL: as runs_select_commit()) as lines over `x` (NULL: the
 * only parameter that varies). ERR_STORE if none matches. */
int cli_query_sweep(struct cli *cli, const char *commit, const struct run_filter *filter,
		    const char *x, struct sweep *sweep, struct error *err);
