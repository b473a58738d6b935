/* Loads runs as a sweep. */
#include "cli/query/sweep.h"

int cli_query_sweep(struct cli *cli, const char *commit, const struct run_filter *filter,
		    const char *x, struct sweep *sweep, struct error *err)
{
	char oid[65] = "";
	struct loaded_list list = {0};
	struct run_query query = runs_query(filter, oid);
	if (runs_select_commit(cli, commit, oid, err) < 0 || runs_load(cli, &query, &list, err) < 0)
		return -1;
	runs_drop_incorrect(cli, &list);
	if (list.count == 0)
		return runs_none(oid, err);
	const struct run **runs = arena_array(&cli->arena, list.count, sizeof *runs);
	for (size_t i = 0; i < list.count; i++)
		runs[i] = list.items[i].stored.run;
	return sweep_of(&cli->arena, runs, list.count, x, sweep, err);
}
