/* Reads acceptances of commits, and answers whether they have expired. */
#include "cli/accept/accept.h"

#include "base/system/system.h"
#include "cli/config/trust/trust.h"
#include "cli/runs/runs.h"

const char acceptance_path[] = ".rooflog/accept";

int accept_load(struct cli *cli, const char *oid, struct acceptance_list *list, const char **unread,
		struct error *err)
{
	struct repository_file file = {
		.oid = oid, .path = acceptance_path, .limit = ACCEPTANCE_FILE_LIMIT};
	*list = (struct acceptance_list){
		.path = arena_printf(&cli->arena, "%.10s:%s", oid, acceptance_path)};
	if (trust_read_commit(cli, &file, unread, err) < 0)
		return -1;
	return file.found ? acceptance_parse(&cli->arena, list->path, file.bytes, list, err) : 0;
}

int accept_load_work_tree(struct cli *cli, struct acceptance_list *list, struct error *err)
{
	struct span bytes;
	struct error ignored;
	*list = (struct acceptance_list){.path = acceptance_path};
	if (cli_open_repository(cli, &ignored) < 0 || !repository_worktree(cli->repository))
		return 0;
	list->path = arena_printf(&cli->arena, "%s/%s", repository_worktree(cli->repository),
				  acceptance_path);
	if (!file_exists(list->path))
		return 0;
	if (file_read(&cli->arena, list->path, ACCEPTANCE_FILE_LIMIT, &bytes, err) < 0)
		return -1;
	return acceptance_parse(&cli->arena, list->path, bytes, list, err);
}

int accept_find_end(struct cli *cli, const char *name, char oid[65], bool *found, struct error *err)
{
	enum { SURE_DIGITS = 7 };
	size_t digits = strspn(name, "0123456789abcdefABCDEF");
	char commit[65];
	bool is_commit;
	if (repository_find(cli->repository, name, oid, found, err) < 0)
		return -1;
	if (!*found || name[digits] || digits < SURE_DIGITS || strncasecmp(oid, name, digits) == 0)
		return 0;
	if (repository_find_id(cli->repository, name, commit, &is_commit, err) < 0)
		return -1;
	if (is_commit)
		memcpy(oid, commit, sizeof commit);
	return 0;
}

static enum acceptance_reached is_reached(void *context, const char *name)
{
	struct candidate_clock *clock = context;
	const char *const commits[] = {clock->candidate, clock->base};
	struct error ignored;
	char oid[65];
	bool found, yes = false;
	if (cli_open_repository(clock->cli, &ignored) < 0 ||
	    accept_find_end(clock->cli, name, oid, &found, &ignored) < 0)
		return ACCEPTANCE_REACHED_UNKNOWN;
	if (!found)
		return repository_is_shallow(clock->cli->repository) ? ACCEPTANCE_REACHED_UNKNOWN
								     : ACCEPTANCE_REACHED_NOWHERE;
	for (size_t i = 0; i < 2 && commits[i] && !yes; i++)
		if (runs_is_ancestor(clock->cli, oid, commits[i], &yes, &ignored) < 0)
			return ACCEPTANCE_REACHED_UNKNOWN;
	return yes ? ACCEPTANCE_REACHED_YES : ACCEPTANCE_REACHED_NO;
}

struct acceptance_clock accept_clock(struct candidate_clock *candidate)
{
	return (struct acceptance_clock){candidate->cli->now, is_reached, candidate};
}
