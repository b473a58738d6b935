/*
 * rooflog ntff: the files of the command. It opens a native trace, has it summed
 * up (ingest/ntff/summary.h) and prints what render/ntff/ makes of it; programs
 * and records are printed as they are read.
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

struct ntff_dump_options {
	const char *name; /* of the file */
	bool json, names;
	size_t top_limit;
};

int ntff_command_dump(struct cli *cli, const struct ntff_source *source,
		      const struct ntff_dump_options *o, struct error *err);
/* These two return 0 when nobody reads any more, too. `engine` -1: all. */
int ntff_command_disasm(struct cli *cli, const struct ntff_source *source, int engine,
			struct error *err);
int ntff_command_events(const struct ntff_source *source, struct error *err);
/* Writes and empties the text: 1 when it could not because nobody reads any more. */
int ntff_command_write(struct strbuf *text, struct error *err);
