/* The command lines of git that change work trees. */
#include "vcs/checkout/checkout.h"

#include "base/system/system.h"

enum { GIT_SECONDS = 600, OUTPUT_LIMIT = 4096, ARGUMENT_LIMIT = 8 };
/* Git removes its locks, and what is half made, at SIGTERM. */
enum { GRACE_SECONDS = 10 };
enum { SIGNALLED = 128, ATTEMPTS = 3 };

/* Runs git with the arguments, NULL at the end; *line, if not NULL, receives the first line of its
 * output. */
static int git(struct arena *arena, const char *const *arguments, bool cleans_up, const char **line,
	       struct error *err)
{
	const char *argv[6 + ARGUMENT_LIMIT] = {"git", "-c", "core.hooksPath=/dev/null", "-c",
						"core.fsmonitor=false"};
	for (size_t i = 0; arguments[i]; i++) {
		assert(i < ARGUMENT_LIMIT);
		argv[5 + i] = arguments[i];
	}
	/* A hook of git names the index of the commit that is being made: it is not another tree's.
	 */
	static const char *const environment[] = {"GIT_INDEX_FILE", "GIT_PREFIX", NULL};
	struct process_result result = {.status = 0};
	const struct process_request request = {.argv = argv,
						.environment = environment,
						.directory = ".",
						.limit = OUTPUT_LIMIT,
						.seconds = GIT_SECONDS,
						.grace = GRACE_SECONDS,
						.cleans_up = cleans_up};
	if (process_run(&request, &result, err) < 0)
		return -1;
	/* A signal for the whole process group reaches a git that has just been started, and is not
	 * in a group of its own yet. */
	for (int again = 0; cleans_up && result.status > SIGNALLED && again < ATTEMPTS; again++) {
		process_result_free(&result);
		if (process_run(&request, &result, err) < 0)
			return -1;
	}
	int rc = 0;
	if (result.status != 0)
		rc = error_set(err, ERR_SYSTEM, "git: %.500s", strbuf_text(&result.error));
	else if (line)
		*line = arena_strndup(arena, strbuf_text(&result.out),
				      strcspn(strbuf_text(&result.out), "\n"));
	process_result_free(&result);
	return rc;
}

int checkout_current(struct arena *arena, const char **name, bool *detached, struct error *err)
{
	static const char *const branch[] = {"rev-parse", "--abbrev-ref", "HEAD", NULL};
	static const char *const commit[] = {"rev-parse", "HEAD", NULL};
	if (git(arena, branch, false, name, err) < 0)
		return -1;
	*detached = strcmp(*name, "HEAD") == 0;
	return *detached ? git(arena, commit, false, name, err) : 0;
}

static int check_out(const char *name, bool detach, bool cleans_up, struct error *err)
{
	const char *way = detach ? "--detach" : "--no-guess";
	const char *const arguments[] = {"checkout", "--quiet", way, name, "--", NULL};
	return git(NULL, arguments, cleans_up, NULL, err);
}

int checkout_commit(const char *oid, struct error *err)
{
	return check_out(oid, true, false, err);
}

int checkout_return(const char *name, bool detached, struct error *err)
{
	return check_out(name, detached, true, err);
}

int checkout_add_worktree(const char *path, const char *oid, struct error *err)
{
	const char *const arguments[] = {"worktree", "add", "--detach", "--quiet", path, oid, NULL};
	return git(NULL, arguments, false, NULL, err);
}

int checkout_remove_worktree(const char *path, struct error *err)
{
	const char *const arguments[] = {"worktree", "remove", "--force", "--force", path, NULL};
	return git(NULL, arguments, true, NULL, err);
}
