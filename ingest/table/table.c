/* Plain tables with a map of columns: assigns each row to the run of its work. */
#include "ingest/table/table.h"

#include "base/base.h"
#include "base/text/text.h"
#include "ingest/table/column_map.h"
#include "ingest/json/document/peek.h"
#include "ingest/collect/collect.h"
#include "ingest/table/pasted/pasted.h"
#include "ingest/table/rows.h"

static const size_t size_limit = 64u << 20; /* bytes of a file */
enum {
	text_limit = 4096,  /* bytes of a text in a cell */
	row_limit = 4000000 /* of Parquet; a text of size_limit has fewer */
};

/* The values in a column of numbers, to check whether its unit is plausible. */
struct range {
	size_t count, above_one, below_one;
};

struct reading {
	struct arena *arena;
	struct column_map map;
	struct table_rows rows;
	struct row_groups groups;
	struct strbuf key;
	char decimal; /* '.' or ',' */
	size_t columns[column_map_limit];
	struct range ranges[column_map_limit];
	struct span cells[column_map_limit]; /* of the current row */
	double numbers[column_map_limit];
	bool is_wrong;
	struct row_count damaged, unmeasured, words, nameless, repeats;
	const char *others; /* tables of the text that the map does not name; NULL: none */
};

static int fail_cell(const struct reading *r, size_t item, const char *what, struct error *err)
{
	char excerpt[lines_excerpt_size];
	return error_set(err, ERR_FORMAT, "%s %zu: %s is \"%s\", %s", r->rows.unit, r->rows.line,
			 r->map.items[item].column, lines_excerpt(excerpt, r->cells[item]), what);
}

/* --- numbers --- */

static bool is_word(struct span cell)
{
	for (size_t i = 0; i < cell.len; i++)
		if (cell.ptr[i] >= '0' && cell.ptr[i] <= '9')
			return false;
	return true;
}

/* Parses a number with the decimal sign of the file. */
static bool parse_number(const struct reading *r, struct span cell, double *number)
{
	char text[64];
	if (r->decimal == '.')
		return span_number(cell, number);
	if (cell.len >= sizeof text || memchr(cell.ptr, '.', cell.len))
		return false;
	for (size_t i = 0; i < cell.len; i++)
		text[i] = (char)(cell.ptr[i] == ',' ? '.' : cell.ptr[i]);
	return span_number((struct span){text, cell.len}, number);
}

static int read_number(struct reading *r, size_t item, struct error *err)
{
	const struct column_item *column = &r->map.items[item];
	struct span cell = r->cells[item];
	struct range *range = &r->ranges[item];
	double number;
	r->numbers[item] = NAN;
	if (csv_is_absent(cell))
		return 0;
	if (is_word(cell)) {
		row_groups_count_add(&r->words, r->rows.line);
		return 0;
	}
	if (!parse_number(r, cell, &number))
		return fail_cell(r, item,
				 "not a number; set the decimal separator with --decimal, and do "
				 "not group digits",
				 err);
	number = number * column->multiplier / column->divisor;
	if (number < 0 || !isfinite(number))
		return fail_cell(r, item, "negative or too large", err);
	if (number == 0 && metric_zero_is_nothing(column->metric))
		return 0;
	range->count++;
	range->above_one += number > 1;
	range->below_one += number * column->divisor < 1;
	r->numbers[item] = number;
	return 0;
}

/* --- texts --- */

static int read_correct(struct reading *r, size_t item, struct error *err)
{
	static const char *const wrong[] = {"false",  "0",         "no",    "n",    "fail",
					    "failed", "incorrect", "wrong", "error"};
	static const char *const right[] = {"true",   "1",       "yes",     "y", "pass",
					    "passed", "correct", "success", "ok"};
	struct span cell = r->cells[item];
	r->is_wrong |= span_among_any_case(cell, wrong, sizeof wrong / sizeof *wrong);
	if (r->is_wrong || csv_is_absent(cell) ||
	    span_among_any_case(cell, right, sizeof right / sizeof *right))
		return 0;
	return fail_cell(r, item, "not true or false", err);
}

/* Cuts the next "NAME=VALUE" off a cell; false at its end. The name is empty for anything else. */
static bool next_param(struct span *cell, struct span *name, struct span *value)
{
	static const char separators[] = ",; ";
	size_t start = 0, end;
	while (start < cell->len && strchr(separators, cell->ptr[start]))
		start++;
	for (end = start; end < cell->len && !strchr(separators, cell->ptr[end]);)
		end++;
	struct span item = {cell->ptr + start, end - start};
	*cell = span_from(*cell, end);
	if (!item.len)
		return false;
	*name = span_cut(&item, '=');
	*value = item;
	if (!item.len)
		name->len = 0;
	return true;
}

static int check_params(const struct reading *r, size_t item, struct error *err)
{
	struct span cell = r->cells[item], name, value;
	while (next_param(&cell, &name, &value))
		if (!name.len)
			return fail_cell(r, item, "not of the form \"b=1, s=128\"", err);
	return 0;
}

static void set_params(const struct reading *r, struct run *run, struct span cell)
{
	struct span name, value;
	while (next_param(&cell, &name, &value))
		run_set_param(r->arena, run, arena_strndup(r->arena, name.ptr, name.len),
			      arena_strndup(r->arena, value.ptr, value.len));
}

static int read_text(struct reading *r, size_t item, struct error *err)
{
	const struct column_item *column = &r->map.items[item];
	struct span *cell = &r->cells[item];
	if (column->target == COLUMN_CORRECT)
		return read_correct(r, item, err);
	if (column->target == COLUMN_ATTRIBUTE) {
		if (cell->len > text_limit || !utf8_is_line(*cell))
			cell->len = 0;
		return 0;
	}
	if (cell->len > text_limit || !utf8_is_line(*cell))
		return fail_cell(r, item, "not one line of printable text", err);
	if (column->target == COLUMN_COMMIT && cell->len && cell->ptr[0] == '-')
		cell->len = 0;
	if (column->target == COLUMN_KERNEL && cell->len == 0)
		return error_set(err, ERR_FORMAT, "%s %zu: %s is empty: kernel name missing",
				 r->rows.unit, r->rows.line, column->column);
	if (column->target == COLUMN_DTYPE && cell->len && !dtype_normalise(*cell))
		return fail_cell(r, item, "unknown dtype", err);
	return column->target == COLUMN_PARAMS ? check_params(r, item, err) : 0;
}

static const char *text_of(const struct reading *r, size_t item)
{
	struct span cell = r->cells[item];
	return cell.len ? arena_strndup(r->arena, cell.ptr, cell.len) : NULL;
}

/* --- runs --- */

static void describe(const struct reading *r, struct run *run)
{
	run->tool = "table";
	for (size_t i = 0; i < r->map.count; i++) {
		const struct column_item *item = &r->map.items[i];
		const char *text = item->target == COLUMN_METRIC ? NULL : text_of(r, i);
		if (!text)
			continue;
		const char **const members[COLUMN_METRIC + 1] = {
			[COLUMN_COMMIT] = &run->commit,
			[COLUMN_KERNEL] = &run->kernel,
			[COLUMN_VARIANT] = &run->variant,
			[COLUMN_DTYPE] = &run->dtype,
			[COLUMN_DEVICE] = &run->device,
			[COLUMN_INSTANCE_TYPE] = &run->instance_type,
		};
		if (members[item->target])
			*members[item->target] = text;
		else if (item->target == COLUMN_PARAM)
			run_set_param(r->arena, run, item->label, text);
		else if (item->target == COLUMN_PARAMS)
			set_params(r, run, r->cells[i]);
		else if (item->target == COLUMN_ATTRIBUTE)
			run_add_attribute(r->arena, run, item->label, text);
	}
	if (!r->is_wrong)
		return;
	run_add_attribute(r->arena, run, "correctness", "incorrect");
	run_add_note(r->arena, run, "rooflog",
		     arena_printf(r->arena,
				  "%s %zu: result marked as incorrect; not used in comparisons",
				  r->rows.unit, r->rows.line));
}

static struct span key_of(struct reading *r)
{
	strbuf_reset(&r->key);
	strbuf_addch(&r->key, r->is_wrong ? 'w' : '-');
	for (size_t i = 0; i < r->map.count; i++) {
		if (!column_map_is_key(&r->map.items[i]))
			continue;
		strbuf_addch(&r->key, '\n');
		strbuf_addspan(&r->key, r->cells[i]);
	}
	return strbuf_span(&r->key);
}

/* Rows that count other work are not repeats, whatever the other columns say. */
static int check_work(struct reading *r, const struct row_group *group, struct error *err)
{
	for (size_t i = 0; i < r->map.count; i++) {
		const struct column_item *item = &r->map.items[i];
		const struct row_number *known = &group->known[i];
		if (item->target != COLUMN_METRIC || metric_info(item->metric)->unit != UNIT_FLOP ||
		    run_flops_agree(known->number, r->numbers[i]))
			continue;
		return error_set(err, ERR_FORMAT,
				 "%ss %zu and %zu have the same kernel and parameters in the "
				 "mapped columns, but %.60s is %s and %s: also map the column that "
				 "distinguishes them (n=COLUMN)",
				 r->rows.unit, known->line, r->rows.line, item->column,
				 quantity_text(r->arena, known->number, UNIT_FLOP),
				 quantity_text(r->arena, r->numbers[i], UNIT_FLOP));
	}
	return 0;
}

static int add_row(struct reading *r, struct error *err)
{
	struct row_group *group = row_groups_find(&r->groups, key_of(r), r->rows.line, err);
	if (!group)
		return -1;
	if (group->row_count == 0)
		describe(r, group->run);
	else if (check_work(r, group, err) < 0)
		return -1;
	else
		row_groups_count_add(&r->repeats, r->rows.line);
	double *numbers = row_groups_add(&r->groups, group);
	if (!group->known)
		group->known = arena_array(r->arena, r->map.count, sizeof *group->known);
	for (size_t i = 0; i < r->map.count; i++) {
		numbers[i] = r->numbers[i];
		if (group->row_count == 1 || isnan(group->known[i].number))
			group->known[i] = (struct row_number){numbers[i], r->rows.line};
	}
	return 0;
}

static int read_row(struct reading *r, struct error *err)
{
	size_t measured = 0;
	r->is_wrong = false;
	for (size_t i = 0; i < r->map.count; i++) {
		bool is_metric = r->map.items[i].target == COLUMN_METRIC;
		r->numbers[i] = NAN;
		if (table_rows_cell(&r->rows, r->columns[i], &r->cells[i], err) < 0 ||
		    (is_metric ? read_number(r, i, err) : read_text(r, i, err)) < 0)
			return -1;
		measured += !isnan(r->numbers[i]);
		if (r->map.items[i].target == COLUMN_COMMIT && r->cells[i].len == 0) {
			row_groups_count_add(&r->nameless, r->rows.line);
			return 0;
		}
	}
	if (measured == 0) {
		row_groups_count_add(&r->unmeasured, r->rows.line);
		return 0;
	}
	return add_row(r, err);
}

/* --- the table --- */

/* Warns about ratios that are implausible in the given unit. */
static void check_units(const struct reading *r)
{
	for (size_t i = 0; i < r->map.count; i++) {
		const struct column_item *item = &r->map.items[i];
		const struct range *range = &r->ranges[i];
		if (item->target != COLUMN_METRIC || range->count == 0 ||
		    metric_info(item->metric)->unit != UNIT_FRACTION)
			continue;
		const char *warning = NULL;
		if (item->divisor == 1 && range->above_one)
			warning = arena_printf(
				r->arena,
				"%s exceeds 1 (100 %%) in %zu of %zu row%s: the column is "
				"probably in percent, not a fraction",
				item->column, range->above_one, range->count,
				range->count == 1 ? "" : "s");
		else if (item->divisor > 1 && range->below_one == range->count)
			warning =
				arena_printf(r->arena,
					     "%s is below 1 in every row: the column is probably a "
					     "fraction, not percent",
					     item->column);
		if (warning)
			run_add_note(r->arena, r->groups.items[0].run, "rooflog", warning);
	}
}

static void add_notes(const struct reading *r)
{
	row_groups_note(&r->groups, r->damaged, "skipped: cell count differs from the header");
	row_groups_note(&r->groups, r->nameless, "skipped: no commit");
	row_groups_note(&r->groups, r->unmeasured, "skipped: no value above 0");
	row_groups_note(&r->groups, r->words,
			"text where a number is expected, treated as missing");
	row_groups_note(&r->groups, r->repeats,
			"same kernel and parameters as an earlier row, stored as a repeat");
	if (r->others)
		run_add_note(r->arena, r->groups.items[0].run, "rooflog",
			     arena_printf(r->arena, "not read: other tables of the text: %s",
					  r->others));
	check_units(r);
}

/* The tables of a text, but not those that were found; NULL: there are none. */
static const char *others_of(struct arena *arena, struct span text, const struct pasted *found)
{
	struct strbuf sb = {0};
	size_t count = pasted_offer(&sb, text, found);
	const char *others = strbuf_into(&sb, arena);
	return count ? others : NULL;
}

/* Finds the columns of a map in rows that begin. */
static int find_columns(struct table_rows *rows, const struct column_map *map, size_t *columns,
			struct error *err)
{
	for (size_t i = 0; i < map->count; i++)
		if (table_rows_column(rows, map->items[i].column, &columns[i], err) < 0)
			return -1;
	return 0;
}

/* Begins with the header of the text or, if that lacks a column, of a table within the text, which
 * is found. */
static int begin(struct arena *arena, struct span text, const struct column_map *map,
		 struct table_rows *rows, size_t *columns, struct pasted *found, struct error *err)
{
	const char *items[column_map_limit];
	struct pasted_names names = {.items = items, .count = map->count};
	names.keys = column_map_names(map, items);
	*found = (struct pasted){.count = 0};
	if (table_rows_begin(arena, text, 0, rows, err) < 0)
		return -1;
	if (rows->is_json || find_columns(rows, map, columns, err) == 0)
		return rows->is_json ? find_columns(rows, map, columns, err) : 0;
	struct error why = {.kind = ERR_NONE};
	if (pasted_table(arena, text, &names, found, &why) < 0)
		*err = why;
	if (!why.kind && !found->table.ptr) {
		const char *others = others_of(arena, text, NULL);
		if (others)
			error_set(
				err, ERR_FORMAT,
				"no table has all columns of the map; tables of the text: %.1800s",
				others);
	}
	if (why.kind || !found->table.ptr)
		return -1;
	return table_rows_begin(arena, found->table, '\t', rows, err) < 0
		       ? -1
		       : find_columns(rows, map, columns, err);
}

static int read_rows(struct reading *r, struct error *err)
{
	enum table_row row;
	for (;;) {
		if (table_rows_next(&r->rows, &row, err) < 0)
			return -1;
		if (row == TABLE_END)
			break;
		if (row == TABLE_DAMAGED)
			row_groups_count_add(&r->damaged, r->rows.line);
		else if (read_row(r, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < r->map.count; i++)
		if (table_rows_misses(&r->rows, r->columns[i]))
			return error_set(err, ERR_FORMAT, "no row has a \"%.100s\"",
					 r->map.items[i].column);
	if (r->groups.count == 0)
		return error_set(err, ERR_FORMAT,
				 "no row with a positive value in the mapped columns");
	return 0;
}

static int begin_parquet(struct reading *r, struct parquet *file, struct error *err)
{
	if (parquet_row_count(file) > row_limit)
		return error_set(err, ERR_FORMAT, "the table has %" PRIu64 " rows, more than %d",
				 parquet_row_count(file), (int)row_limit);
	table_rows_begin_parquet(r->arena, file, &r->rows);
	r->groups.unit = r->rows.unit;
	r->decimal = '.';
	return find_columns(&r->rows, &r->map, r->columns, err);
}

/* Reads a text, or the file. */
static int read_all(struct reading *r, struct span bytes, struct parquet *file, struct error *err)
{
	struct pasted found = {.count = 0};
	if ((file ? begin_parquet(r, file, err)
		  : begin(r->arena, bytes, &r->map, &r->rows, r->columns, &found, err)) < 0)
		return -1;
	r->others = found.count ? others_of(r->arena, bytes, &found) : NULL;
	if (read_rows(r, err) < 0)
		return -1;
	for (size_t i = 0; i < r->groups.count; i++)
		for (size_t k = 0; k < r->map.count; k++) {
			const struct column_item *item = &r->map.items[k];
			if (item->target != COLUMN_METRIC)
				continue;
			bool is_time = metric_info(item->metric)->role == METRIC_ROLE_TIME;
			row_groups_set_metric(&r->groups, &r->groups.items[i], k, item->metric,
					      is_time ? PROVENANCE_MEASURED : PROVENANCE_REPORTED);
		}
	add_notes(r);
	return 0;
}

static int read_table(struct arena *arena, struct input *input, struct ingest_result *result,
		      struct error *err)
{
	struct span head, bytes = {NULL, 0};
	struct parquet *file = NULL;
	const struct input_hints *hints = input_hints(input);
	struct reading *r = arena_new(arena, struct reading);
	r->arena = arena;
	if (!hints->columns)
		return error_set(err, ERR_USAGE,
				 "plain tables need a column mapping: give --columns");
	if (column_map_parse(arena, hints->columns, &r->map, err) < 0 ||
	    input_head(input, &head, err) < 0)
		return -1;
	if (parquet_detect(head))
		file = parquet_open(input, err);
	if (parquet_detect(head) ? !file
				 : input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	r->decimal = hints->locale ? hints->locale[0] : '.';
	r->groups = (struct row_groups){.arena = arena, .width = r->map.count};
	int rc = read_all(r, bytes, file, err);
	table_rows_end(&r->rows);
	parquet_close(file);
	strbuf_free(&r->key);
	if (rc == 0)
		row_groups_finish(&r->groups, &result->runs);
	return rc;
}

static bool detect(struct span head)
{
	(void)head;
	return false;
}

/* Its detect() refuses everything: the registry selects it by table_fits(). */
const struct reader table_reader = {"table", "CSV, TSV, JSON lines or Parquet with --columns",
				    NEEDS_COMMIT, detect, read_table};

/* --- detection, when there is a map --- */

/* Whether the text is JSON lines whose first object has a member that the map names. */
static bool fits_json(struct span head, const struct column_map *map)
{
	struct lines lines = lines_of(head);
	struct span first = {NULL, 0}, second = {NULL, 0};
	struct json_peek_value value;
	while (first.len == 0 && lines_next(&lines, &first))
		first = span_trim(first);
	while (second.len == 0 && lines_next(&lines, &second))
		second = span_trim(second);
	if (!span_starts(first, "{") || (second.len && !span_starts(second, "{")))
		return false;
	bool named = false;
	struct json_peek peek = json_peek_of(first);
	while (json_peek_next(&peek, &value))
		for (size_t i = 0; value.depth == 1 && value.name.len && i < map->count; i++) {
			const char *column = map->items[i].column;
			size_t len = value.name.len;
			named |= strncmp(column, value.name.ptr, len) == 0 &&
				 (column[len] == '\0' || column[len] == '.');
		}
	return named && peek.end != JSON_PEEK_MORE;
}

bool table_fits(struct span head, const char *columns, struct error *why)
{
	struct arena arena = {0};
	struct column_map map;
	struct table_rows rows;
	struct pasted pasted;
	size_t found[column_map_limit];
	bool fits = column_map_parse(&arena, columns, &map, why) == 0 &&
		    begin(&arena, head, &map, &rows, found, &pasted, why) == 0;
	if (fits && rows.is_json)
		fits = fits_json(head, &map);
	arena_free(&arena);
	return fits;
}

bool table_fits_parquet(struct input *input, const char *columns, struct error *why)
{
	struct arena arena = {0};
	struct column_map map;
	struct table_rows rows;
	struct span memory;
	size_t found[column_map_limit];
	int fd;
	if (!input_is_plain(input, &fd, &memory))
		return true;
	struct parquet *file = parquet_open(input, why);
	bool fits = file && column_map_parse(&arena, columns, &map, why) == 0;
	if (fits) {
		table_rows_begin_parquet(&arena, file, &rows);
		fits = find_columns(&rows, &map, found, why) == 0;
	}
	parquet_close(file);
	arena_free(&arena);
	return fits;
}
