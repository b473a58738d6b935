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

/* The commit at which an acceptance ends. Seven digits or more of the id of a commit are that
 * commit, also where a tag is called so: whoever can push a tag could put off the end. */
int accept_find_end(struct cli *cli, const char *name, char oid[65], bool *found,
		    struct error *err);

/* What decides whether an acceptance has expired: the time, and whether a revision is an ancestor
 * of the candidate, or of the commit whose acceptances they are: the two may have nothing in
 * common. The clock refers to *candidate, which must outlive it. */
struct candidate_clock {
	struct cli *cli;
	const char *candidate; /* full oid */
	const char *base;      /* full oid; NULL: the candidate itself */
};
struct acceptance_clock accept_clock(struct candidate_clock *candidate);
