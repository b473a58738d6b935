/*
 * Databases that other programs wrote (Nsight Systems, rocprof): the only use of SQLite for input
 * files. A foreign database is an untrusted input: it is never written, nothing in it is executed,
 * and the time to read it is bounded.
 *
 * - A plain file is opened in place, read-only and immutable; a -wal file next to it is ignored.
 * - Memory, pipes and compressed files are held in memory, up to sqlite_file_limit bytes.
 * - Queries may use real tables only, no views or virtual tables.
 * - All queries together may take sqlite_step_limit steps.
 *
 * Never add knowledge of what profilers store in them.
 */
#pragma once

#include "base/base.h"
#include "ingest/input/input.h"

struct sqlite_file;
struct sqlite_row; /* the current row of a query */

/* For detectors: whether the bytes begin like a database and contain one of the words. */
bool sqlite_file_looks_like(struct span head, const char *const *words);

/* NULL and *err if it is not a database, or damaged. */
struct sqlite_file *sqlite_file_open(struct arena *arena, struct input *input, struct error *err);
/* Ends the reading, whose result so far is `rc`, and returns what it is in the end: -1 and *err if
 * a question about tables and columns below was not answered, since its table or column was then
 * taken for absent. */
int sqlite_file_close(struct sqlite_file *file, int rc, struct error *err);

/* The first real table named `name`; with or_more, also one whose name begins with it (rocpd
 * appends the session's id). NULL if there is none. */
const char *sqlite_file_table(struct sqlite_file *file, const char *name, bool or_more);
bool sqlite_file_has_column(struct sqlite_file *file, const char *table, const char *column);

/* Appends `t."a", NULL, t."c"`: NULL replaces columns that the table lacks. `columns` ends with
 * NULL. */
void sqlite_file_columns(struct sqlite_file *file, struct strbuf *sql, const char *table,
			 const char *const *columns);

/* Runs a query, which must not come from the file, and passes each row to the callback. If the
 * callback fails, the query ends with its error. */
int sqlite_file_query(struct sqlite_file *file, const char *sql,
		      int (*row)(void *context, struct sqlite_row *row, struct error *err),
		      void *context, struct error *err);

/* NAN for NULL, for text, and for numbers that are not finite. */
double sqlite_file_row_number(struct sqlite_row *row, int column);
/* Empty for NULL and numbers; valid until the next row. */
struct span sqlite_file_row_text(struct sqlite_row *row, int column);
