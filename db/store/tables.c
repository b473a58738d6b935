/* Compares the tables that runs refer to with their seals, and puts right what can be: one flipped
 * bit by the seal, a commit by git, and what its other columns prove. */
#include "db/store/internal.h"

int store_find_changed(struct verifying *v, const char *rows, struct changed_list *list,
		       struct error *err)
{
	struct query query = query_start(v->store->sql, rows);
	while (query_next(&query)) {
		struct seal seal = {0};
		query.seal = &seal;
		query_seal_columns(&query);
		if (query_seal_fits(&query))
			continue;
		query.at = 0;
		struct changed *changed = arena_add(v->arena, list);
		changed->row = sql_row_copy(&query, v->arena); /* before the types change */
		changed->name = query_any_text(&query, v->arena);
		changed->oid = query_any_text(&query, v->arena);
	}
	return query_finish(&query, err);
}

/* Writes the row to where it was read; false if the table refuses it. */
static bool put_back(struct verifying *v, const char *statement, const struct changed *changed,
		     const struct sql_row *row)
{
	struct error ignored;
	struct query query = query_start(v->store->sql, statement);
	sql_row_bind(&query, row);
	query_bind_text(&query, changed->name);
	query_bind_text(&query, changed->oid);
	return query_execute(&query, &ignored) == 0 && sql_changes(v->store->sql) == 1;
}

static bool seal_again(struct verifying *v, const char *statement, const struct changed *changed)
{
	struct error ignored;
	struct query query = query_start(v->store->sql, statement);
	query_bind_integer(&query, sql_row_seal(&changed->row));
	query_bind_text(&query, changed->name);
	return query_execute(&query, &ignored) == 0;
}

/* --- commits --- */

/* One less than that of a child whose row is as it was stored; -1: there is none. */
static int64_t position_below_child(struct store *store, const char *oid)
{
	struct error ignored;
	int64_t found = -1;
	struct query query = query_start(store->sql, "revision/children");
	query_bind_text(&query, oid);
	while (found < 0 && query_next(&query)) {
		struct seal seal = {0};
		int64_t position = query_integer(&query);
		query.seal = &seal;
		query_seal_columns(&query);
		if (query_seal_fits(&query))
			found = position - 1;
	}
	return query_finish(&query, &ignored) == 0 ? found : -1;
}

/* A commit is read from git again; its row keeps its number, so its runs stay with it. Where git
 * computes no patch id, the stored one remains. */
static bool restore_commit(struct verifying *v, const struct changed *changed)
{
	enum { PATCH_ID = 3 };
	struct revision revision = {0};
	struct error ignored;
	const struct sql_cell *patch_id = &changed->row.cells[PATCH_ID];
	if (!v->repairer->commit ||
	    v->repairer->commit(v->repairer->context, v->arena, changed->oid, &revision, &ignored) <
		    0 ||
	    !span_text_eq(revision.oid, changed->oid))
		return false;
	if (revision.position < 0)
		revision.position = position_below_child(v->store, revision.oid);
	if (revision.position < 0)
		return false;
	if (!revision.patch_id[0] || !patch_id->len)
		revision.patch_id = patch_id->len ? (const char *)patch_id->text : "";
	if (store_revision_put(v->store, strtoll(changed->name, NULL, 10), &revision, &ignored) < 0)
		return false;
	v->found.restored++;
	return true;
}

/* --- series --- */

/* Whether the key is that of the other columns. */
static bool is_whole_series(struct store *store, struct arena *arena, int64_t row)
{
	struct error ignored;
	struct run *run = run_new(arena);
	sql_expect_seals(store->sql, false);
	int failed = store_series_read(store, &row, 1, &ignored);
	sql_expect_seals(store->sql, true);
	const struct series *series = failed ? NULL : store_series_find(store, row);
	if (!series)
		return false;
	store_series_identify(arena, series, run);
	return strcmp(run_series_key(arena, run), series->key) == 0;
}

static bool restore_series(struct verifying *v, const struct changed *changed)
{
	struct error ignored;
	int64_t row = strtoll(changed->name, NULL, 10);
	if (is_whole_series(v->store, v->arena, row))
		return seal_again(v, "seal/series_put", changed);
	v->store->series.count = 0;
	struct query query = query_start(v->store->sql, "series/remove_unused");
	query_bind_integer(&query, row);
	return query_execute(&query, &ignored) == 0 && sql_changes(v->store->sql) > 0;
}

/* --- all tables --- */

static bool restore_metric(struct verifying *v, const struct changed *changed)
{
	return metric_find(span_of(changed->oid)) != METRIC_COUNT &&
	       seal_again(v, "seal/metric_put", changed);
}

struct checked_table {
	const char *rows, *put;
	const char *what;
	bool (*restore)(struct verifying *v, const struct changed *changed);
	const char *advice; /* when all that fails */
	bool needed;        /* without each row, no run can be read */
};

/* What cannot be put back stays as it is, and is named by that. */
static bool mend(struct verifying *v, const struct checked_table *table,
		 const struct changed *changed)
{
	if (!v->repairer)
		return false;
	struct sql_row mended = sql_row_again(&changed->row, v->arena);
	if (sql_row_mend(&mended) && put_back(v, table->put, changed, &mended)) {
		v->found.mended++;
		return true;
	}
	return table->restore && table->restore(v, changed);
}

static int verify_table(struct verifying *v, const struct checked_table *table, struct error *err)
{
	struct changed_list list = {0};
	if (store_find_changed(v, table->rows, &list, err) < 0)
		return -1;
	for (size_t i = 0; i < list.count; i++) {
		const struct changed *one = &list.items[i];
		if (mend(v, table, one))
			continue;
		if (v->repairer && table->needed)
			return error_set(err, ERR_STORE,
					 "%s: %s %s (%s): changed after it was stored; %s",
					 sql_path(v->store->sql), table->what, one->name, one->oid,
					 table->advice);
		store_verify_line(v, "%s %s (%s): changed after it was stored%s%s", table->what,
				  one->name, one->oid, v->repairer ? "; " : "",
				  v->repairer ? table->advice : "");
	}
	return 0;
}

static int verify_derived(struct verifying *v, const char *rows, struct error *err)
{
	struct changed_list list = {0};
	if (store_find_changed(v, rows, &list, err) < 0)
		return -1;
	v->derived |= list.count > 0;
	return 0;
}

int store_verify_tables(struct verifying *v, struct error *err)
{
	static const struct checked_table tables[] = {
		{"seal/revisions", "mend/revision", "commit", restore_commit,
		 "fetch it (`git fetch --unshallow`) and repair again", false},
		{"seal/series", "mend/series", "series", restore_series,
		 "ingest the files of its runs again", false},
		{"seal/metrics", "mend/metric", "metric", restore_metric,
		 "restore the store from a copy, or update rooflog", true},
		{"seal/baselines", "mend/baseline", "baseline", NULL,
		 "set it again or remove it with `rooflog baseline`", false},
		{"seal/edited_runs", "mend/edited_run", "run of edit", store_edit_restore_run,
		 "restore the store from a copy", false},
		{"seal/edits", "mend/edit", "edit", store_edit_restore,
		 "restore the store from a copy", false},
	};
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (verify_table(v, &tables[i], err) < 0)
			return -1;
	if (store_edits_restore_lost(v, err) < 0)
		return -1;
	store_metric_keys_forget(v->store);
	if (store_find_changed(v, "seal/numbers", &v->numbers, err) < 0 ||
	    verify_derived(v, "seal/history", err) < 0)
		return -1;
	return verify_derived(v, "seal/series_metrics", err);
}
