/* What the readers of AMD's tables share: columns by any of their spellings, numbers, symbols. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "ingest/table/tables.h"
#include "ingest/collect/collect.h"

/* The column with one of these names, case ignored, NULL at the end; csv_column_limit when there is
 * none. */
size_t rocprof_find(const struct csv *csv, const char *const *spellings);
/* An empty cell is NAN. */
int rocprof_number(const struct csv *csv, size_t column, double *number, struct error *err);
/* Nanoseconds between two cells with whole numbers, as seconds; NAN when both are empty. */
int rocprof_duration(const struct csv *csv, size_t begin, size_t end, double *seconds,
		     struct error *err);
/* Without the loader's suffix: " [clone .kd]", " (.kd)", ".kd". */
struct span rocprof_symbol(struct span name);
/* Blocks and threads from sizes in work-items. */
void rocprof_sizes(struct launch *launch, const double grid[3], const double block[3]);
/* Whether it is the name of an API function, a copy or a domain, of which the tools write tables
 * that look like those of kernels. */
bool rocprof_is_no_kernel(struct span name);
