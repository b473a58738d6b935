/*
 * The runs of a store as a table in Parquet, for DuckDB, ClickHouse, pandas and the like. Unlike
 * the export as JSON, it has neither the lists of a run nor edits, and can't be imported.
 *
 *   - PARQUET_RUNS: one row per run, with a column for each metric that some run has;
 *   - PARQUET_NUMBERS: one row per number of a run.
 *
 * Values are in SI units; a number that is not known is NULL. Removed runs are left out.
 *
 * Never add derived metrics: their formulas are the report's.
 */
#pragma once

#include "db/store/exchange.h"

enum parquet_table { PARQUET_RUNS, PARQUET_NUMBERS };

/* Adds the file to `out`, whose beginning goes to the drain. *set_aside damaged runs are skipped.
 */
int parquet_export(struct store *store, enum parquet_table table, const struct store_wish *wish,
		   struct strbuf *out, const struct strbuf_drain *drain, size_t *rows,
		   size_t *set_aside, struct error *err);
