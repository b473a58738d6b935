/* The table of ncu_metrics.def and its look-ups. */
#include "ingest/ncu/metrics.h"

enum section { ANY, SPEED, COMPUTE, MEMORY, LAUNCH, OCCUPANCY, SECTION_COUNT };

/* The names of sections: on the page, in the tool's files, and before version 2022. */
static const char *const sections[SECTION_COUNT][3] = {
	[SPEED] = {"GPU Speed Of Light Throughput", "SpeedOfLight", "GPU Speed Of Light"},
	[COMPUTE] = {"Compute Workload Analysis", "ComputeWorkloadAnalysis"},
	[MEMORY] = {"Memory Workload Analysis", "MemoryWorkloadAnalysis"},
	[LAUNCH] = {"Launch Statistics", "LaunchStats"},
	[OCCUPANCY] = {"Occupancy"},
};

static const enum ncu_kind kinds[] = {
#define QUANTITY(ID, KIND) [NCU_##ID] = NCU_##KIND,
#include "ingest/ncu/metrics.def"
};

struct row {
	struct ncu_metric metric;
	enum section section;
	size_t name_len; /* compared first, because it differs for most names */
};

static const struct row table[] = {
#define NAME(ID, factor, section, name) {{NCU_##ID, factor, name}, section, sizeof(name) - 1},
#include "ingest/ncu/metrics.def"
};

enum ncu_kind ncu_quantity_kind(enum ncu_quantity quantity)
{
	assert((size_t)quantity < NCU_QUANTITY_COUNT);
	return kinds[quantity];
}

static bool is_section(struct span text, enum section section)
{
	for (size_t i = 0; i < 3; i++)
		if (sections[section][i] && span_is(text, sections[section][i]))
			return true;
	return false;
}

const struct ncu_metric *ncu_metric_find(struct span section, struct span name, struct span unit)
{
	int exponent;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		const struct ncu_metric *metric = &table[i].metric;
		if (name.len != table[i].name_len || memcmp(name.ptr, metric->name, name.len) != 0)
			continue;
		if (table[i].section == ANY || is_section(section, table[i].section) ||
		    (section.len == 0 && kinds[metric->quantity] == ncu_unit(unit, &exponent)))
			return metric;
	}
	return NULL;
}

uint16_t ncu_metric_rank(const struct ncu_metric *metric)
{
	/* `metric` points to the first member of its row. */
	const struct row *row = (const struct row *)(const void *)metric;
	assert(row >= table && row < table + sizeof table / sizeof *table);
	return (uint16_t)(row - table + 1);
}

bool ncu_is_tensor_ops(struct span name, struct span *types, bool *per_cycle)
{
	static const char start[] = "sm__ops_path_tensor_src_";
	static const char *const ends[] = {".sum", ".sum.per_cycle_elapsed"};
	if (!span_starts(name, start))
		return false;
	struct span rest = {name.ptr + strlen(start), name.len - strlen(start)};
	for (size_t i = 0; i < 2; i++)
		if (span_ends(rest, ends[i])) {
			*types = (struct span){rest.ptr, rest.len - strlen(ends[i])};
			*per_cycle = i == 1;
			return types->len > 0;
		}
	return false;
}
