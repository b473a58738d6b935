/* Joins tables of a text that have the columns of a map together: rows with the same keys are one
 * row. Each row stands at its line in the first table that has it. */
#include "ingest/table/pasted/cells.h"
#include "ingest/table/pasted/pasted.h"

enum { row_limit = 4096 }; /* each is compared with each */

struct joined_row {
	size_t line;       /* in the first table that has it */
	size_t part, seen; /* the last table that has it, and its line there */
	struct span rest;  /* a line that is not a row of its table; empty for a row */
	struct span *cells;
};

struct joining {
	struct arena *arena;
	const struct pasted_names *names;
	struct pasted *found;
	size_t columns[pasted_cell_limit]; /* of the present table, by name; cell limit: none */
	size_t width;                      /* cells of its header */
	struct joined_row *rows;
	size_t count, capacity;
};

static size_t column_of(const struct pasted_cells *header, const char *name)
{
	for (size_t i = 0; i < header->count; i++)
		if (span_is(header->items[i], name))
			return i;
	return pasted_cell_limit;
}

/* Whether the line is the header of a table to join: it has all keys and another name. */
static bool begins(struct joining *j, const struct pasted_cells *header)
{
	size_t others = 0;
	size_t columns[pasted_cell_limit];
	for (size_t i = 0; i < j->names->count; i++) {
		columns[i] = column_of(header, j->names->items[i]);
		if (i < j->names->keys && columns[i] == pasted_cell_limit)
			return false;
		others += i >= j->names->keys && columns[i] < pasted_cell_limit;
	}
	if (others == 0)
		return false;
	memcpy(j->columns, columns, j->names->count * sizeof *columns);
	j->width = header->count;
	return true;
}

static bool has_keys(const struct joining *j, const struct joined_row *row,
		     const struct pasted_cells *cells)
{
	for (size_t i = 0; i < j->names->keys; i++)
		if (!row->cells || !span_eq(row->cells[i], cells->items[j->columns[i]]))
			return false;
	return true;
}

static struct joined_row *row_with_keys(const struct joining *j, const struct pasted_cells *cells)
{
	for (size_t i = 0; i < j->count; i++)
		if (has_keys(j, &j->rows[i], cells))
			return &j->rows[i];
	return NULL;
}

/* Two rows of one table have the same keys. */
static int fail_same(const struct joining *j, size_t first, size_t second, struct error *err)
{
	struct strbuf keys = {0};
	for (size_t i = 0; i < j->names->keys; i++)
		strbuf_addf(&keys, "%s%s", i ? ", " : "", j->names->items[i]);
	error_set(err, ERR_FORMAT,
		  "lines %zu and %zu have the same %.200s: which of them belongs to a row of "
		  "another table is not known",
		  first, second, strbuf_text(&keys));
	strbuf_free(&keys);
	return -1;
}

static int add_row(struct joining *j, size_t line, struct span text, struct pasted_cells *cells,
		   struct error *err)
{
	bool row = pasted_split(text, cells) && cells->count == j->width;
	struct joined_row *known = row ? row_with_keys(j, cells) : NULL;
	if (known && known->part == j->found->count)
		return fail_same(j, known->seen, line, err);
	if (!known && j->count == row_limit)
		return error_set(err, ERR_FORMAT, "line %zu: more than %d rows in tables to join",
				 line, (int)row_limit);
	if (!known) {
		known = arena_next(j->arena, j->rows, j->count, j->capacity);
		*known = (struct joined_row){.line = line,
					     .rest = row ? (struct span){"", 0} : text};
		if (row)
			known->cells = arena_array(j->arena, j->names->count, sizeof *known->cells);
	}
	known->part = j->found->count;
	known->seen = line;
	for (size_t i = 0; row && i < j->names->count; i++)
		if (j->columns[i] < pasted_cell_limit)
			known->cells[i] = cells->items[j->columns[i]];
	return 0;
}

/* Each name must be that of one table. */
static int check_names(struct joining *j, const size_t *tables, bool *complete, struct error *err)
{
	*complete = true;
	for (size_t i = j->names->keys; i < j->names->count; i++) {
		*complete = *complete && tables[i] > 0;
		if (tables[i] > 1)
			return error_set(err, ERR_FORMAT,
					 "%zu tables have the column \"%s\": put the table that is "
					 "meant into a file of its own",
					 tables[i], j->names->items[i]);
	}
	return 0;
}

static int read_tables(struct joining *j, struct span text, bool *complete, struct error *err)
{
	size_t tables[pasted_cell_limit] = {0};
	bool inside = false;
	for (size_t number = 1; text.len; number++) {
		struct span line = span_trim(span_cut(&text, '\n'));
		struct pasted_cells cells = {.count = 0};
		if (pasted_is_rule(line))
			continue;
		if (pasted_split(line, &cells) && begins(j, &cells)) {
			if (j->found->count == pasted_part_limit)
				return error_set(err, ERR_FORMAT,
						 "line %zu: more than %d tables to join", number,
						 (int)pasted_part_limit);
			j->found->headers[j->found->count++] = number;
			for (size_t i = 0; i < j->names->count; i++)
				tables[i] += j->columns[i] < pasted_cell_limit;
			inside = true;
			continue;
		}
		inside = inside && line.len > 0;
		if (inside && add_row(j, number, line, &cells, err) < 0)
			return -1;
	}
	return check_names(j, tables, complete, err);
}

static int by_line(const void *a, const void *b)
{
	const struct joined_row *x = a, *y = b;
	return (x->line > y->line) - (x->line < y->line);
}

static struct span write_rows(struct joining *j)
{
	struct strbuf out = {0};
	size_t line = 1;
	array_sort(j->rows, j->count, sizeof *j->rows, by_line);
	for (; line < j->found->headers[0]; line++)
		strbuf_addch(&out, '\n');
	for (size_t i = 0; i < j->names->count; i++) {
		strbuf_addstr(&out, i ? "\t" : "");
		pasted_add_cell(&out, span_of(j->names->items[i]));
	}
	for (size_t i = 0; i < j->count; i++) {
		const struct joined_row *row = &j->rows[i];
		for (; line < row->line; line++)
			strbuf_addch(&out, '\n');
		if (!row->cells)
			pasted_add_cell(&out, row->rest);
		for (size_t k = 0; row->cells && k < j->names->count; k++) {
			strbuf_addstr(&out, k ? "\t" : "");
			pasted_add_cell(&out, row->cells[k]);
		}
	}
	strbuf_addch(&out, '\n');
	return span_of(strbuf_into(&out, j->arena));
}

int pasted_join(struct arena *arena, struct span text, const struct pasted_names *names,
		struct pasted *found, struct error *err)
{
	struct joining j = {.arena = arena, .names = names, .found = found};
	bool complete = false;
	*found = (struct pasted){.count = 0};
	if (names->keys == 0 || names->count > pasted_cell_limit)
		return 0;
	if (read_tables(&j, text, &complete, err) < 0)
		return -1;
	if (complete && j.count)
		found->table = write_rows(&j);
	else
		found->count = 0;
	return 0;
}
