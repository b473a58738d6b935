/*
 * Finds the known word that is most similar to an unknown one, for messages. Similar means at most
 * two letters added, lost, replaced or exchanged with their neighbor, and fewer than half of the
 * letters.
 *
 * Use: struct similar s = similar_to(typed); similar_offer(&s, word) for each known word; s.word.
 */
#pragma once

#include "base/base.h"

struct similar {
	struct span wanted;
	const char *word; /* the most similar word so far; NULL: none */
	size_t distance;
};

struct similar similar_to(struct span wanted);
void similar_offer(struct similar *similar, const char *word);
