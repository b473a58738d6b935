/* Tables of series on the command line, for detect and judge. */
#pragma once

#include "cli/context.h"
#include "ingest/table/tables.h"

/* Reads a file, standard input when `path` is NULL or "-". */
int cli_query_read_series(struct cli *cli, const char *path, struct measured_series_list *list,
			  struct error *err);
