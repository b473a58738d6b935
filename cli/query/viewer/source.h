/* The text of the files that source lines are in. */
#pragma once

#include "cli/context.h"
#include "model/run/run.h"
#include "render/chart/viewer/viewer.h"

enum { SOURCE_FILES = 16 };

struct viewer_sources {
	struct viewer_file items[SOURCE_FILES];
	size_t count;
	const char *commit; /* for display; NULL: no commit was asked */
	const char *guess;  /* which text may be that of another file, a sentence; NULL: none */
	const char *fault;  /* why text is missing, a sentence; NULL: none is */
};

/* Reads them from the tree of the run's commit, or of HEAD for a run that was read from a file;
 * from the folder `root` of it, NULL: all of it. */
void query_viewer_sources(struct cli *cli, const struct run *run, const char *root,
			  const struct trace_packed *packed, struct viewer_sources *sources);
