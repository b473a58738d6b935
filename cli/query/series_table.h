/* Tables of series for the commands detect and judge. */
#pragma once

#include "cli/context.h"
#include "ingest/table/tables.h"

/* Reads a CSV file into cli->arena; standard input if `path` is NULL or "-". */
int cli_query_read_series(struct cli *cli, const char *path, struct measured_series_list *list,
			  struct error *err);
