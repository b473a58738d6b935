/* store: histories along a chain, and the tables that they are read from. */
#include "unit/store_fixture.h"

#include <sqlite3.h>

#include "base/strbuf.h"
#include "db/store/internal.h"

/* "kernel: steps=value/value ..." for each series; the values are those of the metrics asked for,
 * "-" unknown. */
static const char *text_of(struct arena *arena, const struct history_set *set)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < set->count; i++) {
		const struct history *history = &set->items[i];
		strbuf_addf(&sb, "%s%s:", i ? "; " : "", history->identity->kernel);
		for (size_t run = 0; run < history->run_count; run++) {
			strbuf_addf(&sb, " %u=", (unsigned)history->runs[run].commit);
			for (size_t metric = 0; metric < set->metric_count; metric++) {
				double value = history->values[metric * history->run_count + run];
				strbuf_addstr(&sb, metric ? "/" : "");
				if (isnan(value))
					strbuf_addch(&sb, '-');
				else
					strbuf_addf(&sb, "%g", value);
			}
		}
	}
	return strbuf_into(&sb, arena);
}

static struct history_set histories(struct store *store, struct arena *arena, const char *oid,
				    const enum metric *metrics, size_t count)
{
	struct error err = {0};
	struct history_set set = {0};
	MUST(store_histories(store, arena, oid, metrics, count, &set, &err));
	ck_assert_uint_eq(set.metric_count, count);
	for (size_t i = 0; i < set.count; i++) {
		ck_assert_ptr_eq(history_find(&set, set.items[i].series), &set.items[i]);
		ck_assert_str_eq(set.items[i].series, run_series_key(arena, set.items[i].identity));
		for (size_t run = 1; run < set.items[i].run_count; run++) {
			const struct history_run *pair = &set.items[i].runs[run - 1];
			ck_assert(pair[0].commit > pair[1].commit ||
				  (pair[0].commit == pair[1].commit && pair[0].row < pair[1].row));
		}
	}
	return set;
}

struct measured {
	const char *kernel;
	int commit;
	double total_time, host_time, rate, bytes; /* NAN unknown */
	const char *correctness, *correctness_again;
	bool dirty;
};

static void add_measured(struct store *store, struct arena *arena, const struct measured *one)
{
	struct run *run = simple_run(arena, one->kernel, one->commit, one->total_time);
	run_set(run, METRIC_HOST_TIME, one->host_time, PROVENANCE_MEASURED);
	run_set(run, METRIC_ALGORITHMIC_RATE, one->rate, PROVENANCE_REPORTED);
	run_set(run, METRIC_HBM_READ_BYTES, one->bytes, PROVENANCE_MEASURED);
	run->dirty = one->dirty;
	run_add_attribute(arena, run, "compiler_version", "2.21");
	if (one->correctness)
		run_add_attribute(arena, run, "correctness", one->correctness);
	if (one->correctness_again)
		run_add_attribute(arena, run, "correctness", one->correctness_again);
	add_run(store, run);
}

/* Commits 0 to 5 in a row, and commit 77 beside 3. */
static void fill(struct store *store, struct arena *arena)
{
	static const struct measured rows[] = {
		{"gemm", 1, 11, NAN, NAN, 4, NULL, NULL, false},
		{"gemm", 3, 31, NAN, NAN, NAN, NULL, NULL, false},
		{"gemm", 2, 21, 22, NAN, 8, "correct", NULL, false},
		{"gemm", 3, 30, NAN, NAN, 9, "incorrect", NULL, false},
		{"gemm", 4, 40, NAN, NAN, 9, NULL, NULL, true},
		{"gemm", 2, 20, NAN, NAN, 0, "checked", "incorrect", false},
		{"attention", 5, NAN, 50, 3, NAN, NULL, NULL, false},
		{"attention", 0, NAN, 2, NAN, 5, NULL, NULL, false},
		{"rates", 4, NAN, NAN, 7, NAN, NULL, NULL, false},
		{"rates", 5, NAN, NAN, NAN, 6, NULL, NULL, false},
		{"wrong", 1, 1, NAN, NAN, NAN, "incorrect", NULL, false},
		{"zero", 1, -0.0 /* a time above 0 */, NAN, NAN, NAN, NULL, NULL, false},
	};
	struct error err = {0};
	struct revision side = {
		.oid = OID("77"), .parent = OID("02"), .position = 3, .time = 1800000000};
	for (int i = 0; i < 6; i++)
		add_commit(store, i);
	MUST(store_add_revision(store, &side, &err));
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++)
		add_measured(store, arena, &rows[i]);
	struct run *run = simple_run(arena, "gemm", 3, 77);
	run->commit = OID("77");
	add_run(store, run);
}

START_TEST(histories_hold_the_runs_of_the_chain)
{
	static const struct {
		const char *oid;
		enum metric metrics[4];
		size_t count;
		const char *text;
	} rows[] = {
		{OID("05"),
		 {METRIC_TOTAL_TIME},
		 1,
		 "attention: 5=- 0=-; gemm: 4=11 3=21 3=20 2=31; rates: 1=- 0=-; zero: 4=-"},
		{OID("05"),
		 {METRIC_HOST_TIME, METRIC_TOTAL_TIME},
		 2,
		 "attention: 5=2/- 0=50/-; gemm: 4=-/11 3=22/21 3=-/20 2=-/31; rates: 1=-/- 0=-/-; "
		 "zero: 4=-/-"},
		{OID("05"),
		 {METRIC_ALGORITHMIC_RATE, METRIC_HBM_READ_BYTES},
		 2,
		 "attention: 5=-/5 0=-/-; gemm: 4=-/4 3=-/8 3=-/0 2=-/-; rates: 1=7/- 0=-/6; zero: "
		 "4=-/-"},
		{OID("77"),
		 {METRIC_TOTAL_TIME},
		 1,
		 "attention: 3=-; gemm: 2=11 1=21 1=20 0=77; "
		 "zero: 2=-"},
		{OID("02"), {METRIC_TOTAL_TIME}, 0, "attention: 2=; gemm: 1= 0= 0=; zero: 1="},
		{OID("00"), {METRIC_HOST_TIME}, 1, "attention: 0=2"},
		{OID("01"),
		 {METRIC_MFU, METRIC_TIME_P99},
		 2,
		 "attention: 1=-/-; gemm: 0=-/-; "
		 "zero: 0=-/-"},
	};
	struct arena arena = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	fill(store, &arena);
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct history_set set =
			histories(store, &arena, rows[i].oid, rows[i].metrics, rows[i].count);
		ck_assert_str_eq(text_of(&arena, &set), rows[i].text);
		ck_assert_str_eq(set.chain[0].oid, rows[i].oid);
		ck_assert_str_eq(set.chain[set.chain_count - 1].oid, OID("00"));
		ck_assert(!set.truncated);
	}
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(a_metric_of_some_runs_can_be_asked_for)
{
	static const struct {
		enum metric metric;
		size_t first;
		double values[4];
	} rows[] = {
		{METRIC_HBM_READ_BYTES, 0, {4, 8, 0, NAN}},
		{METRIC_HBM_READ_BYTES, 2, {0, NAN}},
		{METRIC_TOTAL_TIME, 3, {31}},
		{METRIC_TIME_P99, 3, {NAN}},
		{METRIC_TOTAL_TIME, 4, {NAN}},
	};
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	fill(store, &arena);
	struct history_set set = histories(store, &arena, OID("05"), NULL, 0);
	ck_assert_str_eq(set.items[1].identity->kernel, "gemm");
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		double values[4] = {-1, -1, -1, -1};
		MUST(store_history_values(store, &set.items[1], rows[i].metric, rows[i].first,
					  values, &err));
		for (size_t k = 0; k < 4 - rows[i].first; k++)
			same_number(values[k], rows[i].values[k]);
	}
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* Each run by a look-up of its own must be what the histories say, metric by metric. */
START_TEST(the_metrics_of_a_run_are_read_at_once)
{
	static const enum metric metrics[] = {METRIC_TIME_P99, METRIC_TOTAL_TIME,
					      METRIC_HBM_READ_BYTES, METRIC_HOST_TIME};
	const struct metric_list all = {metrics, COUNT_OF_ROWS(metrics)}, none = {0};
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	fill(store, &arena);
	store_close(store);
	for (int held = 0; held < 2; held++) {
		store = open_store(&place, STORE_READ);
		if (held)
			MUST(store_hold(store, &err));
		struct history_set set = histories(store, &arena, OID("05"), NULL, 0);
		for (size_t i = 0; i < set.count; i++)
			for (size_t run = 0; run < set.items[i].run_count; run++) {
				double values[COUNT_OF_ROWS(metrics)], value;
				struct history one = set.items[i];
				one.runs += run;
				one.run_count = 1;
				MUST(store_run_values(store, one.runs->row, &all, values, &err));
				MUST(store_run_values(store, one.runs->row, &none, NULL, &err));
				for (size_t k = 0; k < all.count; k++) {
					MUST(store_history_values(store, &one, metrics[k], 0,
								  &value, &err));
					same_number(values[k], value);
				}
			}
		store_close(store);
	}
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(a_chain_is_whole_or_said_to_be_cut)
{
	struct arena arena = {0};
	struct error err = {0};
	struct history_set set = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	add_commit(store, 8);
	add_commit(store, 9);
	add_run(store, simple_run(&arena, "k", 8, 1));
	set = histories(store, &arena, OID("09"), NULL, 0);
	ck_assert_uint_eq(set.chain_count, 2);
	ck_assert_str_eq(set.chain[1].oid, OID("08"));
	ck_assert_int_eq(set.chain[1].time, 1700000008);
	ck_assert(set.truncated);
	set.count = 99;
	ck_assert_int_eq(store_histories(store, &arena, OID("01"), NULL, 0, &set, &err), -1);
	ck_assert_int_eq(err.kind, ERR_REVISION);
	ck_assert_uint_eq(set.count, 99);
	change(store, "UPDATE revision SET parent = '" OID("09") "' WHERE oid = '" OID("08") "'");
	ck_assert_int_eq(store_histories(store, &arena, OID("09"), NULL, 0, &set, &err), -1);
	ck_assert_int_eq(err.kind, ERR_STORE);
	ck_assert_ptr_nonnull(strstr(err.text, "a cycle in the commit graph"));
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* An unknown text and the text "?" have one key. */
START_TEST(series_of_one_key_are_one_history)
{
	static const enum metric metrics[] = {METRIC_TOTAL_TIME, METRIC_HBM_READ_BYTES};
	struct arena arena = {0};
	struct error err = {0};
	struct store_counts counts;
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	for (int i = 0; i < 4; i++)
		add_commit(store, i);
	for (int i = 0; i < 6; i++) {
		struct run *run = simple_run(&arena, "k", 3 - i / 2, i + 1);
		run->dtype = i % 2 ? "?" : NULL;
		run_set(run, METRIC_HBM_READ_BYTES, i * 10, PROVENANCE_MEASURED);
		add_run(store, run);
	}
	MUST(store_counts(store, &counts, &err));
	ck_assert_int_eq(counts.series, 2);
	struct history_set set = histories(store, &arena, OID("03"), metrics, 2);
	ck_assert_str_eq(text_of(&arena, &set), "k: 2=5/40 2=6/50 1=3/20 1=4/30 0=1/0 0=2/10");
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

static int64_t number_of(struct store *store, const char *text)
{
	struct error err = {0};
	int64_t number = -1;
	MUST(sql_number(store->sql, text, &number, &err));
	return number;
}

static const enum metric all_asked[] = {METRIC_TOTAL_TIME, METRIC_HOST_TIME,
					METRIC_ALGORITHMIC_RATE, METRIC_HBM_READ_BYTES};

/* The numbers of runs as programs wrote them that knew schema 3. */
static void unpack(struct store *store, struct arena *arena)
{
	struct error err = {0};
	struct strbuf sb = {0};
	struct query query = query_start(store->sql, "history/missing");
	query_bind_integer(&query, 0);
	while (query_next(&query)) {
		struct packed packed;
		struct packed_number number;
		long long run = query_integer(&query);
		query.at += 3;
		if (query_is_null(&query))
			continue;
		MUST(store_packed_read(&query, &packed, &err));
		while (store_packed_next(&packed, &number))
			strbuf_addf(&sb, "INSERT INTO value VALUES (%lld, %d, %s, %d);", run,
				    (int)number.key,
				    number.number == 0 && signbit(number.number)
					    ? "x'00'"
					    : arena_printf(arena, "%.17g", number.number),
				    (int)number.provenance);
	}
	MUST(query_finish(&query, &err));
	if (sb.len)
		MUST(sql_execute(store->sql, strbuf_into(&sb, arena), &err));
}

static void execute(sqlite3 *db, const char *text)
{
	char *message = NULL;
	ck_assert_msg(sqlite3_exec(db, text, NULL, NULL, &message) == SQLITE_OK, "%s: %s", text,
		      message);
}

/* The columns of a table, separated by commas. */
static const char *columns_of(sqlite3 *db, struct arena *arena, const char *table)
{
	sqlite3_stmt *statement;
	const char *text = arena_printf(
		arena, "SELECT group_concat(name) FROM pragma_table_info('%s')", table);
	ck_assert_int_eq(sqlite3_prepare_v2(db, text, -1, &statement, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
	text = arena_strdup(arena, (const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	return text;
}

/* Makes a store of schema 2 with the rows of another store. */
static void copy_to_schema_2(const struct repository_path *from, const struct repository_path *to,
			     struct arena *arena)
{
	static const char *const tables[] = {"revision",  "series", "run",    "metric",  "value",
					     "attribute", "note",   "spread", "baseline"};
	sqlite3 *db;
	ck_assert_int_eq(sqlite3_open(to->path, &db), SQLITE_OK);
	execute(db, embedded_find(db_files, "0001_store.sql")->text);
	execute(db, embedded_find(db_files, "0002_spread.sql")->text);
	execute(db, "PRAGMA application_id = 0x726f6f66; PRAGMA user_version = 2");
	execute(db, arena_printf(arena, "ATTACH '%s' AS new", from->path));
	for (size_t i = 0; i < COUNT_OF_ROWS(tables); i++) {
		const char *columns = columns_of(db, arena, tables[i]);
		execute(db, arena_printf(arena, "INSERT INTO %s (%s) SELECT %s FROM new.%s",
					 tables[i], columns, columns, tables[i]));
	}
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

static const char *rows_of(struct store *store, struct arena *arena, const char *text)
{
	struct strbuf sb = {0};
	sqlite3 *db;
	sqlite3_stmt *statement;
	ck_assert_int_eq(sqlite3_open(sql_path(store->sql), &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_prepare_v2(db, text, -1, &statement, NULL), SQLITE_OK);
	while (sqlite3_step(statement) == SQLITE_ROW)
		strbuf_addf(&sb, "%s\n", (const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return strbuf_into(&sb, arena);
}

static const char rows_of_history[] =
	"SELECT revision_id || ' ' || hex(records) FROM history ORDER BY revision_id";
static const char rows_of_metrics[] =
	"SELECT series_id || ' ' || hex(packed) FROM series_metrics ORDER BY series_id";

/* The migration of an old store gives what ingest would have written. */
START_TEST(an_old_store_gets_the_same_history)
{
	struct arena arena = {0};
	struct error err = {0};
	struct baseline_list baselines;
	struct repository_path newer, place;
	place_make(&newer);
	place_make(&place);
	struct store *store = open_store(&newer, STORE_CREATE);
	fill(store, &arena);
	MUST(store_set_baseline(store, "v1", OID("01"), 5, true, &err));
	const char *kept = rows_of(store, &arena, rows_of_history);
	const char *kept_metrics = rows_of(store, &arena, rows_of_metrics);
	struct store *first = open_store(&newer, STORE_READ); /* whose texts are compared */
	struct history_set before = histories(first, &arena, OID("05"), all_asked, 4);
	struct store_counts counts[2];
	struct store_run_list runs[2] = {read_runs(first, &arena, (struct run_query){0})};
	MUST(store_counts(store, &counts[0], &err));
	unpack(store, &arena);
	store_close(store);
	copy_to_schema_2(&newer, &place, &arena);
	ck_assert_int_eq(store_open(place.path, STORE_READ, &store, &err), -1);
	store = open_store(&place, STORE_WRITE);
	ck_assert_str_eq(rows_of(store, &arena, rows_of_history), kept);
	ck_assert_str_eq(rows_of(store, &arena, rows_of_metrics), kept_metrics);
	ck_assert_int_ge(number_of(store, "SELECT count(*) FROM history"), 4);
	ck_assert_int_eq(number_of(store, "SELECT sum(length(packed)) / 2 FROM series_metrics"),
			 10);
	struct history_set after = histories(store, &arena, OID("05"), all_asked, 4);
	ck_assert_str_eq(text_of(&arena, &before), text_of(&arena, &after));
	MUST(store_baselines(store, &arena, &baselines, &err));
	ck_assert(!baselines.items[0].pinned);
	MUST(store_counts(store, &counts[1], &err));
	ck_assert_int_eq(counts[0].values, counts[1].values);
	runs[1] = read_runs(store, &arena, (struct run_query){0});
	ck_assert_uint_eq(runs[0].count, runs[1].count);
	for (size_t i = 0; i < runs[0].count; i++)
		same_run(runs[0].items[i].run, runs[1].items[i].run);
	/* The numbers of a new run are packed; those of the others stay as they are. */
	add_run(store, simple_run(&arena, "zzz", 5, 7));
	ck_assert_int_eq(number_of(store, "SELECT count(*) FROM numbers"), 1);
	after = histories(store, &arena, OID("05"), all_asked, 4);
	ck_assert_str_eq(text_of(&arena, &after),
			 arena_printf(&arena, "%s; zzz: 0=7/-/-/-", text_of(&arena, &before)));
	store_close(first);
	store_close(store);
	place_remove(&newer);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* Older programs stored any number. One outside its range is left out. */
START_TEST(a_value_out_of_bounds_is_left_out)
{
	static const enum metric metrics[] = {METRIC_TOTAL_TIME, METRIC_HOST_TIME};
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	double values[3];
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	for (int commit = 0; commit < 3; commit++) {
		add_commit(store, commit);
		struct run *run = simple_run(&arena, "k", commit, commit == 1 ? 1e299 : 5);
		run_set(run, METRIC_HOST_TIME, commit == 2 ? -7 : 6, PROVENANCE_MEASURED);
		add_run(store, run);
	}
	struct history_set set = histories(store, &arena, OID("02"), metrics, 2);
	ck_assert_str_eq(text_of(&arena, &set), "k: 2=5/6 1=-/6 0=5/-");
	ck_assert_uint_eq(set.out_of_bounds, 2);
	MUST(store_history_values(store, &set.items[0], METRIC_HOST_TIME, 0, values, &err));
	ck_assert(isnan(values[2]));
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* Whoever deletes by hand what is derived, or the runs that it is derived from, changes no verdict.
 */
START_TEST(a_history_that_does_not_fit_the_runs_is_made_anew)
{
	static const struct {
		const char *damage;
		int newest; /* commit that still has runs */
	} rows[] = {
		{"DELETE FROM history", 9},
		{"DELETE FROM history; DELETE FROM series_metrics", 9},
		{"DELETE FROM run WHERE id > 5", 4},
		{"DELETE FROM run", -1},
		{"UPDATE history SET records = x'00'", 9},
		{"UPDATE history SET records = substr(records, 1, 100)", 9},
		{"UPDATE history SET records = CAST(x'ffffff7f00000000' || substr(records, 9) AS "
		 "BLOB)",
		 9},
		{"UPDATE history SET records = CAST(x'ffffffffffffffff' || substr(records, 9) AS "
		 "BLOB)",
		 9},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct repository_path place;
		place_make(&place);
		struct store *store = open_store(&place, STORE_CREATE);
		for (int commit = 0; commit < 10; commit++) {
			add_commit(store, commit);
			struct run *run = simple_run(&arena, "k", commit, commit + 1);
			run_set(run, METRIC_HBM_READ_BYTES, commit * 10, PROVENANCE_MEASURED);
			add_run(store, run);
		}
		MUST(sql_execute(store->sql, rows[i].damage, &err));
		store_close(store);
		for (int writes = 0; writes < 2; writes++) {
			store = open_store(&place, writes ? STORE_WRITE : STORE_READ);
			struct history_set set = histories(store, &arena, OID("09"), all_asked, 4);
			ck_assert_uint_eq(set.count, rows[i].newest >= 0);
			for (size_t run = 0; set.count && run < set.items[0].run_count; run++) {
				size_t count = set.items[0].run_count;
				ck_assert_uint_eq(count, (size_t)rows[i].newest + 1);
				same_number(set.items[0].values[run], (double)run + 1);
				same_number(set.items[0].values[3 * count + run], 10 * (double)run);
			}
			store_close(store);
		}
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

/* Also by the program that has the store open, which remembers what it wrote. */
START_TEST(emptied_tables_are_filled_by_the_next_run)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	for (int commit = 0; commit < 3; commit++) {
		add_commit(store, commit);
		struct run *run = simple_run(&arena, "k", commit, commit + 1);
		run_set(run, METRIC_HBM_READ_BYTES, commit * 10, PROVENANCE_MEASURED);
		if (commit == 2)
			MUST(sql_execute(store->sql,
					 "DELETE FROM history; DELETE FROM series_metrics", &err));
		add_run(store, run);
	}
	ck_assert_int_eq(number_of(store, "SELECT sum(length(packed)) / 2 FROM series_metrics"), 2);
	struct history_set set = histories(store, &arena, OID("02"), all_asked, 4);
	ck_assert_str_eq(text_of(&arena, &set), "k: 2=1/-/-/0 1=2/-/-/10 0=3/-/-/20");
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* Many runs of one commit, written by many transactions and by one. */
START_TEST(many_runs_of_a_commit_lie_together)
{
	enum { many = 3000 };
	static const enum metric metrics[] = {METRIC_TOTAL_TIME};
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	add_commit(store, 0);
	for (int i = 0; i < many; i++) {
		if (i % 700 == 0)
			MUST(store_begin(store, &err));
		add_run(store, simple_run(&arena, i % 3 ? "a" : "b", 0, i + 1));
		if (i % 700 == 699 || i == many - 1)
			MUST(store_commit(store, &err));
	}
	for (int times = 0; times < 2; times++) {
		struct history_set set = histories(store, &arena, OID("00"), metrics, 1);
		ck_assert_uint_eq(set.count, 2);
		ck_assert_uint_eq(set.items[0].run_count, many / 3 * 2);
		for (size_t i = 0; i < set.items[0].run_count; i++)
			same_number(set.items[0].values[i], (double)(i / 2 * 3 + i % 2 + 2));
		for (size_t i = 0; i < set.items[1].run_count; i++)
			same_number(set.items[1].values[i], (double)(i * 3 + 1));
		ck_assert_int_eq(number_of(store, "SELECT count(*) FROM history"), 2);
		MUST(sql_execute(store->sql, "DELETE FROM history", &err));
		add_run(store, simple_run(&arena, "b", 0, many + 1));
	}
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* A part of the history that is gone would be a shorter record, not an error. */
START_TEST(a_commit_that_is_gone_is_noticed)
{
	struct arena arena = {0};
	struct error err = {0};
	struct history_set set = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	for (int i = 0; i < 4; i++) {
		add_commit(store, i);
		struct run *run = simple_run(&arena, "a", i, i + 1);
		/* A run that does not serve as history is not missed. */
		run->dirty = i == 3;
		if (i != 2)
			add_run(store, run);
	}
	ck_assert_uint_eq(histories(store, &arena, OID("03"), all_asked, 1).items[0].run_count, 2);
	MUST(sql_execute(store->sql,
			 "DELETE FROM history WHERE revision_id = (SELECT min(revision_id) FROM "
			 "history WHERE revision_id > 0)",
			 &err));
	ck_assert_int_eq(store_histories(store, &arena, OID("03"), NULL, 0, &set, &err), -1);
	ck_assert_msg(strstr(err.text, "`rooflog doctor --repair` rebuilds it") != NULL, "%s",
		      err.text);
	struct store_verification found;
	MUST(store_verify(store, &arena, &no_git, &found, &err));
	ck_assert_uint_eq(histories(store, &arena, OID("03"), all_asked, 1).items[0].run_count, 2);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(damaged_rows_are_refused)
{
	static const char *const rows[] = {
		"UPDATE history SET records = x'' WHERE revision_id > 0",
		"UPDATE history SET records = x'00' WHERE revision_id > 0",
		("UPDATE history SET records = CAST(substr(records, 1, 4) || x'feffff00' || "
		 "substr(records, 9) AS BLOB) WHERE revision_id > 0"),
		("UPDATE history SET records = CAST(records || x'00' AS BLOB) WHERE revision_id > "
		 "0"),
		("UPDATE history SET records = CAST(x'ffffffff' || substr(records, 5) AS BLOB) "
		 "WHERE revision_id > 0"),
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct history_set set = {0};
		struct repository_path place;
		place_make(&place);
		struct store *store = open_store(&place, STORE_CREATE);
		fill(store, &arena);
		struct history_set before = histories(store, &arena, OID("05"), all_asked, 4);
		MUST(sql_execute(store->sql, rows[i], &err));
		ck_assert_int_eq(store_histories(store, &arena, OID("05"), NULL, 0, &set, &err),
				 -1);
		ck_assert_msg(strstr(err.text, place.path) != NULL, "%s", err.text);
		struct store_verification found;
		MUST(store_verify(store, &arena, &no_git, &found, &err));
		set = histories(store, &arena, OID("05"), all_asked, 4);
		ck_assert_str_eq(text_of(&arena, &set), text_of(&arena, &before));
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

UNIT_MAIN("store history", a_value_out_of_bounds_is_left_out, histories_hold_the_runs_of_the_chain,
	  a_metric_of_some_runs_can_be_asked_for, the_metrics_of_a_run_are_read_at_once,
	  a_chain_is_whole_or_said_to_be_cut, series_of_one_key_are_one_history,
	  an_old_store_gets_the_same_history, a_history_that_does_not_fit_the_runs_is_made_anew,
	  emptied_tables_are_filled_by_the_next_run, many_runs_of_a_commit_lie_together,
	  a_commit_that_is_gone_is_noticed, damaged_rows_are_refused)
