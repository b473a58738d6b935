/*
 * A connection to one SQLite file and the statements of db/queries, and the
 * only way that the rest of db/ talks to SQLite.
 *
 * A query binds its parameters in the order in which they first appear in the
 * file, and reads the columns of a row from left to right. A failure sticks to
 * the query: everything after it does nothing, and query_finish() reports it once.
 */
#ifndef DB_SQLITE_SQLITE_H
#define DB_SQLITE_SQLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/embedded.h"
#include "base/error.h"

/* The migrations of db/schema and the statements of db/queries, sorted by path. */
extern const struct embedded_file db_files[];

struct sql;

enum sql_mode {
	SQL_READ,     /* must exist; opened so that a shared log can be read, but never changed */
	SQL_WRITE,    /* must exist and be writable */
	SQL_CREATE,   /* made when absent */
	SQL_IMMUTABLE /* must exist; nobody can write it, so no lock and no log is looked for */
};

/* Opens the file `path` (never a URI, never ":memory:"). Nothing is read or written yet. */
int sql_open(const char *path, enum sql_mode mode, struct sql **sql, struct error *err);
/* Ends the statements and the connection; an open transaction is rolled back. */
void sql_close(struct sql *sql);
const char *sql_path(const struct sql *sql);

/* Runs a text of any number of statements that give no rows of interest. */
int sql_execute(struct sql *sql, const char *text, struct error *err);
/* The first column of the first row of a statement; 0 when there is no row. */
int sql_number(struct sql *sql, const char *text, int64_t *number, struct error *err);
/* Whether the first column of the first row is the text; false on failure too. */
bool sql_answers(struct sql *sql, const char *text, const char *answer);
bool sql_in_transaction(const struct sql *sql);
/* Whether the newest failure was another process's lock, or damage of the file. */
bool sql_is_busy(const struct sql *sql);
bool sql_is_damaged(const struct sql *sql);
/* The row number of the newest INSERT, and how many rows the newest statement changed. */
int64_t sql_last_row(const struct sql *sql);
int64_t sql_changes(const struct sql *sql);
/* How long to wait for other processes. */
void sql_wait(struct sql *sql, int milliseconds);

/* Bytes inside a BLOB, which keeps its length. -1 also when they lie outside of it. */
struct sql_place {
	const char *table, *column;
	int64_t row, offset;
};
int sql_read(struct sql *sql, const struct sql_place *place, void *bytes, size_t len,
	     struct error *err);
int sql_write(struct sql *sql, const struct sql_place *place, const void *bytes, size_t len,
	      struct error *err);

struct sqlite3_stmt;

struct query {
	struct sql *sql;
	struct sqlite3_stmt *statement; /* NULL when it could not be prepared */
	int at;                         /* parameters bound or columns read so far */
	int status;                     /* SQLite's result code; sticky */
};

/* The statement db/queries/<name>.sql, ready to be bound. */
struct query query_start(struct sql *sql, const char *name);
void query_bind_integer(struct query *query, int64_t number);
void query_bind_number(struct query *query, double number); /* NAN is NULL */
/* NULL is NULL; text and bytes must live until query_run() or query_finish(). */
void query_bind_text(struct query *query, const char *text);
void query_bind_bytes(struct query *query, const void *bytes, size_t len);
/* Bytes that may go at once. */
void query_bind_copy(struct query *query, const void *bytes, size_t len);
/* Runs a statement without rows and makes it ready to be bound again. */
void query_run(struct query *query);
/* True when there is a (further) row to read. */
bool query_next(struct query *query);
int64_t query_integer(struct query *query);
double query_number(struct query *query); /* NULL is NAN */
const char *query_text(struct query *query, struct arena *arena);
/* Bytes that live until the next row; *len is 0 for NULL. */
const void *query_bytes(struct query *query, size_t *len);
/* Gives the statement back; -1 when anything since query_start() failed. */
int query_finish(struct query *query, struct error *err);
/* The same after an error of the caller's own, which it keeps; always -1. */
int query_abandon(struct query *query);

#endif
