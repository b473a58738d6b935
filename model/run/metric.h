/*
 * Metrics: the quantities that a run can have. metric.def is the only list; this header makes an
 * enum and a table of it. Outside the program (store, JSON, templates, configuration) a metric is
 * identified by its key.
 */
#pragma once

#include "base/text/text.h"
#include "base/base.h"

enum metric {
#define METRIC(ID, key, title, unit, direction, role, range, formula) METRIC_##ID,
#define COMPUTED METRIC
#include "model/run/metric.def"
#undef COMPUTED
#undef METRIC
	METRIC_COUNT
};

/* Indices of the metrics that can be computed. */
enum computed {
#define METRIC(ID, key, title, unit, direction, role, range, formula)
#define COMPUTED(ID, key, title, unit, direction, role, range, formula) COMPUTED_##ID,
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

/* The finite numbers from `least` to `most`. */
struct bounds {
	double least, most;
};

/* What a quantity of a run can be at all, of any kernel on any machine: what is outside is a fault
 * of the file or of its reader. The limits are far from what is measured on purpose; metric.def
 * names one of these for each metric. */
#define BOUNDS_WHOLE 1e-12, 1e7     /* s, the time of all that was measured: 1 ps to 4 months */
#define BOUNDS_PART 0, 1e7          /* s, a part of it, which may be nothing */
#define BOUNDS_DIFFERENCE -1e7, 1e7 /* s, between two times */
#define BOUNDS_AMOUNT 0, 1e21       /* bytes, FLOP and counts */
#define BOUNDS_RATE 0, 1e21         /* amounts per second */
#define BOUNDS_PEAK 1, 1e21         /* rates of a machine, by which others are divided */
#define BOUNDS_SHARE 0, 1e3         /* parts of a whole; sums over cores and repeats exceed 1 */
#define BOUNDS_FACTOR 0, 1e9        /* quotients of two quantities of the same kind */
#define BOUNDS_INTENSITY 0, 1e12    /* FLOP per byte */
#define BOUNDS_CLOCK 0, 1e12        /* Hz */

struct metric_info {
	const char *key;
	const char *title;
	enum unit unit; /* of the stored number */
	enum metric_direction direction;
	enum metric_role role;
	struct bounds bounds;
	const char *formula; /* starts with "= " when the metric is derived */
};

const struct metric_info *metric_info(enum metric metric);
/* The metric with this key; METRIC_COUNT if there is none. */
enum metric metric_find(struct span key);
bool metric_is_derived(enum metric metric);
/* Whether better values are called faster: a time, or an amount per second. */
bool metric_is_time_or_rate(enum metric metric);
/* Whether a run can have this number, or leaves it unknown (NAN). */
bool metric_in_bounds(enum metric metric, double number);
/* The index of the metric among the computed ones; COMPUTED_COUNT if it is never computed. */
enum computed metric_computed(enum metric metric);

/* Where a number comes from. */
enum provenance {
	PROVENANCE_UNKNOWN = 0, /* without a number */
	PROVENANCE_MEASURED,    /* the profiler counted or timed it */
	PROVENANCE_REPORTED,    /* the profiler computed it */
	PROVENANCE_DERIVED,     /* rooflog computed it; the formula is metric_info()->formula */
	PROVENANCE_ESTIMATED,   /* the producer of the file estimated it */
	PROVENANCE_AT_LEAST     /* counted, but not all of it: the number is a lower bound */
};

const char *metric_provenance_name(enum provenance provenance);
/* Whether 0 means that nothing was measured: it does for times and for rates. */
bool metric_zero_is_nothing(enum metric metric);

/* A number with its origin; NAN exactly if the provenance is unknown. Packed, because each run has
 * one per metric. */
struct value {
	double number;
	enum provenance provenance : 8;
} __attribute__((packed));
