/*
 * A table of texts that prints aligned, as Markdown or on a terminal. Cells are plain texts; each
 * printer escapes them for its destination. Texts are copied into the arena.
 */
#pragma once

#include "base/base.h"

enum md_align { MD_ALIGN_LEFT, MD_ALIGN_RIGHT };

struct md_column {
	const char *title;
	enum md_align align;
	bool optional, expendable;
};

struct md_table {
	struct arena *arena;
	struct md_column *columns;
	size_t column_count, column_capacity;
	const char **cells; /* row by row; the last row may be unfinished */
	size_t cell_count, cell_capacity;
	size_t width; /* md_table_plain() tries to fit into this many columns; 0: unlimited */
	bool ascii;   /* md_table_plain() writes ASCII only */
	/* How a cell is said in another language; NULL: as it is. Titles are said by who adds them.
	 */
	const char *(*say)(struct arena *arena, const char *cell);
};

void md_table_init(struct md_table *table, struct arena *arena);
/* Adds a column. All columns must be added before the first cell. */
void md_table_column(struct md_table *table, const char *title, enum md_align align);
/* As md_table_column(), but md_table_plain() leaves the column out if every cell is "unknown". */
void md_table_optional(struct md_table *table, const char *title, enum md_align align);
/* As md_table_column(), but md_table_plain() leaves the column out of a table that is still too
 * wide with it; the first such column goes first. */
void md_table_expendable(struct md_table *table, const char *title, enum md_align align);
/* A table with these columns: "name|>count|>time". A title after '>' is that of numbers, which
 * align at the right. `width` as in the struct. */
struct md_table md_table_of(struct arena *arena, size_t width, const char *columns);
/* Adds columns to a table, in the same notation. */
void md_table_columns(struct md_table *table, const char *columns);
/* Adds a whole row: one text per column, without those that are md_no_cell: for columns that only
 * some tables have. */
extern const char md_no_cell[];
#define md_table_row(table, ...)                                                                   \
	md_table_cells((table), (const char *const[]){__VA_ARGS__},                                \
		       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
void md_table_cells(struct md_table *table, const char *const *texts, size_t count);
/* Adds the next cell; a full row is followed by a new one. NULL prints as "unknown". */
void md_table_cell(struct md_table *table, const char *text);
size_t md_table_rows(const struct md_table *table);

/* Adds "| Metric | Value |" with padded columns and a delimiter row; ends in a newline. A table
 * without columns adds nothing. */
void md_table_markdown(const struct md_table *table, struct strbuf *out);
/* The Markdown table in arena memory, without the last newline, as in the report document. */
const char *md_table_text(const struct md_table *table);
/* Adds titles and cells with two blanks between columns and no trailing blanks. If the table is
 * wider than `width`, the widest text columns are wrapped at blanks, and words that are still too
 * long lose their middle; if that is not enough, expendable columns are left out. */
void md_table_plain(const struct md_table *table, struct strbuf *out);
