/*
 * JSON of NVBench: a run per state (benchmark, device, axis values) that was not skipped. Device
 * time is that of CUDA events over isolated executions; host time that of the same executions.
 */
#ifndef INGEST_BENCHMARKS_NVBENCH_H
#define INGEST_BENCHMARKS_NVBENCH_H

#include "ingest/reader.h"

extern const struct reader nvbench_reader;

#endif
