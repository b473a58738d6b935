/* What the parts of the git program's backend share. */
#pragma once

#include "base/system/system.h"
#include "vcs/backend/backend.h"

struct git {
	char *directory; /* where git is run */
	bool shallow;
	char *shallow_file; /* oids of the commits whose parents were cut off */
};

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Runs git with these arguments; `extra` carries input or a sink. */
int git_run(const struct git *git, const char *const *arguments,
	    const struct process_request *extra, struct process_result *result, struct error *err);
/* What git said on failure, in one line, or the fix for a repository of somebody else. */
enum answer git_failed(const struct process_result *result, struct error *err);

/* Of vcs/git/backend_files.c; see struct backend. */
enum answer git_entry(void *state, const char *tree, const char *name, struct tree_entry *entry,
		      struct error *err);
enum answer git_blob(void *state, struct arena *arena, const char *oid, struct blob *blob,
		     struct error *err);
enum answer git_is_ignored(void *state, const char *worktree, const char *path, bool *ignored,
			   struct error *err);
enum answer git_setting(void *state, struct arena *arena, const char *name, const char **value,
			struct error *err);
