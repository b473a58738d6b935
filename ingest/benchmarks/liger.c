/*
 * Reader of the benchmark data of Liger-Kernel (all_benchmark_data.csv): speed in ms and peak
 * memory in MB of 2^20 bytes, as its scripts compute them. Speed and memory of the same work are
 * one run. The quantiles are attributes, because they are not minimum and maximum.
 */

#include "ingest/table/tables.h"

static const struct row_column columns[] = {
	{"y_value_50", .role = ROW_VALUE, .as = "speed", .unit = "ms", .shown = "ms",
	 .metric = METRIC_TOTAL_TIME, .scale = 1e-3, .required = true},
	{"y_value_50", .role = ROW_VALUE, .as = "memory", .unit = "MB", .shown = "MiB",
	 .metric = METRIC_DEVICE_MEMORY_BYTES, .scale = 1048576},
	{"y_value_20", .role = ROW_QUANTILE, .as = "p20"},
	{"y_value_80", .role = ROW_QUANTILE, .as = "p80"},
	{"metric_name", .role = ROW_RESULT, .required = true},
	{"metric_unit", .role = ROW_RESULT, .required = true},
	{"kernel_name", .role = ROW_KERNEL, .required = true},
	{"kernel_provider", .role = ROW_VARIANT, .required = true},
	{"extra_benchmark_config_str", .role = ROW_PARAMS},
	{"kernel_operation_mode", .role = ROW_PARAM, .as = "operation_mode"},
	{"x_name", .role = ROW_WORK, .required = true, .filled = true},
	{"x_value", .role = ROW_PARAM, .title = "x_name", .filled = true},
	{"gpu_name", .role = ROW_DEVICE, .required = true},
	{"liger_version", .role = ROW_ATTRIBUTE, .apart = true},
	{.role = ROW_END},
};

static const struct row_reader rows = {
	.tool = "liger",
	.size_limit = 64u << 20,
	.columns = columns,
	.names = "metric_name",
	.units = "metric_unit",
	.left_out = "skipped: y_value_50 is 0 or missing",
	.nothing = "no row with a positive y_value_50",
};

ROW_READER(liger, "liger", "Liger-Kernel all_benchmark_data.csv", NEEDS_COMMIT);
