/*
 * Tables of texts in any script and bytes that are not text, at any width.
 *
 * An input is a head of four bytes (width 1 to 300; number of columns; which of them align at the
 * right; switches), then the cells, each ended by a newline, titles first. The last column is added
 * here: numbers at the right, so that each row's first line ends at the right margin of the table.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/text/text.h"
#include "render/markup/markup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { columns_limit = 6, narrowest = 12, separator = 2, head_size = 4 };

static void must(int right)
{
	if (!right)
		abort();
}

static const char *next_text(struct arena *arena, struct span *rest)
{
	struct span text = rest->ptr ? span_cut(rest, '\n') : (struct span){"", 0};
	const char *end = text.len ? memchr(text.ptr, 0, text.len) : NULL;
	return arena_strndup(arena, text.ptr, end ? (size_t)(end - text.ptr) : text.len);
}

/* The columns of a cell as printed. */
static size_t width_of(const char *text, int ascii)
{
	struct strbuf shown = {0};
	(ascii ? terminal_ascii : terminal_text)(&shown, span_of(text));
	size_t columns = utf8_columns(strbuf_span(&shown));
	strbuf_free(&shown);
	return columns;
}

/* The width of the table: what its texts need, and if that is too wide, the given width, unless the
 * columns of numbers and the least width of the others need more. */
static size_t width_wanted(const struct md_table *table)
{
	size_t all = 0, least = 0;
	for (size_t column = 0; column < table->column_count; column++) {
		size_t widest = width_of(table->columns[column].title, table->ascii);
		for (size_t i = column; i < table->cell_count; i += table->column_count) {
			size_t width = width_of(table->cells[i], table->ascii);
			widest = width > widest ? width : widest;
		}
		bool fixed = table->columns[column].align == MD_ALIGN_RIGHT || widest < narrowest;
		all += widest + (column ? separator : 0);
		least += (fixed ? widest : narrowest) + (column ? separator : 0);
	}
	return !table->width || all < table->width ? all
	       : least > table->width              ? least
						   : table->width;
}

static size_t check_plain(const struct md_table *table)
{
	struct strbuf out = {0};
	md_table_plain(table, &out);
	size_t width = width_wanted(table), lines = 0, whole = 0;
	must(utf8_valid_prefix(strbuf_span(&out)) == out.len);
	for (struct span rest = strbuf_span(&out); rest.len; lines++) {
		struct span line = span_cut(&rest, '\n');
		must(!span_ends(line, " ") && utf8_columns(line) <= width);
		whole += utf8_columns(line) == width;
	}
	must(whole >= md_table_rows(table) + 1 && lines >= whole);
	strbuf_free(&out);
	return lines;
}

static void check_markdown(const struct md_table *table)
{
	struct strbuf out = {0};
	md_table_markdown(table, &out);
	struct span rest = strbuf_span(&out);
	size_t width = utf8_columns(span_cut(&rest, '\n')), lines = 1;
	for (; rest.len; lines++)
		must(utf8_columns(span_cut(&rest, '\n')) == width);
	must(lines == md_table_rows(table) + 2);
	strbuf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { size_limit = 4096 };
	struct arena arena = {0};
	if (size < head_size || size > size_limit)
		return 0;
	struct md_table table;
	struct span rest = {(const char *)data + head_size, size - head_size};
	size_t columns = 1 + data[1] % columns_limit;
	md_table_init(&table, &arena);
	table.width = 1 + (data[0] + (size_t)256 * (data[3] >> 7)) % 300;
	table.ascii = data[3] & 1;
	for (size_t i = 0; i < columns; i++)
		md_table_column(&table, next_text(&arena, &rest),
				data[2] >> i & 1 ? MD_ALIGN_RIGHT : MD_ALIGN_LEFT);
	md_table_column(&table, "n", MD_ALIGN_RIGHT);
	while (rest.len) {
		for (size_t i = 0; i < columns; i++)
			md_table_cell(&table, next_text(&arena, &rest));
		md_table_cell(&table, "1");
	}
	size_t lines = check_plain(&table);
	check_markdown(&table);
	table.width = 0;
	must(check_plain(&table) == md_table_rows(&table) + 1 && lines > md_table_rows(&table));
	arena_free(&arena);
	return 0;
}
