/* A repository as the files that answer for it see it. */
#pragma once

#include <stdbool.h>

#include "base/base.h"
#include "vcs/backend/backend.h"
#include "vcs/plain/plain.h"
#include "vcs/repository.h"

struct repository {
	struct arena arena; /* of the texts below */
	const char *directory;
	enum repository_source source;
	struct repository_path place;
	bool told; /* the place by files alone, which then tell of refs, too */
	const char *home;
	repository_commit *known; /* NULL: the caller knows none */
	void *known_context;
	const struct backend *backend; /* NULL until something is asked */
	void *state;
	const char *reason; /* why not libgit2; NULL */
	bool may_ask_git;   /* libgit2 answers, git may be asked when it cannot */
	bool is_whole;      /* every object lies here: git could find none that libgit2 does not */
	void *git;          /* git's state once asked */
};

/* Before anything is asked of the backend. */
int repository_start(struct repository *repository, struct error *err);
/* Git's state beside libgit2, opened when first wanted; NULL when git is not to be had. */
void *repository_second_opinion(struct repository *repository);
