/*
 * The map of a plain table, as given with --columns: items "TARGET=COLUMN:UNIT", separated by
 * commas.
 *
 *   commit=commit,kernel=op,time=latency_ms:ms,mfu=mfu:fraction,param:M,param:N=n
 *
 * Targets are commit, kernel, variant, dtype, device, instance_type, correct, param:NAME, params (a
 * cell such as "b=1, s=128"), attr:NAME, time (that is total_time) and all keys of metrics. Without
 * "=" the column has the target's name. A column name with a comma, a colon or an equals sign is
 * enclosed in double quotes.
 *
 * A unit is required if the metric has one, because tables differ: a time may be in seconds or
 * milliseconds, and a "percent" is often a fraction.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

enum { column_map_limit = 64 };

enum column_target {
	COLUMN_COMMIT,
	COLUMN_KERNEL,
	COLUMN_VARIANT,
	COLUMN_DTYPE,
	COLUMN_DEVICE,
	COLUMN_INSTANCE_TYPE,
	COLUMN_CORRECT,
	COLUMN_PARAM,
	COLUMN_PARAMS, /* NAME=VALUE, separated by commas, semicolons or blanks */
	COLUMN_ATTRIBUTE,
	COLUMN_METRIC
};

struct column_item {
	enum column_target target;
	const char *name;   /* of the target, for messages: "time", "param:M" */
	const char *label;  /* name of a parameter or attribute */
	const char *column; /* name in the file; a dotted path in JSON */
	enum metric metric;
	const char *unit; /* as given; NULL none */
	double multiplier, divisor;
};

struct column_map {
	struct column_item items[column_map_limit];
	size_t count;
	size_t metric_count;
};

/* 0, or -1 and *err, which begins with "--columns" and suggests a correction. */
int column_map_parse(struct arena *arena, const char *text, struct column_map *map,
		     struct error *err);
/* Whether cells of the column distinguish runs. */
bool column_map_is_key(const struct column_item *item);
/* The columns in `names`, those that distinguish runs first; returns how many do. */
size_t column_map_names(const struct column_map *map, const char **names);
