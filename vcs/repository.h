/*
 * The git side: where the repository is, which commit a name means, how commits
 * are related. libgit2 answers; where Debian 12's libgit2 1.5 fails (shallow
 * clones, safe.directory, worktreeConfig, sha256 objects, GIT_DIR set) the `git`
 * program does, run with an argument vector and without a shell. A question that
 * libgit2 cannot answer is put to git too before it becomes an error. Both are
 * started when first needed: where a plain repository lies and what its refs name
 * is read from its files (vcs/plain/layout.h, vcs/plain/refs.h).
 *
 * Both read history as it is stored: replacements and grafts do not count.
 *
 * Never add commands that change a repository.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "model/commits/commits.h"

struct repository;

/* Finds the repository that contains `directory`. -1 and ERR_REVISION when there is none. */
int repository_open(const char *directory, struct repository **repository, struct error *err);
/* The same with one source of answers only, without a second opinion from the other. */
enum repository_source {
	REPOSITORY_SOURCE_AUTO, /* what repository_open() does */
	REPOSITORY_SOURCE_LIBGIT2,
	REPOSITORY_SOURCE_GIT,
};
int repository_open_with(const char *directory, enum repository_source source,
			 struct repository **repository, struct error *err);
void repository_close(struct repository *repository);

/* The top of the work tree, without a final slash; NULL for a bare repository. */
const char *repository_worktree(const struct repository *repository);
/* The directory where the store lives by default: the work tree, or the bare repository itself;
 * for linked worktrees the main work tree, so that all worktrees share one history. */
const char *repository_home(const struct repository *repository);
bool repository_is_shallow(const struct repository *repository);
/* Who answers what files do not tell, for `doctor`: "libgit2", or "git" with the reason; NULL with
 * the reason when nobody can. */
const char *repository_backend(struct repository *repository, const char **reason);
/* Whether the caller knows a full oid to be that of a commit. Of such commits refs need no objects,
 * and names that lead to them are told by the repository's small files alone. So is a full id,
 * which is found then even where git has lost the object: to look would cost each verdict that is
 * asked for by an id, as CI does, the start of libgit2. What needs the object fails where it is
 * read. */
typedef bool repository_commit(void *context, const char *oid);
void repository_know(struct repository *repository, repository_commit *known, void *context);

/* A revision expression ("HEAD", "main~2", "v1.2", abbreviated oid) to a full commit oid in
 * `oid` (at least 65 bytes). An unborn HEAD, an unknown or ambiguous name is ERR_REVISION. */
int repository_resolve(struct repository *repository, const char *name, char oid[65],
		       struct error *err);
/* The same; 0 with *found false where nothing is called so. In a shallow
 * clone it may be hidden. */
int repository_find(struct repository *repository, const char *name, char oid[65], bool *found,
		    struct error *err);
/* Tree, parents, time, subject of one commit; position is -1. with_patch_id computes what
 * `git patch-id --stable` says; it stays "" for merges, roots, commits that change nothing, and
 * where nobody can tell. */
int repository_revision(struct repository *repository, struct arena *arena, const char *oid,
			bool with_patch_id, struct revision *revision, struct error *err);
/* The first-parent chain from `oid` down, newest first, positions filled; empty when `oid` itself
 * is known. Stops before the first commit for which `known` returns its stored position >= 0
 * (NULL: walk to the root); it may be a commit that a shallow clone has cut off. When the chain
 * ends at the cut, -1 with a message that prints `git fetch --unshallow`. */
int repository_first_parents(struct repository *repository, struct arena *arena, const char *oid,
			     revision_known *known, void *context, struct revision_list *list,
			     struct error *err);
/* The commits that lead to `bad` and not to `good`, those of side branches too; the last is `bad`.
 * Empty when `bad` leads to `good`. Positions are -1. */
int repository_between(struct repository *repository, struct arena *arena, const char *good,
		       const char *bad, struct commit_range *lineage, struct error *err);
/* What was checked out before the `git bisect` that is under way, as a revision; NULL: none is. */
const char *repository_bisect_start(struct repository *repository, struct arena *arena);
/* Best common ancestor; of several the newest, then the one with the smallest oid. ERR_REVISION
 * when there is none, or when a shallow clone hides it. */
int repository_merge_base(struct repository *repository, const char *one, const char *two,
			  char oid[65], struct error *err);
/* Whether one commit is the other or an ancestor of it, along any parents. ERR_REVISION when a
 * shallow clone hides that. */
int repository_is_ancestor(struct repository *repository, const char *ancestor, const char *oid,
			   bool *yes, struct error *err);
/* Whether tracked files differ from HEAD (index or work tree; untracked files do not count, nor
 * does anything below .rooflog/; a submodule counts when another commit is checked out in it).
 * False for a bare repository. */
int repository_is_dirty(struct repository *repository, bool *dirty, struct error *err);
/* A file in the tree of a commit, as it was committed. */
struct repository_file {
	const char *oid;   /* of the commit, full */
	const char *path;  /* from the top, '/' between */
	size_t limit;      /* most bytes that it may have */
	bool found;        /* filled; what follows is when it is */
	struct span bytes; /* a NUL follows that is not counted */
};
/* Links are not followed: one, a directory or a submodule at the path, a link or a file on the way
 * to it, and more than `limit` bytes are ERR_FORMAT. ERR_REVISION without the commit. */
int repository_read(struct repository *repository, struct arena *arena,
		    struct repository_file *file, struct error *err);
/* Whether git passes over an untracked file at `path` (from the top of the work tree). */
int repository_is_ignored(struct repository *repository, const char *path, bool *ignored,
			  struct error *err);
/* The last value of a variable of git's configuration ("user.name"); NULL when it is not set. */
int repository_setting(struct repository *repository, struct arena *arena, const char *name,
		       const char **value, struct error *err);
