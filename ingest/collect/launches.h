/*
 * Groups the kernel launches of a trace into runs: one run per kernel and work (name, device, grid,
 * block). Its time is the median over the launches. All other metrics that vary have a spread as
 * well.
 */
#pragma once

#include "base/base.h"
#include "ingest/collect/kernel_runs.h"
#include "model/run/run.h"

enum {
	launch_metric_limit = 52,
	launch_limit = 4000000,
	launch_name_limit = 64 << 10,
	launch_symbol_limit = 64 << 20
};

struct launch_metric {
	enum metric metric;
	enum provenance provenance;
	const char *attribute; /* if metric is METRIC_COUNT: name of the attribute for the median */
};

/* The metrics of a trace. The first one is the time by which runs are sorted. If a metric occurs
 * twice, the first known value is used. */
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
	uint32_t *slots; /* hash table: 1 + index of a group, 0 free */
	size_t slot_count;
	size_t count, symbol_bytes;
	size_t before; /* bytes of the arena before the first group */
};

struct launches launches_of(struct arena *arena, const struct launch_table *table);
/* A launch whose values are all unknown. */
struct launch launches_unknown(void);
/* Adds a launch; its texts are copied. -1 and *err if there are too many, or if a value is negative
 * or is required and not a number. */
int launches_add(struct launches *launches, const struct launch *launch, struct error *err);
/* Turns the groups into works with one run each. The caller may add to them and then calls
 * kernel_runs_add(). */
struct kernel_work *launches_works(struct launches *launches);
/* Adds the runs of all groups. Without a launch: -1, and the message `nothing`. */
int launches_finish(struct launches *launches, struct run_list *runs, const char *nothing,
		    struct error *err);
