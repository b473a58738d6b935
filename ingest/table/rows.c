/* One interface for rows of CSV, of JSON lines and of Parquet. */
#include "ingest/table/rows.h"

#include "base/base.h"

enum { json_line_limit = 16 * 1024 * 1024 };
static const uint64_t json_limit = (uint64_t)1 << 30; /* bytes in the cells of a Parquet file */

static struct span without_comments(struct span text, size_t *lines)
{
	if (span_starts(text, "\xef\xbb\xbf"))
		text = span_from(text, 3);
	*lines = 0;
	while (span_starts(text, "#")) {
		span_cut(&text, '\n');
		(*lines)++;
	}
	return text.ptr ? text : (struct span){"", 0};
}

int table_rows_begin(struct arena *arena, struct span text, char separator, struct table_rows *rows,
		     struct error *err)
{
	size_t comments;
	*rows = (struct table_rows){.arena = arena, .unit = "line"};
	if (span_starts(span_trim(text), "{") || span_starts(text, "\xef\xbb\xbf{")) {
		rows->is_json = true;
		rows->lines = lines_of(text);
		return 0;
	}
	text = without_comments(text, &comments);
	rows->csv = csv_of(arena, text, separator ? separator : csv_guess_separator(text));
	rows->csv.next_line += comments;
	int rc = csv_header(&rows->csv, err);
	if (rc == 0)
		return error_set(err, ERR_FORMAT, "the table has no header row");
	return rc < 0 ? -1 : 0;
}

void table_rows_begin_parquet(struct arena *arena, struct parquet *file, struct table_rows *rows)
{
	*rows = (struct table_rows){.arena = arena, .parquet = file, .unit = "row"};
}

void table_rows_end(struct table_rows *rows)
{
	arena_free(&rows->cells);
}

/* --- columns --- */

/* The column "name", or the second one for "name#2" unless a column has that name. */
static size_t find_cell(const struct csv *csv, struct span name)
{
	size_t hash = name.len, nth = 0;
	for (size_t i = 0; i < csv->name_count; i++)
		if (span_eq(csv->names[i], name))
			return i;
	while (hash && name.ptr[hash - 1] >= '0' && name.ptr[hash - 1] <= '9')
		hash--;
	if (hash < 2 || hash == name.len || name.len - hash > 4 || name.ptr[hash - 1] != '#')
		return csv_column_limit;
	for (size_t i = hash; i < name.len; i++)
		nth = nth * 10 + (size_t)(name.ptr[i] - '0');
	for (size_t i = 0; nth && i < csv->name_count; i++)
		if (span_eq(csv->names[i], (struct span){name.ptr, hash - 1}) && --nth == 0)
			return i;
	return csv_column_limit;
}

/* The column with exactly this name; csv_column_limit if there is none. */
static size_t find_exact(const struct table_rows *rows, struct span name)
{
	if (!rows->parquet)
		return find_cell(&rows->csv, name);
	size_t at = parquet_find_column(rows->parquet, name);
	return at < parquet_column_count(rows->parquet) ? at : csv_column_limit;
}

static int fail_column_of_parquet(const struct parquet *file, const char *name, struct error *err)
{
	struct strbuf names = {0};
	parquet_add_names(file, &names);
	error_set(err, ERR_FORMAT, "no column \"%.100s\"; the columns are %s", name,
		  strbuf_text(&names));
	strbuf_free(&names);
	return -1;
}

static int fail_column(const struct csv *csv, const char *name, struct error *err)
{
	struct strbuf names = {0};
	char excerpt[lines_excerpt_size];
	for (size_t i = 0; i < csv->name_count && names.len < 600; i++)
		strbuf_addf(&names, "%s\"%s\"", i ? ", " : "",
			    lines_excerpt(excerpt, csv->names[i]));
	error_set(err, ERR_FORMAT, "line %zu: no column \"%.100s\"; the columns are %s", csv->line,
		  name, strbuf_text(&names));
	strbuf_free(&names);
	return -1;
}

int table_rows_column(struct table_rows *rows, const char *name, size_t *column, struct error *err)
{
	size_t cell = 0, len = strlen(name);
	const char *path = rows->is_json ? name : NULL;
	if (!rows->is_json) {
		cell = find_exact(rows, (struct span){name, len});
		/* The longest prefix that is the name of a column. */
		for (size_t at = len; at-- > 1 && cell == csv_column_limit;)
			if (name[at] == '.' && name[at + 1]) {
				cell = find_exact(rows, (struct span){name, at});
				path = name + at + 1;
			}
		if (cell == csv_column_limit && rows->parquet)
			return fail_column_of_parquet(rows->parquet, name, err);
		if (cell == csv_column_limit)
			return fail_column(&rows->csv, name, err);
	}
	*column = rows->column_count++;
	rows->columns[*column].name = name;
	rows->columns[*column].cell = cell;
	rows->columns[*column].path = path;
	return 0;
}

bool table_rows_misses(const struct table_rows *rows, size_t column)
{
	return rows->columns[column].path && !rows->columns[column].seen;
}

/* --- rows --- */

static int next_json(struct table_rows *rows, enum table_row *row, struct error *err)
{
	struct span line;
	*row = TABLE_END;
	while (lines_next(&rows->lines, &line)) {
		rows->line = rows->lines.number;
		if (span_trim(line).len == 0)
			continue;
		if (line.len > json_line_limit)
			return error_set(err, ERR_FORMAT, "line %zu is longer than %d bytes",
					 rows->line, (int)json_line_limit);
		rows->object = json_parse(rows->arena, line, err);
		if (!rows->object)
			return error_prefix(err, "line %zu of the file", rows->line);
		if (rows->object->type != JSON_OBJECT)
			return error_set(err, ERR_FORMAT, "line %zu is not a JSON object",
					 rows->line);
		*row = TABLE_ROW;
		return 0;
	}
	return 0;
}

static int next_parquet(struct table_rows *rows, enum table_row *row, struct error *err)
{
	size_t columns[table_column_limit];
	for (size_t i = 0; i < rows->column_count; i++)
		columns[i] = rows->columns[i].cell;
	if (!rows->has_chosen &&
	    parquet_choose(rows->parquet, columns, rows->column_count, err) < 0)
		return -1;
	rows->has_chosen = true;
	arena_free(&rows->cells);
	int more = parquet_next(rows->parquet, err);
	rows->line += more > 0;
	*row = more > 0 ? TABLE_ROW : TABLE_END;
	return more < 0 ? -1 : 0;
}

int table_rows_next(struct table_rows *rows, enum table_row *row, struct error *err)
{
	for (size_t i = 0; i < rows->column_count; i++)
		rows->columns[i].document = NULL;
	if (rows->is_json)
		return next_json(rows, row, err);
	if (rows->parquet)
		return next_parquet(rows, row, err);
	int rc = csv_next(&rows->csv, err);
	rows->line = rows->csv.line;
	*row = rc <= 0                                        ? TABLE_END
	       : rows->csv.cell_count == rows->csv.name_count ? TABLE_ROW
							      : TABLE_DAMAGED;
	return rc < 0 ? -1 : 0;
}

/* --- cells --- */

/* Follows a path of member names. Members whose own name contains dots are found as well. */
static const struct json *member_of(const struct json *object, const char *path)
{
	while (object && object->type == JSON_OBJECT) {
		const struct json *member = json_get(object, path), *next = NULL;
		size_t matched = 0;
		if (member)
			return member;
		for (const struct json *node = object->first; node; node = node->next) {
			size_t len = strlen(node->name);
			if (len > matched && strncmp(path, node->name, len) == 0 &&
			    path[len] == '.') {
				next = node;
				matched = len;
			}
		}
		object = next;
		path += matched + 1;
	}
	return NULL;
}

static struct span text_of(struct arena *arena, const struct json *node)
{
	if (!node || node->type == JSON_NULL)
		return (struct span){"", 0};
	return span_trim(span_of(json_plain(arena, node)));
}

/* Parses the JSON in a cell once per row, however many columns refer to it. */
/* Rows of Parquet may repeat one text millions of times: the size of the file limits nothing. */
static int count_json(struct table_rows *rows, size_t bytes, struct error *err)
{
	rows->json_bytes += bytes;
	return rows->json_bytes <= json_limit
		       ? 0
		       : error_set(err, ERR_FORMAT, "row %zu: more than 1 GiB of JSON in cells",
				   rows->line);
}

static int parse_cell(struct table_rows *rows, size_t column, struct span cell, struct error *err)
{
	for (size_t i = 0; i < rows->column_count; i++)
		if (rows->columns[i].document &&
		    rows->columns[i].cell == rows->columns[column].cell)
			rows->columns[column].document = rows->columns[i].document;
	if (!rows->columns[column].document && rows->parquet && count_json(rows, cell.len, err) < 0)
		return -1;
	if (!rows->columns[column].document)
		rows->columns[column].document =
			json_parse(rows->parquet ? &rows->cells : rows->arena, cell, err);
	if (!rows->columns[column].document)
		return error_prefix(err, "%s %zu: %s: expected JSON in the cell", rows->unit,
				    rows->line, rows->columns[column].name);
	return 0;
}

/* A value as text that is the same number again; empty for null, NaN and infinity. */
static struct span parquet_cell(struct table_rows *rows, size_t column)
{
	const struct parquet_value *value = parquet_value(rows->parquet, column);
	char *digits = rows->columns[column].digits;
	const size_t size = sizeof rows->columns[column].digits;
	if (value->kind == PARQUET_TEXT)
		return span_trim(value->text);
	if (value->kind == PARQUET_TRUTH)
		return span_of(value->magnitude ? "true" : "false");
	digits[0] = '\0';
	if (value->kind == PARQUET_WHOLE)
		snprintf(digits, size, "%s%" PRIu64, value->negative ? "-" : "", value->magnitude);
	else if (value->kind == PARQUET_NUMBER && isfinite(value->number))
		snprintf(digits, size, "%.17g", value->number);
	return span_of(digits);
}

int table_rows_cell(struct table_rows *rows, size_t column, struct span *cell, struct error *err)
{
	const char *path = rows->columns[column].path;
	const struct json *document = rows->object;
	*cell = rows->is_json   ? (struct span){"", 0}
		: rows->parquet ? parquet_cell(rows, column)
				: csv_at(&rows->csv, rows->columns[column].cell);
	if (path && !rows->is_json && csv_is_absent(*cell)) {
		*cell = (struct span){"", 0};
	} else if (path) {
		if (!rows->is_json && parse_cell(rows, column, *cell, err) < 0)
			return -1;
		if (!rows->is_json)
			document = rows->columns[column].document;
		*cell = text_of(rows->parquet ? &rows->cells : rows->arena,
				member_of(document, path));
	}
	if (cell->len)
		rows->columns[column].seen = true;
	return 0;
}
