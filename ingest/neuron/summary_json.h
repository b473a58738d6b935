/*
 * Reader of "neuron-profile view --output-format summary-json": one object with
 * a member "n_<hash>" per node, each an object of summary fields; lines of the
 * profiler's log may come before it. One run per node, sorted by node.
 */
#pragma once

#include "ingest/json/stream.h"
#include "ingest/reader.h"

/* One member of a summary object, for the full profile too: numbers and texts go into the run;
 * a text where the field is a number is an error. */
int neuron_summary_json_member(struct arena *arena, struct run *run, struct span name,
			       const struct json_value *value, struct error *err);
/* Notes about what the scanner counted. */
void neuron_note_counts(struct arena *arena, struct run *run,
			const struct json_stream_counts *counts);
