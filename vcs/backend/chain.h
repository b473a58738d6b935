/* A list of commits to which a backend adds while it walks: usually a first-parent chain. */
#pragma once

#include "base/base.h"
#include "model/commits/commits.h"

struct chain {
	struct arena *arena;
	revision_known *known; /* NULL: no commits are known, walk to the root */
	void *context;
	struct revision_list list; /* newest first, allocated in the arena */
	int64_t below;             /* position of the last commit's parent; -1 if it is a root */
	bool complete;             /* the last commit is a root, or its parent is known */
	bool all;                  /* any commits instead of a first-parent chain: never complete */
};

/* Adds the next older commit. True if the chain is complete and the walk must end. */
bool chain_add(struct chain *chain, const struct revision *revision);
/* Sets the positions of a complete chain, upwards from `below`. */
void chain_number(struct chain *chain);
