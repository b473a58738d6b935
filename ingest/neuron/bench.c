/* neuron-bench and nki.benchmark: a table whose columns are found by their titles, or a list. */
#include "ingest/neuron/bench.h"

#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/table/tables.h"

/* Real files have some kilobytes, and a row per batch size; more is not such a file. */
static const size_t size_limit = 16u << 20; /* bytes */
enum { column_limit = 32, row_limit = 1024 };

struct row {
	size_t count;
	struct span cells[column_limit];
};

/* Cells are separated by a tab or two blanks, because titles such as "NC USED" contain one blank.
 * False if the line has more than column_limit cells. */
static bool cut_cells(struct span line, struct row *row)
{
	row->count = 0;
	line = span_trim(line);
	while (line.len) {
		size_t end = 0;
		while (end < line.len &&
		       !(line.ptr[end] == '\t' ||
			 (line.ptr[end] == ' ' && end + 1 < line.len && line.ptr[end + 1] == ' ')))
			end++;
		if (row->count == column_limit)
			return false;
		row->cells[row->count++] = (struct span){line.ptr, end};
		line = span_trim(span_from(line, end));
	}
	return true;
}

/* The index of the column, or header->count if there is none. */
static size_t column_of(const struct row *header, const char *title)
{
	size_t i = 0;
	while (i < header->count && !span_is(header->cells[i], title))
		i++;
	return i;
}

static bool is_header(const struct row *row)
{
	return column_of(row, "NCL(50)") < row->count && column_of(row, "L(50)") < row->count;
}

static bool is_rule(struct span line)
{
	line = span_trim(line);
	return span_starts(line, "+-") || span_starts(line, "---");
}

/* --- a row --- */

/* The number in a cell; NAN for "N/A" and for a missing column. */
static int number_of(const struct lines *lines, const struct row *header, const struct row *row,
		     const char *title, double *number, struct error *err)
{
	char text[lines_excerpt_size];
	size_t column = column_of(header, title);
	assert(row->count == header->count);
	*number = NAN;
	if (column == header->count || span_is(row->cells[column], "N/A"))
		return 0;
	if (span_number(row->cells[column], number) && *number >= 0)
		return 0;
	return error_set(err, ERR_FORMAT, "line %zu: %s is \"%s\", not a number", lines->number,
			 title, lines_excerpt(text, row->cells[column]));
}

/* The divisor converts the column's unit to that of the metric. */
static const struct {
	const char *title;
	enum metric metric;
	double divisor;
} figures[] = {
	{"NCL(50)", METRIC_TOTAL_TIME, 1e6},
	{"NCL(99)", METRIC_TIME_P99, 1e6},
	{"L(50)", METRIC_HOST_TIME, 1e6},
	{"INF/S", METRIC_THROUGHPUT, 1},
};

/* Columns that are not metrics. A `param` is part of the work that was measured and distinguishes
 * rows; the others are attributes only. */
static const struct {
	const char *title, *param, *attribute;
} facts[] = {
	{"B", "batch", "neuron_bench_batch"},      {"NC", "nc", "neuron_bench_nc"},
	{"NC USED", NULL, "neuron_bench_nc_used"}, {"WEIGHTS", NULL, "neuron_bench_weights"},
	{"MODE", "mode", "neuron_bench_mode"},
};

static struct run *new_run(struct arena *arena)
{
	struct run *run = run_new(arena);
	run->tool = "neuron-bench";
	return run;
}

static void read_facts(struct arena *arena, const struct row *header, const struct row *row,
		       struct run *run)
{
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		size_t column = column_of(header, facts[i].title);
		struct span cell = column < row->count ? row->cells[column] : (struct span){"", 0};
		if (cell.len == 0 || !utf8_is_line(cell))
			continue;
		const char *text = bounded_text_of(arena, cell);
		run_add_attribute(arena, run, facts[i].attribute, text);
		if (facts[i].param)
			run_set_param(arena, run, facts[i].param, text);
	}
}

static int read_figures(const struct lines *lines, const struct row *header, const struct row *row,
			struct run *run, struct error *err)
{
	char text[lines_excerpt_size];
	if (row->count != header->count)
		return error_set(err, ERR_FORMAT, "line %zu: %zu cell%s, but the header has %zu",
				 lines->number, row->count, row->count == 1 ? "" : "s",
				 header->count);
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		double number;
		if (number_of(lines, header, row, figures[i].title, &number, err) < 0)
			return -1;
		run_set(run, figures[i].metric, number / figures[i].divisor, PROVENANCE_MEASURED);
	}
	if (!(run->given[METRIC_TOTAL_TIME].number > 0))
		return error_set(err, ERR_FORMAT,
				 "line %zu: NCL(50) is \"%s\": no time was measured", lines->number,
				 lines_excerpt(text, row->cells[column_of(header, "NCL(50)")]));
	return 0;
}

/* --- the table --- */

/* Rows must differ in their parameters: otherwise several runs would claim the same series. */
static int check_distinct(struct arena *arena, const struct run_list *runs, struct error *err)
{
	for (size_t i = 1; i < runs->count; i++) {
		const char *own = run_params_text(arena, runs->items[i]);
		for (size_t k = 0; k < i; k++)
			if (strcmp(own, run_params_text(arena, runs->items[k])) == 0)
				return error_set(err, ERR_FORMAT,
						 "rows %zu and %zu have the same B, NC and MODE "
						 "and cannot be distinguished",
						 k + 1, i + 1);
	}
	return 0;
}

static int read_table(struct arena *arena, struct lines *lines, const struct row *header,
		      struct run_list *runs, struct error *err)
{
	struct span line;
	struct row row;
	size_t at = lines->number;
	while (lines_next(lines, &line) && span_trim(line).len && !is_rule(line)) {
		if (runs->count == row_limit || !cut_cells(line, &row))
			return error_set(err, ERR_FORMAT, "line %zu: the table is too large",
					 lines->number);
		struct run *run = new_run(arena);
		if (read_figures(lines, header, &row, run, err) < 0)
			return -1;
		read_facts(arena, header, &row, run);
		run_list_add(arena, runs, run);
	}
	if (runs->count == 0)
		return error_set(err, ERR_FORMAT, "line %zu: the table has no rows", at);
	return check_distinct(arena, runs, err);
}

/* --- the list --- */

struct percentiles {
	size_t line;   /* number of the line "NCLatency"; 0: it was not seen */
	double p[101]; /* latency by percentile, s; NAN unknown */
};

/* Reads a line such as "p50 = 6929us" and ignores others. -1 and *err without a valid time. */
static int read_percentile(struct percentiles *list, size_t number, struct span line,
			   struct error *err)
{
	char text[lines_excerpt_size];
	struct span rest = span_trim(line), name;
	double percent, seconds, bare;
	if (!span_starts(rest, "p") || span_find(rest, "=") == rest.len)
		return 0;
	name = span_trim(span_cut(&rest, '='));
	if (!span_number(span_from(name, 1), &percent) || percent < 0 || percent > 100 ||
	    percent != floor(percent))
		return 0;
	rest = span_trim(rest);
	if (span_number(rest, &bare) || !quantity_parse(rest, UNIT_SECOND, &seconds) ||
	    !(seconds >= 0))
		return error_set(err, ERR_FORMAT,
				 "line %zu: p%.0f is \"%s\", not a time with its unit", number,
				 percent, lines_excerpt(text, rest));
	list->p[(int)percent] = seconds;
	return 0;
}

static int finish_list(struct arena *arena, const struct percentiles *list, struct run_list *runs,
		       struct error *err)
{
	struct run *run = new_run(arena);
	assert(list->line);
	if (!(list->p[50] > 0))
		return error_set(err, ERR_FORMAT, "line %zu: NCLatency has no p50 above 0",
				 list->line);
	run_set(run, METRIC_TOTAL_TIME, list->p[50], PROVENANCE_MEASURED);
	run_set(run, METRIC_TIME_P99, list->p[99], PROVENANCE_MEASURED);
	if (list->p[0] <= list->p[50] && list->p[50] <= list->p[100])
		run_add_spread(arena, run,
			       (struct run_spread){.metric = METRIC_TOTAL_TIME,
						   .count = NAN,
						   .minimum = list->p[0],
						   .median = list->p[50],
						   .mean = NAN,
						   .maximum = list->p[100],
						   .deviation = NAN});
	run_list_add(arena, runs, run);
	return 0;
}

static struct percentiles percentiles_of(size_t line)
{
	struct percentiles list = {.line = line};
	for (size_t i = 0; i <= 100; i++)
		list.p[i] = NAN;
	return list;
}

/* --- all of it --- */

static bool is_list(struct span line)
{
	line = span_trim(line);
	return span_starts(line, "NCLatency") &&
	       (line.len == 9 || line.ptr[9] == ':' || line.ptr[9] == ' ');
}

static int fail_several(size_t first, size_t second, struct error *err)
{
	return error_set(
		err, ERR_FORMAT,
		"two results (lines %zu and %zu) without kernel names: put each into its own file",
		first < second ? first : second, first < second ? second : first);
}

/* nki.benchmark prints a list after the table with the same latency. The list is redundant if its
 * median is within 1 % of a row, which allows for rounding. */
static bool is_same_latency(const struct percentiles *list, const struct run_list *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		double own = runs->items[i]->given[METRIC_TOTAL_TIME].number;
		if (!(fabs(list->p[50] - own) > 0.01 * own))
			return true;
	}
	return false;
}

static int read_bench(struct arena *arena, struct input *input, struct ingest_result *result,
		      struct error *err)
{
	struct span bytes, line;
	struct row row;
	struct run_list runs = {0};
	struct percentiles list = {0};
	size_t table = 0;
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	struct lines lines = lines_of(bytes);
	while (lines_next(&lines, &line)) {
		size_t at = lines.number;
		if (cut_cells(line, &row) && is_header(&row)) {
			if (table)
				return fail_several(table, at, err);
			table = at;
			if (read_table(arena, &lines, &row, &runs, err) < 0)
				return -1;
		} else if (is_list(line)) {
			if (list.line)
				return fail_several(list.line, at, err);
			list = percentiles_of(at);
		} else if (list.line && read_percentile(&list, at, line, err) < 0) {
			return -1;
		}
	}
	if (!table && !list.line)
		return error_set(err, ERR_FORMAT,
				 "no NCL(50) table and no \"NCLatency\" list found");
	if (table && list.line && !is_same_latency(&list, &runs))
		return fail_several(table, list.line, err);
	if (!table && finish_list(arena, &list, &runs, err) < 0)
		return -1;
	run_list_add_all(arena, &result->runs, &runs);
	return 0;
}

struct results {
	size_t tables, lists;
};

static struct results results_in(struct span head)
{
	struct results results = {0, 0};
	struct lines lines = lines_of(head);
	struct span line;
	struct row row;
	bool open = false;
	while (lines_next(&lines, &line)) {
		struct span rest = span_trim(line);
		results.tables += cut_cells(line, &row) && is_header(&row);
		if (open && span_starts(rest, "p") && span_find(rest, "=") < rest.len) {
			results.lists++;
			open = false;
		}
		open = is_list(line) || (open && rest.len == 0);
	}
	return results;
}

bool neuron_bench_has_several(struct span head)
{
	struct results results = results_in(head);
	return results.tables > 1 || results.lists > 1;
}

static bool detect(struct span head)
{
	struct results results = results_in(head);
	return results.tables <= 1 && results.lists <= 1 && results.tables + results.lists > 0;
}

const struct reader neuron_bench_reader = {"neuron-bench", "neuron-bench, nki.benchmark",
					   NEEDS_DTYPE | NEEDS_DEVICE, detect, read_bench};
