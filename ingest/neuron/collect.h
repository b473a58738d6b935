/*
 * What neuron_profile.c collects while a profile streams by, and
 * neuron_collect.c turns into a run when all sections have been seen.
 *
 * Times are ticks of the file until then: nanoseconds, or picoseconds in some
 * versions, which only the comparison with total_time can tell.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "ingest/json/stream.h"
#include "ingest/collect/collect.h"
#include "model/timeline/interval.h"
#include "model/run/run.h"

enum {
	collect_engine_limit = 16,
	collect_core_limit = 64,
	collect_window_limit = 1024,
	collect_tensor_limit = 4096,
	collect_warning_limit = 256
};

struct collect_engine {
	struct span name; /* ends with NUL, as that of a core */
	struct interval_union *active;
};

/* A physical core, known by the name of its subgraph; "" when the file does not tell. */
struct collect_core {
	struct span name;
	bool has_instructions, has_model;
	double instructions, flops, cycles;
	struct interval_union *tensor_active;
};

struct collect_throttle {
	double start, ticks, limit;
	int core;
	const char *type; /* NULL: merged from those beyond the limit */
};

struct collector {
	struct arena *arena;
	struct run *run;
	double tick;      /* seconds, where the file says it; 0 to find out */
	size_t summaries; /* records of the section "summary" */

	struct collect_engine engines[collect_engine_limit];
	size_t engine_count;
	struct interval_union *dma; /* the engine of this name, once there is one */
	struct collect_core cores[collect_core_limit];
	size_t core_count;
	bool names_left_out; /* more engines or cores, or longer names, than there is room for */

	struct tally tallies[TALLY_LIMIT];
	double matmul_flops, transpose_flops;
	size_t instructions;

	struct collect_throttle windows[collect_window_limit];
	size_t window_count;
	/* Windows beyond the limit, merged for each core; `limit` holds their lost ticks. */
	struct collect_throttle merged[collect_core_limit];
	size_t merged_count;

	bool has_memory_total;
	double memory_total;
	const char *profiler_version; /* of profile_info: the summary's goes first */
	double ntff_version;          /* of metadata, likewise; NAN unknown */
	bool simulation;
	size_t warnings, tensors;
	uint64_t bad_records; /* without the times they need, or with impossible ones */
};

/* Never NULL; ended by collect_free(). The run is the arena's. */
struct collector *collect_new(struct arena *arena);
/* The engine or core with this name, new if need be; NULL when there are too many or
 * the name is absurdly long. */
struct interval_union *collect_engine(struct collector *c, struct span name);
struct collect_core *collect_core(struct collector *c, struct span name);
/* Keeps a throttle window; beyond the limit only its loss. */
void collect_window(struct collector *c, const struct collect_throttle *window);

/* Completes c->run; counts are of a JSON file, NULL of any other. */
int collect_finish(struct collector *c, const struct json_stream_counts *counts, struct error *err);
void collect_free(struct collector *c);
