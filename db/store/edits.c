/*
 * Edits of what is stored (db/schema/0007_edits.sql). Steps of alter():
 *   1. the runs are found and compared with their seals: what is damaged is not sealed again;
 *   2. the edit and its runs are recorded (edit_records.c), and the runs get their new state;
 *   3. the runs are sealed again, and the rows of `history` of their commits are rebuilt.
 */
#include "db/store/store.h"

#include "base/hash/hash.h"
#include "db/store/history_table.h"
#include "db/store/internal.h"

/* A run with the state that it gets. */
struct altering {
	int64_t row, series, revision;
	int state; /* before: bits of run.dirty */
	enum store_effect effect;
	int64_t new_series;
	char id[65];
};

struct altering_list {
	struct altering *items;
	size_t count, capacity;
};

/* --- states --- */

static int read_state(struct store *store, struct altering *one, struct error *err)
{
	size_t len;
	struct query query = query_start(store->sql, "edit/state");
	query_bind_integer(&query, one->row);
	bool found = query_next(&query);
	if (found) {
		one->series = query_integer(&query);
		one->revision = query_integer(&query);
		one->state = (int)query_integer_within(&query, 0, RUN_STATES - 1);
		const void *hash = query_bytes(&query, &len);
		if (len == sizeof((struct hash_bytes *)NULL)->byte)
			hash_hex(hash, one->id);
		else
			query_refuse(&query, "is not a hash");
	}
	if (query_finish(&query, err) < 0)
		return -1;
	return found ? 0
		     : error_set(err, ERR_STORE, "%s: the store has no run in row %lld",
				 sql_path(store->sql), (long long)one->row);
}

static int state_after(const struct altering *one)
{
	if (one->effect == STORE_EFFECT_RENAMED)
		return one->state;
	return one->effect == STORE_EFFECT_REMOVED ? one->state | RUN_REMOVED
						   : one->state & ~RUN_REMOVED;
}

/* With one statement: one per run would take longer, the more runs there are, because of what
 * SQLite keeps to revert each. */
static int put_states(struct store *store, const struct altering_list *list, struct error *err)
{
	if (sql_execute(store->sql,
			"CREATE TEMP TABLE altered (id INTEGER PRIMARY KEY, series_id INTEGER, "
			"dirty INTEGER)",
			err) < 0)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		const struct altering *one = &list->items[i];
		struct query query = query_start(store->sql, "edit/altered");
		query_bind_integer(&query, one->row);
		query_bind_integer(&query, one->new_series);
		query_bind_integer(&query, state_after(one));
		if (query_execute(&query, err) < 0)
			return -1;
	}
	struct query query = query_start(store->sql, "edit/put_states");
	if (query_execute(&query, err) < 0)
		return -1;
	if (sql_changes(store->sql) != (int64_t)list->count)
		return error_set(err, ERR_STORE,
				 "%s: the store is damaged: %lld of %zu runs can be changed; "
				 "`rooflog doctor --repair` rebuilds its indexes",
				 sql_path(store->sql), (long long)sql_changes(store->sql),
				 list->count);
	return sql_execute(store->sql, "DROP TABLE temp.altered", err);
}

static int by_row(const void *a, const void *b)
{
	const struct altering *x = a, *y = b;
	return (x->row > y->row) - (x->row < y->row);
}

/* Calls `visit` for each range of runs with consecutive rowids. A run that is set aside has no
 * valid seal, and is left out. The list is sorted. */
typedef int visit_range(struct store *store, struct arena *scratch, const int64_t range[2],
			struct error *err);
static int visit_ranges(struct store *store, const struct altering_list *list, visit_range *visit,
			struct error *err)
{
	enum { AT_A_TIME = 256 };
	for (size_t at = 0, end; at < list->count; at = end) {
		const struct altering *items = list->items;
		end = at + 1;
		if (items[at].state & RUN_SET_ASIDE)
			continue;
		while (end < list->count && end - at < AT_A_TIME &&
		       items[end].row == items[end - 1].row + 1 &&
		       !(items[end].state & RUN_SET_ASIDE))
			end++;
		const int64_t range[2] = {items[at].row, items[end - 1].row};
		struct arena scratch = {0};
		int failed = visit(store, &scratch, range, err);
		arena_free(&scratch);
		if (failed)
			return -1;
	}
	return 0;
}

static int check_range(struct store *store, struct arena *scratch, const int64_t range[2],
		       struct error *err)
{
	struct store_run_list runs;
	struct run_seals *seals;
	if (store_runs_range(store, scratch, range, &runs, &seals, err) < 0)
		return -1;
	for (size_t i = 0; i < runs.count; i++) {
		enum seal_part part = store_seals_differ(&seals[i], SEAL_ROW, SEAL_REST);
		if (part != SEAL_PARTS)
			return store_seals_refuse(store, runs.items[i].id,
						  runs.items[i].revision.oid, part, err);
	}
	return 0;
}

static int record(struct store *store, struct store_edit *edit, const struct altering_list *list,
		  struct error *err)
{
	if (store_edit_add(store, edit, err) < 0)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		const struct altering *one = &list->items[i];
		const struct edit_record record = {one->id, one->effect, one->series,
						   one->new_series};
		if (store_edit_record(store, edit->id, &record, err) < 0)
			return -1;
	}
	return 0;
}

/* --- altering --- */

static int renew_histories(struct store *store, struct arena *scratch,
			   const struct altering_list *list, struct error *err)
{
	int64_t *revisions = arena_array(scratch, list->count, sizeof *revisions);
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++)
		revisions[i] = list->items[i].revision;
	array_sort(revisions, list->count, sizeof *revisions, array_by_int64);
	for (size_t i = 0; i < list->count; i++)
		if (i == 0 || revisions[i] != revisions[i - 1])
			revisions[count++] = revisions[i];
	return store_history_renew(store, revisions, count, err);
}

/* `what` is NULL when an edit is undone. */
static int alter(struct store *store, struct arena *scratch, struct store_edit *what,
		 struct altering_list *list, struct error *err)
{
	array_sort(list->items, list->count, sizeof *list->items, by_row);
	if (visit_ranges(store, list, check_range, err) < 0 ||
	    (what && record(store, what, list, err) < 0))
		return -1;
	if (put_states(store, list, err) < 0 ||
	    visit_ranges(store, list, store_seals_put_range, err) < 0)
		return -1;
	return renew_histories(store, scratch, list, err);
}

static int alter_runs(struct store *store, struct arena *scratch, struct store_edit *what,
		      const struct store_alteration *runs, size_t count, struct error *err)
{
	struct altering_list list = {0};
	for (size_t i = 0; i < count; i++) {
		struct altering *one = arena_add(scratch, &list);
		*one = (struct altering){.row = runs[i].row, .effect = runs[i].effect};
		if (read_state(store, one, err) < 0)
			return -1;
		one->new_series = one->series;
		if (runs[i].effect == STORE_EFFECT_RENAMED &&
		    store_series_ensure(store, runs[i].name, &one->new_series, err) < 0)
			return -1;
	}
	return alter(store, scratch, what, &list, err);
}

int store_alter(struct store *store, const struct store_alteration *runs, size_t count,
		struct error *err)
{
	struct arena scratch = {0};
	int failed = alter_runs(store, &scratch, NULL, runs, count, err);
	arena_free(&scratch);
	return failed;
}

int store_apply_edit(struct store *store, struct store_edit *what,
		     const struct store_alteration *runs, size_t count, struct error *err)
{
	struct arena scratch = {0};
	assert(count > 0);
	if (store_scope_begin(store, err) < 0)
		return -1;
	bool failed = alter_runs(store, &scratch, what, runs, count, err) < 0;
	arena_free(&scratch);
	return store_scope_end(store, failed, err);
}

static int add_series(struct store *store, struct arena *scratch, int64_t series,
		      const struct run *name, struct altering_list *list, struct error *err)
{
	int64_t new_series = 0;
	if (store_series_ensure(store, name, &new_series, err) < 0)
		return -1;
	struct query query = query_start(store->sql, "edit/rows_of_series");
	query_bind_integer(&query, series);
	while (query_next(&query)) {
		struct altering *one = arena_add(scratch, list);
		*one = (struct altering){.row = query_integer(&query),
					 .effect = STORE_EFFECT_RENAMED};
		if (read_state(store, one, err) < 0)
			return query_abandon(&query);
		one->new_series = new_series;
	}
	return query_finish(&query, err);
}

static int rename_series(struct store *store, struct arena *scratch, struct store_edit *what,
			 const struct store_series *series, const struct run *const *names,
			 size_t count, struct error *err)
{
	struct altering_list list = {0};
	for (size_t i = 0; i < count; i++)
		if (add_series(store, scratch, series[i].row, names[i], &list, err) < 0)
			return -1;
	return list.count ? alter(store, scratch, what, &list, err) : 0;
}

int store_rename(struct store *store, struct store_edit *what, const struct store_series *series,
		 const struct run *const *names, size_t count, struct error *err)
{
	struct arena scratch = {0};
	if (store_scope_begin(store, err) < 0)
		return -1;
	bool failed = rename_series(store, &scratch, what, series, names, count, err) < 0;
	arena_free(&scratch);
	return store_scope_end(store, failed, err);
}

/* --- undoing --- */

static enum store_effect reversed(enum store_effect effect)
{
	static const enum store_effect effects[] = {
		[STORE_EFFECT_REMOVED] = STORE_EFFECT_ADDED,
		[STORE_EFFECT_ADDED] = STORE_EFFECT_REMOVED,
		[STORE_EFFECT_RENAMED] = STORE_EFFECT_RENAMED,
	};
	return effects[effect];
}

/* Runs of an edit that were not found may be gone, which no command does, and are passed over, but
 * not those that only the index misses. `found` is how many were found. */
static int check_found(struct store *store, struct store_edit *edit, size_t records, size_t found,
		       struct error *err)
{
	int64_t stored = (int64_t)found;
	if (found == records)
		return 0;
	struct query query = query_start(store->sql, "edit/stored");
	query_bind_integer(&query, edit->id);
	if (query_find(&query, &stored, err) < 0)
		return -1;
	if (stored != (int64_t)found && !edit->damage)
		edit->damage = "the index of its runs";
	return 0;
}

static int undo_runs(struct store *store, struct arena *scratch, struct store_edit *edit,
		     struct error *err)
{
	struct edit_record_list records = {0};
	struct altering_list list = {0};
	if (store_edit_records(store, scratch, edit, &records, err) < 0)
		return -1;
	for (size_t i = 0; !edit->damage && i < records.count; i++) {
		const struct edit_record *record = &records.items[i];
		struct altering one = {.effect = reversed(record->effect)};
		int ignored;
		if (store_run_state(store, record->id, &one.row, &ignored, err) < 0)
			return -1;
		if (!one.row)
			continue;
		if (read_state(store, &one, err) < 0)
			return -1;
		one.new_series = one.effect == STORE_EFFECT_RENAMED ? record->series : one.series;
		*arena_add(scratch, &list) = one;
	}
	if (!edit->damage && check_found(store, edit, records.count, list.count, err) < 0)
		return -1;
	if (edit->damage)
		return store_edit_refuse(store, edit, err);
	return list.count ? alter(store, scratch, NULL, &list, err) : 0;
}

static int undo(struct store *store, struct arena *arena, unsigned kinds, int64_t now,
		struct store_edit *undone, bool *found, struct error *err)
{
	struct arena scratch = {0};
	if (store_last_edit(store, arena, kinds, undone, found, err) < 0)
		return -1;
	if (!*found)
		return 0;
	undone->undone_at = now;
	int failed = undo_runs(store, &scratch, undone, err) < 0 ||
		     store_edit_put(store, undone, err) < 0;
	arena_free(&scratch);
	return failed ? -1 : 0;
}

int store_undo(struct store *store, struct arena *arena, unsigned kinds, int64_t now,
	       struct store_edit *undone, bool *found, struct error *err)
{
	struct store_edit edit = {0};
	bool any = false;
	if (store_scope_begin(store, err) < 0)
		return -1;
	bool failed = undo(store, arena, kinds, now, &edit, &any, err) < 0;
	if (store_scope_end(store, failed, err) < 0)
		return -1;
	*undone = edit;
	*found = any;
	return 0;
}

/* --- the runs of an edit --- */

/* A run of an edit that is in the store. */
struct member {
	int64_t row;
	const struct edit_record *record;
	struct store_edited_run run;
};

static int by_member(const void *a, const void *b)
{
	const struct member *const *x = a, *const *y = b;
	return ((*x)->row > (*y)->row) - ((*x)->row < (*y)->row);
}

/* Reads runs with consecutive rowids, except damaged ones. */
static int read_range(struct store *store, struct arena *arena, struct member **members,
		      size_t count, struct error *err)
{
	const int64_t range[2] = {members[0]->row, members[count - 1]->row};
	struct store_run_list runs = {0};
	struct error why = {0};
	int failed = store_runs_figures(store, arena, range, &runs, &why);
	if (failed && !store_is_damage(store, &why)) {
		*err = why;
		return -1;
	}
	for (size_t i = 0; failed && count > 1 && i < count; i++)
		if (read_range(store, arena, members + i, 1, err) < 0)
			return -1;
	for (size_t i = 0; i < runs.count; i++)
		members[runs.items[i].run->row - range[0]]->run.stored = runs.items[i];
	return 0;
}

static int read_members(struct store *store, struct arena *arena, struct member *members,
			size_t count, struct error *err)
{
	enum { AT_A_TIME = 256 };
	struct member **sorted = arena_array(arena, count, sizeof *sorted);
	for (size_t i = 0; i < count; i++)
		sorted[i] = &members[i];
	array_sort(sorted, count, sizeof *sorted, by_member);
	for (size_t at = 0, end; at < count; at = end) {
		end = at + 1;
		while (end < count && end - at < AT_A_TIME &&
		       sorted[end]->row - 1 == sorted[end - 1]->row)
			end++;
		if (read_range(store, arena, sorted + at, end - at, err) < 0)
			return -1;
	}
	return 0;
}

static void add_members(struct arena *arena, const struct member *members, size_t count,
			struct store_edit *edit)
{
	for (size_t i = 0; i < count; i++)
		if (members[i].run.stored.run)
			*arena_next(arena, edit->runs, edit->count, edit->capacity) =
				members[i].run;
		else if (!edit->damage)
			edit->damage = "one of its runs";
}

/* What identifies the series before and after, by the names that are stored. Runs share it. */
static int identify(struct store *store, struct arena *arena, struct member *members, size_t count,
		    struct error *err)
{
	int64_t *rows = arena_array(arena, 2 * count, sizeof *rows);
	size_t wanted = 0, distinct = 0;
	for (size_t i = 0; i < count; i++)
		if (members[i].record->effect == STORE_EFFECT_RENAMED) {
			rows[wanted++] = members[i].record->series;
			rows[wanted++] = members[i].record->new_series;
		}
	if (!wanted)
		return 0;
	if (store_series_read(store, rows, wanted, err) < 0)
		return -1;
	array_sort(rows, wanted, sizeof *rows, array_by_int64);
	const struct run **identities = arena_array(arena, wanted, sizeof *identities);
	for (size_t i = 0; i < wanted; i++)
		if (i == 0 || rows[i] != rows[i - 1]) {
			rows[distinct] = rows[i];
			identities[distinct++] = store_series_stored(store, arena, rows[i]);
		}
	for (size_t i = 0; i < count; i++) {
		const struct edit_record *record = members[i].record;
		if (record->effect != STORE_EFFECT_RENAMED)
			continue;
		const int64_t *was =
			bsearch(&record->series, rows, distinct, sizeof *rows, array_by_int64);
		const int64_t *is =
			bsearch(&record->new_series, rows, distinct, sizeof *rows, array_by_int64);
		assert(was && is);
		members[i].run.was = identities[was - rows];
		members[i].run.is = identities[is - rows];
	}
	return 0;
}

int store_edit_runs(struct store *store, struct arena *arena, struct store_edit *edit,
		    struct error *err)
{
	struct edit_record_list records = {0};
	size_t found = 0, count = 0;
	if (store_edit_records(store, arena, edit, &records, err) < 0)
		return -1;
	struct member *members = arena_array(arena, records.count, sizeof *members);
	for (size_t i = 0; i < records.count; i++) {
		struct member *one = &members[count];
		int state;
		*one = (struct member){.record = &records.items[i],
				       .run = {.effect = records.items[i].effect}};
		if (store_run_state(store, records.items[i].id, &one->row, &state, err) < 0)
			return -1;
		one->run.removed = (state & RUN_REMOVED) != 0;
		found += one->row != 0;
		/* A damaged run that was set aside is known to be: the edit is as it was. */
		count += one->row != 0 && !(state & RUN_SET_ASIDE);
	}
	if (check_found(store, edit, records.count, found, err) < 0 ||
	    read_members(store, arena, members, count, err) < 0 ||
	    identify(store, arena, members, count, err) < 0)
		return -1;
	add_members(arena, members, count, edit);
	return 0;
}

int store_foresee_rename(struct store *store, struct arena *arena, struct store_edit *edit,
			 const struct store_series *series, const struct run *const *names,
			 size_t count, struct error *err)
{
	struct {
		struct member *items;
		size_t count, capacity;
	} found = {0};
	for (size_t i = 0; i < count; i++) {
		struct query query = query_start(store->sql, "edit/rows_of_series");
		query_bind_integer(&query, series[i].row);
		while (query_next(&query)) {
			struct member *one = arena_add(arena, &found);
			one->row = query_integer(&query);
			one->run.removed =
				query_integer_within(&query, 0, RUN_STATES - 1) & RUN_REMOVED;
			one->run.effect = STORE_EFFECT_RENAMED;
			one->run.was = series[i].stored ? series[i].stored : series[i].identity;
			one->run.is = names[i];
		}
		if (query_finish(&query, err) < 0)
			return -1;
	}
	if (read_members(store, arena, found.items, found.count, err) < 0)
		return -1;
	add_members(arena, found.items, found.count, edit);
	return edit->damage ? error_set(err, ERR_STORE,
					"%s: the store is damaged: a run of the series changed "
					"after it was stored; `rooflog doctor` names it, and "
					"`rooflog doctor --repair` sets it aside",
					sql_path(store->sql))
			    : 0;
}
