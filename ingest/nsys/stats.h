/*
 * The kernel summary of `nsys stats` (cuda_gpu_kern_sum, gpukernsum, with grid and block in
 * cuda_gpu_kern_gb_sum) as CSV, or as the text that `nsys profile --stats=true` leaves in logs. One
 * run a row. Other tables and all other text are skipped.
 */
#ifndef INGEST_NSYS_STATS_H
#define INGEST_NSYS_STATS_H

#include "ingest/reader.h"

extern const struct reader nsys_stats_reader;

#endif
