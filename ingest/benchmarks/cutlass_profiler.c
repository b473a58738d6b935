/*
 * Reader of cutlass_profiler --output=FILE (CSV), or of all that it prints, which ends with the
 * same table for each kind of operation. One run per operation, provider and problem; equal rows
 * are repeats. Bytes and Flops follow from the profiler's formulas. GB/s is Bytes / time in units
 * of 2^30; 10^9 is accepted too, since other versions may use it. A row with the Disposition
 * "incorrect" or "failed" keeps its time and is marked. The dtype is that of A; "f32" on tensor
 * cores gives none, because it does not state the internal type.
 */

#include "ingest/table/tables.h"

/* All other columns are parameters. */
static const struct row_column columns[] = {
	{"Runtime", .role = ROW_VALUE, .metric = METRIC_TOTAL_TIME, .scale = 1e-3,
	 .required = true},
	{"Bytes", .role = ROW_STATED, .metric = METRIC_ALGORITHMIC_BYTES},
	{"Flops", .role = ROW_STATED, .metric = METRIC_ALGORITHMIC_FLOPS},
	{"GB/s", .role = ROW_RATE, .of = "Bytes", .scale = 1073741824, .other_scale = 1e9},
	{"GFLOPs", .role = ROW_RATE, .of = "Flops", .scale = 1e9},
	{"Operation", .role = ROW_KERNEL, .is_symbol = true, .required = true},
	{"Provider", .role = ROW_VARIANT, .required = true},
	{"Disposition", .role = ROW_ATTRIBUTE, .as = "disposition", .required = true, .apart = true,
	 .wrong = {"incorrect", "failed"}},
	{"Status", .role = ROW_RESULT, .only = "success"},
	{"Problem", .role = ROW_RESULT, .required = true},
	{"OperationKind", .role = ROW_RESULT, .required = true},
	{.role = ROW_END},
};
/* Parts of the operation's name, and what follows from other columns. */
static const char *const results[] = {
	"Flops/Byte", "accum",   "op_class", "cta_m",  "cta_n",  "cta_k",  "stages", "warps_m",
	"warps_n",    "warps_k", "inst_m",   "inst_n", "inst_k", "min_cc", "max_cc", NULL};

static void set_dtype(const struct row_reading *row, struct run *run)
{
	static const char *const names[][2] = {
		{"s8", "int8"}, {"u8", "uint8"}, {"e4m3", "fp8_e4m3"}, {"e5m2", "fp8_e5m2"}};
	struct span rest = csv_cell(&row->csv, "A"), type = span_cut(&rest, ':');
	if (span_is(type, "f32") && span_is(csv_cell(&row->csv, "op_class"), "tensorop"))
		return;
	if (dtype_normalise(type))
		run->dtype = arena_strndup(row->arena, type.ptr, type.len);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (span_is(type, names[i][0]))
			run->dtype = names[i][1];
}

static const struct row_reader rows = {
	.tool = "cutlass-profiler",
	.size_limit = 64u << 20,
	.after = "CSV Results:",
	.sign = "OperationKind: ",
	.columns = columns,
	.results = results,
	.rest_are_params = true,
	.left_out = "skipped: not successful, or without a time",
	.strange = "GFLOPs and GB/s are inconsistent with Flops, Bytes and Runtime; only time and "
		   "counts are used",
	.nothing = "no measured rows: none has Status \"success\" and a Runtime above 0",
	.describe = set_dtype,
};

ROW_READER(cutlass_profiler, "cutlass-profiler", "cutlass_profiler, CSV or all that it prints", 0);
