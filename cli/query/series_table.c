/* Reads tables of series from a file or a pipe. */
#include "cli/query/series_table.h"

#include "base/system/system.h"

/* Bytes. Tables are read into memory as a whole. */
static const size_t file_limit = 1u << 30;

int cli_query_read_series(struct cli *cli, const char *path, struct measured_series_list *list,
			  struct error *err)
{
	struct span text;
	path = path ? path : "-";
	if (file_read(&cli->arena, path, file_limit, &text, err) < 0)
		return -1;
	if (series_csv_read(&cli->arena, text, list, err) < 0)
		return error_prefix(err, "%s", strcmp(path, "-") == 0 ? "standard input" : path);
	return 0;
}
