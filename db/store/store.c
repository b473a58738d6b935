/* Opens and closes a store, its transactions, and figures and checks of the whole store. */
#include "db/store/store.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/system/system.h"
#include "db/store/history_table.h"
#include "db/sqlite/migrate.h"
#include "db/store/internal.h"

enum {
	PATIENCE_MS = 60000, /* wait for a process that holds a lock and writes nothing */
	/* Wait up to 2 s for another process that creates the same store; see choose_journal(). */
	CREATION_TRIES = 100,
	CREATION_PAUSE_US = 20000
};

static int check_file(const char *path, enum store_mode mode, struct error *err)
{
	struct stat status;
	if (stat(path, &status) == 0) {
		if (S_ISREG(status.st_mode))
			return 0;
		return error_set(err, ERR_STORE, "%s: not a file; give the path of a store", path);
	}
	if (errno != ENOENT)
		return error_errno(err, "%s: the store cannot be opened", path);
	if (mode == STORE_CREATE)
		return 0;
	return error_set(
		err, ERR_STORE,
		"%s: no store here; create one with `rooflog init`, or give its path with --store",
		path);
}

/* The file is not mapped into memory: if another program cut it, reading it would end by a signal.
 */
static const char common_settings[] =
	"PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY";

static int prepare_reader(struct store *store, struct error *err)
{
	sql_wait(store->sql, PATIENCE_MS);
	if (sql_execute(store->sql, common_settings, err) < 0 ||
	    sql_execute(store->sql, "PRAGMA query_only = ON; PRAGMA cache_size = -32768", err) < 0)
		return -1;
	if (schema_check(store->sql, &store->version, err) < 0)
		return -1;
	if (store->version == schema_version())
		return 0;
	return error_set(err, ERR_STORE,
			 "%s: store schema version %d, this program needs version %d; migrate with "
			 "`rooflog init`",
			 sql_path(store->sql), store->version, schema_version());
}

/* With a write-ahead log, readers continue while one process writes. Its shared memory does not
 * work on a network file system: there the rollback journal is used. Two processes that create the
 * same store at once may both change the journal, and SQLite does not wait for the lock when it
 * does: hence the loop.
 *
 * EXTRA syncs the log at each commit, so that a power failure cannot take back what was reported as
 * stored; it also syncs the directory after the rollback journal was removed. */
static void choose_journal(struct sql *sql)
{
	bool local = filesystem_is_local(sql_path(sql));
	struct error ignored;
	int tries = local ? CREATION_TRIES : 1;
	sql_execute(sql, "PRAGMA synchronous = EXTRA", &ignored);
	sql_wait(sql, 0);
	while (tries-- > 0) {
		if (local && sql_answers(sql, "PRAGMA journal_mode = WAL", "wal"))
			break;
		if (!local && sql_answers(sql, "PRAGMA journal_mode = DELETE", "delete"))
			break;
		if (!sql_is_busy(sql))
			break;
		usleep(CREATION_PAUSE_US);
	}
	sql_wait(sql, PATIENCE_MS);
}

/* Fills the derived tables. There is work to do only after a migration. */
static int catch_up(struct store *store, struct error *err)
{
	if (store_history_is_caught_up(store))
		return 0;
	if (store_begin(store, err) < 0)
		return -1;
	return store_commit(store, err);
}

static int prepare_writer(struct store *store, struct error *err)
{
	sql_wait(store->sql, PATIENCE_MS);
	if (schema_check(store->sql, &store->version, err) < 0)
		return -1;
	if (!store->files)
		choose_journal(store->sql);
	if (sql_execute(store->sql, common_settings, err) < 0 ||
	    sql_execute(store->sql, "PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536", err) <
		    0)
		return -1;
	const struct migration_rest rest = {store_seals_make, store};
	if (store->version < schema_version() && schema_migrate(store->sql, rest, err) < 0)
		return -1;
	store->version = schema_version();
	/* Damage does not keep a store from being opened: whoever writes meets it again, and the
	 * repair must get in. */
	return catch_up(store, err) < 0 && sql_is_busy(store->sql) ? -1 : 0;
}

static int connect(struct store *store, const char *path, enum sql_mode mode, struct error *err)
{
	if (sql_open(path, mode, &store->sql, err) < 0)
		return -1;
	if ((store->writes ? prepare_writer : prepare_reader)(store, err) == 0)
		return 0;
	store->damaged = err->kind == ERR_STORE && !sql_is_busy(store->sql);
	sql_close(store->sql);
	return -1;
}

/* Without write permission for the directory, SQLite cannot use a log, so the store can only be
 * read as an immutable file. That requires that its log is empty: otherwise the file is not
 * complete. */
static int connect_immutable(struct store *store, const char *path, struct error *err)
{
	struct stat status;
	struct strbuf log = {0};
	if (connect(store, path, SQL_IMMUTABLE, err) < 0)
		return -1;
	strbuf_addf(&log, "%s-wal", sql_file(store->sql));
	bool logged = stat(log.buf, &status) == 0 && status.st_size > 0;
	if (logged) {
		error_set(err, ERR_STORE,
			  "%s: the store has an unfinished log (%s) and its directory cannot be "
			  "written; run `rooflog init` as the owner of the store once",
			  path, log.buf);
		sql_close(store->sql);
	}
	strbuf_free(&log);
	return logged ? -1 : 0;
}

void store_announce_waits(void (*function)(void *context, const char *path), void *context)
{
	sql_announce_waits(function, context);
}

/* Frees all but the connection. */
static void forget(struct store *store)
{
	store_changes_forget(store);
	store_metric_keys_forget(store);
	arena_free(&store->series_arena);
	free(store);
}

int store_open_copied(const char *path, enum store_mode mode, struct store **store, bool *damaged,
		      struct error *err)
{
	static const enum sql_mode modes[] = {
		[STORE_READ] = SQL_READ, [STORE_WRITE] = SQL_WRITE, [STORE_CREATE] = SQL_CREATE};
	struct store *opened;
	assert(mode <= STORE_CREATE);
	*damaged = false;
	if (check_file(path, mode, err) < 0)
		return -1;
	opened = memory_allocate(1, sizeof *opened);
	opened->writes = mode != STORE_READ;
	opened->local = filesystem_is_local(path);
	int failed = connect(opened, path, modes[mode], err);
	if (failed && mode == STORE_READ && err->kind == ERR_SYSTEM && access(path, R_OK) == 0)
		failed = connect_immutable(opened, path, err);
	if (failed) {
		*damaged = opened->damaged;
		forget(opened);
		return -1;
	}
	*store = opened;
	return 0;
}

int store_open(const char *path, enum store_mode mode, struct store **store, struct error *err)
{
	bool damaged;
	return store_open_copied(path, mode, store, &damaged, err);
}

bool store_is_damaged(const struct store *store)
{
	return sql_is_damaged(store->sql);
}

static int open_in_memory(struct store *original, const struct revision_list *files,
			  struct store **store, struct error *err)
{
	struct store *opened = memory_allocate(1, sizeof *opened);
	opened->writes = true;
	opened->files = files;
	if (sql_open(original ? sql_path(original->sql) : "the files", SQL_MEMORY, &opened->sql,
		     err) < 0) {
		forget(opened);
		return -1;
	}
	if ((original && sql_copy(opened->sql, original->sql, err) < 0) ||
	    prepare_writer(opened, err) < 0) {
		store_close(opened);
		return -1;
	}
	*store = opened;
	return 0;
}

int store_open_memory(const struct revision_list *files, struct store **store, struct error *err)
{
	return open_in_memory(NULL, files, store, err);
}

int store_open_copy(struct store *original, const struct revision_list *files, struct store **store,
		    struct error *err)
{
	static const int64_t limit = 1 << 30;
	int64_t bytes = 0;
	if (store_bytes(original, &bytes, err) < 0)
		return -1;
	if (bytes > limit)
		return error_set(err, ERR_STORE,
				 "%s: the store is larger than 1 GiB, and files cannot be compared "
				 "with its runs: ingest them",
				 sql_path(original->sql));
	return open_in_memory(original, files, store, err);
}

/* Writes the log into the file, without waiting for other processes; the last connection to close
 * completes that, and SQLite then removes the log, so that a single file remains. */
void store_close(struct store *store)
{
	struct error ignored;
	if (!store)
		return;
	if (store->writes) {
		store_rollback(store);
		sql_wait(store->sql, 0);
		sql_execute(store->sql, "PRAGMA wal_checkpoint(TRUNCATE)", &ignored);
	}
	sql_close(store->sql);
	if (store->publisher.close)
		store->publisher.close(store->publisher.context);
	forget(store);
}

int store_version(const struct store *store)
{
	return store->version;
}

int store_newest_version(void)
{
	return schema_version();
}

size_t store_left_out(const struct store *store)
{
	return store->left_out;
}

bool store_has_log(struct store *store)
{
	return sql_answers(store->sql, "PRAGMA journal_mode", "wal");
}

/* Runs a statement that has no parameters and returns no rows. */
static int run_statement(struct store *store, const char *name, struct error *err)
{
	struct query query = query_start(store->sql, name);
	return query_execute(&query, err);
}

int store_next_row(struct store *store, const char *statement, int64_t limit, int64_t *row,
		   struct error *err)
{
	int64_t last = 0;
	struct query query = query_start(store->sql, statement);
	if (query_find(&query, &last, err) < 0)
		return -1;
	if (last < 0 || last >= limit)
		return error_set(err, ERR_STORE,
				 "%s: the store is damaged: %s finds the number %lld",
				 sql_path(store->sql), statement, (long long)last);
	*row = last + 1;
	return 0;
}

void store_set_time(struct store *store, int64_t microseconds)
{
	store->time = microseconds;
}

int store_begin(struct store *store, struct error *err)
{
	if (run_statement(store, "transaction/begin", err) < 0)
		return -1;
	if (store_changes_begin(store, err) == 0)
		return 0;
	store_rollback(store);
	return -1;
}

/* Empties the caches after a rollback, which may have removed rows that they refer to. */
static void forget_cached(struct store *store)
{
	memset(store->metrics, 0, sizeof store->metrics);
	memset(store->remembered, 0, sizeof store->remembered);
	store_metric_keys_forget(store);
	store->series.count = 0;
}

/* Statistics for the planner, in the transaction: who interrupts them finds the store as it was.
 * Not PRAGMA optimize, which keeps statistics of a young store: with a single row in them SQLite
 * would visit the whole table for each commit of a walk. */
static int analyze(struct store *store, struct error *err)
{
	return store->writes ? sql_execute(store->sql, "PRAGMA analysis_limit = 400; ANALYZE", err)
			     : 0;
}

int store_commit(struct store *store, struct error *err)
{
	if (store_history_catch_up(store, err) == 0 && analyze(store, err) == 0 &&
	    store_changes_publish(store, err) == 0 &&
	    run_statement(store, "transaction/commit", err) == 0) {
		store_changes_kept(store);
		return 0;
	}
	store_rollback(store);
	return -1;
}

void store_rollback(struct store *store)
{
	struct error ignored;
	if (sql_in_transaction(store->sql))
		sql_execute(store->sql, "ROLLBACK", &ignored);
	store->first_row = store->ingest = 0;
	store_changes_forget(store);
	forget_cached(store);
}

int store_hold(struct store *store, struct error *err)
{
	assert(!store->writes);
	if (store->local && sql_execute(store->sql, "BEGIN", err) < 0)
		return -1;
	store->held = store->local;
	store_metric_keys_forget(store);
	return 0;
}

/* 512 KiB of page cache: allocating memory for a page costs more than reading it again. */
void store_read_once(struct store *store)
{
	struct error ignored;
	if (!store->writes)
		sql_execute(store->sql, "PRAGMA cache_size = -512", &ignored);
}

int store_scope_begin(struct store *store, struct error *err)
{
	store->alone = !sql_in_transaction(store->sql);
	return store->alone ? store_begin(store, err)
			    : run_statement(store, "transaction/scope_begin", err);
}

int store_reading_begin(struct store *store, struct error *err)
{
	return store->held ? 0 : run_statement(store, "transaction/scope_begin", err);
}

void store_reading_end(struct store *store)
{
	struct error ignored;
	if (!store->held)
		run_statement(store, "transaction/scope_keep", &ignored);
}

/* If the disk is full, SQLite rolls back the whole transaction by itself: then the savepoint does
 * not exist any more, and the caller's commit fails. */
int store_scope_end(struct store *store, bool failed, struct error *err)
{
	struct error ignored;
	const char *keep = store->alone ? "transaction/commit" : "transaction/scope_keep";
	bool kept = !failed;
	if (kept && store->alone)
		kept = store_history_catch_up(store, err) == 0 &&
		       store_changes_publish(store, err) == 0;
	if (kept && run_statement(store, keep, err) == 0) {
		if (store->alone)
			store_changes_kept(store);
		return 0;
	}
	if (store->alone)
		store_rollback(store);
	else if (sql_in_transaction(store->sql))
		sql_execute(store->sql, "ROLLBACK TO scope; RELEASE scope", &ignored);
	forget_cached(store);
	return -1;
}

int store_shrink(struct store *store, struct error *err)
{
	assert(!sql_in_transaction(store->sql));
	return sql_shrink(store->sql, err);
}

int store_bytes(struct store *store, int64_t *bytes, struct error *err)
{
	int64_t pages = 0, page = 0;
	if (sql_number(store->sql, "PRAGMA page_count", &pages, err) < 0 ||
	    sql_number(store->sql, "PRAGMA page_size", &page, err) < 0)
		return -1;
	*bytes = pages * page;
	return 0;
}

int store_counts(struct store *store, struct store_counts *counts, struct error *err)
{
	struct store_counts found = {0};
	struct query query = query_start(store->sql, "store/counts");
	if (query_next(&query)) {
		found.runs = query_integer(&query);
		found.series = query_integer(&query);
		found.commits = query_integer(&query);
		found.values = query_integer(&query);
		found.removed = query_integer(&query);
		found.latest = query_integer(&query);
	}
	if (query_finish(&query, err) < 0)
		return -1;
	*counts = found;
	return 0;
}

/* Damage that prevents a check from running is a finding, not an error. */
int store_check(struct store *store, struct arena *arena, const char **report, struct error *err)
{
	static const char *const checks[] = {"store/integrity_check", "store/foreign_key_check"};
	struct strbuf text = {0};
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
		struct query query = query_start(store->sql, checks[i]);
		while (query_next(&query)) {
			const char *line = query_text(&query, arena);
			if (line && strcmp(line, "ok") != 0)
				strbuf_addf(&text, "%s%s%s", text.len ? "\n" : "", line,
					    i ? ": orphaned row" : "");
		}
		if (query_finish(&query, err) == 0)
			continue;
		if (!sql_is_damaged(store->sql)) {
			strbuf_free(&text);
			return -1;
		}
		strbuf_addf(&text, "%s%s", text.len ? "\n" : "", err->text);
	}
	if (!text.len)
		strbuf_addstr(&text, "ok");
	*report = strbuf_into(&text, arena);
	return 0;
}
