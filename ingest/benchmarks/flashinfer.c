/*
 * Reader of the table that flashinfer_benchmark.py writes (CSV; some names occur twice). One run
 * per routine, backend and arguments; CUPTI times and event times never share a series. tflops and
 * tb_per_sec are counts that the benchmark divided by the median; 0 means unknown. Parameters are
 * the arguments except those that control the benchmark, and case_tag, because it distinguishes
 * what the columns do not.
 */

#include "ingest/table/tables.h"

/* All other columns are parameters. */
static const struct row_column columns[] = {
	{"median_time", .role = ROW_VALUE, .metric = METRIC_TOTAL_TIME, .scale = 1e-3,
	 .deviation = "std_time", .required = true},
	{"std_time", .role = ROW_RESULT, .required = true},
	{"tflops", .role = ROW_RATE, .metric = METRIC_ALGORITHMIC_RATE,
	 .count = METRIC_ALGORITHMIC_FLOPS, .scale = 1e12, .required = true},
	{"tb_per_sec", .role = ROW_RATE, .metric = METRIC_ALGORITHMIC_BANDWIDTH,
	 .count = METRIC_ALGORITHMIC_BYTES, .scale = 1e12, .required = true},
	{"routine", .role = ROW_KERNEL, .required = true},
	{"backend", .role = ROW_VARIANT, .required = true},
	{"use_nvfp4", .role = ROW_OPERAND_DTYPE, .as = "fp4"},
	{"q_dtype", .role = ROW_OPERAND_DTYPE},
	{"input_dtype", .role = ROW_OPERAND_DTYPE},
	{"use_cupti", .role = ROW_WORK},
	{"no_cuda_graph", .role = ROW_WORK},
	{"random_seed", .role = ROW_ATTRIBUTE},
	{"repro_command", .role = ROW_ATTRIBUTE},
	{.role = ROW_END},
};
static const char *const results[] = {"generate_repro_command", "refcheck", "allow_output_mismatch",
				      NULL};

static void describe(const struct row_reading *row, struct run *run)
{
	if (span_is(csv_cell(&row->csv, "use_cupti"), "True"))
		run->tool = "flashinfer-cupti";
	/* Without a CUDA graph the time includes the gaps between launches. */
	if (span_is(csv_cell(&row->csv, "no_cuda_graph"), "True"))
		run_set_param(row->arena, run, "no_cuda_graph", "True");
}

static const struct row_reader rows = {
	.tool = "flashinfer",
	.size_limit = 64u << 20,
	.columns = columns,
	.results = results,
	.rest_are_params = true,
	.none = "None",
	.left_out = "skipped: median_time is 0 or missing",
	.nothing = "no row with a positive median_time",
	.describe = describe,
};

ROW_READER(flashinfer, "flashinfer", "flashinfer_benchmark.py --output_path, CSV", 0);
