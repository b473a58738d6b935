/*
 * Metrics: the quantities that a run can have. metric.def is the only list; this header makes an
 * enum and a table of it. Outside the program (store, JSON, templates, configuration) a metric is
 * identified by its key.
 */
#pragma once

#include "base/text/text.h"
#include "base/base.h"

enum metric {
#define METRIC(ID, key, title, unit, direction, role, formula) METRIC_##ID,
#define COMPUTED METRIC
#include "model/run/metric.def"
#undef COMPUTED
#undef METRIC
	METRIC_COUNT
};

/* Indices of the metrics that can be computed. */
enum computed {
#define METRIC(ID, key, title, unit, direction, role, formula)
#define COMPUTED(ID, key, title, unit, direction, role, formula) COMPUTED_##ID,
#include "model/run/metric.def"
#undef COMPUTED
#undef METRIC
	COMPUTED_COUNT
};

enum metric_direction {
	METRIC_LOWER,
	METRIC_HIGHER,
	METRIC_NEITHER
}; /* the direction in which the
    * metric improves */
enum metric_role { METRIC_ROLE_TIME, METRIC_ROLE_RATIO, METRIC_ROLE_COUNTER, METRIC_ROLE_CONTEXT };

struct metric_info {
	const char *key;
	const char *title;
	enum unit unit; /* of the stored number */
	enum metric_direction direction;
	enum metric_role role;
	const char *formula; /* starts with "= " when the metric is derived */
};

const struct metric_info *metric_info(enum metric metric);
/* The metric with this key; METRIC_COUNT if there is none. */
enum metric metric_find(struct span key);
bool metric_is_derived(enum metric metric);
/* The index of the metric among the computed ones; COMPUTED_COUNT if it is never computed. */
enum computed metric_computed(enum metric metric);

/* Where a number comes from. */
enum provenance {
	PROVENANCE_UNKNOWN = 0, /* without a number */
	PROVENANCE_MEASURED,    /* the profiler counted or timed it */
	PROVENANCE_REPORTED,    /* the profiler computed it */
	PROVENANCE_DERIVED,     /* rooflog computed it; the formula is metric_info()->formula */
	PROVENANCE_ESTIMATED    /* the producer of the file estimated it */
};

const char *metric_provenance_name(enum provenance provenance);

/* A number with its origin; NAN exactly if the provenance is unknown. Packed, because each run has
 * one per metric. */
struct value {
	double number;
	enum provenance provenance : 8;
} __attribute__((packed));
