/*
 * Reader of cutlass_profiler --output=FILE (CSV). One run per operation, provider and problem;
 * equal rows are repeats.
 *
 *   Runtime, ms              total_time, measured
 *   Bytes, Flops             algorithmic_bytes, algorithmic_flops (by the profiler's formulas)
 *   Provider                 variant
 *   type of A                dtype; not for f32 on tensor cores, whose internal type is not stated
 *   m, n, k, A, B, C ...     parameters: all columns but results and parts of the operation's name
 *
 * GFLOPs and GB/s are not stored but checked; GB/s is Bytes / time in units of 2^30. A row with the
 * Disposition "incorrect" or "failed" keeps its time and is marked.
 */

#include "ingest/collect/collect.h"
#include "ingest/table/tables.h"

/* Relative. Rates are printed with six digits,
 * and so is the time from which they are recomputed. */
static const double tolerance = 1e-4;

enum { RUNTIME, BYTES, FLOPS, GIGABYTES, GIGAFLOPS };

/* All other columns are parameters. */
static const struct row_column columns[] = {
	{"Runtime", .role = ROW_NUMBER, .required = true},
	{"Bytes", .role = ROW_NUMBER},
	{"Flops", .role = ROW_NUMBER},
	{"GB/s", .role = ROW_NUMBER},
	{"GFLOPs", .role = ROW_NUMBER},
	{"Provider", .role = ROW_VARIANT, .required = true},
	{"Operation", .role = ROW_WORK, .required = true},
	{"Disposition", .role = ROW_WORK, .required = true},
	{"Problem", .role = ROW_RESULT, .required = true},
	{"OperationKind", .role = ROW_RESULT, .required = true},
	{"Status", .role = ROW_RESULT},
	{"Flops/Byte", .role = ROW_RESULT},
	/* Parts of the operation's name. */
	{"accum", .role = ROW_RESULT},
	{"op_class", .role = ROW_RESULT},
	{"cta_m", .role = ROW_RESULT},
	{"cta_n", .role = ROW_RESULT},
	{"cta_k", .role = ROW_RESULT},
	{"stages", .role = ROW_RESULT},
	{"warps_m", .role = ROW_RESULT},
	{"warps_n", .role = ROW_RESULT},
	{"warps_k", .role = ROW_RESULT},
	{"inst_m", .role = ROW_RESULT},
	{"inst_n", .role = ROW_RESULT},
	{"inst_k", .role = ROW_RESULT},
	{"min_cc", .role = ROW_RESULT},
	{"max_cc", .role = ROW_RESULT},
	{.role = ROW_END},
};

static bool is_near(double number, double expected)
{
	return fabs(number - expected) <= tolerance * fabs(expected);
}

/* Whether the rates match bytes, FLOP and time. The profiler's GB is 2^30 bytes; 10^9 is accepted
 * too, since other versions may use it. */
static bool rates_fit(const double *row)
{
	double seconds = row[RUNTIME] / 1e3;
	double bandwidth = row[BYTES] / seconds;
	bool bytes_fit = isnan(row[BYTES]) || isnan(row[GIGABYTES]) || row[GIGABYTES] == 0 ||
			 is_near(row[GIGABYTES], bandwidth / 1073741824) ||
			 is_near(row[GIGABYTES], bandwidth / 1e9);
	bool flops_fit = isnan(row[FLOPS]) || isnan(row[GIGAFLOPS]) || row[GIGAFLOPS] == 0 ||
			 is_near(row[GIGAFLOPS], row[FLOPS] / seconds / 1e9);
	return bytes_fit && flops_fit;
}

static const char *dtype_of(const struct csv *csv)
{
	static const char *const names[][2] = {
		{"s8", "int8"}, {"u8", "uint8"}, {"e4m3", "fp8_e4m3"}, {"e5m2", "fp8_e5m2"}};
	struct span rest = csv_cell(csv, "A");
	struct span type = span_cut(&rest, ':');
	if (span_is(type, "f32") && span_is(csv_cell(csv, "op_class"), "tensorop"))
		return NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (span_is(type, names[i][0]))
			return names[i][1];
	return dtype_normalise(type) ? arena_strndup(csv->arena, type.ptr, type.len) : NULL;
}

static int describe(struct row_reading *r, struct run *run, struct error *err)
{
	const struct csv *csv = &r->csv;
	const char *disposition = csv_text(csv, "Disposition");
	struct span operation = csv_cell(csv, "Operation");
	if (operation.len == 0)
		return error_set(err, ERR_FORMAT, "line %zu: Operation is empty", csv->line);
	run->kernel = kernel_name_short(r->arena, operation);
	run->dtype = dtype_of(csv);
	if (r->numbers[FLOPS] > 0)
		run_give(run, METRIC_ALGORITHMIC_FLOPS, r->numbers[FLOPS], PROVENANCE_REPORTED);
	if (r->numbers[BYTES] > 0)
		run_give(run, METRIC_ALGORITHMIC_BYTES, r->numbers[BYTES], PROVENANCE_REPORTED);
	if (disposition)
		run_add_attribute(r->arena, run, "disposition", disposition);
	if (!span_text_eq(disposition, "incorrect") && !span_text_eq(disposition, "failed"))
		return 0;
	run_add_attribute(r->arena, run, "correctness", "incorrect");
	run_add_note(
		r->arena, run, "rooflog",
		arena_printf(r->arena,
			     "line %zu: the profiler says that the result of %s is \"%s\": its "
			     "time proves nothing",
			     csv->line, run->kernel, disposition));
	return 0;
}

static int take(struct row_reading *r, double *line, struct error *err)
{
	const struct csv *csv = &r->csv;
	(void)err;
	if ((csv_has(csv, "Status") && !span_is(csv_cell(csv, "Status"), "success")) ||
	    !(r->numbers[RUNTIME] > 0))
		return 0;
	line[0] = r->numbers[RUNTIME] / 1e3;
	if (!rates_fit(r->numbers))
		row_groups_count_add(&r->strange, csv->line);
	return 1;
}

static const struct row_reader rows = {
	.tool = "cutlass-profiler",
	.size_limit = 64u << 20,
	.columns = columns,
	.rest_are_params = true,
	.width = 1,
	.metrics = {METRIC_TOTAL_TIME},
	.left_out = "left out, without success or without a time",
	.strange =
		"GFLOPs or GB/s do not follow from Flops, Bytes and Runtime in any unit; time and "
		"counts are taken as they are",
	.nothing =
		"no row was measured: there is none with Status \"success\" and a Runtime above 0",
	.take = take,
	.describe = describe,
};

static bool detect(struct span head)
{
	return row_reader_detect(&rows, head);
}

static int read_profiler(struct arena *arena, struct input *input, struct ingest_result *result,
			 struct error *err)
{
	return row_reader_read(&rows, arena, input, result, err);
}

const struct reader cutlass_profiler_reader = {"cutlass-profiler", "cutlass_profiler --output, CSV",
					       0, detect, read_profiler};
