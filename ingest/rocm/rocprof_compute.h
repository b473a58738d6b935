/*
 * A workload directory of rocprof-compute (omniperf), file by file:
 *
 *   pmc_perf.csv   counters of each kernel launch, with its times: the runs
 *   sysinfo.csv    the device and its bandwidth, for the runs of the directory
 *   roofline.csv   peaks as rocprof-compute measured them, as attributes of these runs
 */
#ifndef INGEST_ROCM_ROCPROF_COMPUTE_H
#define INGEST_ROCM_ROCPROF_COMPUTE_H

#include "ingest/reader.h"

extern const struct reader rocprof_compute_reader;

#endif
