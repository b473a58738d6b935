/*
 * Series of measurements as a table: a header with `index` and `value`, and
 * `series` or `case` where there are several; a row for each measurement, the
 * rows of a series together and sorted by index. Rows with the same index are
 * repeats of one commit.
 */
#ifndef INGEST_TABLE_SERIES_CSV_H
#define INGEST_TABLE_SERIES_CSV_H

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"
#include "model/changepoint/measured_series.h"

/* ERR_FORMAT with the line for a table that is none of this. Without rows the list is empty. */
int series_csv_read(struct arena *arena, struct span text, struct measured_series_list *list,
		    struct error *err);

#endif
