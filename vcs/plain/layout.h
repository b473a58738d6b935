/*
 * Where a repository lies, told by its directories and small files alone: no library,
 * no program. Only what is certain is told. Whatever git treats in a way of its own
 * (another owner, variables that move parts, bare repositories, links, extensions,
 * included settings, borders between file systems) is left to it.
 */
#pragma once

#include "vcs/backend/backend.h"

enum layout {
	LAYOUT_UNTOLD, /* somebody else must be asked */
	LAYOUT_NONE,   /* the directory is in no repository */
	LAYOUT_TOLD
};

/* `directory` is absolute and without links. */
enum layout layout_find(struct arena *arena, const char *directory, struct repository_path *place);
