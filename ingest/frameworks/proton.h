/*
 * Hatchet trees of Triton's Proton: a run per kernel and device, summed over the call paths that
 * launch it.
 */
#ifndef INGEST_FRAMEWORKS_PROTON_H
#define INGEST_FRAMEWORKS_PROTON_H

#include "ingest/reader.h"

extern const struct reader proton_reader;

#endif
