/*
 * CSV of rocprof and rocprofv3, told apart by their columns:
 *
 *   statistics   Name,Calls,TotalDurationNs,AverageNs,...   (results.stats.csv, *_kernel_stats.csv)
 *   trace        Kind,...,Kernel_Name,...,Start_Timestamp   (*_kernel_trace.csv)
 *   counters     Index,KernelName,...,grd,wgr,<counters>    (rocprof -i)
 *   counters     ...,Kernel_Name,...,Counter_Name,Counter_Value   (*_counter_collection.csv)
 *
 * Statistics of API functions and copies have the columns of the first and are not taken.
 */
#ifndef INGEST_ROCM_ROCPROF_CSV_H
#define INGEST_ROCM_ROCPROF_CSV_H

#include "ingest/reader.h"

extern const struct reader rocprof_csv_reader;

#endif
