/*
 * How commits are related: answered by the store if it has enough commits, else by git.
 *
 * Never add output.
 */
#pragma once

#include "cli/context.h"

/* Like repository_merge_base() and repository_is_ancestor(); the caller has opened the
 * repository. */
int runs_merge_base(struct cli *cli, const char *one, const char *two, char base[65],
		    struct error *err);
int runs_is_ancestor(struct cli *cli, const char *ancestor, const char *oid, bool *yes,
		     struct error *err);
/* The merge base if the store alone knows it. False if git would have to be asked, or there is
 * none. */
bool runs_stored_merge_base(struct cli *cli, const char *one, const char *two, char base[65]);
