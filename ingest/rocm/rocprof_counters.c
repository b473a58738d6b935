/* Counters by launch: the launch table is built from the counters that a file has. */
#include "ingest/rocm/rocprof_counters.h"

#include <strings.h>

#include "base/text/text.h"
#include "ingest/rocm/amd_counters.h"
#include "ingest/collect/collect.h"
#include "ingest/rocm/rocprof_table.h"

enum { AMD_FIRST = ROCPROF_METRICS, KNOWN_FIRST = AMD_FIRST + amd_metric_count };
enum { counter_limit = 512, row_limit = 400000 };

/* Metrics that rocprof computes itself. */
static const struct {
	const char *name;
	enum metric metric;
	double factor;
} known[] = {
	{"FetchSize", METRIC_HBM_READ_BYTES, 1024},
	{"FETCH_SIZE", METRIC_HBM_READ_BYTES, 1024},
	{"WriteSize", METRIC_HBM_WRITE_BYTES, 1024},
	{"WRITE_SIZE", METRIC_HBM_WRITE_BYTES, 1024},
	{"L2CacheHit", METRIC_L2_HIT_RATE, 0.01},
	{"OccupancyPercent", METRIC_ACHIEVED_OCCUPANCY, 0.01},
};

/* Which counters of a file become which metrics. */
struct plan {
	struct launch_metric metrics[launch_metric_limit];
	size_t metric_count;
	struct launch_table table;
	struct span names[counter_limit];
	double factors[counter_limit];
	size_t slots[counter_limit]; /* by counter; 0: none */
	size_t count;
	struct amd_columns columns;
};

static bool is_clean(struct span name)
{
	for (size_t i = 0; i < name.len; i++)
		if ((unsigned char)name.ptr[i] <= ' ' || (unsigned char)name.ptr[i] >= 0x7f)
			return false;
	return name.len && name.len < 100;
}

static struct launch_metric metric_for(struct arena *arena, struct span name, double *factor)
{
	*factor = 1;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (span_is(name, known[i].name)) {
			*factor = known[i].factor;
			return (struct launch_metric){known[i].metric, PROVENANCE_REPORTED, NULL};
		}
	return (struct launch_metric){METRIC_COUNT, PROVENANCE_MEASURED,
				      arena_strndup(arena, name.ptr, name.len)};
}

static void plan_finish(struct arena *arena, struct plan *plan)
{
	memcpy(plan->metrics, rocprof_metrics, sizeof rocprof_metrics);
	memcpy(plan->metrics + AMD_FIRST, amd_metrics, sizeof amd_metrics);
	plan->metric_count = KNOWN_FIRST;
	plan->columns = rocm_counter_columns_of(plan->names, plan->count);
	for (size_t i = 0; i < plan->count; i++) {
		plan->slots[i] = 0;
		if (plan->metric_count == launch_metric_limit || !is_clean(plan->names[i]))
			continue;
		plan->slots[i] = plan->metric_count;
		plan->metrics[plan->metric_count++] =
			metric_for(arena, plan->names[i], &plan->factors[i]);
	}
	plan->table = (struct launch_table){"rocprof", plan->metrics, plan->metric_count};
}

static void read_counters(const struct plan *plan, const double *numbers, struct launch *launch)
{
	rocm_counters_derive(&plan->columns, numbers, &launch->values[AMD_FIRST]);
	for (size_t i = 0; i < plan->count; i++)
		if (plan->slots[i])
			launch->values[plan->slots[i]] = numbers[i] * plan->factors[i];
}

static int add_runs(struct launches *launches, struct ingest_result *result, struct error *err)
{
	return launches_finish(launches, &result->runs, "no data rows below the header", err);
}

static int read_launch(const struct csv *csv, const struct rocprof_columns *columns,
		       struct launch *launch, struct error *err)
{
	if (rocprof_launch(csv, columns, launch, err) < 0 ||
	    rocprof_time(csv, columns, &launch->values[ROCPROF_TIME], err) < 0)
		return -1;
	if (launch->symbol.len == 0)
		return error_set(err, ERR_FORMAT, "line %zu: kernel name missing", csv->line);
	return 0;
}

/* --- one row per launch --- */

/* Whether the name is a counter's and not one of rocprof's own columns. */
static bool is_counter(struct span name)
{
	static const char *const others[] = {
		"Index",     "KernelName", "gpu-id",  "queue-id", "queue-index", "pid",
		"tid",       "grd",        "wgr",     "lds",      "scr",         "vgpr",
		"arch_vgpr", "accum_vgpr", "sgpr",    "fbar",     "wave_size",   "sig",
		"obj",       "DispatchNs", "BeginNs", "EndNs",    "CompleteNs",  "DurationNs",
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (span_is(name, others[i]))
			return false;
	return name.len > 0;
}

int rocprof_read_wide_counters(struct arena *arena, struct csv *csv, struct ingest_result *result,
			       struct error *err)
{
	struct plan *plan = arena_new(arena, struct plan);
	const struct rocprof_columns launch_columns = rocprof_columns_of(csv, true);
	size_t columns[counter_limit] = {0};
	double numbers[counter_limit];
	struct launch launch;
	int more;
	for (size_t i = 0; i < csv->name_count && plan->count < counter_limit; i++)
		if (is_counter(csv->names[i])) {
			columns[plan->count] = i;
			plan->names[plan->count++] = csv->names[i];
		}
	plan_finish(arena, plan);
	struct launches launches = launches_of(arena, &plan->table);
	while ((more = csv_next(csv, err)) > 0) {
		if (read_launch(csv, &launch_columns, &launch, err) < 0)
			return -1;
		if (csv->cell_count < csv->name_count)
			return error_set(
				err, ERR_FORMAT,
				"line %zu: %zu cell%s, but the header has %zu; the file is "
				"truncated",
				csv->line, csv->cell_count, csv->cell_count == 1 ? "" : "s",
				csv->name_count);
		for (size_t i = 0; i < plan->count; i++)
			if (rocprof_number(csv, columns[i], &numbers[i], err) < 0)
				return -1;
		read_counters(plan, numbers, &launch);
		if (launches_add(&launches, &launch, err) < 0)
			return error_prefix(err, "line %zu", csv->line);
	}
	return more < 0 ? -1 : add_runs(&launches, result, err);
}

/* --- one row per launch and counter --- */

struct sample {
	struct launch launch;
	double dispatch;
	size_t order; /* index of the row */
	size_t counter;
	double value;
};

struct samples {
	struct sample *items;
	size_t count, capacity;
};

static int by_dispatch(const void *a, const void *b)
{
	const struct sample *one = a, *two = b;
	if (one->dispatch != two->dispatch)
		return one->dispatch < two->dispatch ? -1 : 1;
	return (one->order > two->order) - (one->order < two->order);
}

static int find_counter(struct arena *arena, struct plan *plan, const struct csv *csv,
			struct span name, struct error *err)
{
	for (size_t i = 0; i < plan->count; i++)
		if (span_eq(plan->names[i], name))
			return (int)i;
	if (name.len == 0)
		return error_set(err, ERR_FORMAT, "line %zu: Counter_Name is empty", csv->line);
	if (plan->count == counter_limit)
		return error_set(err, ERR_FORMAT, "line %zu: more than %d counters", csv->line,
				 (int)counter_limit);
	plan->names[plan->count].ptr = arena_strndup(arena, name.ptr, name.len);
	plan->names[plan->count].len = name.len;
	return (int)plan->count++;
}

static int read_sample(struct arena *arena, struct csv *csv, const struct rocprof_columns *columns,
		       struct plan *plan, struct samples *samples, struct error *err)
{
	static const char *const dispatch[] = {"Dispatch_Id", NULL};
	static const char *const value[] = {"Counter_Value", NULL};
	struct sample sample = {.order = samples->count};
	int counter = find_counter(arena, plan, csv, csv_cell(csv, "Counter_Name"), err);
	if (counter < 0 || read_launch(csv, columns, &sample.launch, err) < 0 ||
	    rocprof_number(csv, rocprof_find(csv, dispatch), &sample.dispatch, err) < 0 ||
	    rocprof_number(csv, rocprof_find(csv, value), &sample.value, err) < 0)
		return -1;
	if (isnan(sample.dispatch))
		return error_set(err, ERR_FORMAT, "line %zu: Dispatch_Id is missing", csv->line);
	if (samples->count == row_limit)
		return error_set(err, ERR_FORMAT, "line %zu: more than %d rows", csv->line,
				 (int)row_limit);
	sample.counter = (size_t)counter;
	*arena_add(arena, samples) = sample;
	return 0;
}

/* Adds a launch from its rows. A counter with several rows has several instances;
 * they are summed. */
static int add_launch(const struct plan *plan, const struct sample *samples, size_t count,
		      struct launches *launches, struct error *err)
{
	double numbers[counter_limit];
	struct launch launch = samples[0].launch;
	for (size_t i = 0; i < plan->count; i++)
		numbers[i] = NAN;
	for (size_t i = 0; i < count; i++) {
		double *number = &numbers[samples[i].counter];
		*number = isnan(*number) ? samples[i].value : *number + samples[i].value;
	}
	read_counters(plan, numbers, &launch);
	return launches_add(launches, &launch, err);
}

int rocprof_read_long_counters(struct arena *arena, struct csv *csv, struct ingest_result *result,
			       struct error *err)
{
	struct plan *plan = arena_new(arena, struct plan);
	struct samples samples = {0};
	const struct rocprof_columns columns = rocprof_columns_of(csv, true);
	int more;
	while ((more = csv_next(csv, err)) > 0)
		if (read_sample(arena, csv, &columns, plan, &samples, err) < 0)
			return -1;
	if (more < 0)
		return -1;
	plan_finish(arena, plan);
	struct launches launches = launches_of(arena, &plan->table);
	array_sort(samples.items, samples.count, sizeof *samples.items, by_dispatch);
	for (size_t i = 0, end; i < samples.count; i = end) {
		const struct sample *first = &samples.items[i];
		for (end = i + 1;
		     end < samples.count && samples.items[end].dispatch == first->dispatch; end++)
			;
		if (add_launch(plan, first, end - i, &launches, err) < 0)
			return -1;
	}
	return add_runs(&launches, result, err);
}
