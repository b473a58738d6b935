/* Counters of each kernel launch, as rocprof (one row a launch) and rocprofv3 (one row a launch and
 * counter) write them. Counters without a metric of their own become attributes. */
#pragma once

#include "ingest/table/tables.h"
#include "ingest/reader.h"

/* Both begin after the header. */
int rocprof_read_wide_counters(struct arena *arena, struct csv *csv, struct ingest_result *result,
			       struct error *err);
int rocprof_read_long_counters(struct arena *arena, struct csv *csv, struct ingest_result *result,
			       struct error *err);
