/*
 * The commands of "rooflog analyze": what they share is where results go.
 *
 * Never add the decisions: they are in model/sizing and model/fusion.
 */
#pragma once

#include "cli/command.h"
#include "cli/output/output.h"
#include "cli/runs/files/files.h"

/* -o and --as of each analysis, and what they ask for. */
struct analyze_outputs {
	struct output_wish wish;
	struct output_list list;
};
/* The option rows of a struct analyze_outputs. */
extern const struct option analyze_output_rows[];

/* What an analysis can be written as. */
struct analysis {
	enum output_command command;
	const char *name;  /* "analyze fusion" */
	const char *chart; /* its name; NULL: it has none, nor anything for the scheduler */
	struct json *document;
	struct strbuf text; /* for people */
	/* Makes the file for the fusion scheduler. NULL: there is none. */
	int (*schedule)(struct cli *cli, const void *context, const char *path, struct strbuf *out,
			struct error *err);
	const void *context;
};
/* Chooses what is written and refuses what the analysis cannot be written as, before it is made. */
int analyze_check(struct cli *cli, struct analyze_outputs *outputs, const struct analysis *analysis,
		  struct error *err);
/* Writes all files, or prints the analysis if there are none. Frees its text. */
int analyze_write(struct cli *cli, const struct analyze_outputs *outputs, struct analysis *analysis,
		  struct error *err);

extern const struct command analyze_buckets, analyze_fusion;
