/* The run of new work, from the columns of its first row. For row_reader.c only. */
#pragma once

#include "base/base.h"
#include "ingest/table/row_reader.h"

enum { row_number_size = 32 }; /* for the digits of a whole number, and NUL */

static inline bool row_run_is_column(const struct row_column *column)
{
	return column->role != ROW_END;
}

/* The number in SI units. */
double row_run_scaled(double number, double scale);
/* The cell of a parameter's column; empty if it means nothing. Tables with headings print all
 * parameters as floating-point numbers: "1024.000000" is 1024, which is in `printed`. */
struct span row_run_param(const struct row_reading *row, size_t column,
			  char printed[row_number_size]);
/* Fills in the run; `value` is the row's first value, from which counts follow. */
int row_run_describe(const struct row_reading *row, struct run *run, struct span variant,
		     double value, struct error *err);
/* Adds the quantiles of a row as attributes; those of the first row count. */
void row_run_add_quantiles(const struct row_reading *row, const struct row_column *value,
			   struct run *run);
