/* Finds a table in a text by the names of its columns. */
#include "ingest/table/pasted/pasted.h"

#include "ingest/table/pasted/cells.h"

bool pasted_is_rule(struct span line)
{
	bool dashes = false;
	for (size_t i = 0; i < line.len; i++) {
		if (!strchr("-=+|: ", line.ptr[i]))
			return false;
		dashes |= line.ptr[i] == '-' || line.ptr[i] == '=';
	}
	return dashes;
}

/* Where the cell ends, and the next one begins. */
static size_t end_of_cell(struct span line, bool bars, size_t *next)
{
	for (size_t i = 0; i < line.len; i++) {
		size_t blanks = 0;
		if (bars && line.ptr[i] == '|') {
			*next = i + 1;
			return i;
		}
		while (!bars && i + blanks < line.len && line.ptr[i + blanks] == ' ')
			blanks++;
		if (blanks > 1 || (!bars && line.ptr[i] == '\t')) {
			*next = i + (blanks ? blanks : 1);
			return i;
		}
	}
	return *next = line.len;
}

bool pasted_split(struct span line, struct pasted_cells *cells)
{
	line = span_trim(line);
	bool bars = span_starts(line, "|");
	if (bars)
		line = span_from(line, 1);
	for (cells->count = 0; line.len && cells->count < pasted_cell_limit;) {
		size_t next, end = end_of_cell(line, bars, &next);
		cells->items[cells->count++] = span_trim((struct span){line.ptr, end});
		line = span_from(line, next);
	}
	return cells->count > 1 && line.len == 0;
}

static bool has_names(const struct pasted_cells *cells, const struct pasted_names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		size_t at = 0;
		while (at < cells->count && !span_is(cells->items[at], names->items[i]))
			at++;
		if (at == cells->count)
			return false;
	}
	return names->count > 0;
}

void pasted_add_cell(struct strbuf *out, struct span cell)
{
	if (!cell.len || (!memchr(cell.ptr, '"', cell.len) && !memchr(cell.ptr, '\t', cell.len))) {
		strbuf_addspan(out, cell);
		return;
	}
	strbuf_addch(out, '"');
	for (size_t i = 0; i < cell.len; i++) {
		if (cell.ptr[i] == '"')
			strbuf_addch(out, '"');
		strbuf_addch(out, cell.ptr[i]);
	}
	strbuf_addch(out, '"');
}

static void add_row(struct strbuf *out, const struct pasted_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++) {
		if (i)
			strbuf_addch(out, '\t');
		pasted_add_cell(out, cells->items[i]);
	}
}

int pasted_table(struct arena *arena, struct span text, const struct pasted_names *names,
		 struct pasted *found, struct error *err)
{
	struct strbuf out = {0};
	struct span rest = text;
	size_t header = 0;
	bool inside = false;
	for (size_t number = 1; rest.len; number++) {
		struct span line = span_cut(&rest, '\n');
		struct pasted_cells cells = {.count = 0};
		bool rule = pasted_is_rule(line), row = !rule && pasted_split(line, &cells);
		bool is_header = row && has_names(&cells, names);
		if (is_header && header) {
			strbuf_free(&out);
			return error_set(err, ERR_FORMAT,
					 "lines %zu and %zu are headers with these columns: put "
					 "the table that is meant into a file of its own",
					 header, number);
		}
		inside = is_header || (inside && span_trim(line).len > 0);
		header = is_header ? number : header;
		if (inside && row)
			add_row(&out, &cells);
		else if (inside && !rule) /* one cell, which no header fits */
			pasted_add_cell(&out, span_trim(line));
		strbuf_addch(&out, '\n');
	}
	if (!header) {
		strbuf_free(&out);
		return pasted_join(arena, text, names, found, err);
	}
	*found = (struct pasted){span_of(strbuf_into(&out, arena)), {header}, 1};
	return 0;
}
