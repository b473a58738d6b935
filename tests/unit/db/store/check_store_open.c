/* store: files that change under whoever reads them, locks that are not given back, numbers of
 * calls. */
#include "unit/store_fixture.h"

#include <stdio.h>
#include <time.h>

#include "db/sqlite/sqlite.h"

enum { MANY = 3000 };

static void make_store(const struct repository_path *place, struct arena *arena)
{
	struct error err = {0};
	struct store *store = open_store(place, STORE_CREATE);
	MUST(store_begin(store, &err));
	add_commit(store, 0);
	for (int i = 0; i < MANY; i++)
		add_run(store, simple_run(arena, "k", 0, i + 1));
	MUST(store_commit(store, &err));
	store_close(store);
}

static bool is_mapped(const char *path)
{
	char line[512];
	bool found = false;
	FILE *maps = fopen("/proc/self/maps", "r");
	ck_assert_ptr_nonnull(maps);
	while (fgets(line, sizeof line, maps)) {
		char *end = strchr(line, '\n');
		if (end)
			*end = '\0';
		found = found || (strlen(line) >= strlen(path) &&
				  strcmp(line + strlen(line) - strlen(path), path) == 0);
	}
	fclose(maps);
	return found;
}

START_TEST(a_store_is_not_mapped)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct store_run_list runs;
	place_make(&place);
	make_store(&place, &arena);
	for (int mode = STORE_READ; mode <= STORE_CREATE; mode++) {
		struct store *store = open_store(&place, (enum store_mode)mode);
		MUST(store_runs(store, &arena, &(struct run_query){.details = true}, &runs, &err));
		ck_assert_uint_eq(runs.count, MANY);
		ck_assert(!is_mapped(place.path));
		store_close(store);
	}
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(a_store_that_is_cut_while_it_is_read_is_an_error)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct store_cursor *cursor;
	struct store_run_list runs = {0};
	size_t count = 0;
	place_make(&place);
	make_store(&place, &arena);
	struct store *store = open_store(&place, STORE_READ);
	MUST(sql_execute(store->sql, "PRAGMA cache_size = 10", &err));
	MUST(store_runs_start(store, &arena, &(struct run_query){0}, &cursor, &err));
	int rc = store_runs_next(cursor, &arena, 100, &runs, &err);
	ck_assert_int_eq(rc, 0);
	ck_assert_uint_eq(runs.count, 100);
	ck_assert_int_eq(truncate(place.path, 3 * 4096L), 0);
	do {
		rc = store_runs_next(cursor, &arena, 100, &runs, &err);
		count += runs.count;
	} while (rc == 0 && runs.count);
	ck_assert_msg(rc == -1 && count < MANY, "%zu runs", count);
	store_runs_end(cursor);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* A store with a rollback journal, and a reader that does not go on. */
START_TEST(a_reader_that_stands_still_does_not_keep_a_writer)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct sql *reader;
	struct timespec begin, end;
	place_make(&place);
	make_store(&place, &arena);
	MUST(sql_open(place.path, SQL_WRITE, &reader, &err));
	MUST(sql_execute(reader, "PRAGMA journal_mode = DELETE", &err));
	MUST(sql_execute(reader, "BEGIN; SELECT count(*) FROM run", &err));
	clock_gettime(CLOCK_MONOTONIC, &begin);
	struct store *store = open_store(&place, STORE_WRITE);
	clock_gettime(CLOCK_MONOTONIC, &end);
	ck_assert_int_lt(end.tv_sec - begin.tv_sec, 20);
	ck_assert(!store_has_log(store));
	store_close(store);
	sql_close(reader);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* A run that is refused does not begin another call. */
START_TEST(the_runs_of_a_call_have_one_number)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	char id[65];
	enum store_added added;
	int64_t numbers = 0;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	MUST(store_begin(store, &err));
	add_commit(store, 1);
	add_run(store, simple_run(&arena, "k", 1, 1));
	struct run *refused = simple_run(&arena, "k", 1, 2);
	run_set_param(&arena, refused, "p", "\xff");
	ck_assert_int_eq(store_add_run(store, refused, id, &added, &err), -1);
	add_run(store, simple_run(&arena, "k", 1, 3));
	MUST(store_commit(store, &err));
	MUST(sql_number(store->sql, "SELECT count(DISTINCT ingest) FROM run", &numbers, &err));
	ck_assert_int_eq(numbers, 1);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* Neither written nor read. */
START_TEST(a_text_has_a_limit)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct store_run_list runs;
	char id[65], *text = arena_alloc(&arena, SQL_TEXT_LIMIT + 2);
	enum store_added added;
	memset(text, 'x', SQL_TEXT_LIMIT + 1);
	text[SQL_TEXT_LIMIT + 1] = '\0';
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	add_commit(store, 1);
	struct run *run = simple_run(&arena, "k", 1, 1);
	run_add_note(&arena, run, "a", text + 1);
	ck_assert(add_run(store, run));
	run = simple_run(&arena, "k", 1, 2);
	run_add_note(&arena, run, "a", text);
	ck_assert_int_eq(store_add_run(store, run, id, &added, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "more than 1 MiB"));
	MUST(sql_execute(store->sql, "UPDATE note SET message = message || 'x'", &err));
	ck_assert_int_eq(
		store_runs(store, &arena, &(struct run_query){.details = true}, &runs, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "message is longer than 1 MiB"));
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("store open", a_text_has_a_limit, a_store_is_not_mapped,
	  a_store_that_is_cut_while_it_is_read_is_an_error,
	  a_reader_that_stands_still_does_not_keep_a_writer, the_runs_of_a_call_have_one_number)
