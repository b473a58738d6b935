/*
 * Tables of a matmul profiler for Neuron devices: a row a shape, sizes as M, K, N or as the
 * actual size and the bucket that it was padded to, mean latencies in ms over repeated calls.
 * All of them are wall time of the host around the call, what the tables call npu_only_ms
 * included: 0.27 ms of each is dispatch.
 */
#ifndef INGEST_NPU_NPU_MATMUL_H
#define INGEST_NPU_NPU_MATMUL_H

#include "ingest/reader.h"

extern const struct reader npu_matmul_reader;

#endif
