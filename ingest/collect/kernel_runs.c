/* Names the runs of one file so that different work never shares a series. */
#include "ingest/collect/kernel_runs.h"

#include "base/hash/hash.h"
#include "base/text/text.h"
#include "ingest/collect/kernel_name.h"

static bool is_clean(struct span text)
{
	enum { symbol_limit = 64 * 1024 };
	return text.len && text.len < symbol_limit && utf8_is_line(text);
}

void kernel_runs_work_init(struct arena *arena, struct kernel_work *work, const char *tool,
			   struct span symbol)
{
	symbol = span_trim(symbol);
	bool clean = is_clean(symbol);
	*work = (struct kernel_work){
		.run = run_new(arena),
		.symbol = clean ? arena_strndup(arena, symbol.ptr, symbol.len)
				: arena_printf(arena, "?%016" PRIx64, table_hash_of(symbol)),
		.grid = {NAN, NAN, NAN},
		.block = {NAN, NAN, NAN},
	};
	work->run->tool = tool;
	work->run->node = "";
	work->run->kernel = clean ? kernel_name_short(arena, symbol) : "?";
	if (clean && strcmp(work->run->kernel, work->symbol) != 0)
		run_add_attribute(arena, work->run, "kernel_symbol", work->symbol);
}

void kernel_runs_set_sizes(struct kernel_work *work)
{
	run_set(work->run, METRIC_GRID_SIZE, work->grid[0] * work->grid[1] * work->grid[2],
		PROVENANCE_MEASURED);
	run_set(work->run, METRIC_BLOCK_SIZE, work->block[0] * work->block[1] * work->block[2],
		PROVENANCE_MEASURED);
}

int kernel_runs_summarize(struct arena *arena, struct kernel_work *work,
			  const struct kernel_summary *summary, struct error *err)
{
	const double *of = summary->of;
	double count = of[KERNEL_COUNT], total = of[KERNEL_TOTAL], median = of[KERNEL_MEDIAN];
	double minimum = of[KERNEL_MINIMUM], maximum = of[KERNEL_MAXIMUM];
	double mean = isnan(of[KERNEL_MEAN]) ? total / count : of[KERNEL_MEAN];
	double time = isnan(median) ? mean : median;
	for (size_t i = 0; i < KERNEL_STATISTICS; i++)
		if (of[i] < 0)
			return error_set(err, ERR_FORMAT, "a time or count is below 0");
	if (!(count >= 1))
		return error_set(err, ERR_FORMAT, "the launch count must be a number above 0");
	if (isnan(time))
		return error_set(err, ERR_FORMAT, "no median, mean or total time");
	if (minimum > maximum || minimum > time * 1.001 + 1e-9 || time > maximum * 1.001 + 1e-9)
		return error_set(err, ERR_FORMAT,
				 "the time is not between the minimum and the maximum");
	run_set(work->run, METRIC_TOTAL_TIME, time, PROVENANCE_MEASURED);
	run_set(work->run, METRIC_LAUNCH_COUNT, count, PROVENANCE_MEASURED);
	if (count > 1)
		run_add_spread(arena, work->run,
			       (struct run_spread){.metric = METRIC_TOTAL_TIME,
						   .count = count,
						   .minimum = minimum,
						   .median = median,
						   .mean = mean,
						   .maximum = maximum,
						   .deviation = of[KERNEL_DEVIATION]});
	if (isnan(median) && count > 1)
		run_add_note(arena, work->run, "rooflog",
			     "time is the mean over launches (the file has no median)");
	work->seconds = isnan(total) ? mean * count : total;
	work->summary = *summary;
	return 0;
}

/* --- order --- */

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_sizes(const double a[3], const double b[3])
{
	for (int i = 0; i < 3; i++) {
		double one = isnan(a[i]) ? 0 : a[i], two = isnan(b[i]) ? 0 : b[i];
		if (one != two)
			return one < two ? -1 : 1;
	}
	return 0;
}

static int compare_works(const struct kernel_work *one, const struct kernel_work *two)
{
	int order = compare_text(one->symbol, two->symbol);
	order = order ? order : compare_sizes(one->grid, two->grid);
	return order ? order : compare_sizes(one->block, two->block);
}

static int compare_kernels(const struct kernel_work *one, const struct kernel_work *two)
{
	int order = compare_text(one->run->kernel, two->run->kernel);
	return order ? order : compare_text(one->run->device, two->run->device);
}

static int by_kernel(const void *a, const void *b)
{
	int order = compare_kernels(a, b);
	return order ? order : compare_works(a, b);
}

static int by_seconds(const void *a, const void *b)
{
	const struct kernel_work *one = a, *two = b;
	if (one->seconds != two->seconds)
		return one->seconds < two->seconds ? 1 : -1;
	return by_kernel(a, b);
}

/* --- works that do not differ --- */

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static void merge(struct arena *arena, struct kernel_work *works, size_t count)
{
	struct error ignored;
	struct kernel_summary all = works[0].summary;
	double *of = all.of;
	of[KERNEL_TOTAL] = works[0].seconds;
	of[KERNEL_MEAN] = of[KERNEL_MEDIAN] = of[KERNEL_DEVIATION] = NAN;
	for (size_t i = 1; i < count; i++) {
		const double *other = works[i].summary.of;
		of[KERNEL_COUNT] += other[KERNEL_COUNT];
		of[KERNEL_TOTAL] += works[i].seconds;
		of[KERNEL_MINIMUM] = smaller(of[KERNEL_MINIMUM], other[KERNEL_MINIMUM]);
		of[KERNEL_MAXIMUM] = -smaller(-of[KERNEL_MAXIMUM], -other[KERNEL_MAXIMUM]);
	}
	works[0].run->spread_count = works[0].run->note_count = 0;
	kernel_runs_summarize(arena, &works[0], &all, &ignored);
	run_add_note(arena, works[0].run, "rooflog",
		     arena_printf(arena,
				  "%zu kernels in the file share this name and cannot be "
				  "distinguished; they are merged into one run",
				  count));
}

/* Merges works that do not differ; returns the number of remaining ones. Requires sorted works. */
static size_t merge_equals(struct arena *arena, struct kernel_work *works, size_t count)
{
	size_t left = 0;
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && by_kernel(&works[i], &works[end]) == 0; end++)
			;
		if (end - i > 1)
			merge(arena, works + i, end - i);
		works[left++] = works[i];
	}
	return left;
}

/* --- parameters by which runs differ --- */

static void set_size(struct arena *arena, struct run *run, const char *name, const double size[3])
{
	run_set_param(arena, run, name,
		      isnan(size[0])
			      ? "unknown"
			      : arena_printf(arena, "%.0fx%.0fx%.0f", size[0], size[1], size[2]));
}

/* Which properties differ among the runs of one kernel. */
struct difference {
	bool grid, block, symbol;
};

static struct difference difference_of(const struct kernel_work *works, size_t count)
{
	struct difference differs = {false, false, false};
	for (size_t i = 1; i < count; i++) {
		differs.grid |= compare_sizes(works[i].grid, works[0].grid) != 0;
		differs.block |= compare_sizes(works[i].block, works[0].block) != 0;
		differs.symbol |= strcmp(works[i].symbol, works[0].symbol) != 0;
	}
	return differs;
}

static void add_differences(struct arena *arena, const struct kernel_work *works, size_t count)
{
	struct difference differs = difference_of(works, count);
	for (size_t i = 0; i < count; i++) {
		struct run *run = works[i].run;
		if (differs.grid)
			set_size(arena, run, "grid", works[i].grid);
		if (differs.block)
			set_size(arena, run, "block", works[i].block);
		if (differs.symbol)
			run_set_param(arena, run, "symbol",
				      arena_printf(arena, "%016" PRIx64,
						   table_hash_of(span_of(works[i].symbol))));
	}
}

void kernel_runs_add(struct arena *arena, struct kernel_work *works, size_t count,
		     struct run_list *runs)
{
	qsort(works, count, sizeof *works, by_kernel);
	count = merge_equals(arena, works, count);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && compare_kernels(&works[i], &works[end]) == 0;
		     end++)
			;
		add_differences(arena, works + i, end - i);
	}
	qsort(works, count, sizeof *works, by_seconds);
	size_t stored = count < kernel_run_limit ? count : kernel_run_limit;
	if (stored < count)
		run_add_note(arena, works[0].run, "rooflog",
			     arena_printf(arena,
					  "%s with less time skipped; only the top %d per file are "
					  "stored",
					  quantity_count_text(arena, count - stored, "kernel",
							      "kernels"),
					  (int)kernel_run_limit));
	for (size_t i = 0; i < stored; i++)
		run_list_add(arena, runs, works[i].run);
}
