/* Paths of a repository, from its configuration files. */
#pragma once

#include "vcs/backend/backend.h"

/* The path with all links resolved; the path itself if that fails, NULL for NULL. */
const char *paths_real_path(struct arena *arena, const char *path);
/* The default directory of the store: the work tree, or the bare repository. For a linked worktree,
 * that of the main repository: its work tree, the parent of .git, or itself if it is bare. */
const char *paths_home(struct arena *arena, const struct repository_path *paths);
/* Whether all objects are in the repository: it is not a partial clone, whose missing objects git
 * fetches, and has no alternates. */
bool paths_is_whole(struct arena *arena, const struct repository_path *paths);
