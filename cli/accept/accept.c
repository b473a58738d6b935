/* Reads acceptances from git's trees. The store keeps a copy per commit, so that a gate rarely
 * needs git. */
#include "cli/accept/accept.h"

#include "cli/runs/runs.h"

const char acceptance_path[] = ".rooflog/accept";

/* Reads the store's copy. It never expires, because the tree of a commit never changes; git is
 * asked only if the store has none. */
static bool read_stored(struct cli *cli, struct repository_file *file)
{
	const char *const place[] = {file->oid, file->path};
	struct store_tree_file stored;
	struct error ignored;
	if (!cli->store || store_tree_file(cli->store, &cli->arena, place, &stored, &ignored) < 0 ||
	    !stored.known)
		return false;
	file->found = stored.found;
	file->bytes = stored.bytes;
	return true;
}

static struct repository_file file_of(const char *oid)
{
	return (struct repository_file){
		.oid = oid, .path = acceptance_path, .limit = ACCEPTANCE_FILE_LIMIT};
}

int accept_load(struct cli *cli, const char *oid, struct acceptance_list *list, const char **unread,
		struct error *err)
{
	struct error why;
	struct revision revision;
	struct repository_file file = file_of(oid);
	*list = (struct acceptance_list){
		.path = arena_printf(&cli->arena, "%.10s:%s", oid, acceptance_path)};
	*unread = NULL;
	/* A store can be judged without its repository, and it may contain commits that git has
	 * removed. Neither is an error; *unread reports it. */
	bool opened = cli_open_repository(cli, &why) == 0,
	     stored = opened && read_stored(cli, &file);
	if (!opened || (!stored && repository_revision(cli->repository, &cli->arena, oid, false,
						       &revision, &why) < 0)) {
		*unread = arena_strdup(&cli->arena, why.text);
		return 0;
	}
	if (!stored && repository_read(cli->repository, &cli->arena, &file, err) < 0)
		return -1;
	return file.found ? acceptance_parse(&cli->arena, list->path, file.bytes, list, err) : 0;
}

int accept_remember(struct cli *cli, const char *oid, struct error *err)
{
	struct repository_file file = file_of(oid);
	struct error ignored;
	/* An unreadable file is not an error here: the gate that needs it reports it. */
	if (!oid[0] || read_stored(cli, &file) ||
	    repository_read(cli->repository, &cli->arena, &file, &ignored) < 0)
		return 0;
	const char *const place[] = {oid, acceptance_path};
	return store_add_tree_file(cli->store, place, file.found ? &file.bytes : NULL, err);
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
	if (runs_is_ancestor(clock->cli, oid, clock->candidate, &yes, &ignored) < 0)
		return ACCEPTANCE_REACHED_UNKNOWN;
	return yes ? ACCEPTANCE_REACHED_YES : ACCEPTANCE_REACHED_NO;
}

struct acceptance_clock accept_clock(struct candidate_clock *candidate)
{
	return (struct acceptance_clock){candidate->cli->now, is_reached, candidate};
}
