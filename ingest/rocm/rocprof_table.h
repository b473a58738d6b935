/* Shared by the readers of AMD's tables: columns with several spellings, numbers, symbols. */
#pragma once

#include "base/base.h"
#include "ingest/table/tables.h"
#include "ingest/collect/collect.h"

/* The index of the column with one of these names, ignoring case; the list ends with NULL.
 * csv_column_limit if there is none. */
size_t rocprof_find(const struct csv *csv, const char *const *spellings);
/* Parses a cell; an empty one is NAN. 0, or -1 and *err. */
int rocprof_number(const struct csv *csv, size_t column, double *number, struct error *err);
/* The difference of two cells with whole nanoseconds, in seconds; NAN if both are empty. */
int rocprof_duration(const struct csv *csv, size_t begin, size_t end, double *seconds,
		     struct error *err);
/* The name without the loader's suffix: " [clone .kd]", " (.kd)", ".kd". */
struct span rocprof_symbol(struct span name);
/* Sets the launch's blocks and threads from sizes in work-items. */
void rocprof_sizes(struct launch *launch, const double grid[3], const double block[3]);
/* Whether it is the name of an API function, a copy or a domain. The tools write tables of these
 * that look like those of kernels. */
bool rocprof_is_no_kernel(struct span name);
