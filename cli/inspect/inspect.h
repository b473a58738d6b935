/*
 * rooflog inspect: the files of the command. It opens a report, or a native trace; then it lets
 * ingest/ntff/ntff.h summarize it and prints the result of render/ntff/. Programs and records are
 * printed while they are read, so memory does not grow with the trace.
 */
#pragma once

#include "cli/context.h"
#include "ingest/input/random_access.h"
#include "model/ntff/ntff.h"

/* An open trace. */
struct ntff_source {
	const struct ntff *ntff;
	struct random_access *bytes;
};

/* Which events are wanted, ps since the start of the execution: those that run between the two. */
struct inspect_part {
	int64_t from, to;
};

struct ntff_dump_options {
	const char *name; /* name of the file, for the title */
	bool names;
	size_t top_limit;
};

int inspect_dump(struct cli *cli, const struct ntff_source *source,
		 const struct ntff_dump_options *o, struct error *err);
/* Both also return 0 if the reader of the pipe is gone (`| head`). `engine` -1: all. */
int inspect_disasm(struct cli *cli, const struct ntff_source *source, int engine,
		   struct error *err);
int inspect_events(const struct ntff_source *source, const struct inspect_part *part,
		   struct error *err);
/* A report of Nsight Compute: its first `top` launches as a table, or all with their metrics as
 * JSON lines. */
int inspect_report(struct cli *cli, struct input *input, bool events, size_t top,
		   struct error *err);
/* Writes the text to standard output and empties it. Returns 1 if the reader of the pipe is
 * gone. */
int inspect_write(struct strbuf *text, struct error *err);
