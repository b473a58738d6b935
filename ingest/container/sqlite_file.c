/* Opens a foreign database read-only and restricts what it can do. */
#include "ingest/container/sqlite_file.h"

#include <ctype.h>

#include "base/system/library_sqlite.h"
#include "base/base.h"

static const size_t sqlite_file_limit = (size_t)512 << 20; /* bytes held in memory */
/* Steps of SQLite's virtual machine. A row of a join takes about fifty, so 8 million rows pass. */
static const uint64_t sqlite_step_limit = 400u * 1000 * 1000;
enum { steps_at_a_time = 10000 };

struct sqlite_file {
	struct arena *arena;
	sqlite3 *db;
	uint64_t steps;
	struct error unanswered; /* why the first question of ask() failed, if one did */
};

bool sqlite_file_looks_like(struct span head, const char *const *words)
{
	static const char magic[] = "SQLite format 3";
	if (head.len < sizeof magic || memcmp(head.ptr, magic, sizeof magic) != 0)
		return false;
	for (size_t i = 0; words[i]; i++)
		if (span_find(head, words[i]) < head.len)
			return true;
	return false;
}

static int fail(struct sqlite_file *file, struct error *err)
{
	if (sqlite3_errcode(file->db) == SQLITE_INTERRUPT)
		return error_set(err, ERR_FORMAT,
				 "the database is too large or too complex: a query takes more "
				 "than %llu steps",
				 (unsigned long long)sqlite_step_limit);
	return error_set(err, ERR_FORMAT, "the database cannot be read: %.200s",
			 file->db ? sqlite3_errmsg(file->db) : "out of memory");
}

static int count_steps(void *context)
{
	struct sqlite_file *file = context;
	file->steps += steps_at_a_time;
	return file->steps > sqlite_step_limit;
}

/* --- opening --- */

/* "file:/a%20b.sqlite?immutable=1" */
static char *uri_of(struct arena *arena, const char *path)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "file:");
	while (path[0] == '/' && path[1] == '/')
		path++;
	for (; *path; path++)
		if (isalnum((unsigned char)*path) || memchr("/.-_", *path, 4))
			strbuf_addch(&sb, *path);
		else
			strbuf_addf(&sb, "%%%02X", (unsigned)(unsigned char)*path);
	strbuf_addstr(&sb, "?immutable=1");
	return strbuf_into(&sb, arena);
}

/* SQLite refuses a database in write-ahead mode in memory, although it is complete. */
static void leave_wal_mode(unsigned char *bytes, size_t len)
{
	enum { write_version = 18, read_version = 19 };
	if (len > read_version && bytes[write_version] == 2 && bytes[read_version] == 2)
		bytes[write_version] = bytes[read_version] = 1;
}

static int open_bytes(struct sqlite_file *file, struct input *input, struct error *err)
{
	struct span bytes;
	if (input_read_all(file->arena, input, sqlite_file_limit, &bytes, err) < 0)
		return -1;
	unsigned char *copy = (unsigned char *)arena_strndup(file->arena, bytes.ptr, bytes.len);
	leave_wal_mode(copy, bytes.len);
	if (sqlite3_open_v2(":memory:", &file->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
	    sqlite3_deserialize(file->db, "main", copy, (sqlite3_int64)bytes.len,
				(sqlite3_int64)bytes.len, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
		return fail(file, err);
	return 0;
}

static int open_path(struct sqlite_file *file, const char *path, struct error *err)
{
	int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
	if (sqlite3_open_v2(uri_of(file->arena, path), &file->db, flags, NULL) != SQLITE_OK)
		return fail(file, err);
	return 0;
}

static void tie_hands(struct sqlite_file *file)
{
	static const struct {
		int id, value;
	} limits[] = {
		{SQLITE_LIMIT_LENGTH, 16 << 20},         {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
		{SQLITE_LIMIT_EXPR_DEPTH, 100},          {SQLITE_LIMIT_COMPOUND_SELECT, 10},
		{SQLITE_LIMIT_VDBE_OP, 25000},           {SQLITE_LIMIT_ATTACHED, 0},
		{SQLITE_LIMIT_VARIABLE_NUMBER, 10},      {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
		{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100}, {SQLITE_LIMIT_WORKER_THREADS, 0},
	};
	static const struct {
		int id, value;
	} settings[] = {
		{SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
		{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
		{SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
	};
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		sqlite3_limit(file->db, limits[i].id, limits[i].value);
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		sqlite3_db_config(file->db, settings[i].id, settings[i].value, (int *)NULL);
	sqlite3_progress_handler(file->db, steps_at_a_time, count_steps, file);
}

static int nothing(void *context, struct sqlite_row *row, struct error *err)
{
	(void)context, (void)row, (void)err;
	return 0;
}

struct sqlite_file *sqlite_file_open(struct arena *arena, struct input *input, struct error *err)
{
	if (lazy_sqlite_open(err) < 0)
		return NULL;
	struct sqlite_file *file = arena_new(arena, struct sqlite_file);
	const char *path = input_plain_path(input);
	file->arena = arena;
	int rc = path ? open_path(file, path, err) : open_bytes(file, input, err);
	if (rc == 0) {
		tie_hands(file);
		rc = sqlite_file_query(file, "SELECT count(*) FROM sqlite_master", nothing, NULL,
				       err);
	}
	if (rc == 0)
		return file;
	sqlite3_close(file->db);
	return NULL;
}

int sqlite_file_close(struct sqlite_file *file, int rc, struct error *err)
{
	if (file->unanswered.kind != ERR_NONE) {
		*err = file->unanswered;
		rc = -1;
	}
	sqlite3_close(file->db);
	return rc;
}

/* --- queries --- */

static sqlite3_stmt *prepare(struct sqlite_file *file, const char *sql)
{
	sqlite3_stmt *statement = NULL;
	if (sqlite3_prepare_v2(file->db, sql, -1, &statement, NULL) != SQLITE_OK)
		return NULL;
	return statement;
}

int sqlite_file_query(struct sqlite_file *file, const char *sql,
		      int (*row)(void *context, struct sqlite_row *row, struct error *err),
		      void *context, struct error *err)
{
	sqlite3_stmt *statement = prepare(file, sql);
	if (!statement)
		return fail(file, err);
	int status, rc = 0;
	while ((status = sqlite3_step(statement)) == SQLITE_ROW && rc == 0)
		rc = row(context, (struct sqlite_row *)statement, err);
	if (rc == 0 && status != SQLITE_DONE)
		rc = fail(file, err);
	sqlite3_finalize(statement);
	return rc;
}

double sqlite_file_row_number(struct sqlite_row *row, int column)
{
	sqlite3_stmt *statement = (sqlite3_stmt *)row;
	int type = sqlite3_column_type(statement, column);
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
		return NAN;
	double number = sqlite3_column_double(statement, column);
	return isfinite(number) ? number : NAN;
}

struct span sqlite_file_row_text(struct sqlite_row *row, int column)
{
	sqlite3_stmt *statement = (sqlite3_stmt *)row;
	if (sqlite3_column_type(statement, column) != SQLITE_TEXT)
		return (struct span){"", 0};
	const char *text = (const char *)sqlite3_column_text(statement, column);
	size_t len = (size_t)sqlite3_column_bytes(statement, column);
	return (struct span){text ? text : "", text ? len : 0};
}

/* The first column of the first row as text in the arena; the query has at most two text
 * parameters. */
static const char *ask(struct sqlite_file *file, const char *sql, const char *first,
		       const char *second)
{
	const char *answer = NULL;
	int status = SQLITE_ERROR;
	sqlite3_stmt *statement = prepare(file, sql);
	if (statement) {
		sqlite3_bind_text(statement, 1, first, -1, SQLITE_STATIC);
		if (second)
			sqlite3_bind_text(statement, 2, second, -1, SQLITE_STATIC);
		status = sqlite3_step(statement);
	}
	if (status == SQLITE_ROW) {
		struct span text = sqlite_file_row_text((struct sqlite_row *)statement, 0);
		answer = arena_strndup(file->arena, text.ptr, text.len);
	} else if (status != SQLITE_DONE && file->unanswered.kind == ERR_NONE) {
		fail(file, &file->unanswered);
	}
	sqlite3_finalize(statement);
	return answer;
}

/* The name will be part of queries in double quotes, so names that contain one are refused. */
const char *sqlite_file_table(struct sqlite_file *file, const char *name, bool or_more)
{
	const char *found = ask(file,
				or_more ? "SELECT name FROM sqlite_master WHERE type = 'table' AND "
					  "sql NOT LIKE 'create virtual%' AND "
					  "substr(name, 1, length(?1)) = ?1 ORDER BY name LIMIT 1"
					: "SELECT name FROM sqlite_master WHERE type = 'table' AND "
					  "sql NOT LIKE 'create virtual%' AND name = ?1",
				name, NULL);
	return found && !strchr(found, '"') ? found : NULL;
}

bool sqlite_file_has_column(struct sqlite_file *file, const char *table, const char *column)
{
	return ask(file, "SELECT name FROM pragma_table_info(?1) WHERE name = ?2", table, column);
}

void sqlite_file_columns(struct sqlite_file *file, struct strbuf *sql, const char *table,
			 const char *const *columns)
{
	assert(!strchr(table, '"'));
	for (size_t i = 0; columns[i]; i++)
		if (sqlite_file_has_column(file, table, columns[i]))
			strbuf_addf(sql, "%st.\"%s\"", i ? ", " : "", columns[i]);
		else
			strbuf_addf(sql, "%sNULL", i ? ", " : "");
}
