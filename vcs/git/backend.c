/* The backend that runs the git program: one process per question, of which only plumbing commands
 * and stable output formats are used. */
#include "vcs/git/backend.h"

#include <limits.h>

#include "base/system/system.h"
#include "base/base.h"
#include "model/commits/commits.h"
#include "vcs/backend/backend.h"
#include "vcs/git/safe.h"

static const size_t output_limit = (size_t)256 << 20; /* bytes; far above any real answer */

int git_run(const struct git *git, const char *const *arguments,
	    const struct process_request *extra, struct process_result *result, struct error *err)
{
	size_t count = 0, own = 0;
	while (arguments[own])
		own++;
	const char **argv = memory_allocate(1 + SAFE_ARGUMENTS + own + 1, sizeof *argv);
	argv[count++] = "git";
	count += git_safe_arguments(argv + count);
	memcpy(argv + count, arguments, own * sizeof *argv);
	struct process_request request = extra ? *extra : (struct process_request){0};
	request.argv = argv;
	request.environment = git_safe_environment;
	request.directory = git->directory;
	request.limit = output_limit;
	request.seconds = request.seconds ? request.seconds : 60;
	int rc = process_run(&request, result, err);
	if (rc < 0)
		err->kind = ERR_REVISION;
	free(argv);
	return rc;
}

/* The path in "detected dubious ownership in repository at 'PATH'", to be freed; NULL if the
 * message is another one. */
static char *dubious_path(const char *message)
{
	const char *at = strstr(message, "dubious ownership in repository at '");
	const char *start = at ? strchr(at, '\'') + 1 : NULL;
	const char *end = start ? strstr(start, "'\n") : NULL;
	return end ? strndup(start, (size_t)(end - start)) : NULL;
}

enum answer git_failed(const struct process_result *result, struct error *err)
{
	const char *message = strbuf_text(&result->error);
	char *path = dubious_path(message);
	if (path) {
		error_set(err, ERR_REVISION,
			  "git does not trust the repository %s because another user owns it; if "
			  "you do, run: git config --global --add safe.directory '%s'",
			  path, path);
		free(path);
		return ANSWER_ERROR;
	}
	const char *fatal = strstr(message, "fatal: ");
	const char *line = fatal ? fatal + strlen("fatal: ") : message;
	int len = (int)strcspn(line, "\n");
	if (len)
		error_set(err, ERR_REVISION, "git: %.*s", len, line);
	else
		error_set(err, ERR_REVISION, "git failed with exit status %d", result->status);
	return ANSWER_ERROR;
}

enum answer git_unexpected(const char *command, struct error *err)
{
	error_set(err, ERR_REVISION,
		  "unexpected output from git %s; check that the git on PATH is git itself",
		  command);
	return ANSWER_ERROR;
}

/* Whether git did not end by itself: its own statuses end at 129. */
static bool was_killed(const struct process_result *result)
{
	return result->status > 129;
}

/* The absolute path that git prints; NULL and *err if it prints none. */
static char *git_path(const struct git *git, struct arena *arena, const char *const *arguments,
		      struct error *err)
{
	GIT_RESULT result = {0};
	if (git_run(git, arguments, NULL, &result, err))
		return NULL;
	struct span text = strbuf_span(&result.out);
	if (result.status == 0 && text.len && text.ptr[0] == '/' && span_ends(text, "\n"))
		return arena_strndup(arena, text.ptr, text.len - 1);
	if (result.status)
		git_failed(&result, err);
	else
		git_unexpected(arguments[0], err);
	return NULL;
}

/* Runs git and expects one full id. NONE if git fails; adds its messages to `messages`, which may
 * be NULL. */
static enum answer git_oid(const struct git *git, const char *const *arguments, char oid[65],
			   struct strbuf *messages, struct error *err)
{
	GIT_RESULT result = {0};
	if (git_run(git, arguments, NULL, &result, err))
		return ANSWER_ERROR;
	struct span text = span_trim(strbuf_span(&result.out));
	bool is_id = result.status == 0 && object_id_is_full(text);
	if (is_id)
		snprintf(oid, 65, "%.*s", (int)text.len, text.ptr);
	if (messages)
		strbuf_addspan(messages, strbuf_span(&result.error));
	if (was_killed(&result))
		return git_failed(&result, err);
	bool is_excluded = span_starts(text, "^"); /* what the name "^HEAD" stands for */
	if (result.status == 0 && !is_id && !is_excluded)
		return git_unexpected(arguments[0], err);
	return is_id ? ANSWER_YES : ANSWER_NONE;
}

/* The work tree that belongs to a git directory: when run inside such a directory, git does not
 * print it. NULL if there is none. */
static char *worktree_of(struct arena *arena, const struct repository_path *paths)
{
	struct span pointer;
	struct error ignored;
	const char *slash = strrchr(paths->git_dir, '/');
	if (strcmp(paths->git_dir, paths->common_dir) == 0)
		return strcmp(slash, "/.git") == 0 ? arena_strndup(arena, paths->git_dir,
								   (size_t)(slash - paths->git_dir))
						   : NULL;
	const char *file = arena_printf(arena, "%s/gitdir", paths->git_dir);
	if (file_read_linked(arena, file, PATH_MAX, &pointer, &ignored))
		return NULL;
	pointer = span_trim(pointer);
	return span_ends(pointer, "/.git") ? arena_strndup(arena, pointer.ptr, pointer.len - 5)
					   : NULL;
}

static enum answer find_worktree(struct git *git, struct arena *arena, bool bare,
				 struct repository_path *paths, struct error *err)
{
	if (bare)
		return ANSWER_YES;
	paths->worktree = git_path(git, arena, ARGUMENTS("rev-parse", "--show-toplevel"), err);
	if (paths->worktree)
		return ANSWER_YES;
	char *top = worktree_of(arena, paths);
	if (!top || !file_is_directory(top))
		return ANSWER_ERROR;
	paths->worktree = top;
	free(git->directory);
	git->directory = strdup(top);
	return ANSWER_YES;
}

static const char *directory_of(struct git *git, struct arena *arena, const char *which,
				struct error *err)
{
	return git_path(git, arena, ARGUMENTS("rev-parse", "--path-format=absolute", which), err);
}

/* Takes a line "true" or "false". */
static bool take_truth(struct span *text, bool *truth)
{
	struct span line = span_cut(text, '\n');
	*truth = span_is(line, "true");
	return *truth || span_is(line, "false");
}

static enum answer find_paths(struct git *git, struct arena *arena, struct repository_path *paths,
			      struct error *err)
{
	const char *const *arguments =
		ARGUMENTS("rev-parse", "--is-bare-repository", "--is-shallow-repository");
	GIT_RESULT result = {0};
	bool bare = false;
	if (git_run(git, arguments, NULL, &result, err))
		return ANSWER_ERROR;
	if (result.status)
		return strstr(strbuf_text(&result.error), "not a git repository (or any")
			       ? ANSWER_NONE
			       : git_failed(&result, err);
	struct span text = strbuf_span(&result.out);
	if (!take_truth(&text, &bare) || !take_truth(&text, &paths->shallow))
		return git_unexpected(arguments[0], err);
	paths->git_dir = directory_of(git, arena, "--git-dir", err);
	paths->common_dir =
		paths->git_dir ? directory_of(git, arena, "--git-common-dir", err) : NULL;
	if (!paths->common_dir)
		return ANSWER_ERROR;
	return find_worktree(git, arena, bare, paths, err);
}

static void git_close(void *state)
{
	struct git *git = state;
	if (!git)
		return;
	free(git->directory);
	free(git->shallow_file);
	free(git);
}

static enum answer git_open(const char *directory, struct arena *arena,
			    struct repository_path *paths, void **state, struct error *err)
{
	struct git *git = memory_allocate(1, sizeof *git);
	struct repository_path found = {0};
	git->directory = strdup(directory);
	enum answer answer = find_paths(git, arena, &found, err);
	if (answer != ANSWER_YES) {
		git_close(git);
		return answer;
	}
	git->shallow = found.shallow;
	struct strbuf file = {0};
	strbuf_addf(&file, "%s/shallow", found.common_dir);
	git->shallow_file = file.buf;
	*paths = found;
	*state = git;
	return ANSWER_YES;
}

static enum answer git_resolve(void *state, const char *name, char oid[65], struct error *err)
{
	const char *const verify[] = {"rev-parse", "--verify", "--end-of-options"};
	struct strbuf messages = {0}, peeled = {0};
	enum answer answer = ANSWER_YES;
	char object[65] = "";
	strbuf_addstr(&peeled, name);
	/* ":/text^{commit}" would search for "text^{commit}", so the object is resolved first. */
	if (name[0] == ':') {
		answer = git_oid(state, ARGUMENTS(verify[0], verify[1], verify[2], name), object,
				 &messages, err);
		strbuf_reset(&peeled);
		strbuf_addstr(&peeled, object);
	}
	strbuf_addstr(&peeled, "^{commit}");
	if (answer == ANSWER_YES)
		answer = git_oid(state, ARGUMENTS(verify[0], verify[1], verify[2], peeled.buf), oid,
				 &messages, err);
	if (answer == ANSWER_NONE && strstr(strbuf_text(&messages), " is ambiguous"))
		answer = ANSWER_AMBIGUOUS;
	strbuf_free(&messages);
	strbuf_free(&peeled);
	return answer;
}

static enum answer git_ref(void *state, const char *name, char oid[65], struct error *err)
{
	GIT_RESULT result = {0};
	if (span_ends(span_of(name), "/HEAD") &&
	    git_run(state, ARGUMENTS("symbolic-ref", "--quiet", name), NULL, &result, err))
		return ANSWER_ERROR;
	if (was_killed(&result))
		return git_failed(&result, err);
	if (result.status)
		return ANSWER_NONE;
	return git_oid(state, ARGUMENTS("show-ref", "--verify", "--hash", name), oid, NULL, err);
}

static bool git_head_is_unborn(void *state)
{
	struct error ignored;
	char oid[65];
	GIT_RESULT result = {0};
	if (git_run(state, ARGUMENTS("symbolic-ref", "--quiet", "HEAD"), NULL, &result, &ignored))
		return false;
	return result.status == 0 &&
	       git_oid(state, ARGUMENTS("rev-parse", "--verify", "--quiet", "HEAD"), oid, NULL,
		       &ignored) == ANSWER_NONE;
}

/* The first COMMIT_BYTES of the output. */
static bool commit_sink(void *context, struct span bytes)
{
	struct strbuf *raw = context;
	size_t room = COMMIT_BYTES - raw->len;
	strbuf_add(raw, bytes.ptr, bytes.len < room ? bytes.len : room);
	return raw->len < COMMIT_BYTES;
}

static enum answer git_commit(void *state, struct arena *arena, const char *oid,
			      struct revision *revision, struct error *err)
{
	struct strbuf raw = {0};
	struct process_request request = {.sink = commit_sink, .context = &raw};
	GIT_RESULT result = {0};
	enum answer answer = ANSWER_YES;
	int failed = git_run(state, ARGUMENTS("cat-file", "commit", oid), &request, &result, err);
	if (!failed && result.status && !result.stopped)
		answer = ANSWER_NONE;
	else if (failed || commit_parse(arena, oid, strbuf_span(&raw), 0, revision, err))
		answer = ANSWER_ERROR;
	strbuf_free(&raw);
	return answer;
}

static enum answer git_patch_id(void *state, const struct revision *revision, char patch_id[65],
				struct error *err)
{
	GIT_RESULT diff = {0};
	GIT_RESULT result = {0};
	if (git_run(state,
		    ARGUMENTS("diff-tree", "--patch", "--no-ext-diff", "--no-textconv",
			      "--no-renames", "--no-color", "--unified=3", "--diff-algorithm=myers",
			      "--src-prefix=a/", "--dst-prefix=b/", revision->oid),
		    NULL, &diff, err))
		return ANSWER_ERROR;
	struct process_request piped = {.input = strbuf_span(&diff.out)};
	if (git_run(state, ARGUMENTS("patch-id", "--stable"), &piped, &result, err))
		return ANSWER_ERROR;
	struct span rest = strbuf_span(&result.out);
	struct span id = span_cut(&rest, ' ');
	if (result.status || !object_id_is_full(id))
		return ANSWER_NONE;
	snprintf(patch_id, 65, "%.*s", (int)id.len, id.ptr);
	return ANSWER_YES;
}

/* The one commit among the objects that `git cat-file --batch-check` describes: one line with
 * id, type and size per object, or with "missing" where git cannot read what it has. */
static enum answer only_commit(struct span lines, char oid[65], struct error *err)
{
	struct span found = {0};
	while (lines.len) {
		struct span line = span_cut(&lines, '\n');
		struct span id = span_cut(&line, ' '), type = span_cut(&line, ' ');
		if (span_is(type, "missing")) {
			error_set(err, ERR_REVISION, "git cannot read the object %.*s", (int)id.len,
				  id.ptr);
			return ANSWER_ERROR;
		}
		if (!span_is(type, "commit"))
			continue;
		if (found.len)
			return ANSWER_AMBIGUOUS;
		found = id;
	}
	if (!object_id_is_full(found))
		return ANSWER_NONE;
	snprintf(oid, 65, "%.*s", (int)found.len, found.ptr);
	return ANSWER_YES;
}

static enum answer git_abbreviated(void *state, const char *digits, char oid[65], struct error *err)
{
	GIT_RESULT list = {0};
	GIT_RESULT types = {0};
	char option[96];
	snprintf(option, sizeof option, "--disambiguate=%.64s", digits);
	if (git_run(state, ARGUMENTS("rev-parse", option), NULL, &list, err))
		return ANSWER_ERROR;
	if (list.status)
		return git_failed(&list, err);
	struct process_request piped = {.input = strbuf_span(&list.out)};
	if (git_run(state, ARGUMENTS("cat-file", "--batch-check"), &piped, &types, err))
		return ANSWER_ERROR;
	return types.status ? git_failed(&types, err)
			    : only_commit(strbuf_span(&types.out), oid, err);
}

struct walk {
	struct chain *chain;
	struct strbuf record;
	struct error *err;
	bool failed;
};

/* Parses a record of `git rev-list --header`: a line with the id, and the commit as stored, its
 * message indented by 4 spaces. True if the walk must end. */
static bool walk_record(struct walk *walk)
{
	struct revision revision;
	struct span raw = strbuf_span(&walk->record);
	struct span oid = span_cut(&raw, '\n');
	const char *name = arena_strndup(walk->chain->arena, oid.ptr, oid.len);
	walk->failed = commit_parse(walk->chain->arena, name, raw, 4, &revision, walk->err) != 0;
	strbuf_reset(&walk->record);
	return walk->failed || chain_add(walk->chain, &revision);
}

/* Splits the output into records, each of which ends with a NUL. A long one is cut. */
static bool walk_sink(void *context, struct span bytes)
{
	enum { ID_LINE = 66 };
	struct walk *walk = context;
	for (;;) {
		const char *end = bytes.len ? memchr(bytes.ptr, '\0', bytes.len) : NULL;
		size_t len = end ? (size_t)(end - bytes.ptr) : bytes.len;
		size_t room = ID_LINE + COMMIT_BYTES - walk->record.len;
		strbuf_add(&walk->record, bytes.ptr, len < room ? len : room);
		if (!end)
			return true;
		if (walk_record(walk))
			return false;
		bytes = (struct span){end + 1, bytes.len - len - 1};
	}
}

/* Adds the commits that `git rev-list --header` lists. */
static enum answer walk_list(const struct git *git, const char *const *arguments,
			     struct chain *chain, struct error *err)
{
	struct walk walk = {.chain = chain, .err = err};
	struct process_request request = {.sink = walk_sink, .context = &walk, .seconds = 600};
	GIT_RESULT result = {0};
	int code = git_run(git, arguments, &request, &result, err);
	strbuf_free(&walk.record);
	if (code)
		return ANSWER_ERROR;
	if (walk.failed)
		return ANSWER_ERROR;
	if (!chain->complete && result.status)
		return git_failed(&result, err);
	return chain->complete || chain->all ? ANSWER_YES : ANSWER_HIDDEN;
}

static enum answer git_walk(void *state, const char *oid, struct chain *chain, struct error *err)
{
	assert(!chain->all);
	return walk_list(
		state,
		ARGUMENTS("rev-list", "--first-parent", "--header", "--encoding=none", oid, "--"),
		chain, err);
}

static enum answer git_between(void *state, const char *good, const char *bad, struct chain *chain,
			       struct error *err)
{
	assert(chain->all);
	return walk_list(
		state,
		ARGUMENTS("rev-list", "--header", "--encoding=none", bad, "--not", good, "--"),
		chain, err);
}

/* The newest of the commits in `text` (one per line), with the smallest id among those of the same
 * time. */
static enum answer newest_of(struct git *git, struct span text, char oid[65], struct error *err)
{
	struct arena arena = {0};
	struct revision best = {.oid = ""}, revision;
	enum answer answer = ANSWER_NONE;
	while (text.len) {
		struct span line = span_cut(&text, '\n');
		char *name = arena_strndup(&arena, line.ptr, line.len);
		answer = git_commit(git, &arena, name, &revision, err);
		if (answer != ANSWER_YES)
			break;
		if (!*best.oid || revision.time > best.time ||
		    (revision.time == best.time && strcmp(revision.oid, best.oid) < 0))
			best = revision;
	}
	if (answer == ANSWER_YES)
		snprintf(oid, 65, "%s", best.oid);
	arena_free(&arena);
	return answer;
}

/* HIDDEN if one of the listed commits has parents that were cut off. */
static enum answer find_cut(struct git *git, struct arena *arena, struct span list, struct span cut,
			    struct error *err)
{
	struct revision revision;
	enum answer answer = ANSWER_YES;
	while (answer == ANSWER_YES && list.len) {
		struct span line = span_cut(&list, '\n');
		char *oid = arena_strndup(arena, line.ptr, line.len);
		if (span_find(cut, oid) == cut.len)
			continue;
		/* Git may also list a root as cut, although it has no parents. */
		answer = git_commit(git, arena, oid, &revision, err);
		if (answer == ANSWER_YES && *revision.parent)
			answer = ANSWER_HIDDEN;
	}
	return answer;
}

/* HIDDEN if a commit that is reachable from one of the two, but not from `base`, has parents that
 * were cut off: a better common ancestor may be beyond the cut. */
static enum answer check_cut(struct git *git, const char *one, const char *two, const char *base,
			     struct error *err)
{
	struct arena arena = {0};
	GIT_RESULT result = {0};
	struct span cut = {0};
	enum answer answer = ANSWER_ERROR;
	if (git_run(git, ARGUMENTS("rev-list", one, two, "--not", base, "--"), NULL, &result, err))
		return answer;
	if (result.status)
		answer = git_failed(&result, err);
	else if (file_read_linked(&arena, git->shallow_file, output_limit, &cut, err) == 0)
		answer = find_cut(git, &arena, strbuf_span(&result.out), cut, err);
	arena_free(&arena);
	return answer;
}

static enum answer git_merge_base(void *state, const char *one, const char *two, char oid[65],
				  struct error *err)
{
	struct git *git = state;
	GIT_RESULT result = {0};
	char base[65] = "";
	if (git_run(git, ARGUMENTS("merge-base", "--all", one, two), NULL, &result, err))
		return ANSWER_ERROR;
	enum answer answer = ANSWER_NONE;
	if (result.status > 1)
		answer = git_failed(&result, err);
	else if (result.status == 0)
		answer = newest_of(git, strbuf_span(&result.out), base, err);
	if (git->shallow && answer == ANSWER_NONE)
		return ANSWER_HIDDEN;
	if (git->shallow && answer == ANSWER_YES && strcmp(base, one) != 0 &&
	    strcmp(base, two) != 0)
		answer = check_cut(git, one, two, base, err);
	if (answer == ANSWER_YES)
		memcpy(oid, base, sizeof base);
	return answer;
}

const struct backend backend_git = {
	.name = "git",
	.open = git_open,
	.close = git_close,
	.resolve = git_resolve,
	.ref = git_ref,
	.abbreviated = git_abbreviated,
	.head_is_unborn = git_head_is_unborn,
	.commit = git_commit,
	.patch_id = git_patch_id,
	.walk = git_walk,
	.between = git_between,
	.merge_base = git_merge_base,
	.is_dirty = git_is_dirty,
	.entry = git_entry,
	.blob = git_blob,
	.is_ignored = git_is_ignored,
	.setting = git_setting,
	.tags = git_tags,
};
