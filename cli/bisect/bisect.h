/* The parts of rooflog bisect: which change, which commits, what is believed of them. */
#pragma once

#include "cli/runs/runs.h"
#include "model/bisect/bisect_case.h"
#include "model/changepoint/changepoint.h"

struct bisect_request {
	const char *pattern;    /* of series; NULL: all */
	const char *metric;     /* key; NULL: each series' own headline */
	const char *good, *bad; /* revisions; NULL: by the newest change for the worse */
	const char *commit;     /* whose history; NULL: HEAD, or where git bisect began */
	double noise;           /* relative; NAN: by the history */
	double error;           /* of one commit's side */
};

/* The change to look for. *found is false when there is none, or no data of it; *why says so. */
int bisect_command_find_change(struct cli *cli, const struct bisect_request *request,
			       struct bisect_change *change, bool *found, const char **why,
			       struct error *err);
/* Its commits, their data, and what is to be believed. */
int bisect_command_load(struct cli *cli, const struct bisect_request *request,
			const struct bisect_change *change, struct bisect_case *bisect_case,
			struct error *err);
/* What was measured of the series at a commit, one value a session: in the model's unit. *hash,
 * that of the kernel where all runs have the same, may be NULL. */
int bisect_command_sessions_of(struct cli *cli, const struct bisect_change *change, const char *oid,
			       struct bisect_commit *commit, const char **hash, struct error *err);
