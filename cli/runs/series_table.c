/* Tables of series from a file or a pipe. */
#include "cli/runs/series_table.h"

#include <string.h>

#include "base/system/file.h"
#include "model/changepoint/detect.h"

static const size_t file_limit = 1u << 30;

int cli_read_series(struct cli *cli, const char *path, struct measured_series_list *list,
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

double *series_values(struct arena *arena, const struct measured_series *series)
{
	double *values = arena_array(arena, series->count, sizeof *values);
	for (size_t i = 0; i < series->count; i++)
		values[i] =
			detect_location(arena, series->commits[i].values, series->commits[i].count);
	return values;
}
