/*
 * Reader of "neuron-profile view --output-format summary-json": one object with a member "n_<hash>"
 * per node, each an object of summary fields. Log lines of the profiler may precede it. One run per
 * node, sorted by node.
 */
#pragma once

#include "ingest/json/stream.h"
#include "ingest/reader.h"

/* Adds one member of a summary object to the run; also used by the full profile's reader. A text is
 * an error if the field must be a number. */
int neuron_summary_json_member(struct arena *arena, struct run *run, struct span name,
			       const struct json_value *value, struct error *err);
/* Adds warnings about the oddities that the JSON scanner counted. */
void neuron_note_counts(struct arena *arena, struct run *run,
			const struct json_stream_counts *counts);
