/*
 * Reader of the tables in report.md, the human-readable report of a profiling run.
 *
 *   | Stage | Duration (us) | TC% | DRAM% | Occ% | ...      one run per row, parameter "stage"
 *   | Metric | Value |  with a row Duration                  one run
 *
 * - Columns and rows are found by their names. A time needs a unit, in the heading or in the cell.
 * - The report rounds its values, so their provenance is "reported". Rates that follow from a time
 *   become attributes.
 * - A report without a time is refused.
 * - Stages may overlap, so their times are never added up.
 */
#include <strings.h>

#include "base/text/text.h"
#include "ingest/reader.h"
#include "ingest/table/tables.h"

static const size_t size_limit = 4u << 20;
enum { cell_limit = 32, stage_limit = 256, title_size = 48 };

/* Names of headings and rows, without units and in lower case. */
static const struct {
	const char *title;
	enum metric metric;
	bool percent; /* a number without a unit is a percentage */
} figures[] = {
	{"duration", METRIC_TOTAL_TIME, false},
	{"tc%", METRIC_TENSOR_PIPE, true},
	{"tc util", METRIC_TENSOR_PIPE, true},
	{"tensor core util", METRIC_TENSOR_PIPE, true},
	{"dram%", METRIC_DRAM_THROUGHPUT, true},
	{"dram throughput", METRIC_DRAM_THROUGHPUT, true},
	{"occ%", METRIC_ACHIEVED_OCCUPANCY, true},
	{"occupancy", METRIC_ACHIEVED_OCCUPANCY, true},
	{"achieved occupancy", METRIC_ACHIEVED_OCCUPANCY, true},
	{"l2 hit", METRIC_L2_HIT_RATE, true},
	{"l2 hit rate", METRIC_L2_HIT_RATE, true},
	{"waves/sm", METRIC_WAVES_PER_SM, false},
	{"registers", METRIC_REGISTERS_PER_THREAD, false},
};
enum { figure_count = sizeof figures / sizeof *figures, duration = 0 };

struct row {
	struct span cells[cell_limit];
	size_t count;
};

struct reading {
	struct arena *arena;
	struct lines lines;
	struct row header;
	bool in_table, by_stage;
	struct run *single; /* from the tables "Metric | Value" */
	struct run_list runs;
};

static bool cut_cells(struct span line, struct row *row)
{
	line = span_trim(line);
	row->count = 0;
	if (line.len < 2 || line.ptr[0] != '|')
		return false;
	size_t end = line.ptr[line.len - 1] == '|' ? line.len - 1 : line.len;
	struct span rest = {line.ptr + 1, end - 1};
	do {
		struct span cell = span_trim(span_cut(&rest, '|'));
		while (span_starts(cell, "**") && span_ends(cell, "**") && cell.len > 4)
			cell = span_trim((struct span){cell.ptr + 2, cell.len - 4});
		if (row->count == cell_limit)
			return false;
		row->cells[row->count++] = cell;
	} while (rest.ptr);
	return true;
}

static bool is_rule(const struct row *row)
{
	for (size_t i = 0; i < row->count; i++)
		for (size_t k = 0; k < row->cells[i].len; k++)
			if (!memchr("-: ", row->cells[i].ptr[k], 3))
				return false;
	return row->count > 0;
}

/* Splits "Duration (us)" into "duration" and "us". */
static struct span split_title(struct span cell, char title[title_size])
{
	size_t open = span_find(cell, "(");
	struct span name = span_trim((struct span){cell.ptr, open});
	struct span unit = {"", 0};
	if (open < cell.len && span_ends(cell, ")"))
		unit = (struct span){cell.ptr + open + 1, cell.len - open - 2};
	size_t len = name.len < title_size - 1 ? name.len : title_size - 1;
	for (size_t i = 0; i < len; i++)
		title[i] = name.ptr[i] >= 'A' && name.ptr[i] <= 'Z' ? (char)(name.ptr[i] + 32)
								    : name.ptr[i];
	title[len] = '\0';
	return unit;
}

static size_t figure_of(struct span cell, struct span *unit)
{
	char title[title_size];
	*unit = split_title(cell, title);
	for (size_t i = 0; i < figure_count; i++)
		if (strcmp(title, figures[i].title) == 0)
			return i;
	return figure_count;
}

static bool is_called(struct span cell, const char *const *names, size_t count)
{
	char title[title_size];
	split_title(cell, title);
	for (size_t i = 0; i < count; i++)
		if (strcmp(title, names[i]) == 0)
			return true;
	return false;
}

static bool heads_stages(const struct row *row)
{
	static const char *const names[] = {"stage", "kernel", "kernel name"};
	struct span unit;
	if (row->count < 2 || !is_called(row->cells[0], names, sizeof names / sizeof *names))
		return false;
	for (size_t i = 1; i < row->count; i++)
		if (figure_of(row->cells[i], &unit) == duration)
			return true;
	return false;
}

static bool heads_metrics(const struct row *row)
{
	static const char *const names[] = {"metric"}, *const values[] = {"value"};
	return row->count >= 2 && is_called(row->cells[0], names, 1) &&
	       is_called(row->cells[1], values, 1);
}

static bool is_absent(struct span cell)
{
	static const char *const words[] = {"--", "-", "n/a", "N/A", "unknown", ""};
	return span_among(cell, words, sizeof words / sizeof *words);
}

/* The value of a cell in base units. The unit of the heading applies if the cell has none. */
static bool value_of(struct span cell, struct span unit, size_t figure, double *number)
{
	char text[96];
	enum unit kind = metric_info(figures[figure].metric)->unit;
	double bare;
	bool is_bare = span_number(cell, &bare);
	if (cell.len + unit.len + 2 > sizeof text)
		return false;
	if (figures[figure].percent && is_bare)
		unit = (struct span){"%", 1};
	if (kind == UNIT_SECOND && is_bare && unit.len == 0)
		return false;
	snprintf(text, sizeof text, "%.*s%s%.*s", (int)cell.len, cell.ptr, is_bare ? " " : "",
		 is_bare ? (int)unit.len : 0, unit.ptr);
	return quantity_parse(span_trim(span_of(text)), kind, number) && isfinite(*number) &&
	       *number >= 0;
}

static int set_figure(struct reading *r, struct run *run, size_t figure, struct span unit,
		      struct span cell, struct error *err)
{
	char excerpt[lines_excerpt_size];
	double number;
	if (is_absent(cell))
		return 0;
	if (!value_of(cell, unit, figure, &number))
		return error_set(
			err, ERR_FORMAT, "line %zu: %s is \"%s\": expected a number with its unit",
			r->lines.number, figures[figure].title, lines_excerpt(excerpt, cell));
	double before = run->given[figures[figure].metric].number;
	if (!isnan(before) && before != number)
		return error_set(
			err, ERR_FORMAT,
			"line %zu: a second value \"%s\" for %s: put each run into its own file",
			r->lines.number, lines_excerpt(excerpt, cell), figures[figure].title);
	if (figure != duration || number > 0)
		run_set(run, figures[figure].metric, number, PROVENANCE_REPORTED);
	return 0;
}

static struct run *new_run(struct reading *r)
{
	struct run *run = run_new(r->arena);
	run->tool = "report";
	run_add_note(r->arena, run, "rooflog", "values from a report, rounded as printed");
	run_list_add(r->arena, &r->runs, run);
	return run;
}

/* The run of a stage. A stage may be in several tables, whose values must agree. */
static struct run *run_of_stage(struct reading *r, struct span name)
{
	for (size_t i = 0; i < r->runs.count; i++) {
		const char *own = run_param(r->runs.items[i], "stage");
		if (own && span_is(name, own))
			return r->runs.items[i];
	}
	struct run *run = new_run(r);
	run_set_param(r->arena, run, "stage", arena_strndup(r->arena, name.ptr, name.len));
	return run;
}

static int read_stage(struct reading *r, const struct row *row, struct error *err)
{
	struct span name = row->cells[0], unit;
	if (r->runs.count == stage_limit)
		return error_set(err, ERR_FORMAT, "line %zu: more than %d stages", r->lines.number,
				 (int)stage_limit);
	if (row->count > r->header.count)
		return error_set(err, ERR_FORMAT, "line %zu: %zu cell%s, but the header has %zu",
				 r->lines.number, row->count, row->count == 1 ? "" : "s",
				 r->header.count);
	if (name.len == 0 || name.len > 200 || utf8_valid_prefix(name) < name.len ||
	    memchr(name.ptr, 0x7f, name.len))
		return error_set(err, ERR_FORMAT,
				 "line %zu: the stage name is empty or unprintable",
				 r->lines.number);
	for (size_t i = 0; i < name.len; i++)
		if ((unsigned char)name.ptr[i] < ' ')
			return error_set(err, ERR_FORMAT,
					 "line %zu: the stage name is empty or unprintable",
					 r->lines.number);
	struct run *run = run_of_stage(r, name);
	for (size_t i = 1; i < row->count; i++) {
		size_t figure = figure_of(r->header.cells[i], &unit);
		if (figure < figure_count &&
		    set_figure(r, run, figure, unit, row->cells[i], err) < 0)
			return -1;
	}
	return 0;
}

static int read_metric(struct reading *r, const struct row *row, struct error *err)
{
	struct span unit;
	size_t figure = figure_of(row->cells[0], &unit);
	if (figure == figure_count || row->count < 2)
		return 0;
	if (!r->single)
		r->single = new_run(r);
	return set_figure(r, r->single, figure, unit, row->cells[1], err);
}

static int read_line(struct reading *r, struct span line, struct error *err)
{
	struct row row;
	if (!cut_cells(line, &row)) {
		r->in_table = false;
		return 0;
	}
	if (!r->in_table) {
		r->by_stage = heads_stages(&row);
		r->in_table = r->by_stage || heads_metrics(&row);
		r->header = row;
		return 0;
	}
	if (is_rule(&row))
		return 0;
	return r->by_stage ? read_stage(r, &row, err) : read_metric(r, &row, err);
}

static int read_report(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	struct span bytes, line;
	struct reading r = {.arena = arena};
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	r.lines = lines_of(bytes);
	while (lines_next(&r.lines, &line))
		if (read_line(&r, line, err) < 0)
			return -1;
	for (size_t i = 0; i < r.runs.count; i++)
		if (isnan(r.runs.items[i]->given[METRIC_TOTAL_TIME].number))
			return error_set(
				err, ERR_FORMAT,
				"%s has no duration: reports without times cannot be stored",
				run_param(r.runs.items[i], "stage")
					? run_param(r.runs.items[i], "stage")
					: "the report");
	if (r.runs.count == 0)
		return error_set(err, ERR_FORMAT, "its tables are empty");
	run_list_add_all(arena, &result->runs, &r.runs);
	return 0;
}

static bool detect(struct span head)
{
	struct lines lines = lines_of(head);
	struct span line, unit;
	struct row row;
	bool metrics = false;
	while (lines_next(&lines, &line)) {
		/* A development log has such tables as well, but of many runs. */
		if (span_starts(line, "## Development log"))
			return false;
		if (!cut_cells(line, &row)) {
			metrics = false;
			continue;
		}
		if (heads_stages(&row) || (metrics && figure_of(row.cells[0], &unit) == duration))
			return true;
		metrics |= heads_metrics(&row);
	}
	return false;
}

const struct reader profile_report_reader = {"profile-report", "report.md of a profiling run",
					     NEEDS_DTYPE | NEEDS_DEVICE, detect, read_report};
