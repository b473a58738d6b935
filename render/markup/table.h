/*
 * A table of texts that prints aligned, as Markdown or on a terminal. Cells are plain
 * texts; each printer escapes them for its destination, so a table can be printed both ways.
 * Texts are copied into the arena.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum md_align { MD_ALIGN_LEFT, MD_ALIGN_RIGHT };

struct md_column {
	const char *title;
	enum md_align align;
	bool optional;
};

struct md_table {
	struct arena *arena;
	struct md_column *columns;
	size_t column_count, column_capacity;
	const char **cells; /* row by row; the last row may be unfinished */
	size_t cell_count, cell_capacity;
	size_t width; /* that md_table_plain tries to keep within; 0: as wide as the cells are */
	bool ascii;   /* md_table_plain writes nothing but ASCII */
};

void md_table_init(struct md_table *table, struct arena *arena);
/* All columns come before the first cell. */
void md_table_column(struct md_table *table, const char *title, enum md_align align);
/* The plain table leaves such a column out where every cell is "unknown". */
void md_table_optional(struct md_table *table, const char *title, enum md_align align);
/* The next cell; a new row begins by itself when a row is full. NULL shows as "unknown". */
void md_table_cell(struct md_table *table, const char *text);
size_t md_table_rows(const struct md_table *table);

/* "| Metric | Value |" with padded columns and a rule of dashes; ends in a newline. A table
 * without columns adds nothing. */
void md_table_markdown(const struct md_table *table, struct strbuf *out);
/* The same in arena memory without the last newline: how a table stands in the report document. */
const char *md_table_text(const struct md_table *table);
/* Titles and cells in columns two blanks apart, no trailing blanks. Where that is wider than
 * `width`, the widest columns of texts are broken at blanks, and words that are too long for that
 * lose their middle. */
void md_table_plain(const struct md_table *table, struct strbuf *out);
