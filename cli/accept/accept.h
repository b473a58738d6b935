/*
 * The acceptances of a commit, read from its tree: for the gate and for accept.
 *
 * Never add the grammar of acceptances.
 */
#pragma once

#include "cli/context.h"
#include "model/acceptance/acceptance.h"

extern const char acceptance_path[]; /* from the top of the tree */

/* The acceptances in the tree of a commit (full oid); without the file the list is empty. *unread
 * is NULL, or why the tree cannot be looked at (no repository, or the commit is not in it): then
 * the list is empty too, which is to be told and not the same as "nothing is accepted". A file that
 * is broken, too large or a link is an error. */
int accept_load(struct cli *cli, const char *oid, struct acceptance_list *list, const char **unread,
		struct error *err);

/* Stores them, where git can tell, so that a verdict need not ask. */
int accept_remember(struct cli *cli, const char *oid, struct error *err);

/* What acceptances expire by: now, and whether a revision is an ancestor of the candidate. */
struct candidate_clock {
	struct cli *cli;
	const char *candidate; /* full oid */
};
struct acceptance_clock accept_clock(struct candidate_clock *candidate);
