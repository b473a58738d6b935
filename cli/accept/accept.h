/*
 * The acceptances of a commit, read from its tree, for the gate and for the command accept.
 *
 * Never add the grammar of acceptances.
 */
#pragma once

#include "cli/context.h"
#include "model/acceptance/acceptance.h"

extern const char acceptance_path[]; /* relative to the top of the tree */

/* Loads the acceptances in the tree of a commit (full oid). The list is empty in two cases that the
 * caller must distinguish:
 *
 *   *unread is NULL: the tree has no such file; nothing is accepted
 *   *unread is text: the tree cannot be read (no repository, or it lacks the commit); report why
 *
 * A file that is malformed, too large or a link is an error. Texts belong to cli->arena. */
int accept_load(struct cli *cli, const char *oid, struct acceptance_list *list, const char **unread,
		struct error *err);

/* Loads those of the work tree, for --trust-work-tree. Empty if it has no such file. */
int accept_load_work_tree(struct cli *cli, struct acceptance_list *list, struct error *err);

/* What decides whether an acceptance has expired: the time, and whether a revision is an ancestor
 * of the candidate. The clock refers to *candidate, which must outlive it. */
struct candidate_clock {
	struct cli *cli;
	const char *candidate; /* full oid */
};
struct acceptance_clock accept_clock(struct candidate_clock *candidate);
