/*
 * Edits of what is stored (db/schema/0007_edits.sql). Steps of alter():
 *   1. the runs are found and compared with their seals: what is damaged is not sealed again;
 *   2. the edit and its runs are recorded, and the runs get their new state;
 *   3. the runs are sealed again, and the rows of `history` of their commits are rebuilt.
 */
#include "db/store/store.h"

#include "base/hash/hash.h"
#include "db/store/history_table.h"
#include "db/store/internal.h"

static const char *const words[STORE_EDIT_KINDS] = {
	[STORE_EDIT_RM] = "rm",
	[STORE_EDIT_MV] = "mv",
	[STORE_EDIT_REPLACE] = "replace",
	[STORE_EDIT_AGAIN] = "again",
};

const char *store_edit_word(enum store_edit_kind kind)
{
	assert(kind < STORE_EDIT_KINDS);
	return words[kind];
}

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

static int put_state(struct store *store, const struct altering *one, struct error *err)
{
	struct query query = query_start(store->sql, "edit/put_state");
	query_bind_integer(&query, one->new_series);
	query_bind_integer(&query, state_after(one));
	query_bind_integer(&query, one->row);
	return query_execute(&query, err);
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

/* --- records --- */

static int put_edit(struct store *store, const struct store_edit *edit, struct error *err)
{
	struct seal seal = {0};
	struct query query = query_start(store->sql, "edit/put");
	query.seal = &seal;
	query_bind_integer(&query, edit->id);
	query_bind_text(&query, store_edit_word(edit->kind));
	query_bind_integer(&query, edit->time);
	query_bind_integer(&query, edit->undone_at);
	query_bind_text(&query, edit->reason);
	query_bind_seal(&query);
	return query_execute(&query, err);
}

static int record_run(struct store *store, int64_t edit, const struct altering *one,
		      struct error *err)
{
	struct seal seal = {0};
	struct query query = query_start(store->sql, "edit/run_add");
	query.seal = &seal;
	query_bind_integer(&query, edit);
	query_bind_text(&query, one->id);
	query_bind_integer(&query, one->effect);
	query_bind_integer(&query, one->series);
	query_bind_integer(&query, one->new_series);
	query_bind_seal(&query);
	return query_execute(&query, err);
}

static int record(struct store *store, const struct store_edit *what,
		  const struct altering_list *list, struct error *err)
{
	struct store_edit edit = *what;
	struct query query = query_start(store->sql, "edit/last");
	if (query_find(&query, &edit.id, err) < 0)
		return -1;
	edit.id++;
	if (put_edit(store, &edit, err) < 0)
		return -1;
	for (size_t i = 0; i < list->count; i++)
		if (record_run(store, edit.id, &list->items[i], err) < 0)
			return -1;
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
static int alter(struct store *store, struct arena *scratch, const struct store_edit *what,
		 struct altering_list *list, struct error *err)
{
	array_sort(list->items, list->count, sizeof *list->items, by_row);
	if (visit_ranges(store, list, check_range, err) < 0 ||
	    (what && record(store, what, list, err) < 0))
		return -1;
	for (size_t i = 0; i < list->count; i++)
		if (put_state(store, &list->items[i], err) < 0)
			return -1;
	if (visit_ranges(store, list, store_seals_put_range, err) < 0)
		return -1;
	return renew_histories(store, scratch, list, err);
}

static int alter_runs(struct store *store, struct arena *scratch, const struct store_edit *what,
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

int store_apply_edit(struct store *store, const struct store_edit *what,
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

static int rename_series(struct store *store, struct arena *scratch, const struct store_edit *what,
			 const struct store_series *series, const struct run *const *names,
			 size_t count, struct error *err)
{
	struct altering_list list = {0};
	for (size_t i = 0; i < count; i++)
		if (add_series(store, scratch, series[i].row, names[i], &list, err) < 0)
			return -1;
	return list.count ? alter(store, scratch, what, &list, err) : 0;
}

int store_rename(struct store *store, const struct store_edit *what,
		 const struct store_series *series, const struct run *const *names, size_t count,
		 struct error *err)
{
	struct arena scratch = {0};
	if (store_scope_begin(store, err) < 0)
		return -1;
	bool failed = rename_series(store, &scratch, what, series, names, count, err) < 0;
	arena_free(&scratch);
	return store_scope_end(store, failed, err);
}

/* --- reading --- */

static bool kind_of(const char *word, enum store_edit_kind *kind)
{
	for (int i = 0; i < STORE_EDIT_KINDS; i++)
		if (strcmp(words[i], word) == 0) {
			*kind = (enum store_edit_kind)i;
			return true;
		}
	return false;
}

int store_edits(struct store *store, struct arena *arena, unsigned kinds,
		struct store_edit_list *list, struct error *err)
{
	struct store_edit_list found = {0};
	struct query query = query_start(store->sql, "edit/edits");
	while (query_next(&query)) {
		struct seal seal = {0};
		struct store_edit edit = {0};
		query.seal = &seal;
		edit.id = query_integer(&query);
		if (!kind_of(query_required_text(&query, arena), &edit.kind))
			query_refuse(&query, "is not a kind of edit");
		edit.time = store_time_read(&query);
		edit.undone_at = store_time_read(&query);
		edit.reason = query_text(&query, arena);
		query_check_seal(&query);
		if (kinds & 1u << edit.kind)
			*arena_add(arena, &found) = edit;
	}
	if (query_finish(&query, err) < 0)
		return -1;
	*list = found;
	return 0;
}

/* A row of edited_run. */
struct recorded {
	const char *id;
	enum store_effect effect;
	int64_t series, new_series;
};
struct recorded_list {
	struct recorded *items;
	size_t count, capacity;
};

static int read_recorded(struct store *store, struct arena *arena, int64_t edit,
			 struct recorded_list *list, struct error *err)
{
	struct query query = query_start(store->sql, "edit/runs");
	query_bind_integer(&query, edit);
	while (query_next(&query)) {
		struct seal seal = {0};
		struct recorded *one = arena_add(arena, list);
		query.seal = &seal;
		query_integer(&query);
		one->id = query_required_text(&query, arena);
		one->effect = (enum store_effect)query_integer_within(&query, STORE_EFFECT_REMOVED,
								      STORE_EFFECT_RENAMED);
		one->series = query_integer(&query);
		one->new_series = query_integer(&query);
		query_check_seal(&query);
	}
	return query_finish(&query, err);
}

/* The row of the run with this id, and its state; 0: none. */
static int find_row(struct store *store, const char *id, int64_t *row, int *state,
		    struct error *err)
{
	struct hash_bytes hash;
	*row = 0;
	if (!hash_parse(id, &hash))
		return 0;
	struct query query = query_start(store->sql, "run/find");
	query_bind_bytes(&query, hash.byte, sizeof hash.byte);
	if (query_next(&query)) {
		*row = query_integer(&query);
		*state = (int)query_integer_within(&query, 0, RUN_STATES - 1);
	}
	return query_finish(&query, err);
}

static int identify(struct store *store, struct arena *arena, int64_t row,
		    const struct run **identity, struct error *err)
{
	struct run *run = run_new(arena);
	if (store_series_read(store, &row, 1, err) < 0)
		return -1;
	const struct series *series = store_series_find(store, row);
	if (series)
		store_series_identify(arena, series, run);
	*identity = run;
	return 0;
}

static int read_edited_run(struct store *store, struct arena *arena,
			   const struct recorded *recorded, struct store_edit *edit,
			   struct error *err)
{
	int64_t range[2];
	int state = 0;
	struct store_run_list runs = {0};
	if (find_row(store, recorded->id, &range[0], &state, err) < 0)
		return -1;
	range[1] = range[0];
	if (!range[0])
		return 0;
	if (store_runs_figures(store, arena, range, &runs, err) < 0)
		return -1;
	for (size_t i = 0; i < runs.count; i++) {
		struct store_edited_run *one =
			arena_next(arena, edit->runs, edit->count, edit->capacity);
		*one = (struct store_edited_run){.stored = runs.items[i],
						 .effect = recorded->effect,
						 .removed = (state & RUN_REMOVED) != 0};
		if (recorded->effect == STORE_EFFECT_RENAMED &&
		    (identify(store, arena, recorded->series, &one->was, err) < 0 ||
		     identify(store, arena, recorded->new_series, &one->is, err) < 0))
			return -1;
	}
	return 0;
}

int store_edit_runs(struct store *store, struct arena *arena, struct store_edit *edit,
		    struct error *err)
{
	struct recorded_list recorded = {0};
	if (read_recorded(store, arena, edit->id, &recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < recorded.count; i++)
		if (read_edited_run(store, arena, &recorded.items[i], edit, err) < 0)
			return -1;
	return 0;
}

int store_find_run(struct store *store, const char *id, int64_t *row, bool *removed,
		   struct error *err)
{
	int state = 0;
	if (find_row(store, id, row, &state, err) < 0)
		return -1;
	*removed = (state & RUN_REMOVED) != 0;
	return 0;
}

int store_last_edit(struct store *store, struct arena *arena, const char *id,
		    struct store_edit *edit, struct error *err)
{
	int64_t last = 0;
	struct store_edit_list list = {0};
	struct query query = query_start(store->sql, "edit/of_run");
	query_bind_text(&query, id);
	if (query_find(&query, &last, err) < 0 || store_edits(store, arena, ~0u, &list, err) < 0)
		return -1;
	*edit = (struct store_edit){0};
	for (size_t i = 0; i < list.count; i++)
		if (list.items[i].id == last)
			*edit = list.items[i];
	return 0;
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

/* A run that is not in the store any more, which no command does, is passed over. */
static int undo_runs(struct store *store, struct arena *scratch, int64_t edit, struct error *err)
{
	struct recorded_list recorded = {0};
	struct altering_list list = {0};
	if (read_recorded(store, scratch, edit, &recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < recorded.count; i++) {
		struct altering one = {.effect = reversed(recorded.items[i].effect)};
		int ignored = 0;
		if (find_row(store, recorded.items[i].id, &one.row, &ignored, err) < 0)
			return -1;
		if (!one.row)
			continue;
		if (read_state(store, &one, err) < 0)
			return -1;
		one.new_series =
			one.effect == STORE_EFFECT_RENAMED ? recorded.items[i].series : one.series;
		*arena_add(scratch, &list) = one;
	}
	return list.count ? alter(store, scratch, NULL, &list, err) : 0;
}

static int undo(struct store *store, struct arena *arena, unsigned kinds, int64_t now,
		struct store_edit *undone, struct error *err)
{
	struct arena scratch = {0};
	struct store_edit_list list = {0};
	if (store_edits(store, arena, kinds, &list, err) < 0)
		return -1;
	size_t at = 0;
	while (at < list.count && list.items[at].undone_at)
		at++;
	*undone = (struct store_edit){0};
	if (at == list.count)
		return 0;
	*undone = list.items[at];
	undone->undone_at = now;
	int failed =
		undo_runs(store, &scratch, undone->id, err) < 0 || put_edit(store, undone, err) < 0;
	arena_free(&scratch);
	return failed ? -1 : 0;
}

int store_undo(struct store *store, struct arena *arena, unsigned kinds, int64_t now,
	       struct store_edit *undone, bool *found, struct error *err)
{
	if (store_scope_begin(store, err) < 0)
		return -1;
	bool failed = undo(store, arena, kinds, now, undone, err) < 0;
	if (store_scope_end(store, failed, err) < 0)
		return -1;
	*found = undone->id != 0;
	return 0;
}
