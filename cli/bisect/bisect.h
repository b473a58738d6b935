/* Which change rooflog bisect searches the cause of. All values of a change are in the model's
 * unit: logarithms if every value of the series is positive (change->relative), so that differences
 * are ratios; else the metric's unit. */
#pragma once

#include "cli/runs/runs.h"
#include "model/bisect/bisect_case.h"
#include "model/changepoint/changepoint.h"

struct bisect_request {
	struct run_filter filter; /* among the series */
	const char *metric;       /* key of a metric; NULL: each series' own headline */
	/* Before the change; NULL: the newest change for the worse. */
	const char *good;
	/* The newest commit that is looked at; NULL: HEAD or, during git bisect, the commit where
	 * it began. */
	const char *bad;
	double noise; /* relative sd between commits, e.g. 0.01; NAN: estimated from the history */
	double error; /* accepted probability that one commit is put on the wrong side */
};

/* Finds the change to look for. *found is false if there is none or it has no data; *why is the
 * reason. */
int bisect_command_find_change(struct cli *cli, const struct bisect_request *request,
			       struct bisect_change *change, bool *found, const char **why,
			       struct error *err);

/* The measurements of the series at a commit: one value per session (one ingest), in the model's
 * unit. *hash is the kernel hash if all runs have the same, else NULL; `hash` may be NULL. */
int bisect_command_sessions(struct cli *cli, const struct bisect_change *change, const char *oid,
			    struct bisect_commit *commit, const char **hash, struct error *err);
/* Loads the commits of the change and their measurements, and updates the model with them. */
int bisect_command_load_case(struct cli *cli, const struct bisect_request *request,
			     const struct bisect_change *change, struct bisect_case *c,
			     struct error *err);
