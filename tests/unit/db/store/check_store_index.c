/* store: indexes that find something else than what is stored. No edit is recorded that was not
 * made, nothing is undone by halves, and a repair gets along with what was stored twice. */
#include "unit/store_fixture.h"

#include "base/hash/hash.h"
#include "db/sqlite/sqlite.h"
#include "model/renaming/renaming.h"

enum { RUNS = 6 };

/* Commits 1 to 3 with the kernels a and b; runs 1 to 6. */
static void make_store(const struct repository_path *place, struct arena *arena)
{
	struct store *store = open_store(place, STORE_CREATE);
	for (int commit = 1; commit <= 3; commit++) {
		add_commit(store, commit);
		add_run(store, simple_run(arena, "a", commit, 0x1p-10 * commit));
		add_run(store, simple_run(arena, "b", commit, 0x1p-8 * (commit + 2)));
	}
	store_close(store);
}

/* Run 3 once more. */
static const struct run *third(struct arena *arena)
{
	return simple_run(arena, "a", 2, 0x1p-9);
}

static int64_t number(struct store *store, const char *statement)
{
	struct error err = {0};
	int64_t found = -1;
	MUST(sql_number(store->sql, statement, &found, &err));
	return found;
}

enum run_index { BY_HASH, BY_CONTENT };

/* Changes the entry of run 3: a byte of its key, or its rowid. */
static void change_run_entry(const struct repository_path *place, enum run_index index, bool rowid,
			     unsigned char flip)
{
	struct arena arena = {0};
	struct hash_bytes hash, content;
	char hex[65], content_hex[65];
	size_t len = index == BY_HASH ? sizeof hash.byte : 8;
	run_hashes(third(&arena), content_hex, hex);
	ck_assert(hash_parse(hex, &hash) && hash_parse(content_hex, &content));
	change_entry(place, index == BY_HASH ? hash.byte : content.byte, len, rowid ? len : 0,
		     flip);
	arena_free(&arena);
}

static int remove_third(struct store *store, struct error *err)
{
	struct store_edit what = {.kind = STORE_EDIT_RM, .time = 1760000000};
	const struct store_alteration run = {.row = 3, .effect = STORE_EFFECT_REMOVED};
	return store_apply_edit(store, &what, &run, 1, err);
}

static int undo(struct store *store, struct error *err)
{
	struct arena arena = {0};
	struct store_edit undone;
	bool found;
	int rc = store_undo(store, &arena, ~0u, 1760000001, &undone, &found, err);
	arena_free(&arena);
	return rc;
}

/* Repairs the store, which then has `runs` runs, none of them damaged, and whole indexes. */
static struct store_verification repaired(struct store *store, struct arena *arena, size_t runs)
{
	struct error err = {0};
	struct store_verification found = {0}, again = {0};
	const char *report;
	MUST(store_verify(store, arena, &no_git, &found, &err));
	ck_assert_uint_eq(found.damaged, 0);
	ck_assert_uint_eq(found.runs, runs);
	MUST(store_check(store, arena, &report, &err));
	ck_assert_str_eq(report, "ok");
	MUST(store_verify(store, arena, NULL, &again, &err));
	ck_assert_msg(again.line_count == 0, "%s", again.line_count ? again.lines[0] : "");
	return found;
}

START_TEST(an_edit_is_made_or_refused)
{
	static const struct {
		enum run_index index;
		bool rowid;
		unsigned char flip;
	} rows[] = {
		{BY_CONTENT, true, 0x40}, {BY_CONTENT, true, 1}, {BY_CONTENT, false, 0x80},
		{BY_HASH, true, 0x40},    {BY_HASH, true, 1},    {BY_HASH, false, 0x80},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		place_make(&place);
		make_store(&place, &arena);
		change_run_entry(&place, rows[i].index, rows[i].rowid, rows[i].flip);
		struct store *store = open_store(&place, STORE_WRITE);
		int rc = remove_third(store, &err);
		ck_assert_msg(!rc || strstr(err.text, "doctor --repair"), "%s", err.text);
		ck_assert_int_eq(number(store, "SELECT count(*) FROM edit NOT INDEXED"), !rc);
		ck_assert_int_eq(
			number(store, "SELECT count(*) FROM run NOT INDEXED WHERE dirty = 4"), !rc);
		repaired(store, &arena, RUNS);
		ck_assert_int_eq(read_runs(store, &arena, (struct run_query){0}).count, RUNS - !rc);
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

/* Gives the runs of a to c; the number of series that were renamed, or -1. */
static int rename_a(struct store *store, struct arena *arena, struct error *err)
{
	struct store_series_list list;
	struct store_edit what = {.kind = STORE_EDIT_MV, .time = 1760000000};
	int renamed = 0;
	ck_assert_int_eq(store_series_all(store, arena, &list, err), 0);
	for (size_t i = 0; i < list.count; i++) {
		const struct run *name = renaming_apply(arena, "c", list.items[i].identity);
		if (!renaming_fits("a", list.items[i].identity))
			continue;
		if (store_rename(store, &what, &list.items[i], &name, 1, err) < 0)
			return -1;
		renamed++;
	}
	return renamed;
}

/* The entry of run 3 in the index by series: the lengths of its columns, its commit and its rowid.
 * The number 1 of the series is its length. */
START_TEST(all_runs_of_a_series_are_renamed)
{
	static const unsigned char entry[] = {5, 9, 1, 8, 1, 2, 3};
	static const struct {
		size_t at;
		unsigned char flip;
	} rows[] = {{1, 1}, {6, 1}, {6, 0x40}};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		place_make(&place);
		make_store(&place, &arena);
		change_entry(&place, entry, sizeof entry, rows[i].at, rows[i].flip);
		struct store *store = open_store(&place, STORE_WRITE);
		int renamed = rename_a(store, &arena, &err);
		ck_assert_msg(renamed == 1 || strstr(err.text, "doctor --repair"), "%s", err.text);
		ck_assert_int_eq(number(store, "SELECT count(*) FROM run NOT INDEXED WHERE "
					       "series_id > 2 AND id IN (1, 3, 5)"),
				 renamed == 1 ? 3 : 0);
		ck_assert_int_eq(number(store, "SELECT count(*) FROM run NOT INDEXED WHERE "
					       "series_id = 2 AND id IN (2, 4, 6)"),
				 3);
		if (renamed == 1)
			ck_assert_int_eq(number(store, "SELECT count(*) FROM edited_run"), 3);
		repaired(store, &arena, RUNS);
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(what_an_index_does_not_find_is_not_undone)
{
	static const struct {
		bool rowid;
		unsigned char flip;
	} rows[] = {{false, 0x80}, {true, 0x40}, {true, 1}};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		struct store_edit_list edits;
		place_make(&place);
		make_store(&place, &arena);
		struct store *store = open_store(&place, STORE_WRITE);
		MUST(remove_third(store, &err));
		store_close(store);
		change_run_entry(&place, BY_HASH, rows[i].rowid, rows[i].flip);
		store = open_store(&place, STORE_WRITE);
		ck_assert_int_eq(undo(store, &err), -1);
		ck_assert_int_eq(err.kind, ERR_STORE);
		ck_assert_msg(strstr(err.text, "damage"), "%s", err.text);
		ck_assert_int_eq(number(store, "SELECT undone_at FROM edit"), 0);
		MUST(store_edits(store, &arena, ~0u, &edits, &err));
		MUST(store_edit_runs(store, &arena, &edits.items[0], &err));
		ck_assert_uint_eq(edits.items[0].count, 0);
		ck_assert_ptr_nonnull(edits.items[0].damage);
		repaired(store, &arena, RUNS);
		edits.items[0].damage = NULL;
		MUST(store_edit_runs(store, &arena, &edits.items[0], &err));
		ck_assert_uint_eq(edits.items[0].count, 1);
		MUST(undo(store, &err));
		ck_assert_int_eq(number(store, "SELECT dirty FROM run WHERE id = 3"), 0);
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

/* A run that is gone was deleted by hand. */
START_TEST(a_run_that_is_gone_is_passed_over)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	make_store(&place, &arena);
	struct store *store = open_store(&place, STORE_WRITE);
	MUST(remove_third(store, &err));
	MUST(sql_execute(store->sql, "DELETE FROM run WHERE id = 3", &err));
	MUST(undo(store, &err));
	ck_assert_int_eq(number(store, "SELECT undone_at > 0 FROM edit"), 1);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(a_run_is_not_stored_twice)
{
	static const struct {
		bool rowid;
		unsigned char flip;
	} rows[] = {{false, 0x80}, {true, 0x40}, {true, 1}};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		enum store_added added;
		char id[65];
		place_make(&place);
		make_store(&place, &arena);
		change_run_entry(&place, BY_HASH, rows[i].rowid, rows[i].flip);
		struct store *store = open_store(&place, STORE_WRITE);
		ck_assert_int_eq(store_add_run(store, third(&arena), id, &added, &err), -1);
		ck_assert_int_eq(err.kind, ERR_STORE);
		ck_assert_msg(strstr(err.text, "doctor --repair"), "%s", err.text);
		repaired(store, &arena, RUNS);
		MUST(store_add_run(store, third(&arena), id, &added, &err));
		ck_assert_int_eq(added, STORE_KNOWN);
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

/* Both indexes by which it could be found are damaged. Of its two rows the intact one stays. */
START_TEST(a_run_stored_twice_is_one_again)
{
	static const char *const damages[] = {
		"SELECT 1",
		"UPDATE run SET node = 'other' WHERE id = 3",
		"UPDATE run SET node = 'other' WHERE id = 7",
		"UPDATE run SET dirty = 2 WHERE id = 3",
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(damages); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		place_make(&place);
		make_store(&place, &arena);
		change_run_entry(&place, BY_HASH, false, 0x80);
		change_run_entry(&place, BY_CONTENT, false, 0x80);
		struct store *store = open_store(&place, STORE_WRITE);
		ck_assert(add_run(store, third(&arena)));
		ck_assert_int_eq(number(store, "SELECT count(*) FROM run NOT INDEXED"), RUNS + 1);
		MUST(sql_execute(store->sql, damages[i], &err));
		struct store_verification found = repaired(store, &arena, RUNS);
		ck_assert_uint_eq(found.line_count, 1);
		ck_assert_msg(strstr(found.lines[0], "stored twice"), "%s", found.lines[0]);
		ck_assert_int_eq(number(store, "SELECT count(*) FROM numbers"), RUNS);
		ck_assert_int_eq(read_runs(store, &arena, (struct run_query){0}).count, RUNS);
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(a_commit_stored_three_times_is_one_again)
{
	static const unsigned char flips[] = {8, 4};
	struct arena arena = {0};
	struct repository_path place;
	place_make(&place);
	make_store(&place, &arena);
	for (size_t i = 0; i < COUNT_OF_ROWS(flips); i++) {
		change_entry(&place, OID("03"), 40, 39, flips[i]);
		struct store *store = open_store(&place, STORE_WRITE);
		add_commit(store, 3);
		add_run(store, simple_run(&arena, "c", 3, 7 + (double)i));
		store_close(store);
	}
	struct store *store = open_store(&place, STORE_WRITE);
	struct store_verification found = repaired(store, &arena, RUNS + 2);
	ck_assert_uint_eq(found.line_count, 2);
	ck_assert_int_eq(number(store, "SELECT count(*) FROM revision NOT INDEXED"), 3);
	const struct run_query of_commit = {.commit = OID("03")};
	ck_assert_uint_eq(read_runs(store, &arena, of_commit).count, 4);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* A file of a tree, and the key of a metric. */
START_TEST(other_things_are_not_stored_twice)
{
	static const char key[] = "total_time";
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct hash_bytes hash;
	struct store_tree_file file;
	const char *const first[] = {OID("01"), "a"}, *const second[] = {OID("02"), "a"};
	const struct span bytes = span_of("[accept]");
	place_make(&place);
	make_store(&place, &arena);
	struct store *store = open_store(&place, STORE_WRITE);
	MUST(store_add_tree_file(store, first, &bytes, &err));
	store_close(store);
	struct sha256 sum;
	char hex[65];
	sha256_init(&sum);
	sha256_add(&sum, bytes.ptr, bytes.len);
	sha256_hex(&sum, hex);
	ck_assert(hash_parse(hex, &hash));
	change_entry(&place, hash.byte, sizeof hash.byte, 0, 0x80);
	change_entry(&place, key, strlen(key), 0, 1);
	store = open_store(&place, STORE_WRITE);
	MUST(store_add_tree_file(store, second, &bytes, &err));
	ck_assert(add_run(store, simple_run(&arena, "c", 3, 7)));
	ck_assert_int_eq(number(store, "SELECT count(*) FROM metric NOT INDEXED"), 1);
	repaired(store, &arena, RUNS + 1);
	for (int i = 0; i < 2; i++) {
		MUST(store_tree_file(store, &arena, i ? second : first, &file, &err));
		ck_assert_uint_eq(file.bytes.len, bytes.len);
	}
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* The copy of a row whose name has a flipped bit cannot be put back, because the row is there. */
START_TEST(a_repair_removes_the_damaged_row_not_the_intact_one)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	make_store(&place, &arena);
	struct store *store = open_store(&place, STORE_WRITE);
	MUST(remove_third(store, &err));
	MUST(sql_execute(
		store->sql,
		"INSERT INTO edited_run SELECT edit_id, CAST(CAST(substr(run, 1, 63) AS "
		"BLOB) || CAST(char(unicode(substr(run, 64)) + CASE WHEN "
		"unicode(substr(run, 64)) % 2 THEN -1 ELSE 1 END) AS BLOB) AS TEXT), effect, "
		"series_id, new_series_id, seal FROM edited_run",
		&err));
	ck_assert_int_eq(number(store, "SELECT count(*) FROM edited_run"), 2);
	struct store_verification found = repaired(store, &arena, RUNS);
	ck_assert_uint_eq(found.line_count, 1);
	ck_assert_int_eq(number(store, "SELECT count(*) FROM edited_run"), 1);
	MUST(undo(store, &err));
	ck_assert_int_eq(number(store, "SELECT dirty FROM run WHERE id = 3"), 0);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("store index", an_edit_is_made_or_refused, all_runs_of_a_series_are_renamed,
	  what_an_index_does_not_find_is_not_undone, a_run_that_is_gone_is_passed_over,
	  a_run_is_not_stored_twice, a_run_stored_twice_is_one_again,
	  a_commit_stored_three_times_is_one_again, other_things_are_not_stored_twice,
	  a_repair_removes_the_damaged_row_not_the_intact_one)
