/*
 * Reader of plain tables (CSV, TSV, JSON lines) by a map of their columns, which
 * the hint `columns` of the input holds (ingest/table/column_map.h). Without it no
 * table is taken: names of columns do not say what they mean.
 *
 * Rows with the same commit, kernel, variant, dtype, device, instance type,
 * correctness and parameters are repeats of one run. Times are measured, all
 * else is reported. A time or rate of 0 is no measurement, nor is a word in a
 * column of numbers ("FAIL", "N/A"); rows without any number are left out and
 * counted in a note, as are those whose commit is empty or whose cells do not
 * fit the header.
 */
#pragma once

#include "ingest/reader.h"

/* Whether a file that begins with `head` is a table with the columns of the map; if not, *why may
 * say what it lacks. */
bool table_fits(struct span head, const char *columns, struct error *why);
