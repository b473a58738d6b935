/*
 * Reader of the table that flashinfer_benchmark.py writes (CSV; some names occur twice). One run
 * per routine, backend and arguments.
 *
 *   median_time, ms            total_time, measured; std_time, ms: its deviation
 *   tflops, tb_per_sec         algorithmic_flops and algorithmic_bytes = rate x time, if that is a
 *                              whole number (the benchmark divided it by that time); else
 *                              algorithmic_rate and algorithmic_bandwidth. 0 means unknown
 *   backend                    variant
 *   q_dtype, else input_dtype  dtype; "fp4" if use_nvfp4 has a value
 *   use_cupti                  tool: CUPTI times and event times never share a series
 *   other arguments            parameters, except those that control the benchmark; case_tag as
 *                              well, because it distinguishes what the columns do not
 */

#include "ingest/table/tables.h"

/* Relative: counts are below 1e14 and have 15 significant digits or more. */
static const double whole_tolerance = 1e-9;

enum { MEDIAN_TIME, DEVIATION, TERA_FLOPS, TERA_BYTES };

/* All other columns are parameters. */
static const struct row_column columns[] = {
	{"median_time", .role = ROW_NUMBER, .required = true},
	{"std_time", .role = ROW_NUMBER, .required = true},
	{"tflops", .role = ROW_NUMBER, .required = true},
	{"tb_per_sec", .role = ROW_NUMBER, .required = true},
	{"routine", .role = ROW_KERNEL, .required = true},
	{"backend", .role = ROW_VARIANT, .required = true},
	{"use_cupti", .role = ROW_WORK},
	{"no_cuda_graph", .role = ROW_WORK},
	{"random_seed", .role = ROW_ATTRIBUTE},
	{"repro_command", .role = ROW_ATTRIBUTE},
	{"generate_repro_command", .role = ROW_RESULT},
	{"refcheck", .role = ROW_RESULT},
	{"allow_output_mismatch", .role = ROW_RESULT},
	{.role = ROW_END},
};

static bool is_none(struct span cell)
{
	return cell.len == 0 || span_is(cell, "None");
}

static bool is_fp4(const struct csv *csv)
{
	return !is_none(csv_cell(csv, "use_nvfp4"));
}

/* The column with the dtype of the work. */
static const char *dtype_column(const struct csv *csv)
{
	static const char *const names[] = {"q_dtype", "input_dtype"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!is_none(csv_cell(csv, names[i])))
			return dtype_normalise(csv_cell(csv, names[i])) ? names[i] : NULL;
	return NULL;
}

/* The dtype's column is not a parameter, unless fp4 replaced it as the dtype. */
static const char *not_param(const struct row_reading *r)
{
	return is_fp4(&r->csv) ? NULL : dtype_column(&r->csv);
}

/* Gives the count that the benchmark divided by the time, or the rate if the count cannot be
 * recovered. */
static void give_work(struct run *run, double rate, double seconds, enum metric count_metric,
		      enum metric rate_metric)
{
	double count = rate * 1e12 * seconds;
	if (!(rate > 0))
		return;
	if (count < 1e14 && count >= 1 && fabs(count - round(count)) <= whole_tolerance * count)
		run_give(run, count_metric, round(count), PROVENANCE_REPORTED);
	else
		run_give(run, rate_metric, rate * 1e12, PROVENANCE_REPORTED);
}

static int describe(struct row_reading *r, struct run *run, struct error *err)
{
	const struct csv *csv = &r->csv;
	const char *dtype = dtype_column(csv);
	double seconds = r->numbers[MEDIAN_TIME] / 1e3;
	(void)err;
	run->dtype = is_fp4(csv) ? "fp4" : dtype ? csv_text(csv, dtype) : NULL;
	if (span_is(csv_cell(csv, "use_cupti"), "True"))
		run->tool = "flashinfer-cupti";
	/* Without a CUDA graph the time includes the gaps between launches. */
	if (span_is(csv_cell(csv, "no_cuda_graph"), "True"))
		run_set_param(r->arena, run, "no_cuda_graph", "True");
	give_work(run, r->numbers[TERA_FLOPS], seconds, METRIC_ALGORITHMIC_FLOPS,
		  METRIC_ALGORITHMIC_RATE);
	give_work(run, r->numbers[TERA_BYTES], seconds, METRIC_ALGORITHMIC_BYTES,
		  METRIC_ALGORITHMIC_BANDWIDTH);
	return 0;
}

/* A group with a single row still represents repeats,
 * of which the file has median and deviation. */
static void finish(const struct row_reading *r, const struct row_group *group)
{
	if (group->row_count > 1 || isnan(group->numbers[1]))
		return;
	run_add_spread(r->arena, group->run,
		       (struct run_spread){.metric = METRIC_TOTAL_TIME,
					   .count = NAN,
					   .minimum = NAN,
					   .median = group->numbers[0],
					   .mean = NAN,
					   .maximum = NAN,
					   .deviation = group->numbers[1]});
}

static const struct row_reader rows = {
	.tool = "flashinfer",
	.size_limit = 64u << 20,
	.columns = columns,
	.rest_are_params = true,
	.none = "None",
	.width = 2,
	.metrics = {METRIC_TOTAL_TIME, METRIC_COUNT},
	.divisors = {1e3, 1e3},
	.left_out = "left out, median_time is 0 or missing",
	.nothing = "no row has a median_time above 0",
	.describe = describe,
	.not_param = not_param,
	.finish = finish,
};

static bool detect(struct span head)
{
	return row_reader_detect(&rows, head);
}

static int read_flashinfer(struct arena *arena, struct input *input, struct ingest_result *result,
			   struct error *err)
{
	return row_reader_read(&rows, arena, input, result, err);
}

const struct reader flashinfer_reader = {"flashinfer", "flashinfer_benchmark.py --output_path, CSV",
					 0, detect, read_flashinfer};
