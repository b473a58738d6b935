/*
 * JSON of Google Benchmark: repetitions of one name are the samples of one run, aggregates stand
 * in where the repetitions were not written. Times are those of the host.
 */
#ifndef INGEST_BENCHMARKS_GOOGLE_BENCHMARK_H
#define INGEST_BENCHMARKS_GOOGLE_BENCHMARK_H

#include "ingest/reader.h"

extern const struct reader google_benchmark_reader;

#endif
