/*
 * The tags of a repository from its files: packed-refs, which names the commit of each annotated
 * tag, and loose files, whose ids are believed only if the caller knows them as commits.
 */
#pragma once

#include "vcs/plain/refs.h"

typedef bool tags_is_commit(void *context, const char *oid);

/* REF_FOUND: all tags are in the list, which may be empty. REF_UNCERTAIN: ask libgit2 or git; the
 * list is unchanged. */
enum ref tags_find(const struct repository_path *paths, struct arena *arena,
		   tags_is_commit *is_commit, void *context, struct release_list *list);
/* The tags in the bytes of a packed-refs file. */
enum ref tags_packed(struct span bytes, struct arena *arena, struct release_list *list);
