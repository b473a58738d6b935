/* The document of "rooflog buckets", for the command and for its chart. */
#pragma once

#include "cli/runs/runs.h"

/* The options; NULL and 0 if not given. */
struct buckets_options {
	struct run_filter filter;
	const char *commit, *x;
	size_t k;          /* maximum number of buckets; 0: the default */
	const char *sizes; /* file of request sizes */
};

/* The array that "rooflog buckets --json" prints. Allocated in cli->arena. */
int cli_query_buckets_document(struct cli *cli, const struct buckets_options *options,
			       struct json **document, struct error *err);
