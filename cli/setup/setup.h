/*
 * Commits that got another id after they were measured, by a rebase or a squash.
 *
 * The runs of a commit outside of the branch hold for a commit of it that has the same tree: what
 * was measured is the same code. A commit that only makes the same change to another tree, by
 * `git patch-id`, is named, and gets no runs: they are not of its code.
 *
 * Never add what asks for more than the store and git.
 */
#pragma once

#include "cli/context.h"

struct rewritten {
	struct revision was; /* measured, not in HEAD's first-parent chain */
	struct revision now; /* in it, without runs of a clean work tree */
	bool same_tree;      /* else it has the same patch id only */
};
struct rewritten_list {
	struct rewritten *items;
	size_t count, capacity;
};

/* Needs the repository and the store. Each commit `now` once. */
int setup_find_rewritten(struct cli *cli, struct rewritten_list *list, struct error *err);
/* Adds the runs of `was` to `now`, each measurement in one transaction, where the tree is the same:
 * as if their files had been ingested for `now`, so a second time adds nothing. */
int setup_give_runs(struct cli *cli, const struct rewritten_list *list, size_t *runs,
		    size_t *commits, struct error *err);
