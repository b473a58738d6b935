/*
 * Tables as text (RFC 4180 and what people make of it): comma, semicolon or tab
 * between cells, quoted cells with doubled quotes that may hold separators and
 * line ends, LF or CRLF, a byte order mark, ragged rows, empty lines.
 *
 * Columns are known by their names, never by their place. A name that occurs
 * twice is reached with its occurrence. All spans point into the text, or into
 * the arena where a doubled quote had to be undone.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

enum { csv_column_limit = 4096, csv_known_limit = 256, csv_text_limit = 16384 };

struct csv {
	struct arena *arena;
	struct span rest; /* not read yet */
	char separator;
	size_t line; /* number of the line on which the last row began, from 1 */
	size_t next_line;
	struct span *names; /* of the header */
	size_t name_count;
	struct span *cells; /* of the last row, blanks around them trimmed */
	size_t cell_count;
	size_t cell_capacity;
};

/* Reads rows from the beginning of `text` on; csv_header() makes the first row the names. */
struct csv csv_of(struct arena *arena, struct span text, char separator);
/* The separator of a first line: the most frequent of tab, comma and semicolon outside of quotes; a
 * comma when there is none of them. */
char csv_guess_separator(struct span text);

/* The next row that is not empty: 1, 0 at the end, -1 and *err ("line 7: ...") for a quote that is
 * not closed, text after a closing quote, or more than csv_column_limit cells. */
int csv_next(struct csv *csv, struct error *err);
/* Reads a row and takes it as the names of the columns: 1, 0 at the end, -1. */
int csv_header(struct csv *csv, struct error *err);

/* The same for tables whose columns become parameters: more than csv_known_limit are refused, and
 * so are a name that is no line of text and a table without a header: 0 or -1. */
int csv_known_header(struct csv *csv, struct error *err);
/* Whether the last row of such a table is whole: -1 and *err when it has more or fewer cells than
 * the header, or one that is no line of text of up to csv_text_limit bytes: left out, it would make
 * different work the same. */
int csv_known_row(const struct csv *csv, struct error *err);

/* The place of a column; csv_column_limit when there is none. csv_column_nth() counts equal names
 * from 0. */
size_t csv_column(const struct csv *csv, const char *name);
size_t csv_column_nth(const struct csv *csv, const char *name, size_t occurrence);
bool csv_has(const struct csv *csv, const char *name);

/* The cell of the last row, empty where the row is too short or there is no such column. */
struct span csv_at(const struct csv *csv, size_t column);
struct span csv_cell(const struct csv *csv, const char *name);
/* A copy in the arena; NULL for an empty cell or one that is not clean UTF-8. */
const char *csv_text(const struct csv *csv, const char *name);
const char *csv_text_at(const struct csv *csv, size_t column);
/* A finite number with a decimal point; an empty cell, "nan", "N/A", "n/a", "-", "None" and "null"
 * are NAN. -1 and *err with line and column for anything else. */
int csv_number(const struct csv *csv, const char *name, double *number, struct error *err);
/* Whether the cell is one of those words, or empty. */
bool csv_is_absent(struct span cell);
/* Whether the first row of a file that begins with `head` has all these names. */
bool csv_head_has(struct span head, char separator, const char *const *names, size_t count);
/* A column of numbers that cannot be negative: csv_number(), and -1 for those. */
int csv_amount(const struct csv *csv, const char *name, double *number, struct error *err);
