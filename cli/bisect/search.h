/*
 * rooflog bisect --run: checks out one commit after the other, measures each with a command of the
 * user's, and returns to where it began.
 */
#pragma once

#include "cli/command.h"

struct bisect_search {
	const char *command; /* for the shell; it measures what is checked out, and ingests */
	/* Looks at the store as it is now. `oid` receives the commit to measure next, "" if there
	 * is nothing left to measure; *runs how many runs the store has. */
	int (*next)(struct cli *cli, const void *context, char oid[65], int64_t *runs,
		    struct error *err);
	const void *context;
};

/* Measures until nothing is left to measure. The work tree must have no uncommitted changes, and
 * the branch that was checked out is so again at the end, after an error as well. */
int bisect_command_search(struct cli *cli, const struct bisect_search *search, struct error *err);
