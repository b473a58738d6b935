/* Shared by the sources of the backend that runs the git program. */
#pragma once

#include "base/system/system.h"
#include "vcs/backend/backend.h"

struct git {
	char *directory; /* in which git is run */
	bool shallow;
	char *shallow_file; /* path of the list of commits whose parents were cut off */
};

/* Declares a result that is freed at the end of its scope, to be initialized to {0}. */
#define GIT_RESULT __attribute__((cleanup(process_result_free))) struct process_result

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Runs git with these arguments, ended by NULL. `extra` may be NULL; its input, sink, context
 * and seconds are used (60 s by default). Any exit status is success; ERR_REVISION if git cannot be
 * run. *result is a GIT_RESULT. */
int git_run(const struct git *git, const char *const *arguments,
	    const struct process_request *extra, struct process_result *result, struct error *err);
/* Sets the first line of git's message, or how to trust a repository of another user, as the error.
 * Always returns ANSWER_ERROR. */
enum answer git_failed(const struct process_result *result, struct error *err);
/* For output that git does not write; returns ANSWER_ERROR. */
enum answer git_unexpected(const char *command, struct error *err);

/* In vcs/git/backend_files.c; see struct backend. */
enum answer git_entry(void *state, const char *tree, const char *name, struct tree_entry *entry,
		      struct error *err);
enum answer git_blob(void *state, struct arena *arena, const char *oid, struct blob *blob,
		     struct error *err);
enum answer git_is_ignored(void *state, const char *worktree, const char *path, bool *ignored,
			   struct error *err);
enum answer git_setting(void *state, struct arena *arena, const char *name, const char **value,
			struct error *err);

/* In vcs/git/tags.c; see struct backend. */
enum answer git_tags(void *state, struct arena *arena, struct release_list *list,
		     struct error *err);
/* In vcs/git/dirty.c; see struct backend. */
enum answer git_is_dirty(void *state, bool *dirty, struct error *err);
