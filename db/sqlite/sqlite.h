/*
 * A connection to one SQLite file, and the statements of db/queries. All of db/store uses SQLite
 * through this header only.
 *
 * Life of a query: query_start(), bind parameters, then query_run() or query_next() until it is
 * false, then query_finish() or query_abandon().
 *   - Parameters are bound in the order in which they first appear in the .sql file.
 *   - The columns of a row are read from left to right; the number of calls selects the column.
 *   - A failure is sticky: later binds and steps do nothing, and query_finish() reports it once.
 *   - A statement is compiled once per connection, so only one query of a name is active at a time.
 *   - A file is input: a column that has another type than asked for, is NULL where it must not be,
 *     or is out of range is a fault of the query. The caller gets a harmless value, the rows end,
 *     and query_finish() reports ERR_STORE with column and row. So no caller can forget to check.
 */
#pragma once

#include "base/base.h"
#include "base/embedded.h"
#include "db/sqlite/seal.h"

/* The migrations of db/schema and the statements of db/queries, sorted by path. */
extern const struct embedded_file db_files[];

struct sql;

/* Bytes of a text. A damaged store with texts of megabytes would be read for minutes. */
enum { SQL_TEXT_LIMIT = 1 << 20 };

enum sql_mode {
	SQL_READ,      /* must exist; opened for writing if permitted, to be able to read a log */
	SQL_WRITE,     /* must exist and be writable */
	SQL_CREATE,    /* created if absent */
	SQL_IMMUTABLE, /* must exist; cannot change while it is open: ignores locks and logs */
	SQL_MEMORY     /* empty, without a file; the path is only a name in messages */
};

/* Opens the file `path`, which is never interpreted as a URI or as ":memory:". Reads and writes
 * nothing yet. The caller ends *sql with sql_close(). */
int sql_open(const char *path, enum sql_mode mode, struct sql **sql, struct error *err);
/* Frees the statements and the connection, and rolls back an open transaction. */
void sql_close(struct sql *sql);
/* Makes the content of `to`, which is of SQL_MEMORY, that of `from`. */
int sql_copy(struct sql *to, struct sql *from, struct error *err);
/* The path that was opened; valid until sql_close(). */
const char *sql_path(const struct sql *sql);
/* The same file with all links resolved: SQLite puts the log and the journal next to it. */
const char *sql_file(const struct sql *sql);

/* Runs a text with any number of statements and ignores their rows. */
int sql_execute(struct sql *sql, const char *text, struct error *err);
/* Rebuilds the file without unused pages; needs as much room again meanwhile. */
int sql_shrink(struct sql *sql, struct error *err);
/* The first column of the first row of a statement; 0 if it returns no row. */
int sql_number(struct sql *sql, const char *text, int64_t *number, struct error *err);
/* Whether the first column of the first row equals `answer`; false on failure, too. */
bool sql_answers(struct sql *sql, const char *text, const char *answer);
bool sql_in_transaction(const struct sql *sql);
/* Whether the latest failure was a lock of another process, or damage to the file. */
bool sql_is_busy(const struct sql *sql);
bool sql_is_damaged(const struct sql *sql);
/* The rowid of the latest INSERT, and how many rows the latest statement changed. */
int64_t sql_last_row(const struct sql *sql);
int64_t sql_changes(const struct sql *sql);
/* While `sealed` is false, seals are not checked: a migration is about to make them. */
void sql_expect_seals(struct sql *sql, bool sealed);
/* While `expected` is false, rows can be removed that a damaged index has no entry for. */
void sql_expect_entries(struct sql *sql, bool expected);
/* How long to wait for the locks of other processes while they change nothing in the file or its
 * log; ten times as long while they do. Then SQLITE_BUSY. 0: not at all. */
void sql_wait(struct sql *sql, int milliseconds);
/* A function that is called once when a wait has taken two seconds; for the whole process. */
void sql_announce_waits(void (*function)(void *context, const char *path), void *context);

struct sqlite3_stmt;

struct query {
	struct sql *sql;
	struct sqlite3_stmt *statement; /* owned by sql; NULL: could not be compiled */
	int at;                         /* parameters bound or columns read so far */
	int status;                     /* SQLite's result code; sticky */
	const char *name;
	uint64_t rows;     /* read so far */
	const char *fault; /* what is wrong with a column that was read; NULL: nothing so far */
	int fault_column;
	struct seal *seal; /* receives the values that are bound or read; NULL: none */
	int64_t fault_row; /* the first column of its row, usually a rowid */
};

/* The statement db/queries/<name>.sql, ready for its parameters. `name` must exist. */
struct query query_start(struct sql *sql, const char *name);
void query_bind_integer(struct query *query, int64_t number);
void query_bind_number(struct query *query, double number); /* NAN becomes NULL */
/* A NULL pointer becomes NULL. The text or bytes must live until query_run() or query_finish(). */
void query_bind_text(struct query *query, const char *text);
void query_bind_bytes(struct query *query, const void *bytes, size_t len);
/* Binds a copy of the bytes, which may be freed immediately. */
void query_bind_copy(struct query *query, const void *bytes, size_t len);
/* A query without a statement, whose binds only reach the seal. */
struct query query_dry(struct seal *seal);
/* Binds the seal of the values so far, and ends sealing. */
void query_bind_seal(struct query *query);
/* Runs a statement that returns no rows. Afterwards it can be bound and run again. */
void query_run(struct query *query);
/* Runs a statement that returns no rows, and finishes it. */
int query_execute(struct query *query, struct error *err);
/* The integer in the first column of the first row, and finishes the statement. *number is
 * unchanged without a row. */
int query_find(struct query *query, int64_t *number, struct error *err);
/* Steps to the next row; false at the end and on failure. */
bool query_next(struct query *query);
/* Whether the next column is NULL; does not read it. */
bool query_is_null(const struct query *query);
int64_t query_integer(struct query *query);
/* A fault unless it is from `low` to `high`; the result is within them in any case. */
int64_t query_integer_within(struct query *query, int64_t low, int64_t high);
double query_number(struct query *query); /* NAN for NULL; may be infinite */
/* A copy in the arena; NULL for NULL. */
const char *query_text(struct query *query, struct arena *arena);
/* NULL is a fault; the result is then "". */
const char *query_required_text(struct query *query, struct arena *arena);
/* Ends sealing. Whether the next column is the seal of the values that were read. */
bool query_seal_fits(struct query *query);
/* The same; a fault if not. */
void query_check_seal(struct query *query);
/* A copy of the next column as text, whatever its type is; "" for NULL. */
const char *query_any_text(struct query *query, struct arena *arena);
/* Reads the columns of the row, whatever their types are, up to the last one. */
void query_seal_columns(struct query *query);
/* Makes the column that was read last a fault: `fault` continues "column x ..." and is a literal.
 */
void query_refuse(struct query *query, const char *fault);
/* Bytes of any type that are valid until the next row; *len is 0 for NULL. */
const void *query_bytes(struct query *query, size_t *len);
/* Resets the statement; -1 if anything since query_start() failed. */
int query_finish(struct query *query, struct error *err);
/* Resets the statement after the caller has already set its own error. Always returns -1. */
int query_abandon(struct query *query);

/* --- a row with a seal, one bit of which was flipped (mend.c) --- */

struct sql_cell {
	int type;            /* of SQLite */
	int64_t integer;     /* INTEGER, and the bits of a FLOAT */
	unsigned char *text; /* TEXT and BLOB */
	size_t len;
};
/* A row, its seal last. */
struct sql_row {
	struct sql_cell *cells;
	size_t count;
};

/* Copies the columns of the present row. */
struct sql_row sql_row_copy(const struct query *query, struct arena *arena);
struct sql_row sql_row_again(const struct sql_row *row, struct arena *arena);
/* The seal that fits the other columns. */
int64_t sql_row_seal(const struct sql_row *row);
/* Flips the one bit back after whose flip the seal no longer fitted. False: more than one bit was
 * changed, or the row is too long; then it is as before. */
bool sql_row_mend(struct sql_row *row);
/* Binds all columns. */
void sql_row_bind(struct query *query, const struct sql_row *row);
