/*
 * Reader of the table that flashinfer_benchmark.py writes (CSV, some names twice). One run per
 * routine, backend and arguments.
 *
 *   median_time, ms              total_time, measured; std_time, ms: its deviation
 *   tflops, tb_per_sec           algorithmic_flops and algorithmic_bytes = rate x time, where that
 *                                is a whole number (the benchmark divided it by that very time);
 *                                else algorithmic_rate and algorithmic_bandwidth. 0 is unknown
 *   backend                      variant
 *   q_dtype, else input_dtype    dtype; "fp4" where use_nvfp4 has a value
 *   use_cupti                    tool: CUPTI times and event times never share a series
 *   other arguments              parameters, but for those that steer the benchmark; case_tag too,
 *                                for it tells apart what the columns do not
 */
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "ingest/reader.h"
#include "ingest/table/csv.h"
#include "ingest/collect/row_groups.h"

static const size_t size_limit = 64u << 20;
/* A count of less than 1e14 in 15 digits or more. */
static const double whole_tolerance = 1e-9;

/* Columns that are no parameters of the work. */
static const char *const others[] = {
	"routine",       "median_time",
	"std_time",      "tflops",
	"tb_per_sec",    "backend",
	"refcheck",      "no_cuda_graph",
	"use_cupti",     "allow_output_mismatch",
	"random_seed",   "generate_repro_command",
	"repro_command",
};
static const char *const attributes[] = {"random_seed", "repro_command"};

struct row {
	double milliseconds, deviation, tera_flops, tera_bytes;
};

struct reading {
	struct arena *arena;
	struct csv csv;
	bool *is_parameter;  /* of each column */
	bool *is_double;     /* another column before has its name */
	const char **params; /* what a parameter of that column is called */
	struct row_groups groups;
	struct row_count empty;
};

static bool is_parameter(struct span name)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (span_is(name, others[i]))
			return false;
	return name.len != 0;
}

static bool is_none(struct span cell)
{
	return cell.len == 0 || span_is(cell, "None");
}

/* The column that says the dtype of the work. */
static const char *dtype_column(const struct csv *csv)
{
	static const char *const columns[] = {"q_dtype", "input_dtype"};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (!is_none(csv_cell(csv, columns[i])))
			return dtype_normalise(csv_cell(csv, columns[i])) ? columns[i] : NULL;
	return NULL;
}

/* A name that occurs twice is one parameter as long as its columns agree. */
static const char *name_of(const struct reading *r, const struct run *run, size_t column,
			   const char *value)
{
	const char *name = r->params[column];
	const char *before = r->is_double[column] ? run_param(run, name) : NULL;
	if (!before || strcmp(before, value) == 0)
		return name;
	return arena_printf(r->arena, "%s#%zu", name, column + 1);
}

static void describe(const struct reading *r, struct run *run)
{
	const struct csv *csv = &r->csv;
	const char *backend = csv_text(csv, "backend");
	const char *dtype = dtype_column(csv);
	bool is_fp4 = !is_none(csv_cell(csv, "use_nvfp4"));
	run->kernel = csv_text(csv, "routine");
	run->variant = backend ? backend : "";
	run->dtype = is_fp4 ? "fp4" : dtype ? csv_text(csv, dtype) : NULL;
	run->tool = span_is(csv_cell(csv, "use_cupti"), "True") ? "flashinfer-cupti" : "flashinfer";
	for (size_t i = 0; i < csv->name_count; i++) {
		bool says_dtype = dtype && !is_fp4 && span_is(csv->names[i], dtype);
		const char *value = r->is_parameter[i] && !says_dtype && !is_none(csv_at(csv, i))
					    ? csv_text_at(csv, i)
					    : NULL;
		if (value)
			run_set_param(r->arena, run, name_of(r, run, i, value), value);
	}
	/* Without a graph the gaps between launches are in the time. */
	if (span_is(csv_cell(csv, "no_cuda_graph"), "True"))
		run_set_param(r->arena, run, "no_cuda_graph", "True");
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
		const char *text = csv_text(csv, attributes[i]);
		if (text)
			run_add_attribute(r->arena, run, attributes[i], text);
	}
}

/* The count that the benchmark divided by the time, or the rate where it cannot be told. */
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

static int take_numbers(const struct csv *csv, struct row *row, struct error *err)
{
	const struct {
		const char *name;
		double *number;
	} columns[] = {{"median_time", &row->milliseconds},
		       {"std_time", &row->deviation},
		       {"tflops", &row->tera_flops},
		       {"tb_per_sec", &row->tera_bytes}};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (csv_amount(csv, columns[i].name, columns[i].number, err) < 0)
			return -1;
	return 0;
}

static struct span key_of(const struct reading *r, struct strbuf *key)
{
	static const char *const columns[] = {"routine", "backend", "use_cupti", "no_cuda_graph"};
	strbuf_reset(key);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		strbuf_addspan(key, csv_cell(&r->csv, columns[i]));
		strbuf_addch(key, '\n');
	}
	for (size_t i = 0; i < r->csv.name_count; i++)
		if (r->is_parameter[i] && !is_none(csv_at(&r->csv, i))) {
			strbuf_addf(key, "%zu=", i);
			strbuf_addspan(key, csv_at(&r->csv, i));
			strbuf_addch(key, '\n');
		}
	return strbuf_span(key);
}

static int take_row(struct reading *r, struct strbuf *key, struct error *err)
{
	struct row row;
	const struct csv *csv = &r->csv;
	if (csv_known_row(csv, err) < 0 || take_numbers(csv, &row, err) < 0)
		return -1;
	if (!(row.milliseconds > 0)) {
		row_count_add(&r->empty, csv->line);
		return 0;
	}
	if (!csv_text(csv, "routine"))
		return error_set(err, ERR_FORMAT, "line %zu: routine is empty or no readable text",
				 csv->line);
	struct row_group *group = row_groups_find(&r->groups, key_of(r, key), csv->line, err);
	if (!group)
		return -1;
	double seconds = row.milliseconds / 1e3;
	if (group->row_count == 0) {
		describe(r, group->run);
		give_work(group->run, row.tera_flops, seconds, METRIC_ALGORITHMIC_FLOPS,
			  METRIC_ALGORITHMIC_RATE);
		give_work(group->run, row.tera_bytes, seconds, METRIC_ALGORITHMIC_BYTES,
			  METRIC_ALGORITHMIC_BANDWIDTH);
	}
	double *numbers = row_group_add(&r->groups, group);
	numbers[0] = seconds;
	numbers[1] = row.deviation / 1e3;
	return 0;
}

/* A single row stands for repeats of which the file knows median and deviation. */
static void give_time(const struct reading *r, const struct row_group *group)
{
	row_group_give(&r->groups, group, 0, METRIC_TOTAL_TIME, PROVENANCE_MEASURED);
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

static int read_header(struct reading *r, struct error *err)
{
	if (csv_known_header(&r->csv, err) < 0)
		return -1;
	r->is_parameter = arena_array(r->arena, r->csv.name_count, sizeof *r->is_parameter);
	r->is_double = arena_array(r->arena, r->csv.name_count, sizeof *r->is_double);
	r->params = arena_array(r->arena, r->csv.name_count, sizeof *r->params);
	for (size_t i = 0; i < r->csv.name_count; i++) {
		struct span name = r->csv.names[i];
		r->is_parameter[i] = is_parameter(name);
		r->params[i] = arena_strndup(r->arena, name.ptr, name.len);
		r->is_double[i] = csv_column(&r->csv, r->params[i]) < i;
	}
	return 0;
}

static int read_rows(struct reading *r, struct error *err)
{
	struct strbuf key = {0};
	int rc = read_header(r, err);
	while (rc >= 0 && (rc = csv_next(&r->csv, err)) > 0)
		rc = take_row(r, &key, err);
	strbuf_free(&key);
	return rc;
}

static int read_flashinfer(struct arena *arena, struct input *input, struct ingest_result *result,
			   struct error *err)
{
	struct span bytes;
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	struct reading r = {.arena = arena,
			    .csv = csv_of(arena, bytes, ','),
			    .groups = {.arena = arena, .width = 2}};
	if (read_rows(&r, err) < 0)
		return -1;
	if (r.groups.count == 0)
		return error_set(err, ERR_FORMAT, "no row has a median_time above 0");
	row_groups_note(&r.groups, r.empty, "left out, median_time is 0 or missing");
	for (size_t i = 0; i < r.groups.count; i++)
		give_time(&r, &r.groups.items[i]);
	row_groups_finish(&r.groups, &result->runs);
	return 0;
}

static bool detect(struct span head)
{
	static const char *const names[] = {"routine", "median_time", "std_time",
					    "tflops",  "tb_per_sec",  "backend"};
	return csv_head_has(head, ',', names, sizeof names / sizeof *names);
}

const struct reader flashinfer_reader = {"flashinfer", "flashinfer_benchmark.py --output_path, CSV",
					 0, detect, read_flashinfer};
