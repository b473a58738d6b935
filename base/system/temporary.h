/*
 * Temporary files and folders next to what they will replace, ".NAME.rooflog-0" and so on. The lock
 * of their writer shows which are in use: what a process that was killed left is removed by
 * the next one that writes the same NAME.
 */
#pragma once

#include <limits.h>

#include "base/base.h"

struct temporary {
	int fd; /* open and locked; closing it gives up the claim */
	char name[NAME_MAX + 1];
};

enum temporary_kind { TEMPORARY_FILE, TEMPORARY_FOLDER };

/* Makes a temporary file or folder for `name` in an open directory; only the user may read it.
 * Removes those that were left: folders by `empty`, which deletes what it knows in the open folder.
 * Returns -1 with errno. */
int temporary_make(int directory, const char *name, enum temporary_kind kind,
		   void (*empty)(int folder), struct temporary *made);
/* Makes a folder for files of another program in a directory that everyone may share, such as /tmp:
 * ".rooflog-tool.XXXXXX", which only the user may read. Removes those of this user that were left,
 * with all that is in them. Returns a descriptor that claims it, or -1 with errno. */
int temporary_workspace(const char *parent, char path[PATH_MAX]);
/* Removes a workspace with all that is in it, and closes the descriptor. */
void temporary_workspace_remove(const char *path, int fd);
/* Removes temporary files that were left in a directory, for whatever name. */
void temporary_sweep(const char *directory);
