/* Groups launches by kernel and work. */
#include "ingest/collect/launches.h"

#include "base/hash/hash.h"
#include "ingest/collect/result_memory.h"

/* The values of a metric in a group. If all are equal, only one is stored. */
struct samples {
	double first;
	bool varied;
	double *values; /* one per launch of the group, if they vary; else NULL */
	size_t capacity;
};

struct launch_group {
	uint64_t hash;
	struct span symbol; /* as in the file; work.symbol is valid UTF-8 */
	const char *device;
	struct kernel_work work;
	size_t count;
	struct samples *samples; /* one per metric of the table */
};

struct launches launches_of(struct arena *arena, const struct launch_table *table)
{
	return (struct launches){.arena = arena, .table = table};
}

struct launch launches_unknown(void)
{
	struct launch launch = {.grid = {NAN, NAN, NAN}, .block = {NAN, NAN, NAN}};
	for (int i = 0; i < launch_metric_limit; i++)
		launch.values[i] = NAN;
	return launch;
}

/* --- finding the group --- */

static uint64_t identity_of(const struct launch *launch)
{
	uint64_t hash =
		table_hash_of(span_trim(launch->symbol)) * 31 + table_hash_of(launch->device);
	hash = hash * 31 +
	       table_hash_of((struct span){(const char *)launch->grid, sizeof launch->grid});
	return hash * 31 +
	       table_hash_of((struct span){(const char *)launch->block, sizeof launch->block});
}

static bool is_equal(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool is_same(const struct launch_group *group, const struct launch *launch)
{
	for (int i = 0; i < 3; i++)
		if (!is_equal(group->work.grid[i], launch->grid[i]) ||
		    !is_equal(group->work.block[i], launch->block[i]))
			return false;
	return span_eq(span_trim(launch->symbol), group->symbol) &&
	       span_is(launch->device, group->device);
}

static void rehash(struct launches *launches)
{
	launches->slot_count = launches->slot_count ? launches->slot_count * 2 : 256;
	launches->slots =
		arena_array(launches->arena, launches->slot_count, sizeof *launches->slots);
	for (size_t i = 0; i < launches->group_count; i++) {
		size_t slot = launches->groups[i].hash >> 20 & (launches->slot_count - 1);
		while (launches->slots[slot])
			slot = (slot + 1) & (launches->slot_count - 1);
		launches->slots[slot] = (uint32_t)i + 1;
	}
}

static struct launch_group *new_group(struct launches *launches, const struct launch *launch,
				      uint64_t hash, struct error *err)
{
	if (launches->group_count == 0)
		launches->before = launches->arena->used;
	if (result_memory_check(launches->arena, launches->before, launches->group_count, err) < 0)
		return NULL;
	struct span symbol = span_trim(launch->symbol);
	/* Bounds the memory: a database stores a name once, however many kernels refer to it. */
	launches->symbol_bytes += symbol.len;
	if (launches->symbol_bytes > launch_symbol_limit) {
		error_set(err, ERR_FORMAT, "more than %d MiB of kernel names in one file",
			  (int)launch_symbol_limit >> 20);
		return NULL;
	}
	struct launch_group *group = arena_next(launches->arena, launches->groups,
						launches->group_count, launches->group_capacity);
	*group = (struct launch_group){.hash = hash};
	group->samples =
		arena_array(launches->arena, launches->table->metric_count, sizeof *group->samples);
	group->symbol.ptr = arena_strndup(launches->arena, symbol.ptr, symbol.len);
	group->symbol.len = symbol.len;
	kernel_runs_work_init(launches->arena, &group->work, launches->table->tool, launch->symbol);
	memcpy(group->work.grid, launch->grid, sizeof launch->grid);
	memcpy(group->work.block, launch->block, sizeof launch->block);
	group->device = arena_strndup(launches->arena, launch->device.ptr, launch->device.len);
	if (launch->device.len)
		group->work.run->device = group->device;
	return group;
}

static struct launch_group *find_group(struct launches *launches, const struct launch *launch,
				       struct error *err)
{
	uint64_t hash = identity_of(launch);
	if (launches->group_count * 2 >= launches->slot_count)
		rehash(launches);
	size_t slot = hash >> 20 & (launches->slot_count - 1);
	for (; launches->slots[slot]; slot = (slot + 1) & (launches->slot_count - 1)) {
		struct launch_group *group = &launches->groups[launches->slots[slot] - 1];
		if (group->hash == hash && is_same(group, launch))
			return group;
	}
	struct launch_group *group = new_group(launches, launch, hash, err);
	if (group)
		launches->slots[slot] = (uint32_t)launches->group_count;
	return group;
}

/* --- samples --- */

static void add_sample(struct arena *arena, struct samples *samples, size_t count, double value)
{
	if (count == 0)
		samples->first = value;
	if (!samples->varied && is_equal(samples->first, value))
		return;
	if (!samples->varied) {
		samples->varied = true;
		for (size_t i = 0; i < count;)
			*arena_next(arena, samples->values, i, samples->capacity) = samples->first;
	}
	*arena_next(arena, samples->values, count, samples->capacity) = value;
}

static const char *name_of(const struct launch_metric *metric)
{
	return metric->attribute ? metric->attribute : metric_info(metric->metric)->key;
}

static int check(const struct launches *launches, const struct launch *launch, struct error *err)
{
	if (launches->count == launch_limit)
		return error_set(err, ERR_FORMAT, "more than %d kernel launches in one file",
				 (int)launch_limit);
	if (span_trim(launch->symbol).len == 0)
		return error_set(err, ERR_FORMAT, "kernel launch without a name");
	if (launch->symbol.len > launch_name_limit)
		return error_set(err, ERR_FORMAT, "a kernel name of %zu bytes is too long",
				 launch->symbol.len);
	for (size_t i = 0; i < launches->table->metric_count; i++)
		if (launch->values[i] < 0 || isinf(launch->values[i]))
			return error_set(err, ERR_FORMAT, "%s of a kernel launch is %g",
					 name_of(&launches->table->metrics[i]), launch->values[i]);
	for (int i = 0; i < 3; i++)
		if (launch->grid[i] < 1 || launch->block[i] < 1 || launch->grid[i] > 4294967295.0 ||
		    launch->block[i] > 4294967295.0)
			return error_set(err, ERR_FORMAT,
					 "a kernel launch with a grid or block of %g x %g",
					 launch->grid[i], launch->block[i]);
	return 0;
}

int launches_add(struct launches *launches, const struct launch *launch, struct error *err)
{
	if (check(launches, launch, err) < 0)
		return -1;
	struct launch_group *group = find_group(launches, launch, err);
	if (!group)
		return -1;
	for (size_t i = 0; i < launches->table->metric_count; i++)
		add_sample(launches->arena, &group->samples[i], group->count, launch->values[i]);
	group->work.seconds += isnan(launch->values[0]) ? 0 : launch->values[0];
	group->count++;
	launches->count++;
	return 0;
}

/* --- runs --- */

/* The lower median, because the attribute should be a value that occurs. */
static void set_attribute(struct launches *launches, struct launch_group *group, size_t i)
{
	struct samples *samples = &group->samples[i];
	double median = samples->first;
	size_t known = 0;
	for (size_t k = 0; samples->varied && k < group->count; k++)
		if (!isnan(samples->values[k]))
			samples->values[known++] = samples->values[k];
	if (known) {
		qsort(samples->values, known, sizeof *samples->values, array_by_double);
		median = samples->values[(known - 1) / 2];
	}
	if (!isnan(median))
		run_add_attribute(launches->arena, group->work.run,
				  launches->table->metrics[i].attribute,
				  arena_printf(launches->arena, "%.10g", median));
}

static void set_metric(struct launches *launches, struct launch_group *group, size_t i)
{
	assert(i < launches->table->metric_count);
	if (launches->table->metrics[i].attribute) {
		set_attribute(launches, group, i);
		return;
	}
	const struct launch_metric *metric = &launches->table->metrics[i];
	const struct samples *samples = &group->samples[i];
	struct run *run = group->work.run;
	/* If two columns give the same metric, the first one in the table is more precise. */
	if (!isnan(run->given[metric->metric].number))
		return;
	if (samples->varied)
		run_set_samples(launches->arena, run, metric->metric, samples->values, group->count,
				metric->provenance);
	else
		run_set(run, metric->metric, samples->first, metric->provenance);
	if (i > 0 || samples->varied || group->count < 2 || isnan(samples->first))
		return;
	run_add_spread(launches->arena, run,
		       (struct run_spread){.metric = metric->metric,
					   .count = (double)group->count,
					   .minimum = samples->first,
					   .median = samples->first,
					   .mean = samples->first,
					   .maximum = samples->first,
					   .deviation = 0});
}

struct kernel_work *launches_works(struct launches *launches)
{
	struct kernel_work *works =
		arena_array(launches->arena, launches->group_count, sizeof *works);
	for (size_t g = 0; g < launches->group_count; g++) {
		struct launch_group *group = &launches->groups[g];
		for (size_t i = 0; i < launches->table->metric_count; i++)
			set_metric(launches, group, i);
		run_set(group->work.run, METRIC_LAUNCH_COUNT, (double)group->count,
			PROVENANCE_MEASURED);
		kernel_runs_set_sizes(&group->work);
		works[g] = group->work;
	}
	return works;
}

int launches_finish(struct launches *launches, struct run_list *runs, const char *nothing,
		    struct error *err)
{
	if (launches->count == 0)
		return error_set(err, ERR_FORMAT, "%s", nothing);
	kernel_runs_add(launches->arena, launches_works(launches), launches->group_count, runs);
	return 0;
}
