/* Where a repository's parts lie. */
#pragma once

#include "vcs/backend/backend.h"

/* Without links; the path itself where that cannot be told. */
const char *paths_real_path(struct arena *arena, const char *path);
/* A linked worktree shares the home of its main repository: that one's work tree, or the directory
 * around .git, or itself when bare. */
const char *paths_home(struct arena *arena, const struct repository_path *place);
/* Neither a partial clone, whose missing objects git fetches, nor one that borrows objects. */
bool paths_is_whole(struct arena *arena, const struct repository_path *place);
