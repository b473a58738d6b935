/* Walks up to the first .git, then checks that the repository has nothing unusual. */
#include "vcs/plain/layout.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/system.h"
#include "vcs/backend/config.h"
#include "vcs/plain/paths.h"

enum { SETTINGS_LIMIT = 1 << 20 }; /* bytes of .git/config */

/* Variables that move parts of a repository, limit the search for it, or change how it is read. If
 * one is set, this module does not decide. More than in vcs/libgit2/backend.c: libgit2 itself
 * follows the ceilings, the file system boundary, the alternates and the namespace, and it ignores
 * the configuration and the cut of a single git command, as it should. */
static const char *const variables[] = {
	"GIT_DIR",
	"GIT_WORK_TREE",
	"GIT_COMMON_DIR",
	"GIT_INDEX_FILE",
	"GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_CEILING_DIRECTORIES",
	"GIT_DISCOVERY_ACROSS_FILESYSTEM",
	"GIT_NAMESPACE",
	"GIT_SHALLOW_FILE",
	"GIT_CONFIG_PARAMETERS",
	"GIT_CONFIG_COUNT",
};

static bool is_moved(void)
{
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		if (process_variable(variables[i]))
			return true;
	return false;
}

static const char *below(struct arena *arena, const char *directory, const char *name)
{
	return arena_printf(arena, "%s/%s", directory[1] ? directory : "", name);
}

/* The line of a file with one line; NULL if the file is anything else. */
static const char *read_line(struct arena *arena, const char *path)
{
	struct span text;
	struct error ignored;
	if (file_read_linked(arena, path, PATH_MAX, &text, &ignored) < 0)
		return NULL;
	while (span_ends(text, "\n"))
		text.len--;
	if (!text.len || memchr(text.ptr, '\n', text.len) || memchr(text.ptr, '\0', text.len) ||
	    memchr(text.ptr, '\r', text.len))
		return NULL;
	return arena_strndup(arena, text.ptr, text.len);
}

/* Resolves a directory's path that was read from a file in `directory`, to which it may be
 * relative. NULL if `path` is NULL or does not exist. */
static const char *follow(struct arena *arena, const char *directory, const char *path)
{
	const char *whole = !path || *path == '/' ? path : below(arena, directory, path);
	return whole && file_is_directory(whole) ? paths_real_path(arena, whole) : NULL;
}

/* Git refuses a repository of another user unless it is configured otherwise (safe.directory). */
static bool is_own(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && st.st_uid == geteuid();
}

/* --- configuration --- */

static bool is_usual(const struct config *config)
{
	static const char *const usual[] = {"noop", "objectformat", "partialclone",
					    "preciousobjects"}; /* extensions */
	const char *version = config_get(config, "core", "", "repositoryformatversion");
	const char *bare = config_get(config, "core", "", "bare");
	for (size_t i = 0; i < config->count; i++) {
		const struct config_entry *entry = &config->entries[i];
		if (strcmp(entry->section, "include") == 0 ||
		    strcmp(entry->section, "includeif") == 0 ||
		    (strcmp(entry->section, "extensions") == 0 &&
		     !span_among(span_of(entry->key), usual, sizeof usual / sizeof *usual)))
			return false;
	}
	return version && (strcmp(version, "0") == 0 || strcmp(version, "1") == 0) &&
	       (!bare || strcmp(bare, "false") == 0);
}

/* A submodule's configuration contains its work tree, which must be the one that was found. */
static bool has_worktree(struct arena *arena, const struct repository_path *paths,
			 const struct config *config)
{
	const char *top = config_get(config, "core", "", "worktree");
	if (!top)
		return true;
	const char *real = follow(arena, paths->git_dir, top);
	return real && strcmp(paths->git_dir, paths->common_dir) == 0 &&
	       strcmp(real, paths->worktree) == 0;
}

static bool settings_agree(struct arena *arena, const struct repository_path *paths)
{
	const char *path = below(arena, paths->common_dir, "config");
	struct config config = {0};
	struct span bytes;
	struct error ignored;
	return file_read_linked(arena, path, SETTINGS_LIMIT, &bytes, &ignored) == 0 &&
	       config_parse(arena, path, bytes, &config, &ignored) == 0 && is_usual(&config) &&
	       has_worktree(arena, paths, &config);
}

/* --- the parts --- */

/* Sets common_dir. A linked worktree has a git directory of its own, with two files: "commondir"
 * and "gitdir", the path of the .git file that must lead back to it. */
static bool find_common(struct arena *arena, const char *pointer, struct repository_path *paths)
{
	const char *file = below(arena, paths->git_dir, "commondir");
	paths->common_dir = paths->git_dir;
	if (!file_exists(file))
		return true;
	paths->common_dir = follow(arena, paths->git_dir, read_line(arena, file));
	const char *back = read_line(arena, below(arena, paths->git_dir, "gitdir"));
	return paths->common_dir && back && strcmp(paths_real_path(arena, back), pointer) == 0;
}

/* Sets `shallow`. False for an empty file, which libgit2 and git interpret differently. */
static bool find_cut(struct arena *arena, struct repository_path *paths)
{
	struct stat st;
	bool found = stat(below(arena, paths->common_dir, "shallow"), &st) == 0;
	paths->shallow = found;
	return !found || st.st_size > 0;
}

/* Checks the .git that was found, and sets the rest of *paths. `pointer` is the path of the
 * repository, or of a file with its path. */
static bool check(struct arena *arena, const char *pointer, bool is_file,
		  struct repository_path *paths)
{
	static const char prefix[] = "gitdir: ";
	assert(paths->worktree && *pointer == '/');
	paths->git_dir = pointer;
	if (is_file) {
		const char *line = read_line(arena, pointer);
		if (!line || strncmp(line, prefix, sizeof prefix - 1) != 0)
			return false;
		paths->git_dir = follow(arena, paths->worktree, line + sizeof prefix - 1);
	}
	return paths->git_dir && find_common(arena, pointer, paths) && is_own(pointer) &&
	       is_own(paths->worktree) && is_own(paths->git_dir) && is_own(paths->common_dir) &&
	       file_exists(below(arena, paths->git_dir, "HEAD")) &&
	       file_is_directory(below(arena, paths->common_dir, "objects")) &&
	       file_is_directory(below(arena, paths->common_dir, "refs")) &&
	       settings_agree(arena, paths) && find_cut(arena, paths);
}

enum layout layout_find(struct arena *arena, const char *directory, struct repository_path *paths)
{
	struct stat first, st;
	struct repository_path found = {0};
	assert(*directory == '/');
	if (is_moved() || stat(directory, &first) < 0)
		return LAYOUT_UNCERTAIN;
	for (const char *at = directory;;) {
		const char *pointer = below(arena, at, ".git");
		if (stat(at, &st) < 0 || st.st_dev != first.st_dev)
			return LAYOUT_UNCERTAIN;
		if (lstat(pointer, &st) == 0) {
			found.worktree = at;
			bool known = S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
			if (!known || !check(arena, pointer, S_ISREG(st.st_mode), &found))
				return LAYOUT_UNCERTAIN;
			*paths = found;
			return LAYOUT_FOUND;
		}
		/* This may be a bare repository, or a directory inside .git. */
		if (errno != ENOENT || (file_exists(below(arena, at, "HEAD")) &&
					file_exists(below(arena, at, "objects"))))
			return LAYOUT_UNCERTAIN;
		if (!at[1])
			return LAYOUT_NONE;
		size_t len = (size_t)(strrchr(at, '/') - at);
		at = arena_strndup(arena, at, len ? len : 1);
	}
}
