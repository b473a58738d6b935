/*
 * Whether files differ from HEAD, by `git status`. It is the only command here that reads files of
 * the work tree, and git passes these through the filters that attributes name: the tree says
 * which, the configuration what such a filter runs. Those of the repository's configuration are
 * emptied. Those of the user's own (git-lfs, installed once for all repositories) go on to run.
 */
#include "vcs/git/backend.h"

/* The value of --config-env, as a name that may have "=" in it could not be given by -c. */
#define NOTHING "ROOFLOG_NOTHING"

/* Any output means that files differ, so the first byte is sufficient. */
static bool dirty_sink(void *context, struct span bytes)
{
	bool *dirty = context;
	*dirty = bytes.len > 0;
	return !*dirty;
}

struct arguments_list {
	const char **items;
	size_t count, capacity;
};

/* Adds what empties each variable filter.* of the repository's configuration. `text` consists of
 * records "SCOPE NUL NAME LF VALUE NUL"; a name has no LF in it. */
static void add_emptied(struct arena *arena, struct span text, struct arguments_list *list)
{
	while (text.len) {
		struct span scope = span_cut(&text, '\0');
		struct span value = span_cut(&text, '\0'), name = span_cut(&value, '\n');
		if (span_is(scope, "local") || span_is(scope, "worktree"))
			*arena_add(arena, list) = arena_printf(arena, "--config-env=%.*s=" NOTHING,
							       (int)name.len, name.ptr);
	}
}

static enum answer find_filters(const struct git *git, struct arena *arena,
				struct arguments_list *list, struct error *err)
{
	GIT_RESULT result = {0};
	if (git_run(git, ARGUMENTS("config", "-z", "--show-scope", "--get-regexp", "^filter[.]"),
		    NULL, &result, err))
		return ANSWER_ERROR;
	if (result.status > 1)
		return git_failed(&result, err);
	add_emptied(arena, strbuf_span(&result.out), list);
	return ANSWER_YES;
}

static enum answer status_of(const struct git *git, const char *const *arguments, bool *dirty,
			     struct error *err)
{
	bool seen = false;
	struct process_request request = {.sink = dirty_sink, .context = &seen};
	GIT_RESULT result = {0};
	if (git_run(git, arguments, &request, &result, err))
		return ANSWER_ERROR;
	if (!seen && result.status)
		return git_failed(&result, err);
	*dirty = seen;
	return ANSWER_YES;
}

enum answer git_is_dirty(void *state, bool *dirty, struct error *err)
{
	static const char *const status[] = {
		"status",
		"--porcelain",
		"-z",
		"--untracked-files=no",
		"--ignore-submodules=dirty",
		"--no-renames",
		"--",
		":(top)",
		":(top,exclude).rooflog",
		NULL,
	};
	struct arena arena = {0};
	struct arguments_list list = {0};
	enum answer answer = find_filters(state, &arena, &list, err);
	for (size_t i = 0; i < sizeof status / sizeof *status; i++)
		*arena_add(&arena, &list) = status[i];
	if (answer == ANSWER_YES)
		answer = status_of(state, list.items, dirty, err);
	arena_free(&arena);
	return answer;
}
