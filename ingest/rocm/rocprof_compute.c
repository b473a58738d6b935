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

/* "MI300X_A1" is a stepping of the MI300X; "NA" means unknown. */
static const char *model_of(struct arena *arena, const char *text)
{
	if (!text || strlen(text) > 100 || strcmp(text, "NA") == 0 || strcmp(text, "N/A") == 0)
		return NULL;
	size_t len = span_find(span_of(text), "_A");
	return arena_strndup(arena, text, len);
}

/* Versions before 3 state the bandwidth in GB/s. Version 3 states what it computes it from: at each
 * clock of the memory a channel moves 32 bytes (src/utils/specs.py of rocprof-compute). */
static int read_bandwidth(const struct csv *csv, struct value *bandwidth, struct error *err)
{
	double stated, megahertz, channels;
	if (csv_number(csv, "hbm_bw", &stated, err) < 0 ||
	    csv_number(csv, "max_mclk", &megahertz, err) < 0 ||
	    csv_number(csv, "num_hbm_channels", &channels, err) < 0)
		return -1;
	*bandwidth = isnan(stated)
			     ? (struct value){megahertz * 1e6 * 32 * channels, PROVENANCE_DERIVED}
			     : (struct value){stated * 1e9, PROVENANCE_REPORTED};
	return 0;
}

/* The compute units of a die and the waves that each holds: what utilizations divide by. */
static int read_units(const struct csv *csv, struct value *units, struct value *waves,
		      struct error *err)
{
	double all, dies, slots;
	if (csv_number(csv, "cu_per_gpu", &all, err) < 0 ||
	    csv_number(csv, "num_xcd", &dies, err) < 0 ||
	    csv_number(csv, "max_waves_per_cu", &slots, err) < 0)
		return -1;
	*units = (struct value){dies > 0 ? all / dies : NAN, PROVENANCE_DERIVED};
	*waves = (struct value){slots, PROVENANCE_REPORTED};
	return 0;
}

static void add_value(struct companion *companion, enum metric metric, struct value value)
{
	if (value.number > 0)
		companion->values[companion->value_count++] =
			(struct companion_value){metric, value};
}

static int read_system(struct arena *arena, struct csv *csv, struct ingest_result *result,
		       struct error *err)
{
	static const char *const copied[] = {"gpu_arch",          "cu_per_gpu",      "max_sclk",
					     "max_mclk",          "rocm_version",    "num_xcd",
					     "compute_partition", "memory_partition"};
	struct companion companion = {0};
	struct value bandwidth, units, waves;
	int more = csv_next(csv, err);
	if (more < 0)
		return -1;
	if (!more)
		return error_set(err, ERR_FORMAT, "no data rows below the header");
	if (read_bandwidth(csv, &bandwidth, err) < 0 || read_units(csv, &units, &waves, err) < 0)
		return -1;
	companion.device = model_of(arena, csv_text(csv, "gpu_model"));
	companion.values = arena_array(arena, 3, sizeof *companion.values);
	add_value(&companion, METRIC_PEAK_BANDWIDTH, bandwidth);
	add_value(&companion, METRIC_UNITS_PER_DIE, units);
	add_value(&companion, METRIC_WAVE_SLOTS, waves);
	companion.attributes =
		arena_array(arena, sizeof copied / sizeof *copied, sizeof *companion.attributes);
	for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
		const char *text = csv_text(csv, copied[i]);
		if (text && strcmp(text, "NA") != 0 && strlen(text) < 200)
			companion.attributes[companion.attribute_count++] =
				(struct run_attribute){copied[i], text};
	}
	if (!companion.device && !companion.value_count)
		return error_set(err, ERR_FORMAT,
				 "line %zu: neither gpu_model nor hbm_bw or num_hbm_channels has a "
				 "value",
				 csv->line);
	*arena_add(arena, &result->companions) = companion;
	return 0;
}

/* Columns of roofline.csv, in units of 1e9 per second, in the order of ceiling_peaks. */
static const char *const measured[] = {
	"HBMBw",         "L2Bw",         "L1Bw",         "LDSBw",        "FP32Flops", "FP64Flops",
	"MFMABF16Flops", "MFMAF16Flops", "MFMAF32Flops", "MFMAF64Flops", "MFMAI8Ops"};
enum { measured_count = sizeof measured / sizeof *measured, device_limit = 1024 };
_Static_assert((int)measured_count == (int)CEILING_PEAKS, "one column for each peak");

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
			if (csv_number(csv, measured[i], &number, err) < 0)
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
