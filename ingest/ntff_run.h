/* The reader of native Neuron traces. */
#ifndef INGEST_NTFF_RUN_H
#define INGEST_NTFF_RUN_H

#include "ingest/reader.h"

extern const struct reader ntff_reader;

#endif
