/*
 * Where a path leads: the directory that holds the file, opened, and the file's name in it. What is
 * done relative to the open directory cannot be diverted by exchanging a directory for a link
 * meanwhile.
 *
 * Links that lie in a protected directory, at any depth, are not followed: a commit can bring a
 * link that leads out of the work tree, and what is read or written there would be another file
 * than the one that was named. Links elsewhere are the user's own and are followed.
 */
#pragma once

#include <limits.h>

#include "base/base.h"

struct path {
	int directory;       /* can only be used for the ...at() calls; -1: not open */
	char text[PATH_MAX]; /* the same path, absolute and without links in its directories */
	const char *name;    /* its last part; "." if the path ends with a slash or a dot */
	bool is_protected;   /* the directory is, and `name` is not a link */
};

/* From now on, no link below the directory is followed. It is ignored if it does not exist. Not
 * safe to call while other threads use paths. */
void path_protect(const char *directory);
/* Finds where a path leads; its last part need not exist. `verb` is for messages: "cannot VERB
 * PATH".
 *   - Outside of protected directories, a link to a regular file is followed, too, but one to
 * anything else (/dev/stdout) or to nothing is itself the name.
 * The caller closes it. ERR_USAGE if a link is not followed, else ERR_SYSTEM. */
int path_open(const char *verb, const char *path, struct path *opened, struct error *err);
/* The same, but makes directories that are missing on the way. */
int path_open_making(const char *verb, const char *path, struct path *opened, struct error *err);
/* The same as path_open(), but a link as the last part is itself what is opened, in protected
 * directories, too: for what is deleted or moved. */
int path_open_itself(const char *verb, const char *path, struct path *opened, struct error *err);
/* Refuses, like path_open(), a link with this name next to what was opened in a protected
 * directory. */
int path_check_beside(const char *verb, const struct path *opened, const char *name,
		      struct error *err);
void path_close(struct path *path);
/* Makes the names in a directory last. A file system that cannot sync a directory keeps names in
 * its own way. */
void path_sync(int directory);
/* O_NOFOLLOW, or 0 where a link may be followed. */
int path_flags(const struct path *path);
