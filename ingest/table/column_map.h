/*
 * The map of a plain table, as --columns says it: items "TARGET=COLUMN:UNIT", commas between.
 *
 *   commit=commit,kernel=op,time=latency_ms:ms,mfu=mfu:fraction,param:M,param:N=n
 *
 * Targets are commit, kernel, variant, dtype, device, instance_type, correct, param:NAME,
 * attr:NAME, time (total_time) and every key of a metric. Without "=" the column is called as the
 * target. A column name with a comma, a colon or an equals sign stands in double quotes.
 *
 * Numbers with a unit must be given one: what is a second to one writer is a millisecond to the
 * next, and "percent" is as often a fraction.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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
	COLUMN_ATTRIBUTE,
	COLUMN_METRIC
};

struct column_item {
	enum column_target target;
	const char *name;   /* of the target, for messages: "time", "param:M" */
	const char *label;  /* of a parameter or attribute */
	const char *column; /* as the file calls it; a dotted path into JSON */
	enum metric metric;
	const char *unit; /* as written; NULL none */
	double multiplier, divisor;
};

struct column_map {
	struct column_item items[column_map_limit];
	size_t count;
	size_t metric_count;
};

/* On failure the message begins with "--columns" and says what to write instead. */
int column_map_parse(struct arena *arena, const char *text, struct column_map *map,
		     struct error *err);
