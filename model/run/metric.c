/* The metric table, built from metric.def. */
#include "model/run/metric.h"

static const struct metric_info table[METRIC_COUNT] = {
#define METRIC(ID, key, title, unit, direction, role, range, formula)                              \
	[METRIC_##ID] = {key,                                                                      \
			 title,                                                                    \
			 UNIT_##unit,                                                              \
			 METRIC_##direction,                                                       \
			 METRIC_ROLE_##role,                                                       \
			 {BOUNDS_##range},                                                         \
			 formula},
#define COMPUTED METRIC
#include "model/run/metric.def"
#undef COMPUTED
#undef METRIC
};

static const unsigned char computed[METRIC_COUNT] = {
#define METRIC(ID, key, title, unit, direction, role, range, formula)                              \
	[METRIC_##ID] = COMPUTED_COUNT,
#define COMPUTED(ID, key, title, unit, direction, role, range, formula)                            \
	[METRIC_##ID] = COMPUTED_##ID,
#include "model/run/metric.def"
#undef COMPUTED
#undef METRIC
};

/* Most keys differ in their length. */
static const unsigned char key_lengths[METRIC_COUNT] = {
#define METRIC(ID, key, title, unit, direction, role, range, formula)                              \
	[METRIC_##ID] = sizeof(key) - 1,
#define COMPUTED METRIC
#include "model/run/metric.def"
#undef COMPUTED
#undef METRIC
};

const struct metric_info *metric_info(enum metric metric)
{
	return &table[metric];
}

enum metric metric_find(struct span key)
{
	enum metric metric = 0;
	while (metric < METRIC_COUNT &&
	       (key_lengths[metric] != key.len || memcmp(key.ptr, table[metric].key, key.len) != 0))
		metric++;
	return metric;
}

bool metric_is_time_or_rate(enum metric metric)
{
	enum unit unit = table[metric].unit;
	return unit == UNIT_SECOND || unit == UNIT_BYTE_PER_SECOND ||
	       unit == UNIT_FLOP_PER_SECOND || unit == UNIT_PER_SECOND;
}

bool metric_is_derived(enum metric metric)
{
	return table[metric].formula[0] == '=';
}

enum computed metric_computed(enum metric metric)
{
	return (enum computed)computed[metric];
}

bool metric_in_bounds(enum metric metric, double number)
{
	const struct bounds *bounds = &table[metric].bounds;
	return isnan(number) || (number >= bounds->least && number <= bounds->most);
}

bool metric_zero_is_nothing(enum metric metric)
{
	const struct metric_info *info = metric_info(metric);
	return info->role == METRIC_ROLE_TIME || info->direction == METRIC_HIGHER;
}

const char *metric_provenance_name(enum provenance provenance)
{
	static const char *const names[] = {"unknown", "measured",  "reported",
					    "derived", "estimated", "at least"};
	return names[provenance];
}
