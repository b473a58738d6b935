/* Counters of each kernel launch as rocprof writes them (one row per launch), and rocprofv3 (one
 * row per launch and counter). Counters that are not part of a metric become attributes. */
#pragma once

#include "ingest/table/tables.h"
#include "ingest/reader.h"

/* Both functions start after the header. 0, or -1 and *err. */
int rocprof_read_wide_counters(struct arena *arena, struct csv *csv, struct ingest_result *result,
			       struct error *err);
int rocprof_read_long_counters(struct arena *arena, struct csv *csv, struct ingest_result *result,
			       struct error *err);
