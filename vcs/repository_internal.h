/* A repository as the files that answer for it see it. */
#ifndef VCS_REPOSITORY_INTERNAL_H
#define VCS_REPOSITORY_INTERNAL_H

#include <stdbool.h>

#include "base/arena.h"
#include "vcs/backend.h"
#include "vcs/place.h"

struct repository {
	struct arena arena; /* of the texts below */
	struct place place;
	const char *home;
	const struct backend *backend;
	void *state;
	const char *reason; /* why not libgit2; NULL */
	bool may_ask_git;   /* libgit2 answers, git may be asked when it cannot */
	bool is_whole;      /* every object lies here: git could find none that libgit2 does not */
	void *git;          /* git's state once asked */
};

/* Git's state beside libgit2, opened when first wanted; NULL when git is not to be had. */
void *repository_second_opinion(struct repository *repository);

#endif
