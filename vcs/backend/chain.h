/* The first-parent chain while it is being walked: what both backends add their commits to. */
#ifndef VCS_BACKEND_CHAIN_H
#define VCS_BACKEND_CHAIN_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/commits/revision.h"

/* The position that is stored for a commit, or -1 when it is not stored. */
typedef int64_t chain_known(void *context, const char *oid);

struct chain {
	struct arena *arena;
	chain_known *known; /* may be NULL */
	void *context;
	struct revision_list list; /* newest first; memory of the arena */
	int64_t below;             /* position of the commit below the last one; -1 below a root */
	bool complete;
	bool all; /* not a chain but commits of any lines: none of them completes it */
};

/* Adds the next older commit; true when the chain is complete: a root, or the parent is known. */
bool chain_add(struct chain *chain, const struct revision *revision);
/* Fills the positions of a complete chain. */
void chain_number(struct chain *chain);

#endif
