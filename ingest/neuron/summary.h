/*
 * The summary fields of neuron-profile, the same in all its outputs (full JSON,
 * summary-json, summary-text): one table from key to metric or attribute with
 * the unit conversion, and special handling of the throttle keys whose core
 * index is inside the key. Unknown keys are skipped, never an error: every
 * version of the profiler adds some.
 *
 * Keys may come in any order and repeat (the last one wins); what is in the run
 * after neuron_summary_finish() does not depend on the order. Texts are kept
 * with keep_text() (kept.h): a run takes little memory, whatever is in the file.
 */
#pragma once

#include <stdbool.h>

#include "base/base.h"
#include "model/run/run.h"

/* Nodes of one file: more are an error. A real file has a few. */
enum { neuron_node_limit = 4096 };

/* One field with a numeric value, in the unit of the file. A negative or non-finite number
 * leaves the metric unknown and adds a note. */
void neuron_summary_number(struct arena *arena, struct run *run, struct span key, double number);
/* Whether this field is one of the numbers that are wanted: a text is no value for it. */
bool neuron_summary_is_number(struct span key);
/* One field with a text value: versions, instance type ... */
void neuron_summary_text(struct arena *arena, struct run *run, struct span key, struct span text);
/* Any attribute; the last of equal keys wins, an empty text says nothing. Of a run's attributes
 * the first 256 are kept, and none with a name of more than 128 bytes. */
void neuron_summary_attribute(struct arena *arena, struct run *run, struct span key,
			      struct span text);
/* The device of the hardware table that an instance type has: "trn2.3xlarge" gives "trn2",
 * "trn3pds98.48xlarge" "trn3"; the family itself when it is none we know; NULL for "". */
const char *neuron_device(struct arena *arena, struct span instance_type);
/* Whether any field gave a number. */
bool neuron_summary_is_known(const struct run *run);
/* Time of an engine's activity by its name; METRIC_COUNT when the summary does not know it. */
enum metric neuron_engine_metric(const char *name);
/* Completes the run after its last field: tool, device from the instance type, engines that have a
 * time but no intervals, engines and attributes sorted, notes in a fixed order (the profiler's own
 * first, as they came; then ours, sorted). */
void neuron_summary_finish(struct arena *arena, struct run *run);
