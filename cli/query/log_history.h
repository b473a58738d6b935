/* The histories of series along the first parents of a commit, for "rooflog log": one line each, or
 * commit by commit. */
#pragma once

#include "cli/runs/runs.h"

struct log_request {
	const struct run_filter *filter;
	const char *series;  /* pattern as acceptances have it (acceptance_names()), or a key; NULL:
			      * any */
	enum metric metric;  /* METRIC_COUNT: each series' own headline */
	size_t points_up_to; /* with at most this many series, the points are in the document */
	size_t spark;        /* cells of a sparkline, at most TREND_SPARK */
};

/* The document "history" of docs/formats/report-document.md. It may have no series. */
int cli_query_log_history(struct cli *cli, const struct log_request *request,
			  struct json **document, struct error *err);
