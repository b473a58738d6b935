/* Loads tables of series and sweeps. */
#include "cli/query/query.h"

#include "base/system/system.h"
#include "cli/runs/files/files.h"

/* Bytes. Tables are read into memory as a whole. */
static const size_t file_limit = 1u << 30;

int cli_query_read_series(struct cli *cli, const char *path, struct measured_series_list *list,
			  struct error *err)
{
	struct span text;
	path = path ? path : "-";
	if (file_read_linked(&cli->arena, path, file_limit, &text, err) < 0)
		return -1;
	if (series_csv_read(&cli->arena, text, list, err) < 0)
		return error_prefix(err, "%s", strcmp(path, "-") == 0 ? "standard input" : path);
	return 0;
}

int cli_query_sweep_runs(struct cli *cli, const struct sweep_request *request,
			 const struct run ***runs, size_t *count, struct error *err)
{
	char oid[65] = "";
	struct loaded_list list = {0};
	struct run_filter filter = request->filter;
	struct run_query query = runs_query(&filter, oid);
	if (runs_prepare_filter(cli, &filter, err) < 0)
		return -1;
	if (cli->files.count ? files_runs(cli, &filter, &list, err) < 0
			     : (runs_select_commit(cli, request->commit, oid, err) < 0 ||
				runs_load(cli, &query, &list, err) < 0))
		return -1;
	runs_drop_incorrect(cli, &list);
	if (list.count == 0) {
		runs_none(cli, &request->filter, oid, err);
		return -1;
	}
	*runs = runs_of(&cli->arena, &list);
	*count = list.count;
	return 0;
}

int cli_query_sweep(struct cli *cli, const struct sweep_request *request, struct sweep *sweep,
		    struct error *err)
{
	const struct run **runs;
	size_t count;
	if (cli_query_sweep_runs(cli, request, &runs, &count, err) < 0)
		return -1;
	return sweep_of(&cli->arena, runs, count, request->x, sweep, err);
}
