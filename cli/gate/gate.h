/*
 * The gate of a commit: from a request, through the store, to a result.
 *
 * It reads the store. It reads git only when the store cannot answer: to resolve a revision, to
 * find a merge base, or to read a configuration or acceptances that were not stored.
 *
 * Never add the judging or its words.
 */
#pragma once

#include "cli/config/trust/trust.h"
#include "cli/runs/runs.h"
#include "model/gate/gate.h"

struct gate_request {
	const char *oid;                 /* full */
	const char *against;             /* GATE_AGAINST_HELP */
	const struct run_filter *filter; /* NULL: all series */
	struct policy_fail_on fail_on;   /* overrides that of the configuration, if given */
	bool fine_status;                /* gate_input.fine_status */
	bool why;          /* the result says why the worst moved: loads further runs */
	bool every_number; /* as gate_input.every_number */
	bool whole_record; /* loads all of the record, for those who show it */
	struct trust_options trust;
	/* Replaces the rows of the configuration, once it is loaded; NULL: they stay. Then no
	 * warning says that rows match no series. */
	int (*choose_rows)(struct cli *cli, void *context, struct error *err);
	void *context;
	/* Receives the candidate's runs that pass the filter, as runs_load_facts() gives them.
	 * NULL: not wanted. After a failure they mean nothing. */
	struct loaded_list *runs;
};

/* The values of --against, for one line of help. */
#define GATE_AGAINST_WORDS                                                                         \
	"nearest, window, merge-base[:BRANCH], best, a named baseline, or a revision"
#define GATE_AGAINST_HELP GATE_AGAINST_WORDS " (default: nearest)"

/* Loads both sides, judges, explains the worst series, and warns about rows that match no series.
 * Runs of both sides have derived metrics; only those of explained comparisons have details
 * (engines, totals by name, tensors). The result points into cli->arena. */
int gate_command_run(struct cli *cli, const struct gate_request *request,
		     struct gate_result *result, struct error *err);
/* Loads the older runs that a plan needs, with details. Runs that cannot be loaded stay unknown. */
void gate_command_load_older(struct cli *cli, const struct gate_older_list *needed);

/* --- for other commands --- */

/* Stores configuration and acceptances of every commit whose tree a gate of `candidate` may read:
 * the candidate, its parent, and the merge base with the main branch. A later gate then needs no
 * git. */
int gate_command_remember_bases(struct cli *cli, const struct revision *candidate,
				struct error *err);

/* The BRANCH of "merge-base:BRANCH", "" for the main branch; NULL for any other value of --against.
 */
const char *gate_command_branch(const char *against);

/* Loads the configuration by which runs of a commit get their names: that of the base, as a gate of
 * the change uses it; for a commit of the branch itself, that of the work tree. `branch` is that of
 * --against merge-base[:BRANCH], NULL if it was not given: then the parent's counts where no main
 * branch is known, with a warning. The repository is open; the store may be. */
int gate_command_load_names(struct cli *cli, const char *oid, const char *branch,
			    struct error *err);

/* Loads the configuration whose commands may be run: that of the newest commit of the main branch
 * that HEAD contains, or a file outside of the work tree, which is the caller's word. ERR_REVISION
 * where the main branch is not known. */
int gate_command_load_merged(struct cli *cli, struct error *err);

/* Adds one row for the metric of all series (METRIC_COUNT: each run's headline), and a refining row
 * for each configured one about it: these carry limit, tolerance and noise for the series that they
 * match. */
void gate_command_add_metric_rows(struct arena *arena, const struct policy_list *configured,
				  enum metric metric, struct policy_list *rows);

/* The histories along the first parents of a commit, for all metrics that the rows judge, including
 * derived ones. */
int gate_command_load_histories(struct cli *cli, const char *oid, struct history_set *set,
				struct error *err);
