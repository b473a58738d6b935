/* What several commands of the room load: tables of series, sweeps, the document of buckets. */
#pragma once

#include "cli/runs/runs.h"
#include "ingest/table/tables.h"
#include "model/sizing/sizing.h"

/* Reads a CSV file into cli->arena; standard input if `path` is NULL or "-". */
int cli_query_read_series(struct cli *cli, const char *path, struct measured_series_list *list,
			  struct error *err);

/* Which runs of which commit, drawn or bucketed over which parameter. NULL and 0 if not given. */
struct sweep_request {
	struct run_filter filter;
	const char *commit, *x; /* x: NULL: the only parameter that varies */
	size_t k;               /* maximum number of buckets; 0: the default */
	const char *sizes;      /* file of request sizes */
};

/* Loads the matching runs of the commit (as runs_select_commit()) as lines over x. ERR_STORE if
 * none matches. */
int cli_query_sweep(struct cli *cli, const struct sweep_request *request, struct sweep *sweep,
		    struct error *err);
/* The array that "rooflog buckets --json" prints. Allocated in cli->arena. */
int cli_query_buckets_document(struct cli *cli, const struct sweep_request *request,
			       struct json **document, struct error *err);
