/* Opens a repository: finds it by its files alone if it is an ordinary one, and chooses between
 * libgit2 and git when the first question is asked that files cannot answer. */

#include <limits.h>

#include "base/system/system.h"
#include "vcs/plain/plain.h"
#include "vcs/repository.h"
#include "vcs/repository_internal.h"

static enum answer open_backend(struct repository *repository, const struct backend *backend,
				const char *directory, struct error *err)
{
	enum answer answer = backend->open(directory, &repository->arena, &repository->paths,
					   &repository->state, err);
	if (answer == ANSWER_YES)
		repository->backend = backend;
	return answer;
}

/* Opens libgit2, or git if libgit2 fails or the clone is shallow (libgit2 1.5 does not know about
 * the cut). Without git, a shallow clone is opened with libgit2, which then answers fewer
 * questions. */
static enum answer open_auto(struct repository *repository, const char *directory,
			     struct error *err)
{
	struct error first = {.text = "the clone is shallow"}, second;
	enum answer answer = open_backend(repository, &backend_libgit2, directory, &first);
	if (answer == ANSWER_NONE || (answer == ANSWER_YES && !repository->paths.shallow)) {
		repository->may_ask_git = answer == ANSWER_YES;
		return answer;
	}
	void *libgit2 = answer == ANSWER_YES ? repository->state : NULL;
	enum answer from_git = open_backend(repository, &backend_git, directory, &second);
	repository->reason = arena_strdup(&repository->arena, first.text);
	if (libgit2 && from_git == ANSWER_YES)
		backend_libgit2.close(libgit2);
	if (libgit2 || from_git != ANSWER_ERROR)
		return libgit2 ? ANSWER_YES : from_git;
	error_set(err, ERR_REVISION, "cannot use the git repository at %s: %s; %s", directory,
		  first.text, second.text);
	return ANSWER_ERROR;
}

static int not_inside(const char *directory, struct error *err)
{
	return error_set(err, ERR_REVISION, "%s is not inside a git repository", directory);
}

int repository_start(struct repository *repository, struct error *err)
{
	const struct repository_path from_files = repository->paths;
	enum answer answer;
	if (repository->backend)
		return 0;
	switch (repository->source) {
	case REPOSITORY_SOURCE_LIBGIT2:
		answer = open_backend(repository, &backend_libgit2, repository->directory, err);
		break;
	case REPOSITORY_SOURCE_GIT:
		repository->reason = "asked for";
		answer = open_backend(repository, &backend_git, repository->directory, err);
		break;
	default:
		answer = open_auto(repository, repository->directory, err);
	}
	if (repository->found_in_files)
		repository->paths = from_files;
	if (answer == ANSWER_NONE)
		return not_inside(repository->directory, err);
	return answer == ANSWER_YES ? 0 : -1;
}

/* Finds the repository by its files, unless the caller wants one backend only. */
static int find_paths(struct repository *repository, struct error *err)
{
	enum layout layout =
		repository->source == REPOSITORY_SOURCE_AUTO
			? layout_find(&repository->arena, repository->directory, &repository->paths)
			: LAYOUT_UNCERTAIN;
	repository->found_in_files = layout == LAYOUT_FOUND;
	if (layout == LAYOUT_NONE)
		return not_inside(repository->directory, err);
	return layout == LAYOUT_FOUND ? 0 : repository_start(repository, err);
}

/* Whether .git in `top` is another repository; it may be a file with the path of one. */
static bool is_other(struct arena *arena, const char *top, const char *git_dir)
{
	static const char prefix[] = "gitdir: ";
	struct span text;
	struct error ignored;
	const char *path = arena_printf(arena, "%s/.git", top);
	if (!file_exists(path))
		return false;
	if (!file_is_directory(path) &&
	    file_read_linked(arena, path, PATH_MAX, &text, &ignored) == 0 &&
	    span_starts(text, prefix)) {
		path = arena_printf(arena, "%s", text.ptr + sizeof prefix - 1);
		path = arena_strndup(arena, path, strcspn(path, "\r\n"));
		if (*path != '/')
			path = arena_printf(arena, "%s/%s", top, path);
	}
	return strcmp(paths_real_path(arena, path), git_dir) != 0;
}

/* Refuses a repository that lies as plain files in the work tree of another one: a commit can bring
 * such a directory, with a configuration, a history and acceptances of its own. What lies in .git
 * is in no commit. */
static int check_embedded(struct repository *repository, struct error *err)
{
	struct arena *arena = &repository->arena;
	const char *git_dir = repository->paths.git_dir;
	struct span searched = span_of(repository->directory);
	size_t len = strlen(git_dir);
	bool is_around =
		span_starts(searched, git_dir) && (searched.len == len || searched.ptr[len] == '/');
	bool is_below = strstr(arena_printf(arena, "%s/", git_dir), "/.git/") != NULL;
	if (process_variable("GIT_DIR") || !is_around || is_below)
		return 0;
	while (len > 1) {
		const char *top = arena_strndup(arena, git_dir, --len);
		if (git_dir[len] == '/' && is_other(arena, top, repository->paths.common_dir))
			return error_set(
				err, ERR_REVISION,
				"%s is a bare repository inside the work tree %s, which may "
				"have brought it: leave that directory, or set GIT_DIR=%s "
				"if you mean it",
				git_dir, top, git_dir);
	}
	return 0;
}

int repository_open_with(const char *directory, enum repository_source source,
			 struct repository **repository, struct error *err)
{
	char *real = realpath(directory, NULL);
	if (!real || !file_is_directory(real)) {
		free(real);
		return error_set(err, ERR_REVISION, "%s is not a directory", directory);
	}
	struct repository *opened = memory_allocate(1, sizeof *opened);
	opened->source = source;
	opened->directory = arena_strdup(&opened->arena, real);
	free(real);
	if (find_paths(opened, err) < 0) {
		repository_close(opened);
		return -1;
	}
	struct repository_path *paths = &opened->paths;
	bool linked = strcmp(paths->git_dir, paths->common_dir) != 0; /* another work tree */
	paths->git_dir = paths_real_path(&opened->arena, paths->git_dir);
	paths->common_dir =
		linked ? paths_real_path(&opened->arena, paths->common_dir) : paths->git_dir;
	paths->worktree = paths_real_path(&opened->arena, paths->worktree);
	opened->home = paths_home(&opened->arena, paths);
	if (check_embedded(opened, err) < 0) {
		repository_close(opened);
		return -1;
	}
	*repository = opened;
	return 0;
}

int repository_open(const char *directory, struct repository **repository, struct error *err)
{
	return repository_open_with(directory, REPOSITORY_SOURCE_AUTO, repository, err);
}

void repository_know(struct repository *repository, repository_commit *known, void *context)
{
	repository->known = known;
	repository->known_context = context;
}

void repository_close(struct repository *repository)
{
	if (!repository)
		return;
	if (repository->git)
		backend_git.close(repository->git);
	if (repository->backend)
		repository->backend->close(repository->state);
	arena_free(&repository->arena);
	free(repository);
}

const char *repository_worktree(const struct repository *repository)
{
	return repository->paths.worktree;
}

/* Git keeps a submodule's repository in modules/ of the one that it belongs to. */
static bool is_git_dir(struct arena *arena, const char *path)
{
	return file_exists(arena_printf(arena, "%s/HEAD", path)) &&
	       (file_exists(arena_printf(arena, "%s/objects", path)) ||
		file_exists(arena_printf(arena, "%s/commondir", path)));
}

const char *repository_superproject(struct repository *repository)
{
	static const char folder[] = "/modules/";
	struct arena *arena = &repository->arena;
	const struct repository_path *paths = &repository->paths;
	const char *at = paths->git_dir;
	if (process_variable("GIT_DIR") || strcmp(paths->git_dir, paths->common_dir) != 0)
		return NULL;
	while ((at = strstr(at, folder))) {
		const char *outer =
			arena_strndup(arena, paths->git_dir, (size_t)(at - paths->git_dir));
		if (is_git_dir(arena, outer))
			return outer;
		at++;
	}
	return NULL;
}

const char *repository_git_dir(const struct repository *repository)
{
	return repository->paths.git_dir;
}

const char *repository_home(const struct repository *repository)
{
	return repository->home;
}

bool repository_is_shallow(const struct repository *repository)
{
	return repository->paths.shallow;
}

const char *repository_backend(struct repository *repository, const char **reason)
{
	struct error err = {0};
	if (repository_start(repository, &err) < 0)
		repository->reason = arena_strdup(&repository->arena, err.text);
	if (reason)
		*reason = repository->reason;
	return repository->backend ? repository->backend->name : NULL;
}

void *repository_second_opinion(struct repository *repository)
{
	struct repository_path paths;
	struct error ignored;
	if (!repository->may_ask_git || repository->git)
		return repository->git;
	assert(repository->backend == &backend_libgit2);
	const char *directory =
		repository->paths.worktree ? repository->paths.worktree : repository->paths.git_dir;
	repository->may_ask_git = backend_git.open(directory, &repository->arena, &paths,
						   &repository->git, &ignored) == ANSWER_YES;
	return repository->git;
}
