/*
 * The profilers that `rooflog run` knows: their command lines and where they leave what ingest
 * reads. A profiler is a row of the table in tool.c. The flags are those of the vendors' manuals
 * (Nsight Compute CLI, Nsight Systems "profile", rocprofv3, Neuron Explorer "capture", NVBench
 * cli_help).
 */
#pragma once

#include "base/base.h"

enum { tool_argument_limit = 16 };

/*
 * Arguments and paths are templates:
 *
 *   {program}  what is measured, with its arguments
 *   {folder}   the folder of the session
 *   {name}     the name of one repeat in it, "run-1"
 *   {out}      both, with a slash between them
 */
struct measuring_tool {
	const char *name;
	const char *programs[3];  /* the first one installed is run; none: the program runs alone */
	const char *fits_with[3]; /* chosen if one of these is installed, too: a device is here */
	const char *suffix;       /* chosen for a program with this ending (.neff); NULL: any */
	const char *arguments[tool_argument_limit];
	const char *variables[4]; /* of the environment */
	const char *output;       /* the file or folder that it writes; NULL: none */
	const char *symptom;      /* a word that it prints if it fails for a known reason ... */
	const char *advice;       /* ... and what to do then */
};

/* The tool of this name; ERR_USAGE if there is none, or if it is not installed. NULL as the name:
 * the first in the table that fits the program and is installed. */
int measuring_tool_choose(const char *name, const char *program, const struct measuring_tool **tool,
			  struct error *err);
/* "ncu|nsys|...", for option rows. */
#define MEASURING_TOOLS "ncu|nsys|rocprofv3|neuron|nvbench|none"

/* One repeat: what stands for the placeholders. */
struct measuring_paths {
	const char *const *program; /* ends with NULL */
	const char *folder, *name;
};

/* The arguments of one repeat, NULL at the end. */
const char *const *measuring_tool_command(struct arena *arena, const struct measuring_tool *tool,
					  const struct measuring_paths *paths);
/* A text with its placeholders replaced; {program} is not among them. */
const char *measuring_tool_text(struct arena *arena, const char *text,
				const struct measuring_paths *paths);
/* The environment of one repeat, NULL at the end. */
const char *const *measuring_tool_environment(struct arena *arena,
					      const struct measuring_tool *tool,
					      const struct measuring_paths *paths);
/* A command line that a shell would read as these arguments. */
const char *measuring_tool_line(struct arena *arena, const char *const *arguments);
