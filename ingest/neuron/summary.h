/*
 * The summary fields of neuron-profile, which are the same in all its outputs: full JSON,
 * summary-json, summary-text. One table maps keys to metrics or attributes and converts the units.
 * The throttle keys contain the core's index and have code of their own. Unknown keys are skipped
 * without an error, because every version of the profiler adds some.
 *
 * Keys may come in any order and repeat; the last one wins. After neuron_summary_finish() the run
 * does not depend on their order. Texts are stored with bounded_text_set()
 * (ingest/collect/bounded_text.h), so the memory of a run is bounded whatever the file contains.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

/* Largest number of nodes in a file; a real file has a few. */
enum { neuron_node_limit = 4096 };

/* Adds a field with a numeric value, in the unit of the file. A negative or non-finite number
 * leaves the metric unknown and adds a warning. */
void neuron_summary_number(struct arena *arena, struct run *run, struct span key, double number);
/* Whether it is the name of a node: "n_" and hexadecimal digits. */
bool neuron_summary_is_node(struct span name);
/* Whether this field is a metric that is read; a text is not a valid value then. */
bool neuron_summary_is_number(struct span key);
/* Adds a field with a text value: versions, instance type ... */
void neuron_summary_text(struct arena *arena, struct run *run, struct span key, struct span text);
/* Adds any attribute. The last of equal keys wins; empty texts are ignored. A run stores at most
 * 256 attributes, with names of at most 128 bytes. */
void neuron_summary_attribute(struct arena *arena, struct run *run, struct span key,
			      struct span text);
/* The device of an instance type, as the hardware table names it: "trn2.3xlarge" gives "trn2",
 * "trn3pds98.48xlarge" gives "trn3". An unknown family is returned as it is; NULL for "". */
const char *neuron_device(struct arena *arena, struct span instance_type);
/* Whether any field was a number. */
bool neuron_summary_is_known(const struct run *run);
/* The metric of an engine's active time, by the engine's name; METRIC_COUNT if there is none. */
enum metric neuron_engine_metric(const char *name);
/* Completes the run after its last field:
 * - the tool, and the device from the instance type;
 * - engines with a time but without intervals;
 * - a fixed order: engines and attributes sorted, the profiler's warnings as they came, then ours,
 *   sorted. */
void neuron_summary_finish(struct arena *arena, struct run *run);
