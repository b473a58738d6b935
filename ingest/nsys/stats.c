/*
 * Kernel summaries of Nsight Systems: the tables of `nsys stats` (cuda_gpu_kern_sum, gpukernsum,
 * and with grid and block cuda_gpu_kern_gb_sum) as CSV, or as the text that `nsys profile
 * --stats=true` leaves in logs. One run per row. Other tables and all other text are skipped.
 *
 * Both forms have the same columns; their rows are split by two functions.
 */

#include "ingest/reader.h"
#include "ingest/table/tables.h"
#include "ingest/collect/collect.h"

static const size_t size_limit = 64u << 20;
enum { column_limit = 32, row_limit = 65536 };

/* Continues enum kernel_statistic. */
enum { NAME = KERNEL_STATISTICS, GRID, BLOCK, FIELDS };

/* Column names of all versions, without the unit. */
static const struct {
	const char *title;
	int field;
} titles[] = {
	{"Total Time", KERNEL_TOTAL},
	{"Instances", KERNEL_COUNT},
	{"Avg", KERNEL_MEAN},
	{"Average", KERNEL_MEAN},
	{"Med", KERNEL_MEDIAN},
	{"Median", KERNEL_MEDIAN},
	{"Min", KERNEL_MINIMUM},
	{"Minimum", KERNEL_MINIMUM},
	{"Max", KERNEL_MAXIMUM},
	{"Maximum", KERNEL_MAXIMUM},
	{"StdDev", KERNEL_DEVIATION},
	{"Standard Deviation", KERNEL_DEVIATION},
	{"Name", NAME},
	{"GridXYZ", GRID},
	{"BlockXYZ", BLOCK},
};

/* Units in brackets after the name; nanoseconds without one. */
static const struct {
	const char *text;
	double seconds;
} units[] = {
	{"ns", 1e9}, {"nsec", 1e9}, {"us", 1e6}, {"usec", 1e6},
	{"ms", 1e3}, {"msec", 1e3}, {"s", 1},    {"sec", 1},
};

struct columns {
	size_t at[FIELDS]; /* index of each column; column_limit if it is missing */
	double divisor[FIELDS];
};

struct row {
	size_t line, count;
	struct span cells[column_limit];
};

struct reading {
	struct arena *arena;
	struct columns columns;
	struct kernel_work *works;
	size_t count, capacity;
	size_t tables; /* number of kernel tables in the file */
	size_t header_line;
};

static bool contains(struct span text, const char *word)
{
	return span_find(text, word) < text.len;
}

/* "Time (%)  Total Time (ns)  Instances ... Name". Only tables of kernels have both instances and a
 * name. */
static bool is_header(struct span line)
{
	line = span_trim(line);
	if (line.len > 1024 || !contains(line, "Time") || !contains(line, "(%)"))
		return false;
	return contains(line, "Total Time") && contains(line, "Instances") &&
	       (span_ends(line, "Name") || span_ends(line, "\"Name\""));
}

/* --- columns --- */

static void split_title(struct span cell, struct span *title, double *divisor)
{
	size_t open = span_find(cell, " (");
	*title = span_trim((struct span){cell.ptr, open});
	*divisor = 1e9;
	if (open == cell.len || cell.ptr[cell.len - 1] != ')')
		return;
	struct span unit = {cell.ptr + open + 2, cell.len - open - 3};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (span_is(unit, units[i].text))
			*divisor = units[i].seconds;
}

static int find_columns(struct columns *columns, const struct row *header, struct error *err)
{
	for (int f = 0; f < FIELDS; f++)
		columns->at[f] = column_limit;
	for (size_t i = 0; i < header->count; i++) {
		struct span title;
		double divisor;
		split_title(header->cells[i], &title, &divisor);
		for (size_t k = 0; k < sizeof titles / sizeof *titles; k++)
			if (span_is(title, titles[k].title)) {
				columns->at[titles[k].field] = i;
				columns->divisor[titles[k].field] = divisor;
			}
	}
	columns->divisor[KERNEL_COUNT] = 1;
	if (columns->at[NAME] == column_limit || columns->at[KERNEL_COUNT] == column_limit ||
	    (columns->at[KERNEL_MEAN] == column_limit &&
	     columns->at[KERNEL_MEDIAN] == column_limit))
		return error_set(err, ERR_FORMAT,
				 "line %zu: the kernel table needs the columns Instances, Avg or "
				 "Med, and Name",
				 header->line);
	return 0;
}

/* --- a row --- */

/* "1,780,048.8": a number, perhaps with separators of thousands. */
static bool number_of(struct span cell, double *number)
{
	char digits[64];
	size_t len = 0;
	for (size_t i = 0; i < cell.len && len < sizeof digits; i++)
		if (cell.ptr[i] != ',')
			digits[len++] = cell.ptr[i];
	return len < sizeof digits && span_number((struct span){digits, len}, number);
}

static struct span cell_of(const struct reading *r, const struct row *row, int field)
{
	size_t at = r->columns.at[field];
	return at < row->count ? row->cells[at] : (struct span){"", 0};
}

static int read_number(const struct reading *r, const struct row *row, int field, double *number,
		       struct error *err)
{
	static const char *const names[] = {"Instances", "Total Time", "Avg",   "Med",
					    "Min",       "Max",        "StdDev"};
	char text[lines_excerpt_size];
	struct span cell = cell_of(r, row, field);
	*number = NAN;
	if (r->columns.at[field] == column_limit || (cell.len == 0 && field == KERNEL_DEVIATION))
		return 0;
	if (!number_of(cell, number))
		return error_set(err, ERR_FORMAT, "line %zu: %s is \"%s\", not a number", row->line,
				 names[field], lines_excerpt(text, cell));
	*number /= r->columns.divisor[field];
	return 0;
}

/* The sizes of a grid or block, as in "  16    1    1". */
static int read_size(const struct reading *r, const struct row *row, int field, double size[3],
		     struct error *err)
{
	struct span rest = span_trim(cell_of(r, row, field));
	if (r->columns.at[field] == column_limit)
		return 0;
	for (int i = 0; i < 3; i++) {
		struct span part = span_cut(&rest, ' ');
		rest = span_trim(rest);
		if (!number_of(part, &size[i]) || size[i] < 1 || size[i] > 4294967295.0)
			return error_set(err, ERR_FORMAT, "line %zu: %s is not three numbers",
					 row->line, field == GRID ? "GridXYZ" : "BlockXYZ");
	}
	return 0;
}

static int read_row(struct reading *r, const struct row *row, struct error *err)
{
	/* As the columns are ordered, so that the first damaged cell is reported. */
	static const int order[KERNEL_STATISTICS] = {
		KERNEL_TOTAL,   KERNEL_COUNT,   KERNEL_MEAN,     KERNEL_MEDIAN,
		KERNEL_MINIMUM, KERNEL_MAXIMUM, KERNEL_DEVIATION};
	struct kernel_summary summary;
	struct kernel_work work;
	if (span_trim(cell_of(r, row, NAME)).len == 0)
		return error_set(err, ERR_FORMAT,
				 "line %zu: kernel name missing; the file is truncated", row->line);
	if (r->count == row_limit)
		return error_set(err, ERR_FORMAT, "line %zu: more than %d kernels", row->line,
				 (int)row_limit);
	for (int i = 0; i < KERNEL_STATISTICS; i++)
		if (read_number(r, row, order[i], &summary.of[order[i]], err) < 0)
			return -1;
	kernel_runs_work_init(r->arena, &work, "nsys", cell_of(r, row, NAME));
	if (read_size(r, row, GRID, work.grid, err) < 0 ||
	    read_size(r, row, BLOCK, work.block, err) < 0)
		return -1;
	if (kernel_runs_summarize(r->arena, &work, &summary, err) < 0)
		return error_prefix(err, "line %zu", row->line);
	kernel_runs_set_sizes(&work);
	*arena_next(r->arena, r->works, r->count, r->capacity) = work;
	return 0;
}

/* --- text of fixed width: the rule below the header shows the columns --- */

struct rule {
	size_t count, begin[column_limit], end[column_limit];
};

static int read_rule(struct rule *rule, struct span line, size_t number, struct error *err)
{
	*rule = (struct rule){0};
	for (size_t i = 0; i < line.len;) {
		if (line.ptr[i] == ' ' || line.ptr[i] == '\r') {
			i++;
			continue;
		}
		if (line.ptr[i] != '-' || rule->count == column_limit)
			return error_set(err, ERR_FORMAT,
					 "line %zu: the separator line (-----  -----) below the "
					 "header is missing",
					 number);
		rule->begin[rule->count] = i;
		while (i < line.len && line.ptr[i] == '-')
			i++;
		rule->end[rule->count++] = i;
	}
	return 0;
}

/* Splits a row at the columns of the rule. The last column extends to the end of the line: a name
 * with multibyte characters has more bytes than its rule. */
static void cut_row(const struct rule *rule, struct span line, size_t number, struct row *row)
{
	*row = (struct row){.line = number, .count = rule->count};
	for (size_t i = 0; i < rule->count; i++) {
		size_t begin = rule->begin[i] < line.len ? rule->begin[i] : line.len;
		size_t end =
			i + 1 == rule->count || rule->end[i] > line.len ? line.len : rule->end[i];
		row->cells[i] = span_trim((struct span){line.ptr + begin, end - begin});
	}
}

static int read_text(struct reading *r, struct lines *lines, struct span header, struct error *err)
{
	struct rule rule;
	struct row row;
	struct span line;
	if (!lines_next(lines, &line))
		line = (struct span){"", 0};
	if (read_rule(&rule, line, lines->number, err) < 0)
		return -1;
	cut_row(&rule, header, lines->number - 1, &row);
	if (find_columns(&r->columns, &row, err) < 0)
		return -1;
	while (lines_next(lines, &line) && span_trim(line).len) {
		cut_row(&rule, line, lines->number, &row);
		if (read_row(r, &row, err) < 0)
			return -1;
	}
	return 0;
}

/* --- CSV --- */

static void copy_cells(const struct span *cells, size_t count, size_t line, struct row *row)
{
	*row = (struct row){.line = line};
	for (; row->count < count && row->count < column_limit; row->count++)
		row->cells[row->count] = cells[row->count];
}

/* The table ends at an empty line; names do not contain line ends. */
static int read_csv(struct reading *r, struct lines *lines, struct span header, struct error *err)
{
	struct span line;
	struct row row;
	const char *end = header.ptr + header.len;
	const size_t first = lines->number;
	while (lines_next(lines, &line) && span_trim(line).len)
		end = line.ptr + line.len;
	struct span text = {header.ptr, (size_t)(end - header.ptr)};
	struct csv csv = csv_of(r->arena, text, csv_guess_separator(text));
	csv.next_line = first;
	int more = csv_header(&csv, err);
	if (more < 0)
		return -1;
	copy_cells(csv.names, csv.name_count, first, &row);
	if (find_columns(&r->columns, &row, err) < 0)
		return -1;
	while ((more = csv_next(&csv, err)) > 0) {
		copy_cells(csv.cells, csv.cell_count, csv.line, &row);
		if (read_row(r, &row, err) < 0)
			return -1;
	}
	return more;
}

/* --- the file --- */

static int read_tables(struct reading *r, struct lines *lines, struct error *err)
{
	struct span line;
	while (lines_next(lines, &line)) {
		if (!is_header(line) || r->tables++)
			continue;
		r->header_line = lines->number;
		bool is_csv = memchr(line.ptr, ',', line.len) || memchr(line.ptr, '\t', line.len);
		if ((is_csv ? read_csv(r, lines, line, err) : read_text(r, lines, line, err)) < 0)
			return -1;
	}
	return 0;
}

static int read_nsys(struct arena *arena, struct input *input, struct ingest_result *result,
		     struct error *err)
{
	struct span bytes;
	struct reading r = {.arena = arena};
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	struct lines lines = lines_of(bytes);
	if (read_tables(&r, &lines, err) < 0)
		return -1;
	if (r.tables == 0)
		return error_set(err, ERR_FORMAT,
				 "no kernel table (cuda_gpu_kern_sum): no GPU work ran, or it was "
				 "not traced");
	if (r.count == 0)
		return error_set(err, ERR_FORMAT, "line %zu: the kernel table has no rows",
				 r.header_line);
	kernel_runs_add(arena, r.works, r.count, &result->runs);
	if (r.tables > 1)
		run_add_note(
			arena, r.works[0].run, "rooflog",
			arena_printf(
				arena,
				"the file has %zu kernel tables; only the first (line %zu) is used",
				r.tables, r.header_line));
	return 0;
}

/* The table may lie beyond the head of a log. Then lines that only nsys writes identify it. */
static bool detect(struct span head)
{
	struct lines lines = lines_of(head);
	struct span line;
	while (lines_next(&lines, &line))
		if (is_header(line) ||
		    (span_starts(line, "Generating '") && contains(line, ".qdstrm'")) ||
		    (span_starts(line, "Processing [") && contains(line, "/reports/")) ||
		    (span_starts(line, "[") && contains(line, "] Executing '") &&
		     contains(line, "' stats report")))
			return true;
	return false;
}

const struct reader nsys_stats_reader = {"nsys-stats", "Nsight Systems: nsys stats, text or CSV",
					 NEEDS_DEVICE, detect, read_nsys};
