/*
 * Time by source line and opcode, and the longest single instructions (show --source, --opcode,
 * --slowest).
 *
 * Never add what the tables look like.
 */
#pragma once

#include "cli/command.h"
#include "cli/runs/runs.h"

struct attribution_search {
	/* "k.py:33", "k.py:*", "/./": any line, "": those without one; NULL: none */
	const char *source;
	const char *opcode; /* "MATMUL", "MAT*"; NULL: none */
	size_t slowest;     /* at most this many single instructions; 0: none */
	double from, to;    /* of these, s since the start of the execution; NAN: all */
};

/* Prints the matching rows, the longest time first. No match is a note, not an error. */
int attributions_print(struct cli *cli, const struct loaded_list *runs,
		       const struct attribution_search *search, struct error *err);
