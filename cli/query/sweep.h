/* The runs of a commit as lines over one size, for the latency chart and for buckets. */
#pragma once

#include "cli/runs/runs.h"
#include "model/sizing/sizing.h"

/* The runs of a commit (NULL: as runs_select_commit) that match, as lines over `x` (NULL: the one
 * parameter that varies). ERR_STORE when there are none. */
int cli_query_sweep(struct cli *cli, const char *commit, const struct run_filter *filter,
		    const char *x, struct sweep *sweep, struct error *err);
