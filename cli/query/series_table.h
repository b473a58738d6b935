/* Tables of series on the command line, for detect and judge. */
#ifndef CLI_QUERY_SERIES_TABLE_H
#define CLI_QUERY_SERIES_TABLE_H

#include "cli/context.h"
#include "ingest/table/series_csv.h"

/* Reads a file, standard input when `path` is NULL or "-". */
int cli_read_series(struct cli *cli, const char *path, struct measured_series_list *list,
		    struct error *err);

#endif
