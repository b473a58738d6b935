/*
 * What a source of git answers must do. There are two: libgit2 (in the process)
 * and the git program. vcs/repository.c chooses and words the errors that a
 * person sees for the answers other than YES; a backend words only ANSWER_ERROR.
 *
 * Never add a particular backend.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "model/commits/commits.h"
#include "vcs/backend/chain.h"
#include "vcs/backend/commit.h"

enum answer {
	ANSWER_ERROR = -1, /* the error says why */
	ANSWER_YES = 0,
	ANSWER_NONE,      /* no repository, no such commit, no common ancestor */
	ANSWER_AMBIGUOUS, /* an abbreviation that fits several objects */
	ANSWER_HIDDEN     /* beyond the cut of a shallow clone */
};

/* Absolute paths, no final slash. */
struct repository_path {
	const char *git_dir;
	const char *common_dir; /* differs from git_dir in linked worktrees */
	const char *worktree;   /* NULL: bare */
	bool shallow;
};

struct blob {
	size_t limit; /* given: no more bytes than that */
	uint64_t size;
	struct span bytes; /* empty when the size is above the limit */
};

/* What is called so in one tree. */
struct tree_entry {
	enum tree_entry_kind {
		TREE_ENTRY_ABSENT,
		TREE_ENTRY_FILE,
		TREE_ENTRY_DIRECTORY,
		TREE_ENTRY_LINK,
		TREE_ENTRY_SUBMODULE
	} kind;
	char oid[65];
};

struct backend {
	const char *name;
	/* Finds the repository around an absolute directory; `*state` is closed by close(). */
	enum answer (*open)(const char *directory, struct arena *arena,
			    struct repository_path *place, void **state, struct error *err);
	void (*close)(void *state);
	/* `name` is not empty and does not begin with '-'. */
	enum answer (*resolve)(void *state, const char *name, char oid[65], struct error *err);
	bool (*head_is_unborn)(void *state);
	/* `oid` is a full one from here on. */
	enum answer (*commit)(void *state, struct arena *arena, const char *oid,
			      struct revision *revision, struct error *err);
	/* Of a commit with one parent. NONE: it cannot be had here, or nothing was changed. */
	enum answer (*patch_id)(void *state, const struct revision *revision, char patch_id[65],
				struct error *err);
	/* Adds commits from `oid` down until the chain is complete. */
	enum answer (*walk)(void *state, const char *oid, struct chain *chain, struct error *err);
	/* Adds the commits that lead to `bad` and not to `good`, in any order. The chain is one of
	 * `all`. */
	enum answer (*between)(void *state, const char *good, const char *bad, struct chain *chain,
			       struct error *err);
	/* Of several best ancestors the newest; of these the one with the smallest oid. */
	enum answer (*merge_base)(void *state, const char *one, const char *two, char oid[65],
				  struct error *err);
	enum answer (*is_dirty)(void *state, bool *dirty, struct error *err);
	/* `name` has no slash. NONE: no such tree. */
	enum answer (*entry)(void *state, const char *tree, const char *name,
			     struct tree_entry *entry, struct error *err);
	/* The bytes of a blob, with a NUL behind them. NONE: no such blob. */
	enum answer (*blob)(void *state, struct arena *arena, const char *oid, struct blob *blob,
			    struct error *err);
	/* Whether git passes over an untracked file (path from the work tree's top). */
	enum answer (*is_ignored)(void *state, const char *worktree, const char *path,
				  bool *ignored, struct error *err);
	/* The last value of a configuration variable. NONE: it is not set. */
	enum answer (*setting)(void *state, struct arena *arena, const char *name,
			       const char **value, struct error *err);
};

extern const struct backend backend_libgit2;
extern const struct backend backend_git;
