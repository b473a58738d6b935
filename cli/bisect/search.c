/* The loop of bisect --run. The store is open only while the next commit is chosen, so that the
 * command may write to it. */
#include "cli/bisect/search.h"

#include "base/system/system.h"

enum { GIT_SECONDS = 600, COMMAND_SECONDS = 7 * 86400, OUTPUT_LIMIT = 4096 };

/* Runs git; *line receives the first line of its output. */
static int git(struct cli *cli, const char *const *argv, const char **line, struct error *err)
{
	struct process_result result = {.status = 0};
	const struct process_request request = {
		.argv = argv, .directory = ".", .limit = OUTPUT_LIMIT, .seconds = GIT_SECONDS};
	if (process_run(&request, &result, err) < 0)
		return -1;
	int rc = 0;
	if (result.status != 0)
		rc = error_set(err, ERR_SYSTEM, "git: %.500s", strbuf_text(&result.error));
	else
		*line = arena_strndup(&cli->arena, strbuf_text(&result.out),
				      strcspn(strbuf_text(&result.out), "\n"));
	process_result_free(&result);
	return rc;
}

static int check_out(struct cli *cli, const char *name, bool detach, struct error *err)
{
	const char *ignored, *way = detach ? "--detach" : "--no-guess";
	/* As wherever rooflog asks git: no program that the repository's settings name. */
	const char *const argv[] = {"git",
				    "-c",
				    "core.hooksPath=/dev/null",
				    "-c",
				    "core.fsmonitor=false",
				    "checkout",
				    "--quiet",
				    way,
				    name,
				    "--",
				    NULL};
	return git(cli, argv, &ignored, err);
}

/* The branch that is checked out, or the commit if none is. */
static int find_branch(struct cli *cli, const char **name, bool *detached, struct error *err)
{
	static const char *const branch[] = {"git", "rev-parse", "--abbrev-ref", "HEAD", NULL};
	static const char *const commit[] = {"git", "rev-parse", "HEAD", NULL};
	if (git(cli, branch, name, err) < 0)
		return -1;
	*detached = strcmp(*name, "HEAD") == 0;
	return *detached ? git(cli, commit, name, err) : 0;
}

/* What the command says goes to standard error at once: standard output is the result's. */
static bool pass_on(void *context, struct span bytes)
{
	(void)context;
	fwrite(bytes.ptr, 1, bytes.len, stderr);
	return true;
}

static int measure(struct cli *cli, const char *command, const char *oid, struct error *err)
{
	const char *store;
	if (cli_store_path(cli, &store, err) < 0)
		return -1;
	const char *const argv[] = {"/bin/sh", "-c",
				    arena_printf(&cli->arena, "exec 2>&1\n%s", command), NULL};
	const char *const environment[] = {arena_printf(&cli->arena, "ROOFLOG_STORE=%s", store),
					   NULL};
	const struct process_request request = {.argv = argv,
						.environment = environment,
						.directory = ".",
						.sink = pass_on,
						.seconds = COMMAND_SECONDS};
	struct process_result result = {.status = 0};
	if (process_run(&request, &result, err) < 0)
		return -1;
	int status = result.status;
	process_result_free(&result);
	return status == 0 ? 0
			   : error_set(err, ERR_SYSTEM,
				       "the command ended with status %d at %.10s, which is not "
				       "measured; what was measured before is stored",
				       status, oid);
}

/* Measures commit after commit. */
static int search_all(struct cli *cli, const struct bisect_search *search, struct error *err)
{
	char oid[65] = "", last[65];
	int64_t runs = 0, before = -1;
	for (;;) {
		memcpy(last, oid, sizeof last);
		if (search->next(cli, search->context, oid, &runs, err) < 0)
			return -1;
		if (last[0] && runs == before)
			return error_set(err, ERR_STORE,
					 "the command stored no new run at %.10s: it must end with "
					 "rooflog ingest",
					 last);
		if (!oid[0])
			return 0;
		before = runs;
		cli_note(cli, "measuring %.10s", oid);
		if (check_out(cli, oid, true, err) < 0 ||
		    measure(cli, search->command, oid, err) < 0)
			return -1;
	}
}

int bisect_command_search(struct cli *cli, const struct bisect_search *search, struct error *err)
{
	const char *branch;
	bool detached = false, dirty = true;
	struct error after;
	if (cli_open_repository(cli, err) < 0 ||
	    repository_is_dirty(cli->repository, &dirty, err) < 0 ||
	    find_branch(cli, &branch, &detached, err) < 0)
		return -1;
	if (dirty)
		return error_set(err, ERR_USAGE,
				 "the work tree has uncommitted changes, which would be measured "
				 "with every commit: commit or stash them");
	int rc = search_all(cli, search, err);
	if (check_out(cli, branch, detached, &after) < 0) {
		if (rc == 0)
			*err = after;
		else
			cli_warn(cli, "%s is not checked out again: %s", branch, after.text);
		rc = -1;
	}
	return rc;
}
