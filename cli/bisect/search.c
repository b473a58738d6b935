/* The loop of bisect --run. The store is open only while the next commit is chosen, so that the
 * command may write to it. */
#include "cli/bisect/search.h"

#include "base/system/system.h"
#include "vcs/checkout/checkout.h"

static int measure(struct cli *cli, const char *command, const char *oid, struct error *err)
{
	const char *const argv[] = {"/bin/sh", "-c",
				    arena_printf(&cli->arena, "exec 2>&1\n%s", command), NULL};
	struct process_result result = {.status = 0};
	if (cli_run_storing(cli, argv, &result, err) < 0)
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
		if (checkout_commit(oid, err) < 0 || measure(cli, search->command, oid, err) < 0)
			return -1;
	}
}

int bisect_command_search(struct cli *cli, const struct bisect_search *search, struct error *err)
{
	const char *branch;
	bool detached = false, dirty = true;
	struct error after;
	struct process_hold hold;
	if (cli_open_repository(cli, err) < 0 ||
	    repository_is_dirty(cli->repository, &dirty, err) < 0 ||
	    checkout_current(&cli->arena, &branch, &detached, err) < 0)
		return -1;
	if (dirty)
		return error_set(err, ERR_USAGE,
				 "the work tree has uncommitted changes, which would be measured "
				 "with every commit: commit or stash them");
	/* A signal ends this process once the branch is checked out again. */
	process_hold(&hold);
	int rc = search_all(cli, search, err);
	int back = checkout_return(branch, detached, &after);
	process_release(&hold);
	if (back < 0) {
		if (rc == 0)
			*err = after;
		else
			cli_warn(cli, "%s is not checked out again: %s", branch, after.text);
		rc = -1;
	}
	return rc;
}
