/*
 * Traces of the PyTorch profiler (Kineto) of any size: a run per kernel, told apart by grid and
 * block where one kernel was launched with several. Everything but kernel events is stepped over.
 */
#ifndef INGEST_FRAMEWORKS_KINETO_H
#define INGEST_FRAMEWORKS_KINETO_H

#include "ingest/reader.h"

extern const struct reader kineto_reader;

#endif
