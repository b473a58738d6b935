/*
 * Reader of the CSV of triton.testing.perf_report where its header says the unit, as Triton 3.4
 * and later write it: arguments, then one column per provider, "Triton (GB/s)".
 *
 *   ms, us, s                    total_time, measured
 *   GB/s, TB/s ...               algorithmic_bandwidth, reported
 *   TFLOPS, GFLOPS, TFLOP/s ...  algorithmic_rate, reported
 *
 * One run per provider (the variant) and row (the parameters). The kernel is not in the file: it
 * is asked for. Without units in the header nobody knows what the numbers are; the column map
 * (ingest/table/table.h) reads such a file.
 */
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text/utf8.h"
#include "ingest/reader.h"
#include "ingest/table/csv.h"
#include "ingest/table/lines.h"
#include "ingest/collect/row_groups.h"

static const size_t size_limit = 16u << 20;

/* What stands in brackets behind a provider. */
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

struct reading {
	struct arena *arena;
	struct csv csv;
	size_t first; /* provider column; those before are arguments */
	size_t end;   /* behind the last provider column */
	const struct unit_word *unit;
	struct row_groups groups;
	struct row_count empty;
};

/* "Triton (GB/s)": the unit, and the name in front of it. */
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

/* Arguments, then providers of one unit, then perhaps the column of differences. */
static bool find_columns(struct reading *r)
{
	const struct csv *csv = &r->csv;
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
static const char *argument_of(const struct reading *r, size_t column)
{
	double number;
	struct span cell = csv_at(&r->csv, column);
	if (span_number(cell, &number) && number == floor(number) && fabs(number) < 1e15)
		return arena_printf(r->arena, "%.0f", number);
	return csv_text_at(&r->csv, column);
}

static int take_cell(struct reading *r, size_t column, const char *arguments, struct strbuf *key,
		     struct error *err)
{
	const struct csv *csv = &r->csv;
	char excerpt[lines_excerpt_size];
	struct span cell = csv_at(csv, column), name;
	double number;
	if (csv_is_absent(cell)) {
		row_count_add(&r->empty, csv->line);
		return 0;
	}
	if (!span_number(cell, &number) || number < 0)
		return error_set(err, ERR_FORMAT, "line %zu: column %zu is \"%s\", which is no %s",
				 csv->line, column + 1, lines_excerpt(excerpt, cell),
				 r->unit->metric == METRIC_TOTAL_TIME ? "time" : "rate");
	if (number == 0) {
		row_count_add(&r->empty, csv->line);
		return 0;
	}
	unit_of(csv->names[column], &name);
	strbuf_reset(key);
	strbuf_addspan(key, name);
	strbuf_addf(key, "\n%s", arguments);
	struct row_group *group = row_groups_find(&r->groups, strbuf_span(key), csv->line, err);
	if (!group)
		return -1;
	if (group->row_count == 0) {
		group->run->tool = "perf-report";
		group->run->variant = arena_strndup(r->arena, name.ptr, name.len);
		for (size_t i = 0; i < r->first; i++) {
			const char *value = argument_of(r, i);
			if (value)
				run_set_param(r->arena, group->run,
					      arena_strndup(r->arena, csv->names[i].ptr,
							    csv->names[i].len),
					      value);
		}
	}
	double scale = r->unit->scale;
	*row_group_add(&r->groups, group) = scale < 1 ? number / round(1 / scale) : number * scale;
	return 0;
}

static int take_row(struct reading *r, struct strbuf *key, struct error *err)
{
	struct strbuf arguments = {0};
	if (csv_known_row(&r->csv, err) < 0)
		return -1;
	for (size_t i = 0; i < r->first; i++) {
		const char *argument = argument_of(r, i);
		strbuf_addf(&arguments, "%s\n", argument ? argument : "");
	}
	int rc = 0;
	for (size_t i = r->first; i < r->end && rc == 0; i++)
		rc = take_cell(r, i, strbuf_text(&arguments), key, err);
	strbuf_free(&arguments);
	return rc;
}

static int read_rows(struct reading *r, struct error *err)
{
	struct strbuf key = {0};
	int rc = csv_known_header(&r->csv, err);
	if (rc >= 0 && !find_columns(r))
		rc = error_set(err, ERR_FORMAT,
			       "line 1: the columns are not arguments and then providers with "
			       "one unit, such as \"Triton (ms)\": --columns maps any table");
	while (rc >= 0 && (rc = csv_next(&r->csv, err)) > 0)
		rc = take_row(r, &key, err);
	strbuf_free(&key);
	return rc;
}

static int read_perf_report(struct arena *arena, struct input *input, struct ingest_result *result,
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
		return error_set(err, ERR_FORMAT, "no provider has a number above 0");
	row_groups_note(&r.groups, r.empty, "a provider has no number or 0 and is left out");
	for (size_t i = 0; i < r.groups.count; i++)
		row_group_give(&r.groups, &r.groups.items[i], 0, r.unit->metric,
			       r.unit->metric == METRIC_TOTAL_TIME ? PROVENANCE_MEASURED
								   : PROVENANCE_REPORTED);
	row_groups_finish(&r.groups, &result->runs);
	return 0;
}

static bool detect(struct span head)
{
	struct arena arena = {0};
	struct error ignored;
	struct reading r = {.arena = &arena, .csv = csv_of(&arena, head, ',')};
	bool found = csv_header(&r.csv, &ignored) > 0 && find_columns(&r);
	arena_free(&arena);
	return found;
}

const struct reader perf_report_reader = {
	"perf-report", "triton.testing.perf_report, CSV with units", 0, detect, read_perf_report};
