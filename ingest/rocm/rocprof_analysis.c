/*
 * The analysis database of rocprof-compute 3 (analyze --output-format db):
 *
 *   compute_dispatch              the launches of a kernel
 *   compute_kernel_metric_value   what the tool computed for a kernel, over all its launches
 *   compute_workload              the machine and its measured peaks, as JSON
 */

#include "base/json/json.h"
#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/container/sqlite_file.h"
#include "ingest/json/document/document.h"
#include "ingest/reader.h"
#include "ingest/rocm/rocprof_system.h"
#include "ingest/rocm/rocprof_table.h"
#include "model/roofline/roofline.h"

enum { kernel_limit = 65536 };

/* --- metrics of a kernel --- */

/* Quantities of a kernel by the names of metric and table. Those of the fabric are requests. */
enum {
	GRID,
	GRID_MAX,
	BLOCK,
	BLOCK_MAX,
	VGPR,
	ACCUM,
	LDS,
	FLOPS,
	TENSOR,
	VECTOR,
	OCCUPANCY,
	L1_HITS,
	L2_HITS,
	READ_32,
	READ_64,
	READ_128,
	WRITE_32,
	WRITE_64,
	QUANTITIES
};
static const char of_launch[] = "Wavefront Launch Stats", of_work[] = "Arithmetic Operations";
static const char of_light[] = "System Speed-of-Light";
static const char of_fabric[] = "L2 - Fabric interface detailed metrics";
static const struct {
	const char *table, *name, *value;
} quantities[QUANTITIES] = {
	[GRID] = {of_launch, "Grid Size", "Min"},
	[GRID_MAX] = {of_launch, "Grid Size", "Max"},
	[BLOCK] = {of_launch, "Workgroup Size", "Min"},
	[BLOCK_MAX] = {of_launch, "Workgroup Size", "Max"},
	[VGPR] = {of_launch, "VGPRs", "Avg"},
	[ACCUM] = {of_launch, "AGPRs", "Avg"},
	[LDS] = {of_launch, "LDS Allocation", "Avg"},
	[FLOPS] = {of_work, "FLOPs (Total)", "Avg"},
	[TENSOR] = {of_light, "MFMA Utilization", "Avg"},
	[VECTOR] = {of_light, "VALU Utilization", "Avg"},
	[OCCUPANCY] = {of_light, "Wavefront Occupancy", "Pct of Peak"},
	[L1_HITS] = {of_light, "vL1D Cache Hit Rate", "Avg"},
	[L2_HITS] = {of_light, "L2 Cache Hit Rate", "Avg"},
	[READ_32] = {of_fabric, "Read (32B)", "Avg"},
	[READ_64] = {of_fabric, "Read (64B)", "Avg"},
	[READ_128] = {of_fabric, "Read (128B)", "Avg"},
	[WRITE_32] = {of_fabric, "Write and Atomic (32B)", "Avg"},
	[WRITE_64] = {of_fabric, "Write and Atomic (64B)", "Avg"},
};

enum {
	OWN = ROCPROF_METRICS,
	SET_FLOPS = OWN,
	SET_TENSOR,
	SET_VECTOR,
	SET_OCCUPANCY,
	SET_L1_HITS,
	SET_L2_HITS,
	SET_READ,
	SET_WRITE,
	METRICS
};
/* Means over the launches, as the tool states them. */
static const struct launch_metric own_metrics[METRICS - OWN] = {
	{METRIC_HARDWARE_FLOPS, PROVENANCE_REPORTED, NULL},
	{METRIC_TENSOR_PIPE, PROVENANCE_REPORTED, NULL},
	{METRIC_VECTOR_PIPE, PROVENANCE_REPORTED, NULL},
	{METRIC_ACHIEVED_OCCUPANCY, PROVENANCE_REPORTED, NULL},
	{METRIC_L1_HIT_RATE, PROVENANCE_REPORTED, NULL},
	{METRIC_L2_HIT_RATE, PROVENANCE_REPORTED, NULL},
	{METRIC_HBM_READ_BYTES, PROVENANCE_DERIVED, NULL},
	{METRIC_HBM_WRITE_BYTES, PROVENANCE_DERIVED, NULL},
};

struct kernel {
	double id;
	struct span name;
	double values[QUANTITIES];
};

struct reading {
	struct arena *arena;
	struct sqlite_file *file;
	struct launches launches;
	struct kernel *items;
	size_t count, capacity, name_bytes;
	struct companion system;
	size_t workload_count;
};

static int read_kernel(void *context, struct sqlite_row *row, struct error *err)
{
	struct reading *r = context;
	struct span name = rocprof_symbol(sqlite_file_row_text(row, 1));
	r->name_bytes += name.len;
	if (r->count == kernel_limit || r->name_bytes > launch_symbol_limit)
		return error_set(err, ERR_FORMAT,
				 "compute_kernel: more than %d kernels, or than %d MiB of names",
				 (int)kernel_limit, (int)launch_symbol_limit >> 20);
	struct kernel *kernel = arena_add(r->arena, r);
	*kernel = (struct kernel){.id = sqlite_file_row_number(row, 0),
				  .name = {arena_strndup(r->arena, name.ptr, name.len), name.len}};
	for (int i = 0; i < QUANTITIES; i++)
		kernel->values[i] = NAN;
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct kernel *one = a, *two = b;
	return (one->id > two->id) - (one->id < two->id);
}

static struct kernel *find_kernel(const struct reading *r, double id)
{
	const struct kernel key = {.id = id};
	return r->count && !isnan(id) ? bsearch(&key, r->items, r->count, sizeof key, by_id) : NULL;
}

/* Work is counted per wave, cycle or second if the tool was asked to: not that of a kernel. */
static bool is_of_kernel(struct span unit)
{
	return span_find(unit, " per ") == unit.len || span_ends(unit, " per kernel");
}

static int read_value(void *context, struct sqlite_row *row, struct error *err)
{
	struct reading *r = context;
	struct kernel *kernel = find_kernel(r, sqlite_file_row_number(row, 0));
	(void)err;
	for (int i = 0; kernel && i < QUANTITIES; i++)
		if (span_is(sqlite_file_row_text(row, 1), quantities[i].table) &&
		    span_is(sqlite_file_row_text(row, 2), quantities[i].name) &&
		    span_is(sqlite_file_row_text(row, 3), quantities[i].value) &&
		    is_of_kernel(sqlite_file_row_text(row, 5)))
			kernel->values[i] = sqlite_file_row_number(row, 4);
	return 0;
}

/* --- launches --- */

/* Sizes that differ between the launches of a kernel are unknown: the database has them only for
 * all launches together. */
static void set_sizes(const double *values, struct launch *launch)
{
	const double grid[3] = {values[GRID], 1, 1}, block[3] = {values[BLOCK], 1, 1};
	if (values[GRID] == values[GRID_MAX] && values[BLOCK] == values[BLOCK_MAX] &&
	    values[GRID] >= 1 && values[BLOCK] >= 1)
		rocprof_sizes(launch, grid, block);
}

static int read_dispatch(void *context, struct sqlite_row *row, struct error *err)
{
	struct reading *r = context;
	const struct kernel *kernel = find_kernel(r, sqlite_file_row_number(row, 0));
	double nanoseconds = sqlite_file_row_number(row, 1);
	struct launch launch = launches_unknown();
	if (!kernel)
		return error_set(err, ERR_FORMAT,
				 "compute_dispatch: a kernel_uuid is not in compute_kernel");
	if (!(nanoseconds >= 0))
		return error_set(err, ERR_FORMAT,
				 "compute_dispatch: kernel without a valid end time");
	const double *v = kernel->values;
	const double own[METRICS - OWN] = {
		v[FLOPS],
		v[TENSOR] / 100,
		v[VECTOR] / 100,
		v[OCCUPANCY] / 100,
		v[L1_HITS] / 100,
		v[L2_HITS] / 100,
		32 * v[READ_32] + 64 * v[READ_64] + 128 * v[READ_128],
		32 * v[WRITE_32] + 64 * v[WRITE_64],
	};
	memcpy(&launch.values[OWN], own, sizeof own);
	launch.values[ROCPROF_TIME] = nanoseconds / 1e9;
	launch.values[ROCPROF_REGISTERS] = v[VGPR] + (isnan(v[ACCUM]) ? 0 : v[ACCUM]);
	launch.values[ROCPROF_SHARED] = v[LDS];
	launch.symbol = kernel->name;
	launch.device = span_of(r->system.device);
	set_sizes(v, &launch);
	if (launches_add(&r->launches, &launch, err) < 0)
		return error_prefix(err, "compute_dispatch");
	return 0;
}

/* --- the machine --- */

static const char *member_of(const void *json, struct arena *arena, const char *name)
{
	double number = json_number(json, name, NAN);
	return isnan(number) ? json_text(json, name, NULL) : arena_printf(arena, "%.10g", number);
}

static void add_peaks(struct reading *r, const struct json *peaks)
{
	struct companion *system = &r->system;
	for (size_t i = 0; i < CEILING_PEAKS; i++) {
		double number = json_number(peaks, rocprof_peak_columns[i], NAN);
		if (number > 0)
			system->attributes[system->attribute_count++] = (struct run_attribute){
				ceiling_peaks[i].attribute,
				arena_printf(r->arena, "%.6g %s, measured by rocprof-compute",
					     number, ceiling_peaks[i].unit)};
	}
}

static int read_workload(void *context, struct sqlite_row *row, struct error *err)
{
	struct reading *r = context;
	struct span machine = sqlite_file_row_text(row, 0), peaks = sqlite_file_row_text(row, 1);
	const struct rocprof_system system = {
		member_of, machine.len ? json_document_parse(r->arena, machine, err) : NULL};
	if (r->workload_count++)
		return error_set(
			err, ERR_FORMAT,
			"compute_workload: several workloads; write one database for each");
	if (machine.len && !system.context)
		return error_prefix(err, "compute_workload.sys_info_extdata");
	if (rocprof_system_describe(r->arena, &system, &r->system, err) < 0)
		return error_prefix(err, "compute_workload.sys_info_extdata");
	const struct json *measured = peaks.len ? json_document_parse(r->arena, peaks, err) : NULL;
	if (peaks.len && !measured)
		return error_prefix(err, "compute_workload.roofline_bench_extdata");
	if (measured)
		add_peaks(r, measured);
	return 0;
}

/* --- the file --- */

static const char *const wanted[][5] = {
	{"compute_kernel", "kernel_uuid", "kernel_name", NULL},
	{"compute_dispatch", "kernel_uuid", "start_timestamp", "end_timestamp"},
	{"compute_workload", "sys_info_extdata", "roofline_bench_extdata", NULL},
	{"compute_metric_definition", "metric_uuid", "name", "sub_table_name", "unit"},
	{"compute_kernel_metric_value", "metric_uuid", "value_name", "value"},
};

static int check_tables(struct sqlite_file *file, struct error *err)
{
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		for (size_t k = 1; k < 5 && wanted[i][k]; k++)
			if (!sqlite_file_table(file, wanted[i][0], false) ||
			    !sqlite_file_has_column(file, wanted[i][0], wanted[i][k]))
				return error_set(err, ERR_FORMAT,
						 "incomplete database: no table %s with %s",
						 wanted[i][0], wanted[i][k]);
	return 0;
}

static int read_tables(struct reading *r, struct error *err)
{
	if (check_tables(r->file, err) < 0 ||
	    sqlite_file_query(
		    r->file,
		    "SELECT sys_info_extdata, roofline_bench_extdata FROM compute_workload",
		    read_workload, r, err) < 0 ||
	    sqlite_file_query(r->file, "SELECT kernel_uuid, kernel_name FROM compute_kernel",
			      read_kernel, r, err) < 0)
		return -1;
	array_sort(r->items, r->count, sizeof *r->items, by_id);
	if (sqlite_file_query(
		    r->file,
		    "SELECT v.kernel_uuid, d.sub_table_name, d.name, v.value_name, v.value, d.unit "
		    "FROM compute_kernel_metric_value v JOIN compute_metric_definition d "
		    "ON d.metric_uuid = v.metric_uuid",
		    read_value, r, err) < 0)
		return -1;
	return sqlite_file_query(
		r->file,
		"SELECT kernel_uuid, end_timestamp - start_timestamp FROM compute_dispatch",
		read_dispatch, r, err);
}

static int add_runs(struct reading *r, struct ingest_result *result, struct error *err)
{
	if (r->launches.count == 0)
		return error_set(err, ERR_FORMAT,
				 "the database has no kernels: compute_dispatch is empty");
	struct kernel_work *works = launches_works(&r->launches);
	for (size_t i = 0; i < r->launches.group_count; i++) {
		for (size_t k = 0; k < r->system.value_count; k++)
			run_set(works[i].run, r->system.values[k].metric,
				r->system.values[k].value.number,
				r->system.values[k].value.provenance);
		for (size_t k = 0; k < r->system.attribute_count; k++)
			run_add_attribute(r->arena, works[i].run, r->system.attributes[k].key,
					  r->system.attributes[k].text);
	}
	kernel_runs_add(r->arena, works, r->launches.group_count, &result->runs);
	return 0;
}

static int read_database(struct arena *arena, struct input *input, struct ingest_result *result,
			 struct error *err)
{
	struct launch_metric metrics[METRICS];
	memcpy(metrics, rocprof_metrics, sizeof rocprof_metrics);
	memcpy(metrics + OWN, own_metrics, sizeof own_metrics);
	const struct launch_table table = {"rocprof-compute", metrics, METRICS};
	struct reading r = {.arena = arena, .launches = launches_of(arena, &table)};
	r.file = sqlite_file_open(arena, input, err);
	if (!r.file)
		return -1;
	int rc = sqlite_file_close(r.file, read_tables(&r, err), err);
	return rc < 0 ? -1 : add_runs(&r, result, err);
}

static bool detect(struct span head)
{
	static const char *const words[] = {"TABLE compute_workload", NULL};
	return sqlite_file_looks_like(head, words);
}

const struct reader rocprof_compute_db_reader = {"rocprof-compute-db",
						 "AMD rocprof-compute 3: analysis database",
						 NEEDS_DEVICE, detect, read_database};
