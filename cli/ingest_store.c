/* Storing: the commit with its first-parent history, then the runs, all or nothing. */
#include "cli/ingest.h"

#include <string.h>

/* The chain of the commit. Where a shallow clone cuts it off, the commit alone is stored, and
 * whoever needs an ancestor later is told. */
static int history_of(struct cli *cli, const char *oid, struct revision_list *chain,
		      struct error *err)
{
	if (repository_first_parents(cli->repository, &cli->arena, oid, cli_known_position, cli,
				     chain, err) == 0)
		return 0;
	if (!repository_is_shallow(cli->repository))
		return -1;
	cli_warn(cli, "%s", err->text);
	*chain = (struct revision_list){0};
	return 0;
}

static int store_history(struct cli *cli, const char *oid, struct error *err)
{
	struct revision_list chain = {0};
	struct revision own;
	if (history_of(cli, oid, &chain, err) < 0 ||
	    repository_revision(cli->repository, &cli->arena, oid, true, &own, err) < 0)
		return -1;
	for (size_t i = 0; i < chain.count; i++) {
		if (strcmp(chain.items[i].oid, oid) == 0)
			own.position = chain.items[i].position;
		if (store_add_revision(cli->store, &chain.items[i], err) < 0)
			return -1;
	}
	if (own.position < 0 && chain.count == 0)
		own.position = cli_known_position(cli, oid);
	return store_add_revision(cli->store, &own, err);
}

/* The same content under another commit is most often the wrong file. */
static int warn_of_twins(struct cli *cli, const struct incoming *one, struct error *err)
{
	char content[65];
	const char *twin;
	run_hash(one->run, false, content);
	if (store_twin(cli->store, &cli->arena, content, one->run->commit, &twin, err) < 0)
		return -1;
	if (twin)
		cli_warn(cli, "%s is identical to a run stored under commit %.10s", one->path,
			 twin);
	return 0;
}

static int store_all(struct cli *cli, const char *oid, struct ingest *ingest, struct error *err)
{
	if (store_history(cli, oid, err) < 0)
		return -1;
	for (size_t i = 0; i < ingest->run_count; i++) {
		struct incoming *one = &ingest->runs[i];
		if (warn_of_twins(cli, one, err) < 0 ||
		    store_add_run(cli->store, one->run, one->id, &one->added, err) < 0)
			return -1;
	}
	return 0;
}

int ingest_store(struct cli *cli, const struct ingest_options *options, struct ingest *ingest,
		 struct error *err)
{
	char *oid = arena_alloc(&cli->arena, 65);
	bool dirty = false;
	if (cli_open_repository(cli, err) < 0 ||
	    repository_resolve(cli->repository, options->commit ? options->commit : "HEAD", oid,
			       err) < 0)
		return -1;
	/* A commit named on purpose is taken as it is; HEAD is only clean when the tree is. */
	if (!options->commit && repository_is_dirty(cli->repository, &dirty, err) < 0)
		return -1;
	if (dirty)
		cli_warn(cli,
			 "the work tree has uncommitted changes: the runs are marked and never "
			 "serve as a baseline");
	for (size_t i = 0; i < ingest->run_count; i++) {
		ingest->runs[i].run->commit = oid;
		ingest->runs[i].run->dirty = dirty;
	}
	if (cli_open_store(cli, STORE_CREATE, err) < 0 || store_begin(cli->store, err) < 0)
		return -1;
	if (store_all(cli, oid, ingest, err) < 0 || store_commit(cli->store, err) < 0) {
		store_rollback(cli->store);
		return -1;
	}
	return 0;
}
