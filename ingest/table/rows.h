/*
 * Rows of any table: CSV or TSV with a header, JSON lines with one object per line, or Parquet.
 * - CSV: a column is identified by its name. "name#2" is the second of two equal names.
 *   "name.member" refers to a member of the JSON in a cell.
 * - JSON lines: a column is a member, or a path of members such as "profile.mfu".
 * - Parquet: as CSV, but names are not numbered.
 *
 * Lines that begin with # before the header are comments. A row with more or fewer cells than the
 * header is reported as damaged, because its cells cannot be assigned to columns.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "ingest/container/parquet/parquet.h"
#include "ingest/table/csv.h"
#include "ingest/table/lines.h"

enum { table_column_limit = 64 };

struct table_rows {
	struct arena *arena;
	struct arena cells;  /* of the current row: JSON in cells */
	uint64_t json_bytes; /* in cells so far */
	bool is_json;
	struct csv csv;
	struct lines lines;
	struct json *object;     /* of the current line */
	struct parquet *parquet; /* NULL: the table is a text */
	bool has_chosen;         /* the columns of `parquet` */
	const char *unit;        /* what `line` counts, for messages: "line", in Parquet "row" */
	size_t line;             /* number of the line on which the current row began */
	struct {
		const char *name;
		size_t cell;           /* index in CSV or Parquet */
		char digits[32];       /* a number of Parquet as text */
		const char *path;      /* in the cell, or in JSON lines; NULL: the cell itself */
		struct json *document; /* the cell of the current row, parsed */
		bool seen;
	} columns[table_column_limit];
	size_t column_count;
};

enum table_row { TABLE_END, TABLE_ROW, TABLE_DAMAGED };

/* Reads the header. `separator` 0: that of the first line. 0, or -1 and *err. */
int table_rows_begin(struct arena *arena, struct span text, char separator, struct table_rows *rows,
		     struct error *err);
/* The same for a file, which must outlive the rows. */
void table_rows_begin_parquet(struct arena *arena, struct parquet *file, struct table_rows *rows);
/* Frees what rows hold outside of the arena. */
void table_rows_end(struct table_rows *rows);
/* Selects a column; *column is its number. -1 and *err with the available names if the header does
 * not have it. */
int table_rows_column(struct table_rows *rows, const char *name, size_t *column, struct error *err);
int table_rows_next(struct table_rows *rows, enum table_row *row, struct error *err);
/* The cell of the current row: text without quotes, numbers as written, objects and lists as
 * compact JSON; empty if it is missing. -1 and *err if a cell with JSON is invalid. */
int table_rows_cell(struct table_rows *rows, size_t column, struct span *cell, struct error *err);
/* Whether the column is a member of JSON that no row had. */
bool table_rows_misses(const struct table_rows *rows, size_t column);
