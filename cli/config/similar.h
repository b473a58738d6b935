/*
 * The known word nearest to one that is not known, for messages: at most two letters added, lost,
 * replaced or exchanged with their neighbor, and fewer than half of it.
 */
#ifndef CLI_CONFIG_SIMILAR_H
#define CLI_CONFIG_SIMILAR_H

#include "base/span.h"

struct similar {
	struct span wanted;
	const char *word; /* NULL: nothing that was offered is near */
	size_t distance;
};

struct similar similar_to(struct span wanted);
void similar_offer(struct similar *similar, const char *word);

#endif
