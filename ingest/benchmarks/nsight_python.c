/*
 * CSV of nsight-python (output_csv=True): profiled_data has a row per run, configuration and
 * metric, processed_data their means. One run per annotation and configuration; "Kernel" is the
 * symbol, which may vary. Values that were normalized against another annotation are left out.
 */

#include "ingest/table/tables.h"

/* All other columns are arguments of the profiled function, or of info collectors. */
#define SHARED                                                                                     \
	{"Annotation", .role = ROW_KERNEL, .required = true},                                      \
		{"Metric", .role = ROW_RESULT, .required = true},                                  \
		{"Unit", .role = ROW_RESULT, .required = true},                                    \
		{"Kernel", .role = ROW_ATTRIBUTE, .as = "symbol", .required = true},               \
		{"GPU", .role = ROW_DEVICE, .required = true},                                     \
		{"Host", .role = ROW_ATTRIBUTE, .as = "host"},                                     \
		{"dtype", .role = ROW_OPERAND_DTYPE},                                              \
	{                                                                                          \
		.role = ROW_END                                                                    \
	}

static const struct row_column raw_columns[] = {
	{"Value", .role = ROW_VALUE, .as = "gpu__time_duration.sum", .unit = "ns",
	 .metric = METRIC_TOTAL_TIME, .scale = 1e-9, .required = true},
	{"Value", .role = ROW_VALUE, .as = "dram__bytes_read.sum", .unit = "byte",
	 .metric = METRIC_HBM_READ_BYTES},
	{"Value", .role = ROW_VALUE, .as = "dram__bytes_write.sum", .unit = "byte",
	 .metric = METRIC_HBM_WRITE_BYTES},
	SHARED};
static const struct row_column processed_columns[] = {
	{"AvgValue", .role = ROW_VALUE, .as = "gpu__time_duration.sum", .unit = "ns",
	 .metric = METRIC_TOTAL_TIME, .scale = 1e-9, .deviation = "StdDev", .required = true},
	{"Normalized", .role = ROW_RESULT, .only = "False", .required = true},
	SHARED};
/* The clocks are the device's attributes, not measured. */
static const char *const results[] = {
	"ComputeClock",      "MemoryClock", "MinValue",   "MaxValue",
	"NumRuns",           "CI95_Lower",  "CI95_Upper", "RelativeStdDevPct",
	"StableMeasurement", "Geomean",     NULL};

#define ROWS(columns_)                                                                             \
	{                                                                                          \
		.tool = "ncu", .size_limit = 64u << 20, .columns = (columns_), .results = results, \
		.rest_are_params = true, .names = "Metric", .units = "Unit",                       \
		.others = "skipped: neither gpu__time_duration.sum in ns nor DRAM bytes",          \
		.left_out = "skipped: normalized, or without a value",                             \
		.nothing = "no row has gpu__time_duration.sum in ns above 0",                      \
	}
static const struct row_reader raw = ROWS(raw_columns), processed = ROWS(processed_columns);

static bool detect(struct span head)
{
	return row_reader_detect(&raw, head) || row_reader_detect(&processed, head);
}

static int read_nsight_python(struct arena *arena, struct input *input,
			      struct ingest_result *result, struct error *err)
{
	struct span head;
	if (input_head(input, &head, err) < 0)
		return -1;
	return row_reader_read(row_reader_detect(&processed, head) ? &processed : &raw, arena,
			       input, result, err);
}

const struct reader nsight_python_reader = {"nsight-python", "nsight-python output_csv, CSV", 0,
					    detect, read_nsight_python};
