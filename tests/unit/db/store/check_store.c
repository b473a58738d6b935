/* store: what goes in comes out, filters, order, ancestors, baselines. */
#include "unit/store_fixture.h"

#include "base/strbuf.h"
#include "db/store/internal.h"

static struct run *empty_run(struct arena *arena)
{
	struct run *run = run_new(arena);
	run->commit = OID("02");
	run->variant = NULL;
	run->node = NULL;
	return run;
}

/* Every metric there is, and numbers that only a bit-exact store keeps. */
static struct run *extreme_run(struct arena *arena)
{
	struct run *run = full_run(arena);
	run->kernel = "mlp";
	for (int i = 0; i < METRIC_COUNT; i++)
		run_set(run, (enum metric)i, 1 / (i + 0.7), PROVENANCE_REPORTED);
	run->given[METRIC_MFU].number = INFINITY;
	run->given[METRIC_HFU].number = -0.0;
	run->given[METRIC_MBU].number = 5e-324;
	run->given[METRIC_MFU_HLO].number = 9007199254740993.0;
	run->given[METRIC_RIDGE].number = -1.7976931348623157e308;
	return run;
}

START_TEST(a_run_comes_back_as_it_was)
{
	static struct run *(*const rows[])(struct arena * arena) = {full_run, spread_run, empty_run,
								    extreme_run};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct repository_path place;
		char id[65];
		place_make(&place);
		struct run *run = rows[i](&arena);
		struct store *store = open_store(&place, STORE_CREATE);
		add_commit(store, 2);
		ck_assert(add_run(store, run));
		store_close(store);
		store = open_store(&place, STORE_READ);
		struct store_run_list runs =
			read_runs(store, &arena, (struct run_query){.details = true});
		ck_assert_uint_eq(runs.count, 1);
		same_run(run, runs.items[0].run);
		run_hash(runs.items[0].run, true, id);
		ck_assert_str_eq(runs.items[0].id, id);
		ck_assert_str_eq(runs.items[0].series, run_series_key(&arena, run));
		ck_assert_str_eq(runs.items[0].revision.parent, OID("01"));
		ck_assert_int_eq(runs.items[0].revision.time, 1700000002);
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(details_are_read_when_asked_for)
{
	struct arena arena = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	add_commit(store, 2);
	add_run(store, full_run(&arena));
	struct store_run_list runs = read_runs(store, &arena, (struct run_query){0});
	ck_assert_uint_eq(runs.items[0].run->engine_count, 0);
	ck_assert_uint_eq(runs.items[0].run->note_count, 0);
	same_number(runs.items[0].run->given[METRIC_TOTAL_TIME].number, 0x1p-14);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* Each belongs to its engine; bytes that belong to none, and rests, are passed over. */
START_TEST(timelines_are_those_of_their_engines)
{
	static const bool has[] = {false, true, false, true, true};
	struct arena arena = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	add_commit(store, 1);
	struct run *run = simple_run(&arena, "k", 1, 1);
	for (size_t i = 0; i < COUNT_OF_ROWS(has); i++) {
		struct run_engine engine = {arena_printf(&arena, "e%zu", i), 1, has[i], {0}};
		for (int bin = 0; has[i] && bin < TIMELINE_BINS; bin++)
			engine.timeline[bin] = (float)(i * 1000 + (size_t)bin) / 7e6F;
		run_add_engine(&arena, run, engine);
	}
	add_run(store, run);
	struct store_run_list runs = read_runs(store, &arena, (struct run_query){.details = true});
	same_run(run, runs.items[0].run);
	change(store, "UPDATE timelines SET packed = CAST(packed || x'0500' || zeroblob(1024) || "
		      "x'00000000' AS BLOB)");
	runs = read_runs(store, &arena, (struct run_query){.details = true});
	same_run(run, runs.items[0].run);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* First what verdicts need, then the rest: nothing is there twice, nothing is left out. */
START_TEST(details_are_completed)
{
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	add_commit(store, 1);
	struct run *run = full_run(&arena);
	char id[65];
	enum store_added added;
	run->commit = OID("01");
	MUST(store_add_run(store, run, id, &added, &err));
	struct store_run_list found = read_runs(store, &arena, (struct run_query){.facts = true});
	struct run *read = found.items[0].run;
	ck_assert_uint_eq(
		read->engine_count + read->tally_count + read->core_count + read->tensor_count, 0);
	ck_assert_uint_eq(read->attribute_count, run->attribute_count);
	ck_assert_uint_eq(read->throttle_count, run->throttle_count);
	struct run_list runs = {.items = &read, .count = 1};
	MUST(store_details(store, &arena, &runs, &err));
	same_run(run, read);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(the_same_run_is_stored_once)
{
	struct arena arena = {0};
	struct error err = {0};
	struct store_counts counts;
	struct repository_path place;
	char first[65], second[65];
	enum store_added added;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	add_commit(store, 2);
	struct run *run = full_run(&arena);
	MUST(store_add_run(store, run, first, &added, &err));
	ck_assert(added);
	run->ingested_at++;
	run->source = "elsewhere.json";
	MUST(store_add_run(store, run, second, &added, &err));
	ck_assert(!added);
	ck_assert_str_eq(first, second);
	MUST(store_counts(store, &counts, &err));
	ck_assert_int_eq(counts.runs, 1);
	ck_assert_int_eq(counts.series, 1);
	ck_assert_int_eq(counts.commits, 1);
	ck_assert_int_eq(counts.values, 7);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(a_run_that_cannot_be_stored_leaves_nothing)
{
	static const struct {
		const char *commit, *param;
		enum error_kind kind;
		const char *words;
	} rows[] = {
		{"unknown", "1", ERR_STORE, "a run of unknown commit unknown"},
		{NULL, "1", ERR_STORE, "a run of unknown commit (none)"},
		{OID("02"), "\xff", ERR_FORMAT, "kernel bad: a parameter is not UTF-8"},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct store_counts counts;
		struct repository_path place;
		char id[65] = "untouched";
		enum store_added added = STORE_KNOWN;
		place_make(&place);
		struct store *store = open_store(&place, STORE_CREATE);
		MUST(store_begin(store, &err));
		add_commit(store, 2);
		add_run(store, simple_run(&arena, "good", 2, 1));
		struct run *bad = simple_run(&arena, "bad", 2, 1);
		bad->commit = rows[i].commit;
		run_set_param(&arena, bad, "p", rows[i].param);
		ck_assert_int_eq(store_add_run(store, bad, id, &added, &err), -1);
		ck_assert_int_eq(err.kind, rows[i].kind);
		ck_assert_ptr_nonnull(strstr(err.text, rows[i].words));
		ck_assert_str_eq(id, "untouched");
		add_run(store, simple_run(&arena, "good", 2, 2));
		MUST(store_commit(store, &err));
		MUST(store_counts(store, &counts, &err));
		ck_assert_int_eq(counts.runs, 2);
		ck_assert_int_eq(counts.series, 1);
		store_close(store);
		place_remove(&place);
		arena_free(&arena);
	}
}
END_TEST

/* Runs whose total time is their name; see the table of queries. */
static void fill_history(struct store *store, struct arena *arena)
{
	struct error err = {0};
	static const struct {
		const char *kernel, *variant, *dtype, *device;
		int commit;
		bool dirty;
	} rows[] = {
		{"mlp", "v3", "bf16", "trn2", 1, false},       /* 0 */
		{"mlp", "v4", "bf16", "trn2", 1, false},       /* 1 */
		{"mla[0]", "", "fp8", "trn3", 3, false},       /* 2 */
		{"mla[1]", "", "fp8", "trn3", 2, true},        /* 3 */
		{"mlp", "v3", "bf16", "trn2", 2, false},       /* 4 */
		{"softmax", "", "fp32", "h100-sxm", 2, false}, /* 5 */
	};
	for (int i = 0; i < 5; i++)
		add_commit(store, i);
	/* A side branch: same position as c3, but a later commit. */
	struct revision side = {
		.oid = OID("77"), .parent = OID("02"), .position = 3, .time = 1800000000};
	MUST(store_add_revision(store, &side, &err));
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct run *run = simple_run(arena, rows[i].kernel, rows[i].commit, (double)i);
		run->variant = rows[i].variant;
		run->dtype = rows[i].dtype;
		run->device = rows[i].device;
		run->dirty = rows[i].dirty;
		add_run(store, run);
	}
	struct run *run = simple_run(arena, "mlp", 3, 6);
	run->commit = OID("77");
	add_run(store, run);
}

static const char *names_of(struct arena *arena, const struct store_run_list *runs)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < runs->count; i++)
		strbuf_addf(&sb, "%g", run_number(runs->items[i].run, METRIC_TOTAL_TIME));
	return strbuf_into(&sb, arena);
}

/* However many are asked for, they are the first of all. */
static void check_limits(struct store *store, struct arena *arena, struct run_query query,
			 const char *all)
{
	for (query.limit = 1; query.limit <= strlen(all) + 1; query.limit++) {
		struct store_run_list runs = read_runs(store, arena, query);
		const char *names = names_of(arena, &runs);
		size_t len = query.limit < strlen(all) ? query.limit : strlen(all);
		ck_assert_msg(strlen(names) == len && memcmp(names, all, len) == 0,
			      "%s: the first %zu are %s", all, query.limit, names);
	}
}

START_TEST(queries_filter_and_sort)
{
	static const struct {
		struct run_query query;
		const char *runs;
	} rows[] = {
		{{0}, "6254310"},
		{{.limit = 3}, "625"},
		{{.clean_only = true}, "625410"},
		{{.kernel = "mlp"}, "6410"},
		{{.kernel = "m?p", .variant = "v*"}, "410"},
		{{.kernel = "mla[0]"}, "2"},
		{{.kernel = "mla[*"}, "23"},
		{{.kernel = "MLP"}, ""},
		{{.kernel = "*"}, "6254310"},
		{{.variant = ""}, "6253"},
		{{.dtype = "fp*", .clean_only = true}, "25"},
		{{.device = "trn?", .limit = 2}, "62"},
		{{.commit = OID("01")}, "10"},
		{{.commit = OID("01"), .variant = "v3"}, "0"},
		{{.commit = "nowhere"}, ""},
		{{.id = ""}, "6254310"},
		{{.id = "not a hash"}, ""},
		{{.content = "abc"}, ""},
	};
	struct arena arena = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	fill_history(store, &arena);
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		struct store_run_list runs = read_runs(store, &arena, rows[i].query);
		ck_assert_msg(strcmp(names_of(&arena, &runs), rows[i].runs) == 0, "row %zu: %s", i,
			      names_of(&arena, &runs));
		if (!rows[i].query.limit)
			check_limits(store, &arena, rows[i].query, rows[i].runs);
	}
	struct run *run = simple_run(&arena, "mlp", 1, 0);
	run->variant = "v3";
	struct run_query query = {.series = run_series_key(&arena, run)};
	struct store_run_list runs = read_runs(store, &arena, query);
	ck_assert_str_eq(names_of(&arena, &runs), "40");
	check_limits(store, &arena, query, "40");
	query.kernel = "x";
	ck_assert_uint_eq(read_runs(store, &arena, query).count, 0);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* More runs than are sorted. Commits are added in random order; some share position and time. */
START_TEST(the_newest_of_many_are_the_first_of_all)
{
	enum { COMMITS = 31, RUNS = 2400 };
	static const size_t limits[] = {1, 7, 80, 1100, RUNS + 1};
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	MUST(store_begin(store, &err));
	for (int i = 0; i < COMMITS; i++) {
		int place_in_time = i * 7 % COMMITS / 3;
		struct revision revision = {.oid = arena_printf(&arena, "%040d", i),
					    .parent = "",
					    .position = place_in_time / 2,
					    .time = place_in_time};
		MUST(store_add_revision(store, &revision, &err));
	}
	for (int i = 0; i < RUNS; i++) {
		struct run *run =
			simple_run(&arena, i % 2 ? "odd" : "even", i * 13 % COMMITS, (double)i);
		run->dirty = i % 5 == 0;
		add_run(store, run);
	}
	MUST(store_commit(store, &err));
	const struct run_query queries[] = {
		{.limit = 0},
		{.clean_only = true},
		{.kernel = "o*"},
		{.kernel = "e*", .clean_only = true, .dtype = "bf16"},
		{.series = run_series_key(&arena, simple_run(&arena, "odd", 0, 0))},
	};
	for (size_t i = 0; i < COUNT_OF_ROWS(queries); i++) {
		struct run_query query = queries[i];
		struct store_run_list all = read_runs(store, &arena, query);
		for (size_t k = 0; k < COUNT_OF_ROWS(limits); k++) {
			query.limit = limits[k];
			struct store_run_list some = read_runs(store, &arena, query);
			ck_assert_uint_eq(some.count,
					  query.limit < all.count ? query.limit : all.count);
			for (size_t at = 0; at < some.count; at++)
				ck_assert_str_eq(some.items[at].id, all.items[at].id);
		}
	}
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(runs_are_found_by_hash)
{
	struct arena arena = {0};
	struct repository_path place;
	char id[65], content[65];
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	fill_history(store, &arena);
	const struct run *run = simple_run(&arena, "mlp", 3, 6);
	run_hash(run, false, content);
	struct store_run_list runs =
		read_runs(store, &arena, (struct run_query){.content = content});
	ck_assert_str_eq(names_of(&arena, &runs), "6");
	snprintf(id, sizeof id, "%s", runs.items[0].id);
	for (size_t len = 64; len >= 7; len--) {
		id[len] = 0;
		runs = read_runs(store, &arena, (struct run_query){.id = id});
		ck_assert_str_eq(names_of(&arena, &runs), "6");
	}
	runs = read_runs(store, &arena,
			 (struct run_query){.id = id, .content = content, .commit = OID("01")});
	ck_assert_uint_eq(runs.count, 0);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(a_twin_has_the_same_content_under_another_commit)
{
	static const struct {
		const char *content; /* NULL: that of the runs */
		const char *not_oid, *twin;
	} rows[] = {
		{NULL, OID("03"), OID("02")}, /* the last one stored */
		{NULL, OID("02"), OID("01")},
		{NULL, OID("01"), OID("02")},
		{"no hash", OID("01"), NULL},
	};
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	char content[65];
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	for (int i = 1; i <= 2; i++) {
		add_commit(store, i);
		add_run(store, simple_run(&arena, "k", i, 5));
		add_run(store, simple_run(&arena, "other", i, 6));
	}
	run_hash(simple_run(&arena, "k", 3, 5), false, content);
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		const char *twin = "untouched";
		MUST(store_twin(store, &arena, rows[i].content ? rows[i].content : content,
				rows[i].not_oid, &twin, &err));
		ck_assert_pstr_eq(twin, rows[i].twin);
	}
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(ancestors_are_found_along_first_parents)
{
	static const struct {
		const char *oid, *kernel;
		const char *ancestor; /* NULL: none */
		int age;
		bool truncated;
	} rows[] = {
		{OID("09"), "at-c3", OID("03"), 6, false},
		{OID("04"), "at-c3", OID("03"), 1, false},
		{OID("03"), "at-c3", NULL, 0, false},    /* not itself */
		{OID("09"), "dirty-c5", NULL, 0, false}, /* dirty runs do not count */
		{OID("09"), "dirty-c7-clean-c6", OID("06"), 3, false},
		{OID("09"), "nowhere", NULL, 0, false},
		{OID("00"), "at-c3", NULL, 0, false},
		{OID("29"), "at-c3", NULL, 0, true}, /* c20's parent is not stored */
		{OID("20"), "at-c3", NULL, 0, true},
	};
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	for (int i = 0; i < 30; i = i == 9 ? 20 : i + 1)
		add_commit(store, i);
	add_run(store, simple_run(&arena, "at-c3", 3, 1));
	struct run *run = simple_run(&arena, "dirty-c5", 5, 1);
	run->dirty = true;
	add_run(store, run);
	run = simple_run(&arena, "dirty-c7-clean-c6", 7, 1);
	run->dirty = true;
	add_run(store, run);
	add_run(store, simple_run(&arena, "dirty-c7-clean-c6", 6, 1));
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++) {
		const char *key = run_series_key(&arena, simple_run(&arena, rows[i].kernel, 0, 1));
		struct revision revision = {0};
		int64_t age = 0;
		bool found, truncated;
		MUST(store_ancestor_with_series(store, &arena, rows[i].oid, key, &revision, &age,
						&found, &truncated, &err));
		ck_assert_int_eq(found, rows[i].ancestor != NULL);
		ck_assert_int_eq(truncated, rows[i].truncated);
		ck_assert_int_eq(age, rows[i].age);
		ck_assert_pstr_eq(revision.oid, rows[i].ancestor);
	}
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(unknown_commits_are_errors)
{
	struct arena arena = {0};
	struct error err = {0};
	struct revision revision;
	struct repository_path place;
	int64_t age;
	bool found, truncated;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	ck_assert(!store_has_revision(store, OID("01")));
	ck_assert_int_eq(store_revision(store, &arena, OID("01"), &revision, &err), -1);
	ck_assert_int_eq(err.kind, ERR_REVISION);
	err.kind = ERR_NONE;
	ck_assert_int_eq(store_ancestor_with_series(store, &arena, OID("01"), "s", &revision, &age,
						    &found, &truncated, &err),
			 -1);
	ck_assert_int_eq(err.kind, ERR_REVISION);
	ck_assert_ptr_nonnull(strstr(err.text, "commit " OID("01") " is not in the store"));
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(a_commit_is_completed_and_never_emptied)
{
	static const struct revision rows[] = {
		{.oid = OID("03"), .parent = "", .time = 7},
		{.oid = OID("03"),
		 .tree = "t",
		 .patch_id = "p",
		 .parent = OID("01"),
		 .parents = OID("01") " " OID("02"),
		 .position = 5,
		 .time = 7,
		 .subject = "Why µ"},
		{.oid = OID("03"),
		 .tree = "",
		 .patch_id = NULL,
		 .parent = "",
		 .parents = "",
		 .position = 2,
		 .time = 7,
		 .subject = ""},
	};
	struct arena arena = {0};
	struct error err = {0};
	struct revision revision;
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++)
		MUST(store_add_revision(store, &rows[i], &err));
	MUST(store_revision(store, &arena, OID("03"), &revision, &err));
	ck_assert_str_eq(revision.tree, "t");
	ck_assert_str_eq(revision.patch_id, "p");
	ck_assert_str_eq(revision.parent, OID("01"));
	ck_assert_str_eq(revision.parents, OID("01") " " OID("02"));
	ck_assert_str_eq(revision.subject, "Why µ");
	ck_assert_int_eq(revision.position, 5);
	ck_assert_int_eq(revision.time, 7);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

/* An older program stored what a commit or a clock said. */
START_TEST(a_time_after_the_year_9999_is_its_last_second)
{
	static const int64_t last = 253402300799,
			     times[] = {0, last, last + 1, 99999999999999, INT64_MAX};
	struct arena arena = {0};
	struct error err = {0};
	struct store_run_list found = {0};
	struct baseline_list list = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	for (size_t i = 0; i < COUNT_OF_ROWS(times); i++) {
		char oid[65];
		struct revision revision;
		snprintf(oid, sizeof oid, "%040zu", i + 1);
		struct revision given = {.oid = oid, .parent = "", .time = times[i]};
		MUST(store_add_revision(store, &given, &err));
		MUST(store_set_baseline(store, "release", oid, times[i], true, &err));
		MUST(store_revision(store, &arena, oid, &revision, &err));
		ck_assert_int_eq(revision.time, times[i] < last ? times[i] : last);
	}
	struct run *run = simple_run(&arena, "mlp", 5, 6);
	run->ingested_at = last + 1;
	add_run(store, run);
	MUST(store_runs(store, &arena, &(struct run_query){.limit = 1}, &found, &err));
	ck_assert_int_eq(found.items[0].run->ingested_at, last);
	MUST(store_baselines(store, &arena, &list, &err));
	ck_assert_int_eq(list.items[0].set_at, last);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(baselines_are_set_moved_and_removed)
{
	struct arena arena = {0};
	struct error err = {0};
	struct baseline_list list;
	struct repository_path place;
	bool removed;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	MUST(store_set_baseline(store, "release", OID("01"), 10, false, &err));
	MUST(store_set_baseline(store, "main", OID("02"), 20, true, &err));
	MUST(store_set_baseline(store, "release", OID("03"), 30, false, &err));
	MUST(store_baselines(store, &arena, &list, &err));
	ck_assert_uint_eq(list.count, 2);
	ck_assert_str_eq(list.items[0].name, "main");
	ck_assert(list.items[0].pinned);
	ck_assert(!list.items[1].pinned);
	ck_assert_str_eq(list.items[1].oid, OID("03"));
	ck_assert_int_eq(list.items[1].set_at, 30);
	MUST(store_remove_baseline(store, "main", 40, &removed, &err));
	ck_assert(removed);
	MUST(store_remove_baseline(store, "main", 40, &removed, &err));
	ck_assert(!removed);
	MUST(store_baselines(store, &arena, &list, &err));
	ck_assert_uint_eq(list.count, 1);
	/* The latest row counts in every store, also if the clock went back. */
	MUST(store_set_baseline(store, "main", OID("01"), 35, false, &err));
	MUST(store_baselines(store, &arena, &list, &err));
	ck_assert_int_eq(list.items[0].set_at, 41);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

START_TEST(names_that_collide_stay_apart)
{
	struct arena arena = {0};
	struct repository_path place;
	place_make(&place);
	struct store *store = open_store(&place, STORE_CREATE);
	add_commit(store, 1);
	struct run *left = simple_run(&arena, "?", 1, 1), *right = simple_run(&arena, NULL, 1, 2);
	ck_assert_str_eq(run_series_key(&arena, left), run_series_key(&arena, right));
	add_run(store, left);
	add_run(store, right);
	struct store_run_list runs = read_runs(store, &arena, (struct run_query){0});
	same_run(right, runs.items[0].run);
	same_run(left, runs.items[1].run);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("store", a_run_comes_back_as_it_was, details_are_read_when_asked_for,
	  timelines_are_those_of_their_engines, details_are_completed, the_same_run_is_stored_once,
	  a_run_that_cannot_be_stored_leaves_nothing, queries_filter_and_sort,
	  the_newest_of_many_are_the_first_of_all, runs_are_found_by_hash,
	  a_twin_has_the_same_content_under_another_commit, ancestors_are_found_along_first_parents,
	  unknown_commits_are_errors, a_commit_is_completed_and_never_emptied,
	  a_time_after_the_year_9999_is_its_last_second, baselines_are_set_moved_and_removed,
	  names_that_collide_stay_apart)
