/*
 * Native traces that only their vendor's tool can read. The tool is run if it is installed, and its
 * output is read like any other file.
 *
 *   .ntff      neuron-profile (or neuron-explorer) view, with the NEFF next to it;
 *              only for versions that ingest/ntff cannot read
 *   .ncu-rep   ncu --import
 *   .nsys-rep  nsys export --type sqlite
 *
 * Programs are looked up in the absolute directories of PATH only, never in the current one. They
 * are run without a shell, in a temporary directory that is removed afterwards, and are killed
 * after a time limit.
 *
 * Never add what is done with the output.
 */
#pragma once

#include "base/base.h"
#include "base/system/system.h"
#include "ingest/reader.h"

enum { convert_tool_limit = 2, convert_argument_limit = 12 };

/* One kind of native trace. {file}, {neff} and {output} in arguments are replaced. */
struct conversion {
	const char *what;                          /* "an NTFF trace of ..." */
	const char *suffix;                        /* files' suffix; NULL: detected by content */
	const char *tool_class;                    /* tool of the resulting runs */
	const char *tools[convert_tool_limit + 1]; /* the first one installed is run */
	const char *arguments[convert_argument_limit]; /* after the tool's name; ends with NULL */
	int seconds;                                   /* time limit */
	const struct reader *reader; /* for versions that need no tool; NULL none */
	const struct reader *named;  /* of outputs that have the name of the trace; NULL none */
};

struct converted {
	const char *tool;     /* name of the tool */
	struct span bytes;    /* its standard output */
	const char *file;     /* the file it wrote; NULL if it writes to standard output */
	const char *neff;     /* the NEFF it was given; NULL none */
	const char *messages; /* its standard error; "" */
	const char *directory;
	int claim;                /* -1: without a temporary directory */
	struct process_hold hold; /* delays signals until the temporary directory is removed */
};

/* The conversion of a file by its first bytes; NULL if it is not a native trace. */
const struct conversion *vendor_tools_for(struct span head, const char *path);
/* The conversion of the traces that this reader can read; NULL if it reads no traces. */
const struct conversion *vendor_tools_of_reader(const struct reader *reader);
/* The command as a text, for users who must run it elsewhere. */
const char *vendor_tools_command(struct arena *arena, const struct conversion *conversion,
				 const char *path);
/* The absolute path of the first installed tool; NULL if there is none. */
const char *vendor_tools_tool(struct arena *arena, const struct conversion *conversion);
/* The NEFF next to the trace: the one with its name, or the only one in the directory; then
 * *by_name, which may be NULL, is false. NULL if none is needed or found. */
const char *vendor_tools_neff(struct arena *arena, const struct conversion *conversion,
			      const char *path, bool *by_name);
/* Runs the tool. -1 and *err if it cannot be run, fails, prints nothing, or exceeds its time limit.
 * On success release *out with vendor_tools_free(). */
int convert(struct arena *arena, const struct conversion *conversion, const char *path,
	    struct converted *out, struct error *err);
void vendor_tools_free(const struct converted *converted);
