/*
 * Whether the rows that a query did not return are rightly missing. A seal shows that a row was
 * changed only to whoever reads the row. Compared with what was stored are:
 *   - commits and series: the seals of all of them and their indexes, before it is believed that
 *     one is not stored, or does not fit;
 *   - the runs of a commit: their sum, in its row of `history`;
 *   - the newest run that `history` covers ("mark").
 */
#include "db/store/history_table.h"

#include "base/hash/hash.h"
#include "base/text/text.h"

enum { MARK_BYTES = 8 };

uint64_t store_member(int64_t run, int64_t series, int64_t dirty)
{
	struct seal seal = {0};
	if (dirty >= RUN_SET_ASIDE)
		return 0;
	seal_add_integer(&seal, run);
	seal_add_integer(&seal, series);
	seal_add_integer(&seal, dirty);
	return (uint64_t)seal_value(&seal);
}

/* --- the mark --- */

int store_mark_read(struct store *store, struct mark *mark, struct error *err)
{
	struct query query = query_start(store->sql, "history/last");
	if (query_next(&query)) {
		size_t len;
		const unsigned char *bytes = query_bytes(&query, &len);
		struct seal seal = {0};
		seal_add_integer(&seal, 0);
		mark->looked_at = len == MARK_BYTES ? (int64_t)word_at(bytes) : len ? -1 : 0;
		if (len)
			seal_add_bytes(&seal, false, bytes, len);
		query.seal = &seal;
		if (!query_seal_fits(&query) && len)
			mark->looked_at = -1;
		mark->newest = query_integer(&query);
	}
	return query_finish(&query, err);
}

bool store_mark_is_invalid(const struct mark *mark)
{
	return mark->looked_at < 0 || mark->looked_at > mark->newest;
}

bool store_history_is_caught_up(struct store *store)
{
	struct error ignored;
	struct mark mark = {0};
	return store_mark_read(store, &mark, &ignored) == 0 && mark.looked_at == mark.newest;
}

/* --- commits and series --- */

/* Rows that are looked up by what identifies them. */
struct looked_up {
	const char *rows, *unfound; /* statements: all rows with their seals; one row that its index
				       does not find */
	const char *what;
	const char *remedy;
};

/* The first two columns name the row. */
static int refuse_row(struct query *query, const char *what, const char *problem, struct error *err)
{
	struct arena scratch = {0};
	query->at = 0;
	int64_t row = query_integer(query);
	error_set(err, ERR_STORE, "%s: the store is damaged: %s %.40s (row %lld) %s",
		  sql_path(query->sql), what, query_any_text(query, &scratch), (long long)row,
		  problem);
	arena_free(&scratch);
	return query_abandon(query);
}

/* Once is enough for a reader. A writer asks for rows that it is about to add, so a missing row
 * means nothing there. */
static int check_rows_of(struct store *store, const struct looked_up *table, bool *fit,
			 struct error *err)
{
	if (store->writes || *fit)
		return 0;
	struct query query = query_start(store->sql, table->rows);
	while (query_next(&query)) {
		struct seal seal = {0};
		query.seal = &seal;
		query_seal_columns(&query);
		if (!query_seal_fits(&query))
			return refuse_row(&query, table->what, table->remedy, err);
	}
	if (query_finish(&query, err) < 0)
		return -1;
	query = query_start(store->sql, table->unfound);
	if (query_next(&query))
		return refuse_row(
			&query, table->what,
			"is not in its index; `rooflog doctor --repair` rebuilds the index", err);
	*fit = true;
	return query_finish(&query, err);
}

/* Whether each commit that has runs is stored. */
static int find_lost_commit(struct store *store, struct error *err)
{
	int64_t row = 0;
	struct query query = query_start(store->sql, "history/lost");
	if (query_find(&query, &row, err) < 0)
		return -1;
	if (row == 0)
		return 0;
	return error_set(
		err, ERR_STORE,
		"%s: the store is damaged: the commit of row %lld, which has runs, is gone; "
		"restore the store from a copy",
		sql_path(store->sql), (long long)row);
}

int store_commits_check(struct store *store, struct error *err)
{
	static const struct looked_up commits = {
		"seal/revisions", "revision/unfound", "commit",
		"changed after it was stored; `rooflog doctor --repair` reads it from git again"};
	if (store->writes || store->commits_fit)
		return 0;
	if (find_lost_commit(store, err) < 0)
		return -1;
	return check_rows_of(store, &commits, &store->commits_fit, err);
}

int store_series_check(struct store *store, struct error *err)
{
	static const struct looked_up series = {
		"seal/series", "series/unfound", "series",
		"changed after it was stored; `rooflog doctor --repair` sets its runs aside"};
	return check_rows_of(store, &series, &store->series_fit, err);
}

/* --- the runs of a commit --- */

static int sum_members(struct store *store, int64_t revision, int64_t newest, uint64_t *sum,
		       struct error *err)
{
	struct query query = query_start(store->sql, "history/members");
	query_bind_integer(&query, revision);
	query_bind_integer(&query, newest);
	while (query_next(&query)) {
		int64_t run = query_integer(&query), series = query_integer(&query);
		*sum += store_member(run, series, query_integer_within(&query, 0, RUN_STATES - 1));
	}
	return query_finish(&query, err);
}

/* The hash of the run that a commit should have and does not; "" if its row is gone, too, or if it
 * is not among those that may serve as history. */
static int find_lost(struct store *store, int64_t revision, const struct history_entries *entries,
		     char id[65], struct error *err)
{
	id[0] = '\0';
	for (size_t i = 0; i < entries->count && !id[0]; i++) {
		struct query query = query_start(store->sql, "history/moved");
		query_bind_integer(&query, entries->items[i].run);
		query_bind_integer(&query, revision);
		query_bind_integer(&query, entries->items[i].series);
		size_t len = 0;
		if (query_next(&query)) {
			const unsigned char *hash = query_bytes(&query, &len);
			if (len == 32)
				hash_hex(hash, id);
		}
		if (query_finish(&query, err) < 0)
			return -1;
	}
	return 0;
}

static int refuse_members(struct store *store, int64_t revision, const char *oid,
			  const struct history_entries *entries, struct error *err)
{
	char id[65];
	if (find_lost(store, revision, entries, id, err) < 0)
		return -1;
	return error_set(err, ERR_STORE,
			 "%s: the store is damaged: commit %.10s has not the runs that were stored "
			 "for it (%s%.10s); `rooflog doctor` names what changed",
			 sql_path(store->sql), oid,
			 id[0] ? "it lacks run " : "one is missing, moved or too many", id);
}

int store_members_check(struct store *store, int64_t revision, const char *oid, struct error *err)
{
	struct arena scratch = {0};
	struct history_entries entries = {0};
	struct mark mark = {0};
	uint64_t sum = 0, expected = 0;
	int64_t *slot = &store->checked[(size_t)revision % CHECKED];
	if (*slot == revision)
		return 0;
	if (store_mark_read(store, &mark, err) < 0)
		return -1;
	if (mark.looked_at == 0 || store_mark_is_invalid(&mark))
		return 0; /* what is derived is rebuilt from all runs */
	if (sum_members(store, revision, mark.looked_at, &sum, err) < 0 ||
	    store_history_row_read(store, &scratch, revision, &expected, &entries, err) < 0) {
		arena_free(&scratch);
		return -1;
	}
	int failed = sum == expected ? 0 : refuse_members(store, revision, oid, &entries, err);
	arena_free(&scratch);
	if (!failed)
		*slot = revision;
	return failed;
}

/* Commits with their rowids, from the next columns of the query: a commit and its first parents, or
 * any (NULL). */
static int check_rows(struct store *store, struct query *query, const char *oid, struct error *err)
{
	char expected[65];
	if (oid)
		snprintf(expected, sizeof expected, "%s", oid);
	while (query_next(query)) {
		struct arena scratch = {0};
		struct revision revision = {0};
		int64_t row = query_integer(query);
		query->at = 0;
		int failed = store_revision_read(store, query, &scratch, &revision, err) < 0 ||
			     query->fault ||
			     (oid && store_revision_expect(store, &revision, expected, err) < 0) ||
			     store_members_check(store, row, revision.oid, err) < 0;
		if (!failed && oid)
			snprintf(expected, sizeof expected, "%s", revision.parent);
		arena_free(&scratch);
		if (failed && !query->fault)
			return query_abandon(query);
	}
	return query_finish(query, err);
}

int store_members_check_all(struct store *store, const struct revision *last, struct error *err)
{
	if (store->writes || store->members_fit)
		return 0;
	struct query query = query_start(store->sql, "revision/from");
	query_bind_integer(&query, last ? last->position : INT64_MIN);
	query_bind_integer(&query, last ? last->time : INT64_MIN);
	if (check_rows(store, &query, NULL, err) < 0)
		return -1;
	if (last)
		return store_commits_check(store, err);
	if (find_lost_commit(store, err) < 0)
		return -1;
	store->commits_fit = store->members_fit = true;
	return 0;
}

int store_members_check_path(struct store *store, const char *oid, int64_t steps, struct error *err)
{
	struct query query = query_start(store->sql, "revision/path");
	query_bind_text(&query, oid);
	query_bind_integer(&query, steps);
	return check_rows(store, &query, oid, err);
}
