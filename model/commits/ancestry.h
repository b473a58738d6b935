/*
 * How two commits are related, told by commits at hand (the store's), of which some
 * may be missing: what they do not settle stays open, so an answer is never a guess.
 */
#pragma once

#include <stdbool.h>

#include "model/commits/revision.h"

/* Oid, parent, parents and position of a commit; false when it is not at hand. The texts must last
 * until the answer. */
typedef bool ancestry_find(void *context, const char *oid, struct revision *revision);

enum ancestry {
	ANCESTRY_OPEN, /* commits are missing, or merges lead to other lines */
	ANCESTRY_NONE, /* no common ancestor */
	ANCESTRY_FOUND
};

/* The best common ancestor, in memory of `find`. */
enum ancestry ancestry_merge_base(ancestry_find *find, void *context, const char *one,
				  const char *two, const char **base);
