/* Both printers first escape every cell, then measure the columns, then pad. */
#include "render/table.h"

#include <assert.h>

#include "base/utf8.h"
#include "render/escape.h"

void md_table_init(struct md_table *table, struct arena *arena)
{
	*table = (struct md_table){.arena = arena};
}

void md_table_column(struct md_table *table, const char *title, enum md_align align)
{
	assert(table->cell_count == 0);
	table->columns = arena_grow(table->arena, table->columns, table->column_count,
				    &table->column_capacity, sizeof *table->columns);
	table->columns[table->column_count++] =
		(struct md_column){arena_strdup(table->arena, title), align};
}

void md_table_cell(struct md_table *table, const char *text)
{
	assert(table->column_count > 0);
	table->cells = arena_grow(table->arena, table->cells, table->cell_count,
				  &table->cell_capacity, sizeof *table->cells);
	table->cells[table->cell_count++] = arena_strdup(table->arena, text ? text : "unknown");
}

size_t md_table_rows(const struct md_table *table)
{
	if (table->column_count == 0)
		return 0;
	return (table->cell_count + table->column_count - 1) / table->column_count;
}

typedef void escape_function(struct strbuf *out, struct span text);

/* The table as it is printed: escaped texts, titles first, and the columns' widths. */
struct layout {
	const char **texts;
	size_t *widths;
	size_t rows, columns;
};

static struct layout layout_of(const struct md_table *table, escape_function *escape, size_t least)
{
	struct layout layout = {.rows = md_table_rows(table) + 1, .columns = table->column_count};
	size_t count = layout.rows * layout.columns;
	layout.texts = arena_array(table->arena, count, sizeof *layout.texts);
	layout.widths = arena_array(table->arena, layout.columns, sizeof *layout.widths);
	for (size_t i = 0; i < count; i++) {
		struct strbuf cell = {NULL, 0, 0};
		size_t at = i - layout.columns, column = i % layout.columns;
		const char *text = i < layout.columns       ? table->columns[i].title
				   : at < table->cell_count ? table->cells[at]
							    : "";
		escape(&cell, span_of(text));
		layout.texts[i] = strbuf_into(&cell, table->arena);
		size_t width = utf8_columns(span_of(layout.texts[i]));
		if (width < least)
			width = least;
		if (width > layout.widths[column])
			layout.widths[column] = width;
	}
	return layout;
}

static void add_padded(struct strbuf *out, const char *text, size_t width, enum md_align align)
{
	size_t blanks = width - utf8_columns(span_of(text));
	if (align == MD_ALIGN_RIGHT)
		strbuf_repeat(out, " ", blanks);
	strbuf_addstr(out, text);
	if (align == MD_ALIGN_LEFT)
		strbuf_repeat(out, " ", blanks);
}

static void add_rule(const struct md_table *table, const struct layout *layout, struct strbuf *out)
{
	for (size_t column = 0; column < layout->columns; column++) {
		bool right = table->columns[column].align == MD_ALIGN_RIGHT;
		strbuf_addstr(out, "| ");
		strbuf_repeat(out, "-", layout->widths[column] - (right ? 1 : 0));
		strbuf_addstr(out, right ? ": " : " ");
	}
	strbuf_addstr(out, "|\n");
}

void md_table_markdown(const struct md_table *table, struct strbuf *out)
{
	enum { least_rule = 3 };
	if (table->column_count == 0)
		return;
	struct layout layout = layout_of(table, md_cell, least_rule);
	for (size_t row = 0; row < layout.rows; row++) {
		for (size_t column = 0; column < layout.columns; column++) {
			strbuf_addstr(out, "| ");
			add_padded(out, layout.texts[row * layout.columns + column],
				   layout.widths[column], table->columns[column].align);
			strbuf_addch(out, ' ');
		}
		strbuf_addstr(out, "|\n");
		if (row == 0)
			add_rule(table, &layout, out);
	}
}

const char *md_table_text(const struct md_table *table)
{
	struct strbuf text = {NULL, 0, 0};
	md_table_markdown(table, &text);
	if (text.len > 0)
		strbuf_truncate(&text, text.len - 1);
	return strbuf_into(&text, table->arena);
}

void md_table_plain(const struct md_table *table, struct strbuf *out)
{
	if (table->column_count == 0)
		return;
	struct layout layout = layout_of(table, terminal_text, 0);
	for (size_t row = 0; row < layout.rows; row++) {
		for (size_t column = 0; column < layout.columns; column++) {
			if (column > 0)
				strbuf_addstr(out, "  ");
			add_padded(out, layout.texts[row * layout.columns + column],
				   layout.widths[column], table->columns[column].align);
		}
		size_t len = out->len;
		while (len > 0 && out->buf[len - 1] == ' ')
			len--;
		strbuf_truncate(out, len);
		strbuf_addch(out, '\n');
	}
}
