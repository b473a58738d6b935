/*
 * The CSV forms of Nsight Compute. Columns are found by their names:
 *
 *   "ID", ..., "Kernel Name", ..., "Section Name", "Metric Name", "Metric Unit", "Metric Value"
 *        one row per metric (--metrics, --page details); rows of rules have no metric name
 *   the same with "Invocations", "Minimum", "Maximum", "Average"  (--print-summary)
 *   "ID", ..., "Kernel Name", ..., metric, metric, ...            (--page raw; then a row of units)
 *
 * Output of the application may come before, between and after the rows.
 */
#pragma once

#include "ingest/ncu/profile.h"

enum ncu_table { NCU_NO_TABLE, NCU_LONG_TABLE, NCU_WIDE_TABLE };

/* The form whose header the line is. */
enum ncu_table ncu_csv_table(struct span line);
/* Reads a table, starting with its header. Moves *rest and *line (the line number) to the next
 * header or the end of the text. 0, or -1 and *err. */
int ncu_csv_read(struct ncu_profile *profile, struct span *rest, size_t *line, struct error *err);
