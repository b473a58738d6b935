/*
 * The gate of a commit: from a request, through the store, to a result.
 *
 * Never add the judging or its words.
 */
#pragma once

#include "cli/runs/runs.h"
#include "model/gate/gate.h"

struct gate_request {
	const char *oid;                 /* full */
	const char *against;             /* GATE_AGAINST_HELP */
	const struct run_filter *filter; /* NULL: all series */
	struct gate_treatment treatment;
	bool why;          /* the result says why the worst moved: loads further runs */
	bool every_number; /* as gate_input.every_number */
	bool asked;        /* the rows are the caller's: one that fits no series is no mistake */
};

/* What the candidate is compared with, as one line of help. */
#define GATE_AGAINST_WORDS                                                                         \
	"nearest, window, merge-base[:BRANCH], best, a named baseline, or a revision"
#define GATE_AGAINST_HELP GATE_AGAINST_WORDS " (default: nearest)"

/* Finds both sides, judges, explains the worst, and warns of rules that fit nothing. Runs of both
 * sides are derived; those of explained comparisons have their details (engines, totals by name,
 * tensors). */
int gate_command_run(struct cli *cli, const struct gate_request *request,
		     struct gate_result *result, struct error *err);
/* Loads what a plan needs, with details. Runs that cannot be loaded stay unknown. */
void gate_command_load_older(struct cli *cli, const struct gate_older_list *needed);

/* --- what other commands ask the same way --- */

/* Stores what is accepted at the commits by which a gate of this one may ask for it. */
int gate_command_remember_bases(struct cli *cli, const struct revision *candidate,
				struct error *err);

/* The histories on the first parents of a commit, of all metrics that the rules judge, derived ones
 * too. */
int gate_command_load_histories(struct cli *cli, const char *oid, struct history_set *set,
				struct error *err);

/* Whether the run is wanted by the caller's filter; NULL wants all. */
bool gate_command_wants(const struct run_filter *filter, const struct run *run);
