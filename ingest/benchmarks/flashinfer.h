/*
 * Reader of the table that flashinfer_benchmark.py writes (CSV, some names twice). One run per
 * routine, backend and arguments.
 *
 *   median_time, ms              total_time, measured; std_time, ms: its deviation
 *   tflops, tb_per_sec           algorithmic_flops and algorithmic_bytes = rate x time, where that
 *                                is a whole number (the benchmark divided it by that very time);
 *                                else algorithmic_rate and algorithmic_bandwidth. 0 is unknown
 *   backend                      variant
 *   q_dtype, else input_dtype    dtype; "fp4" where use_nvfp4 has a value
 *   use_cupti                    tool: CUPTI times and event times never share a series
 *   other arguments              parameters, but for those that steer the benchmark; case_tag too,
 *                                for it tells apart what the columns do not
 */
#ifndef INGEST_BENCHMARKS_FLASHINFER_H
#define INGEST_BENCHMARKS_FLASHINFER_H

#include "ingest/reader.h"

extern const struct reader flashinfer_reader;

#endif
