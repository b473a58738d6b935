/*
 * Neuron's JSON, text summaries, sessions, benchmarks and NEFF. Never add native traces.
 */
#pragma once

#include "ingest/neuron/bench.h"
#include "ingest/neuron/collect.h"
#include "ingest/neuron/profile.h"
#include "ingest/neuron/summary.h"
