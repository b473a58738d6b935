/*
 * Reader of cutlass_profiler --output=FILE (CSV). One run per operation, provider
 * and problem; rows of the same are repeats.
 *
 *   Runtime, ms              total_time, measured
 *   Bytes, Flops             algorithmic_bytes, algorithmic_flops (formulas of the profiler)
 *   Provider                 variant
 *   type of A                dtype; not for f32 on the tensor cores, whose arithmetic it hides
 *   m, n, k, A, B, C ...     parameters: all but results and what the operation's name says
 *
 * GFLOPs and GB/s are not kept, but checked: GB/s is Bytes / time in units of 2^30. A row of
 * Disposition "incorrect" or "failed" keeps its time and is marked.
 */
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "ingest/reader.h"
#include "ingest/table/csv.h"
#include "ingest/collect/kernel_name.h"
#include "ingest/collect/row_groups.h"

static const size_t size_limit = 64u << 20;
/* Rates are printed with six digits, and so is the time that they are recomputed from. */
static const double tolerance = 1e-4;

/* Columns that are no parameters: results, and what the name of the operation says. */
static const char *const others[] = {
	"Problem", "Provider", "OperationKind", "Operation", "Disposition", "Status",  "Bytes",
	"Flops",   "Runtime",  "Flops/Byte",    "GB/s",      "GFLOPs",      "accum",   "op_class",
	"cta_m",   "cta_n",    "cta_k",         "stages",    "warps_m",     "warps_n", "warps_k",
	"inst_m",  "inst_n",   "inst_k",        "min_cc",    "max_cc",
};

struct reading {
	struct arena *arena;
	struct csv csv;
	bool *is_parameter; /* of each column */
	struct row_groups groups;
	struct row_count failed;  /* Status is no success, or there is no time */
	struct row_count strange; /* rates that fit no unit */
};

struct row {
	double milliseconds, bytes, flops, gigabytes, gigaflops;
};

static bool is_parameter(struct span name)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (span_is(name, others[i]))
			return false;
	return name.len != 0;
}

static bool is_near(double number, double expected)
{
	return fabs(number - expected) <= tolerance * fabs(expected);
}

/* The profiler's GB is 2^30 bytes; a true GB would be no surprise in another version. */
static bool rates_fit(const struct row *row)
{
	double seconds = row->milliseconds / 1e3;
	double bandwidth = row->bytes / seconds;
	bool bytes_fit = isnan(row->bytes) || isnan(row->gigabytes) || row->gigabytes == 0 ||
			 is_near(row->gigabytes, bandwidth / 1073741824) ||
			 is_near(row->gigabytes, bandwidth / 1e9);
	bool flops_fit = isnan(row->flops) || isnan(row->gigaflops) || row->gigaflops == 0 ||
			 is_near(row->gigaflops, row->flops / seconds / 1e9);
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

static void describe(const struct reading *r, struct run *run, bool is_wrong)
{
	const struct csv *csv = &r->csv;
	const char *provider = csv_text(csv, "Provider");
	const char *disposition = csv_text(csv, "Disposition");
	struct span operation = csv_cell(csv, "Operation");
	run->kernel = kernel_short_name(r->arena, operation);
	run->variant = provider ? provider : "";
	run->dtype = dtype_of(csv);
	run->tool = "cutlass-profiler";
	for (size_t i = 0; i < csv->name_count; i++) {
		const char *value = r->is_parameter[i] ? csv_text_at(csv, i) : NULL;
		if (value)
			run_set_param(r->arena, run,
				      arena_strndup(r->arena, csv->names[i].ptr, csv->names[i].len),
				      value);
	}
	if (disposition)
		run_add_attribute(r->arena, run, "disposition", disposition);
	if (!is_wrong)
		return;
	run_add_attribute(r->arena, run, "correctness", "incorrect");
	run_add_note(
		r->arena, run, "rooflog",
		arena_printf(r->arena,
			     "line %zu: the profiler says that the result of %s is \"%s\": its "
			     "time proves nothing",
			     csv->line, run->kernel, disposition));
}

static int take_numbers(const struct csv *csv, struct row *row, struct error *err)
{
	const struct {
		const char *name;
		double *number;
	} columns[] = {{"Runtime", &row->milliseconds},
		       {"Bytes", &row->bytes},
		       {"Flops", &row->flops},
		       {"GB/s", &row->gigabytes},
		       {"GFLOPs", &row->gigaflops}};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (csv_amount(csv, columns[i].name, columns[i].number, err) < 0)
			return -1;
	return 0;
}

/* Everything but the numbers. */
static struct span key_of(const struct reading *r, struct strbuf *key)
{
	strbuf_reset(key);
	strbuf_addspan(key, csv_cell(&r->csv, "Provider"));
	strbuf_addch(key, '\n');
	strbuf_addspan(key, csv_cell(&r->csv, "Operation"));
	strbuf_addch(key, '\n');
	strbuf_addspan(key, csv_cell(&r->csv, "Disposition"));
	for (size_t i = 0; i < r->csv.name_count; i++)
		if (r->is_parameter[i]) {
			strbuf_addch(key, '\n');
			strbuf_addspan(key, csv_at(&r->csv, i));
		}
	return strbuf_span(key);
}

static int take_row(struct reading *r, struct strbuf *key, struct error *err)
{
	struct row row;
	const struct csv *csv = &r->csv;
	struct span disposition = csv_cell(csv, "Disposition");
	if (csv_known_row(csv, err) < 0 || take_numbers(csv, &row, err) < 0)
		return -1;
	if ((csv_has(csv, "Status") && !span_is(csv_cell(csv, "Status"), "success")) ||
	    !(row.milliseconds > 0)) {
		row_count_add(&r->failed, csv->line);
		return 0;
	}
	if (csv_cell(csv, "Operation").len == 0)
		return error_set(err, ERR_FORMAT, "line %zu: Operation is empty", csv->line);
	struct row_group *group = row_groups_find(&r->groups, key_of(r, key), csv->line, err);
	if (!group)
		return -1;
	if (group->row_count == 0) {
		describe(r, group->run,
			 span_is(disposition, "incorrect") || span_is(disposition, "failed"));
		if (row.flops > 0)
			run_give(group->run, METRIC_ALGORITHMIC_FLOPS, row.flops,
				 PROVENANCE_REPORTED);
		if (row.bytes > 0)
			run_give(group->run, METRIC_ALGORITHMIC_BYTES, row.bytes,
				 PROVENANCE_REPORTED);
	}
	*row_group_add(&r->groups, group) = row.milliseconds / 1e3;
	if (!rates_fit(&row))
		row_count_add(&r->strange, csv->line);
	return 0;
}

static int read_rows(struct reading *r, struct error *err)
{
	struct strbuf key = {0};
	int rc;
	if (csv_known_header(&r->csv, err) < 0)
		return -1;
	r->is_parameter = arena_array(r->arena, r->csv.name_count + 1, sizeof *r->is_parameter);
	for (size_t i = 0; i < r->csv.name_count; i++)
		r->is_parameter[i] = is_parameter(r->csv.names[i]);
	while ((rc = csv_next(&r->csv, err)) > 0)
		if ((rc = take_row(r, &key, err)) < 0)
			break;
	strbuf_free(&key);
	return rc;
}

static int read_profiler(struct arena *arena, struct input *input, struct ingest_result *result,
			 struct error *err)
{
	struct span bytes;
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	struct reading r = {.arena = arena,
			    .csv = csv_of(arena, bytes, ','),
			    .groups = {.arena = arena, .width = 1}};
	if (read_rows(&r, err) < 0)
		return -1;
	if (r.groups.count == 0)
		return error_set(err, ERR_FORMAT,
				 "no row was measured: there is none with Status \"success\" and a "
				 "Runtime above 0");
	row_groups_note(&r.groups, r.failed, "left out, without success or without a time");
	row_groups_note(&r.groups, r.strange,
			"GFLOPs or GB/s do not follow from Flops, Bytes and Runtime in any unit; "
			"time and counts are taken as they are");
	for (size_t i = 0; i < r.groups.count; i++)
		row_group_give(&r.groups, &r.groups.items[i], 0, METRIC_TOTAL_TIME,
			       PROVENANCE_MEASURED);
	row_groups_finish(&r.groups, &result->runs);
	return 0;
}

static bool detect(struct span head)
{
	static const char *const names[] = {"Problem",   "Provider",    "OperationKind",
					    "Operation", "Disposition", "Runtime"};
	return csv_head_has(head, ',', names, sizeof names / sizeof *names);
}

const struct reader cutlass_profiler_reader = {"cutlass-profiler", "cutlass_profiler --output, CSV",
					       0, detect, read_profiler};
