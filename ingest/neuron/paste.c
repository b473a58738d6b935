/*
 * Reader of summary fields copied from the profiler's screen into a Markdown table:
 *
 *   | **total_time**     | 54.82 **ms**  |
 *   | **hbm_read_bytes** | 3.995 **GiB** |
 *   | **mfu_estimated_percent** | 10.45 **%** |
 *
 * - The screen scales and rounds values and shows their units. The profiler's own files have no
 *   units, and fractions instead of percentages. A value without a unit could come from either, so
 *   it is refused.
 * - Ratios and percentages can be recomputed from other fields. Their units are checked and then
 *   they are ignored, because the formula is more precise than four digits.
 * - One table is one run. A document with several names each by the heading above it.
 * - Such runs have a tool of their own, "neuron-ui-paste".
 */

#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/reader.h"
#include "ingest/table/tables.h"
#include "ingest/neuron/summary.h"

static const size_t size_limit = 4u << 20; /* bytes; a real table has some kilobytes */
/* rows_needed: fields that a text must have to be detected as such a table; table_limit: each table
 * is compared with all others. */
enum { cell_limit = 16, rows_needed = 3, table_limit = 1000 };

/* The units that the screen uses, with the factor that converts them to the unit of the profiler's
 * files. A NULL name ends a list. */
struct screen_unit {
	const char *name;
	double factor;
};
static const struct screen_unit percent[] = {{"%", 0.01}, {NULL, 0}};
static const struct screen_unit times_in_ns[] = {{"s", 1e9},         {"ms", 1e6}, {"us", 1e3},
						 {"\xc2\xb5s", 1e3}, {"ns", 1},   {NULL, 0}};
static const struct screen_unit times[] = {
	{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"\xc2\xb5s", 1e-6}, {"ns", 1e-9}, {NULL, 0}};
static const struct screen_unit bytes[] = {{"B", 1},        {"KiB", 0x1p10}, {"MiB", 0x1p20},
					   {"GiB", 0x1p30}, {"TiB", 0x1p40}, {NULL, 0}};
static const struct screen_unit flops[] = {{"FLOPS", 1},    {"KFLOPS", 1e3},  {"MFLOPS", 1e6},
					   {"GFLOPS", 1e9}, {"TFLOPS", 1e12}, {"PFLOPS", 1e15},
					   {NULL, 0}};
static const struct screen_unit intensity[] = {{"flops/byte", 1}, {NULL, 0}};
static const struct screen_unit ratio[] = {{"", 1}, {"flops/byte", 1}, {NULL, 0}};
static const struct screen_unit plain[] = {{"", 1}, {NULL, 0}};

/* Kinds of fields by the end of their names. The first matching row applies. */
static const struct family {
	const char *suffix;
	bool rounded; /* recomputed from other fields: only its unit is checked */
	const char *example;
	const struct screen_unit *units;
} families[] = {
	{"_percent", true, "10.45 %", percent},
	{"_time_ns", false, "3.73 ms", times_in_ns},
	{"_time", false, "54.82 ms", times},
	{"_average_bytes", true, "289 KiB", bytes},
	{"_bytes", false, "3.995 GiB", bytes},
	{"_size", false, "3.995 GiB", bytes},
	{"_flops", false, "636.3 GFLOPS", flops},
	{"_intensity", true, "73.09 flops/byte", intensity},
	{"_ratio", true, "223.78", ratio},
	{"_cycle_count", true, "76753832", plain},
	{"_count", false, "539986", plain},
};

static struct span without_stars(struct span cell)
{
	cell = span_trim(cell);
	while (cell.len && cell.ptr[0] == '*')
		cell = span_from(cell, 1);
	while (cell.len && cell.ptr[cell.len - 1] == '*')
		cell.len--;
	return span_trim(cell);
}

static bool is_text_field(struct span name)
{
	return span_is(name, "instance_type") ||
	       (span_ends(name, "_version") && name.len > strlen("_version"));
}

/* Splits a row into the name of a known field and the cell after it; false if it has none. */
static bool cut_row(struct span line, struct span *name, struct span *value)
{
	struct span cells[cell_limit];
	size_t count = 0;
	line = span_trim(line);
	if (!span_starts(line, "|"))
		return false;
	while (line.ptr && count < cell_limit) {
		struct span cell = without_stars(span_cut(&line, '|'));
		if (cell.len)
			cells[count++] = cell;
	}
	for (size_t i = 0; i + 1 < count && i < 2; i++)
		if (neuron_summary_is_number(cells[i]) || is_text_field(cells[i]) ||
		    (span_ends(cells[i], "_percent") && cells[i].len > 8)) {
			*name = cells[i];
			*value = cells[i + 1];
			return true;
		}
	return false;
}

static const struct family *family_of(struct span name)
{
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		if (span_ends(name, families[i].suffix))
			return &families[i];
	return NULL;
}

/* "54.82 **ms" -> 54.82 and "ms". */
static bool cut_figure(struct span value, double *number, struct span *unit)
{
	size_t end = 0;
	while (end < value.len && memchr("+-.0123456789eE", value.ptr[end], 15))
		end++;
	*unit = without_stars(span_from(value, end));
	return span_number((struct span){value.ptr, end}, number) && *number >= 0;
}

static int read_figure(struct arena *arena, struct run *run, size_t line, struct span name,
		       struct span value, struct error *err)
{
	char key[lines_excerpt_size], text[lines_excerpt_size];
	const struct family *family = family_of(name);
	struct span unit;
	double number;
	if (!family)
		return 0;
	if (!cut_figure(value, &number, &unit))
		return error_set(err, ERR_FORMAT,
				 "line %zu: %s is \"%s\", not a value of the screen; expected for "
				 "example \"%s\"",
				 line, lines_excerpt(key, name), lines_excerpt(text, value),
				 family->example);
	for (size_t i = 0; family->units[i].name; i++) {
		if (!span_is(unit, family->units[i].name))
			continue;
		if (!family->rounded)
			neuron_summary_number(arena, run, name, number * family->units[i].factor);
		return 0;
	}
	return error_set(err, ERR_FORMAT,
			 "line %zu: %s is \"%s\" %s; expected for example \"%s\"; the profiler's "
			 "own files are summary-text and summary-json",
			 line, lines_excerpt(key, name), lines_excerpt(text, value),
			 unit.len ? "in a unit that the screen does not use" : "without a unit",
			 family->example);
}

/* --- tables: each is one run, called as the heading above it if there are several --- */

/* One run is read from the rows of one table. */
struct paste {
	struct arena *arena;
	struct lines lines;
	struct span heading;       /* the last one; empty: none */
	struct run *run;           /* of the present table; NULL: none */
	size_t first, first_other; /* lines at which the present table and the first one begin */
	struct run_list *runs;
};

static struct span heading_of(struct span line)
{
	while (line.len && line.ptr[0] == '#')
		line = span_from(line, 1);
	return without_stars(line);
}

static int begin_table(struct paste *p, struct error *err)
{
	p->first = p->lines.number;
	if (p->runs->count == table_limit)
		return error_set(err, ERR_FORMAT,
				 "line %zu: more than %d tables in one file: split the file",
				 p->first, (int)table_limit);
	p->run = run_new(p->arena);
	if (p->heading.len && utf8_is_line(p->heading))
		p->run->kernel = bounded_text_of(p->arena, p->heading);
	for (size_t i = 0; i < p->runs->count; i++)
		if (!p->run->kernel || !p->runs->items[i]->kernel ||
		    strcmp(p->run->kernel, p->runs->items[i]->kernel) == 0)
			return error_set(
				err, ERR_FORMAT,
				"two tables (lines %zu and %zu) without distinct headings: give "
				"each a heading, or put each into its own file",
				p->first_other, p->first);
	if (!p->runs->count)
		p->first_other = p->first;
	return 0;
}

static int end_table(struct paste *p, struct error *err)
{
	struct run *run = p->run;
	p->run = NULL;
	if (!run)
		return 0;
	if (!(run->given[METRIC_TOTAL_TIME].number > 0))
		return error_set(
			err, ERR_FORMAT,
			"line %zu: the table has no positive total_time; each table is one run",
			p->first);
	neuron_summary_finish(p->arena, run);
	run->tool = "neuron-ui-paste";
	run_warn(p->arena, run,
		 "values copied from a screen are rounded: differences below 0.1 %% are not "
		 "significant");
	run_list_add(p->arena, p->runs, run);
	return 0;
}

static int read_line(struct paste *p, struct span line, struct error *err)
{
	struct span name, value;
	line = span_trim(line);
	if (!span_starts(line, "|")) {
		if (span_starts(line, "#"))
			p->heading = heading_of(line);
		return end_table(p, err);
	}
	if (!cut_row(line, &name, &value))
		return 0;
	if (!p->run && begin_table(p, err) < 0)
		return -1;
	if (is_text_field(name) && utf8_is_line(value))
		neuron_summary_text(p->arena, p->run, name, value);
	return is_text_field(name)
		       ? 0
		       : read_figure(p->arena, p->run, p->lines.number, name, value, err);
}

static int read_paste(struct arena *arena, struct input *input, struct ingest_result *result,
		      struct error *err)
{
	struct span text, line;
	struct run_list runs = {0};
	if (input_read_all(arena, input, size_limit, &text, err) < 0)
		return -1;
	struct paste p = {.arena = arena, .lines = lines_of(text), .runs = &runs};
	while (lines_next(&p.lines, &line))
		if (read_line(&p, line, err) < 0)
			return -1;
	if (end_table(&p, err) < 0)
		return -1;
	if (runs.count == 0)
		return error_set(err, ERR_FORMAT, "no table has a positive total_time");
	if (runs.count == 1)
		runs.items[0]->kernel = NULL;
	run_list_add_all(arena, &result->runs, &runs);
	return 0;
}

static bool detect(struct span head)
{
	struct lines lines = lines_of(head);
	struct span line, name, value;
	size_t rows = 0;
	while (lines_next(&lines, &line) && rows < rows_needed)
		rows += cut_row(line, &name, &value);
	return rows >= rows_needed;
}

const struct reader neuron_paste_reader = {"neuron-ui-paste",
					   "a Markdown table copied from the profiler's screen",
					   NEEDS_NEURON, detect, read_paste};
