/*
 * The CSV forms of Nsight Compute. Columns are known by their names:
 *
 *   "ID", ..., "Kernel Name", ..., "Section Name", "Metric Name", "Metric Unit", "Metric Value"
 *        a row a metric (--metrics, --page details); rows of rules have no metric name
 *   the same with "Invocations", "Minimum", "Maximum", "Average"  (--print-summary)
 *   "ID", ..., "Kernel Name", ..., metric, metric, ...            (--page raw; then a row of units)
 *
 * What the application printed may stand before, between and after the rows.
 */
#pragma once

#include <stdbool.h>

#include "ingest/ncu/profile.h"

enum ncu_table { NCU_NO_TABLE, NCU_LONG_TABLE, NCU_WIDE_TABLE };

/* Which form a line is the header of. */
enum ncu_table ncu_csv_table(struct span line);
/* Reads a table from its header on; *rest and *line (the number of the line) are moved to the next
 * header or the end. */
int ncu_csv_read(struct ncu_profile *profile, struct span *rest, size_t *line, struct error *err);
