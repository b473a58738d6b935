/*
 * Reader of the CSV of triton.testing.perf_report with units in its header, as written since
 * Triton 3.4: arguments, then one column per provider, "Triton (GB/s)".
 *
 *   ms, us, s                    total_time, measured
 *   GB/s, TB/s ...               algorithmic_bandwidth, reported
 *   TFLOPS, GFLOPS, TFLOP/s ...  algorithmic_rate, reported
 *
 * One run per provider (the variant) and row (the parameters). The file does not contain the
 * kernel, so it must be given. Without units in the header the meaning of the numbers is unknown;
 * such a file requires a map of columns (ingest/table/table.h).
 */

#include "base/text/text.h"
#include "ingest/table/tables.h"

/* Units in brackets after a provider. */
static const struct unit_word {
	const char *word;
	enum metric metric;
	double scale;
} unit_words[] = {
	{"s", METRIC_TOTAL_TIME, 1},
	{"ms", METRIC_TOTAL_TIME, 1e-3},
	{"us", METRIC_TOTAL_TIME, 1e-6},
	{"GB/s", METRIC_ALGORITHMIC_BANDWIDTH, 1e9},
	{"TB/s", METRIC_ALGORITHMIC_BANDWIDTH, 1e12},
	{"GFLOPS", METRIC_ALGORITHMIC_RATE, 1e9},
	{"TFLOPS", METRIC_ALGORITHMIC_RATE, 1e12},
	{"GFLOP/s", METRIC_ALGORITHMIC_RATE, 1e9},
	{"TFLOP/s", METRIC_ALGORITHMIC_RATE, 1e12},
	{"GFLOPs/s", METRIC_ALGORITHMIC_RATE, 1e9},
	{"TFLOPs/s", METRIC_ALGORITHMIC_RATE, 1e12},
};

struct layout {
	size_t first; /* first provider column; the columns before are arguments */
	size_t end;   /* after the last provider column */
	const struct unit_word *unit;
};

/* The unit in "Triton (GB/s)", and the name before it. */
static const struct unit_word *unit_of(struct span header, struct span *name)
{
	for (size_t i = 0; i < sizeof unit_words / sizeof *unit_words; i++) {
		char end[24];
		size_t len = strlen(unit_words[i].word);
		end[0] = ' ', end[1] = '(';
		memcpy(end + 2, unit_words[i].word, len);
		end[len + 2] = ')', end[len + 3] = '\0';
		if (!span_ends(header, end) || header.len <= len + 3)
			continue;
		*name = span_trim((struct span){header.ptr, header.len - len - 3});
		return &unit_words[i];
	}
	return NULL;
}

/* Arguments, then providers with one unit, then in some files a column of differences. */
static bool find_columns(const struct csv *csv, struct layout *r)
{
	struct span name;
	while (r->first < csv->name_count && !unit_of(csv->names[r->first], &name))
		r->first++;
	if (r->first == 0 || r->first == csv->name_count)
		return false;
	r->unit = unit_of(csv->names[r->first], &name);
	for (r->end = r->first; r->end < csv->name_count; r->end++) {
		const struct unit_word *unit = unit_of(csv->names[r->end], &name);
		if (unit != r->unit || name.len == 0 || !utf8_is_line(name))
			break;
	}
	size_t behind = csv->name_count - r->end;
	for (size_t i = 0; i < r->first; i++)
		if (csv->names[i].len == 0 || !utf8_is_line(csv->names[i]))
			return false;
	return r->end > r->first &&
	       (behind == 0 || (behind == 1 && span_is(csv->names[r->end], "Diff")));
}

/* "1024.000000" is 1024. */
static const char *argument_of(const struct csv *csv, size_t column)
{
	double number;
	struct span cell = csv_at(csv, column);
	if (span_number(cell, &number) && number == floor(number) && fabs(number) < 1e15)
		return arena_printf(csv->arena, "%.0f", number);
	return csv_text_at(csv, column);
}

static void describe(const struct row_reading *r, struct run *run, struct span provider)
{
	const struct csv *csv = &r->csv;
	const struct layout *layout = r->state;
	run->tool = r->reader->tool;
	run->variant = arena_strndup(r->arena, provider.ptr, provider.len);
	for (size_t i = 0; i < layout->first; i++) {
		const char *value = argument_of(csv, i);
		if (value)
			run_set_param(r->arena, run,
				      arena_strndup(r->arena, csv->names[i].ptr, csv->names[i].len),
				      value);
	}
}

/* 1 if the cell has a number above 0, 0 if not, -1 and *err. */
static int number_of(const struct row_reading *r, size_t column, double *number, struct error *err)
{
	const struct layout *layout = r->state;
	char excerpt[lines_excerpt_size];
	struct span cell = csv_at(&r->csv, column);
	if (csv_is_absent(cell))
		return 0;
	if (!span_number(cell, number) || *number < 0)
		return error_set(err, ERR_FORMAT, "line %zu: column %zu is \"%s\", which is no %s",
				 r->csv.line, column + 1, lines_excerpt(excerpt, cell),
				 layout->unit->metric == METRIC_TOTAL_TIME ? "time" : "rate");
	return *number > 0;
}

static int take_cell(struct row_reading *r, size_t column, const char *arguments, struct error *err)
{
	const struct layout *layout = r->state;
	struct span provider;
	double number, scale = layout->unit->scale;
	int rc = number_of(r, column, &number, err);
	if (rc < 0)
		return -1;
	if (rc == 0) {
		row_groups_count_add(&r->left_out, r->csv.line);
		return 0;
	}
	unit_of(r->csv.names[column], &provider);
	strbuf_reset(&r->key);
	strbuf_addspan(&r->key, provider);
	strbuf_addf(&r->key, "\n%s", arguments);
	struct row_group *group =
		row_groups_find(&r->groups, strbuf_span(&r->key), r->csv.line, err);
	if (!group)
		return -1;
	if (group->row_count == 0)
		describe(r, group->run, provider);
	*row_groups_add(&r->groups, group) = scale < 1 ? number / round(1 / scale) : number * scale;
	return 0;
}

/* Each row has one measurement per provider. */
static int take_row(struct row_reading *r, struct error *err)
{
	const struct layout *layout = r->state;
	struct strbuf arguments = {0};
	for (size_t i = 0; i < layout->first; i++) {
		const char *argument = argument_of(&r->csv, i);
		strbuf_addf(&arguments, "%s\n", argument ? argument : "");
	}
	int rc = 0;
	for (size_t i = layout->first; i < layout->end && rc == 0; i++)
		rc = take_cell(r, i, strbuf_text(&arguments), err);
	strbuf_free(&arguments);
	return rc;
}

static int begin(struct row_reading *r, struct error *err)
{
	struct layout *layout = arena_new(r->arena, struct layout);
	r->state = layout;
	if (find_columns(&r->csv, layout))
		return 0;
	return error_set(err, ERR_FORMAT,
			 "line 1: the columns are not arguments and then providers with "
			 "one unit, such as \"Triton (ms)\": --columns maps any table");
}

static void finish(const struct row_reading *r, const struct row_group *group)
{
	enum metric metric = ((const struct layout *)r->state)->unit->metric;
	row_groups_give(&r->groups, group, 0, metric,
			metric == METRIC_TOTAL_TIME ? PROVENANCE_MEASURED : PROVENANCE_REPORTED);
}

/* The user chooses the names of columns. */
static const struct row_column no_columns[] = {{.role = ROW_END}};

static const struct row_reader rows = {
	.tool = "perf-report",
	.size_limit = 16u << 20,
	.columns = no_columns,
	.width = 1,
	.metrics = {METRIC_COUNT},
	.left_out = "a provider has no number or 0 and is left out",
	.nothing = "no provider has a number above 0",
	.begin = begin,
	.row = take_row,
	.finish = finish,
};

static int read_perf_report(struct arena *arena, struct input *input, struct ingest_result *result,
			    struct error *err)
{
	return row_reader_read(&rows, arena, input, result, err);
}

static bool detect(struct span head)
{
	struct arena arena = {0};
	struct error ignored;
	struct layout layout = {.first = 0};
	struct csv csv = csv_of(&arena, head, ',');
	bool found = csv_header(&csv, &ignored) > 0 && find_columns(&csv, &layout);
	arena_free(&arena);
	return found;
}

const struct reader perf_report_reader = {
	"perf-report", "triton.testing.perf_report, CSV with units", 0, detect, read_perf_report};
