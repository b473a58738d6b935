/*
 * Reader of the table that "neuron-profile show-session" prints, with any text around it. There is
 * one row per physical core and one run per node. A row without NODE ID belongs to the node of the
 * row before it.
 *
 * The column CYCLES holds picoseconds. A run's time is that of its slowest core. Events, traces and
 * instructions are sums over the cores. These runs have a tool of their own, because show-session
 * counts work that the profile leaves out. Other tables of the text are named in a note.
 */

#include "base/text/text.h"
#include "ingest/reader.h"
#include "ingest/table/pasted/pasted.h"
#include "ingest/table/tables.h"

static const size_t size_limit = 16u << 20;
enum { column_limit = 64, node_limit = 1024 };

/* Columns that are summed over the cores of a node. */
static const struct {
	const char *title;
	enum metric metric;
} sums[] = {
	{"TRACE", METRIC_TRACE_COUNT},
	{"EVENTS", METRIC_EVENT_COUNT},
	{"TENSOR", METRIC_TENSOR_INSTRUCTION_COUNT},
	{"VECTOR", METRIC_VECTOR_INSTRUCTION_COUNT},
	{"SCALAR", METRIC_SCALAR_INSTRUCTION_COUNT},
	{"GPSIMD", METRIC_GPSIMD_INSTRUCTION_COUNT},
	{"SYNC", METRIC_SYNC_INSTRUCTION_COUNT},
	{"DMA QUEUES", METRIC_DMA_QUEUE_COUNT},
};
enum { sum_count = sizeof sums / sizeof *sums, first_engine = 2, after_engines = 7 };

struct row {
	size_t count;
	struct span cells[column_limit];
};

struct reading {
	struct arena *arena;
	struct lines lines;
	struct row titles; /* header of the current table; count is 0 outside of tables */
	size_t header_line;
	struct run *run; /* of the previous row */
	size_t first;    /* index of the current table's first run */
	const char *uuid, *ntff_version;
	struct run_list runs;
};

static bool is_rule(struct span line)
{
	line = span_trim(line);
	if (!span_starts(line, "+-"))
		return false;
	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] != '+' && line.ptr[i] != '-')
			return false;
	return true;
}

/* "| a | b |" -> a, b. False if the line is not a row or has more than column_limit cells. */
static bool cut_cells(struct span line, struct row *row)
{
	line = span_trim(line);
	row->count = 0;
	if (line.len < 2 || line.ptr[0] != '|' || line.ptr[line.len - 1] != '|')
		return false;
	struct span rest = {line.ptr + 1, line.len - 2};
	do {
		struct span cell = span_trim(span_cut(&rest, '|'));
		if (row->count == column_limit)
			return false;
		row->cells[row->count++] = cell;
	} while (rest.ptr);
	return true;
}

/* The index of the column, or titles->count if there is none. */
static size_t column_of(const struct row *titles, const char *title)
{
	size_t i = 0;
	while (i < titles->count && !span_is(titles->cells[i], title))
		i++;
	return i;
}

/* The cell under the title; empty without such a column. */
static struct span cell_of(const struct reading *r, const struct row *row, const char *title)
{
	size_t column = column_of(&r->titles, title);
	assert(row->count == r->titles.count);
	return column < row->count ? row->cells[column] : (struct span){"", 0};
}

static bool is_header(const struct row *row)
{
	return column_of(row, "NODE ID") < row->count && column_of(row, "CYCLES") < row->count;
}

static int fail_cell(const struct reading *r, const char *title, struct span cell, const char *what,
		     struct error *err)
{
	char text[lines_excerpt_size];
	return error_set(err, ERR_FORMAT, "line %zu: %s is \"%s\", %s", r->lines.number, title,
			 lines_excerpt(text, cell), what);
}

/* A whole number below 2^53; NAN for an empty cell and for a missing column. */
static int number_of(const struct reading *r, const struct row *row, const char *title,
		     double *number, struct error *err)
{
	struct span cell = cell_of(r, row, title);
	*number = NAN;
	for (size_t i = 0; i < cell.len; i++)
		if (!ascii_is_digit(cell.ptr[i]))
			return fail_cell(r, title, cell, "not a whole number", err);
	if (cell.len && (!span_number(cell, number) || *number > 9007199254740992.0))
		return fail_cell(r, title, cell, "too large", err);
	return 0;
}

/* Reads a text, which must be UTF-8 without control characters. */
static int text_of(const struct reading *r, const struct row *row, const char *title,
		   const char **text, struct error *err)
{
	struct span cell = cell_of(r, row, title);
	if (!utf8_is_line(cell))
		return fail_cell(r, title, cell, "not printable text", err);
	*text = arena_strndup(r->arena, cell.ptr, cell.len);
	return 0;
}

/* --- a row --- */

/* Finds the current table's run of the node id, or adds it.
 * An empty id refers to the previous row. */
static int find_run(struct reading *r, const struct row *row, struct error *err)
{
	const char *id;
	if (text_of(r, row, "NODE ID", &id, err) < 0)
		return -1;
	if (!*id && !r->run)
		return error_set(err, ERR_FORMAT, "line %zu: the first row has no NODE ID",
				 r->lines.number);
	if (!*id)
		return 0;
	for (size_t i = r->first; i < r->runs.count; i++)
		if (strcmp(r->runs.items[i]->node, id) == 0) {
			r->run = r->runs.items[i];
			return 0;
		}
	if (r->runs.count == node_limit)
		return error_set(err, ERR_FORMAT, "line %zu: more than %d nodes", r->lines.number,
				 (int)node_limit);
	r->run = run_new(r->arena);
	r->run->node = id;
	r->run->tool = "neuron-session";
	if (r->uuid)
		run_add_attribute(r->arena, r->run, "uuid", r->uuid);
	if (r->ntff_version)
		run_add_attribute(r->arena, r->run, "ntff_version", r->ntff_version);
	run_list_add(r->arena, &r->runs, r->run);
	return 0;
}

/* Adds the counts of a core. If a core's count is unknown, so is the sum. */
static int add_sums(struct reading *r, const struct row *row, double *instructions,
		    struct error *err)
{
	*instructions = 0;
	for (size_t i = 0; i < sum_count; i++) {
		double number;
		struct value *sum = &r->run->given[sums[i].metric];
		if (number_of(r, row, sums[i].title, &number, err) < 0)
			return -1;
		if (i >= first_engine && i < after_engines)
			*instructions += number;
		double before = r->run->core_count ? sum->number : 0;
		*sum = (struct value){NAN, PROVENANCE_UNKNOWN};
		run_set(r->run, sums[i].metric, before + number, PROVENANCE_MEASURED);
	}
	return 0;
}

static int add_time(struct reading *r, const struct row *row, double *picoseconds,
		    struct error *err)
{
	if (number_of(r, row, "CYCLES", picoseconds, err) < 0)
		return -1;
	if (isnan(*picoseconds))
		return error_set(err, ERR_FORMAT, "line %zu: CYCLES is empty", r->lines.number);
	double slowest = r->run->given[METRIC_TOTAL_TIME].number;
	double seconds = *picoseconds / 1e12;
	if (seconds > 0 && !(seconds <= slowest))
		run_set(r->run, METRIC_TOTAL_TIME, seconds, PROVENANCE_MEASURED);
	return 0;
}

/* "sg01 on ND 0 NC 5"; unknown parts are omitted. */
static const char *core_label(struct arena *arena, const char *name, const char *executor)
{
	if (*name && *executor)
		return arena_printf(arena, "%s on %s", name, executor);
	return *name ? name : *executor ? executor : "core";
}

static int add_core(struct reading *r, const struct row *row, struct error *err)
{
	const char *name, *executor;
	double picoseconds, instructions, errors;
	if (text_of(r, row, "NAME", &name, err) < 0 ||
	    text_of(r, row, "EXECUTOR", &executor, err) < 0 ||
	    number_of(r, row, "ERRORS", &errors, err) < 0 ||
	    add_time(r, row, &picoseconds, err) < 0 || add_sums(r, row, &instructions, err) < 0)
		return -1;
	const char *label = core_label(r->arena, name, executor);
	run_add_core(r->arena, r->run,
		     (struct run_core){.name = *name ? name : label,
				       .cycles = NAN,
				       .instructions = instructions,
				       .flops = NAN,
				       .tensor_active_time = NAN});
	r->run->cores = (int)r->run->core_count;
	run_add_note(r->arena, r->run, "show-session",
		     arena_printf(r->arena, "%s ran for %.0f ps", label, picoseconds));
	if (errors > 0)
		run_warn(r->arena, r->run, "%s recorded %.0f error%s", label, errors,
			 errors == 1 ? "" : "s");
	return 0;
}

/* --- the table --- */

static int begin_table(struct reading *r, const struct row *row, struct error *err)
{
	char text[lines_excerpt_size];
	r->titles = *row;
	r->header_line = r->lines.number;
	r->first = r->runs.count;
	r->run = NULL;
	for (size_t i = 0; i < row->count; i++)
		for (size_t k = 0; k < i; k++)
			if (row->cells[i].len && span_eq(row->cells[i], row->cells[k]))
				return error_set(
					err, ERR_FORMAT, "line %zu: duplicate column \"%s\"",
					r->lines.number, lines_excerpt(text, row->cells[i]));
	return 0;
}

static int end_table(struct reading *r, struct error *err)
{
	if (!r->run)
		return error_set(err, ERR_FORMAT, "line %zu: the table has no rows",
				 r->header_line);
	for (size_t i = r->first; i < r->runs.count; i++)
		if (isnan(r->runs.items[i]->given[METRIC_TOTAL_TIME].number))
			return error_set(
				err, ERR_FORMAT,
				"line %zu: CYCLES of node %.40s is 0: the kernel did not run",
				r->header_line, r->runs.items[i]->node);
	r->titles.count = 0;
	r->uuid = r->ntff_version = NULL;
	return 0;
}

static int read_row(struct reading *r, struct span line, struct error *err)
{
	struct row row = {0};
	if (is_rule(line))
		return r->lines.number == r->header_line + 1 ? 0 : end_table(r, err);
	if (!cut_cells(line, &row))
		return error_set(err, ERR_FORMAT,
				 "line %zu: the table starting at line %zu is truncated",
				 r->lines.number, r->header_line);
	if (row.count != r->titles.count)
		return error_set(err, ERR_FORMAT, "line %zu: %zu cell%s, but the header has %zu",
				 r->lines.number, row.count, row.count == 1 ? "" : "s",
				 r->titles.count);
	return find_run(r, &row, err) < 0 ? -1 : add_core(r, &row, err);
}

/* The value after a label such as "UUID:"; NULL if it was redacted. */
static const char *labelled(struct arena *arena, struct span line, const char *label)
{
	static const char allowed[] = "0123456789abcdefABCDEF-.";
	if (!span_starts(line, label))
		return NULL;
	size_t len = strlen(label);
	struct span value = span_trim(span_from(line, len));
	for (size_t i = 0; i < value.len; i++)
		if (!memchr(allowed, value.ptr[i], sizeof allowed - 1))
			return NULL;
	return value.len ? arena_strndup(arena, value.ptr, value.len) : NULL;
}

static int read_line(struct reading *r, struct span line, struct error *err)
{
	struct row row = {0};
	if (r->titles.count)
		return read_row(r, line, err);
	if (cut_cells(line, &row) && is_header(&row))
		return begin_table(r, &row, err);
	line = span_trim(line);
	const char *uuid = labelled(r->arena, line, "UUID:");
	const char *version = labelled(r->arena, line, "NTFF Version:");
	r->uuid = uuid ? uuid : r->uuid;
	r->ntff_version = version ? version : r->ntff_version;
	return 0;
}

/* Names the tables around that of the session, which --columns can read. */
static void add_others(struct arena *arena, struct span text, struct run *run)
{
	struct strbuf others = {0};
	if (pasted_offer(&others, text, NULL))
		run_add_note(arena, run, "rooflog",
			     arena_printf(arena, "not read: other tables of the text: %s",
					  strbuf_text(&others)));
	strbuf_free(&others);
}

static int read_session(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	struct span bytes, line;
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	struct reading r = {.arena = arena, .lines = lines_of(bytes)};
	while (lines_next(&r.lines, &line))
		if (read_line(&r, line, err) < 0)
			return -1;
	if (r.titles.count)
		return error_set(err, ERR_FORMAT,
				 "line %zu: the table is not closed; the file is truncated",
				 r.lines.number);
	if (r.runs.count == 0)
		return error_set(err, ERR_FORMAT, "no table with NODE ID and CYCLES found");
	add_others(arena, bytes, r.runs.items[0]);
	run_list_add_all(arena, &result->runs, &r.runs);
	return 0;
}

static bool detect(struct span head)
{
	struct lines lines = lines_of(head);
	struct span line;
	struct row row = {0};
	while (lines_next(&lines, &line))
		if (cut_cells(line, &row) && is_header(&row))
			return true;
	return false;
}

const struct reader neuron_session_reader = {"neuron-session", "neuron-profile show-session",
					     NEEDS_NEURON, detect, read_session};
