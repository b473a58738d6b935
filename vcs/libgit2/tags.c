/* The tags of a repository, by libgit2. */
#include "vcs/libgit2/backend.h"

DEFINE_CLEANUP(git_object, git_object_free)

struct search {
	git_repository *repository;
	struct arena *arena;
	struct release_list *list;
};

/* Skips tags of other objects than commits, and tags whose object is missing. */
static int add(const char *name, git_oid *oid, void *payload)
{
	struct search *search = payload;
	git_object *object CLEANUP(git_object_free_at) = NULL;
	git_object *commit CLEANUP(git_object_free_at) = NULL;
	char text[65];
	struct span ref = span_of(name);
	(void)oid;
	if (!span_starts(ref, "refs/tags/") ||
	    git_revparse_single(&object, search->repository, name) ||
	    git_object_peel(&commit, object, GIT_OBJECT_COMMIT))
		return 0;
	git_oid_tostr(text, sizeof text, git_object_id(commit));
	struct span tag = {ref.ptr + strlen("refs/tags/"), ref.len - strlen("refs/tags/")};
	return releases_add(search->arena, search->list, tag, text) ? 0 : 1;
}

enum answer libgit2_tags(void *state, struct arena *arena, struct release_list *list,
			 struct error *err)
{
	struct search search = {state, arena, list};
	return git_tag_foreach(state, add, &search) < 0 ? libgit2_failed(err) : ANSWER_YES;
}
