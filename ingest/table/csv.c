/* Splits a text into rows and cells. */
#include "ingest/table/csv.h"

#include "base/text/text.h"
#include "ingest/table/lines.h"

struct csv csv_of(struct arena *arena, struct span text, char separator)
{
	if (span_starts(text, "\xef\xbb\xbf"))
		text = span_from(text, 3);
	return (struct csv){
		.arena = arena, .rest = text, .separator = separator, .line = 1, .next_line = 1};
}

char csv_guess_separator(struct span text)
{
	static const char candidates[] = ",\t;";
	size_t counts[sizeof candidates] = {0}, best = 0;
	bool quoted = false;
	for (size_t i = 0; i < text.len && (quoted || text.ptr[i] != '\n'); i++) {
		quoted ^= text.ptr[i] == '"';
		const char *hit =
			quoted ? NULL : memchr(candidates, text.ptr[i], sizeof candidates - 1);
		if (hit)
			counts[hit - candidates]++;
	}
	for (size_t i = 1; i < sizeof candidates - 1; i++)
		best = counts[i] > counts[best] ? i : best;
	return candidates[best];
}

static void add_cell(struct csv *csv, struct span cell)
{
	*arena_next(csv->arena, csv->cells, csv->cell_count, csv->cell_capacity) = cell;
}

static void advance(struct csv *csv, size_t bytes)
{
	csv->rest = span_from(csv->rest, bytes);
}

/* Replaces doubled quotes by single ones. */
static struct span undouble(struct csv *csv, struct span text)
{
	char *copy = arena_alloc(csv->arena, text.len + 1);
	size_t len = 0;
	for (size_t i = 0; i < text.len; i++) {
		copy[len++] = text.ptr[i];
		i += text.ptr[i] == '"';
	}
	return (struct span){copy, len};
}

/* Reads a quoted cell; the rest begins with the quote. */
static int read_quoted(struct csv *csv, struct error *err)
{
	const struct span text = csv->rest;
	bool doubled = false;
	size_t at = 1;
	for (;;) {
		const char *quote =
			at < text.len ? memchr(text.ptr + at, '"', text.len - at) : NULL;
		if (!quote)
			return error_set(
				err, ERR_FORMAT,
				"line %zu: unterminated quote; the file is truncated or damaged",
				csv->line);
		at = (size_t)(quote - text.ptr);
		if (at + 1 == text.len || text.ptr[at + 1] != '"')
			break;
		doubled = true;
		at += 2;
	}
	struct span inside = {text.ptr + 1, at - 1};
	for (size_t i = 0; i < inside.len; i++)
		csv->next_line += inside.ptr[i] == '\n';
	advance(csv, at + 1);
	add_cell(csv, span_trim(doubled ? undouble(csv, inside) : inside));
	while (csv->rest.len && (csv->rest.ptr[0] == ' ' || csv->rest.ptr[0] == '\r'))
		advance(csv, 1);
	if (csv->rest.len && csv->rest.ptr[0] != csv->separator && csv->rest.ptr[0] != '\n')
		return error_set(err, ERR_FORMAT, "line %zu: text after a closing quote",
				 csv->line);
	return 0;
}

static void read_bare(struct csv *csv)
{
	size_t len = 0;
	while (len < csv->rest.len && csv->rest.ptr[len] != csv->separator &&
	       csv->rest.ptr[len] != '\n')
		len++;
	add_cell(csv, span_trim((struct span){csv->rest.ptr, len}));
	advance(csv, len);
}

static int read_row(struct csv *csv, struct error *err)
{
	csv->cell_count = 0;
	csv->line = csv->next_line;
	for (;;) {
		if (csv->cell_count == csv_column_limit)
			return error_set(err, ERR_FORMAT, "line %zu: more than %d cells in a row",
					 csv->line, (int)csv_column_limit);
		if (csv->rest.len && csv->rest.ptr[0] == '"') {
			if (read_quoted(csv, err) < 0)
				return -1;
		} else {
			read_bare(csv);
		}
		if (csv->rest.len == 0)
			return 0;
		char end = csv->rest.ptr[0];
		advance(csv, 1);
		if (end == '\n') {
			csv->next_line++;
			return 0;
		}
	}
}

int csv_next(struct csv *csv, struct error *err)
{
	while (csv->rest.len) {
		if (read_row(csv, err) < 0)
			return -1;
		if (csv->cell_count > 1 || csv->cells[0].len)
			return 1;
	}
	csv->cell_count = 0;
	return 0;
}

int csv_header(struct csv *csv, struct error *err)
{
	int rc = csv_next(csv, err);
	if (rc <= 0)
		return rc;
	csv->names = csv->cells;
	csv->name_count = csv->cell_count;
	csv->cells = NULL;
	csv->cell_count = csv->cell_capacity = 0;
	return 1;
}

static bool is_text(struct span cell)
{
	return cell.len <= csv_text_limit && utf8_is_line(cell);
}

int csv_known_header(struct csv *csv, struct error *err)
{
	int rc = csv_header(csv, err);
	if (rc > 0 && csv->name_count > csv_known_limit)
		return error_set(err, ERR_FORMAT, "line %zu: the table has more than %d columns",
				 csv->line, (int)csv_known_limit);
	if (rc <= 0)
		return rc < 0 ? -1 : error_set(err, ERR_FORMAT, "the table has no header row");
	for (size_t i = 0; i < csv->name_count; i++)
		if (!is_text(csv->names[i]))
			return error_set(err, ERR_FORMAT,
					 "line %zu: the name of column %zu contains line breaks or "
					 "unprintable characters",
					 csv->line, i + 1);
	return 0;
}

int csv_known_row(const struct csv *csv, struct error *err)
{
	if (csv->cell_count != csv->name_count)
		return error_set(err, ERR_FORMAT,
				 "line %zu: %zu cell%s, but the header has %zu; the file is "
				 "truncated or damaged",
				 csv->line, csv->cell_count, csv->cell_count == 1 ? "" : "s",
				 csv->name_count);
	for (size_t i = 0; i < csv->cell_count; i++)
		if (!is_text(csv->cells[i]))
			return error_set(err, ERR_FORMAT,
					 "line %zu: %.*s must be one line of printable text, at "
					 "most %d bytes",
					 csv->line,
					 (int)(csv->names[i].len < 80 ? csv->names[i].len : 80),
					 csv->names[i].ptr, (int)csv_text_limit);
	return 0;
}

size_t csv_column(const struct csv *csv, const char *name)
{
	for (size_t i = 0; i < csv->name_count; i++)
		if (span_is(csv->names[i], name))
			return i;
	return csv_column_limit;
}

bool csv_has(const struct csv *csv, const char *name)
{
	return csv_column(csv, name) < csv_column_limit;
}

struct span csv_at(const struct csv *csv, size_t column)
{
	return column < csv->cell_count ? csv->cells[column] : (struct span){"", 0};
}

struct span csv_cell(const struct csv *csv, const char *name)
{
	return csv_at(csv, csv_column(csv, name));
}

const char *csv_text(const struct csv *csv, const char *name)
{
	struct span cell = csv_cell(csv, name);
	return cell.len && utf8_is_line(cell) ? arena_strndup(csv->arena, cell.ptr, cell.len)
					      : NULL;
}

bool csv_is_absent(struct span cell)
{
	static const char *const words[] = {"nan", "n/a", "-", "none", "null"};
	return cell.len == 0 || span_among_any_case(cell, words, sizeof words / sizeof *words);
}

int csv_number(const struct csv *csv, const char *name, double *number, struct error *err)
{
	char excerpt[lines_excerpt_size];
	struct span cell = csv_cell(csv, name);
	*number = NAN;
	if (csv_is_absent(cell) || span_number(cell, number))
		return 0;
	return error_set(err, ERR_FORMAT, "line %zu: %s is \"%s\", not a number", csv->line, name,
			 lines_excerpt(excerpt, cell));
}

int csv_amount(const struct csv *csv, const char *name, double *number, struct error *err)
{
	if (csv_number(csv, name, number, err) < 0)
		return -1;
	if (*number < 0)
		return error_set(err, ERR_FORMAT, "line %zu: %s is negative", csv->line, name);
	return 0;
}
