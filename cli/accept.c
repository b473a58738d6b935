/* Acceptances out of git's trees. */
#include "cli/accept.h"

const char acceptance_path[] = ".rooflog/accept";

int cli_acceptances(struct cli *cli, const char *oid, struct acceptance_list *list,
		    const char **unread, struct error *err)
{
	struct error why;
	struct revision revision;
	struct repository_file file = {
		.oid = oid, .path = acceptance_path, .limit = ACCEPTANCE_FILE_LIMIT};
	*list = (struct acceptance_list){
		.path = arena_printf(&cli->arena, "%.10s:%s", oid, acceptance_path)};
	*unread = NULL;
	/* A store can be judged without its repository, and outlives commits that git forgot. */
	if (cli_open_repository(cli, &why) < 0 ||
	    repository_revision(cli->repository, &cli->arena, oid, false, &revision, &why) < 0) {
		*unread = arena_strdup(&cli->arena, why.text);
		return 0;
	}
	if (repository_read(cli->repository, &cli->arena, &file, err) < 0)
		return -1;
	return file.found ? acceptance_parse(&cli->arena, list->path, file.bytes, list, err) : 0;
}

static enum acceptance_reached is_reached(void *context, const char *name)
{
	struct candidate_clock *clock = context;
	struct error ignored;
	char oid[65];
	bool found, yes;
	if (cli_open_repository(clock->cli, &ignored) < 0)
		return ACCEPTANCE_REACHED_UNKNOWN;
	struct repository *repository = clock->cli->repository;
	if (repository_find(repository, name, oid, &found, &ignored) < 0)
		return ACCEPTANCE_REACHED_UNKNOWN;
	if (!found)
		return repository_is_shallow(repository) ? ACCEPTANCE_REACHED_UNKNOWN
							 : ACCEPTANCE_REACHED_NOWHERE;
	if (repository_is_ancestor(repository, oid, clock->candidate, &yes, &ignored) < 0)
		return ACCEPTANCE_REACHED_UNKNOWN;
	return yes ? ACCEPTANCE_REACHED_YES : ACCEPTANCE_REACHED_NO;
}

struct acceptance_clock cli_acceptance_clock(struct candidate_clock *candidate)
{
	return (struct acceptance_clock){candidate->cli->now, is_reached, candidate};
}
