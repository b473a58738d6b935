/*
 * Reader of benchmark_report.json, which NxD Inference writes: one run for each
 * sub-model (e2e_model, context_encoding_model, token_generation_model).
 *
 *   {"e2e_model": {"latency_ms_p50": 1.5, "latency_ms_p99": 1.6, "throughput": 88.5}, ...}
 *
 * The latencies are host time in milliseconds. The percentiles are of few runs
 * that are not in the file: the 50th is the run's time, the 99th is kept beside
 * it, p0 and p100 where they are given are the ends of the spread. No real file was at hand.
 */
#ifndef INGEST_NPU_NXDI_BENCHMARK_H
#define INGEST_NPU_NXDI_BENCHMARK_H

#include "ingest/reader.h"

extern const struct reader nxdi_benchmark_reader;

#endif
