/*
 * Reader of the CSV of triton.testing.perf_report where its header says the unit, as Triton 3.4
 * and later write it: arguments, then one column per provider, "Triton (GB/s)".
 *
 *   ms, us, s                    total_time, measured
 *   GB/s, TB/s ...               algorithmic_bandwidth, reported
 *   TFLOPS, GFLOPS, TFLOP/s ...  algorithmic_rate, reported
 *
 * One run per provider (the variant) and row (the parameters). The kernel is not in the file: it
 * is asked for. Without units in the header nobody knows what the numbers are; the column map
 * (ingest/table/table.h) reads such a file.
 */
#ifndef INGEST_BENCHMARKS_PERF_REPORT_H
#define INGEST_BENCHMARKS_PERF_REPORT_H

#include "ingest/reader.h"

extern const struct reader perf_report_reader;

#endif
