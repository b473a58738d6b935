/*
 * Series of measurements as a table: a header with `index` and `value`, and
 * `series` or `case` where there are several; a row for each measurement, the
 * rows of a series together and sorted by index. Rows with the same index are
 * repeats of one commit.
 */
#ifndef INGEST_TABLE_SERIES_CSV_H
#define INGEST_TABLE_SERIES_CSV_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"

struct measured_commit {
	long long index;
	const double *values; /* at least one, all finite */
	size_t count;
};

struct measured_series {
	const char *name; /* "" where the table has one series without a name */
	struct measured_commit *commits;
	size_t count;
};

struct measured_series_list {
	struct measured_series *items;
	size_t count;
};

/* ERR_FORMAT with the line for a table that is none of this. Without rows the list is empty. */
int series_csv_read(struct arena *arena, struct span text, struct measured_series_list *list,
		    struct error *err);

#endif
