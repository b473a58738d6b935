/* DOOR */
#pragma once

#include "ingest/neuron/bench.h"
#include "ingest/neuron/collect.h"
#include "ingest/neuron/summary.h"
