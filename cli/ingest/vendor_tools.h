/*
 * Native traces, which only their vendor's tool can read: the tool is run when
 * it is there, and what it prints is read like any other file.
 *
 *   .ntff      neuron-profile (or neuron-explorer) view, with the NEFF beside it;
 *              only of versions that ingest/ntff_run does not know
 *   .ncu-rep   ncu --import
 *   .nsys-rep  nsys export --type sqlite
 *
 * Programs are taken from the absolute directories of PATH alone, never from
 * the current one; they get an argument vector and no shell, run in a directory
 * of their own that is removed, and are killed after their time limit.
 */
#pragma once

#include "base/base.h"
#include "base/system/system.h"
#include "ingest/reader.h"

enum { convert_tool_limit = 2, convert_argument_limit = 12 };

/* One kind of native trace. In arguments {file}, {neff} and {output} are filled in. */
struct conversion {
	const char *what;                              /* "an NTFF trace of ..." */
	const char *suffix;                            /* of such files, NULL: known by content */
	const char *tool_class;                        /* of the runs that it gives */
	const char *tools[convert_tool_limit + 1];     /* the first that is there is run */
	const char *arguments[convert_argument_limit]; /* after the tool's name, NULL at the end */
	int seconds;                                   /* time limit */
	const struct reader *reader; /* of the versions that need no tool; NULL none */
};

struct converted {
	const char *tool;     /* its name */
	struct span bytes;    /* what it printed, when it prints */
	const char *file;     /* what it wrote, when it writes; NULL */
	const char *neff;     /* that it was given, NULL */
	const char *messages; /* its standard error; "" */
	const char *directory;
	struct process_hold hold; /* requests to end wait until the directory is gone */
};

/* NULL when the file, whose first bytes are `head`, is no native trace. */
const struct conversion *conversion_for(struct span head, const char *path);
/* That of the traces which the reader reads itself; NULL when it reads no traces. */
const struct conversion *conversion_of_reader(const struct reader *reader);
/* The command in words, for somebody who has to run it elsewhere. */
const char *conversion_command(struct arena *arena, const struct conversion *conversion,
			       const char *path);
/* Whether one of its tools is there; its absolute path. */
const char *conversion_tool(struct arena *arena, const struct conversion *conversion);
/* The NEFF beside the trace: the one named like it, or the only one of its directory (then
 * *by_name, which may be NULL, is false). NULL when it needs none, or there is none. */
const char *conversion_neff(struct arena *arena, const struct conversion *conversion,
			    const char *path, bool *by_name);
/* Runs the tool. -1 and *err when it cannot be run, fails, prints nothing, or is too slow; what is
 * in *out must be given back on success. */
int convert(struct arena *arena, const struct conversion *conversion, const char *path,
	    struct converted *out, struct error *err);
void converted_free(const struct converted *converted);
