/*
 * Reader of plain tables (CSV, TSV, JSON lines, Parquet). The map of columns is the hint `columns`
 * of the input (ingest/table/column_map.h). It is required, because the names of columns do not
 * define their meaning.
 *
 * - Rows with the same commit, kernel, variant, dtype, device, instance type, correctness and
 *   parameters are repeats of one run. Times are measured, all other metrics are reported.
 * - Not a measurement: a time or rate of 0, and a word in a column of numbers ("FAIL", "N/A").
 * - Left out and counted in a warning: rows without any number, rows without a commit, rows whose
 *   cells do not match the header.
 *
 * Never add a table of a particular tool.
 */
#pragma once

#include "ingest/reader.h"

/* Whether a file, whose first bytes are `head`, is a table with the columns of the map. If not,
 * *why may explain what is missing. */
bool table_fits(struct span head, const char *columns, struct error *why);
/* The same for a Parquet file, whose columns are at its end. True as well if that would be the end
 * of a pipe. */
bool table_fits_parquet(struct input *input, const char *columns, struct error *why);
