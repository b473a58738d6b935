/* The progress of reading: one line on stderr that is overwritten, on a terminal only. While it is
 * shown, SIGINT, SIGTERM and SIGHUP erase it before they end the program. */
#ifndef CLI_INGEST_PROGRESS_H
#define CLI_INGEST_PROGRESS_H

#include <signal.h>

#include "cli/ingest/batch.h"
#include "cli/context.h"

enum { progress_end_signals = 3 };

struct progress {
	const struct cli *cli;
	size_t files;   /* to be read */
	uint64_t bytes; /* of all files with a known size */
	struct timespec began;
	bool shown; /* the line is on the terminal */
	struct sigaction before[progress_end_signals];
};

struct progress progress_of(const struct cli *cli, size_t files, uint64_t bytes);
/* Whether progress is reported: stderr is a terminal and --quiet was not given. */
bool progress_wanted(const struct cli *cli);
/* A batch_watch; the context is the struct progress. */
void progress_show(void *progress, const struct batch_progress *state);
void progress_end(struct progress *progress);

/* "reading 3 of 12 files, 450.0 MB of 1.200 GB, 560.1 MB/s, 1.339 s left" */
void progress_text(struct strbuf *out, const struct progress *progress,
		   const struct batch_progress *state, double seconds);

#endif
