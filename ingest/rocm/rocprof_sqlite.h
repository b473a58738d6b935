/*
 * Databases of AMD's profilers: results.db of rocprof (table OPS) and rocprofv3's rocpd (tables
 * rocpd_kernel_dispatch, rocpd_info_kernel_symbol and rocpd_info_agent, each with the id of the
 * session behind its name).
 */
#ifndef INGEST_ROCM_ROCPROF_SQLITE_H
#define INGEST_ROCM_ROCPROF_SQLITE_H

#include "ingest/reader.h"

extern const struct reader rocprof_sqlite_reader;

#endif
