/* Connections to SQLite and the statements that are compiled into the program. */
#include "db/sqlite/sqlite.h"

#include "base/system/library_sqlite.h"
#include "base/system/system.h"
#include "base/base.h"
#include "db/sqlite/guard.h"
#include "db/sqlite/result_code.h"
#include "db/sqlite/wait.h"

struct sql {
	sqlite3 *handle;
	char *path;
	struct guard guard;
	bool unsealed; /* see sql_expect_seals() */
	struct sql_wait wait;
	sqlite3_stmt **statements; /* statements[i] belongs to db_files[i]; NULL until it is used */
	size_t file_count;
};

static size_t file_count(void)
{
	size_t count = 0;
	while (db_files[count].path)
		count++;
	return count;
}

/* Builds a URI in which no character of the path has a special meaning:
 *   - "?", "#" and "%" are percent-encoded;
 *   - an absolute path gets an empty authority, so that "//host/..." does not name a host;
 *   - a relative path gets "./", so that it is not one of SQLite's special names. */
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

/* Refuses a link next to the store, which SQLite would find without saying what it is. */
static int check_beside(const struct path *store, struct error *err)
{
	static const char *const suffixes[] = {"-wal", "-shm", "-journal"};
	int rc = 0;
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && rc == 0; i++) {
		struct strbuf name = {0};
		strbuf_addf(&name, "%s%s", store->name, suffixes[i]);
		rc = path_check_beside("open the store", store, strbuf_text(&name), err);
		strbuf_free(&name);
	}
	return rc;
}

/* Adds the address of the store for SQLite. In a protected directory the path has no link, and
 * `flags` make SQLite look once more. SQLite says why a path that leads nowhere cannot be opened.
 */
static int locate(const char *path, enum sql_mode mode, struct strbuf *uri, int *flags,
		  struct error *err)
{
	struct path at;
	if (mode == SQL_MEMORY) {
		strbuf_addstr(uri, ":memory:");
		return 0;
	}
	if (path_open("open the store", path, &at, err) < 0) {
		add_uri(uri, path, mode);
		return err->kind == ERR_USAGE ? -1 : 0;
	}
	add_uri(uri, at.text, mode);
	int rc = 0;
	if (at.is_protected) {
		*flags |= SQLITE_OPEN_NOFOLLOW;
		rc = check_beside(&at, err);
	}
	path_close(&at);
	return rc;
}

/* A reader requests write access, too, and SQLite falls back to reading if the system refuses: the
 * last connection to close must be able to remove the log. PRAGMA query_only (db/store/store.c)
 * prevents a reader from changing anything. */
int sql_open(const char *path, enum sql_mode mode, struct sql **sql, struct error *err)
{
	int flags = mode == SQL_IMMUTABLE ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
	struct strbuf uri = {0};
	sqlite3 *handle = NULL;
	assert(path && mode <= SQL_MEMORY);
	if (lazy_sqlite_open(err) < 0 || locate(path, mode, &uri, &flags, err) < 0) {
		strbuf_free(&uri);
		return -1;
	}
	if (mode == SQL_CREATE)
		flags |= SQLITE_OPEN_CREATE;
	int status = sqlite3_open_v2(uri.buf, &handle,
				     flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
	strbuf_free(&uri);
	if (status != SQLITE_OK) {
		result_code_set(err, path, handle, status);
		sqlite3_close(handle);
		return -1;
	}
	sqlite3_extended_result_codes(handle, 1);
	if ((mode == SQL_WRITE || mode == SQL_CREATE) && sqlite3_db_readonly(handle, "main") == 1) {
		result_code_set(err, path, handle, SQLITE_READONLY);
		sqlite3_close(handle);
		return -1;
	}
	*sql = memory_allocate(1, sizeof **sql);
	(*sql)->handle = handle;
	(*sql)->path = strdup(path);
	(*sql)->file_count = file_count();
	(*sql)->statements = memory_allocate((*sql)->file_count + 1, sizeof *(*sql)->statements);
	if (!(*sql)->path)
		abort();
	(*sql)->guard.path = sql_file(*sql);
	guard_attach(&(*sql)->guard, handle);
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

int sql_copy(struct sql *to, struct sql *from, struct error *err)
{
	sqlite3_backup *backup = sqlite3_backup_init(to->handle, "main", from->handle, "main");
	int status = backup ? sqlite3_backup_step(backup, -1) : SQLITE_ERROR;
	if (backup)
		sqlite3_backup_finish(backup);
	return status == SQLITE_DONE ? 0 : result_code_set(err, from->path, to->handle, status);
}

const char *sql_path(const struct sql *sql)
{
	return sql->path;
}

const char *sql_file(const struct sql *sql)
{
	const char *file = sqlite3_db_filename(sql->handle, "main");
	return file && *file ? file : sql->path;
}

int sql_execute(struct sql *sql, const char *text, struct error *err)
{
	sql->guard.steps = 0;
	int status = sqlite3_exec(sql->handle, text, NULL, NULL, NULL);
	return status == SQLITE_OK ? 0 : result_code_set(err, sql->path, sql->handle, status);
}

/* SQLite attaches the new file for the time being, which statements of the store may not. */
int sql_shrink(struct sql *sql, struct error *err)
{
	int before = sqlite3_limit(sql->handle, SQLITE_LIMIT_ATTACHED, 1);
	int failed = sql_execute(sql, "VACUUM", err);
	sqlite3_limit(sql->handle, SQLITE_LIMIT_ATTACHED, before);
	return failed;
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
		result_code_set(err, sql->path, sql->handle, status);
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
	return status == SQLITE_CORRUPT || status == SQLITE_NOTADB || status == SQLITE_INTERRUPT;
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
	sql->wait = (struct sql_wait){
		.path = sql->path, .file = sql_file(sql), .patience = milliseconds};
	sql_wait_attach(&sql->wait, sql->handle);
}

/* Compares "db/queries/<name>.sql" with the path of an embedded file, for bsearch(). */
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
	struct query query = {.sql = sql, .name = name};
	sql->guard.steps = 0;
	if (!*statement)
		query.status = sqlite3_prepare_v3(sql->handle, file->text, (int)file->len + 1,
						  SQLITE_PREPARE_PERSISTENT, statement, NULL);
	query.statement = *statement;
	return query;
}

struct query query_dry(struct seal *seal)
{
	return (struct query){.seal = seal};
}

/* Whether the next parameter is to be bound: a dry query has none, a failed one binds no more. */
static bool binds(struct query *query)
{
	query->at++;
	return query->statement && query->status == SQLITE_OK;
}

void query_bind_integer(struct query *query, int64_t number)
{
	if (query->seal)
		seal_add_integer(query->seal, number);
	if (binds(query))
		query->status = sqlite3_bind_int64(query->statement, query->at, number);
}

/* SQLite stores whole numbers as integers and so loses the sign of zero. A run's hash distinguishes
 * -0 from 0, so -0 is stored as a BLOB of one byte. */
void query_bind_number(struct query *query, double number)
{
	if (query->seal)
		seal_add_number(query->seal, number);
	if (!binds(query))
		return;
	if (number == 0 && signbit(number))
		query->status = sqlite3_bind_zeroblob(query->statement, query->at, 1);
	else
		query->status = sqlite3_bind_double(query->statement, query->at, number);
}

static void seal_bytes(struct query *query, bool text, const void *bytes, size_t len)
{
	if (query->seal && bytes)
		seal_add_bytes(query->seal, text, bytes, len);
	else if (query->seal)
		seal_add_null(query->seal);
}

void query_bind_text(struct query *query, const char *text)
{
	size_t len = text ? strlen(text) : 0;
	seal_bytes(query, true, text, len);
	if (!binds(query))
		return;
	if (len > SQL_TEXT_LIMIT)
		query->status = SQLITE_TOOBIG;
	else
		query->status = sqlite3_bind_text64(query->statement, query->at, text, len,
						    SQLITE_STATIC, SQLITE_UTF8);
}

void query_bind_bytes(struct query *query, const void *bytes, size_t len)
{
	seal_bytes(query, false, bytes, len);
	if (binds(query))
		query->status =
			sqlite3_bind_blob64(query->statement, query->at, bytes, len, SQLITE_STATIC);
}

void query_bind_copy(struct query *query, const void *bytes, size_t len)
{
	seal_bytes(query, false, bytes, len);
	if (binds(query))
		query->status = sqlite3_bind_blob64(query->statement, query->at, bytes, len,
						    SQLITE_TRANSIENT);
}

void query_bind_seal(struct query *query)
{
	int64_t value = seal_value(query->seal);
	query->seal = NULL;
	query_bind_integer(query, value);
}

void query_run(struct query *query)
{
	assert(query->status != SQLITE_RANGE); /* more binds than parameters */
	query->at = 0;
	if (query->status != SQLITE_OK)
		return;
	sqlite3_step(query->statement);
	query->status = sqlite3_reset(query->statement);
}

/* Rows are counted against the size of the file at every 65,536th. */
bool query_next(struct query *query)
{
	assert(query->status != SQLITE_RANGE); /* more binds than parameters */
	query->at = 0;
	if (query->status != SQLITE_OK || query->fault)
		return false;
	int status = sqlite3_step(query->statement);
	if (status == SQLITE_ROW && (++query->rows & 0xffff) == 0 &&
	    !guard_rows_fit(&query->sql->guard, query->rows))
		status = SQLITE_CORRUPT;
	if (status == SQLITE_ROW)
		return true;
	query->status = status == SQLITE_DONE ? SQLITE_OK : status;
	return false;
}

/* The first fault of the query is kept. */
static void set_fault(struct query *query, int column, const char *fault)
{
	if (query->fault)
		return;
	query->fault = fault;
	query->fault_column = column;
	query->fault_row = sqlite3_column_int64(query->statement, 0);
}

bool query_is_null(const struct query *query)
{
	return sqlite3_column_type(query->statement, query->at) == SQLITE_NULL;
}

int64_t query_integer_within(struct query *query, int64_t low, int64_t high)
{
	int column = query->at++, type = sqlite3_column_type(query->statement, column);
	int64_t number = sqlite3_column_int64(query->statement, column);
	if (query->seal)
		seal_add_integer(query->seal, number);
	if (type == SQLITE_INTEGER && number >= low && number <= high)
		return number;
	set_fault(query, column,
		  type == SQLITE_INTEGER ? "has a number that it cannot have"
		  : type == SQLITE_NULL  ? "is empty"
					 : "is not a whole number");
	return low > 0 ? low : high < 0 ? high : 0;
}

int64_t query_integer(struct query *query)
{
	return query_integer_within(query, INT64_MIN, INT64_MAX);
}

static double number_of(struct query *query)
{
	int column = query->at++;
	switch (sqlite3_column_type(query->statement, column)) {
	case SQLITE_NULL:
		return NAN;
	case SQLITE_BLOB:
		return -0.0;
	case SQLITE_TEXT:
		set_fault(query, column, "is not a number");
		return NAN;
	default:
		return sqlite3_column_double(query->statement, column);
	}
}

double query_number(struct query *query)
{
	double number = number_of(query);
	if (query->seal)
		seal_add_number(query->seal, number);
	return number;
}

const char *query_text(struct query *query, struct arena *arena)
{
	int column = query->at++, type = sqlite3_column_type(query->statement, column);
	const char *text = (const char *)sqlite3_column_text(query->statement, column);
	int len = sqlite3_column_bytes(query->statement, column);
	seal_bytes(query, true, text, (size_t)len);
	if (type == SQLITE_NULL)
		return NULL;
	if (len > SQL_TEXT_LIMIT) {
		set_fault(query, column, "is longer than 1 MiB");
		return NULL;
	}
	if (type != SQLITE_TEXT || !text) {
		set_fault(query, column, "is not a text");
		return NULL;
	}
	return arena_strndup(arena, text, (size_t)len);
}

const char *query_required_text(struct query *query, struct arena *arena)
{
	int column = query->at;
	const char *text = query_text(query, arena);
	if (text)
		return text;
	set_fault(query, column, "is empty");
	return "";
}

const void *query_bytes(struct query *query, size_t *len)
{
	const void *bytes = sqlite3_column_blob(query->statement, query->at);
	*len = (size_t)sqlite3_column_bytes(query->statement, query->at);
	bool empty = !bytes && !query_is_null(query); /* SQLite has no pointer to no bytes */
	seal_bytes(query, false, empty ? "" : bytes, *len);
	query->at++;
	return bytes;
}

bool query_seal_fits(struct query *query)
{
	int64_t expected = seal_value(query->seal);
	int column = query->at++;
	query->seal = NULL;
	return query->sql->unsealed ||
	       (sqlite3_column_type(query->statement, column) == SQLITE_INTEGER &&
		sqlite3_column_int64(query->statement, column) == expected);
}

const char *query_any_text(struct query *query, struct arena *arena)
{
	const char *text = (const char *)sqlite3_column_text(query->statement, query->at);
	int len = sqlite3_column_bytes(query->statement, query->at++);
	return text ? arena_strndup(arena, text, (size_t)len) : "";
}

void query_seal_columns(struct query *query)
{
	int count = sqlite3_column_count(query->statement);
	while (query->at + 1 < count) {
		size_t len;
		int at = query->at, type = sqlite3_column_type(query->statement, at);
		if (type == SQLITE_INTEGER)
			query_integer(query);
		else if (type == SQLITE_FLOAT)
			query_number(query);
		else if (type != SQLITE_TEXT)
			query_bytes(query, &len);
		else
			seal_bytes(query, true, sqlite3_column_text(query->statement, at),
				   (size_t)sqlite3_column_bytes(query->statement, query->at++));
	}
}

void sql_expect_seals(struct sql *sql, bool sealed)
{
	sql->unsealed = !sealed;
}

void sql_expect_entries(struct sql *sql, bool expected)
{
	/* SQLite passes over a missing entry only where it lets the schema be written, too. */
	sqlite3_db_config(sql->handle, SQLITE_DBCONFIG_DEFENSIVE, expected, (int *)NULL);
	sqlite3_db_config(sql->handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, !expected, (int *)NULL);
}

void query_check_seal(struct query *query)
{
	if (!query_seal_fits(query))
		query_refuse(query, "does not fit its row, which was changed after it was stored");
}

void query_refuse(struct query *query, const char *fault)
{
	set_fault(query, query->at - 1, fault);
}

static int report_fault(const struct query *query, struct error *err)
{
	return error_set(err, ERR_STORE, "%s: the store is damaged: %s %s (%s, row %lld); %s",
			 query->sql->path,
			 sqlite3_column_name(query->statement, query->fault_column), query->fault,
			 query->name, (long long)query->fault_row, result_code_advice());
}

/* The error is recorded before sqlite3_reset(), which would report the failure a second time. */
int query_finish(struct query *query, struct error *err)
{
	int status = query->status;
	if (status != SQLITE_OK)
		result_code_set(err, query->sql->path, query->sql->handle, status);
	else if (query->fault)
		report_fault(query, err);
	if (query->statement) {
		sqlite3_reset(query->statement);
		sqlite3_clear_bindings(query->statement);
	}
	return status == SQLITE_OK && !query->fault ? 0 : -1;
}

int query_execute(struct query *query, struct error *err)
{
	query_run(query);
	return query_finish(query, err);
}

int query_find(struct query *query, int64_t *number, struct error *err)
{
	int64_t found = *number;
	if (query_next(query) && !query_is_null(query))
		found = query_integer(query);
	if (query_finish(query, err) < 0)
		return -1;
	*number = found;
	return 0;
}

int query_abandon(struct query *query)
{
	struct error ignored;
	query_finish(query, &ignored);
	return -1;
}
