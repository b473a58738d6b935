/* Questions about files: those of a commit, ignored paths, and git's configuration. */

#include "vcs/backend/backend.h"
#include "vcs/repository.h"
#include "vcs/repository_internal.h"

static int is_missing(const char *kind, const char *oid, struct error *err)
{
	return error_set(err, ERR_REVISION,
			 "the %s %s is missing in the repository, as in a partial clone; rooflog "
			 "fetches nothing, but \"git cat-file -p %s\" does",
			 kind, oid, oid);
}

static int entry_of(struct repository *repository, const char *tree, const char *name,
		    struct tree_entry *entry, struct error *err)
{
	enum answer answer = repository->backend->entry(repository->state, tree, name, entry, err);
	if (answer != ANSWER_YES && repository_second_opinion(repository))
		answer = backend_git.entry(repository->git, tree, name, entry, err);
	if (answer == ANSWER_NONE)
		return is_missing("tree", tree, err);
	return answer == ANSWER_YES ? 0 : -1;
}

static int read_blob(struct repository *repository, struct arena *arena, const char *oid,
		     struct repository_file *file, struct error *err)
{
	struct blob blob = {.limit = file->limit};
	enum answer answer = repository->backend->blob(repository->state, arena, oid, &blob, err);
	if (answer != ANSWER_YES && repository_second_opinion(repository))
		answer = backend_git.blob(repository->git, arena, oid, &blob, err);
	if (answer == ANSWER_NONE)
		return is_missing("blob", oid, err);
	if (answer != ANSWER_YES)
		return -1;
	file->size = blob.size;
	if (blob.size > blob.limit)
		return error_set(err, ERR_FORMAT,
				 "it is larger than %zu bytes, the limit for such a file",
				 blob.limit);
	file->found = true;
	file->bytes = blob.bytes;
	return 0;
}

static int wrong_kind(enum tree_entry_kind kind, const char *name, bool last, struct error *err)
{
	static const char *const kinds[] = {"absent", "a file", "a directory", "a symbolic link",
					    "a submodule"};
	assert(kind <= TREE_ENTRY_SUBMODULE);
	return error_set(err, ERR_FORMAT, "%s is %s in that commit, not %s; links are not followed",
			 name, kinds[kind], last ? "a file" : "a directory");
}

/* Follows the path from the tree down, one name at a time. */
static int read_below(struct repository *repository, struct arena *arena, const char *tree,
		      struct repository_file *file, struct error *err)
{
	struct tree_entry entry;
	struct span rest = span_of(file->path);
	while (rest.ptr) {
		struct span name = span_cut(&rest, '/');
		const char *text = arena_strndup(arena, name.ptr, name.len);
		if (entry_of(repository, tree, text, &entry, err) < 0)
			return -1;
		if (entry.kind == TREE_ENTRY_ABSENT)
			return 0;
		if (entry.kind != (rest.ptr ? TREE_ENTRY_DIRECTORY : TREE_ENTRY_FILE))
			return wrong_kind(entry.kind, text, !rest.ptr, err);
		tree = arena_strdup(arena, entry.oid);
	}
	return read_blob(repository, arena, tree, file, err);
}

int repository_read(struct repository *repository, struct arena *arena,
		    struct repository_file *file, struct error *err)
{
	struct revision revision;
	file->found = false;
	file->size = 0;
	file->bytes = (struct span){0};
	if (repository_revision(repository, arena, file->oid, false, &revision, err) < 0)
		return -1;
	if (read_below(repository, arena, revision.tree, file, err) < 0)
		return error_prefix(err, "%.10s:%s", file->oid, file->path);
	return 0;
}

int repository_is_ignored(struct repository *repository, const char *path, bool *ignored,
			  struct error *err)
{
	const char *worktree = repository->paths.worktree;
	*ignored = false;
	if (!worktree)
		return 0;
	if (repository_start(repository, err) < 0)
		return -1;
	enum answer answer =
		repository->backend->is_ignored(repository->state, worktree, path, ignored, err);
	if (answer != ANSWER_YES && repository_second_opinion(repository))
		answer = backend_git.is_ignored(repository->git, worktree, path, ignored, err);
	return answer == ANSWER_YES ? 0 : error_prefix(err, "%s", path);
}

int repository_setting(struct repository *repository, struct arena *arena, const char *name,
		       const char **value, struct error *err)
{
	*value = NULL;
	if (repository_start(repository, err) < 0)
		return -1;
	enum answer answer =
		repository->backend->setting(repository->state, arena, name, value, err);
	if (answer != ANSWER_YES && repository_second_opinion(repository))
		answer = backend_git.setting(repository->git, arena, name, value, err);
	if (answer == ANSWER_ERROR)
		return error_prefix(err, "git's %s", name);
	return 0;
}
