/* The list of commits of a walk. Positions count from the root, so they are set after the walk. */
#include "vcs/backend/chain.h"

bool chain_add(struct chain *chain, const struct revision *revision)
{
	struct revision_list *list = &chain->list;
	assert(!chain->complete);
	*arena_add(chain->arena, list) = *revision;
	chain->below = -1;
	if (chain->all)
		return false;
	if (!*revision->parent) {
		chain->complete = true;
	} else if (chain->known) {
		chain->below = chain->known(chain->context, revision->parent);
		chain->complete = chain->below >= 0;
	}
	return chain->complete;
}

void chain_number(struct chain *chain)
{
	int64_t position = chain->below;
	assert(chain->complete && position >= -1);
	for (size_t i = chain->list.count; i-- > 0;)
		chain->list.items[i].position = ++position;
}
