/*
 * The history of github-action-benchmark: data.js, or its object as plain JSON. Every result is a
 * run under the commit that the file names.
 */
#ifndef INGEST_BENCHMARKS_BENCHMARK_ACTION_H
#define INGEST_BENCHMARKS_BENCHMARK_ACTION_H

#include "ingest/reader.h"

extern const struct reader benchmark_action_reader;

#endif
