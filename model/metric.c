/* The metric table, made of metric.def. */
#include "model/metric.h"

static const struct metric_info table[METRIC_COUNT] = {
#define METRIC(ID, key, title, unit, direction, role, formula)                                     \
	[METRIC_##ID] = {key, title, UNIT_##unit, METRIC_##direction, METRIC_ROLE_##role, formula},
#include "model/metric.def"
#undef METRIC
};

const struct metric_info *metric_info(enum metric metric)
{
	return &table[metric];
}

enum metric metric_find(struct span key)
{
	enum metric metric = 0;
	while (metric < METRIC_COUNT && !span_is(key, table[metric].key))
		metric++;
	return metric;
}

bool metric_is_derived(enum metric metric)
{
	return table[metric].formula[0] == '=';
}

const char *provenance_name(enum provenance provenance)
{
	static const char *const names[] = {"unknown", "measured", "reported", "derived",
					    "estimated"};
	return names[provenance];
}
