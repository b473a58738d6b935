/* store: runs that are removed, brought back and given to other series. */
#include "unit/store_fixture.h"

static struct store *filled(const struct repository_path *place, struct arena *arena)
{
	struct store *store = open_store(place, STORE_CREATE);
	for (int commit = 1; commit <= 3; commit++) {
		add_commit(store, commit);
		add_run(store, simple_run(arena, "a", commit, 0x1p-10 * commit));
		add_run(store, simple_run(arena, "b", commit, 0x1p-9 * commit));
	}
	return store;
}

static struct store_run_list read_all(struct store *store, struct arena *arena)
{
	struct error err = {0};
	struct store_run_list runs = {0};
	const struct run_query query = {.details = true};
	MUST(store_runs(store, arena, &query, &runs, &err));
	return runs;
}

/* The runs of history up to commit 3, counted over all series; `series` receives their number. */
static size_t history_of(struct store *store, struct arena *arena, size_t *series)
{
	static const enum metric metrics[] = {METRIC_TOTAL_TIME};
	struct error err = {0};
	struct history_set set;
	size_t runs = 0;
	MUST(store_histories(store, arena, OID("03"), metrics, 1, &set, &err));
	*series = set.count;
	for (size_t i = 0; i < set.count; i++)
		runs += set.items[i].run_count;
	return runs;
}

static void expect(struct store *store, size_t runs, size_t series)
{
	struct arena arena = {0};
	struct error err = {0};
	struct store_verification found;
	size_t histories;
	ck_assert_uint_eq(read_all(store, &arena).count, runs);
	ck_assert_uint_eq(history_of(store, &arena, &histories), runs);
	ck_assert_uint_eq(histories, series);
	MUST(store_verify(store, &arena, NULL, &found, &err));
	ck_assert_msg(found.line_count == 0, "%s", found.line_count ? found.lines[0] : "");
	arena_free(&arena);
}

static int edit(struct store *store, enum store_edit_kind kind, int64_t row,
		enum store_effect effect, struct error *err)
{
	struct store_edit what = {.kind = kind, .time = 1760000000, .reason = "why"};
	const struct store_alteration run = {.row = row, .effect = effect};
	return store_apply_edit(store, &what, &run, 1, err);
}

static bool undo(struct store *store, unsigned kinds)
{
	struct arena arena = {0};
	struct error err = {0};
	struct store_edit undone;
	bool found;
	MUST(store_undo(store, &arena, kinds, 1760000001, &undone, &found, &err));
	arena_free(&arena);
	return found;
}

START_TEST(removed_runs_are_not_read_and_come_back)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = filled(&place, &arena);
	const int64_t row = read_all(store, &arena).items[0].run->row;
	MUST(edit(store, STORE_EDIT_RM, row, STORE_EFFECT_REMOVED, &err));
	expect(store, 5, 2);
	store_close(store);
	store = open_store(&place, STORE_READ);
	expect(store, 5, 2);
	store_close(store);
	store = open_store(&place, STORE_WRITE);
	ck_assert(!undo(store, 1u << STORE_EDIT_MV));
	ck_assert(undo(store, ~0u));
	ck_assert(!undo(store, ~0u));
	expect(store, 6, 2);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(an_edit_belongs_to_the_open_transaction)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = filled(&place, &arena);
	const int64_t row = read_all(store, &arena).items[0].run->row;
	MUST(store_begin(store, &err));
	add_run(store, simple_run(&arena, "c", 3, 0x1p-8));
	MUST(edit(store, STORE_EDIT_RM, row, STORE_EFFECT_REMOVED, &err));
	expect(store, 6, 3);
	store_rollback(store);
	expect(store, 6, 2);
	ck_assert(!undo(store, ~0u));
	MUST(store_begin(store, &err));
	MUST(edit(store, STORE_EDIT_RM, row, STORE_EFFECT_REMOVED, &err));
	/* A failed edit leaves the transaction as it was. */
	ck_assert_int_eq(edit(store, STORE_EDIT_RM, 999, STORE_EFFECT_REMOVED, &err), -1);
	MUST(store_commit(store, &err));
	expect(store, 5, 2);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(the_file_of_a_removed_run_is_known)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct store_edit last;
	char id[65];
	int64_t row;
	bool removed;
	place_make(&place);
	struct store *store = filled(&place, &arena);
	const struct run *run = simple_run(&arena, "a", 3, 0x3p-10);
	run_hash(run, true, id);
	MUST(store_find_run(store, id, &row, &removed, &err));
	ck_assert(row && !removed);
	MUST(edit(store, STORE_EDIT_RM, row, STORE_EFFECT_REMOVED, &err));
	ck_assert(!add_run(store, run));
	MUST(store_find_run(store, id, &row, &removed, &err));
	ck_assert(removed);
	MUST(store_removal(store, &arena, id, &last, &removed, &err));
	ck_assert(removed);
	ck_assert_str_eq(last.reason, "why");
	ck_assert_int_eq(last.time, 1760000000);
	MUST(edit(store, STORE_EDIT_AGAIN, row, STORE_EFFECT_ADDED, &err));
	expect(store, 6, 2);
	/* Undone in reverse order. */
	ck_assert(undo(store, ~0u));
	expect(store, 5, 2);
	ck_assert(undo(store, ~0u));
	expect(store, 6, 2);
	MUST(store_find_run(store, "0123", &row, &removed, &err));
	ck_assert(!row && !removed);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

static void rename_series(struct store *store, struct arena *arena, const char *from,
			  const char *to)
{
	struct error err = {0};
	struct store_series_list list;
	struct store_edit what = {.kind = STORE_EDIT_MV, .time = 1760000000};
	MUST(store_series_all(store, arena, &list, &err));
	for (size_t i = 0; i < list.count; i++) {
		const struct store_series *one = &list.items[i];
		const struct run *name = renaming_apply(arena, to, one->identity);
		if (one->used && renaming_fits(from, one->identity))
			MUST(store_rename(store, &what, one, &name, 1, &err));
	}
}

START_TEST(renamed_series_become_one_and_two_again)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct store_edit_list edits;
	place_make(&place);
	struct store *store = filled(&place, &arena);
	const int64_t row = read_all(store, &arena).items[0].run->row;
	MUST(edit(store, STORE_EDIT_RM, row, STORE_EFFECT_REMOVED, &err));
	rename_series(store, &arena, "b", "a");
	expect(store, 5, 1);
	rename_series(store, &arena, "a", "c");
	expect(store, 5, 1);
	/* The removed run was renamed, too. */
	ck_assert(undo(store, 1u << STORE_EDIT_RM));
	expect(store, 6, 1);
	MUST(store_edits(store, &arena, 1u << STORE_EDIT_MV, &edits, &err));
	ck_assert_uint_eq(edits.count, 2);
	MUST(store_edit_runs(store, &arena, &edits.items[0], &err));
	ck_assert_uint_eq(edits.items[0].count, 6);
	ck_assert_str_eq(edits.items[0].runs[0].was->kernel, "a");
	ck_assert_str_eq(edits.items[0].runs[0].is->kernel, "c");
	ck_assert(undo(store, 1u << STORE_EDIT_MV));
	expect(store, 6, 1);
	ck_assert(undo(store, 1u << STORE_EDIT_MV));
	expect(store, 6, 2);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(damaged_runs_are_refused_and_stay_removed)
{
	static const char damage[] =
		"UPDATE numbers SET packed = CAST(substr(packed, 1, 5) || x'55' "
		"|| substr(packed, 7) AS BLOB)";
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct store_verification found;
	const struct store_repairer repairer = {0};
	place_make(&place);
	struct store *store = filled(&place, &arena);
	const int64_t row = read_all(store, &arena).items[0].run->row;
	const char *id = read_all(store, &arena).items[0].id;
	MUST(edit(store, STORE_EDIT_RM, row, STORE_EFFECT_REMOVED, &err));
	MUST(sql_execute(store->sql, damage, &err));
	ck_assert_int_eq(edit(store, STORE_EDIT_RM, 1, STORE_EFFECT_REMOVED, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "damaged"));
	MUST(store_verify(store, &arena, &repairer, &found, &err));
	ck_assert_uint_eq(read_all(store, &arena).count, 0);
	/* Read again, only what was not removed comes back. */
	for (int commit = 1; commit <= 3; commit++) {
		add_run(store, simple_run(&arena, "a", commit, 0x1p-10 * commit));
		add_run(store, simple_run(&arena, "b", commit, 0x1p-9 * commit));
	}
	struct store_run_list left = read_all(store, &arena);
	ck_assert_uint_eq(left.count, 5);
	for (size_t i = 0; i < left.count; i++)
		ck_assert_str_ne(left.items[i].id, id);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(a_reader_calls_series_by_their_aliases)
{
	static struct renaming names[] = {{"b", "a"}};
	const struct renaming_list aliases = {names, 1, 1}, none = {0};
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct store_run_list found;
	place_make(&place);
	store_close(filled(&place, &arena));
	struct store *store = open_store(&place, STORE_READ);
	const struct run_query query = {.kernel = "a", .limit = 5};
	MUST(store_hold(store, &err));
	expect(store, 6, 2);
	MUST(store_use_aliases(store, &aliases, &err));
	expect(store, 6, 1);
	MUST(store_runs(store, &arena, &query, &found, &err));
	ck_assert_uint_eq(found.count, 5);
	MUST(store_use_aliases(store, &none, &err));
	expect(store, 6, 2);
	store_close(store);
	/* A writer adds by the new name and leaves the old rows alone. */
	store = open_store(&place, STORE_WRITE);
	MUST(store_use_aliases(store, &aliases, &err));
	ck_assert(!add_run(store, simple_run(&arena, "b", 3, 0x3p-9)));
	ck_assert(add_run(store, simple_run(&arena, "b", 3, 0x5p-9)));
	expect(store, 7, 2);
	MUST(store_runs(store, &arena, &query, &found, &err));
	ck_assert_uint_eq(found.count, 4);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("store edits", removed_runs_are_not_read_and_come_back,
	  an_edit_belongs_to_the_open_transaction, the_file_of_a_removed_run_is_known,
	  renamed_series_become_one_and_two_again, damaged_runs_are_refused_and_stay_removed,
	  a_reader_calls_series_by_their_aliases)
