/*
 * What several commands load: tables of series, and sweeps.
 *
 * Never add what only one command loads.
 */
#pragma once

#include "cli/command.h"
#include "cli/runs/runs.h"
#include "ingest/table/tables.h"
#include "model/sizing/sizing.h"

/* Reads a CSV file into cli->arena; standard input if `path` is NULL or "-". */
int cli_query_read_series(struct cli *cli, const char *path, struct measured_series_list *list,
			  struct error *err);

/* Which runs of which commit, over which parameter. NULL if not given. */
struct sweep_request {
	struct run_filter filter;
	const char *commit, *x; /* x: NULL: the only parameter that varies */
};

/* Loads the matching runs of the commit (as runs_select_commit()). ERR_STORE if none matches. */
int cli_query_sweep_runs(struct cli *cli, const struct sweep_request *request,
			 const struct run ***runs, size_t *count, struct error *err);
/* The same as lines over x. ERR_STORE if
 * none matches. */
int cli_query_sweep(struct cli *cli, const struct sweep_request *request, struct sweep *sweep,
		    struct error *err);

/* Prints the runs of a report document: one line per run or, as `cards`, one paragraph, `details`
 * with all that is known. */
int cli_query_print_runs(struct cli *cli, const struct json *document, bool cards, bool details,
			 struct error *err);

/* The verb of "rooflog stats" that another file defines. */
extern const struct command cli_query_detect;
