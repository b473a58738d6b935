/*
 * Nsight Systems' SQLite export (`nsys export --type sqlite`, `nsys profile --stats=true`). Kernels
 * are read from CUPTI_ACTIVITY_KIND_KERNEL, one run per kernel and work; the device is read from
 * TARGET_INFO_GPU. Copies and memory sets count only for what they overlap; NVTX ranges are
 * ignored.
 */

#include "base/base.h"
#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/container/sqlite_file.h"
#include "ingest/nsys/activities.h"
#include "ingest/reader.h"

enum {
	TIME,
	REGISTERS,
	SHARED_STATIC,
	SHARED_DYNAMIC,
	LATENCY,
	IDLE_BEFORE,
	KERNEL_OVERLAP,
	COPY_OVERLAP
};
static const struct launch_metric metrics[] = {
	[TIME] = {METRIC_TOTAL_TIME, PROVENANCE_MEASURED, NULL},
	[REGISTERS] = {METRIC_REGISTERS_PER_THREAD, PROVENANCE_MEASURED, NULL},
	[SHARED_STATIC] = {METRIC_SHARED_STATIC_BYTES, PROVENANCE_MEASURED, NULL},
	[SHARED_DYNAMIC] = {METRIC_SHARED_DYNAMIC_BYTES, PROVENANCE_MEASURED, NULL},
	[LATENCY] = {METRIC_LAUNCH_LATENCY, PROVENANCE_DERIVED, NULL},
	[IDLE_BEFORE] = {METRIC_IDLE_BEFORE, PROVENANCE_DERIVED, NULL},
	[KERNEL_OVERLAP] = {METRIC_KERNEL_OVERLAP, PROVENANCE_DERIVED, NULL},
	[COPY_OVERLAP] = {METRIC_COPY_OVERLAP, PROVENANCE_DERIVED, NULL},
};
static const struct launch_table table = {"nsys", metrics, sizeof metrics / sizeof *metrics};

enum { gpu_limit = 64, select_limit = 1024 };

struct gpu {
	double id, bandwidth;
	const char *name;
	struct run_attribute attributes[4];
	size_t attribute_count;
};

struct reading {
	struct arena *arena;
	struct sqlite_file *file;
	struct launches launches;
	struct nsys_activities activities;
	struct gpu gpus[gpu_limit];
	size_t gpu_count;
	struct nsys_mapping mappings[select_limit];
	size_t mapping_count;
	const char *version, *schema;
};

static const char *clean_text(struct arena *arena, struct span text)
{
	bool clean = text.len && text.len < 256 && utf8_is_line(text);
	return clean ? arena_strndup(arena, text.ptr, text.len) : NULL;
}

/* Reads the columns of a table, if the export has it; NULL instead of columns that it lacks. Rows
 * beyond select_limit are ignored. */
static int select_columns(struct reading *r, const char *name, const char *const *columns,
			  int (*row)(void *context, struct sqlite_row *row, struct error *err),
			  struct error *err)
{
	struct strbuf sql = {0};
	if (!sqlite_file_table(r->file, name, false))
		return 0;
	strbuf_addstr(&sql, "SELECT ");
	sqlite_file_columns(r->file, &sql, name, columns);
	strbuf_addf(&sql, " FROM %s t LIMIT %d", name, (int)select_limit);
	int rc = sqlite_file_query(r->file, sql.buf, row, r, err);
	strbuf_free(&sql);
	return rc;
}

/* --- the device --- */

static int read_gpu(void *context, struct sqlite_row *row, struct error *err)
{
	enum { ID, NAME, BANDWIDTH, CLOCK, SM_COUNT, MAJOR, MINOR };
	struct reading *r = context;
	(void)err;
	if (r->gpu_count == gpu_limit)
		return 0;
	struct gpu *gpu = &r->gpus[r->gpu_count++];
	double clock = sqlite_file_row_number(row, CLOCK),
	       sms = sqlite_file_row_number(row, SM_COUNT);
	double major = sqlite_file_row_number(row, MAJOR),
	       minor = sqlite_file_row_number(row, MINOR);
	gpu->id = sqlite_file_row_number(row, ID);
	gpu->bandwidth = sqlite_file_row_number(row, BANDWIDTH);
	gpu->name = clean_text(r->arena, sqlite_file_row_text(row, NAME));
	if (clock > 0)
		gpu->attributes[gpu->attribute_count++] = (struct run_attribute){
			"gpu_clock", arena_printf(r->arena, "%.0f MHz", clock / 1e6)};
	if (sms > 0)
		gpu->attributes[gpu->attribute_count++] =
			(struct run_attribute){"sm_count", arena_printf(r->arena, "%.0f", sms)};
	if (major >= 0 && minor >= 0)
		gpu->attributes[gpu->attribute_count++] = (struct run_attribute){
			"compute_capability", arena_printf(r->arena, "%.0f.%.0f", major, minor)};
	return 0;
}

static const struct gpu *gpu_called(const struct reading *r, const char *name)
{
	for (size_t i = 0; name && i < r->gpu_count; i++)
		if (span_text_eq(r->gpus[i].name, name))
			return &r->gpus[i];
	return NULL;
}

static int read_mapping(void *context, struct sqlite_row *row, struct error *err)
{
	struct reading *r = context;
	(void)err;
	assert(r->mapping_count < select_limit);
	r->mappings[r->mapping_count++] = (struct nsys_mapping){sqlite_file_row_number(row, 0),
								sqlite_file_row_number(row, 1),
								sqlite_file_row_number(row, 2)};
	return 0;
}

static struct span device_name(const struct reading *r, double id)
{
	for (size_t i = 0; i < r->gpu_count; i++)
		if (r->gpus[i].id == id)
			return span_of(r->gpus[i].name);
	return (struct span){"", 0};
}

/* --- versions --- */

static int read_version(void *context, struct sqlite_row *row, struct error *err)
{
	struct reading *r = context;
	struct span name = sqlite_file_row_text(row, 0);
	const char *text = clean_text(r->arena, sqlite_file_row_text(row, 1));
	(void)err;
	if (span_is(name, "EXPORT_PRODUCT_VERSION"))
		r->version = text;
	else if (span_is(name, "EXPORT_SCHEMA_VERSION"))
		r->schema = text;
	return 0;
}

/* --- the launches --- */

/* What happens during a launch and before it. */
static void place(struct reading *r, struct sqlite_row *row, struct launch *launch)
{
	enum { DEVICE = 1, PROCESS = 3, START = 13, END, CALLED };
	struct interval_span own;
	uint64_t idle;
	double called = sqlite_file_row_number(row, CALLED);
	const struct nsys_gpu *gpu =
		nsys_activities_gpu(&r->activities, sqlite_file_row_number(row, PROCESS),
				    sqlite_file_row_number(row, DEVICE));
	if (!gpu || !nsys_time(sqlite_file_row_number(row, START), &own.begin) ||
	    !nsys_time(sqlite_file_row_number(row, END), &own.end))
		return;
	if (called <= (double)own.begin)
		launch->values[LATENCY] = ((double)own.begin - called) / 1e9;
	/* What is missing from the covers may have filled a gap or overlapped this launch. */
	if (r->activities.invalid)
		return;
	if (interval_cover_since(&gpu->busy, own.begin, &idle))
		launch->values[IDLE_BEFORE] = (double)idle / 1e9;
	if (own.begin >= own.end)
		return;
	double length = (double)(own.end - own.begin);
	launch->values[KERNEL_OVERLAP] =
		(double)interval_cover_within(&gpu->concurrent, own) / length;
	launch->values[COPY_OVERLAP] = (double)interval_cover_within(&gpu->copies, own) / length;
}

static int read_launch(void *context, struct sqlite_row *row, struct error *err)
{
	enum { DURATION, DEVICE, NAME, PROCESS, GRID_X, BLOCK_X = GRID_X + 3, FIRST = BLOCK_X + 3 };
	struct reading *r = context;
	struct launch launch = launches_unknown();
	double nanoseconds = sqlite_file_row_number(row, DURATION);
	if (!(nanoseconds >= 0))
		return error_set(err, ERR_FORMAT, "%s: kernel without a valid end time",
				 nsys_kernels);
	launch.values[TIME] = nanoseconds / 1e9;
	launch.device = device_name(r, nsys_physical_gpu(&r->activities,
							 sqlite_file_row_number(row, PROCESS),
							 sqlite_file_row_number(row, DEVICE)));
	launch.symbol = sqlite_file_row_text(row, NAME);
	if (launch.symbol.len == 0)
		return error_set(err, ERR_FORMAT,
				 "%s: kernel name missing in StringIds; the export is incomplete",
				 nsys_kernels);
	for (int i = 0; i < 3; i++) {
		launch.grid[i] = sqlite_file_row_number(row, GRID_X + i);
		launch.block[i] = sqlite_file_row_number(row, BLOCK_X + i);
	}
	for (int i = REGISTERS; i <= SHARED_DYNAMIC; i++)
		launch.values[i] = sqlite_file_row_number(row, FIRST + i - REGISTERS);
	place(r, row, &launch);
	if (launches_add(&r->launches, &launch, err) < 0)
		return error_prefix(err, "%s", nsys_kernels);
	return 0;
}

static int check_tables(struct reading *r, struct error *err)
{
	static const char *const wanted[] = {"start", "end", "deviceId", "shortName", NULL};
	if (!sqlite_file_table(r->file, nsys_kernels, false))
		return error_set(err, ERR_FORMAT,
				 "no kernels in the export (no table %s): no GPU work ran, or CUDA "
				 "was not traced (nsys profile --trace=cuda)",
				 nsys_kernels);
	if (!sqlite_file_table(r->file, "StringIds", false) ||
	    !sqlite_file_has_column(r->file, "StringIds", "value") ||
	    !sqlite_file_has_column(r->file, "StringIds", "id"))
		return error_set(err, ERR_FORMAT,
				 "incomplete export: no table StringIds (id, value)");
	for (size_t i = 0; wanted[i]; i++)
		if (!sqlite_file_has_column(r->file, nsys_kernels, wanted[i]))
			return error_set(err, ERR_FORMAT, "%s has no column %s", nsys_kernels,
					 wanted[i]);
	return 0;
}

static int read_launches(struct reading *r, struct error *err)
{
	static const char *const columns[] = {"gridX",
					      "gridY",
					      "gridZ",
					      "blockX",
					      "blockY",
					      "blockZ",
					      "registersPerThread",
					      "staticSharedMemory",
					      "dynamicSharedMemory",
					      NULL};
	bool demangled = sqlite_file_has_column(r->file, nsys_kernels, "demangledName");
	struct strbuf sql = {0}, join = {0};
	bool called = nsys_join_launch(r->file, nsys_kernels, &join);
	strbuf_addf(&sql, "SELECT t.\"end\" - t.start, t.deviceId, s.value, %s, ",
		    nsys_process(r->file, nsys_kernels));
	sqlite_file_columns(r->file, &sql, nsys_kernels, columns);
	strbuf_addf(&sql,
		    ", t.start, t.\"end\", %s FROM %s t LEFT JOIN StringIds s ON s.id = t.%s%s",
		    called ? "r.begin" : "NULL", nsys_kernels,
		    demangled ? "demangledName" : "shortName", strbuf_text(&join));
	int rc = sqlite_file_query(r->file, sql.buf, read_launch, r, err);
	strbuf_free(&sql);
	strbuf_free(&join);
	return rc;
}

static void finish(struct reading *r, struct ingest_result *result)
{
	struct kernel_work *works = launches_works(&r->launches);
	for (size_t i = 0; i < r->launches.group_count; i++) {
		struct run *run = works[i].run;
		const struct gpu *gpu = gpu_called(r, run->device);
		for (size_t k = 0; gpu && k < gpu->attribute_count; k++)
			run_add_attribute(r->arena, run, gpu->attributes[k].key,
					  gpu->attributes[k].text);
		if (gpu && gpu->bandwidth > 0)
			run_set(run, METRIC_PEAK_BANDWIDTH, gpu->bandwidth, PROVENANCE_REPORTED);
		if (r->version)
			run_add_attribute(r->arena, run, "nsys_version", r->version);
		if (r->schema)
			run_add_attribute(r->arena, run, "nsys_schema_version", r->schema);
		if (r->activities.invalid)
			run_warn(r->arena, run,
				 "kernels, copies or memory sets without a valid time or beyond a "
				 "limit: %zu; overlaps and the idle time before launches are "
				 "unknown",
				 r->activities.invalid);
	}
	kernel_runs_add(r->arena, works, r->launches.group_count, &result->runs);
}

static int read_file(struct reading *r, struct ingest_result *result, struct error *err)
{
	/* In the order in which the functions that take their rows name them. */
	static const char *const gpus[] = {"id",           "name",    "memoryBandwidth",
					   "clockRate",    "smCount", "computeMajor",
					   "computeMinor", NULL};
	static const char *const mappings[] = {"pid", "cudaId", "gpuId", NULL};
	static const char *const versions[] = {"name", "value", NULL};
	if (check_tables(r, err) < 0 ||
	    select_columns(r, "TARGET_INFO_GPU", gpus, read_gpu, err) < 0 ||
	    select_columns(r, "TARGET_INFO_CUDA_DEVICE", mappings, read_mapping, err) < 0 ||
	    select_columns(r, "META_DATA_EXPORT", versions, read_version, err) < 0)
		return -1;
	r->activities.mappings = r->mappings;
	r->activities.mapping_count = r->mapping_count;
	if (nsys_activities_read(&r->activities, r->file, err) < 0 || read_launches(r, err) < 0)
		return -1;
	if (r->launches.count == 0)
		return error_set(err, ERR_FORMAT, "the export has no kernels: %s is empty",
				 nsys_kernels);
	if (result->trace && nsys_trace_fill(result->trace, &r->activities, r->file, err) < 0)
		return -1;
	finish(r, result);
	return 0;
}

static int read_nsys(struct arena *arena, struct input *input, struct ingest_result *result,
		     struct error *err)
{
	struct reading r = {.arena = arena,
			    .launches = launches_of(arena, &table),
			    .activities = {.arena = arena}};
	r.file = sqlite_file_open(arena, input, err);
	if (!r.file)
		return -1;
	return sqlite_file_close(r.file, read_file(&r, result, err), err);
}

static bool detect(struct span head)
{
	static const char *const words[] = {
		nsys_kernels,       "TARGET_INFO_SESSION_START_TIME", "TARGET_INFO_GPU",
		"META_DATA_EXPORT", "ENUM_NSYS_EVENT_TYPE",           NULL};
	return sqlite_file_looks_like(head, words);
}

const struct reader nsys_sqlite_reader = {"nsys-sqlite",
					  "Nsight Systems: nsys export --type sqlite", NEEDS_DEVICE,
					  detect, read_nsys};
