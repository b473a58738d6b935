/*
 * CSV of rocprof and rocprofv3. The columns identify the kind of file:
 *
 *   statistics   Name,Calls,TotalDurationNs,AverageNs,...   (results.stats.csv, *_kernel_stats.csv)
 *   trace        Kind,...,Kernel_Name,...,Start_Timestamp   (*_kernel_trace.csv)
 *   counters     Index,KernelName,...,grd,wgr,<counters>    (rocprof -i)
 *   counters     ...,Kernel_Name,...,Counter_Name,Counter_Value   (*_counter_collection.csv)
 *
 * Statistics of API functions and copies have the same columns as those of kernels. They are
 * ignored.
 */

#include "ingest/reader.h"
#include "ingest/table/tables.h"
#include "ingest/collect/collect.h"
#include "ingest/rocm/rocprof_counters.h"
#include "ingest/rocm/rocprof_table.h"

static const size_t size_limit = (size_t)256 << 20;

/* --- statistics --- */

static int parse_statistics(struct arena *arena, struct csv *csv, struct kernel_work *work,
			    struct error *err)
{
	/* The files have no median. */
	static const char *const columns[KERNEL_STATISTICS][3] = {
		[KERNEL_COUNT] = {"Calls"},    [KERNEL_TOTAL] = {"TotalDurationNs"},
		[KERNEL_MEAN] = {"AverageNs"}, [KERNEL_MINIMUM] = {"MinNs"},
		[KERNEL_MAXIMUM] = {"MaxNs"},  [KERNEL_DEVIATION] = {"StdDev", "StdDevNs"},
	};
	struct kernel_summary summary;
	double *of = summary.of;
	for (size_t i = 0; i < KERNEL_STATISTICS; i++) {
		if (rocprof_number(csv, rocprof_find(csv, columns[i]), &of[i], err) < 0)
			return -1;
		if (i != KERNEL_COUNT)
			of[i] /= 1e9;
	}
	/* Old versions truncate AverageNs to a whole number. */
	if (of[KERNEL_COUNT] >= 1 && of[KERNEL_TOTAL] >= 0)
		of[KERNEL_MEAN] = of[KERNEL_TOTAL] / of[KERNEL_COUNT];
	kernel_runs_work_init(arena, work, "rocprof", rocprof_symbol(csv_cell(csv, "Name")));
	if (kernel_runs_summarize(arena, work, &summary, err) < 0)
		return error_prefix(err, "line %zu", csv->line);
	return 0;
}

static int read_statistics(struct arena *arena, struct csv *csv, struct ingest_result *result,
			   struct error *err)
{
	struct kernel_work *works = NULL;
	size_t count = 0, capacity = 0, kernels = 0, before = arena->used;
	int more;
	while ((more = csv_next(csv, err)) > 0) {
		if (csv_cell(csv, "Name").len == 0)
			return error_set(err, ERR_FORMAT, "line %zu: Name is empty", csv->line);
		if (result_memory_check(arena, before, count, err) < 0)
			return error_prefix(err, "line %zu", csv->line);
		works = arena_grow(arena, works, count, &capacity, sizeof *works);
		if (parse_statistics(arena, csv, &works[count++], err) < 0)
			return -1;
		kernels += !rocprof_is_no_kernel(csv_cell(csv, "Name"));
	}
	if (more < 0)
		return -1;
	if (count == 0)
		return error_set(err, ERR_FORMAT, "no data rows below the header");
	if (kernels == 0)
		return error_set(err, ERR_FORMAT,
				 "these are API or copy statistics, not kernel statistics");
	kernel_runs_add(arena, works, count, &result->runs);
	return 0;
}

/* --- a trace --- */

static int read_launch(const struct csv *csv, const struct rocprof_columns *columns,
		       struct launches *launches, struct error *err)
{
	struct launch launch;
	if (rocprof_launch(csv, columns, &launch, err) < 0 ||
	    rocprof_time(csv, columns, &launch.values[ROCPROF_TIME], err) < 0)
		return -1;
	if (isnan(launch.values[ROCPROF_TIME]))
		return error_set(err, ERR_FORMAT, "line %zu: the row has no times", csv->line);
	if (launches_add(launches, &launch, err) < 0)
		return error_prefix(err, "line %zu", csv->line);
	return 0;
}

static int read_trace(struct arena *arena, struct csv *csv, struct ingest_result *result,
		      struct error *err)
{
	struct launches launches = launches_of(arena, &rocprof_launches);
	const struct rocprof_columns columns = rocprof_columns_of(csv, false);
	int more;
	while ((more = csv_next(csv, err)) > 0)
		if (span_is(csv_cell(csv, "Kind"), "KERNEL_DISPATCH") &&
		    read_launch(csv, &columns, &launches, err) < 0)
			return -1;
	return more < 0 ? -1
			: launches_finish(&launches, &result->runs,
					  "the trace has no row with a kernel", err);
}

/* --- detection --- */

static const struct {
	const char *columns[5]; /* all of them are required */
	int (*read)(struct arena *arena, struct csv *csv, struct ingest_result *result,
		    struct error *err);
} kinds[] = {
	{{"Kernel_Name", "Counter_Name", "Counter_Value", NULL}, rocprof_read_long_counters},
	{{"Kind", "Kernel_Name", "Start_Timestamp", "End_Timestamp", NULL}, read_trace},
	{{"Index", "KernelName", "gpu-id", "grd", NULL}, rocprof_read_wide_counters},
	{{"Name", "Calls", "TotalDurationNs", "AverageNs", NULL}, read_statistics},
};
enum { kind_count = sizeof kinds / sizeof *kinds };

static int kind_of(const struct csv *csv)
{
	for (int k = 0; k < kind_count; k++) {
		size_t i = 0;
		while (kinds[k].columns[i] && csv_has(csv, kinds[k].columns[i]))
			i++;
		if (!kinds[k].columns[i])
			return k;
	}
	return -1;
}

static int read_csv(struct arena *arena, struct input *input, struct ingest_result *result,
		    struct error *err)
{
	struct span bytes;
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	struct csv csv = csv_of(arena, bytes, ',');
	int more = csv_header(&csv, err);
	if (more < 0)
		return -1;
	int kind = more ? kind_of(&csv) : -1;
	if (kind < 0)
		return error_set(err, ERR_FORMAT,
				 "line %zu: not a rocprof header: needs a kernel name column and a "
				 "time or counter column",
				 csv.line);
	return kinds[kind].read(arena, &csv, result, err);
}

/* Whether a table has kernels: not if all rows in the head are API functions. */
static bool has_kernels(struct csv *csv)
{
	struct error ignored;
	size_t rows = 0;
	while (csv_next(csv, &ignored) > 0 && csv->rest.len) {
		rows++;
		if (!rocprof_is_no_kernel(csv_cell(csv, "Name")))
			return true;
	}
	/* The head may end inside the last row. */
	return rows == 0 && !rocprof_is_no_kernel(csv_cell(csv, "Name"));
}

static bool detect(struct span head)
{
	struct arena arena = {0};
	struct error ignored;
	struct csv csv = csv_of(&arena, head, ',');
	int kind = -1;
	bool ours = memchr(head.ptr, ',', head.len < 256 ? head.len : 256) &&
		    csv_header(&csv, &ignored) > 0 && (kind = kind_of(&csv)) >= 0;
	if (ours && kind == kind_count - 1)
		ours = has_kernels(&csv);
	arena_free(&arena);
	return ours;
}

const struct reader rocprof_csv_reader = {"rocprof-csv", "AMD rocprof and rocprofv3: CSV",
					  NEEDS_DEVICE, detect, read_csv};
