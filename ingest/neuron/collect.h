/*
 * The state of the full profile's reader: profile.c collects it while the sections stream by,
 * collect.c turns it into a run once all sections were seen.
 *
 * Until then times are in ticks of the file: nanoseconds or, in some versions, picoseconds. Only a
 * comparison with total_time distinguishes them.
 */
#pragma once

#include "base/base.h"
#include "ingest/json/stream.h"
#include "ingest/collect/collect.h"
#include "model/timeline/interval.h"
#include "model/timeline/trace/trace.h"
#include "model/run/run.h"

enum {
	collect_engine_limit = 16,
	collect_core_limit = 64,
	collect_window_limit = 1024,
	collect_tensor_limit = 4096,
	collect_warning_limit = 256
};

struct neuron_collect_engine {
	struct span name; /* NUL-terminated, like that of a core */
	struct interval_union *active;
};

/* A physical core, identified by the name of its subgraph; "" if the file names none. */
struct neuron_collect_core {
	struct span name;
	bool has_instructions, has_model;
	double instructions, flops, cycles;
	struct interval_union *tensor_active;
};

struct collect_throttle {
	double start, ticks, limit;
	int core;
	const char *type; /* NULL: several windows merged, see collector.merged */
};

struct collector {
	struct arena *arena;
	struct run *run;
	struct trace *trace; /* NULL: events are not wanted */
	double tick;         /* in seconds, if the file states it; 0: still to be determined */
	size_t summaries;    /* records of the section "summary" so far */

	struct neuron_collect_engine engines[collect_engine_limit];
	size_t engine_count;
	struct interval_union *dma; /* the entry "dma" of engines; NULL until the first transfer */
	struct neuron_collect_core cores[collect_core_limit];
	size_t core_count;
	bool names_left_out; /* an engine or core was dropped: too many, or a name too long */

	struct tally tallies[TALLY_LIMIT];
	double matmul_flops, transpose_flops;
	double flops_of[DTYPE_LIMIT]; /* of matmul by the data type of its operands */
	size_t instructions;

	struct collect_throttle windows[collect_window_limit];
	size_t window_count;
	/* Windows beyond the limit, merged into one per core; `limit` holds their lost ticks. */
	struct collect_throttle merged[collect_core_limit];
	size_t merged_count;

	bool has_memory_total;
	double memory_total;
	const char *profiler_version; /* from profile_info; used if the summary has none */
	double ntff_version;          /* from metadata; used if the summary has none. NAN unknown */
	bool simulation;
	size_t warnings, tensors;
	uint64_t bad_records; /* with missing or impossible times */
};

/* Never NULL; released by neuron_collect_free(). The run belongs to the arena. */
struct collector *neuron_collect_new(struct arena *arena);
/* The engine or core with this name, added if it is new; NULL if there are too many or the name is
 * too long. */
struct interval_union *neuron_collect_engine(struct collector *c, struct span name);
struct neuron_collect_core *neuron_collect_core(struct collector *c, struct span name);
/* Stores a throttle window; beyond collect_window_limit only the time that it cost. */
void neuron_collect_window(struct collector *c, const struct collect_throttle *window);

/* Completes c->run. `counts` are those of the JSON scanner; NULL for other formats. */
int neuron_collect_finish(struct collector *c, const struct json_stream_counts *counts,
			  struct error *err);
void neuron_collect_free(struct collector *c);

/* Adds one member of a summary object to the run; also used by the full profile's reader. A text is
 * an error if the field must be a number. */
int neuron_summary_json_member(struct arena *arena, struct run *run, struct span name,
			       const struct json_value *value, struct error *err);
/* Adds warnings about the oddities that the JSON scanner counted. */
void neuron_note_counts(struct arena *arena, struct run *run,
			const struct json_stream_counts *counts);
