/* The state of an open repository; shared by the sources of vcs/repository*.c. */
#pragma once

#include "base/base.h"
#include "vcs/backend/backend.h"
#include "vcs/plain/plain.h"
#include "vcs/repository.h"

struct repository {
	struct arena arena;    /* owns the texts below */
	const char *directory; /* where the search began; absolute, without links */
	enum repository_source source;
	struct repository_path paths;
	bool found_in_files; /* vcs/plain found the paths; it may also be asked for refs */
	const char *home;
	repository_commit *known; /* NULL: the caller knows no commits */
	void *known_context;
	const struct backend *backend; /* NULL until repository_start() */
	void *state;                   /* of the backend */
	const char *reason;            /* why libgit2 is not used; NULL */
	bool may_ask_git;              /* libgit2 is used, and git may be asked if it fails */
	struct tracked *tracked;       /* repository_tracks(); NULL until it is asked */
	void *git; /* state of git in addition to libgit2; NULL until it is asked */
};

/* Opens a backend unless that is done. To be called before `backend` and `state` are used. */
int repository_start(struct repository *repository, struct error *err);
/* The state of git in addition to libgit2, opened on first use. NULL if git may not be asked or
 * does not work. */
void *repository_second_opinion(struct repository *repository);
