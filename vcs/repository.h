/*
 * A git repository: where it is, which commit a name means, how commits are related, files of
 * commits.
 *
 * Three sources answer, the cheapest first:
 *   1. The repository's own files (vcs/plain): location and refs of an ordinary repository.
 *   2. libgit2, in this process.
 *   3. The git program, run without a shell: where libgit2 1.5 (Debian 12) fails (shallow clones,
 *      safe.directory, worktreeConfig, sha256 objects, GIT_DIR set), and for every question that
 *      libgit2 cannot answer.
 * libgit2 and git are started when they are first needed.
 *
 * Nothing that the repository's own configuration names is run, and nothing is fetched: an object
 * that a partial clone lacks is missing.
 *
 * History is read as it is stored: replacements (git replace) and grafts are ignored.
 *
 * Results are allocated in the arena that is passed to the call. Functions that can fail return 0
 * or -1; unless stated otherwise, the error is ERR_REVISION, and results are unchanged.
 *
 * Never add commands that change a repository.
 */
#pragma once

#include "base/base.h"
#include "model/commits/commits.h"

struct repository;

/* Finds the repository that contains `directory`; fails if there is none. The caller ends it with
 * repository_close(). */
int repository_open(const char *directory, struct repository **repository, struct error *err);
/* The same with only one of libgit2 and git, which must answer everything. */
enum repository_source {
	REPOSITORY_SOURCE_AUTO, /* like repository_open() */
	REPOSITORY_SOURCE_LIBGIT2,
	REPOSITORY_SOURCE_GIT,
};
int repository_open_with(const char *directory, enum repository_source source,
			 struct repository **repository, struct error *err);
void repository_close(struct repository *repository);

/* The top of the work tree, without a final slash; NULL for a bare repository. Valid, like the next
 * result, until repository_close(). */
const char *repository_worktree(const struct repository *repository);
/* The default directory of the store: the work tree, or a bare repository itself. For a linked
 * worktree, the main work tree, so that all worktrees share one history. */
const char *repository_home(const struct repository *repository);
/* The git directory of the repository of which this one is a submodule: a commit there chooses
 * which repository lies here. NULL if it is none, and if GIT_DIR names it. */
const char *repository_superproject(struct repository *repository);
/* The repository itself: .git, or what it points to. */
const char *repository_git_dir(const struct repository *repository);
bool repository_is_shallow(const struct repository *repository);
/* The source that is used where the repository's files are not sufficient, for `doctor`: "libgit2",
 * or "git" with the reason in *reason (which may be NULL). NULL, with the reason, if neither works.
 */
const char *repository_backend(struct repository *repository, const char **reason);
/* Returns whether the caller knows that a full id is the id of a commit. Unless `parent` is NULL,
 * it then becomes the id of its first parent; "" if there is none or it is not known. */
typedef bool repository_commit(void *context, const char *oid, char parent[65]);
/* Avoids starting libgit2 or git for commits that the caller knows: a ref to such a commit is
 * resolved from the repository's files alone, and so is its ancestor ("HEAD~2", "main^") along
 * first parents that the caller knows. Full ids are accepted without checking that the object
 * exists; checking would start libgit2 for every CI gate that passes a commit id. A call that needs
 * the object fails if it is missing. */
void repository_know(struct repository *repository, repository_commit *known, void *context);

/* Resolves a revision expression ("HEAD", "main~2", "v1.2", an abbreviated id) to the full id of a
 * commit. Fails for an unborn HEAD and for an unknown or ambiguous name. */
int repository_resolve(struct repository *repository, const char *name, char oid[65],
		       struct error *err);
/* The same, but an unknown name is not an error: *found is false. In a shallow clone, the commit
 * may exist beyond the cut. */
int repository_find(struct repository *repository, const char *name, char oid[65], bool *found,
		    struct error *err);
/* The commit whose id begins with these digits, whatever branches and tags are called so. *found is
 * false if there is none; several are an error. */
int repository_find_id(struct repository *repository, const char *digits, char oid[65], bool *found,
		       struct error *err);
/* The commit of a branch by its full name, "refs/heads/main" or "refs/remotes/origin/main". Unlike
 * in repository_resolve(), no ref of another name is taken for it: git reads
 * refs/remotes/origin/main as refs/tags/refs/remotes/origin/main as well.
 * "refs/remotes/origin/HEAD" must be symbolic: else it is a branch
 * called HEAD on the remote. *found is false if the ref does not exist. */
int repository_branch(struct repository *repository, const char *ref, char oid[65], bool *found,
		      struct error *err);
/* Tree, parents, times, author and subject of a commit; its position is -1. With `with_patch_id`,
 * also the result of `git patch-id --stable`, which is "" for merges, roots and commits without
 * changes, and if it cannot be computed. */
int repository_revision(struct repository *repository, struct arena *arena, const char *oid,
			bool with_patch_id, struct revision *revision, struct error *err);
/* The first-parent chain from `oid` down, newest first, with positions. The chain stops before the
 * first commit for which `known` returns a position >= 0, and is empty if that is `oid`; with NULL
 * it extends to the root. Such a known commit may be beyond the cut of a shallow clone. Otherwise,
 * a chain that ends at the cut is an error, whose message recommends `git fetch --unshallow`. */
int repository_first_parents(struct repository *repository, struct arena *arena, const char *oid,
			     revision_known *known, void *context, struct revision_list *list,
			     struct error *err);
/* The commits that are reachable from `bad` but not from `good`, including side branches; the last
 * is `bad`. Empty if `bad` is reachable from `good`. Positions are -1. */
int repository_between(struct repository *repository, struct arena *arena, const char *good,
		       const char *bad, struct commit_range *lineage, struct error *err);
/* The revision that was checked out when the current `git bisect` began; NULL if none is active. */
const char *repository_bisect_start(struct repository *repository, struct arena *arena);
/* The best common ancestor (git merge-base). If there are several, the newest one; among those of
 * the same time, the one with the smallest id. Fails if there is none or a shallow clone hides it.
 */
int repository_merge_base(struct repository *repository, const char *one, const char *two,
			  char oid[65], struct error *err);
/* Whether `ancestor` is `oid` or an ancestor of it, along any parents. Fails if a shallow clone
 * hides the answer. */
int repository_is_ancestor(struct repository *repository, const char *ancestor, const char *oid,
			   bool *yes, struct error *err);
/* Whether tracked files differ from HEAD, in the index or in the work tree. False for a bare
 * repository. Untracked files and everything in .rooflog/ do not count. A submodule counts if
 * another commit is checked out in it. */
int repository_is_dirty(struct repository *repository, bool *dirty, struct error *err);
/* A file in the tree of a commit, as it was committed. */
struct repository_file {
	const char *oid;   /* in: full id of the commit */
	const char *path;  /* in: from the top of the tree, parts separated by '/' */
	size_t limit;      /* in: maximum size in bytes */
	bool found;        /* out: the tree has the file */
	size_t size;       /* out: its bytes, also if they are more than the limit */
	struct span bytes; /* out: followed by a NUL that is not counted; empty if not found */
};
/* Reads a file. ERR_FORMAT if it has more than `limit` bytes, if the path is a directory, a
 * submodule or a symbolic link, or if a part of the path is not a directory (links are not
 * followed). */
int repository_read(struct repository *repository, struct arena *arena,
		    struct repository_file *file, struct error *err);
/* Whether the index has a file at `name`, relative to the top of the work tree. Reads the index as
 * a file, because that takes a hundredth of the time of loading libgit2. */
bool repository_tracks(struct repository *repository, const char *name);
/* Whether git ignores an untracked file at `path`, relative to the top of the work tree. */
int repository_is_ignored(struct repository *repository, const char *path, bool *ignored,
			  struct error *err);
/* Sets the tags and the commits that they point at. Up to RELEASES_LIMIT; list->cut says whether
 * there are more. A tag of something else than a commit may be among them. */
int repository_tags(struct repository *repository, struct arena *arena, struct release_list *list,
		    struct error *err);
/* The last value of a variable of git's configuration, e.g. "user.name"; NULL if it is not set. */
int repository_setting(struct repository *repository, struct arena *arena, const char *name,
		       const char **value, struct error *err);
