/*
 * Tables as text (RFC 4180 and common deviations): cells are separated by commas, semicolons or
 * tabs. Quoted cells may contain separators, line ends and doubled quotes. Line ends are LF or
 * CRLF. A byte order mark, rows of different lengths and empty lines are accepted.
 *
 * Columns are found by name, never by position: the first one with the name. All spans point into
 * the text, or into the arena if a doubled quote had to be replaced.
 */
#pragma once

#include "base/base.h"

enum { csv_column_limit = 4096, csv_known_limit = 256, csv_text_limit = 16384 };

struct csv {
	struct arena *arena;
	struct span rest; /* unread text */
	char separator;
	size_t line; /* number of the line on which the current row began, from 1 */
	size_t next_line;
	struct span *names; /* of the header */
	size_t name_count;
	struct span *cells; /* of the current row, without surrounding blanks */
	size_t cell_count;
	size_t cell_capacity;
};

/* Reads rows from the beginning of `text`. csv_header() uses the first row as the
 * names of columns. */
struct csv csv_of(struct arena *arena, struct span text, char separator);
/* The separator of a table by its first line: the most frequent of tab, comma and semicolon outside
 * of quotes; a comma if it has none of them. */
char csv_guess_separator(struct span text);

/* Reads the next row that is not empty: 1; 0 at the end of the text; -1 and *err ("line 7: ...")
 * for an unclosed quote, text after a closing quote, or more than csv_column_limit cells. */
int csv_next(struct csv *csv, struct error *err);
/* Reads a row as the names of the columns: 1; 0 at the end of the text; -1 and *err. */
int csv_header(struct csv *csv, struct error *err);

/* Reads the header of a table whose columns become parameters: 0, or -1 and *err if the
 * header is missing, has more than csv_known_limit columns, or a name that is not a line of text.
 */
int csv_known_header(struct csv *csv, struct error *err);
/* Checks the current row of such a table: -1 and *err if it has more or fewer cells than the
 * header, or a cell that is not a line of text of at most csv_text_limit bytes. Ignoring such a
 * cell would give different work the same parameters. */
int csv_known_row(const struct csv *csv, struct error *err);

/* The index of a column; csv_column_limit if there is none. */
size_t csv_column(const struct csv *csv, const char *name);
bool csv_has(const struct csv *csv, const char *name);

/* A cell of the current row; empty if the row is too short or the column does not exist. */
struct span csv_at(const struct csv *csv, size_t column);
struct span csv_cell(const struct csv *csv, const char *name);
/* The cell as a copy in the arena; NULL if it is empty or not valid UTF-8. */
const char *csv_text(const struct csv *csv, const char *name);
/* Parses a finite number with a decimal point; NAN for an empty cell, "nan", "N/A", "n/a", "-",
 * "None" and "null". -1 and *err with line and column for anything else. */
int csv_number(const struct csv *csv, const char *name, double *number, struct error *err);
/* Whether the cell is empty or one of those words. */
bool csv_is_absent(struct span cell);
/* As csv_number(), but a negative number is an error. */
int csv_amount(const struct csv *csv, const char *name, double *number, struct error *err);
