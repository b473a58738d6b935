/* The tags of a repository: from its files if they suffice, else from libgit2 or git. */
#include "vcs/repository_internal.h"

static bool is_known(void *context, const char *oid)
{
	const struct repository *repository = context;
	return repository->known && repository->known(repository->known_context, oid, NULL);
}

int repository_tags(struct repository *repository, struct arena *arena, struct release_list *list,
		    struct error *err)
{
	struct release_list found = {0};
	if (repository->found_in_files &&
	    tags_find(&repository->paths, arena, is_known, repository, list) == REF_FOUND)
		return 0;
	if (repository_start(repository, err) < 0)
		return -1;
	enum answer answer = repository->backend->tags(repository->state, arena, &found, err);
	if (answer != ANSWER_YES && repository_second_opinion(repository)) {
		found = (struct release_list){0};
		answer = backend_git.tags(repository->git, arena, &found, err);
	}
	if (answer != ANSWER_YES)
		return error_prefix(err, "tags");
	*list = found;
	return 0;
}
