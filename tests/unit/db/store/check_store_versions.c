/* store: files of other programs' versions, older and newer. tests/golden/stores holds one store of
 * every schema version that was released. */
#include "unit/store_fixture.h"

#include <signal.h>
#include <sys/wait.h>

#include "base/system/file.h"
#include "db/sqlite/migrate.h"
#include "db/sqlite/sqlite.h"
#include "db/store/internal.h"

START_TEST(stores_of_every_version_are_read)
{
	static const struct {
		const char *path;
		struct run *(*run)(struct arena *arena);
		bool clean, pinned;
	} rows[] = {
		{"tests/golden/stores/v1.sql", full_run, false, false},
		{"tests/golden/stores/v2.sql", spread_run, false, false},
		{"tests/golden/stores/v3.sql", clean_run, true, true},
		{"tests/golden/stores/v4.sql", clean_run, true, true},
		{"tests/golden/stores/v5.sql", clean_run, true, true},
		{"tests/golden/stores/v6.sql", clean_run, true, true},
		{"tests/golden/stores/v7.sql", clean_run, true, true},
		{"tests/golden/stores/v8.sql", clean_run, true, true},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		static const enum metric metrics[] = {METRIC_TOTAL_TIME};
		struct baseline_list list;
		struct history_set set;
		struct repository_path place;
		struct span text;
		struct sql *sql;
		const char *report;
		char id[65];
		place_make(&place);
		MUST(file_read(&arena, rows[i].path, 1 << 20, &text, &err));
		MUST(sql_open(place.path, SQL_CREATE, &sql, &err));
		MUST(sql_execute(sql, text.ptr, &err));
		sql_close(sql);
		struct store *store = open_store(&place, STORE_WRITE);
		struct store_run_list runs =
			read_runs(store, &arena, (struct run_query){.details = true});
		ck_assert_uint_eq(runs.count, 1);
		runs = read_runs(store, &arena, (struct run_query){.commit = OID("02")});
		ck_assert_uint_eq(runs.count, 1);
		runs = read_runs(store, &arena, (struct run_query){.details = true});
		same_run(rows[i].run(&arena), runs.items[0].run);
		run_hash(runs.items[0].run, true, id);
		ck_assert_str_eq(runs.items[0].id, id);
		ck_assert_str_eq(runs.items[0].series, run_series_key(&arena, runs.items[0].run));
		MUST(store_baselines(store, &arena, &list, &err));
		ck_assert_str_eq(list.items[0].oid, OID("02"));
		ck_assert_int_eq(list.items[0].pinned, rows[i].pinned);
		MUST(store_histories(store, &arena, OID("02"), metrics, 1, &set, &err));
		ck_assert_uint_eq(set.count, rows[i].clean);
		if (rows[i].clean)
			same_number(set.items[0].values[0], 0x1p-14);
		MUST(store_check(store, &arena, &report, &err));
		ck_assert_str_eq(report, "ok");
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

/* A newer program may know more metrics, kinds and origins under the same schema. */
START_TEST(what_this_program_does_not_know_is_passed_over)
{
	struct arena arena = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	add_commit(store, 2);
	struct run *run = full_run(&arena);
	add_run(store, run);
	add_run(store, simple_run(&arena, "old", 2, NAN));
	change(store,
	       "INSERT INTO metric (id, key) VALUES (40000, 'from_the_future'), (-3, 'a'), (1 << "
	       "40, 'b');"
	       "INSERT INTO value VALUES (2, 40000, 1, 1), (2, -3, 1, 1), (2, 1 << 40, 1, 1),"
	       " (2, 50000, 1, 1);"
	       "INSERT INTO tally VALUES (1, 9, 'from the future', 'x', 1, 1, 1, 1);");
	struct store_run_list runs = read_runs(store, &arena, (struct run_query){.details = true});
	ck_assert_uint_eq(runs.count, 2);
	same_run(run, runs.items[0].run);
	same_run(simple_run(&arena, "old", 2, NAN), runs.items[1].run);
	change(store,
	       "DELETE FROM run WHERE id = 2;"
	       "UPDATE numbers SET packed = CAST(x'409c01000000000000f03f' || packed AS BLOB)");
	runs = read_runs(store, &arena, (struct run_query){.details = true});
	same_run(run, runs.items[0].run);
	change(store, "UPDATE numbers SET packed = CAST(substr(packed, 1, 13) || x'4d' || "
		      "substr(packed, 15) AS BLOB)");
	runs = read_runs(store, &arena, (struct run_query){0});
	ck_assert_int_eq(runs.items[0].run->given[METRIC_TOTAL_TIME].provenance,
			 PROVENANCE_ESTIMATED);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* Whoever dies inside a migration leaves the version that was there. */
START_TEST(a_killed_migration_leaves_the_old_version)
{
	struct error err = {0};
	struct repository_path place;
	struct sql *sql;
	int version = -1, status;
	place_make(&place);
	pid_t child = fork();
	if (child == 0) {
		sql_open(place.path, SQL_CREATE, &sql, &err);
		sql_execute(sql, "BEGIN IMMEDIATE; PRAGMA cache_size = 1", &err);
		sql_execute(sql, embedded_find(db_files, "0001_store.sql")->text, &err);
		kill(getpid(), SIGKILL);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	MUST(sql_open(place.path, SQL_WRITE, &sql, &err));
	MUST(schema_check(sql, &version, &err));
	ck_assert_int_eq(version, 0);
	sql_close(sql);
	struct store *store = open_store(&place, STORE_WRITE);
	ck_assert_int_eq(store_version(store), schema_version());
	store_close(store);
	place_remove(&place);
}
END_TEST

UNIT_MAIN("store versions", stores_of_every_version_are_read,
	  what_this_program_does_not_know_is_passed_over, a_killed_migration_leaves_the_old_version)
