/*
 * Reader of the table that "neuron-profile show-session" prints, anything
 * around it: one row per physical core, one run per node (a row without NODE ID
 * belongs to the node above it).
 *
 * The column CYCLES holds picoseconds. The time of a run is that of its slowest
 * core; events, traces and instructions are sums over the cores. These runs
 * are of their own tool class: show-session counts what the profile leaves out.
 */
#ifndef INGEST_NEURON_SESSION_H
#define INGEST_NEURON_SESSION_H

#include "ingest/reader.h"

extern const struct reader neuron_session_reader;

#endif
