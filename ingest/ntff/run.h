/* The reader of native Neuron traces. */
#pragma once

#include <stdbool.h>

#include "model/ntff/ntff.h"
#include "ingest/reader.h"

/* Whether the instruction words of the device that the trace is of tell transposes. */
bool ntff_flags_transposes(struct arena *arena, const struct ntff *ntff);
