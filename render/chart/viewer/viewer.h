/*
 * The timeline of one run, or of two, as one HTML page: everything it needs is in it, and nothing
 * is asked for elsewhere. What the trace says gets into it as data only.
 *
 * Never add the reading of traces, or of repositories.
 */
#pragma once

#include "base/base.h"
#include "model/timeline/trace/pack.h"

/* The text of a source file. */
struct viewer_file {
	const char *location; /* as the trace calls it: "/home/me/k/attention.py" */
	const char *path;     /* where it was found: "k/attention.py" */
	struct span text;
};

struct viewer_fact {
	const char *name, *value;
};

/* The events of one run, and the text of its source lines. */
struct viewer_side {
	const char *name; /* "HEAD~1", "before.json" */
	const struct trace_packed *packed;
	const struct viewer_file *files;
	size_t file_count;
	const char *commit; /* of the files: "3f2a91c", "3f2a91c (HEAD ...)" */
};

/* Times in s, since the start of each run. */
struct viewer_match {
	double baseline_from, baseline_to, from, to;
};

struct viewer_link {
	const char *text, *href;
};

struct viewer_page {
	const char *title;
	bool part; /* the page has a part of the run's time, not all of it */
	const struct viewer_fact *facts;
	size_t fact_count;
	const char *const *notes; /* what is not on the page, and why: a sentence each, options in
				     it as "--from" */
	size_t note_count;
	const char *version; /* of the program */
	struct viewer_side run;
	const struct viewer_side *baseline; /* drawn above it; NULL: the page shows one run */
	/* Which part of the baseline each part of the run matches, in order; none: unknown. */
	const struct viewer_match *matches;
	size_t match_count;
	double resolution;               /* s: shorter changes of a part are none */
	const struct viewer_link *links; /* to other pages of a site */
	size_t link_count;
	const struct viewer_link *other; /* the run against a baseline, or alone; NULL */
};

/* "12.5 µs": as the page's script writes times. */
const char *render_viewer_time(struct arena *arena, double seconds);
/* 0, or -1 and *err. */
int render_viewer_page(struct arena *arena, const struct viewer_page *page, struct strbuf *out,
		       struct error *err);
