/*
 * Files that all clones of a repository share without a branch: the tree of the ref
 * refs/rooflog/runs of a remote. Files are added and never changed; who pushes names what was there
 * before, so two who push at the same time do not lose anything: one is rejected and tries again.
 * No other ref of the remote is read or written. All by the git program, whose settings say how to
 * reach the remote; its hooks stay off. It asks for no password (ssh may). Errors are ERR_SYSTEM
 * with git's own words.
 *
 * Never add what the files hold.
 */
#pragma once

#include "base/base.h"

struct share_file {
	const char *path;
	char oid[65]; /* of its bytes */
};
struct share_list {
	struct share_file *items;
	size_t count, capacity;
};

/* Waits until no other process shares from this clone: at most ten minutes. */
struct share_lock {
	int fd;
};
int share_lock(struct share_lock *lock, struct error *err);
void share_unlock(struct share_lock *lock);

/* Brings what the remote has here. *commit is NULL if it has nothing. */
int share_fetch(struct arena *arena, const char *remote, const char **commit, struct error *err);
/* The files of a commit; none of NULL. */
int share_files(struct arena *arena, const char *commit, struct share_list *list,
		struct error *err);
/* Reads files, one after the other. ERR_FORMAT for one of more than 256 MiB. */
struct share_reading {
	int (*file)(void *context, size_t index, struct span bytes, struct error *err);
	void *context;
};
int share_read(const struct share_list *list, const struct share_reading *reading,
	       struct error *err);
/* Writes the bytes of a file; no tree has them yet. */
int share_write(struct span bytes, char oid[65], struct error *err);
/* Makes a commit after `commit` (NULL: the first) with further files and without those of
 * `gone`. */
int share_add(struct arena *arena, const char *commit, const struct share_list *added,
	      const struct share_list *gone, const char **made, struct error *err);
/* Makes it what the remote has. *rejected: another commit came first, nothing was done. */
int share_push(const char *remote, const char *commit, bool *rejected, struct error *err);
