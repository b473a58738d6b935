/*
 * The commits between two revisions, in an order in which history can be read: each
 * after its parents, the line of first parents from old to new, and before each
 * commit of that line what it merges.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "model/commits/revision.h"

struct lineage_commit {
	struct revision revision;
	uint32_t *parents; /* those of the lineage, by index; the first parent first */
	size_t parent_count;
	bool side; /* not on the line of first parents that ends at the last commit */
};

struct commit_range {
	struct lineage_commit *items;
	size_t count;
	const char **outside; /* parents that are no commits of the lineage; each once */
	size_t outside_count;
};

static const size_t lineage_none = SIZE_MAX;

/* Of the commits of the list those that lead to the commit `newest`. */
struct commit_range commit_range_of(struct arena *arena, const struct revision_list *list,
				    const char *newest);
/* The index of a full oid; lineage_none when the lineage has no such commit. */
size_t commit_range_find(const struct commit_range *lineage, const char *oid);
