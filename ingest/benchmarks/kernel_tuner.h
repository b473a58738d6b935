/*
 * Cache files of Kernel Tuner: the fastest configuration is the run, all that were explored are
 * its tuning history. A cache that was not closed, because the tuning was cut short, is read too.
 */
#ifndef INGEST_BENCHMARKS_KERNEL_TUNER_H
#define INGEST_BENCHMARKS_KERNEL_TUNER_H

#include "ingest/reader.h"

extern const struct reader kernel_tuner_reader;

#endif
