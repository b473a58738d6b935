/* SQLite: connections, the compiled-in statements, and its errors as sentences. */
#include "db/sqlite/sqlite.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/library_sqlite.h"
#include "base/strbuf.h"
#include "db/sqlite/result_code.h"

struct sql {
	sqlite3 *handle;
	char *path;
	sqlite3_stmt **statements; /* one place for each of db_files, NULL until it is used */
	size_t file_count;
};

static size_t file_count(void)
{
	size_t count = 0;
	while (db_files[count].path)
		count++;
	return count;
}

/* A URI in which no character of the path means anything: an empty authority keeps the beginning of
 * an absolute path ("//host") from being one, and "./" a relative path from being one of SQLite's
 * special names. */
static void add_uri(struct strbuf *uri, const char *path, enum sql_mode mode)
{
	strbuf_addf(uri, "file:%s", path[0] == '/' ? "//" : "./");
	for (; *path; path++)
		if (strchr("?#%", *path))
			strbuf_addf(uri, "%%%02X", (unsigned)*path);
		else
			strbuf_addch(uri, *path);
	if (mode == SQL_IMMUTABLE)
		strbuf_addstr(uri, "?immutable=1");
}

/* A reader asks for writing too and gets it where the system allows: the last connection to
 * leave must be able to tidy the log away. query_only keeps it from changing anything. */
int sql_open(const char *path, enum sql_mode mode, struct sql **sql, struct error *err)
{
	int flags = mode == SQL_IMMUTABLE ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
	struct strbuf uri = {0};
	sqlite3 *handle = NULL;
	if (lazy_sqlite_open(err) < 0)
		return -1;
	if (mode == SQL_CREATE)
		flags |= SQLITE_OPEN_CREATE;
	add_uri(&uri, path, mode);
	int status = sqlite3_open_v2(uri.buf, &handle,
				     flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
	strbuf_free(&uri);
	if (status != SQLITE_OK) {
		fault_set(err, path, handle, status);
		sqlite3_close(handle);
		return -1;
	}
	sqlite3_extended_result_codes(handle, 1);
	if ((mode == SQL_WRITE || mode == SQL_CREATE) && sqlite3_db_readonly(handle, "main") == 1) {
		fault_set(err, path, handle, SQLITE_READONLY);
		sqlite3_close(handle);
		return -1;
	}
	*sql = calloc(1, sizeof **sql);
	if (!*sql)
		abort();
	(*sql)->handle = handle;
	(*sql)->path = strdup(path);
	(*sql)->file_count = file_count();
	(*sql)->statements = calloc((*sql)->file_count + 1, sizeof *(*sql)->statements);
	if (!(*sql)->path || !(*sql)->statements)
		abort();
	return 0;
}

void sql_close(struct sql *sql)
{
	for (size_t i = 0; db_files[i].path; i++)
		sqlite3_finalize(sql->statements[i]);
	sqlite3_close(sql->handle);
	free(sql->statements);
	free(sql->path);
	free(sql);
}

const char *sql_path(const struct sql *sql)
{
	return sql->path;
}

int sql_execute(struct sql *sql, const char *text, struct error *err)
{
	int status = sqlite3_exec(sql->handle, text, NULL, NULL, NULL);
	return status == SQLITE_OK ? 0 : fault_set(err, sql->path, sql->handle, status);
}

int sql_number(struct sql *sql, const char *text, int64_t *number, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int status = sqlite3_prepare_v2(sql->handle, text, -1, &statement, NULL);
	int64_t first = 0;
	if (status == SQLITE_OK) {
		status = sqlite3_step(statement);
		if (status == SQLITE_ROW)
			first = sqlite3_column_int64(statement, 0);
	}
	if (status != SQLITE_ROW && status != SQLITE_DONE) {
		fault_set(err, sql->path, sql->handle, status);
		sqlite3_finalize(statement);
		return -1;
	}
	sqlite3_finalize(statement);
	*number = first;
	return 0;
}

bool sql_answers(struct sql *sql, const char *text, const char *answer)
{
	sqlite3_stmt *statement = NULL;
	bool same = false;
	if (sqlite3_prepare_v2(sql->handle, text, -1, &statement, NULL) == SQLITE_OK &&
	    sqlite3_step(statement) == SQLITE_ROW) {
		const char *given = (const char *)sqlite3_column_text(statement, 0);
		same = given && strcmp(given, answer) == 0;
	}
	sqlite3_finalize(statement);
	return same;
}

bool sql_in_transaction(const struct sql *sql)
{
	return !sqlite3_get_autocommit(sql->handle);
}

bool sql_is_busy(const struct sql *sql)
{
	return (sqlite3_errcode(sql->handle) & 0xff) == SQLITE_BUSY;
}

bool sql_is_damaged(const struct sql *sql)
{
	int status = sqlite3_errcode(sql->handle) & 0xff;
	return status == SQLITE_CORRUPT || status == SQLITE_NOTADB;
}

int64_t sql_last_row(const struct sql *sql)
{
	return sqlite3_last_insert_rowid(sql->handle);
}

int64_t sql_changes(const struct sql *sql)
{
	return sqlite3_changes64(sql->handle);
}

void sql_wait(struct sql *sql, int milliseconds)
{
	sqlite3_busy_timeout(sql->handle, milliseconds);
}

static int open_place(struct sql *sql, const struct sql_place *place, bool writes,
		      sqlite3_blob **blob, struct error *err)
{
	int status = sqlite3_blob_open(sql->handle, "main", place->table, place->column, place->row,
				       writes, blob);
	return status == SQLITE_OK ? 0 : fault_set(err, sql->path, sql->handle, status);
}

static int close_place(struct sql *sql, sqlite3_blob *blob, int status, struct error *err)
{
	if (status != SQLITE_OK)
		fault_set(err, sql->path, sql->handle, status);
	sqlite3_blob_close(blob);
	return status == SQLITE_OK ? 0 : -1;
}

int sql_read(struct sql *sql, const struct sql_place *place, void *bytes, size_t len,
	     struct error *err)
{
	sqlite3_blob *blob = NULL;
	if (open_place(sql, place, false, &blob, err) < 0)
		return -1;
	return close_place(sql, blob, sqlite3_blob_read(blob, bytes, (int)len, (int)place->offset),
			   err);
}

int sql_write(struct sql *sql, const struct sql_place *place, const void *bytes, size_t len,
	      struct error *err)
{
	sqlite3_blob *blob = NULL;
	if (open_place(sql, place, true, &blob, err) < 0)
		return -1;
	return close_place(sql, blob, sqlite3_blob_write(blob, bytes, (int)len, (int)place->offset),
			   err);
}

static int compare_name(const void *name, const void *file)
{
	static const char folder[] = "db/queries/";
	const char *path = ((const struct embedded_file *)file)->path;
	size_t len = strlen(name);
	int order = strncmp(folder, path, sizeof folder - 1);
	if (order == 0)
		order = strncmp(name, path + sizeof folder - 1, len);
	return order ? order : strcmp(".sql", path + sizeof folder - 1 + len);
}

struct query query_start(struct sql *sql, const char *name)
{
	const struct embedded_file *file =
		bsearch(name, db_files, sql->file_count, sizeof *db_files, compare_name);
	assert(file);
	sqlite3_stmt **statement = &sql->statements[file - db_files];
	struct query query = {.sql = sql};
	if (!*statement)
		query.status = sqlite3_prepare_v3(sql->handle, file->text, (int)file->len + 1,
						  SQLITE_PREPARE_PERSISTENT, statement, NULL);
	query.statement = *statement;
	return query;
}

void query_bind_integer(struct query *query, int64_t number)
{
	query->at++;
	if (query->status == SQLITE_OK)
		query->status = sqlite3_bind_int64(query->statement, query->at, number);
}

/* SQLite keeps whole numbers as integers and so loses the sign of zero; -0 is kept as a
 * BLOB of one byte, because a run's hash can tell it from 0. */
void query_bind_number(struct query *query, double number)
{
	query->at++;
	if (query->status != SQLITE_OK)
		return;
	if (number == 0 && signbit(number))
		query->status = sqlite3_bind_zeroblob(query->statement, query->at, 1);
	else
		query->status = sqlite3_bind_double(query->statement, query->at, number);
}

void query_bind_text(struct query *query, const char *text)
{
	query->at++;
	if (query->status == SQLITE_OK)
		query->status =
			sqlite3_bind_text64(query->statement, query->at, text,
					    text ? strlen(text) : 0, SQLITE_STATIC, SQLITE_UTF8);
}

void query_bind_bytes(struct query *query, const void *bytes, size_t len)
{
	query->at++;
	if (query->status == SQLITE_OK)
		query->status =
			sqlite3_bind_blob64(query->statement, query->at, bytes, len, SQLITE_STATIC);
}

void query_bind_copy(struct query *query, const void *bytes, size_t len)
{
	query->at++;
	if (query->status == SQLITE_OK)
		query->status = sqlite3_bind_blob64(query->statement, query->at, bytes, len,
						    SQLITE_TRANSIENT);
}

void query_run(struct query *query)
{
	query->at = 0;
	if (query->status != SQLITE_OK)
		return;
	sqlite3_step(query->statement);
	query->status = sqlite3_reset(query->statement);
}

bool query_next(struct query *query)
{
	query->at = 0;
	if (query->status != SQLITE_OK)
		return false;
	int status = sqlite3_step(query->statement);
	if (status == SQLITE_ROW)
		return true;
	query->status = status == SQLITE_DONE ? SQLITE_OK : status;
	return false;
}

int64_t query_integer(struct query *query)
{
	return sqlite3_column_int64(query->statement, query->at++);
}

double query_number(struct query *query)
{
	int column = query->at++;
	switch (sqlite3_column_type(query->statement, column)) {
	case SQLITE_NULL:
		return NAN;
	case SQLITE_BLOB:
		return -0.0;
	default:
		return sqlite3_column_double(query->statement, column);
	}
}

const char *query_text(struct query *query, struct arena *arena)
{
	const char *text = (const char *)sqlite3_column_text(query->statement, query->at);
	int len = sqlite3_column_bytes(query->statement, query->at++);
	return text ? arena_strndup(arena, text, (size_t)len) : NULL;
}

const void *query_bytes(struct query *query, size_t *len)
{
	const void *bytes = sqlite3_column_blob(query->statement, query->at);
	*len = (size_t)sqlite3_column_bytes(query->statement, query->at++);
	return bytes;
}

/* The message is taken before the reset, which would repeat the failure. */
int query_finish(struct query *query, struct error *err)
{
	int status = query->status;
	if (status != SQLITE_OK)
		fault_set(err, query->sql->path, query->sql->handle, status);
	if (query->statement) {
		sqlite3_reset(query->statement);
		sqlite3_clear_bindings(query->statement);
	}
	return status == SQLITE_OK ? 0 : -1;
}

int query_abandon(struct query *query)
{
	struct error ignored;
	query_finish(query, &ignored);
	return -1;
}
