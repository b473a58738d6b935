/*
 * The timeline of one run as a page (show -o FILE.html): its file read again with all events, and
 * the text of its source lines.
 *
 * Never add what the page looks like.
 */
#pragma once

#include "cli/command.h"
#include "cli/runs/runs.h"

struct viewer_request {
	const struct loaded_list *runs; /* one, or those of one file */
	const char *output;
	const char
		*source_root; /* the folder of the repository that has the source; NULL: its top */
	double from, to;      /* s since the start of the execution; NAN: all */
};

/* Reads a time such as "12.5us", the value of an option; NULL: NAN. */
int query_viewer_time(const char *option, const char *text, double *seconds, struct error *err);
/* Writes the page. ERR_USAGE if the runs are not those of one file, or the file has no events. */
int query_viewer_write(struct cli *cli, const struct viewer_request *request, struct error *err);
