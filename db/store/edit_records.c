/*
 * The records of edits: a row of `edit`, and one of `edited_run` for each of its runs
 * (db/schema/0007_edits.sql). A damaged row costs its edit and no other: reading passes it over and
 * says so, undoing refuses the edit, and the repair of the store keeps what its runs still say.
 */
#include "base/hash/hash.h"
#include "db/store/store.h"
#include "db/store/internal.h"

static const char *const words[STORE_EDIT_KINDS] = {
	[STORE_EDIT_RM] = "rm",
	[STORE_EDIT_MV] = "mv",
	[STORE_EDIT_REPLACE] = "replace",
	[STORE_EDIT_AGAIN] = "again",
};

static const char its_row[] = "when and why it was made", its_list[] = "the list of its runs";

const char *store_edit_word(enum store_edit_kind kind)
{
	assert(kind < STORE_EDIT_KINDS);
	return words[kind];
}

static enum store_edit_kind kind_of(const char *word)
{
	int kind = 0;
	while (kind < STORE_EDIT_KINDS && strcmp(words[kind], word) != 0)
		kind++;
	return (enum store_edit_kind)kind;
}

int store_edit_refuse(struct store *store, const struct store_edit *edit, struct error *err)
{
	assert(edit->damage);
	return error_set(err, ERR_STORE,
			 "%s: the store is damaged: edit %lld: %s changed after it was stored; "
			 "`rooflog doctor --repair` repairs it, or keeps what is left of it",
			 sql_path(store->sql), (long long)edit->id, edit->damage);
}

/* --- writing --- */

int store_edit_put(struct store *store, const struct store_edit *edit, struct error *err)
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
	store_changes_edit(store, edit->id);
	return query_execute(&query, err);
}

int store_edit_add(struct store *store, struct store_edit *edit, struct error *err)
{
	if (store_next_row(store, "edit/last", INT64_MAX, &edit->id, err) < 0)
		return -1;
	return store_edit_put(store, edit, err);
}

int store_edit_record(struct store *store, int64_t edit, const struct edit_record *record,
		      struct error *err)
{
	struct seal seal = {0};
	struct query query = query_start(store->sql, "edit/run_add");
	query.seal = &seal;
	query_bind_integer(&query, edit);
	query_bind_text(&query, record->id);
	query_bind_integer(&query, record->effect);
	query_bind_integer(&query, record->series);
	query_bind_integer(&query, record->new_series);
	query_bind_seal(&query);
	return query_execute(&query, err);
}

/* --- reading --- */

/* Reads the present row; false if it is damaged, which is a fault of this copy of the query only.
 */
static bool read_edit(struct query row, struct arena *arena, struct store_edit *edit)
{
	struct seal seal = {0};
	*edit = (struct store_edit){.id = query_integer(&row)};
	row.at = 0;
	row.seal = &seal;
	struct store_edit found = {.id = query_integer(&row)};
	found.kind = kind_of(query_required_text(&row, arena));
	found.time = store_time_read(&row, STORE_TIME_UNKNOWN);
	found.undone_at = store_time_read(&row, 0);
	found.reason = query_text(&row, arena);
	query_check_seal(&row);
	if (row.fault || found.kind == STORE_EDIT_KINDS) {
		edit->damage = its_row;
		edit->time = STORE_TIME_UNKNOWN;
		return false;
	}
	*edit = found;
	return true;
}

static bool read_record(struct query row, struct arena *arena, int64_t *edit,
			struct edit_record *record)
{
	struct seal seal = {0};
	row.seal = &seal;
	*edit = query_integer(&row);
	record->id = query_required_text(&row, arena);
	record->effect = (enum store_effect)query_integer_within(&row, STORE_EFFECT_REMOVED,
								 STORE_EFFECT_RENAMED);
	record->series = query_integer(&row);
	record->new_series = query_integer(&row);
	query_check_seal(&row);
	return !row.fault;
}

int store_edit_records(struct store *store, struct arena *arena, struct store_edit *edit,
		       struct edit_record_list *list, struct error *err)
{
	struct query query = query_start(store->sql, "edit/runs");
	query_bind_integer(&query, edit->id);
	while (query_next(&query)) {
		struct edit_record record;
		int64_t id;
		if (read_record(query, arena, &id, &record))
			*arena_add(arena, list) = record;
		else if (!edit->damage)
			edit->damage = its_list;
	}
	return query_finish(&query, err);
}

/* Sets the kind to what the runs of the edit say; STORE_EDIT_KINDS: nothing. *any: it has runs. */
static int kind_by_runs(struct store *store, struct store_edit *edit, bool *any, struct error *err)
{
	struct arena scratch = {0};
	struct edit_record_list list = {0};
	struct store_edit same = {.id = edit->id};
	unsigned effects = 0;
	int failed = store_edit_records(store, &scratch, &same, &list, err);
	for (size_t i = 0; i < list.count; i++)
		effects |= 1u << list.items[i].effect;
	arena_free(&scratch);
	*any = effects || same.damage;
	if (!effects)
		edit->kind = STORE_EDIT_KINDS;
	else if (effects & 1u << STORE_EFFECT_RENAMED)
		edit->kind = STORE_EDIT_MV;
	else if (effects == 1u << STORE_EFFECT_REMOVED)
		edit->kind = STORE_EDIT_RM;
	else if (effects == 1u << STORE_EFFECT_ADDED)
		edit->kind = STORE_EDIT_AGAIN;
	else
		edit->kind = STORE_EDIT_REPLACE;
	return failed;
}

static int newest_first(const void *a, const void *b)
{
	const struct store_edit *x = a, *y = b;
	return (x->id < y->id) - (x->id > y->id);
}

/* Edits whose row is gone are found by their runs. */
static int read_edits(struct store *store, struct arena *arena, struct store_edit_list *list,
		      struct error *err)
{
	struct query query = query_start(store->sql, "edit/edits");
	while (query_next(&query))
		read_edit(query, arena, arena_add(arena, list));
	if (query_finish(&query, err) < 0)
		return -1;
	query = query_start(store->sql, "edit/lost");
	while (query_next(&query))
		*arena_add(arena, list) = (struct store_edit){
			.id = query_integer(&query), .time = STORE_TIME_UNKNOWN, .damage = its_row};
	if (query_finish(&query, err) < 0)
		return -1;
	array_sort(list->items, list->count, sizeof *list->items, newest_first);
	return 0;
}

int store_edits(struct store *store, struct arena *arena, unsigned kinds,
		struct store_edit_list *list, struct error *err)
{
	struct store_edit_list all = {0}, found = {0};
	if (read_edits(store, arena, &all, err) < 0)
		return -1;
	for (size_t i = 0; i < all.count; i++) {
		struct store_edit *edit = &all.items[i];
		bool any = true;
		if (edit->damage && kind_by_runs(store, edit, &any, err) < 0)
			return -1;
		if (kinds & 1u << edit->kind || (edit->kind == STORE_EDIT_KINDS && any))
			*arena_add(arena, &found) = *edit;
	}
	*list = found;
	return 0;
}

int store_last_edit(struct store *store, struct arena *arena, unsigned kinds,
		    struct store_edit *edit, bool *found, struct error *err)
{
	struct store_edit_list list;
	size_t at = 0;
	if (store_edits(store, arena, kinds, &list, err) < 0)
		return -1;
	while (at < list.count && list.items[at].undone_at)
		at++;
	*found = at < list.count;
	if (!*found)
		return 0;
	*edit = list.items[at];
	return edit->damage ? store_edit_refuse(store, edit, err) : 0;
}

/* --- the state of a run --- */

int store_run_state(struct store *store, const char *id, int64_t *row, int *state,
		    struct error *err)
{
	struct hash_bytes hash;
	*row = 0;
	*state = 0;
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

int store_find_run(struct store *store, const char *id, int64_t *row, bool *removed,
		   struct error *err)
{
	int state = 0;
	if (store_run_state(store, id, row, &state, err) < 0)
		return -1;
	*removed = (state & RUN_REMOVED) != 0;
	return 0;
}

/* --- the edit that removed a run --- */

static int find_edit(struct store *store, struct arena *arena, int64_t id, struct store_edit *edit,
		     struct error *err)
{
	*edit = (struct store_edit){.id = id, .damage = its_row};
	struct query query = query_start(store->sql, "edit/edit");
	query_bind_integer(&query, id);
	if (query_next(&query))
		read_edit(query, arena, edit);
	return query_finish(&query, err);
}

struct involved {
	int64_t edit;
	bool whole;
	struct edit_record record;
};
struct involved_list {
	struct involved *items;
	size_t count, capacity;
};

/* The newest edit in force; where none is, the newest one whose undoing removed the run. */
static int choose_removal(struct store *store, struct arena *arena,
			  const struct involved_list *list, struct store_edit *removal, bool *known,
			  struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct involved *one = &list->items[i];
		enum store_effect effect = one->record.effect;
		struct store_edit edit = {.damage = its_list};
		if (one->whole && effect == STORE_EFFECT_RENAMED)
			continue;
		if (one->whole && find_edit(store, arena, one->edit, &edit, err) < 0)
			return -1;
		if (edit.damage || !edit.undone_at) {
			*known = !edit.damage && effect == STORE_EFFECT_REMOVED;
			if (*known)
				*removal = edit;
			return 0;
		}
		if (effect == STORE_EFFECT_ADDED && !*known) {
			*removal = edit;
			*known = true;
		}
	}
	return 0;
}

int store_removal(struct store *store, struct arena *arena, const char *id, struct store_edit *edit,
		  bool *known, struct error *err)
{
	struct involved_list list = {0};
	struct query query = query_start(store->sql, "edit/of_run");
	query_bind_text(&query, id);
	while (query_next(&query)) {
		struct involved *one = arena_add(arena, &list);
		one->whole = read_record(query, arena, &one->edit, &one->record);
	}
	*known = false;
	if (query_finish(&query, err) < 0)
		return -1;
	return choose_removal(store, arena, &list, edit, known, err);
}

/* --- the repair of a store --- */

static int remove_record(struct verifying *v, const char *statement, const struct changed *changed,
			 size_t columns)
{
	struct error ignored;
	const struct sql_row name = {changed->row.cells, columns};
	struct query query = query_start(v->store->sql, statement);
	sql_row_bind(&query, &name);
	return query_execute(&query, &ignored);
}

bool store_edit_restore_run(struct verifying *v, const struct changed *changed)
{
	if (remove_record(v, "edit/run_remove", changed, 2) < 0)
		return false;
	store_verify_line(v, "edit %s: run %.10s is lost to it: undoing it leaves the run as it is",
			  changed->name, changed->oid);
	return true;
}

/* The edit counts as in force: undoing it once more changes nothing. */
static bool restore(struct verifying *v, struct store_edit *edit)
{
	struct error ignored;
	if (store_edit_put(v->store, edit, &ignored) < 0)
		return false;
	store_verify_line(v, "edit %lld: its date and reason are lost; it can be undone as before",
			  (long long)edit->id);
	return true;
}

/* After the runs of all edits. */
bool store_edit_restore(struct verifying *v, const struct changed *changed)
{
	struct error ignored;
	struct store_edit edit = {.id = strtoll(changed->name, NULL, 10),
				  .time = STORE_TIME_UNKNOWN};
	bool any;
	if (kind_by_runs(v->store, &edit, &any, &ignored) < 0)
		return false;
	if (edit.kind != STORE_EDIT_KINDS)
		return restore(v, &edit);
	if (remove_record(v, "edit/remove", changed, 1) < 0)
		return false;
	store_verify_line(v, "edit %s: it has no runs any more; its record is removed",
			  changed->name);
	return true;
}

int store_edits_restore_lost(struct verifying *v, struct error *err)
{
	struct store_edit_list lost = {0};
	struct query query = query_start(v->store->sql, "edit/lost");
	while (query_next(&query))
		*arena_add(v->arena, &lost) = (struct store_edit){.id = query_integer(&query),
								  .time = STORE_TIME_UNKNOWN};
	if (query_finish(&query, err) < 0)
		return -1;
	for (size_t i = 0; i < lost.count; i++) {
		struct store_edit *edit = &lost.items[i];
		bool any;
		if (kind_by_runs(v->store, edit, &any, err) < 0)
			return -1;
		if (v->repairer && edit->kind != STORE_EDIT_KINDS && restore(v, edit))
			continue;
		store_verify_line(v, "edit %lld: its date and reason are lost",
				  (long long)edit->id);
	}
	return 0;
}
