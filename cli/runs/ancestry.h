/*
 * How commits are related: told by the store where it knows enough of them, else by git.
 *
 * Never add output.
 */
#pragma once

#include "cli/context.h"

/* Both as repository_merge_base() and repository_is_ancestor() have it; the repository is open. */
int runs_merge_base(struct cli *cli, const char *one, const char *two, char base[65],
		    struct error *err);
int runs_is_ancestor(struct cli *cli, const char *ancestor, const char *oid, bool *yes,
		     struct error *err);
/* False where git would have to be asked, or there is none. */
bool runs_stored_merge_base(struct cli *cli, const char *one, const char *two, char base[65]);
