/* Paths of a repository, from its configuration files. */
#include "vcs/plain/paths.h"

#include <strings.h>

#include "base/system/system.h"
#include "vcs/backend/config.h"

const char *paths_real_path(struct arena *arena, const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;
	const char *result = real ? arena_strdup(arena, real) : path;
	free(real);
	return result;
}

/* Adds the entries of a configuration file. A missing or invalid file adds nothing. */
static void read_config(struct arena *arena, const char *path, struct config *config)
{
	struct span bytes;
	struct config more = {0};
	struct error ignored;
	if (!file_exists(path) ||
	    file_read_linked(arena, path, (size_t)16 << 20, &bytes, &ignored) ||
	    config_parse(arena, path, bytes, &more, &ignored))
		return;
	for (size_t i = 0; i < more.count; i++) {
		*arena_next(arena, config->entries, config->count, config->capacity) =
			more.entries[i];
	}
}

static bool is_true(const char *value)
{
	static const char *const words[] = {"true", "yes", "on", "1"};
	for (size_t i = 0; value && i < sizeof words / sizeof *words; i++)
		if (strcasecmp(value, words[i]) == 0)
			return true;
	return false;
}

/* The configuration may contain the work tree (core.worktree), as in submodules. */
const char *paths_home(struct arena *arena, const struct repository_path *paths)
{
	if (strcmp(paths->git_dir, paths->common_dir) == 0)
		return paths->worktree ? paths->worktree : paths->common_dir;
	struct config config = {0};
	const char *common = paths->common_dir;
	read_config(arena, arena_printf(arena, "%s/config", common), &config);
	read_config(arena, arena_printf(arena, "%s/config.worktree", common), &config);
	const char *slash = strrchr(common, '/');
	assert(slash);
	const char *top = config_get(&config, "core", "", "worktree");
	if (is_true(config_get(&config, "core", "", "bare")))
		return common;
	if (top && *top == '/')
		return paths_real_path(arena, top);
	if (top)
		return paths_real_path(arena, arena_printf(arena, "%s/%s", common, top));
	if (strcmp(slash, "/.git") == 0)
		return slash == common ? "/"
				       : arena_strndup(arena, common, (size_t)(slash - common));
	return common;
}

bool paths_is_whole(struct arena *arena, const struct repository_path *paths)
{
	struct config config = {0};
	const char *common = paths->common_dir;
	read_config(arena, arena_printf(arena, "%s/config", common), &config);
	for (size_t i = 0; i < config.count; i++)
		if (strcmp(config.entries[i].key, "promisor") == 0 ||
		    strcmp(config.entries[i].key, "partialclone") == 0)
			return false;
	return !file_exists(arena_printf(arena, "%s/objects/info/alternates", common));
}
