/*
 * Results of airspeed velocity (asv) of one commit, machine and environment, in its layouts 1 and
 * 2: a run per time_ benchmark and combination of parameters. Other kinds are counted.
 */
#ifndef INGEST_BENCHMARKS_ASV_H
#define INGEST_BENCHMARKS_ASV_H

#include "ingest/reader.h"

extern const struct reader asv_reader;

#endif
