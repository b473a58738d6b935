/*
 * Series of measurements as a table. The header has `index` and `value`, and `series` or `case` if
 * there are several. Each row is a measurement, in any order. Rows of a series with the same index
 * are repeats at one commit. Series are listed by their first row.
 */
#pragma once

#include "base/base.h"
#include "model/changepoint/changepoint.h"

/* ERR_FORMAT and the line if the table is not of this form. Without rows the list is empty. */
int series_csv_read(struct arena *arena, struct span text, struct measured_series_list *list,
		    struct error *err);
