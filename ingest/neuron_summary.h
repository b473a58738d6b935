/*
 * The summary fields of neuron-profile, the same in all its outputs (full JSON,
 * summary-json, summary-text): one table from key to metric or attribute with
 * the unit conversion, and special handling of the throttle keys whose core
 * index is inside the key. Unknown keys are counted, never an error.
 */
#ifndef INGEST_NEURON_SUMMARY_H
#define INGEST_NEURON_SUMMARY_H

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"
#include "model/run.h"

/* One field with a numeric value. */
void neuron_summary_number(struct arena *arena, struct run *run, struct span key, double number);
/* One field with a text value: versions, instance type ... */
void neuron_summary_text(struct arena *arena, struct run *run, struct span key, struct span text);
/* Completes the run after its last field: tool, device from the instance type, notes in a fixed
 * order. */
int neuron_summary_finish(struct arena *arena, struct run *run, struct error *err);

#endif
