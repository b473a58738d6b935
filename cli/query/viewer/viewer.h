/*
 * The timeline of one run as a page (show -o FILE.html), or of two (compare): their files read
 * again with all events, and the text of its source lines.
 *
 * Never add what the page looks like.
 */
#pragma once

#include "cli/command.h"
#include "cli/query/viewer/events.h"
#include "cli/runs/runs.h"
#include "render/chart/viewer/viewer.h"

struct viewer_request {
	const struct loaded_list *runs;     /* one, or those of one file */
	const struct loaded_list *baseline; /* the same, shown above it with what differs; NULL */
	const char *name, *baseline_name;   /* of the sides, if there are two */
	const char *output;
	const char
		*source_root; /* the folder of the repository that has the source; NULL: its top */
	double from, to;      /* s since the start of the execution; NAN: all */
	const struct viewer_link *links; /* to other pages */
	size_t link_count;
	const struct viewer_link *other; /* a page of the run and a baseline, or of the run alone;
					    NULL */
	size_t shrink;    /* 3: a third of the room that a page has for events; 0: all of it */
	const char *more; /* where events that have no room are, a sentence; NULL */
};

/* Reads a time such as "12.5us", the value of an option; NULL: NAN. */
int query_viewer_time(const char *option, const char *text, double *seconds, struct error *err);
/* The page as text. ERR_USAGE if the runs of a side are not those of one file, or the
 * file has no events. */
int query_viewer_page(struct cli *cli, const struct viewer_request *request, struct strbuf *out,
		      struct error *err);
/* Writes the page to the output of the request. */
int query_viewer_write(struct cli *cli, const struct viewer_request *request, struct error *err);
/* Replaces the totals of opcodes and source lines of the runs, all of one file, by those of a part
 * of its time (NAN: to its end): events count as far as they are in it. */
int query_viewer_tally(struct cli *cli, const struct loaded_list *runs, double from, double to,
		       struct error *err);
/* Writes the events for Perfetto; all, whatever the page has room for. */
int query_viewer_write_perfetto(struct cli *cli, const struct viewer_request *request,
				struct error *err);
/* "mlp nkilib s=128": what the runs are called. */
const char *query_viewer_title(struct arena *arena, const struct loaded_list *runs);
/* Two commits, one series of which is on the page of both timelines. */
struct viewer_pair {
	const char *oids[2], *names[2]; /* the baseline first */
	struct run_filter *filter;
	const char *output, *source_root;
	double from, to; /* s since the start of each; NAN: all */
};

/* ERR_USAGE if it is not clear which series. Says what it wrote. */
int query_viewer_write_pair(struct cli *cli, const struct viewer_pair *pair, struct error *err);
/* Says that a file was written; with --json, in the document. */
int query_viewer_wrote(struct cli *cli, const char *path, struct error *err);
