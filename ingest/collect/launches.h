/*
 * Kernel launches one by one, as traces list them, gathered into runs: one run
 * for each kernel with the same work (name, device, grid, block). Its time is the
 * median of the launches; every other number that varies gets a spread as well.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "ingest/collect/kernel_runs.h"
#include "model/run/run.h"

enum {
	launch_metric_limit = 48,
	launch_limit = 4000000,
	launch_group_limit = 65536,
	launch_name_limit = 64 << 10,
	launch_symbol_limit = 64 << 20
};

struct launch_metric {
	enum metric metric;
	enum provenance provenance;
	const char *attribute; /* with METRIC_COUNT: the median becomes this attribute */
};

/* The metrics of a trace; the first is the time that orders the runs. Where a metric occurs twice,
 * the first that is known counts. */
struct launch_table {
	const char *tool;
	const struct launch_metric *metrics;
	size_t metric_count; /* at most launch_metric_limit */
};

struct launch {
	struct span symbol, device; /* an empty device is unknown */
	double grid[3], block[3];   /* NAN unknown */
	double values[launch_metric_limit];
};

struct launch_group;

struct launches {
	struct arena *arena;
	const struct launch_table *table;
	struct launch_group *groups;
	size_t group_count, group_capacity;
	uint32_t *slots; /* 1 + index of a group, 0 free */
	size_t slot_count;
	size_t count, symbol_bytes;
};

struct launches launches_of(struct arena *arena, const struct launch_table *table);
/* A launch whose values are all unknown. */
struct launch launch_unknown(void);
/* Copies what it keeps. -1 and *err when there are too many, or a value is negative or no number
 * where one must be. */
int launches_add(struct launches *launches, const struct launch *launch, struct error *err);
/* Makes works of the groups, one run each; the caller may add to them, then calls
 * kernel_runs_add(). */
struct kernel_work *launches_works(struct launches *launches);
