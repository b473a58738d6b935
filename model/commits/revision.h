/*
 * A commit as the store keeps it: enough to answer "nearest ancestor with data"
 * without opening the git repository again. Filled by vcs/, stored by db/.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct revision {
	const char *oid;      /* full hex object id (40 or 64 digits) */
	const char *tree;     /* tree oid */
	const char *patch_id; /* git patch-id of the change, "" for merges, roots and on request */
	const char *parent;   /* first parent's oid, "" for a root */
	const char *parents;  /* all parents, space separated */
	int64_t position;     /* number of first-parent ancestors: a root is 0 */
	int64_t time;         /* committer time, Unix seconds */
	const char *subject;  /* first line of the message, UTF-8 */
	const char *author;   /* name, "" where it is left out; NULL unknown, as from a store */
	const char *authored; /* author's time, "2026-11-21T09:32:51Z"; NULL unknown, as it is from
				 a store, which does not keep it */
};

struct revision_list {
	struct revision *items;
	size_t count;
	size_t capacity;
};

/* The position that is stored for a commit, or -1 when it is not stored. */
typedef int64_t revision_known(void *context, const char *oid);
