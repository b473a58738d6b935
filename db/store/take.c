/* Takes what another store gave. */
#include "db/store/exchange.h"

#include "base/hash/hash.h"
#include "db/store/history_table.h"
#include "db/store/internal.h"

/* An edit that this store or another one has. */
struct merged_edit {
	struct store_edit edit;
	struct edit_record_list records;
	char digest[65]; /* SHA-256 of everything but undone_at */
};

struct store_intake {
	struct store *store;
	struct arena *arena;
	struct store_taken taken;
	struct merged_edit *edits;
	bool own_read; /* those of the store are among them */
	size_t edit_count, edit_capacity;
	struct store_texts touched; /* ids of runs that edits name, sorted before they are used */
	int64_t *revisions;         /* commits whose histories are to be renewed */
	size_t revision_count, revision_capacity;
};

struct store_intake *store_intake_new(struct arena *arena, struct store *store)
{
	struct store_intake *intake = arena_new(arena, struct store_intake);
	assert(!store->aliases);
	*intake = (struct store_intake){.store = store, .arena = arena};
	return intake;
}

/* --- commits and runs --- */

static int same_commit(struct store_intake *intake, const struct revision *commit, bool *same,
		       struct error *err)
{
	struct arena scratch = {0};
	struct revision stored = {0};
	*same = false;
	if (!store_has_revision(intake->store, commit->oid))
		return 0;
	int failed = store_revision(intake->store, &scratch, commit->oid, &stored, err);
	const char *const pairs[][2] = {{stored.tree, commit->tree},
					{stored.patch_id, commit->patch_id},
					{stored.parents, commit->parents},
					{stored.subject, commit->subject}};
	bool fuller = commit->position > stored.position;
	for (size_t i = 0; !failed && i < sizeof pairs / sizeof *pairs; i++)
		fuller = fuller || ((!pairs[i][0] || !*pairs[i][0]) && pairs[i][1] && *pairs[i][1]);
	*same = !fuller;
	arena_free(&scratch);
	return failed;
}

static int take_commit(void *context, const struct revision *commit, struct error *err)
{
	struct store_intake *intake = context;
	bool same;
	if (same_commit(intake, commit, &same, err) < 0)
		return -1;
	intake->taken.commits += !same;
	return same ? 0 : store_add_revision(intake->store, commit, err);
}

static int is_edited(struct store_intake *intake, const char *id, bool *edited, struct error *err)
{
	struct query query = query_start(intake->store->sql, "edit/of_run");
	query_bind_text(&query, id);
	*edited = query_next(&query);
	return query_finish(&query, err);
}

static int take_run(void *context, const struct exchanged_run *given, struct error *err)
{
	struct store_intake *intake = context;
	enum taken_how how;
	int64_t revision;
	if (store_run_take(intake->store, given, &how, &revision, err) < 0)
		return -1;
	intake->taken.runs += how == TAKEN_NEW;
	intake->taken.known += how == TAKEN_KNOWN || how == TAKEN_EARLIER;
	intake->taken.earlier += how == TAKEN_EARLIER;
	intake->taken.restored += how == TAKEN_RESTORED;
	/* Edits say what it is now; one that names the run may be here already. */
	bool edited = how == TAKEN_RESTORED;
	if (how == TAKEN_NEW && is_edited(intake, given->id, &edited, err) < 0)
		return -1;
	if (edited)
		*arena_next(intake->arena, intake->touched.items, intake->touched.count,
			    intake->touched.capacity) = arena_strdup(intake->arena, given->id);
	if (how == TAKEN_EARLIER)
		*arena_next(intake->arena, intake->revisions, intake->revision_count,
			    intake->revision_capacity) = revision;
	return 0;
}

int store_has_run(struct store *store, const char *id, bool *has, struct error *err)
{
	int64_t row = 0;
	int state = 0;
	if (store_run_state(store, id, &row, &state, err) < 0)
		return -1;
	*has = row && !(state & RUN_SET_ASIDE);
	return 0;
}

/* --- edits --- */

static int by_run(const void *a, const void *b)
{
	return strcmp(((const struct edit_record *)a)->id, ((const struct edit_record *)b)->id);
}

static const char *key_of(const struct store *store, int64_t series)
{
	const struct series *found = store_series_find(store, series);
	return found ? found->key : "";
}

/* Fields end with a zero byte, which no text has. */
static int digest(struct store *store, struct merged_edit *merged, struct error *err)
{
	struct strbuf sb = {0};
	struct sha256 sum;
	const struct edit_record_list *records = &merged->records;
	array_sort(records->items, records->count, sizeof *records->items, by_run);
	strbuf_addf(&sb, "%s %lld%c%s%c", store_edit_word(merged->edit.kind),
		    (long long)merged->edit.time, '\0',
		    merged->edit.reason ? merged->edit.reason : "", '\0');
	for (size_t i = 0; i < records->count; i++) {
		const struct edit_record *record = &records->items[i];
		const int64_t rows[2] = {record->series, record->new_series};
		if (store_series_read(store, rows, 2, err) < 0) {
			strbuf_free(&sb);
			return -1;
		}
		strbuf_addf(&sb, "%s %d%c%s%c%s%c", record->id, (int)record->effect, '\0',
			    key_of(store, rows[0]), '\0', key_of(store, rows[1]), '\0');
	}
	sha256_init(&sum);
	sha256_add(&sum, sb.buf, sb.len);
	sha256_hex(&sum, merged->digest);
	strbuf_free(&sb);
	return 0;
}

/* The edits that the store has. */
static int read_own(struct store_intake *intake, struct error *err)
{
	struct store_edit_list list = {0};
	struct store *store = intake->store;
	if (intake->own_read)
		return 0;
	if (store_edits(store, intake->arena, ~0u, &list, err) < 0)
		return -1;
	intake->own_read = true;
	for (size_t i = list.count; i-- > 0;) {
		struct merged_edit *merged = arena_next(intake->arena, intake->edits,
							intake->edit_count, intake->edit_capacity);
		*merged = (struct merged_edit){.edit = list.items[i]};
		if (store_edit_records(store, intake->arena, &merged->edit, &merged->records, err) <
		    0)
			return -1;
		if (merged->edit.damage || merged->edit.kind == STORE_EDIT_KINDS)
			return store_edit_refuse(store, &merged->edit, err);
		if (digest(store, merged, err) < 0)
			return -1;
	}
	return 0;
}

static struct merged_edit *find_edit(struct store_intake *intake, const char *digest_of_it)
{
	for (size_t i = 0; i < intake->edit_count; i++)
		if (strcmp(intake->edits[i].digest, digest_of_it) == 0)
			return &intake->edits[i];
	return NULL;
}

static void touch(struct store_intake *intake, const struct merged_edit *merged)
{
	struct store_texts *touched = &intake->touched;
	for (size_t i = 0; i < merged->records.count; i++)
		*arena_next(intake->arena, touched->items, touched->count, touched->capacity) =
			merged->records.items[i].id;
	intake->taken.edits++;
}

static int read_given(struct store_intake *intake, const struct exchanged_edit *given,
		      struct merged_edit *merged, struct error *err)
{
	struct arena *arena = intake->arena;
	*merged = (struct merged_edit){
		.edit = {.kind = given->kind,
			 .time = given->time,
			 .undone_at = given->undone_at,
			 .reason = given->reason ? arena_strdup(arena, given->reason) : NULL}};
	for (size_t i = 0; i < given->count; i++) {
		const struct exchanged_change *change = &given->changes[i];
		struct edit_record record = {.effect = change->effect};
		record.id = arena_strdup(arena, change->run);
		if (store_series_ensure(intake->store, change->was, &record.series, err) < 0 ||
		    store_series_ensure(intake->store, change->is, &record.new_series, err) < 0)
			return -1;
		*arena_add(arena, &merged->records) = record;
	}
	return digest(intake->store, merged, err);
}

static int take_edit(void *context, const struct exchanged_edit *given, struct error *err)
{
	struct store_intake *intake = context;
	struct merged_edit merged;
	if (read_own(intake, err) < 0)
		return -1;
	if (read_given(intake, given, &merged, err) < 0)
		return -1;
	if (merged.records.count == 0)
		return 0;
	struct merged_edit *own = find_edit(intake, merged.digest);
	if (!own) {
		*arena_next(intake->arena, intake->edits, intake->edit_count,
			    intake->edit_capacity) = merged;
		touch(intake, &merged);
		return 0;
	}
	int64_t undone = merged.edit.undone_at;
	if (undone && (!own->edit.undone_at || undone < own->edit.undone_at)) {
		own->edit.undone_at = undone;
		touch(intake, own);
	}
	return 0;
}

/* Edits of the same second stay in the order in which they came. */
static int by_time(const void *a, const void *b)
{
	const struct merged_edit *x = a, *y = b;
	if (x->edit.time != y->edit.time)
		return x->edit.time < y->edit.time ? -1 : 1;
	return (x->edit.id > y->edit.id) - (x->edit.id < y->edit.id);
}

static int write_edits(struct store_intake *intake, struct error *err)
{
	struct store *store = intake->store;
	for (size_t i = 0; i < intake->edit_count; i++)
		intake->edits[i].edit.id = (int64_t)i;
	array_sort(intake->edits, intake->edit_count, sizeof *intake->edits, by_time);
	struct query query = query_start(store->sql, "edit/clear_runs");
	if (query_execute(&query, err) < 0)
		return -1;
	query = query_start(store->sql, "edit/clear");
	if (query_execute(&query, err) < 0)
		return -1;
	for (size_t i = 0; i < intake->edit_count; i++) {
		struct merged_edit *merged = &intake->edits[i];
		merged->edit.id = (int64_t)i + 1;
		if (store_edit_put(store, &merged->edit, err) < 0)
			return -1;
		for (size_t k = 0; k < merged->records.count; k++)
			if (store_edit_record(store, merged->edit.id, &merged->records.items[k],
					      err) < 0)
				return -1;
	}
	return 0;
}

/* --- what edits make of runs --- */

/* What becomes of a run by all edits, in their order. */
struct outcome {
	bool removed, renamed;
	bool known; /* an edit in force decides whether it is removed */
	int64_t series;
};

static void follow(struct outcome *outcome, const struct store_edit *edit,
		   const struct edit_record *record)
{
	bool in_force = edit->undone_at == 0;
	if (record->effect == STORE_EFFECT_RENAMED) {
		if (in_force || !outcome->renamed)
			outcome->series = in_force ? record->new_series : record->series;
		outcome->renamed = true;
	} else if (in_force) {
		outcome->removed = record->effect == STORE_EFFECT_REMOVED;
		outcome->known = true;
	} else if (!outcome->known && record->effect == STORE_EFFECT_ADDED) {
		outcome->removed = true;
	}
}

static struct outcome outcome_of(const struct store_intake *intake, const char *id)
{
	struct outcome outcome = {0};
	const struct edit_record wanted = {.id = id};
	for (size_t i = 0; i < intake->edit_count; i++) {
		const struct edit_record_list *records = &intake->edits[i].records;
		const struct edit_record *record = bsearch(&wanted, records->items, records->count,
							   sizeof *records->items, by_run);
		if (record)
			follow(&outcome, &intake->edits[i].edit, record);
	}
	return outcome;
}

struct alterations {
	struct store_alteration *items;
	size_t count, capacity;
};

/* Adds what has to change for the run to be as its edits say. */
static int compare(struct store_intake *intake, const char *id, struct alterations *removals,
		   struct alterations *renamings, struct error *err)
{
	struct arena *arena = intake->arena;
	const struct outcome outcome = outcome_of(intake, id);
	int64_t row = 0, series = 0;
	bool removed = false;
	if (store_find_run(intake->store, id, &row, &removed, err) < 0)
		return -1;
	if (!row)
		return 0;
	struct query query = query_start(intake->store->sql, "edit/state");
	query_bind_integer(&query, row);
	if (query_find(&query, &series, err) < 0)
		return -1;
	if (removed != outcome.removed)
		*arena_add(arena, removals) = (struct store_alteration){
			row, outcome.removed ? STORE_EFFECT_REMOVED : STORE_EFFECT_ADDED, NULL};
	if (!outcome.renamed || outcome.series == series)
		return 0;
	if (store_series_read(intake->store, &outcome.series, 1, err) < 0)
		return -1;
	*arena_add(arena, renamings) = (struct store_alteration){
		row, STORE_EFFECT_RENAMED,
		store_series_stored(intake->store, arena, outcome.series)};
	return 0;
}

static int alter_runs(struct store_intake *intake, struct error *err)
{
	struct alterations removals = {0}, renamings = {0};
	const char **ids = intake->touched.items;
	size_t count = intake->touched.count;
	array_sort(ids, count, sizeof *ids, array_by_text);
	for (size_t i = 0; i < count; i++)
		if ((i == 0 || strcmp(ids[i], ids[i - 1]) != 0) &&
		    compare(intake, ids[i], &removals, &renamings, err) < 0)
			return -1;
	return store_alter(intake->store, removals.items, removals.count, err) < 0
		       ? -1
		       : store_alter(intake->store, renamings.items, renamings.count, err);
}

/* --- baselines --- */

static bool is_newer(const struct baseline *a, const struct baseline *b)
{
	if (a->set_at != b->set_at)
		return a->set_at > b->set_at;
	int order = strcmp(a->oid, b->oid);
	return order ? order > 0 : a->pinned > b->pinned;
}

static int take_baseline(void *context, const struct baseline *baseline, struct error *err)
{
	struct store_intake *intake = context;
	struct arena scratch = {0};
	struct baseline_list list = {0};
	bool older = false;
	int failed = store_baselines_all(intake->store, &scratch, &list, err);
	for (size_t i = 0; i < list.count; i++)
		older = older || (strcmp(list.items[i].name, baseline->name) == 0 &&
				  !is_newer(baseline, &list.items[i]));
	arena_free(&scratch);
	if (failed || older)
		return failed;
	intake->taken.baselines++;
	return store_put_baseline(intake->store, baseline, err);
}

struct store_taker store_intake_taker(struct store_intake *intake)
{
	return (struct store_taker){take_commit, take_run, take_edit, take_baseline, intake};
}

int store_intake_end(struct store_intake *intake, struct store_taken *taken, struct error *err)
{
	struct store *store = intake->store;
	if (intake->taken.edits && write_edits(intake, err) < 0)
		return -1;
	if (intake->touched.count && (read_own(intake, err) < 0 || alter_runs(intake, err) < 0))
		return -1;
	array_sort(intake->revisions, intake->revision_count, sizeof *intake->revisions,
		   array_by_int64);
	if (intake->revision_count &&
	    store_history_renew(store, intake->revisions, intake->revision_count, err) < 0)
		return -1;
	*taken = intake->taken;
	return 0;
}
