/*
 * Reader of the CSV of triton.testing.perf_report with units in its header, as written since
 * Triton 3.4: arguments, then one column per provider, "Triton (GB/s)", then in some files a column
 * of differences. One run per provider (the variant) and row (the parameters).
 *
 * The file does not contain the kernel, so it must be given. Without units in the header the
 * meaning of the numbers is unknown; such a file requires a map of columns (ingest/table/table.h).
 */

#include "ingest/table/tables.h"

static const struct row_unit units[] = {
	{"s", METRIC_TOTAL_TIME, 1},
	{"ms", METRIC_TOTAL_TIME, 1e-3},
	{"us", METRIC_TOTAL_TIME, 1e-6},
	{"GB/s", METRIC_ALGORITHMIC_BANDWIDTH, 1e9},
	{"TB/s", METRIC_ALGORITHMIC_BANDWIDTH, 1e12},
	{"GFLOPS", METRIC_ALGORITHMIC_RATE, 1e9},
	{"TFLOPS", METRIC_ALGORITHMIC_RATE, 1e12},
	{"GFLOP/s", METRIC_ALGORITHMIC_RATE, 1e9},
	{"TFLOP/s", METRIC_ALGORITHMIC_RATE, 1e12},
	{"GFLOPs/s", METRIC_ALGORITHMIC_RATE, 1e9},
	{"TFLOPs/s", METRIC_ALGORITHMIC_RATE, 1e12},
	{NULL, METRIC_COUNT, 0},
};

static const struct row_column columns[] = {{"Diff", .role = ROW_RESULT}, {.role = ROW_END}};

static const struct row_reader rows = {
	.tool = "perf-report",
	.size_limit = 16u << 20,
	.columns = columns,
	.headings = units,
	.rest_are_params = true,
	.left_out = "provider without a positive value, skipped",
	.nothing = "no provider has a positive value",
};

ROW_READER(perf_report, "perf-report", "triton.testing.perf_report, CSV with units", 0);
