/*
 * The interface of a backend that answers questions about a git repository. There are two: libgit2
 * and the git program. vcs/repository*.c chooses one and words the messages for all answers other
 * than YES; a backend sets *err only for ANSWER_ERROR.
 *
 * Never add a particular backend.
 */
#pragma once

#include "base/base.h"
#include "model/commits/commits.h"
#include "vcs/backend/chain.h"
#include "vcs/backend/commit.h"

enum answer {
	ANSWER_ERROR = -1, /* *err has the reason */
	ANSWER_YES = 0,    /* the results are set */
	ANSWER_NONE,       /* no repository, no such commit, no common ancestor */
	ANSWER_AMBIGUOUS,  /* an abbreviation of several objects */
	ANSWER_HIDDEN      /* beyond the cut of a shallow clone */
};

/* Where the parts of a repository are: absolute paths without a final slash. */
struct repository_path {
	const char *git_dir;
	const char *common_dir; /* differs from git_dir in linked worktrees */
	const char *worktree;   /* NULL: bare */
	bool shallow;
};

struct blob {
	size_t limit;      /* in: maximum of bytes to read */
	uint64_t size;     /* out */
	struct span bytes; /* out; empty if size > limit */
};

/* An entry of a tree; `oid` is set unless it is absent. */
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
	/* Finds the repository that contains an absolute directory. *state is freed by close(). */
	enum answer (*open)(const char *directory, struct arena *arena,
			    struct repository_path *paths, void **state, struct error *err);
	void (*close)(void *state);
	/* `name` is not empty and does not begin with '-'. */
	enum answer (*resolve)(void *state, const char *name, char oid[65], struct error *err);
	/* The id that a ref has by its full name, "refs/heads/main". NONE also for a name that ends
	 * in "/HEAD" and is not symbolic. */
	enum answer (*ref)(void *state, const char *name, char oid[65], struct error *err);
	/* The commit whose id begins with `digits`; no ref is looked at. */
	enum answer (*abbreviated)(void *state, const char *digits, char oid[65],
				   struct error *err);
	bool (*head_is_unborn)(void *state);
	/* From here on, ids of commits are full ids. */
	enum answer (*commit)(void *state, struct arena *arena, const char *oid,
			      struct revision *revision, struct error *err);
	/* The patch id of a commit with one parent. NONE: it has no changes, or this backend cannot
	 * compute the same id as git. */
	enum answer (*patch_id)(void *state, const struct revision *revision, char patch_id[65],
				struct error *err);
	/* Adds commits from `oid` down until the chain is complete. */
	enum answer (*walk)(void *state, const char *oid, struct chain *chain, struct error *err);
	/* Adds the commits that are reachable from `bad` but not from `good`, in any order.
	 * chain->all is true. */
	enum answer (*between)(void *state, const char *good, const char *bad, struct chain *chain,
			       struct error *err);
	/* The best common ancestor; see repository_merge_base(). */
	enum answer (*merge_base)(void *state, const char *one, const char *two, char oid[65],
				  struct error *err);
	enum answer (*is_dirty)(void *state, bool *dirty, struct error *err);
	/* Looks up a name without slashes in a tree. NONE: no such tree. */
	enum answer (*entry)(void *state, const char *tree, const char *name,
			     struct tree_entry *entry, struct error *err);
	/* The bytes of a blob, followed by a NUL. NONE: no such blob. */
	enum answer (*blob)(void *state, struct arena *arena, const char *oid, struct blob *blob,
			    struct error *err);
	/* Whether git ignores an untracked file; `path` is relative to the work tree's top. */
	enum answer (*is_ignored)(void *state, const char *worktree, const char *path,
				  bool *ignored, struct error *err);
	/* The last value of a configuration variable. NONE: it is not set. */
	enum answer (*setting)(void *state, struct arena *arena, const char *name,
			       const char **value, struct error *err);
	/* Adds the tags with the ids of the commits that they point at, directly or by annotated
	 * tags; at most RELEASES_LIMIT, else list->cut is set. A tag of something else may be among
	 * them. */
	enum answer (*tags)(void *state, struct arena *arena, struct release_list *list,
			    struct error *err);
};

extern const struct backend backend_libgit2;
extern const struct backend backend_git;
