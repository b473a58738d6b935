/*
 * Finds a repository by its directories and small files alone, without libgit2 or git. It decides
 * only what is certain. Everything that git treats specially is left to git: another owner,
 * environment variables that move parts, bare repositories, symbolic links, extensions, included
 * configuration, other file systems.
 */
#pragma once

#include "vcs/backend/backend.h"

enum layout {
	LAYOUT_UNCERTAIN, /* not certain: ask libgit2 or git */
	LAYOUT_NONE,      /* the directory is not in a repository */
	LAYOUT_FOUND      /* *paths is set */
};

/* `directory` is absolute and has no symbolic links. */
enum layout layout_find(struct arena *arena, const char *directory, struct repository_path *paths);
