/* store: the check of a whole store. Damage is named and set aside, intact runs never are, and no
 * repair keeps what comes later from being stored. */
#include "unit/store_fixture.h"

#include <sqlite3.h>

#include "base/system/file.h"
#include "db/sqlite/sqlite.h"
#include "db/store/internal.h"

/* Commit 1 with runs k0, k1 and so on, of one series each. */
static struct store *store_of(const struct repository_path *place, struct arena *arena, int runs)
{
	struct store *store = open_store(place, STORE_CREATE);
	add_commit(store, 1);
	for (int i = 0; i < runs; i++)
		add_run(store, simple_run(arena, arena_printf(arena, "k%d", i), 1, i + 1));
	return store;
}

static int64_t number(struct store *store, const char *statement)
{
	struct error err = {0};
	int64_t found = -1;
	MUST(sql_number(store->sql, statement, &found, &err));
	return found;
}

static void damage_numbers(struct store *store, const char *where)
{
	struct error err = {0};
	struct arena arena = {0};
	MUST(sql_execute(store->sql,
			 arena_printf(&arena,
				      "UPDATE numbers SET packed = CAST(substr(packed, 1, 3) || "
				      "x'0102030405060708' AS BLOB) WHERE %s",
				      where),
			 &err));
	arena_free(&arena);
}

/* A write that fails ends the repair, which then did nothing. It says nothing about the runs. */
START_TEST(a_repair_that_cannot_write_changes_nothing)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct store_verification found = {0};
	place_make(&place);
	struct store *store = store_of(&place, &arena, 40);
	damage_numbers(store, "run_id > 1");
	MUST(sql_execute(
		store->sql,
		"CREATE TEMP TABLE failed (once);"
		"CREATE TEMP TRIGGER fail BEFORE UPDATE OF dirty ON run WHEN NEW.id = 30 AND "
		"NOT EXISTS (SELECT 1 FROM failed) BEGIN INSERT INTO failed VALUES (1);"
		"SELECT RAISE(FAIL, 'a bad page'); END",
		&err));
	ck_assert_int_eq(store_verify(store, &arena, &no_git, &found, &err), -1);
	ck_assert_msg(strstr(err.text, "a bad page"), "%s", err.text);
	ck_assert_int_eq(number(store, "SELECT count(*) FROM run WHERE dirty = 2"), 0);
	MUST(sql_execute(store->sql, "DROP TRIGGER fail", &err));
	MUST(store_verify(store, &arena, &no_git, &found, &err));
	ck_assert_uint_eq(found.damaged, 39);
	ck_assert_uint_eq(found.set_aside, 0);
	ck_assert_uint_eq(found.line_count, 39);
	for (size_t i = 0; i < found.line_count; i++)
		ck_assert_msg(strstr(found.lines[i], "its numbers changed"), "%s", found.lines[i]);
	MUST(store_verify(store, &arena, &no_git, &found, &err));
	ck_assert_uint_eq(found.set_aside, 39);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* What cannot be read for want of memory may be intact. */
START_TEST(a_lack_of_memory_is_not_damage)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct store_verification found = {0};
	place_make(&place);
	struct store *store = store_of(&place, &arena, 3);
	MUST(sql_execute(store->sql, "INSERT INTO timelines VALUES (2, zeroblob(16 << 20))", &err));
	store_close(store);
	store = open_store(&place, STORE_WRITE);
	MUST(sql_execute(store->sql, "PRAGMA cache_size = -1024", &err));
	sqlite3_hard_heap_limit64(sqlite3_memory_used() + (8 << 20));
	int rc = store_verify(store, &arena, &no_git, &found, &err);
	sqlite3_hard_heap_limit64(0);
	ck_assert_int_eq(rc, -1);
	ck_assert_int_eq(err.kind, ERR_SYSTEM);
	ck_assert_int_eq(number(store, "SELECT count(*) FROM run WHERE dirty = 2"), 0);
	MUST(store_verify(store, &arena, &no_git, &found, &err));
	ck_assert_uint_eq(found.damaged, 1);
	ck_assert_msg(strstr(found.lines[0], "its lists changed"), "%s", found.lines[0]);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* A store of schema 5 with runs that no program can read: the others are migrated. */
START_TEST(unreadable_runs_do_not_stop_a_migration)
{
	static const char *const rows[] = {
		"UPDATE run SET series_id = 77 WHERE id = 2",
		"UPDATE run SET series_id = -5 WHERE id = 2",
		"UPDATE run SET revision_id = 77 WHERE id = 2",
		"UPDATE run SET revision_id = 0 WHERE id = 2",
		"UPDATE run SET ingested_at = 'never' WHERE id = 2",
		"UPDATE run SET content = 'text' WHERE id = 2",
		"UPDATE run SET id = -2 WHERE id = 2",
		"UPDATE run SET id = 1 << 50 WHERE id = 2",
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		struct store_verification found = {0};
		struct history_set set;
		struct span text;
		struct sql *sql;
		place_make(&place);
		MUST(file_read(&arena, "tests/golden/stores/v5.sql", 1 << 20, &text, &err));
		MUST(sql_open(place.path, SQL_CREATE, &sql, &err));
		MUST(sql_execute(sql, text.ptr, &err));
		MUST(sql_execute(
			sql,
			"INSERT INTO run SELECT 2, zeroblob(32), content, series_id, "
			"revision_id, dirty, node, ingested_at, source, kernel_hash FROM run",
			&err));
		MUST(sql_execute(sql, rows[i], &err));
		sql_close(sql);
		struct store *store = open_store(&place, STORE_WRITE);
		ck_assert_uint_eq(store_left_out(store), 1);
		ck_assert_uint_eq(
			read_runs(store, &arena, (struct run_query){.details = true}).count, 1);
		MUST(store_histories(store, &arena, OID("02"), NULL, 0, &set, &err));
		ck_assert_uint_eq(set.count, 1);
		ck_assert_uint_eq(set.items[0].run_count, 1);
		MUST(store_verify(store, &arena, &no_git, &found, &err));
		ck_assert_uint_eq(found.runs, 2);
		ck_assert_uint_eq(found.set_aside, 1);
		ck_assert_uint_eq(found.line_count - found.out_of_bounds, 1);
		add_run(store, simple_run(&arena, "later", 2, 1));
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

/* Commits whose rowids have no more room are refused with a message. */
START_TEST(commits_have_a_highest_number)
{
	static const char *const rows[] = {"9223372036854775807", "4294967295", "-3"};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		place_make(&place);
		struct store *store = open_store(&place, STORE_CREATE);
		add_commit(store, 1);
		change(store,
		       arena_printf(&arena, "UPDATE revision SET id = %s WHERE id = 1", rows[i]));
		struct revision next = {.oid = OID("02"), .parent = OID("01"), .position = 2};
		ck_assert_int_eq(store_add_revision(store, &next, &err), -1);
		ck_assert_msg(strstr(err.text, "revision/last finds the number"), "%s", err.text);
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("store repair", a_repair_that_cannot_write_changes_nothing,
	  a_lack_of_memory_is_not_damage, unreadable_runs_do_not_stop_a_migration,
	  commits_have_a_highest_number)
