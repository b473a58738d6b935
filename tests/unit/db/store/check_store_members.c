/* store: rows that are not where they were stored. Each question gets the answer that the whole
 * store gives, or an error that says what is damaged. */
#include "unit/store_fixture.h"

#include "db/sqlite/sqlite.h"

enum { COMMITS = 4, HEAD = COMMITS - 1 };

/* Commits 0 to 3 with the kernels a and b, b not at the last but one; a dirty run at the last. */
static void make_store(const struct repository_path *place, struct arena *arena)
{
	struct store *store = open_store(place, STORE_CREATE);
	for (int commit = 0; commit < COMMITS; commit++) {
		add_commit(store, commit);
		add_run(store, simple_run(arena, "a", commit, commit + 1));
		if (commit != HEAD - 1)
			add_run(store, simple_run(arena, "b", commit, commit + 9));
	}
	struct run *run = simple_run(arena, "a", HEAD, 5);
	run->dirty = true;
	add_run(store, run);
	store_close(store);
}

static int ask_runs(struct store *store, struct arena *arena, struct run_query query,
		    struct strbuf *answer, struct error *err)
{
	struct store_run_list runs = {0};
	if (store_runs(store, arena, &query, &runs, err) < 0)
		return -1;
	for (size_t i = 0; i < runs.count; i++)
		strbuf_addf(answer, "%.4s ", runs.items[i].id);
	return 0;
}

static int ask_history(struct store *store, struct arena *arena, struct strbuf *answer,
		       struct error *err)
{
	static const enum metric metrics[] = {METRIC_TOTAL_TIME};
	struct history_set set = {0};
	if (store_histories(store, arena, OID("03"), metrics, 1, &set, err) < 0)
		return -1;
	for (size_t i = 0; i < set.count; i++)
		for (size_t k = 0; k < set.items[i].run_count; k++)
			strbuf_addf(answer, "%g ", set.items[i].values[k]);
	return 0;
}

static int ask_ancestor(struct store *store, struct arena *arena, struct strbuf *answer,
			struct error *err)
{
	const char *series = run_series_key(arena, simple_run(arena, "b", 0, 0));
	struct revision revision;
	int64_t age = -1;
	bool found, truncated;
	if (store_ancestor_with_series(store, arena, OID("03"), series, &revision, &age, &found,
				       &truncated, err) < 0)
		return -1;
	strbuf_addf(answer, "%d %d", (int)age, truncated);
	return 0;
}

enum { QUESTIONS = 9 };

static int ask(struct store *store, struct arena *arena, int question, struct strbuf *answer,
	       struct error *err)
{
	const char *series = run_series_key(arena, simple_run(arena, "b", 0, 0));
	const struct run_query queries[] = {
		{.details = true},
		{.limit = 4},
		{.clean_only = true},
		{.kernel = "b"},
		{.commit = OID("03")},
		{.commit = OID("01"), .series = series},
		{.commit = OID("03"), .kernel = "a"},
	};
	if (question < 7)
		return ask_runs(store, arena, queries[question], answer, err);
	return (question == 7 ? ask_history : ask_ancestor)(store, arena, answer, err);
}

static const char *const damages[] = {
	/* runs of another commit, or of none */
	"UPDATE run SET revision_id = 77 WHERE id = 7",
	"UPDATE run SET revision_id = -1",
	"UPDATE run SET revision_id = 3 WHERE id = 3",
	"UPDATE run SET revision_id = 0 WHERE id = 4",
	/* of another series */
	"UPDATE run SET series_id = 1 WHERE series_id = 2",
	"UPDATE run SET series_id = 5 WHERE id = 4",
	/* without their numbers, or before all others */
	"UPDATE run SET id = 4000000000 WHERE id = 8",
	"UPDATE run SET id = 0 WHERE id = 8",
	"UPDATE run SET id = -1 WHERE id = 8",
	"UPDATE run SET id = -9223372036854775807 - 1 WHERE id = 8",
	/* hidden */
	"UPDATE run SET dirty = 2 WHERE id = 7",
	"UPDATE run SET dirty = 1 WHERE id = 6",
	"UPDATE run SET dirty = 0 WHERE id = 8",
	"DELETE FROM run WHERE id = 4",
	/* commits that are not found */
	("UPDATE revision SET oid = '" OID("77") "' WHERE id = 4"),
	("UPDATE revision SET oid = '" OID("77") "' WHERE id = 2"),
	"UPDATE revision SET oid = 1.5 WHERE id = 1",
	"UPDATE revision SET id = 77 WHERE id = 4",
	"UPDATE revision SET id = -77 WHERE id = 1",
	"UPDATE revision SET position = 0 WHERE id = 4",
	"DELETE FROM revision WHERE id = 3",
	/* series that are not found */
	"UPDATE series SET kernel = 'c' WHERE id = 2",
	"UPDATE series SET key = 'c' WHERE id = 2",
};

/* Entries of indexes, found by the text that they hold, in which one byte is changed. */
static const struct entry {
	const char *text;
	size_t at; /* the byte, from the start of the text; the rowid follows the text */
	unsigned char flip;
} entries[] = {
	{OID("03"), 0, 1},  {OID("03"), 39, 8}, {OID("02"), 39, 8}, {OID("01"), 5, 16},
	{OID("00"), 39, 8}, {OID("02"), 40, 1}, {OID("03"), 40, 8}, {"b///bf16", 0, 1},
};

/* Adds a line for each question that gets another answer, without a word. */
static size_t ask_all(const struct repository_path *place, struct arena *arena, const char *damage,
		      const struct strbuf *good, struct strbuf *wrong)
{
	size_t refused = 0;
	for (int i = 0; i < QUESTIONS; i++) {
		struct strbuf answer = {0};
		struct error err = {0};
		struct store *store = open_store(place, STORE_READ);
		bool failed = ask(store, arena, i, &answer, &err) < 0;
		if (failed ? err.kind != ERR_STORE || !strstr(err.text, "damage")
			   : strcmp(strbuf_text(&answer), strbuf_text(&good[i])) != 0)
			strbuf_addf(wrong, "%s: question %d: \"%s\", not \"%s\"\n", damage, i,
				    failed ? err.text : strbuf_text(&answer),
				    strbuf_text(&good[i]));
		refused += failed;
		strbuf_free(&answer);
		store_close(store);
	}
	return refused;
}

static void change_rows(const struct repository_path *place, const char *damage)
{
	struct error err = {0};
	struct store *store = open_store(place, STORE_WRITE);
	MUST(sql_execute(store->sql, "PRAGMA foreign_keys = OFF", &err));
	MUST(sql_execute(store->sql, damage, &err));
	store_close(store);
}

static void damage_one(const char *damage, const struct entry *entry, struct strbuf *wrong)
{
	struct arena arena = {0};
	struct error err = {0};
	struct strbuf good[QUESTIONS] = {0};
	struct repository_path place;
	place_make(&place);
	make_store(&place, &arena);
	struct store *store = open_store(&place, STORE_READ);
	for (int i = 0; i < QUESTIONS; i++)
		MUST(ask(store, &arena, i, &good[i], &err));
	store_close(store);
	if (entry)
		change_entry(&place, entry->text, strlen(entry->text), entry->at, entry->flip);
	else
		change_rows(&place, damage);
	if (ask_all(&place, &arena, damage, good, wrong) == 0)
		strbuf_addf(wrong, "%s: nothing is refused\n", damage);
	for (int i = 0; i < QUESTIONS; i++)
		strbuf_free(&good[i]);
	place_remove(&place);
	arena_free(&arena);
}

START_TEST(what_is_not_where_it_was_is_missed)
{
	struct strbuf wrong = {0};
	for (size_t i = 0; i < COUNT_OF_ROWS(damages); i++)
		damage_one(damages[i], NULL, &wrong);
	ck_assert_msg(wrong.len == 0, "%s", strbuf_text(&wrong));
	strbuf_free(&wrong);
}
END_TEST

START_TEST(what_an_index_does_not_find_is_missed)
{
	struct strbuf wrong = {0};
	for (size_t i = 0; i < COUNT_OF_ROWS(entries); i++) {
		char name[80];
		snprintf(name, sizeof name, "index, %s byte %zu ^ %d", entries[i].text,
			 entries[i].at, entries[i].flip);
		damage_one(name, &entries[i], &wrong);
	}
	ck_assert_msg(wrong.len == 0, "%s", strbuf_text(&wrong));
	strbuf_free(&wrong);
}
END_TEST

/* A commit that its index does not find is stored again; a repair joins the two. */
START_TEST(a_commit_stored_twice_is_joined)
{
	const struct entry entry = {OID("03"), 39, 8};
	struct arena arena = {0};
	struct error err = {0};
	struct repository_path place;
	struct store_verification found = {0};
	struct store_run_list runs = {0};
	const struct run_query of_commit = {.commit = OID("03")};
	const char *report;
	place_make(&place);
	make_store(&place, &arena);
	change_entry(&place, entry.text, strlen(entry.text), entry.at, entry.flip);
	struct store *store = open_store(&place, STORE_WRITE);
	add_commit(store, 3);
	add_run(store, simple_run(&arena, "c", 3, 7));
	MUST(store_verify(store, &arena, &no_git, &found, &err));
	ck_assert_uint_eq(found.damaged, 0);
	ck_assert_uint_eq(found.runs, 9);
	ck_assert_uint_eq(found.line_count, 1);
	ck_assert_msg(strstr(found.lines[0], "stored twice"), "%s", found.lines[0]);
	store_close(store);
	store = open_store(&place, STORE_READ);
	MUST(store_check(store, &arena, &report, &err));
	ck_assert_str_eq(report, "ok");
	MUST(store_runs(store, &arena, &of_commit, &runs, &err));
	ck_assert_uint_eq(runs.count, 4);
	store_close(store);
	place_remove(&place);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("store members", what_is_not_where_it_was_is_missed,
	  what_an_index_does_not_find_is_missed, a_commit_stored_twice_is_joined)
