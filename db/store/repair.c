/* Compares all that a store holds with its seals, and rebuilds what is derived from what is intact.
 */
#include "base/hash/hash.h"
#include "db/store/history_table.h"
#include "db/store/store.h"

enum { RUNS_AT_A_TIME = 256 };

struct verifying {
	struct store *store;
	struct arena *arena;
	const struct store_repairer *repairer; /* NULL: only look */
	struct store_verification found;
	size_t capacity;
	bool derived; /* something derived is damaged */
};

__attribute__((format(printf, 2, 3))) static void add_line(struct verifying *v, const char *format,
							   ...)
{
	struct strbuf sb = {0};
	va_list args;
	va_start(args, format);
	strbuf_vaddf(&sb, format, args);
	va_end(args);
	*arena_next(v->arena, v->found.lines, v->found.line_count, v->capacity) =
		strbuf_into(&sb, v->arena);
}

/* --- tables --- */

/* A row that was changed. */
struct changed {
	const char *name, *oid; /* the first two columns */
};
struct changed_list {
	struct changed *items;
	size_t count, capacity;
};

static int find_changed(struct verifying *v, const char *rows, struct changed_list *list,
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
		changed->name = query_any_text(&query, v->arena);
		changed->oid = query_any_text(&query, v->arena);
	}
	return query_finish(&query, err);
}

/* A commit is read from git again; its row keeps its number, so its runs stay with it. */
static bool restore_commit(struct verifying *v, const struct changed *changed)
{
	struct revision revision = {0};
	struct error ignored;
	return v->repairer && v->repairer->commit &&
	       v->repairer->commit(v->repairer->context, v->arena, changed->oid, &revision,
				   &ignored) == 0 &&
	       span_text_eq(revision.oid, changed->oid) &&
	       store_revision_put(v->store, strtoll(changed->name, NULL, 10), &revision,
				  &ignored) == 0;
}

static int verify_commits(struct verifying *v, struct error *err)
{
	struct changed_list list = {0};
	if (find_changed(v, "seal/revisions", &list, err) < 0)
		return -1;
	for (size_t i = 0; i < list.count; i++) {
		const struct changed *one = &list.items[i];
		if (restore_commit(v, one))
			v->found.restored++;
		else
			add_line(v, "commit %s (row %s): changed after it was stored", one->oid,
				 one->name);
	}
	return 0;
}

static int verify_table(struct verifying *v, const char *rows, const char *what, struct error *err)
{
	struct changed_list list = {0};
	if (find_changed(v, rows, &list, err) < 0)
		return -1;
	for (size_t i = 0; i < list.count; i++)
		add_line(v, "%s %s (%s): changed after it was stored", what, list.items[i].name,
			 list.items[i].oid);
	return 0;
}

static int verify_derived(struct verifying *v, const char *rows, struct error *err)
{
	struct changed_list list = {0};
	if (find_changed(v, rows, &list, err) < 0)
		return -1;
	v->derived |= list.count > 0;
	return 0;
}

static int verify_tables(struct verifying *v, struct error *err)
{
	if (verify_commits(v, err) < 0 || verify_table(v, "seal/series", "series", err) < 0 ||
	    verify_table(v, "seal/metrics", "metric", err) < 0 ||
	    verify_table(v, "seal/baselines", "baseline", err) < 0 ||
	    verify_table(v, "seal/edits", "edit", err) < 0 ||
	    verify_table(v, "seal/edited_runs", "run of edit", err) < 0 ||
	    verify_derived(v, "seal/history", err) < 0)
		return -1;
	return verify_derived(v, "seal/series_metrics", err);
}

/* --- runs --- */

static int set_aside(struct verifying *v, int64_t row, struct error *err)
{
	v->found.damaged++;
	if (!v->repairer)
		return 0;
	struct query query = query_start(v->store->sql, "run/set_aside");
	query_bind_integer(&query, row);
	return query_execute(&query, err);
}

static int verify_run(struct verifying *v, const struct store_run *stored,
		      const struct run_seals *seals, struct error *err)
{
	char content[65], stored_content[65];
	enum seal_part part = store_seals_differ(seals, SEAL_ROW, SEAL_REST);
	v->found.runs++;
	if (seals->set_aside) {
		v->found.set_aside++;
		add_line(v, "run %.10s at commit %.10s: set aside; ingest its file again",
			 stored->id, stored->revision.oid);
		return 0;
	}
	if (part != SEAL_PARTS) {
		add_line(v, "run %.10s at commit %.10s: %s changed after it was stored", stored->id,
			 stored->revision.oid, store_seals_part_name(part));
		return set_aside(v, stored->run->row, err);
	}
	run_hash(stored->run, false, content);
	hash_hex(seals->content, stored_content);
	v->found.same_content += strcmp(content, stored_content) == 0;
	return 0;
}

static int verify_range(struct verifying *v, const int64_t range[2], struct error *err)
{
	struct store_run_list runs = {0};
	struct run_seals *seals;
	struct arena scratch = {0};
	int failed = store_runs_range(v->store, &scratch, range, &runs, &seals, err);
	for (size_t i = 0; !failed && i < runs.count; i++)
		failed = verify_run(v, &runs.items[i], &seals[i], err);
	arena_free(&scratch);
	return failed;
}

static int verify_unreadable(struct verifying *v, int64_t row, const char *why, struct error *err)
{
	int64_t earlier = 0;
	struct query query = query_start(v->store->sql, "run/is_set_aside");
	query_bind_integer(&query, row);
	if (query_find(&query, &earlier, err) < 0)
		return -1;
	v->found.runs++;
	add_line(v, "run in row %lld: %s%s", (long long)row, earlier ? "set aside: " : "", why);
	v->found.set_aside += earlier != 0;
	return earlier ? 0 : set_aside(v, row, err);
}

/* Reads the runs of a range that cannot be read together one by one. */
static int verify_singly(struct verifying *v, const int64_t range[2], struct error *err)
{
	struct error why = {0};
	int64_t one[2] = {range[0], range[0]};
	while (store_next_run(v->store, &one[0], err) == 0) {
		if (one[0] == 0 || one[0] > range[1])
			return 0;
		one[1] = one[0];
		if (verify_range(v, one, &why) < 0) {
			if (verify_unreadable(v, one[0], why.text, err) < 0)
				return -1;
		}
		one[0]++;
	}
	return -1;
}

static int verify_runs(struct verifying *v, struct error *err)
{
	int64_t range[2] = {1, 0};
	while (store_next_run(v->store, &range[0], err) == 0) {
		struct error ignored;
		struct store_verification before = v->found;
		if (range[0] == 0)
			return 0;
		range[1] = range[0] + RUNS_AT_A_TIME - 1;
		if (verify_range(v, range, &ignored) < 0) {
			v->found = before;
			if (verify_singly(v, range, err) < 0)
				return -1;
		}
		range[0] = range[1] + 1;
	}
	return -1;
}

/* --- what is derived --- */

/* Damage: a row with an invalid length or series, or a commit with covered runs but without a row.
 */
static int find_damage(struct store *store, int64_t newest, bool *damaged, struct error *err)
{
	int64_t gone = 0;
	struct series_extent extent = {0};
	if (store_series_extent_read(store, &extent, err) < 0)
		return -1;
	struct query query = query_start(store->sql, "history/rows");
	while (query_next(&query))
		*damaged |= !store_history_row_is_whole(&query, extent.last_series);
	if (query_finish(&query, err) < 0)
		return -1;
	query = query_start(store->sql, "history/gone");
	query_bind_integer(&query, newest);
	if (query_find(&query, &gone, err) < 0)
		return -1;
	*damaged |= gone != 0;
	return 0;
}

/* Empties a damaged table; store_scope_end() fills it again. */
static int repair(struct store *store, bool *repaired, struct error *err)
{
	struct history_source source;
	struct arena scratch = {0};
	int failed = store_history_source_read(store, &scratch, &source, err);
	arena_free(&scratch);
	if (failed || find_damage(store, source.looked_at, repaired, err) < 0)
		return -1;
	if (!*repaired)
		return 0;
	return store_history_clear(store, err);
}

int store_repair(struct store *store, bool *repaired, struct error *err)
{
	bool done = false;
	if (store_scope_begin(store, err) < 0 ||
	    store_scope_end(store, repair(store, &done, err) < 0, err) < 0)
		return -1;
	*repaired = done;
	return 0;
}

/* --- all --- */

static int verify(struct verifying *v, struct error *err)
{
	if (v->repairer && sql_execute(v->store->sql, "REINDEX", err) < 0)
		return -1;
	if (verify_tables(v, err) < 0 || verify_runs(v, err) < 0)
		return -1;
	if (v->repairer)
		return store_history_clear(v->store, err);
	if (v->derived)
		add_line(v, "what is derived from the runs changed: `rooflog doctor --repair` "
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
