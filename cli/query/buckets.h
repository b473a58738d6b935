/* The document of the buckets, for the command and for its chart. */
#pragma once

#include "cli/runs/runs.h"

/* What the options say; NULL where they are silent. */
struct buckets_options {
	struct run_filter filter;
	const char *commit, *x;
	size_t k;          /* at most so many buckets; 0: as many as by default */
	const char *sizes; /* file of requests */
};

/* The array that "rooflog buckets --json" prints. */
int cli_query_buckets_document(struct cli *cli, const struct buckets_options *options,
			       struct json **document, struct error *err);
