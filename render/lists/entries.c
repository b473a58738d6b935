/* What the program knows, as tables of entries. */
#include "render/lists/lists.h"

#include "base/text/text.h"
#include "render/document/document.h"
#include "render/markup/markup.h"

enum { LABEL = 11 }; /* columns for the names of members of a single entry */

/* The next title of a table's columns, without the mark of numbers. */
static struct span next_title(struct span *rest)
{
	struct span title = span_cut(rest, '|');
	if (span_starts(title, ">"))
		title = span_from(title, 1);
	return title;
}

static const char *cell_of(const struct entry_table *table, size_t row, size_t column)
{
	return table->cells[row * table->columns + column];
}

/* "written by" is the member written_by. */
static const char *member_of(struct arena *arena, struct span title)
{
	struct strbuf name = {0};
	for (size_t i = 0; i < title.len; i++)
		strbuf_addch(&name, title.ptr[i] == ' ' ? '_' : title.ptr[i]);
	return strbuf_into(&name, arena);
}

struct json *render_entries_json(struct arena *arena, const struct entry_table *table)
{
	struct json *document = document_begin(arena, table->schema);
	struct json *list = json_set_array(arena, document, table->name);
	for (size_t i = 0; i < table->count; i++) {
		struct json *entry = json_add_object(arena, list);
		struct span rest = span_of(table->titles);
		for (size_t k = 0; k < table->columns; k++)
			json_set_text(arena, entry, member_of(arena, next_title(&rest)),
				      cell_of(table, i, k));
	}
	return document;
}

void render_entries_text(struct arena *arena, const struct entry_table *table, size_t width,
			 struct strbuf *sb)
{
	struct span rest = span_of(table->titles), shown = rest;
	for (size_t k = 0; k < table->shown; k++)
		span_cut(&rest, '|');
	if (rest.ptr)
		shown.len = (size_t)(rest.ptr - shown.ptr) - 1;
	struct md_table rows =
		md_table_of(arena, width, arena_strndup(arena, shown.ptr, shown.len));
	for (size_t i = 0; i < table->count; i++)
		md_table_cells(&rows, &table->cells[i * table->columns], table->shown);
	md_table_plain(&rows, sb);
}

void render_entries_full(const struct entry_table *table, struct strbuf *sb)
{
	for (size_t i = 0; i < table->count; i++) {
		struct span rest = span_of(table->titles);
		next_title(&rest);
		strbuf_addf(sb, "%s%s\n", i ? "\n" : "", cell_of(table, i, 0));
		for (size_t k = 1; k < table->columns; k++) {
			struct span title = next_title(&rest);
			const char *cell = cell_of(table, i, k);
			if (!cell || !cell[0])
				continue;
			strbuf_addf(sb, "  %-*.*s  ", LABEL, (int)title.len, title.ptr);
			fill_words(sb, cell, LABEL + 4);
		}
	}
}
