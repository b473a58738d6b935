/* Commits, and the baselines: names that point to commits. */

#include "db/store/store.h"
#include "db/store/internal.h"
#include "model/commits/commits.h"

/* Full ids separated by single spaces; "" is an empty list. */
static bool is_oid_list(const char *text)
{
	struct span rest = span_of(text);
	while (rest.ptr && text[0])
		if (!object_id_is_full(span_cut(&rest, ' ')))
			return false;
	return true;
}

static int damaged_oid(const struct query *query, struct error *err)
{
	return error_set(err, ERR_STORE, "%s: the store holds a damaged commit id",
			 sql_path(query->sql));
}

int store_object_id_read(struct query *query, struct arena *arena, const char **oid,
			 struct error *err)
{
	const char *text = query_required_text(query, arena);
	if (!object_id_is_full(span_of(text)))
		return damaged_oid(query, err);
	*oid = text;
	return 0;
}

int store_revision_read(struct query *query, struct arena *arena, struct revision *revision,
			struct error *err)
{
	if (store_object_id_read(query, arena, &revision->oid, err) < 0)
		return -1;
	revision->tree = query_text(query, arena);
	revision->patch_id = query_text(query, arena);
	revision->parent = query_text(query, arena);
	revision->parents = query_text(query, arena);
	revision->position = query_integer_within(query, -1, LAST_POSITION);
	revision->time = query_integer_within(query, 0, LAST_SECOND);
	revision->subject = query_text(query, arena);
	if (!revision->parent)
		revision->parent = "";
	if ((revision->parent[0] && !object_id_is_full(span_of(revision->parent))) ||
	    (revision->parents && !is_oid_list(revision->parents)))
		return damaged_oid(query, err);
	if (strcmp(revision->parent, revision->oid) != 0)
		return 0;
	return error_set(err, ERR_STORE,
			 "%s: the store holds a commit that is its own parent (%.10s)",
			 sql_path(query->sql), revision->oid);
}

int store_add_revision(struct store *store, const struct revision *revision, struct error *err)
{
	struct query query = query_start(store->sql, "revision/add");
	query_bind_text(&query, revision->oid);
	query_bind_text(&query, revision->tree);
	query_bind_text(&query, revision->patch_id);
	query_bind_text(&query, revision->parent);
	query_bind_text(&query, revision->parents);
	query_bind_integer(&query, revision->position);
	query_bind_integer(&query, revision->time);
	query_bind_text(&query, revision->subject);
	return query_execute(&query, err);
}

bool store_has_revision(struct store *store, const char *oid)
{
	struct error ignored;
	struct query query = query_start(store->sql, "revision/find");
	query_bind_text(&query, oid);
	bool found = query_next(&query);
	return query_finish(&query, &ignored) == 0 && found;
}

int store_revision_unknown(struct store *store, const char *oid, struct error *err)
{
	return error_set(err, ERR_REVISION,
			 "%s: the store does not know commit %s; ingest a profile of it first",
			 sql_path(store->sql), oid ? oid : "(none)");
}

int store_revision(struct store *store, struct arena *arena, const char *oid,
		   struct revision *revision, struct error *err)
{
	struct revision stored = {0};
	struct query query = query_start(store->sql, "revision/revision");
	query_bind_text(&query, oid);
	bool found = query_next(&query);
	if (found && store_revision_read(&query, arena, &stored, err) < 0)
		return query_abandon(&query);
	if (query_finish(&query, err) < 0)
		return -1;
	if (!found)
		return store_revision_unknown(store, oid, err);
	*revision = stored;
	return 0;
}

int store_ancestor_with_series(struct store *store, struct arena *arena, const char *oid,
			       const char *series, struct revision *revision, int64_t *age,
			       bool *found, bool *truncated, struct error *err)
{
	struct revision last = {0};
	bool has_runs = false;
	int64_t steps = 0;
	if (!store_has_revision(store, oid))
		return store_revision_unknown(store, oid, err);
	struct query query = query_start(store->sql, "revision/ancestor");
	query_bind_text(&query, oid);
	query_bind_text(&query, series);
	if (query_next(&query)) {
		has_runs = query_integer(&query) != 0;
		steps = query_integer(&query);
		if (store_revision_read(&query, arena, &last, err) < 0)
			return query_abandon(&query);
	}
	if (query_finish(&query, err) < 0)
		return -1;
	*found = has_runs;
	*truncated = !has_runs && last.parent && *last.parent;
	if (has_runs) {
		*revision = last;
		*age = steps;
	}
	return 0;
}

int store_set_baseline(struct store *store, const char *name, const char *oid, int64_t set_at,
		       bool pinned, struct error *err)
{
	struct query query = query_start(store->sql, "baseline/set");
	query_bind_text(&query, name);
	query_bind_text(&query, oid);
	query_bind_integer(&query, set_at);
	query_bind_integer(&query, pinned);
	return query_execute(&query, err);
}

int store_remove_baseline(struct store *store, const char *name, bool *removed, struct error *err)
{
	struct query query = query_start(store->sql, "baseline/remove");
	query_bind_text(&query, name);
	if (query_execute(&query, err) < 0)
		return -1;
	*removed = sql_changes(store->sql) > 0;
	return 0;
}

int store_baselines(struct store *store, struct arena *arena, struct baseline_list *list,
		    struct error *err)
{
	struct baseline_list found = {0};
	struct query query = query_start(store->sql, "baseline/baselines");
	while (query_next(&query)) {
		struct baseline *baseline = arena_add(arena, &found);
		baseline->name = query_required_text(&query, arena);
		if (store_object_id_read(&query, arena, &baseline->oid, err) < 0)
			return query_abandon(&query);
		baseline->set_at = query_integer_within(&query, 0, LAST_SECOND);
		baseline->pinned = query_integer(&query) != 0;
	}
	if (query_finish(&query, err) < 0)
		return -1;
	*list = found;
	return 0;
}
