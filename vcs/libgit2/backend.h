/* What the parts of libgit2's backend share. Its state is the git_repository. */
#pragma once

#include "vcs/backend/backend.h"
#include "vcs/libgit2/library.h"

#define CLEANUP(free_function) __attribute__((cleanup(free_function)))

#define DEFINE_CLEANUP(type, function)                                                             \
	static void function##_at(type **handle)                                                   \
	{                                                                                          \
		if (*handle)                                                                       \
			function(*handle);                                                         \
	}

/* ANSWER_ERROR with what libgit2 said last. */
enum answer libgit2_failed(struct error *err);
/* A full oid of the other hash function is no object here. */
bool libgit2_oid(git_oid *oid, const char *text);

/* Of vcs/libgit2/backend_files.c; see struct backend. */
enum answer libgit2_entry(void *state, const char *tree, const char *name, struct tree_entry *entry,
			  struct error *err);
enum answer libgit2_blob(void *state, struct arena *arena, const char *oid, struct blob *blob,
			 struct error *err);
enum answer libgit2_is_ignored(void *state, const char *worktree, const char *path, bool *ignored,
			       struct error *err);
enum answer libgit2_setting(void *state, struct arena *arena, const char *name, const char **value,
			    struct error *err);
