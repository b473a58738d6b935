/*
 * Searches times that are attributed to names: source lines and opcodes of runs, with their share
 * of the attributed time.
 */
#pragma once

#include "cli/runs/runs.h"

struct search {
	const char
		*source; /* "prof-kernel.py:33", "prof-kernel.py:*", "/./": any line; NULL: none */
	const char *opcode; /* "MATMUL", "MAT*"; NULL: none */
};

/* Prints the matching rows of the runs, the longest time first. No match is a note, not an
 * error. */
int cli_query_attribution_search(struct cli *cli, const struct loaded_list *runs,
				 const struct search *search, bool json, struct error *err);
