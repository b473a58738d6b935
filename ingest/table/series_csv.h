/*
 * Series of measurements as a table: a header with `index` and `value`, and
 * `series` or `case` where there are several; a row for each measurement, the
 * rows of a series together and sorted by index. Rows with the same index are
 * repeats of one commit.
 */
#pragma once

#include "base/base.h"
#include "model/changepoint/changepoint.h"

/* ERR_FORMAT with the line for a table that is none of this. Without rows the list is empty. */
int series_csv_read(struct arena *arena, struct span text, struct measured_series_list *list,
		    struct error *err);
