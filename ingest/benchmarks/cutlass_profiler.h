/*
 * Reader of cutlass_profiler --output=FILE (CSV). One run per operation, provider
 * and problem; rows of the same are repeats.
 *
 *   Runtime, ms              total_time, measured
 *   Bytes, Flops             algorithmic_bytes, algorithmic_flops (formulas of the profiler)
 *   Provider                 variant
 *   type of A                dtype; not for f32 on the tensor cores, whose arithmetic it hides
 *   m, n, k, A, B, C ...     parameters: all but results and what the operation's name says
 *
 * GFLOPs and GB/s are not kept, but checked: GB/s is Bytes / time in units of 2^30. A row of
 * Disposition "incorrect" or "failed" keeps its time and is marked.
 */
#ifndef INGEST_BENCHMARKS_CUTLASS_PROFILER_H
#define INGEST_BENCHMARKS_CUTLASS_PROFILER_H

#include "ingest/reader.h"

extern const struct reader cutlass_profiler_reader;

#endif
