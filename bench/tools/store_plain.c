/* Two tables of SQLite and a statement for each thing that is done with them. */
#include "bench/tools/store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum statement { BEGIN, COMMIT, ADD_RUN, ADD_NUMBER, WINDOW, HISTORY, STATEMENTS };

static const char *const texts[STATEMENTS] = {
	[BEGIN] = "BEGIN IMMEDIATE",
	[COMMIT] = "COMMIT",
	[ADD_RUN] = "INSERT INTO run (kernel_id, pos) VALUES (?, ?)",
	[ADD_NUMBER] = "INSERT INTO sample VALUES (?, ?, ?)",
	[WINDOW] = "SELECT sample.metric_id, sample.value"
		   " FROM (SELECT id FROM run WHERE kernel_id = ? AND pos <= ?"
		   "  ORDER BY pos DESC LIMIT ?) AS last"
		   " CROSS JOIN sample ON sample.run_id = last.id",
	[HISTORY] = "SELECT sample.value FROM run CROSS JOIN sample"
		    " ON sample.run_id = run.id AND sample.metric_id = ?"
		    " WHERE run.kernel_id = ? ORDER BY pos",
};

struct plain {
	sqlite3 *handle;
	sqlite3_stmt *statements[STATEMENTS];
};

static void check(struct plain *plain, int status)
{
	if (status == SQLITE_OK || status == SQLITE_DONE)
		return;
	fprintf(stderr, "store: plain: %s\n", sqlite3_errmsg(plain->handle));
	exit(1);
}

struct plain *plain_open(const char *path)
{
	struct plain *plain = calloc(1, sizeof *plain);
	if (!plain)
		abort();
	check(plain, sqlite3_open(path, &plain->handle));
	check(plain, sqlite3_exec(plain->handle,
				  "PRAGMA journal_mode = WAL; PRAGMA synchronous = EXTRA;"
				  "PRAGMA mmap_size = 1073741824;"
				  "CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY,"
				  " kernel_id INTEGER NOT NULL, pos INTEGER NOT NULL);"
				  "CREATE UNIQUE INDEX IF NOT EXISTS run_by_kernel"
				  " ON run (kernel_id, pos, id);"
				  "CREATE TABLE IF NOT EXISTS sample (run_id INTEGER NOT NULL,"
				  " metric_id INTEGER NOT NULL, value REAL NOT NULL,"
				  " PRIMARY KEY (run_id, metric_id)) WITHOUT ROWID;",
				  NULL, NULL, NULL));
	for (int i = 0; i < STATEMENTS; i++)
		check(plain,
		      sqlite3_prepare_v2(plain->handle, texts[i], -1, &plain->statements[i], NULL));
	return plain;
}

void plain_close(struct plain *plain)
{
	for (int i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(plain->statements[i]);
	check(plain,
	      sqlite3_exec(plain->handle, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL));
	sqlite3_close(plain->handle);
	free(plain);
}

static void run_statement(struct plain *plain, enum statement which)
{
	check(plain, sqlite3_step(plain->statements[which]));
	check(plain, sqlite3_reset(plain->statements[which]));
}

void plain_begin(struct plain *plain)
{
	run_statement(plain, BEGIN);
}

void plain_commit(struct plain *plain)
{
	run_statement(plain, COMMIT);
}

void plain_add_run(struct plain *plain, unsigned kernel, unsigned commit, const double *numbers)
{
	sqlite3_bind_int64(plain->statements[ADD_RUN], 1, kernel);
	sqlite3_bind_int64(plain->statements[ADD_RUN], 2, commit);
	run_statement(plain, ADD_RUN);
	sqlite3_stmt *add = plain->statements[ADD_NUMBER];
	sqlite3_bind_int64(add, 1, sqlite3_last_insert_rowid(plain->handle));
	for (int i = 0; i < METRICS; i++) {
		sqlite3_bind_int64(add, 2, i);
		sqlite3_bind_double(add, 3, numbers[i]);
		run_statement(plain, ADD_NUMBER);
	}
}

double plain_window(struct plain *plain, unsigned series, unsigned runs, unsigned commit)
{
	sqlite3_stmt *window = plain->statements[WINDOW];
	double sum = 0;
	for (unsigned kernel = 0; kernel * METRICS < series; kernel++) {
		unsigned metrics = series - kernel * METRICS;
		sqlite3_bind_int64(window, 1, kernel);
		sqlite3_bind_int64(window, 2, commit);
		sqlite3_bind_int64(window, 3, runs);
		while (sqlite3_step(window) == SQLITE_ROW)
			if (sqlite3_column_int64(window, 0) < metrics)
				sum += sqlite3_column_double(window, 1);
		check(plain, sqlite3_reset(window));
	}
	return sum;
}

double plain_history(struct plain *plain, unsigned kernel, unsigned metric)
{
	sqlite3_stmt *history = plain->statements[HISTORY];
	double sum = 0;
	sqlite3_bind_int64(history, 1, metric);
	sqlite3_bind_int64(history, 2, kernel);
	while (sqlite3_step(history) == SQLITE_ROW)
		sum += sqlite3_column_double(history, 0);
	check(plain, sqlite3_reset(history));
	return sum;
}
