/* Shared by the readers of AMD's profilers: columns with several spellings, numbers, symbols. */
#pragma once

#include "base/base.h"
#include "ingest/table/tables.h"
#include "ingest/collect/collect.h"

/* The index of the column with one of these names, ignoring case; the list ends with NULL.
 * csv_column_limit if there is none. */
size_t rocprof_find(const struct csv *csv, const char *const *spellings);
/* Parses a cell; an empty one is NAN. 0, or -1 and *err. */
int rocprof_number(const struct csv *csv, size_t column, double *number, struct error *err);
/* Parses whole nanoseconds: timestamps have more digits than a double holds. */
bool rocprof_nanoseconds(struct span cell, uint64_t *number);

/* What all files say about a launch, as the first metrics of a launch table. */
enum { ROCPROF_TIME, ROCPROF_REGISTERS, ROCPROF_SHARED, ROCPROF_METRICS };
extern const struct launch_metric rocprof_metrics[ROCPROF_METRICS];
/* A table of only these. */
extern const struct launch_table rocprof_launches;

/* Indices of the columns that describe a launch; csv_column_limit if missing. */
struct rocprof_columns {
	bool is_product; /* whether grid and block are products, not a column per dimension */
	size_t at[12];
};
struct rocprof_columns rocprof_columns_of(const struct csv *csv, bool is_product);
/* Reads registers, shared memory, sizes and symbol of the current row; all other metrics are
 * unknown. */
int rocprof_launch(const struct csv *csv, const struct rocprof_columns *columns,
		   struct launch *launch, struct error *err);
/* The time of the current row in seconds; NAN if both timestamps are empty. */
int rocprof_time(const struct csv *csv, const struct rocprof_columns *columns, double *seconds,
		 struct error *err);
/* The name without the loader's suffix: " [clone .kd]", " (.kd)", ".kd". */
struct span rocprof_symbol(struct span name);
/* Sets the launch's blocks and threads from sizes in work-items. */
void rocprof_sizes(struct launch *launch, const double grid[3], const double block[3]);
/* Whether it is the name of an API function, a copy or a domain. The tools write tables of these
 * that look like those of kernels. */
bool rocprof_is_no_kernel(struct span name);
