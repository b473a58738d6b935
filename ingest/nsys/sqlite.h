/*
 * Nsight Systems' SQLite export (`nsys export --type sqlite`, `nsys profile --stats=true`): kernels
 * from CUPTI_ACTIVITY_KIND_KERNEL, one run for each kernel with the same work; the device from
 * TARGET_INFO_GPU. Copies, memory sets and NVTX ranges are no kernels and are left.
 */
#ifndef INGEST_NSYS_SQLITE_H
#define INGEST_NSYS_SQLITE_H

#include "ingest/reader.h"

extern const struct reader nsys_sqlite_reader;

#endif
