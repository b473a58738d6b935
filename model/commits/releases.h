/*
 * Releases: names that point at commits, such as tags and pinned baselines.
 *
 * Never add where they come from.
 */
#pragma once

#include "base/base.h"

enum { RELEASES_LIMIT = 20000, RELEASE_NAME_LIMIT = 200 }; /* of one list; bytes of a name */

struct release {
	const char *name;
	char oid[65]; /* full id of the commit */
};
struct release_list {
	struct release *items;
	size_t count, capacity;
	bool cut; /* there are more */
};

/* Adds one. A name that is too long or not UTF-8 is left out. Returns false at the limit, and the
 * list is cut. */
bool releases_add(struct arena *arena, struct release_list *list, struct span name,
		  const char *oid);
/* Sorts by commit; releases_at() needs it. */
void releases_sort(struct release_list *list);
/* The names at a commit: "v1.2", "v1.2, v1.2.0, ..." if there are several; NULL: none. */
const char *releases_at(struct arena *arena, const struct release_list *list, const char *oid);
