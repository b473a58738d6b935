/* Compares all that a store holds with its seals, and rebuilds what is derived from what is intact.
 */
#include "db/store/internal.h"
#include "base/hash/hash.h"
#include "db/store/history_table.h"
#include "db/store/store.h"

void store_verify_line(struct verifying *v, const char *format, ...)
{
	struct strbuf sb = {0};
	va_list args;
	va_start(args, format);
	strbuf_vaddf(&sb, format, args);
	va_end(args);
	*arena_next(v->arena, v->found.lines, v->found.line_count, v->capacity) =
		strbuf_into(&sb, v->arena);
}

/* --- runs --- */

static int set_aside(struct verifying *v, int64_t row, struct error *err)
{
	v->found.damaged++;
	return v->repairer ? store_run_set_aside(v->store, row, err) : 0;
}

/* Looks for a state in which the run is as it was stored: the state was changed, or its commit was
 * read again since it was set aside. */
static int find_state(struct verifying *v, int64_t row, int64_t *state, bool *found,
		      struct error *err)
{
	static const int64_t states[] = {0, RUN_DIRTY, RUN_REMOVED, RUN_REMOVED | RUN_DIRTY};
	*found = false;
	for (size_t i = 0; !*found && i < sizeof states / sizeof *states; i++) {
		*state = states[i];
		if (store_run_fits(v->store, row, *state, found, err) < 0)
			return -1;
	}
	return 0;
}

/* A repairer gives the run this state. */
static int mend_state(struct verifying *v, int64_t row, bool *found, struct error *err)
{
	int64_t state;
	if (find_state(v, row, &state, found, err) < 0)
		return -1;
	if (!*found || !v->repairer)
		return 0;
	v->found.mended++;
	struct query query = query_start(v->store->sql, "mend/run");
	query_bind_integer(&query, state);
	query_bind_integer(&query, row);
	return query_execute(&query, err);
}

/* Older programs stored any number. */
static void verify_bounds(struct verifying *v, const struct store_run *stored)
{
	struct error why;
	if (run_check_bounds(stored->run, &why) == 0)
		return;
	v->found.out_of_bounds++;
	store_verify_line(v,
			  "run %.10s at commit %.10s: %s; such values are skipped by verdicts, "
			  "and `rooflog rm` removes the run",
			  stored->id, stored->revision.oid, why.text);
}

static int verify_damaged(struct verifying *v, const struct store_run *stored,
			  const struct run_seals *seals, struct error *err)
{
	enum seal_part part = store_seals_differ(seals, SEAL_ROW, SEAL_REST);
	bool fits = false;
	if (mend_state(v, stored->run->row, &fits, err) < 0)
		return -1;
	if (fits && v->repairer)
		return 0;
	if (fits) {
		v->found.damaged++;
		store_verify_line(v, "run %.10s at commit %.10s: its state changed", stored->id,
				  stored->revision.oid);
		return 0;
	}
	if (seals->set_aside) {
		v->found.set_aside++;
		store_verify_line(v, "run %.10s at commit %.10s: set aside; ingest its file again",
				  stored->id, stored->revision.oid);
		return 0;
	}
	store_verify_line(v, "run %.10s at commit %.10s: %s changed after it was stored",
			  stored->id, stored->revision.oid, store_seals_part_name(part));
	return set_aside(v, stored->run->row, err);
}

/* The numbers of a run have a seal of their own, too, for those who read them alone. */
static int verify_numbers(struct verifying *v, const struct store_run *stored, struct error *err)
{
	for (size_t i = 0; i < v->numbers.count; i++) {
		const struct changed *numbers = &v->numbers.items[i];
		if (strtoll(numbers->name, NULL, 10) != stored->run->row)
			continue;
		if (!v->repairer) {
			store_verify_line(v,
					  "run %.10s at commit %.10s: the checksum of its "
					  "numbers changed",
					  stored->id, stored->revision.oid);
			continue;
		}
		v->found.mended++;
		struct query query = query_start(v->store->sql, "seal/numbers_put");
		query_bind_integer(&query, sql_row_seal(&numbers->row));
		query_bind_integer(&query, stored->run->row);
		if (query_execute(&query, err) < 0)
			return -1;
	}
	return 0;
}

static int verify_run(void *context, const struct store_run *stored, const struct run_seals *seals,
		      struct error *err)
{
	struct verifying *v = context;
	char content[65], stored_content[65];
	v->found.runs++;
	if (seals->set_aside || store_seals_differ(seals, SEAL_ROW, SEAL_REST) != SEAL_PARTS)
		return verify_damaged(v, stored, seals, err);
	run_hash(stored->run, false, content);
	hash_hex(seals->content, stored_content);
	v->found.same_content += strcmp(content, stored_content) == 0;
	verify_bounds(v, stored);
	return verify_numbers(v, stored, err);
}

static int verify_unreadable(void *context, int64_t row, const char *why, struct error *err)
{
	struct verifying *v = context;
	int64_t earlier = 0;
	bool fits = false;
	if (mend_state(v, row, &fits, err) < 0)
		return -1;
	v->found.runs++;
	if (fits && v->repairer)
		return 0;
	struct query query = query_start(v->store->sql, "run/is_set_aside");
	query_bind_integer(&query, row);
	if (query_find(&query, &earlier, err) < 0)
		return -1;
	store_verify_line(v, "run in row %lld: %s%s", (long long)row, earlier ? "set aside: " : "",
			  why);
	v->found.set_aside += earlier != 0;
	return earlier ? 0 : set_aside(v, row, err);
}

/* --- all --- */

/* Parts of runs that belong to no run any more would be in the way of the next one with the number.
 */
static int remove_orphans(struct verifying *v, struct error *err)
{
	static const char *const parts[] = {"value",  "engine",    "tally",     "throttle",
					    "core",   "tensor",    "attribute", "note",
					    "spread", "timelines", "numbers"};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		char statement[96];
		snprintf(statement, sizeof statement,
			 "DELETE FROM %s WHERE run_id NOT IN (SELECT id FROM run)", parts[i]);
		if (sql_execute(v->store->sql, statement, err) < 0)
			return -1;
	}
	return 0;
}

/* --- what is stored twice, because its index did not find it --- */

struct twin {
	int64_t first, other; /* rows */
	const char *name;
};
struct twin_list {
	struct twin *items;
	size_t count, capacity;
};

struct twin_kind {
	const char *find, *move, *remove; /* statements; `move` NULL: nothing refers to the rows */
	const char *what, *outcome;
};
/* Commits are first: what is intact of a run depends on its commit. A run's seal has the id of the
 * commit, not its row. */
enum { TWIN_COMMITS, TWIN_FILES, TWIN_RUNS, TWIN_KINDS };
static const struct twin_kind twin_kinds[TWIN_KINDS] = {
	[TWIN_COMMITS] = {"mend/twins", "mend/move_runs", "mend/remove_commit", "commit",
			  "its runs are together again"},
	[TWIN_FILES] = {"mend/file_twins", "mend/move_files", "mend/remove_file", "file",
			"one of the two is removed"},
	[TWIN_RUNS] = {"mend/run_twins", NULL, "run/remove", "run", "one of the two is removed"},
};

static int find_twins(struct verifying *v, const struct twin_kind *kind, struct twin_list *list,
		      struct error *err)
{
	struct query query = query_start(v->store->sql, kind->find);
	while (query_next(&query)) {
		struct twin *twin = arena_add(v->arena, list);
		twin->first = query_integer(&query);
		twin->other = query_integer(&query);
		twin->name = query_any_text(&query, v->arena);
	}
	return query_finish(&query, err);
}

/* The first row stays, unless it is a damaged run and the other one is intact. */
static int choose_run(struct verifying *v, struct twin *twin, struct error *err)
{
	int64_t ignored;
	bool first = false, other = false;
	if (find_state(v, twin->first, &ignored, &first, err) < 0 ||
	    (!first && find_state(v, twin->other, &ignored, &other, err) < 0))
		return -1;
	if (other)
		*twin = (struct twin){twin->other, twin->first, twin->name};
	return 0;
}

static int join_twins(struct verifying *v, const struct twin_kind *kind, const struct twin *twin,
		      struct error *err)
{
	struct query query;
	if (kind->move) {
		query = query_start(v->store->sql, kind->move);
		query_bind_integer(&query, twin->first);
		query_bind_integer(&query, twin->other);
		if (query_execute(&query, err) < 0)
			return -1;
	}
	query = query_start(v->store->sql, kind->remove);
	query_bind_integer(&query, twin->other);
	if (query_execute(&query, err) < 0)
		return -1;
	v->found.mended++;
	store_verify_line(v, "%s %.10s: stored twice; %s", kind->what, twin->name, kind->outcome);
	return 0;
}

static int join_all_twins(struct verifying *v, struct error *err)
{
	for (size_t kind = 0; kind < TWIN_KINDS; kind++) {
		struct twin_list list = {0};
		if (find_twins(v, &twin_kinds[kind], &list, err) < 0)
			return -1;
		for (size_t i = 0; i < list.count; i++)
			if ((kind == TWIN_RUNS && choose_run(v, &list.items[i], err) < 0) ||
			    join_twins(v, &twin_kinds[kind], &list.items[i], err) < 0)
				return -1;
	}
	return 0;
}

/* SQLite refuses to build an index over rows that are stored twice. */
static int reindex(struct verifying *v, struct error *err)
{
	if (sql_execute(v->store->sql, "REINDEX", err) == 0)
		return 0;
	sql_expect_entries(v->store->sql, false);
	int failed = join_all_twins(v, err);
	sql_expect_entries(v->store->sql, true);
	return failed ? -1 : sql_execute(v->store->sql, "REINDEX", err);
}

static int verify(struct verifying *v, struct error *err)
{
	if (v->repairer && reindex(v, err) < 0)
		return -1;
	const struct run_visitor visitor = {verify_run, verify_unreadable, v};
	if (store_verify_tables(v, err) < 0 ||
	    store_runs_visit(v->store, EVERY_RUN, &visitor, err) < 0)
		return -1;
	if (v->repairer)
		return remove_orphans(v, err) < 0 ? -1 : store_history_clear(v->store, err);
	if (v->derived)
		store_verify_line(
			v, "what is derived from the runs changed: `rooflog doctor --repair` "
			   "rebuilds it");
	return 0;
}

int store_verify(struct store *store, struct arena *arena, const struct store_repairer *repairer,
		 struct store_verification *found, struct error *err)
{
	struct verifying v = {.store = store, .arena = arena, .repairer = repairer};
	int failed;
	assert(!repairer || store->writes);
	if (repairer) {
		if (store_scope_begin(store, err) < 0)
			return -1;
		failed = store_scope_end(store, verify(&v, err) < 0, err);
	} else {
		if (store_reading_begin(store, err) < 0)
			return -1;
		failed = verify(&v, err);
		store_reading_end(store);
	}
	if (failed)
		return -1;
	*found = v.found;
	return 0;
}

/* --- the tables that runs refer to: one flipped bit is put right by the seal, a commit by git, and
 * others by what their other columns prove --- */

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
