/*
 * Limits of a connection. A damaged or hostile file can hold pages that refer to each other so that
 * a table seems to have more rows than atoms in the universe; nothing in SQLite notices.
 *
 *   - Steps: no statement of db/queries takes more than 500 steps per row, and a page of 4 kB holds
 *     at most 500 rows of the smallest kind, which are read with 15 steps each. 25 steps per byte
 *     are more than three times of either; the largest stores reach 5 % of it.
 *   - Rows: the smallest row takes more than 8 bytes, and no statement returns a row twice.
 *   - Values: 64 MiB are the history of three million runs at one commit.
 */
#include "db/sqlite/guard.h"

#include <sys/stat.h>

#include "base/system/library_sqlite.h"

enum { STEPS_AT_A_TIME = 1000000, STEPS_PER_BYTE = 25, LEAST_BYTES_OF_A_ROW = 8 };
static const uint64_t free_steps = 100000000, free_rows = 1 << 20;

static uint64_t size_of(const char *path, const char *suffix)
{
	struct stat status;
	struct strbuf name = {0};
	strbuf_addf(&name, "%s%s", path, suffix);
	bool known = stat(name.buf, &status) == 0 && status.st_size > 0;
	strbuf_free(&name);
	return known ? (uint64_t)status.st_size : 0;
}

/* The bytes of the store and its log, which others may be extending. */
static uint64_t bytes_of(const struct guard *guard)
{
	return size_of(guard->path, "") + size_of(guard->path, "-wal");
}

static int count_steps(void *context)
{
	struct guard *guard = context;
	guard->steps += STEPS_AT_A_TIME;
	return guard->steps > free_steps &&
	       guard->steps - free_steps > bytes_of(guard) * STEPS_PER_BYTE;
}

bool guard_rows_fit(const struct guard *guard, uint64_t rows)
{
	return rows <= free_rows || rows - free_rows <= bytes_of(guard) / LEAST_BYTES_OF_A_ROW;
}

void guard_attach(struct guard *guard, struct sqlite3 *handle)
{
	static const struct {
		int id, value;
	} limits[] = {
		{SQLITE_LIMIT_LENGTH, 64 << 20},    {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
		{SQLITE_LIMIT_COLUMN, 100},         {SQLITE_LIMIT_EXPR_DEPTH, 100},
		{SQLITE_LIMIT_COMPOUND_SELECT, 10}, {SQLITE_LIMIT_VDBE_OP, 25000},
		{SQLITE_LIMIT_FUNCTION_ARG, 16},    {SQLITE_LIMIT_ATTACHED, 0},
		{SQLITE_LIMIT_VARIABLE_NUMBER, 50}, {SQLITE_LIMIT_TRIGGER_DEPTH, 10},
		{SQLITE_LIMIT_WORKER_THREADS, 0},
	};
	static const struct {
		int id, value;
	} settings[] = {
		{SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
		{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
		{SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
	};
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		sqlite3_limit(handle, limits[i].id, limits[i].value);
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		sqlite3_db_config(handle, settings[i].id, settings[i].value, (int *)NULL);
	sqlite3_progress_handler(handle, STEPS_AT_A_TIME, count_steps, guard);
}
