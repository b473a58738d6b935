/*
 * Changes of work trees, by the git program: filters and submodules are its business. Its hooks and
 * its file system monitor stay off, so that no program which the repository's settings name runs.
 * Git runs in the current directory. Errors are ERR_SYSTEM with git's own words.
 *
 * Never add questions about a repository: vcs/repository.h answers them.
 */
#pragma once

#include "base/base.h"

/* The branch that is checked out, or the id of the commit if none is. */
int checkout_current(struct arena *arena, const char **name, bool *detached, struct error *err);
/* Checks a commit out in the current work tree. */
int checkout_commit(const char *oid, struct error *err);
/* Checks out again what checkout_current() found, also after a signal. */
int checkout_return(const char *name, bool detached, struct error *err);
/* Makes another work tree of the repository at the path, which must not exist, with a commit. */
int checkout_add_worktree(const char *path, const char *oid, struct error *err);
/* Removes it with all that is in it, also after a signal, and also one that is only half made. */
int checkout_remove_worktree(const char *path, struct error *err);
