/* Compares two commits: the verdicts of the gate on one against the other, metric by metric. */
#pragma once

#include "cli/config/config.h"
#include "cli/runs/runs.h"

struct compare_commits {
	const char *baseline, *candidate; /* revisions or names of baselines, as typed */
	const struct run_filter *filter;
	const struct text_list *metrics; /* keys of metrics; empty: the headline */
	const char *format;              /* "text", "md", "json" */
	const char *output;              /* NULL: standard output */
};

/* Prints or writes the comparison. Returns 0, or -1 after filling *err. */
int compare_command_commits(struct cli *cli, const struct compare_commits *request,
			    struct error *err);
