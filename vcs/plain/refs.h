/*
 * Resolves names from the files of refs: HEAD, branches, tags and refs of remotes; loose, packed or
 * symbolic. Objects are not read, so the id may be that of any object. Expressions (HEAD~2),
 * abbreviated ids and everything unusual are left to libgit2 or git.
 */
#pragma once

#include "vcs/backend/backend.h"

enum ref {
	REF_UNCERTAIN, /* not certain: ask libgit2 or git */
	REF_NONE,      /* no ref has this name */
	REF_UNBORN,    /* HEAD refers to a branch without a commit */
	REF_FOUND      /* `oid` is set */
};

/* Resolves a name by the rules of gitrevisions(7): the name itself, refs/NAME, refs/tags/NAME,
 * refs/heads/NAME, refs/remotes/NAME, refs/remotes/NAME/HEAD. A full id is its own result. For an
 * annotated tag in packed-refs, the result is the object that it was put on. */
enum ref refs_find(const struct repository_path *paths, const char *name, char oid[65]);
/* The same for the full name of a branch ("refs/heads/main"), which stands for this ref only. A
 * name that ends in "/HEAD" is found only if it is symbolic. */
enum ref refs_exact(const struct repository_path *paths, const char *name, char oid[65]);
/* Looks up a full ref name ("refs/tags/v1") in the bytes of a packed-refs file. */
enum ref refs_packed(struct span bytes, const char *ref, char oid[65]);
/* Parses the bytes of a loose ref. *target is the name that a symbolic ref refers to, and then
 * `oid` is not set; otherwise it is empty. */
enum ref refs_loose(struct span bytes, char oid[65], struct span *target);
