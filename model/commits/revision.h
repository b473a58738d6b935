/*
 * A commit as the store keeps it: enough to find the nearest measured ancestor without opening the
 * git repository. Filled by vcs/, stored by db/. The texts belong to the arena of the caller.
 */
#pragma once

#include "base/base.h"

struct revision {
	const char *oid;      /* full hex object id (40 or 64 digits) */
	const char *tree;     /* tree oid */
	const char *patch_id; /* git patch-id of the change; "" for merges and roots, or if not
			       * requested */
	const char *parent;   /* first parent's oid, "" for a root */
	const char *parents;  /* all parents, space separated */
	int64_t position;     /* number of first-parent ancestors; a root has 0 */
	int64_t time;         /* committer time, Unix seconds */
	const char *subject;  /* first line of the message, UTF-8 */
	const char *author;   /* name; "" if omitted; NULL: unknown, e.g. from a store */
	const char *authored; /* author's time, "2026-11-21T09:32:51Z"; NULL: unknown, e.g. from a
			       * store */
	const char *file;     /* the file or folder that stands for a commit, as it was named;
			       * NULL: a commit of a repository. The id is then made up. */
};

struct revision_list {
	struct revision *items;
	size_t count;
	size_t capacity;
};

/* The stored position of a commit; -1 if it is not stored. */
typedef int64_t revision_known(void *context, const char *oid);
