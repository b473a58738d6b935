/* Groups launches into runs and computes their metrics. */
#include "ingest/ncu/run.h"

#include "base/hash/hash.h"
#include "ingest/collect/collect.h"

/* --- values of a launch --- */

static const struct {
	enum ncu_quantity quantity;
	enum metric metric;
	enum provenance provenance;
} quantities[] = {
	{NCU_CYCLES, METRIC_ELAPSED_CYCLES, PROVENANCE_MEASURED},
	{NCU_SM_CLOCK, METRIC_SM_CLOCK, PROVENANCE_MEASURED},
	{NCU_MEMORY_CLOCK, METRIC_MEMORY_CLOCK, PROVENANCE_MEASURED},
	{NCU_SM_THROUGHPUT, METRIC_SM_THROUGHPUT, PROVENANCE_REPORTED},
	{NCU_MEMORY_THROUGHPUT, METRIC_MEMORY_THROUGHPUT, PROVENANCE_REPORTED},
	{NCU_DRAM_THROUGHPUT, METRIC_DRAM_THROUGHPUT, PROVENANCE_REPORTED},
	{NCU_L2_THROUGHPUT, METRIC_L2_THROUGHPUT, PROVENANCE_REPORTED},
	{NCU_L1_THROUGHPUT, METRIC_L1_THROUGHPUT, PROVENANCE_REPORTED},
	{NCU_ACHIEVED_OCCUPANCY, METRIC_ACHIEVED_OCCUPANCY, PROVENANCE_REPORTED},
	{NCU_THEORETICAL_OCCUPANCY, METRIC_THEORETICAL_OCCUPANCY, PROVENANCE_REPORTED},
	{NCU_ISSUE_ACTIVE, METRIC_ISSUE_ACTIVE, PROVENANCE_REPORTED},
	{NCU_L1_HIT_RATE, METRIC_L1_HIT_RATE, PROVENANCE_REPORTED},
	{NCU_L2_HIT_RATE, METRIC_L2_HIT_RATE, PROVENANCE_REPORTED},
	{NCU_WAVES, METRIC_WAVES_PER_SM, PROVENANCE_REPORTED},
	{NCU_REGISTERS, METRIC_REGISTERS_PER_THREAD, PROVENANCE_MEASURED},
	{NCU_SHARED_STATIC, METRIC_SHARED_STATIC_BYTES, PROVENANCE_MEASURED},
	{NCU_SHARED_DYNAMIC, METRIC_SHARED_DYNAMIC_BYTES, PROVENANCE_MEASURED},
	{NCU_SPILL_REQUESTS, METRIC_SPILL_REQUESTS, PROVENANCE_MEASURED},
	{NCU_SPILL_OVERHEAD, METRIC_SPILL_OVERHEAD, PROVENANCE_REPORTED},
	{NCU_GLOBAL_LOAD_EFFICIENCY, METRIC_GLOBAL_LOAD_EFFICIENCY, PROVENANCE_REPORTED},
	{NCU_GLOBAL_STORE_EFFICIENCY, METRIC_GLOBAL_STORE_EFFICIENCY, PROVENANCE_REPORTED},
};

/* --- groups --- */

struct item {
	const char *kernel; /* short name */
	const struct ncu_launch *launch;
	size_t order;
};

/* The repeats of a run: `count` of the items, in the order of the file. */
struct group {
	struct item *items;
	size_t count;
	bool several_sizes;   /* other groups have the same kernel and other sizes */
	bool several_symbols; /* other symbols have the same short name */
};

enum { device_limit = 64 }; /* devices per file that have a peak */

struct device_peak {
	const struct ncu_launch *launch; /* any launch on the device */
	double number;
	double error; /* relative, due to rounding */
};

struct context {
	struct ncu_profile *profile;
	struct arena *arena;
	bool several_devices;
	struct device_peak peaks[device_limit];
	size_t peak_count;
};

static int compare(struct span a, struct span b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	int order = len ? memcmp(a.ptr, b.ptr, len) : 0;
	return order ? order : (a.len > b.len) - (a.len < b.len);
}

static int by_symbol(const struct item *x, const struct item *y)
{
	int order = strcmp(x->kernel, y->kernel);
	return order ? order : compare(x->launch->identity.symbol, y->launch->identity.symbol);
}

static int by_size(const struct item *x, const struct item *y)
{
	const struct ncu_identity *a = &x->launch->identity, *b = &y->launch->identity;
	int order = compare(a->grid, b->grid);
	return order ? order : compare(a->block_size, b->block_size);
}

static int by_device(const struct item *x, const struct item *y)
{
	int order = compare(x->launch->identity.device, y->launch->identity.device);
	return order ? order : compare(x->launch->device_name, y->launch->device_name);
}

static int by_work(const struct item *x, const struct item *y)
{
	int order = by_symbol(x, y);
	order = order ? order : by_size(x, y);
	return order ? order : by_device(x, y);
}

static int by_work_and_order(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = by_work(x, y);
	return order ? order : (x->order > y->order) - (x->order < y->order);
}

static int by_first(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	return (x->items->order > y->items->order) - (x->items->order < y->items->order);
}

/* Sets several_sizes and several_symbols of the groups with one short name. */
static void mark(struct group *groups, size_t count)
{
	bool sizes = false, symbols = false;
	for (size_t i = 1; i < count; i++) {
		sizes |= by_size(groups[i - 1].items, groups[i].items) != 0;
		symbols |= by_symbol(groups[i - 1].items, groups[i].items) != 0;
	}
	for (size_t i = 0; i < count; i++) {
		groups[i].several_sizes = sizes;
		groups[i].several_symbols = symbols;
	}
}

static size_t group_items(struct item *items, size_t count, struct group *groups)
{
	size_t group_count = 0, same_name = 0;
	qsort(items, count, sizeof *items, by_work_and_order);
	for (size_t i = 0; i < count; i++) {
		if (i && by_work(&items[i - 1], &items[i]) == 0) {
			groups[group_count - 1].count++;
			continue;
		}
		if (i && strcmp(items[i - 1].kernel, items[i].kernel) != 0) {
			mark(groups + same_name, group_count - same_name);
			same_name = group_count;
		}
		groups[group_count++] = (struct group){.items = &items[i], .count = 1};
	}
	mark(groups + same_name, group_count - same_name);
	qsort(groups, group_count, sizeof *groups, by_first);
	return group_count;
}

/* --- values of a group --- */

static bool all_equal(const double *numbers, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (numbers[i] != numbers[0] && !(isnan(numbers[i]) && isnan(numbers[0])))
			return false;
	return true;
}

/* One value per launch of a group. */
struct samples {
	double *numbers;
	size_t count;
};

/* Gives the metric with its spread; settings of the launch are equal in all repeats
 * and have none. */
static void set_metric(struct arena *arena, struct run *run, enum metric metric,
		       const struct samples *samples, enum provenance provenance)
{
	const double *numbers = samples->numbers;
	for (size_t i = 0; i < samples->count; i++)
		if (isinf(numbers[i]))
			return;
	if (samples->count > 1 &&
	    (metric == METRIC_TOTAL_TIME || !all_equal(numbers, samples->count)))
		run_set_samples(arena, run, metric, numbers, samples->count, provenance);
	else if (!isnan(numbers[0]))
		run_set(run, metric, numbers[0], provenance);
}

static void set_quantities(struct context *context, struct run *run, const struct group *group,
			   const struct samples *samples)
{
	for (size_t k = 0; k < sizeof quantities / sizeof *quantities; k++) {
		for (size_t i = 0; i < group->count; i++)
			samples->numbers[i] =
				group->items[i].launch->numbers[quantities[k].quantity];
		set_metric(context->arena, run, quantities[k].metric, samples,
			   quantities[k].provenance);
	}
}

static void set_computed(struct context *context, struct run *run, const struct group *group,
			 const struct samples *samples)
{
	for (size_t k = 0; k < NCU_FORMULA_COUNT; k++) {
		bool counted = ncu_formulas[k].counted < NCU_QUANTITY_COUNT;
		for (size_t i = 0; i < group->count; i++) {
			const struct ncu_launch *launch = group->items[i].launch;
			samples->numbers[i] = ncu_formulas[k].of(launch);
			counted = counted && !isnan(launch->numbers[ncu_formulas[k].counted]);
		}
		set_metric(context->arena, run, ncu_formulas[k].metric, samples,
			   counted ? PROVENANCE_MEASURED : ncu_formulas[k].provenance);
	}
}

/* A summary has the minimum, maximum and mean of each quantity instead of the repeats. */
static void add_summary(struct context *context, struct run *run, const struct ncu_launch *launch,
			enum ncu_quantity quantity, enum metric metric)
{
	double mean = launch->numbers[quantity];
	double minimum = launch->minimum ? launch->minimum[quantity] : NAN;
	double maximum = launch->maximum ? launch->maximum[quantity] : NAN;
	if (isnan(mean) || !(launch->invocations > 1) || !(minimum < maximum))
		return;
	run_add_spread(context->arena, run,
		       (struct run_spread){.metric = metric,
					   .count = launch->invocations,
					   .minimum = minimum,
					   .median = NAN,
					   .mean = mean,
					   .maximum = maximum,
					   .deviation = NAN});
}

static void set_summary(struct context *context, struct run *run, const struct ncu_launch *launch)
{
	for (size_t k = 0; k < sizeof quantities / sizeof *quantities; k++)
		add_summary(context, run, launch, quantities[k].quantity, quantities[k].metric);
	for (size_t k = 0; k < NCU_FORMULA_COUNT; k++)
		if (ncu_formulas[k].counted < NCU_QUANTITY_COUNT)
			add_summary(context, run, launch, ncu_formulas[k].counted,
				    ncu_formulas[k].metric);
}

/* Merges a quantity of several summaries: the mean over all invocations,
 * the minimum and maximum. */
static void merge_quantity(const struct group *group, size_t quantity, struct ncu_launch *all)
{
	double sum = 0, count = 0;
	for (size_t i = 0; i < group->count; i++) {
		const struct ncu_launch *launch = group->items[i].launch;
		double number = launch->numbers[quantity];
		double invocations = isnan(launch->invocations) ? 1 : launch->invocations;
		if (isnan(number))
			continue;
		sum += number * invocations;
		count += invocations;
		/* Without limits it is a single launch. fmin and fmax ignore NAN. */
		all->minimum[quantity] = fmin(all->minimum[quantity],
					      launch->minimum ? launch->minimum[quantity] : number);
		all->maximum[quantity] = fmax(all->maximum[quantity],
					      launch->maximum ? launch->maximum[quantity] : number);
	}
	all->numbers[quantity] = count > 0 ? sum / count : NAN;
}

/* Each process and block of a file has its own summary. They are merged, because summaries are not
 * repeats. */
static void merge_summaries(struct arena *arena, struct group *group)
{
	double invocations = 0;
	bool summaries = false;
	for (size_t i = 0; i < group->count; i++) {
		double one = group->items[i].launch->invocations;
		summaries |= !isnan(one);
		invocations += isnan(one) ? 1 : one;
	}
	if (!summaries || group->count == 1)
		return;
	struct ncu_launch *all = arena_new(arena, struct ncu_launch);
	*all = *group->items->launch;
	all->invocations = invocations;
	all->numbers = ncu_profile_unknowns(arena);
	all->minimum = ncu_profile_unknowns(arena);
	all->maximum = ncu_profile_unknowns(arena);
	for (size_t i = 0; i < NCU_QUANTITY_COUNT; i++)
		merge_quantity(group, i, all);
	group->items->launch = all;
	group->count = 1;
}

static bool same_device(const struct ncu_launch *a, const struct ncu_launch *b)
{
	return span_eq(a->identity.device, b->identity.device) &&
	       span_eq(a->device_name, b->device_name);
}

/* The entry of the launch's device; NULL if there are too many devices. Each launch gives a rounded
 * peak, of which the most precise one is used for all launches. */
static struct device_peak *find_peak(struct context *context, const struct ncu_launch *launch)
{
	for (size_t i = 0; i < context->peak_count; i++)
		if (same_device(context->peaks[i].launch, launch))
			return &context->peaks[i];
	if (context->peak_count == device_limit)
		return NULL;
	struct device_peak *peak = &context->peaks[context->peak_count++];
	*peak = (struct device_peak){launch, NAN, INFINITY};
	return peak;
}

static void find_peaks(struct context *context)
{
	for (size_t i = 0; i < context->profile->count; i++) {
		const struct ncu_launch *launch = context->profile->launches[i];
		struct device_peak *best = find_peak(context, launch);
		double error, number = ncu_peak_dram(launch, &error);
		if (best && isfinite(number) && error < best->error) {
			best->number = number;
			best->error = error;
		}
	}
}

/* --- runs --- */

static const char *text_of(struct arena *arena, struct span text)
{
	return arena_strndup(arena, text.ptr, text.len);
}

/* "(1024, 5, 1)" -> "1024x5x1" */
static const char *sizes_text(struct arena *arena, struct span sizes)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizes.len; i++)
		if (sizes.ptr[i] == ',')
			strbuf_addch(&sb, 'x');
		else if (!memchr("() ", sizes.ptr[i], 3))
			strbuf_addch(&sb, sizes.ptr[i]);
	return strbuf_into(&sb, arena);
}

/* The launch whose time is closest to the median. */
static const struct ncu_launch *typical_of(const struct group *group, double median)
{
	assert(group->count > 0);
	const struct ncu_launch *best = group->items->launch;
	for (size_t i = 1; i < group->count; i++) {
		const struct ncu_launch *launch = group->items[i].launch;
		if (fabs(ncu_time(launch) - median) < fabs(ncu_time(best) - median))
			best = launch;
	}
	return best;
}

static void identify(struct context *context, struct run *run, const struct group *group)
{
	struct arena *arena = context->arena;
	const struct ncu_launch *launch = group->items->launch;
	const struct ncu_identity *identity = &launch->identity;
	run->kernel = group->items->kernel;
	run->variant = "";
	run->tool = "ncu";
	run->node = context->several_devices && identity->device.len
			    ? arena_printf(arena, "gpu%s", text_of(arena, identity->device))
			    : "";
	if (launch->device_name.len)
		run->device = text_of(arena, launch->device_name);
	if (group->several_sizes && identity->grid.len)
		run_set_param(arena, run, "grid", sizes_text(arena, identity->grid));
	if (group->several_sizes && identity->block_size.len)
		run_set_param(arena, run, "block", sizes_text(arena, identity->block_size));
	if (group->several_symbols) {
		/* Overloads, or names that differ only beyond the limit of a short name. */
		char hex[17];
		snprintf(hex, sizeof hex, "%016llx",
			 (unsigned long long)table_hash_of(identity->symbol));
		run_set_param(arena, run, "symbol", arena_strndup(arena, hex, 8));
	}
}

static struct run *run_of_group(struct context *context, const struct group *group)
{
	struct run *run = run_new(context->arena);
	const struct ncu_launch *first = group->items->launch;
	struct samples samples = {arena_array(context->arena, group->count, sizeof(double)),
				  group->count};
	identify(context, run, group);
	set_quantities(context, run, group, &samples);
	set_computed(context, run, group, &samples);
	const struct device_peak *peak = find_peak(context, first);
	if (peak && !isnan(peak->number))
		run_set(run, METRIC_PEAK_BANDWIDTH, peak->number, PROVENANCE_DERIVED);
	if (isnan(first->invocations)) {
		run_set(run, METRIC_LAUNCH_COUNT, (double)group->count, PROVENANCE_MEASURED);
	} else {
		run_set(run, METRIC_LAUNCH_COUNT, first->invocations, PROVENANCE_MEASURED);
		set_summary(context, run, first);
	}
	const struct ncu_launch *typical = typical_of(group, run->given[METRIC_TOTAL_TIME].number);
	ncu_add_facts(context->arena, run, first, typical);
	ncu_add_warnings(context->profile, run);
	for (size_t i = 0; i < group->count; i++) {
		struct span twice = group->items[i].launch->collected_twice;
		if (twice.len) {
			run_warn(context->arena, run,
				 "%.*s has two values in a launch; the first one is used",
				 (int)twice.len, twice.ptr);
			break;
		}
	}
	ncu_add_advice(context->arena, run, typical);
	return run;
}

static bool is_known(const struct ncu_launch *launch)
{
	for (size_t i = 0; i < NCU_QUANTITY_COUNT; i++)
		if (!isnan(launch->numbers[i]))
			return true;
	return false;
}

int ncu_runs(struct ncu_profile *profile, struct run_list *runs, struct error *err)
{
	struct context context = {.profile = profile, .arena = profile->arena};
	struct item *items = arena_array(profile->arena, profile->count, sizeof *items);
	struct group *groups = arena_array(profile->arena, profile->count, sizeof *groups);
	size_t count = 0;
	for (size_t i = 0; i < profile->count; i++) {
		const struct ncu_launch *launch = profile->launches[i];
		if (!is_known(launch))
			continue;
		context.several_devices |=
			!span_eq(launch->identity.device, profile->launches[0]->identity.device);
		items[count++] = (struct item){
			kernel_name_short(profile->arena, launch->identity.symbol), launch, i};
	}
	if (count == 0)
		return error_set(err, ERR_FORMAT,
				 "no usable metrics in this file; collect at least "
				 "gpu__time_duration.sum, or profile with ncu --set full");
	size_t group_count = group_items(items, count, groups);
	find_peaks(&context);
	for (size_t i = 0; i < group_count; i++) {
		merge_summaries(profile->arena, &groups[i]);
		run_list_add(profile->arena, runs, run_of_group(&context, &groups[i]));
	}
	return 0;
}
