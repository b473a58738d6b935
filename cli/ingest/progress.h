/* How far reading is: one line on stderr that is written over, on a terminal only. While it is
 * there, SIGINT, SIGTERM and SIGHUP wipe it out before they end the program. */
#pragma once

#include <signal.h>

#include "cli/ingest/batch.h"
#include "cli/context.h"

enum { progress_end_signals = 3 };

struct progress {
	const struct cli *cli;
	size_t files;   /* to be read */
	uint64_t bytes; /* of all files that have a size */
	struct timespec began;
	bool shown; /* there is a line to wipe out */
	struct sigaction before[progress_end_signals];
};

struct progress progress_of(const struct cli *cli, size_t files, uint64_t bytes);
/* Whether somebody watches at all: stderr is a terminal and --quiet is not given. */
bool progress_wanted(const struct cli *cli);
/* A batch_watch; the context is the struct progress. */
void progress_show(void *progress, const struct batch_progress *state);
void progress_end(struct progress *progress);

/* "reading 3 of 12 files, 450.0 MB of 1.200 GB, 560.1 MB/s, 1.339 s left" */
void progress_text(struct strbuf *out, const struct progress *progress,
		   const struct batch_progress *state, double seconds);
