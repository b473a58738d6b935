/* Counters of each kernel launch, as rocprof (one row a launch) and rocprofv3 (one row a launch and
 * counter) write them. Counters without a metric of their own become attributes. */
#ifndef INGEST_ROCM_ROCPROF_COUNTERS_H
#define INGEST_ROCM_ROCPROF_COUNTERS_H

#include "ingest/table/csv.h"
#include "ingest/reader.h"

/* Both begin after the header. */
int rocprof_read_wide_counters(struct arena *arena, struct csv *csv, struct ingest_result *result,
			       struct error *err);
int rocprof_read_long_counters(struct arena *arena, struct csv *csv, struct ingest_result *result,
			       struct error *err);

#endif
