/* Two commits side by side: what the gate says of one against the other, metric by metric. */
#pragma once

#include "cli/config/config.h"
#include "cli/runs/runs.h"

struct compare_commits {
	const char *baseline, *candidate; /* as a person names them */
	const struct run_filter *filter;
	const struct text_list *metrics; /* keys; none: the headline */
	const char *format;              /* "text", "md", "json" */
	const char *output;              /* NULL: standard output */
};

int compare_command_commits(struct cli *cli, const struct compare_commits *request,
			    struct error *err);
