/*
 * The relation of two commits, computed from stored commits, of which some may be missing. Anything
 * that they do not determine stays open; an answer is never a guess.
 */
#pragma once

#include "base/base.h"
#include "model/commits/revision.h"

/* Sets oid, parent, parents and position of a commit; false if it is not stored. The texts must
 * stay valid until the answer. */
typedef bool ancestry_find(void *context, const char *oid, struct revision *revision);

enum ancestry {
	ANCESTRY_OPEN, /* commits are missing, or merges lead to other lines */
	ANCESTRY_NONE, /* no common ancestor */
	ANCESTRY_FOUND
};

/* The best common ancestor; *base is a text from `find`. */
enum ancestry ancestry_merge_base(ancestry_find *find, void *context, const char *one,
				  const char *two, const char **base);
/* The newest commit that is on both first-parent chains; *common is a text from `find`. */
enum ancestry ancestry_first_parent(ancestry_find *find, void *context, const char *one,
				    const char *two, const char **common);
