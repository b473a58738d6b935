/*
 * The commits between two revisions in readable order: each after its parents, the first-parent
 * line from old to new, and before each commit of that line the commits that it merges.
 */
#pragma once

#include "base/base.h"
#include "model/commits/revision.h"

struct commit_range_item {
	struct revision revision;
	uint32_t *parents; /* parents in the lineage, by index; the first parent first */
	size_t parent_count;
	bool side; /* not on the first-parent line that ends at the last commit */
};

struct commit_range {
	struct commit_range_item *items;
	size_t count;
	const char **outside; /* parents outside the lineage; each once */
	size_t outside_count;
};

static const size_t commit_range_none = SIZE_MAX;

/* The commits of the list that lead to the commit `newest`. */
struct commit_range commit_range_of(struct arena *arena, const struct revision_list *list,
				    const char *newest);
/* The index of a full oid; commit_range_none if the lineage has no such commit. */
size_t commit_range_find(const struct commit_range *lineage, const char *oid);
