/*
 * Reader of the benchmark data of Liger-Kernel (all_benchmark_data.csv): speed in ms and peak
 * memory in MB of 2^20 bytes, as its scripts compute them. Speed and memory of the same work are
 * one run.
 *
 *   kernel_name                  kernel
 *   kernel_provider              variant
 *   y_value_50 of speed, ms      total_time, measured; of memory, MB: device_memory_bytes
 *   y_value_20, y_value_80       attributes, not minimum and maximum
 *   kernel_operation_mode        parameter operation_mode
 *   x_name, x_value, the config  parameters; "dtype" of the config is the dtype
 *   gpu_name                     device
 */
#ifndef INGEST_BENCHMARKS_LIGER_H
#define INGEST_BENCHMARKS_LIGER_H

#include "ingest/reader.h"

extern const struct reader liger_reader;

#endif
