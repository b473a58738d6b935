/*
 * Whether the work tree is what HEAD has, told by git's index alone: it keeps the tree that it was
 * written as, and what the system said of every file then. No object is read, and no file.
 */
#ifndef VCS_PLAIN_INDEX_H
#define VCS_PLAIN_INDEX_H

#include "vcs/backend/backend.h"

/* True: no tracked file differs from HEAD's `tree` (full id) in index or work tree, but for those
 * below .rooflog/. False: somebody else must look, because something differs or is unusual. */
bool index_is_clean(const struct place *place, const char *tree);

#endif
