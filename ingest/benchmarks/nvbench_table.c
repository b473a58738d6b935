/*
 * Tables of NVBench, --csv and --markdown: one run per row that was not skipped.
 *
 * - CSV has one table. Axes stand before "Skipped", and those that only later benchmarks have stand
 *   at the end. What a benchmark counts stands between "Skipped" and the first measurement.
 * - Markdown has a table per benchmark and device, in which axes and counts stand together. The log
 *   above has the axes of each state: "Run: [1/9] NAME [Device=0 T=F32 Size=2^9]".
 * - An axis of powers of two has a column of its own in CSV, "Size (pow2)", and is "2^9 = 512" in
 *   Markdown.
 */

#include "base/text/text.h"
#include "ingest/json/document/document.h"
#include "ingest/reader.h"
#include "ingest/table/tables.h"

enum { row_limit = 100000, benchmark_limit = 256 };
static const size_t size_limit = 16u << 20;

enum column { BENCHMARK, DEVICE, SKIPPED, SAMPLES, CPU_TIME, GPU_TIME, ITEMS, BANDWIDTH, COLUMNS };
static const char *const titles[COLUMNS][2] = {
	{"Benchmark", NULL},
	{"Device Name", NULL},
	{"Skipped", NULL},
	{"Samples", "Samples"},
	{"CPU Time (sec)", "CPU Time"},
	{"GPU Time (sec)", "GPU Time"},
	{"Elem/s (elem/sec)", "Elem/s"},
	{"GlobalMem BW (bytes/sec)", "GlobalMem BW"},
};
/* More measurements. All stand together. */
static const char *const measured[] = {"Noise",      "BWUtil",       "Batch GPU", "Batch GPU (sec)",
				       "BWPeak",     "Batch",        "Walltime",  "Walltime (sec)",
				       "Clock Rate", "Clock Scaling"};

struct reading {
	struct arena *arena;
	struct json_runs runs;
	struct csv csv;
	bool is_markdown;
	size_t at[COLUMNS]; /* csv_column_limit: not in the table */
	bool *is_param;     /* by column */
	const char *benchmark, *device;
	struct span state; /* of the benchmark, in the log of Markdown; may be empty */
	size_t skipped, untimed, benchmarks;
};

/* --- cells --- */

/* 14.5 us, 1.034 MB/s, 172.263K, 43066x, 3.75%: NVBench's own prefixes. */
static const struct {
	const char *word;
	double scale;
} units[] = {{"PB/s", 1e15}, {"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}, {"KB/s", 1e3},
	     {"B/s", 1},     {"ms", 1e-3},   {"us", 1e-6},  {"ns", 1e-9},  {"s", 1},
	     {"P", 1e15},    {"T", 1e12},    {"G", 1e9},    {"M", 1e6},    {"K", 1e3},
	     {"x", 1},       {"%", 1e-2}};

/* NAN for an empty cell, infinite noise and what is not a number. */
static double number_of(struct span cell)
{
	double number = NAN, scale = 1;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (span_ends(cell, units[i].word)) {
			cell.len -= strlen(units[i].word);
			scale = units[i].scale;
			break;
		}
	return span_number(span_trim(cell), &number) && number >= 0
		       ? json_document_scale(number, scale)
		       : NAN;
}

/* A time, where a cell that is not one is an error. */
static int time_of(const struct reading *r, enum column column, double *time, struct error *err)
{
	char excerpt[lines_excerpt_size];
	struct span cell = csv_at(&r->csv, r->at[column]);
	*time = number_of(cell);
	if (cell.len && (isnan(*time) || (r->is_markdown && !span_ends(cell, "s"))))
		return error_set(err, ERR_FORMAT, "line %zu: %s is \"%s\", not a time", r->csv.line,
				 titles[column][r->is_markdown], lines_excerpt(excerpt, cell));
	return 0;
}

/* --- the header --- */

static bool is_measured(struct span name)
{
	for (size_t i = SAMPLES; i < COLUMNS; i++)
		if (span_is(name, titles[i][0]) || span_is(name, titles[i][1]))
			return true;
	for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
		if (span_is(name, measured[i]))
			return true;
	return false;
}

/* Whether the log of the benchmark has a value of the axis. */
static bool is_in_log(const struct reading *r, struct span name)
{
	const char *set = arena_printf(r->arena, " %.*s=", (int)name.len, name.ptr);
	return span_find(r->state, set) < r->state.len;
}

static bool is_axis(const struct reading *r, size_t column, bool past)
{
	struct span name = r->csv.names[column];
	if (name.len == 0 || is_measured(name) || span_ends(name, " (pow2)") ||
	    span_ends(name, " (bytes)"))
		return false;
	if (r->is_markdown)
		return !past && (r->state.len == 0 || is_in_log(r, name));
	return (column < r->at[SKIPPED] || past) && column != r->at[BENCHMARK] &&
	       column != r->at[DEVICE] && !span_is(name, "Device");
}

static int read_header(struct reading *r, struct error *err)
{
	bool past = false;
	if (csv_known_header(&r->csv, err) < 0)
		return -1;
	for (size_t i = 0; i < COLUMNS; i++) {
		const char *title = titles[i][r->is_markdown];
		r->at[i] = title ? csv_column(&r->csv, title) : csv_column_limit;
	}
	if (r->at[CPU_TIME] == csv_column_limit && r->at[GPU_TIME] == csv_column_limit)
		return error_set(err, ERR_FORMAT,
				 "line %zu: the table has no times; expected \"%s\"", r->csv.line,
				 titles[GPU_TIME][r->is_markdown]);
	r->is_param = arena_array(r->arena, r->csv.name_count, sizeof *r->is_param);
	for (size_t i = 0; i < r->csv.name_count; i++) {
		past |= is_measured(r->csv.names[i]);
		r->is_param[i] = is_axis(r, i, past);
	}
	return 0;
}

/* Columns after the first measurement are axes of later benchmarks, which are empty in the first
 * one, or what a benchmark counted itself. */
static int drop_counted(struct reading *r, struct error *err)
{
	struct csv csv = r->csv;
	struct span first = {NULL, 0};
	int more;
	while ((more = csv_next(&csv, err)) > 0) {
		struct span benchmark = csv_at(&csv, r->at[BENCHMARK]);
		if (!first.ptr)
			first = benchmark;
		if (!span_eq(first, benchmark))
			return 0;
		for (size_t i = r->at[SKIPPED] + 1; i < csv.name_count; i++)
			r->is_param[i] &= csv_at(&csv, i).len == 0;
	}
	return more;
}

/* --- rows --- */

/* "4.000 MiB" is what the benchmark counts, if the axis is not in its log. */
static bool is_size(struct span cell)
{
	static const char *const sizes[] = {" B", " KiB", " MiB", " GiB", " TiB"};
	double number;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (span_ends(cell, sizes[i]))
			return span_number((struct span){cell.ptr, cell.len - strlen(sizes[i])},
					   &number);
	return false;
}

/* "2^9 = 512" is 512. */
static void set_params(struct reading *r, struct run *run)
{
	for (size_t i = 0; i < r->csv.name_count; i++) {
		struct span name = r->csv.names[i], cell = csv_at(&r->csv, i);
		size_t equals = span_find(cell, " = ");
		if (!r->is_param[i] || cell.len == 0 ||
		    (r->is_markdown && is_size(cell) && !is_in_log(r, name)))
			continue;
		if (r->is_markdown && span_starts(cell, "2^") && equals < cell.len)
			cell = span_trim(
				(struct span){cell.ptr + equals + 3, cell.len - equals - 3});
		const char *title = arena_strndup(r->arena, name.ptr, name.len);
		if (!run_param(run, title))
			run_set_param(r->arena, run, title,
				      arena_strndup(r->arena, cell.ptr, cell.len));
	}
}

/* A time with its noise, which is relative and in the next column. */
static void set_time(const struct reading *r, struct run *run, enum column column, double time)
{
	static const enum metric metrics[] = {
		[CPU_TIME] = METRIC_HOST_TIME, [GPU_TIME] = METRIC_TOTAL_TIME};
	size_t noise = r->at[column] + 1;
	double count = number_of(csv_at(&r->csv, r->at[SAMPLES]));
	if (!(time > 0))
		return;
	run_set(run, metrics[column], time, PROVENANCE_MEASURED);
	if (!(count > 1))
		return;
	struct run_spread spread = run_spread_unknown(metrics[column]);
	spread.count = count;
	spread.mean = time;
	if (noise < r->csv.name_count && span_is(r->csv.names[noise], "Noise"))
		spread.deviation = number_of(csv_at(&r->csv, noise)) * time;
	run_add_spread(r->arena, run, spread);
}

/* CSV has the rate in full, so that the bytes can be recovered as they are from JSON. */
static void set_rates(const struct reading *r, struct run *run, double time)
{
	double rate = number_of(csv_at(&r->csv, r->at[BANDWIDTH]));
	run_set(run, METRIC_THROUGHPUT, number_of(csv_at(&r->csv, r->at[ITEMS])),
		PROVENANCE_REPORTED);
	if (isnan(rate) || !(time > 0))
		return;
	if (r->is_markdown)
		run_set(run, METRIC_ALGORITHMIC_BANDWIDTH, rate, PROVENANCE_REPORTED);
	else
		run_set(run, METRIC_ALGORITHMIC_BYTES, round(rate * time), PROVENANCE_REPORTED);
}

static int read_row(struct reading *r, struct error *err)
{
	double host, device;
	const char *benchmark = r->is_markdown ? r->benchmark : csv_text(&r->csv, "Benchmark");
	if (csv_known_row(&r->csv, err) < 0)
		return -1;
	if (span_starts(csv_at(&r->csv, r->is_markdown), "--"))
		return 0;
	if (span_is(csv_at(&r->csv, r->at[SKIPPED]), "Yes")) {
		r->skipped++;
		return 0;
	}
	if (time_of(r, CPU_TIME, &host, err) < 0 || time_of(r, GPU_TIME, &device, err) < 0)
		return -1;
	if (!(host > 0) && !(device > 0)) {
		r->untimed++;
		return 0;
	}
	if (!benchmark)
		return error_set(err, ERR_FORMAT, "line %zu: the row has no benchmark",
				 r->csv.line);
	if (r->runs.list.count == row_limit)
		return error_set(err, ERR_FORMAT, "more than %d rows", (int)row_limit);
	struct run *run = run_new(r->arena);
	run->kernel = benchmark;
	run->tool = "nvbench";
	run->device = r->is_markdown ? r->device : csv_text(&r->csv, titles[DEVICE][0]);
	set_params(r, run);
	set_time(r, run, CPU_TIME, host);
	set_time(r, run, GPU_TIME, device);
	set_rates(r, run, device);
	json_document_add_run(&r->runs, run);
	return 0;
}

static int read_table(struct reading *r, struct span table, size_t line, struct error *err)
{
	int rc;
	r->csv = csv_of(r->arena, table, r->is_markdown ? '|' : ',');
	r->csv.line = r->csv.next_line = line;
	if (read_header(r, err) < 0 || (!r->is_markdown && drop_counted(r, err) < 0))
		return -1;
	while ((rc = csv_next(&r->csv, err)) > 0)
		if (read_row(r, err) < 0)
			return -1;
	return rc;
}

/* --- Markdown --- */

/* The first state of the benchmark in the log: " [Device=0 T=F32]". */
static struct span state_in_log(struct reading *r, struct span text)
{
	const char *begin = arena_printf(r->arena, " %s [", r->benchmark);
	struct span line;
	while (text.len) {
		line = span_cut(&text, '\n');
		size_t at = span_find(line, begin);
		if (span_starts(line, "Run:") && at < line.len) {
			at += strlen(begin) - 1;
			char *state = arena_strndup(r->arena, line.ptr + at, line.len - at);
			*state = ' ';
			return span_of(state);
		}
		if (span_starts(line, "# Benchmark Results"))
			break;
	}
	return (struct span){"", 0};
}

/* The heading from byte `at` on. */
static int read_heading(struct reading *r, const struct lines *lines, struct span line, size_t at,
			const char **name, struct error *err)
{
	struct span text = span_from(line, at);
	if (!utf8_is_line(text))
		return error_set(err, ERR_FORMAT, "line %zu: the heading is not valid UTF-8",
				 lines->number);
	*name = json_document_name(r->arena, arena_strndup(r->arena, text.ptr, text.len));
	return 0;
}

static int read_line(struct reading *r, struct span text, struct lines *lines, struct span line,
		     struct error *err)
{
	if (span_starts(line, "## ")) {
		if (r->benchmarks++ == benchmark_limit)
			return error_set(err, ERR_FORMAT, "more than %d benchmarks",
					 (int)benchmark_limit);
		r->device = NULL;
		if (read_heading(r, lines, line, strlen("## "), &r->benchmark, err) < 0)
			return -1;
		r->state = state_in_log(r, text);
		return 0;
	}
	if (span_starts(line, "### [") && span_find(line, "] ") < line.len) {
		size_t at = span_find(line, "] ") + 2;
		return read_heading(r, lines, line, at, &r->device, err);
	}
	if (span_starts(line, "|") && r->benchmark) {
		struct span rest = lines->rest;
		const char *end = line.ptr + line.len;
		size_t number = lines->number;
		while (span_starts(lines->rest, "|") && lines_next(lines, &rest))
			end = rest.ptr + rest.len;
		return read_table(r, (struct span){line.ptr, (size_t)(end - line.ptr)}, number,
				  err);
	}
	return 0;
}

static int read_markdown(struct reading *r, struct span text, struct error *err)
{
	struct lines lines = lines_of(text);
	struct span line;
	bool results = false;
	while (lines_next(&lines, &line)) {
		if (results && read_line(r, text, &lines, line, err) < 0)
			return -1;
		results |= span_starts(line, "# Benchmark Results");
	}
	if (!results)
		return error_set(err, ERR_FORMAT,
				 "the output ends before \"# Benchmark Results\"; it is truncated");
	return 0;
}

/* --- the file --- */

static bool is_markdown(struct span text)
{
	return span_starts(text, "# Devices\n") || span_starts(text, "# Devices\r") ||
	       span_starts(text, "# Benchmark Results");
}

static int read_nvbench_table(struct arena *arena, struct input *input,
			      struct ingest_result *result, struct error *err)
{
	struct span bytes;
	struct reading r = {.arena = arena, .runs = {.arena = arena}};
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	r.is_markdown = is_markdown(bytes);
	if ((r.is_markdown ? read_markdown(&r, bytes, err) : read_table(&r, bytes, 1, err)) < 0)
		return -1;
	if (r.skipped)
		json_document_note(&r.runs, "states skipped by the benchmark: %zu", r.skipped);
	if (r.untimed)
		json_document_note(&r.runs, "rows without a time, skipped: %zu", r.untimed);
	return json_document_finish(&r.runs, "no row was measured", result, err);
}

static bool detect(struct span head)
{
	return is_markdown(head) || span_starts(head, "Benchmark,Device,Device Name,");
}

const struct reader nvbench_table_reader = {"nvbench-table", "NVBench --csv, --markdown", 0, detect,
					    read_nvbench_table};
