/* The reader of native Neuron traces. */
#pragma once

#include "model/ntff/ntff.h"
#include "ingest/reader.h"

/* Whether the instruction words of the trace's device have a flag that marks transposes. */
bool ntff_run_flags_transposes(struct arena *arena, const struct ntff *ntff);
