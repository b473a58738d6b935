/* store: rows that no program wrote. Whoever reads them gets an error, never a long text in a
 * short buffer or a walk without an end. */
#include "unit/store_fixture.h"

#include "base/system/file.h"
#include "db/sqlite/sqlite.h"
#include "db/store/internal.h"
#include "model/acceptance/acceptance.h"

/* Commits 1 and 2 with one run per commit, and a baseline at 2. */
static struct store *store_of_two(const struct repository_path *place, struct arena *arena)
{
	struct error err = {0};
	struct store *store = open_store(place, STORE_CREATE);
	for (int i = 1; i <= 2; i++) {
		add_commit(store, i);
		add_run(store, simple_run(arena, "k", i, 1));
	}
	MUST(store_set_baseline(store, "main", OID("02"), 0, false, &err));
	return store;
}

static void refused(int rc, const struct error *err, const struct repository_path *place,
		    const char *words)
{
	ck_assert_int_eq(rc, -1);
	ck_assert_int_eq(err->kind, ERR_STORE);
	ck_assert_msg(strstr(err->text, place->path) && strstr(err->text, words), "%s", err->text);
}

#define SIXTY_FOUR "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

START_TEST(a_damaged_commit_id_is_refused)
{
	static const struct {
		const char *oid;
		bool good;
	} rows[] = {
		{"", false},
		{"c2", false},
		{"000000000000000000000000000000000000000", false},
		{"00000000000000000000000000000000000000022", false},
		{"0000000000000000000000000000000000000A02", false},
		{"000000000000000000000000000000000000g002", false},
		{SIXTY_FOUR "0", false},
		{SIXTY_FOUR, true},
	};
	static const char words[] = "the store holds a damaged commit id";
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		struct store_run_list runs;
		struct revision revision;
		struct baseline_list baselines;
		const char *twin = NULL, *oid = rows[i].oid;
		char content[65];
		place_make(&place);
		struct store *store = store_of_two(&place, &arena);
		run_hash(simple_run(&arena, "k", 2, 1), false, content);
		MUST(sql_execute(store->sql,
				 arena_printf(&arena,
					      "UPDATE revision SET oid = '%s' WHERE id = 2;"
					      "UPDATE baseline SET oid = '%s'",
					      oid, oid),
				 &err));
		if (rows[i].good)
			MUST(store_seals_make(store, 0, &err));
		int all = store_runs(store, &arena, &(struct run_query){0}, &runs, &err);
		if (rows[i].good) {
			ck_assert_int_eq(all, 0);
			MUST(store_revision(store, &arena, oid, &revision, &err));
			MUST(store_baselines(store, &arena, &baselines, &err));
			MUST(store_twin(store, &arena, content, OID("01"), &twin, &err));
			ck_assert_str_eq(twin, oid);
		} else {
			refused(all, &err, &place, words);
			refused(store_revision(store, &arena, oid, &revision, &err), &err, &place,
				words);
			/* An empty one is that of a name that was removed. */
			refused(store_baselines(store, &arena, &baselines, &err), &err, &place,
				*oid ? words : "seal does not fit");
			refused(store_twin(store, &arena, content, OID("01"), &twin, &err), &err,
				&place, words);
			/* What is whole can still be read. */
			MUST(store_runs(store, &arena, &(struct run_query){.commit = OID("01")},
					&runs, &err));
		}
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(a_damaged_parent_is_refused)
{
	static const struct {
		const char *column, *text;
		bool good;
	} rows[] = {
		{"parent", "c1", false},
		{"parent", SIXTY_FOUR "0", false},
		{"parent", SIXTY_FOUR " " SIXTY_FOUR, false},
		{"parent", " ", false},
		{"parent", OID("0A"), false},
		{"parent", "", true},
		{"parent", SIXTY_FOUR, true},
		{"parents", "c1", false},
		{"parents", SIXTY_FOUR "0", false},
		{"parents", " ", false},
		{"parents", OID("01") " ", false},
		{"parents", OID("01") "  " OID("00"), false},
		{"parents", OID("01") " x", false},
		{"parents", OID("01") "\n" OID("00"), false},
		{"parents", "", true},
		{"parents", OID("01"), true},
		{"parents", OID("01") " " SIXTY_FOUR " " OID("00"), true},
	};
	static const char words[] = "the store holds a damaged commit id";
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		struct revision revision;
		struct history_set set;
		place_make(&place);
		struct store *store = store_of_two(&place, &arena);
		MUST(sql_execute(store->sql,
				 arena_printf(&arena, "UPDATE revision SET %s = '%s' WHERE id = 2",
					      rows[i].column, rows[i].text),
				 &err));
		if (rows[i].good)
			MUST(store_seals_make(store, 0, &err));
		int one = store_revision(store, &arena, OID("02"), &revision, &err);
		if (rows[i].good) {
			ck_assert_int_eq(one, 0);
			MUST(store_histories(store, &arena, OID("02"), NULL, 0, &set, &err));
		} else {
			refused(one, &err, &place, words);
			refused(store_histories(store, &arena, OID("02"), NULL, 0, &set, &err),
				&err, &place, words);
		}
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(a_commit_is_not_its_own_parent)
{
	static const char words[] = "the store holds a commit that is its own parent";
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct store_run_list runs;
	struct revision revision;
	int64_t age;
	bool found, truncated;
	place_make(&place);
	struct store *store = store_of_two(&place, &arena);
	MUST(sql_execute(store->sql, "UPDATE revision SET parent = oid WHERE id = 2", &err));
	refused(store_runs(store, &arena, &(struct run_query){0}, &runs, &err), &err, &place,
		words);
	refused(store_revision(store, &arena, OID("02"), &revision, &err), &err, &place, words);
	const char *series = run_series_key(&arena, simple_run(&arena, "k", 2, 1));
	refused(store_ancestor_with_series(store, &arena, OID("02"), series, &revision, &age,
					   &found, &truncated, &err),
		&err, &place, words);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* A longer circle of parents is not seen in one row; the walk ends all the same, however high the
 * numbers of the commits are. */
START_TEST(a_circle_of_parents_ends)
{
	struct arena arena = {0};
	struct error err = {0};
	struct revision revision, a = {.oid = OID("01"), .parent = OID("02")},
				  b = {.oid = OID("02"), .parent = OID("01")};
	struct repository_path place;
	struct history_set set;
	int64_t age;
	bool found = true, truncated;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	MUST(store_add_revision(store, &a, &err));
	MUST(store_add_revision(store, &b, &err));
	add_commit(store, 3);
	MUST(sql_execute(store->sql,
			 "UPDATE revision SET id = 4611686018427387904 WHERE oid = '" OID("03") "'",
			 &err));
	refused(store_histories(store, &arena, OID("01"), NULL, 0, &set, &err), &err, &place,
		"a cycle in the commit graph");
	MUST(store_ancestor_with_series(store, &arena, OID("01"), "s", &revision, &age, &found,
					&truncated, &err));
	ck_assert(!found);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(a_missing_parent_is_that_of_a_root)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct revision revision;
	place_make(&place);
	struct store *store = store_of_two(&place, &arena);
	change(store, "UPDATE revision SET parent = NULL WHERE id = 2");
	MUST(store_revision(store, &arena, OID("02"), &revision, &err));
	ck_assert_str_eq(revision.parent, "");
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* Numbers of both kinds, as no program writes them: those that are packed count, for every reader.
 */
START_TEST(packed_numbers_win)
{
	static const enum metric metrics[] = {METRIC_TOTAL_TIME, METRIC_HOST_TIME};
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct history_set set;
	struct store_counts counts;
	double value = 7;
	place_make(&place);
	struct store *store = store_of_two(&place, &arena);
	change(store, "INSERT INTO metric (key) VALUES ('host_time');"
		      "INSERT INTO value SELECT run.id, metric.id, 9, 1 FROM run, metric");
	MUST(store_series_metrics_add(store, 1, 2, &err));
	for (int times = 0; times < 2; times++) {
		struct store_run_list runs = {0};
		MUST(store_runs(store, &arena, &(struct run_query){0}, &runs, &err));
		ck_assert_uint_eq(runs.count, 2);
		same_number(run_number(runs.items[0].run, METRIC_TOTAL_TIME), 1);
		same_number(run_number(runs.items[0].run, METRIC_HOST_TIME), NAN);
		MUST(store_histories(store, &arena, OID("02"), metrics, 2, &set, &err));
		same_number(set.items[0].values[0], 1);
		same_number(set.items[0].values[2], NAN);
		MUST(store_history_values(store, &set.items[0], METRIC_HOST_TIME, 1, &value, &err));
		same_number(value, NAN);
		/* Now from the runs themselves. */
		MUST(sql_execute(store->sql, "DELETE FROM history", &err));
	}
	MUST(store_counts(store, &counts, &err));
	ck_assert_int_eq(counts.values, 2);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(numbers_of_an_odd_length_are_refused)
{
	static const char *const rows[] = {
		"UPDATE numbers SET packed = CAST(packed || x'00' AS BLOB)",
		"UPDATE numbers SET packed = substr(packed, 1, 10)",
	};
	static const char words[] = "the store is damaged: the numbers of a run are";
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		struct store_run_list runs;
		struct history_set set;
		double values[2];
		place_make(&place);
		struct store *store = store_of_two(&place, &arena);
		MUST(sql_execute(store->sql, rows[i], &err));
		refused(store_runs(store, &arena, &(struct run_query){0}, &runs, &err), &err,
			&place, words);
		MUST(store_histories(store, &arena, OID("02"), NULL, 0, &set, &err));
		refused(store_history_values(store, &set.items[0], METRIC_TOTAL_TIME, 0, values,
					     &err),
			&err, &place, words);
		MUST(sql_execute(store->sql, "DELETE FROM history", &err));
		refused(store_histories(store, &arena, OID("02"), NULL, 0, &set, &err), &err,
			&place, words);
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

/* A bin that is not a fraction, in a timeline as this program writes it and as older ones did. */
START_TEST(a_damaged_timeline_is_none)
{
	static const struct {
		const char *part; /* the first, little-endian */
		bool good;
	} rows[] = {
		{"0000807f", false},                      /* infinite */
		{"000080ff", false}, {"0000c07f", false}, /* not a number */
		{"0100803f", false},                      /* a little more than 1 */
		{"cdcc4cbe", false},                      /* -0.2 */
		{"0000803f", true},                       /* 1 */
		{"00000000", true},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		struct store_run_list runs = {0};
		place_make(&place);
		struct store *store = open_store(&place, STORE_CREATE);
		add_commit(store, 2);
		add_run(store, full_run(&arena));
		change(store,
		       arena_printf(&arena,
				    "UPDATE timelines SET packed = CAST(substr(packed, 1, 2) || "
				    "x'%s' || substr(packed, 7) AS BLOB);"
				    "UPDATE engine SET timeline = (SELECT substr(packed, 3) FROM "
				    "timelines) WHERE ordinal = 1",
				    rows[i].part));
		MUST(store_runs(store, &arena, &(struct run_query){.details = true}, &runs, &err));
		const struct run *run = runs.items[0].run;
		ck_assert_uint_eq(run->engine_count, 2);
		for (size_t k = 0; k < 2; k++) {
			ck_assert_int_eq(run->engines[k].has_timeline, rows[i].good);
			ck_assert(run->engines[k].timeline[255] == (rows[i].good ? 1 : 0));
		}
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

static const char *const accept_of_01[] = {OID("01"), ".rooflog/accept"};

#define LONG_LINE "# a line that stays as it is\n"

/* What is damaged is asked of git again, and then it is whole. */
START_TEST(damaged_acceptances_are_not_known)
{
	static const char *const rows[] = {
		"UPDATE committed_file SET bytes = CAST(bytes || 'x' AS BLOB)",
		"UPDATE committed_file SET bytes = replace(hex(zeroblob(1 << 20)), '0', 'x')",
		"UPDATE committed_file SET bytes = x''",
		"UPDATE committed_file SET hash = randomblob(32)",
		"PRAGMA foreign_keys = OFF; DELETE FROM committed_file",
		"PRAGMA foreign_keys = OFF; UPDATE tree_file SET file_id = 77",
	};
	const struct span file = span_of(LONG_LINE);
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct store_tree_file accepted;
		struct repository_path place;
		place_make(&place);
		struct store *store = open_store(&place, STORE_CREATE);
		for (int times = 0; times < 2; times++) {
			MUST(store_add_tree_file(store, accept_of_01, &file, &err));
			MUST(store_tree_file(store, &arena, accept_of_01, &accepted, &err));
			ck_assert(accepted.known && accepted.found);
			ck_assert_str_eq(accepted.bytes.ptr, LONG_LINE);
			MUST(sql_execute(store->sql, rows[i], &err));
			MUST(store_tree_file(store, &arena, accept_of_01, &accepted, &err));
			ck_assert(!accepted.known);
		}
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

/* Bytes with their right hash, but more than any file of acceptances has. */
START_TEST(acceptances_have_a_limit)
{
	struct arena arena = {0};
	struct error err = {0};
	struct store_tree_file accepted;
	struct repository_path place;
	char *bytes = arena_alloc(&arena, ACCEPTANCE_FILE_LIMIT + 1);
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	memset(bytes, '\n', ACCEPTANCE_FILE_LIMIT + 1);
	for (size_t more = 0; more < 2; more++) {
		const struct span file = {bytes, ACCEPTANCE_FILE_LIMIT + more};
		const char *const place_of[] = {more ? OID("01") : OID("02"), ".rooflog/accept"};
		MUST(store_add_tree_file(store, place_of, &file, &err));
		MUST(store_tree_file(store, &arena, place_of, &accepted, &err));
		ck_assert_int_eq(accepted.known, !more);
	}
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* The number of the first page of a table. */
static size_t page_of(const struct repository_path *place, const char *table)
{
	struct arena arena = {0};
	struct error err = {0};
	int64_t page = 0;
	struct store *store = open_store(place, STORE_READ);
	MUST(sql_number(
		store->sql,
		arena_printf(&arena, "SELECT rootpage FROM sqlite_schema WHERE name = '%s'", table),
		&page, &err));
	store_close(store);
	arena_free(&arena);
	return (size_t)page;
}

static void damage(const struct repository_path *place, size_t first, size_t count)
{
	struct arena arena = {0};
	struct error err = {0};
	struct span bytes;
	MUST(file_read(&arena, place->path, 1 << 20, &bytes, &err));
	char *copy = arena_strndup(&arena, bytes.ptr, bytes.len);
	size_t from = (first - 1) * 4096, rest = bytes.len - from;
	memset(copy + from, 0x5a, count * 4096 < rest ? count * 4096 : rest);
	MUST(file_write(place->path, (struct span){copy, bytes.len}, &err));
	arena_free(&arena);
}

START_TEST(damage_is_reported)
{
	static const char *const tables[] = {"revision", "series", "run", "numbers", "history"};
	for (size_t i = 0; i < COUNT_OF_ROWS(tables); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		const char *report = "";
		place_make(&place);
		store_close(store_of_two(&place, &arena));
		damage(&place, page_of(&place, tables[i]), 1);
		struct store *store = open_store(&place, STORE_READ);
		MUST(store_check(store, &arena, &report, &err));
		ck_assert_str_ne(report, "ok");
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

/* All but the first page: not even the names of the tables can be read. */
START_TEST(a_damaged_schema_is_refused)
{
	struct arena arena = {0};
	struct error err = {0};
	struct store *store = NULL;
	struct repository_path place;
	place_make(&place);
	store_close(store_of_two(&place, &arena));
	damage(&place, 2, SIZE_MAX / 4096);
	refused(store_open(place.path, STORE_READ, &store, &err), &err, &place,
		"the store is damaged");
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("store damage", damage_is_reported, a_damaged_schema_is_refused,
	  a_damaged_commit_id_is_refused, a_damaged_parent_is_refused,
	  a_commit_is_not_its_own_parent, a_circle_of_parents_ends,
	  a_missing_parent_is_that_of_a_root, packed_numbers_win,
	  numbers_of_an_odd_length_are_refused, a_damaged_timeline_is_none,
	  damaged_acceptances_are_not_known, acceptances_have_a_limit)
