/* Gives all that a store holds, or what a transaction changed. */
#include "db/store/exchange.h"

#include "base/hash/hash.h"
#include "db/store/internal.h"

struct giving {
	struct store *store;
	const struct store_wish *wish;
	const struct store_taker *taker;
	size_t set_aside;
	int64_t ingest, number; /* that the last run has here, and everywhere */
};

static int give_commits(struct giving *giving, struct error *err)
{
	struct query query = query_start(giving->store->sql, "revision/all");
	while (query_next(&query)) {
		struct arena scratch = {0};
		struct revision revision = {0};
		int failed =
			store_revision_read(giving->store, &query, &scratch, &revision, err) < 0 ||
			giving->taker->commit(giving->taker->context, &revision, err) < 0;
		arena_free(&scratch);
		if (failed)
			return query_abandon(&query);
	}
	return query_finish(&query, err);
}

/* --- runs --- */

/* Older programs numbered an ingest by the rowid of its first run. Instead: the second of that run,
 * and as a fraction of it what its hash says. */
int store_ingest_number(struct store *store, const struct ingested *when, int64_t *number,
			struct error *err)
{
	enum { MICROSECONDS = 1000000 };
	int64_t time = when->time, fraction = when->ingest % MICROSECONDS;
	size_t len;
	*number = when->ingest;
	if (when->ingest <= 0 || when->ingest > RUN_LAST)
		return 0;
	struct query query = query_start(store->sql, "ingest/first");
	query_bind_integer(&query, when->ingest);
	if (query_next(&query)) {
		time = store_time_read(&query, 0);
		const unsigned char *hash = query_bytes(&query, &len);
		fraction = len >= 4 ? half_word_at(hash) % MICROSECONDS : fraction;
	}
	if (query_finish(&query, err) < 0)
		return -1;
	*number = time * MICROSECONDS + fraction;
	return 0;
}

static bool is_wanted(const struct giving *giving, const struct run *run,
		      const struct run_seals *seals)
{
	const struct store_wish *wish = giving->wish;
	return !wish->wants || (!seals->removed && wish->wants(wish->context, run));
}

static int give_run(void *context, const struct store_run *stored, const struct run_seals *seals,
		    struct error *err)
{
	struct giving *giving = context;
	struct run run = *stored->run;
	char content[65];
	if (seals->set_aside) {
		giving->set_aside++;
		return 0;
	}
	enum seal_part part = store_seals_differ(seals, SEAL_ROW, SEAL_REST);
	if (part != SEAL_PARTS)
		return store_seals_refuse(giving->store, stored->id, stored->revision.oid, part,
					  err);
	if (!is_wanted(giving, &run, seals))
		return 0;
	const struct ingested when = {run.ingested_at, run.ingest};
	if (run.ingest != giving->ingest &&
	    store_ingest_number(giving->store, &when, &giving->number, err) < 0)
		return -1;
	giving->ingest = run.ingest;
	run.ingest = giving->number;
	hash_hex(seals->content, content);
	const struct exchanged_run given = {&run, stored->id, content, seals->removed};
	return giving->taker->run(giving->taker->context, &given, err);
}

static int refuse_run(void *context, int64_t row, const char *why, struct error *err)
{
	struct giving *giving = context;
	int64_t set_aside = 0;
	struct query query = query_start(giving->store->sql, "run/is_set_aside");
	query_bind_integer(&query, row);
	if (query_find(&query, &set_aside, err) < 0)
		return -1;
	giving->set_aside += set_aside != 0;
	if (set_aside)
		return 0;
	return error_set(err, ERR_STORE,
			 "%s: run %lld cannot be read: %s; `rooflog doctor --repair` sets it aside",
			 sql_path(giving->store->sql), (long long)row, why);
}

/* --- edits and baselines --- */

/* Runs of an edit often share their series. */
struct identities {
	int64_t row[2];
	const struct run *run[2];
};

static int identify(struct giving *giving, struct arena *arena, struct identities *known,
		    const struct edit_record *record, struct error *err)
{
	const int64_t rows[2] = {record->series, record->new_series};
	for (size_t i = 0; i < 2; i++) {
		if (known->run[i] && known->row[i] == rows[i])
			continue;
		if (store_series_read(giving->store, &rows[i], 1, err) < 0)
			return -1;
		known->row[i] = rows[i];
		known->run[i] = store_series_stored(giving->store, arena, rows[i]);
	}
	return 0;
}

/* All runs of the edit, those that are set aside or that the store does not have included: an edit
 * is known by them. */
static int read_changes(struct giving *giving, struct arena *arena, struct store_edit *edit,
			struct exchanged_edit *given, struct error *err)
{
	struct identities known = {0};
	struct edit_record_list records = {0};
	if (store_edit_records(giving->store, arena, edit, &records, err) < 0)
		return -1;
	struct exchanged_change *changes = arena_array(arena, records.count, sizeof *changes);
	for (size_t i = 0; i < records.count; i++) {
		const struct edit_record *record = &records.items[i];
		if (identify(giving, arena, &known, record, err) < 0)
			return -1;
		changes[given->count++] = (struct exchanged_change){record->id, record->effect,
								    known.run[0], known.run[1]};
	}
	given->changes = changes;
	return 0;
}

static int give_edit(struct giving *giving, struct store_edit *edit, struct error *err)
{
	struct arena scratch = {0};
	struct exchanged_edit given = {.kind = edit->kind,
				       .time = edit->time,
				       .undone_at = edit->undone_at,
				       .reason = edit->reason};
	int failed = read_changes(giving, &scratch, edit, &given, err);
	if (!failed && (edit->damage || edit->kind == STORE_EDIT_KINDS))
		failed = store_edit_refuse(giving->store, edit, err);
	if (!failed)
		failed = giving->taker->edit(giving->taker->context, &given, err);
	arena_free(&scratch);
	return failed;
}

static int give_edits(struct giving *giving, struct arena *arena, struct error *err)
{
	struct store_edit_list edits = {0};
	if (store_edits(giving->store, arena, ~0u, &edits, err) < 0)
		return -1;
	for (size_t i = edits.count; i-- > 0;)
		if (give_edit(giving, &edits.items[i], err) < 0)
			return -1;
	return 0;
}

static int give_baselines(struct giving *giving, struct arena *arena, struct error *err)
{
	struct baseline_list list = {0};
	if (store_baselines_all(giving->store, arena, &list, err) < 0)
		return -1;
	for (size_t i = 0; i < list.count; i++)
		if (giving->taker->baseline(giving->taker->context, &list.items[i], err) < 0)
			return -1;
	return 0;
}

/* What this program does not know it would lose. */
static int check_known(struct store *store, struct error *err)
{
	struct metric_keys keys = {0};
	if (store_metric_keys_read(store, &keys, err) < 0)
		return -1;
	for (size_t i = 0; i < keys.count; i++)
		if (keys.metrics[i] == METRIC_COUNT)
			return error_set(err, ERR_STORE,
					 "%s: a newer rooflog stored a metric that this one does "
					 "not know; use that one",
					 sql_path(store->sql));
	return 0;
}

static int give(struct giving *giving, struct error *err)
{
	const struct run_visitor visitor = {give_run, refuse_run, giving};
	const struct store_taker *taker = giving->taker;
	struct store *store = giving->store;
	struct arena scratch = {0};
	assert(!store->aliases);
	int failed = check_known(store, err) < 0 || store_commits_check(store, err) < 0 ||
		     store_series_check(store, err) < 0 ||
		     (taker->commit && give_commits(giving, err) < 0);
	if (!failed && taker->run)
		failed = store_members_check_all(store, NULL, err) < 0 ||
			 store_runs_visit(store, EVERY_RUN, &visitor, err) < 0;
	if (!failed && taker->edit && !giving->wish->wants)
		failed = give_edits(giving, &scratch, err);
	if (!failed && taker->baseline && !giving->wish->wants)
		failed = give_baselines(giving, &scratch, err);
	arena_free(&scratch);
	return failed ? -1 : 0;
}

int store_give(struct store *store, const struct store_wish *wish, const struct store_taker *taker,
	       size_t *set_aside, struct error *err)
{
	struct giving giving = {.store = store, .wish = wish, .taker = taker};
	if (store_reading_begin(store, err) < 0)
		return -1;
	int failed = give(&giving, err);
	store_reading_end(store);
	if (failed)
		return -1;
	*set_aside = giving.set_aside;
	return 0;
}

/* --- what a transaction changed --- */

void store_publish_to(struct store *store, const struct store_publisher *publisher)
{
	assert(store->writes || !publisher->publish);
	store->publisher = *publisher;
}

const struct store_publisher *store_publisher_of(const struct store *store)
{
	return &store->publisher;
}

int store_changes_begin(struct store *store, struct error *err)
{
	if (!store->publisher.publish)
		return 0;
	struct query query = query_start(store->sql, "run/last");
	return query_find(&query, &store->changes.last_run, err);
}

static void note(struct store *store, struct store_texts *list, const char *text)
{
	if (store->publisher.publish)
		*arena_add(&store->changes.arena, list) = arena_strdup(&store->changes.arena, text);
}

void store_changes_commit(struct store *store, const char *oid)
{
	note(store, &store->changes.commits, oid);
}

void store_changes_baseline(struct store *store, const char *name)
{
	note(store, &store->changes.baselines, name);
}

void store_changes_edit(struct store *store, int64_t edit)
{
	struct store_changes *changes = &store->changes;
	if (store->publisher.publish)
		*arena_next(&changes->arena, changes->edits, changes->edit_count,
			    changes->edit_capacity) = edit;
}

void store_changes_kept(struct store *store)
{
	if (store->changes.published)
		store->publisher.kept(store->publisher.context);
	store_changes_forget(store);
}

void store_changes_forget(struct store *store)
{
	arena_free(&store->changes.arena);
	store->changes = (struct store_changes){0};
}

static bool has_text(const struct store_texts *list, const char *text)
{
	return list->count &&
	       bsearch(&text, list->items, list->count, sizeof *list->items, array_by_text);
}

static void sort_texts(struct store_texts *list)
{
	array_sort(list->items, list->count, sizeof *list->items, array_by_text);
}

/* Also the commits of the runs, which whoever reads them may not have. */
static int note_commits_of_runs(struct store *store, struct error *err)
{
	struct store_changes *changes = &store->changes;
	struct query query = query_start(store->sql, "revision/of_runs");
	query_bind_integer(&query, changes->last_run);
	while (query_next(&query)) {
		const char *oid = query_required_text(&query, &changes->arena);
		*arena_add(&changes->arena, &changes->commits) = oid;
	}
	return query_finish(&query, err);
}

/* A commit may have been noted more than once, and taken back by a scope that failed. */
static int give_changed_commits(struct giving *giving, struct error *err)
{
	struct store_texts *commits = &giving->store->changes.commits;
	if (note_commits_of_runs(giving->store, err) < 0)
		return -1;
	sort_texts(commits);
	for (size_t i = 0; i < commits->count; i++) {
		struct arena scratch = {0};
		struct revision revision = {0};
		int64_t row = 0;
		if (i && strcmp(commits->items[i], commits->items[i - 1]) == 0)
			continue;
		int failed = store_revision_row(giving->store, commits->items[i], &row, err);
		if (!failed && row)
			failed = store_revision(giving->store, &scratch, commits->items[i],
						&revision, err) < 0 ||
				 giving->taker->commit(giving->taker->context, &revision, err) < 0;
		arena_free(&scratch);
		if (failed)
			return -1;
	}
	return 0;
}

static int give_changed_edits(struct giving *giving, struct arena *arena, struct error *err)
{
	struct store_edit_list edits = {0};
	struct store_changes *changes = &giving->store->changes;
	if (!changes->edit_count)
		return 0;
	array_sort(changes->edits, changes->edit_count, sizeof *changes->edits, array_by_int64);
	if (store_edits(giving->store, arena, ~0u, &edits, err) < 0)
		return -1;
	for (size_t i = edits.count; i-- > 0;) {
		const int64_t *id = &edits.items[i].id;
		if (bsearch(id, changes->edits, changes->edit_count, sizeof *id, array_by_int64) &&
		    give_edit(giving, &edits.items[i], err) < 0)
			return -1;
	}
	return 0;
}

static int give_changed_baselines(struct giving *giving, struct arena *arena, struct error *err)
{
	struct baseline_list list = {0};
	struct store_texts *names = &giving->store->changes.baselines;
	if (!names->count)
		return 0;
	sort_texts(names);
	if (store_baselines_all(giving->store, arena, &list, err) < 0)
		return -1;
	for (size_t i = 0; i < list.count; i++)
		if (has_text(names, list.items[i].name) &&
		    giving->taker->baseline(giving->taker->context, &list.items[i], err) < 0)
			return -1;
	return 0;
}

int store_give_changes(struct store *store, const struct store_taker *taker, struct error *err)
{
	static const struct store_wish all = {NULL, NULL};
	struct giving giving = {.store = store, .wish = &all, .taker = taker};
	const struct run_visitor visitor = {give_run, refuse_run, &giving};
	struct arena scratch = {0};
	/* As in the file, not as readers call it. */
	const struct renaming_list *aliases = store->aliases;
	bool shown = store->shows_aliases;
	if (store_show_aliases(store, false, err) < 0)
		return -1;
	store->aliases = NULL;
	int failed = give_changed_commits(&giving, err) < 0 ||
		     store_runs_visit(store, store->changes.last_run + 1, &visitor, err) < 0 ||
		     give_changed_edits(&giving, &scratch, err) < 0 ||
		     give_changed_baselines(&giving, &scratch, err) < 0;
	store->aliases = aliases;
	if (!failed)
		failed = store_show_aliases(store, shown, err) < 0;
	arena_free(&scratch);
	return failed ? -1 : 0;
}

int store_changes_publish(struct store *store, struct error *err)
{
	const struct store_changes *changes = &store->changes;
	int64_t last_run = 0;
	if (!store->publisher.publish)
		return 0;
	struct query query = query_start(store->sql, "run/last");
	if (query_find(&query, &last_run, err) < 0)
		return -1;
	if (last_run <= changes->last_run &&
	    changes->commits.count + changes->edit_count + changes->baselines.count == 0)
		return 0;
	if (store->publisher.publish(store->publisher.context, store, err) < 0)
		return -1;
	store->changes.published = true;
	return 0;
}
