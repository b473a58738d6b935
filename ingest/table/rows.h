/*
 * Rows of any table: CSV or TSV with a header, or JSON with one object a line.
 * A column is called by its name; in CSV, "name#2" is the second of two equal
 * names, and "name.member" goes into a cell that holds JSON. In JSON lines a
 * column is a member, or a path of them: "profile.mfu".
 *
 * Lines that begin with # above the header are comments. A row with more or
 * fewer cells than the header is handed out as damaged: nobody knows which of
 * its cells are where they should be.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "base/json/json.h"
#include "ingest/table/csv.h"
#include "ingest/table/lines.h"

enum { table_column_limit = 64 };

struct table_rows {
	struct arena *arena;
	bool is_json;
	struct csv csv;
	struct lines lines;
	struct json *object; /* of the last line */
	size_t line;         /* where the last row began */
	struct {
		const char *name;
		size_t cell;           /* of CSV */
		const char *path;      /* inside the cell, or of JSON lines; NULL the cell itself */
		struct json *document; /* in that cell of this row */
		bool seen;
	} columns[table_column_limit];
	size_t column_count;
};

enum table_row { TABLE_END, TABLE_ROW, TABLE_DAMAGED };

/* Reads the header. */
int table_rows_begin(struct arena *arena, struct span text, struct table_rows *rows,
		     struct error *err);
/* Makes a column known; *column is its number. -1 and the names that there are when the header
 * does not have it. */
int table_rows_column(struct table_rows *rows, const char *name, size_t *column, struct error *err);
int table_rows_next(struct table_rows *rows, enum table_row *row, struct error *err);
/* The cell of the last row: text without quotes, numbers as written, objects and lists as compact
 * JSON; empty where there is none. -1 for a cell that should hold JSON and does not. */
int table_rows_cell(struct table_rows *rows, size_t column, struct span *cell, struct error *err);
/* Whether it is a member of JSON that no row had. */
bool table_rows_misses(const struct table_rows *rows, size_t column);
