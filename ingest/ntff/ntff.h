/*
 * Native Neuron traces to runs. Never add printing; the data go to model/ntff.
 */
#pragma once

#include "ingest/ntff/missing_data.h"
#include "ingest/ntff/run.h"
#include "ingest/ntff/summary.h"
