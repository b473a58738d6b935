/*
 * The files of a workload directory of rocprof-compute (formerly omniperf):
 *
 *   pmc_perf.csv   counters and times of each kernel launch: the runs
 *   sysinfo.csv    the device and its bandwidth, for the runs of the directory
 *   roofline.csv   peaks measured by rocprof-compute, as attributes of these runs
 */

#include "ingest/reader.h"
#include "ingest/rocm/amd_counters.h"
#include "ingest/table/tables.h"
#include "ingest/collect/collect.h"
#include "ingest/rocm/rocprof_system.h"
#include "ingest/rocm/rocprof_table.h"
#include "model/roofline/roofline.h"
#include "model/statistics/statistics.h"

static const size_t size_limit = (size_t)512 << 20;

/* --- pmc_perf.csv --- */

enum { AMD_FIRST = ROCPROF_METRICS, METRICS = AMD_FIRST + amd_metric_count };

struct counters {
	struct csv *csv;
	struct rocprof_columns launch;
	struct amd_columns columns;
	double *numbers; /* of the current row; only those of the formulas are read */
};

static int read_row(struct counters *c, struct launches *launches, struct error *err)
{
	struct csv *csv = c->csv;
	struct launch launch;
	if (rocprof_launch(csv, &c->launch, &launch, err) < 0)
		return -1;
	for (size_t i = 0; i < csv->name_count; i++)
		if (rocm_counter_columns_use(&c->columns, i) &&
		    rocprof_number(csv, i, &c->numbers[i], err) < 0)
			return -1;
	if (rocprof_time(csv, &c->launch, &launch.values[ROCPROF_TIME], err) < 0)
		return -1;
	if (csv->cell_count < csv->name_count)
		return error_set(
			err, ERR_FORMAT,
			"line %zu: %zu cell%s, but the header has %zu; the file is truncated",
			csv->line, csv->cell_count, csv->cell_count == 1 ? "" : "s",
			csv->name_count);
	rocm_counters_derive(&c->columns, c->numbers, &launch.values[AMD_FIRST]);
	if (launches_add(launches, &launch, err) < 0)
		return error_prefix(err, "line %zu", csv->line);
	return 0;
}

static int read_counters(struct arena *arena, struct csv *csv, struct ingest_result *result,
			 struct error *err)
{
	struct launch_metric metrics[METRICS];
	memcpy(metrics, rocprof_metrics, sizeof rocprof_metrics);
	memcpy(metrics + AMD_FIRST, amd_metrics, sizeof amd_metrics);
	const struct launch_table table = {"rocprof-compute", metrics, METRICS};
	struct launches launches = launches_of(arena, &table);
	struct counters c = {.csv = csv,
			     .launch = rocprof_columns_of(csv, true),
			     .columns = rocm_counter_columns_of(csv->names, csv->name_count)};
	int more;
	c.numbers = arena_array(arena, csv->name_count, sizeof *c.numbers);
	while ((more = csv_next(csv, err)) > 0)
		if (read_row(&c, &launches, err) < 0)
			return -1;
	return more < 0 ? -1
			: launches_finish(&launches, &result->runs,
					  "no kernels below the header: nothing was profiled", err);
}

/* --- sysinfo.csv, roofline.csv --- */

static const char *cell_of(const void *csv, struct arena *arena, const char *name)
{
	(void)arena;
	return csv_text(csv, name);
}

static int read_system(struct arena *arena, struct csv *csv, struct ingest_result *result,
		       struct error *err)
{
	const struct rocprof_system system = {cell_of, csv};
	struct companion companion = {0};
	int more = csv_next(csv, err);
	if (more < 0)
		return -1;
	if (!more)
		return error_set(err, ERR_FORMAT, "no data rows below the header");
	if (rocprof_system_describe(arena, &system, &companion, err) < 0)
		return error_prefix(err, "line %zu", csv->line);
	if (!companion.device && !companion.value_count)
		return error_set(err, ERR_FORMAT,
				 "line %zu: neither gpu_model nor hbm_bw or num_hbm_channels has a "
				 "value",
				 csv->line);
	*arena_add(arena, &result->companions) = companion;
	return 0;
}

enum { measured_count = CEILING_PEAKS, device_limit = 1024 };

/* The file does not state the device of a kernel, so the peaks are medians over all devices. */
static int read_roofline(struct arena *arena, struct csv *csv, struct ingest_result *result,
			 struct error *err)
{
	double(*numbers)[device_limit] = arena_array(arena, measured_count, sizeof *numbers);
	size_t counts[measured_count] = {0}, rows = 0;
	struct companion companion = {0};
	int more;
	while ((more = csv_next(csv, err)) > 0) {
		if (++rows > device_limit)
			return error_set(err, ERR_FORMAT, "line %zu: more than %d devices",
					 csv->line, (int)device_limit);
		for (size_t i = 0; i < measured_count; i++) {
			double number;
			if (csv_number(csv, rocprof_peak_columns[i], &number, err) < 0)
				return -1;
			if (number > 0)
				numbers[i][counts[i]++] = number;
		}
	}
	if (more < 0)
		return -1;
	companion.attributes = arena_array(arena, measured_count, sizeof *companion.attributes);
	for (size_t i = 0; i < measured_count; i++)
		if (counts[i])
			companion.attributes[companion.attribute_count++] = (struct run_attribute){
				ceiling_peaks[i].attribute,
				arena_printf(arena,
					     "%.6g %s, median of %zu device%s, measured by "
					     "rocprof-compute",
					     median_of(numbers[i], counts[i]),
					     ceiling_peaks[i].unit, counts[i],
					     counts[i] == 1 ? "" : "s")};
	if (companion.attribute_count == 0)
		return error_set(err, ERR_FORMAT, "no peak values below the header");
	*arena_add(arena, &result->companions) = companion;
	return 0;
}

/* --- detection --- */

static const struct {
	/* The beginning of the header, which is longer than a detector's head. */
	const char *begins;
	const char *holds;
	int (*read)(struct arena *arena, struct csv *csv, struct ingest_result *result,
		    struct error *err);
} files[] = {
	{"Dispatch_ID,", ",SQ", read_counters},
	{"Dispatch_ID,", "_sum,", read_counters},
	{"Dispatch_ID,Kernel_Name\n", "", read_counters},
	{"Dispatch_ID,Kernel_Name\r\n", "", read_counters},
	{"workload_name,", ",hbm_bw", read_system},
	{"workload_name,", ",num_hbm_channels", read_system},
	{"device,HBMBw,", "", read_roofline},
};

static int kind_of(struct span head)
{
	const char *end = head.len ? memchr(head.ptr, '\n', head.len) : NULL;
	struct span header = {head.ptr, end ? (size_t)(end - head.ptr) + 1 : head.len};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (span_starts(header, files[i].begins) &&
		    (!files[i].holds[0] || span_find(header, files[i].holds) < header.len))
			return (int)i;
	return -1;
}

static int read_table(struct arena *arena, struct input *input, struct ingest_result *result,
		      struct error *err)
{
	struct span bytes;
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	int kind = kind_of(bytes);
	struct csv csv = csv_of(arena, bytes, ',');
	if (kind < 0)
		return error_set(
			err, ERR_FORMAT,
			"line 1: not the header of pmc_perf.csv, sysinfo.csv or roofline.csv");
	if (csv_header(&csv, err) < 0)
		return -1;
	return files[kind].read(arena, &csv, result, err);
}

static bool detect(struct span head)
{
	return kind_of(head) >= 0;
}

const struct reader rocprof_compute_reader = {
	"rocprof-compute", "AMD rocprof-compute: pmc_perf.csv, sysinfo.csv, roofline.csv",
	NEEDS_DEVICE, detect, read_table};
