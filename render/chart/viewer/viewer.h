/*
 * The timeline of one run as one HTML page: everything it needs is in it, and nothing is asked for
 * elsewhere. What the trace says gets into it as data only.
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

struct viewer_page {
	const char *title;
	bool part; /* the page has a part of the run's time, not all of it */
	const struct viewer_fact *facts;
	size_t fact_count;
	const char *const *notes; /* what is not on the page, and why: a sentence each, options in
				     it as "--from" */
	size_t note_count;
	const struct viewer_file *files;
	size_t file_count;
	const char *commit;  /* of the files: "3f2a91c", "3f2a91c (HEAD ...)" */
	const char *version; /* of the program */
	const struct trace_packed *packed;
};

/* 0, or -1 and *err. */
int render_viewer_page(struct arena *arena, const struct viewer_page *page, struct strbuf *out,
		       struct error *err);
