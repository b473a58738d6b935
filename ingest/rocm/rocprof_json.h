/*
 * The Chrome trace of rocprof (results.json): complete events of processes called "GPU<n>" are
 * kernels; the device comes from otherData where all GPUs of the machine are the same.
 */
#ifndef INGEST_ROCM_ROCPROF_JSON_H
#define INGEST_ROCM_ROCPROF_JSON_H

#include "ingest/reader.h"

extern const struct reader rocprof_json_reader;

#endif
