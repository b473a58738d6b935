/*
 * Commits that got another id after they were measured, by a rebase or a squash.
 *
 * What was measured at a commit outside of the branch holds for a commit of it that has the same
 * tree: it is the same code. But whoever may store runs could so write the history of the branch,
 * so a person names the commit whose runs are adopted. A commit that only makes the same change to
 * another tree, by `git patch-id`, is named, and gets no runs: they are not of its code.
 *
 * Never add what asks for more than the store and git.
 */
#pragma once

#include "cli/context.h"

struct rewritten {
	struct revision was; /* measured, not in HEAD's first-parent chain */
	struct revision now; /* in it, and never measured with a clean work tree */
	bool same_tree;      /* else it has the same patch id only */
};
struct rewritten_list {
	struct rewritten *items;
	size_t count, capacity;
	struct revision_list above; /* commits of the branch that the store lacks, newest first */
};

/* Needs the repository and the store. Several commits `was` may have one `now`. */
int setup_find_rewritten(struct cli *cli, struct rewritten_list *list, struct error *err);
/* Adds the runs of the commit with this id, or beginning of one, to that with its tree, as if their
 * files had been ingested for it: each measurement in one transaction, known ones not again. *found
 * is set to the item. ERR_USAGE unless it is the `was` of one item with the same tree. */
int setup_adopt(struct cli *cli, const struct rewritten_list *list, const char *commit,
		const struct rewritten **found, size_t *runs, struct error *err);
