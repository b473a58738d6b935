/*
 * Baseline timings of KernelBench: {"level1": {"1_Problem.py": {"mean": ms, ...}}}, a run per
 * problem.
 */
#ifndef INGEST_BENCHMARKS_KERNELBENCH_H
#define INGEST_BENCHMARKS_KERNELBENCH_H

#include "ingest/reader.h"

extern const struct reader kernelbench_reader;

#endif
