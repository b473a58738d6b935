/* store: files whose tables are not those of a store, and columns with what no program writes. */
#include "unit/store_fixture.h"

#include <sqlite3.h>

#include "db/sqlite/migrate.h"
#include "db/sqlite/sqlite.h"
#include "db/store/internal.h"

static void execute(const struct repository_path *place, const char *text)
{
	sqlite3 *db;
	char *message = NULL;
	ck_assert_int_eq(sqlite3_open(place->path, &db), SQLITE_OK);
	ck_assert_msg(sqlite3_exec(db, text, NULL, NULL, &message) == SQLITE_OK, "%s: %s", text,
		      message);
	sqlite3_close(db);
}

static void fill(const struct repository_path *place, struct arena *arena)
{
	struct error err = {0};
	struct store *store = open_store(place, STORE_CREATE);
	struct run *run = spread_run(arena);
	run->dirty = false;
	add_commit(store, 1);
	add_commit(store, 2);
	add_run(store, simple_run(arena, "k", 1, 1));
	add_run(store, run);
	MUST(store_set_baseline(store, "main", OID("02"), 0, false, &err));
	store_close(store);
}

/* A change of the schema needs a new constant in db/sqlite/schema_compare.c. */
START_TEST(the_newest_schema_is_known_by_its_checksum)
{
	struct error err = {0};
	struct sql *sql;
	int64_t known, computed;
	MUST(sql_open("memory", SQL_MEMORY, &sql, &err));
	MUST(schema_run(sql, 0, schema_version(), &err));
	MUST(schema_seal(sql, &known, &computed, &err));
	ck_assert_msg(known == computed, "the constant must be %lld", (long long)computed);
	sql_close(sql);
}
END_TEST

START_TEST(a_schema_that_differs_is_refused)
{
	static const struct {
		const char *change, *words;
	} rows[] = {
		{"CREATE TABLE other (a)", "the table other is not part of it"},
		{"CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM baseline; END",
		 "the trigger t is not part of it"},
		{"ALTER TABLE series RENAME TO hidden; CREATE VIEW series AS SELECT * FROM hidden",
		 "is not"},
		{"DROP INDEX series_by_key", "the index series_by_key is missing"},
		{"DROP INDEX series_by_key; CREATE INDEX series_by_key ON series (kernel)",
		 "the index series_by_key is not defined as rooflog defines it"},
		{"DROP TABLE baseline; CREATE TABLE baseline (name, oid, set_at, pinned)",
		 "the table baseline is not defined"},
		{"ALTER TABLE run ADD COLUMN more", "the table run is not defined"},
		{"PRAGMA user_version = 2", "is not"},
		{"PRAGMA user_version = 0", "is not part of it"},
		{"PRAGMA user_version = -7", "not a rooflog store"},
		{"ANALYZE", NULL},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct repository_path place;
		place_make(&place);
		fill(&place, &arena);
		execute(&place, rows[i].change);
		for (int mode = STORE_READ; mode <= STORE_CREATE; mode++) {
			struct error err = {0};
			struct store *store = NULL;
			int rc = store_open(place.path, (enum store_mode)mode, &store, &err);
			ck_assert_int_eq(rc, rows[i].words ? -1 : 0);
			if (rows[i].words)
				ck_assert_msg(strstr(err.text, rows[i].words) &&
						      err.kind == ERR_STORE,
					      "%s: %s", rows[i].change, err.text);
			store_close(store);
		}
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

/* A table of numbers that seems to have endless rows is not read to its end. */
START_TEST(a_statement_without_end_is_ended)
{
	static const char endless[] = "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 "
				      "FROM c) SELECT count(1) FROM c";
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	int64_t number = 0;
	place_make(&place);
	fill(&place, &arena);
	struct store *store = open_store(&place, STORE_READ);
	ck_assert_int_eq(sql_number(store->sql, endless, &number, &err), -1);
	ck_assert_msg(strstr(err.text, "more steps than its size explains"), "%s", err.text);
	ck_assert(sql_is_damaged(store->sql));
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* Sets a column in all rows, or in the last one where it must be unique. NOT NULL is checked by who
 * writes, and an attacker need not. */
static void set_column(const struct repository_path *place, const char *column, const char *value)
{
	static const char lift[] =
		"PRAGMA writable_schema = ON; CREATE TEMP TABLE kept AS SELECT name, sql FROM "
		"sqlite_schema; UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE "
		"type = 'table'; PRAGMA writable_schema = RESET";
	static const char restore[] =
		"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = kept.sql FROM kept "
		"WHERE kept.name = sqlite_master.name; PRAGMA writable_schema = RESET";
	struct arena arena = {0};
	sqlite3 *db;
	struct span rest = span_of(column);
	struct span table = span_cut(&rest, '.');
	const char *update =
		arena_printf(&arena, "UPDATE OR IGNORE %.*s SET %.*s = %s", (int)table.len,
			     table.ptr, (int)rest.len, rest.ptr, value);
	ck_assert_int_eq(sqlite3_open(place->path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, lift, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_exec(db, update, NULL, NULL, NULL);
	ck_assert_msg(sqlite3_exec(db, restore, NULL, NULL, NULL) == SQLITE_OK, "%s",
		      sqlite3_errmsg(db));
	sqlite3_close(db);
	arena_free(&arena);
}

/* Calls all that reads. How many calls failed; each with ERR_STORE and words. */
static int read_all(const struct repository_path *place, struct arena *arena)
{
	static const enum metric metrics[] = {METRIC_TOTAL_TIME, METRIC_HOST_TIME};
	struct store_run_list runs;
	struct history_set set;
	struct revision revision;
	struct baseline_list baselines;
	struct store_counts counts;
	struct error err[6] = {{0}};
	struct run_query details = {.details = true}, one = {.commit = OID("02"), .facts = true};
	struct store *store = NULL;
	if (store_open(place->path, STORE_READ, &store, &err[0]) < 0) {
		ck_assert_int_eq(err[0].kind, ERR_STORE);
		return 1;
	}
	const int rc[] = {
		store_runs(store, arena, &details, &runs, &err[0]),
		store_runs(store, arena, &one, &runs, &err[1]),
		store_histories(store, arena, OID("02"), metrics, 2, &set, &err[2]),
		store_revision(store, arena, OID("02"), &revision, &err[3]),
		store_baselines(store, arena, &baselines, &err[4]),
		store_counts(store, &counts, &err[5]),
	};
	int failed = 0;
	for (size_t i = 0; i < COUNT_OF_ROWS(rc); i++) {
		failed += rc[i] < 0;
		ck_assert_msg(rc[i] == 0 || strlen(err[i].text) > 20, "%s", err[i].text);
	}
	store_close(store);
	return failed;
}

START_TEST(no_column_is_believed)
{
	static const char *const values[] = {
		"NULL",     "-9223372036854775808", "9223372036854775807", "9e999", "'text'", "x''",
		"x'ff00ff'"};
	/* Columns that must not be NULL. */
	static const char *const columns[] = {
		"revision.oid",  "revision.position", "revision.time",   "series.key",
		"series.params", "series.cores",      "run.hash",        "run.dirty",
		"run.series_id", "run.ingested_at",   "engine.name",     "tally.kind",
		"tally.name",    "throttle.core",     "attribute.key",   "note.category",
		"note.message",  "spread.metric",     "baseline.set_at", "metric.key",
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(columns); i++)
		for (size_t k = 0; k < COUNT_OF_ROWS(values); k++) {
			struct arena arena = {0};
			struct repository_path place;
			place_make(&place);
			fill(&place, &arena);
			ck_assert_int_eq(read_all(&place, &arena), 0);
			set_column(&place, columns[i], values[k]);
			int failed = read_all(&place, &arena);
			ck_assert_msg(k > 0 || failed > 0, "%s = %s", columns[i], values[k]);
			place_remove(&place);
			arena_free(&arena);
		}
}
END_TEST

UNIT_MAIN("store schema", the_newest_schema_is_known_by_its_checksum,
	  a_schema_that_differs_is_refused, a_statement_without_end_is_ended, no_column_is_believed)
