/*
 * Reader of the full profile that "neuron-profile view --output-format json"
 * writes: one run. Sections may come in any order and be missing; the file may
 * be of any size, memory does not grow with its events.
 */
#ifndef INGEST_NEURON_PROFILE_H
#define INGEST_NEURON_PROFILE_H

#include "ingest/reader.h"

extern const struct reader neuron_profile_json_reader;

#endif
