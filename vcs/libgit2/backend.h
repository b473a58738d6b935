/* Shared by the sources of the libgit2 backend. Its state is the git_repository. */
#pragma once

#include "vcs/backend/backend.h"
#include "vcs/libgit2/library.h"

/* A handle declared with CLEANUP(function_at) is freed when it goes out of scope; DEFINE_CLEANUP
 * defines function_at() for a function that frees. */
#define CLEANUP(free_function) __attribute__((cleanup(free_function)))

#define DEFINE_CLEANUP(type, function)                                                             \
	static void function##_at(type **handle)                                                   \
	{                                                                                          \
		if (*handle)                                                                       \
			function(*handle);                                                         \
	}

/* Sets libgit2's latest message as the error. Always returns ANSWER_ERROR. */
enum answer libgit2_failed(struct error *err);
/* Parses a full SHA-1 id; false for anything else, e.g. a SHA-256 id. */
bool libgit2_oid(git_oid *oid, const char *text);

/* In vcs/libgit2/tags.c; see struct backend. */
enum answer libgit2_tags(void *state, struct arena *arena, struct release_list *list,
			 struct error *err);
/* In vcs/libgit2/backend_files.c; see struct backend. */
enum answer libgit2_entry(void *state, const char *tree, const char *name, struct tree_entry *entry,
			  struct error *err);
enum answer libgit2_blob(void *state, struct arena *arena, const char *oid, struct blob *blob,
			 struct error *err);
enum answer libgit2_is_ignored(void *state, const char *worktree, const char *path, bool *ignored,
			       struct error *err);
enum answer libgit2_setting(void *state, struct arena *arena, const char *name, const char **value,
			    struct error *err);
