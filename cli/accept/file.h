/* The file of acceptances in the work tree: adding a line, and choosing a limit from measured
 * values. */
#pragma once

#include "cli/context.h"
#include "model/acceptance/acceptance.h"

/* Replaces the lines with the same series and metric, or else appends the line. A new file begins
 * with explanatory comments. All other bytes stay. The file is replaced as a whole, so a reader
 * never sees half of it. */
struct accept_edit {
	const struct acceptance *line;
	bool dry_run;          /* report what would change, write nothing */
	const char *path;      /* output: the file's path */
	size_t number;         /* output: the line's number, from 1 */
	const char **replaced; /* output: the lines that were replaced */
	size_t replaced_count;
};
int accept_edit(struct cli *cli, struct accept_edit *edit, struct error *err);

/* Fills in the metric and the limit if the user gave none, from the runs at a commit: the metric
 * is the headline, the limit is the worst median of the matching series plus 5 % in the bad
 * direction. Values are in the unit of the metric. */
struct acceptance_wish {
	struct acceptance *line;
	const char *oid;   /* full id of the commit whose runs count */
	bool metric_given; /* otherwise line->metric is filled in */
	size_t series;     /* output: number of series that the pattern matches */
	double worst;      /* output: the worst median; NAN: no value */
	double best;       /* output: the best median; NAN: no value */
};
int accept_measure(struct cli *cli, struct acceptance_wish *wish, struct error *err);
