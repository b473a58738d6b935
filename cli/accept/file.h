/* The file of acceptances in the work tree: adding a line, and a ceiling from what was measured. */
#pragma once

#include "cli/context.h"
#include "model/acceptance/acceptance.h"

/* Puts the line in the place of those of the same series and metric, else at the end; a new file
 * gets a header of comments. All other bytes stay. */
struct accept_edit {
	const struct acceptance *line;
	bool dry_run;          /* nothing is written */
	const char *path;      /* filled: of the file */
	size_t number;         /* filled: of the line */
	const char **replaced; /* filled: the lines that are gone */
	size_t replaced_count;
};
int accept_edit(struct cli *cli, struct accept_edit *edit, struct error *err);

/* Fills what is left open of metric and ceiling from the runs at a commit: the headline, and the
 * worst median of the series that the line names and 5 % in the bad direction. */
struct acceptance_wish {
	struct acceptance *line;
	const char *oid;   /* of the candidate */
	bool metric_given; /* else line->metric is filled */
	size_t series;     /* filled: that the line names */
	double worst;      /* filled: the worst median, NAN without any */
	double best;       /* filled: the best median, NAN without any */
};
int accept_measure(struct cli *cli, struct acceptance_wish *wish, struct error *err);
