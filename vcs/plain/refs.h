/*
 * What a name means by the files of refs: HEAD, branches, tags, refs of remotes, loose,
 * packed or symbolic. No object is looked at, so whether an id is that of a commit is
 * for others to say. Expressions, abbreviated ids and anything odd stay untold.
 */
#pragma once

#include "vcs/backend/backend.h"

enum ref {
	REF_UNTOLD, /* somebody else must be asked */
	REF_NONE,   /* nothing is called so */
	REF_UNBORN, /* HEAD names a branch without a commit */
	REF_FOUND
};

/* By git's rules: the name itself, then below refs/, refs/tags/, refs/heads/, refs/remotes/, then
 * the HEAD of a remote. A full id is itself; of a packed tag `oid` is what it is put on. */
enum ref refs_find(const struct repository_path *place, const char *name, char oid[65]);
/* What the bytes of a packed-refs file say about a ref ("refs/tags/v1"). */
enum ref refs_packed(struct span bytes, const char *ref, char oid[65]);
/* What the bytes of a loose ref say; *target is where a symbolic one leads, else empty. */
enum ref refs_loose(struct span bytes, char oid[65], struct span *target);
