/*
 * Databases that other programs wrote (Nsight Systems, rocprof): the one door to
 * SQLite for input files. A foreign database is an input like any other: it is
 * never written, nothing in it is executed, and reading it ends.
 *
 * A plain file is opened where it lies, read-only and immutable (a -wal file
 * beside it is not looked at); memory, pipes and what is packed are held in memory, up to
 * sqlite_file_limit bytes. Only real tables are to be asked: no views, no virtual
 * tables; all queries together may take sqlite_step_limit steps.
 */
#ifndef INGEST_CONTAINER_SQLITE_FILE_H
#define INGEST_CONTAINER_SQLITE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/span.h"
#include "base/strbuf.h"
#include "ingest/input/input.h"

struct sqlite_file;
struct sqlite_row; /* the row that a query is at */

/* Whether the bytes begin like a database and name one of the words: what a detector asks. */
bool sqlite_file_looks_like(struct span head, const char *const *words);

/* NULL and *err when it is no database, or damaged. */
struct sqlite_file *sqlite_file_open(struct arena *arena, struct input *input, struct error *err);
void sqlite_file_close(struct sqlite_file *file);

/* The name of the first real table that is called `name`, or `name` and more (rocpd adds the id of
 * the session); NULL when there is none. */
const char *sqlite_file_table(struct sqlite_file *file, const char *name, bool or_more);
bool sqlite_file_has_column(struct sqlite_file *file, const char *table, const char *column);

/* Adds `t."a", NULL, t."c"`: columns that the table lacks are NULL. The list ends with NULL. */
void sqlite_file_columns(struct sqlite_file *file, struct strbuf *sql, const char *table,
			 const char *const *columns);

/* Runs a query (of ours, never of the file's) and hands over each row. A callback that fails ends
 * it. */
int sqlite_file_query(struct sqlite_file *file, const char *sql,
		      int (*row)(void *context, struct sqlite_row *row, struct error *err),
		      void *context, struct error *err);

/* NAN for NULL, for text, and for what is not finite. */
double sqlite_row_number(struct sqlite_row *row, int column);
/* Empty for NULL and numbers; valid until the next row. */
struct span sqlite_row_text(struct sqlite_row *row, int column);

#endif
