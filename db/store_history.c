/*
 * The history of every series along one chain: the entries of the table `history`, sorted by series
 * and then, in memory that is used again for each, into the chain's order. Headlines are in the
 * entries; any other metric costs one search a run.
 */
#include <math.h>
#include <string.h>

#include "db/history_blocks.h"
#include "db/store.h"
#include "db/store_internal.h"

enum { SERIES_ROWS = 1 << 24 }; /* more than any store has; guards a damaged file */

/* Where a commit stands in the chain. */
struct place {
	int64_t row;
	uint32_t steps;
};

/* A run of the series that is being put together. */
struct record {
	int64_t row;
	uint32_t commit;
	uint32_t entry;
};

enum { OFF_CHAIN = UINT32_MAX };
enum presence { NOT_ASKED, ABSENT, PRESENT };

struct loading {
	struct store *store;
	struct arena *arena, scratch;
	struct history_set set;
	struct metric_keys keys;
	struct place *places; /* sorted by row */
	size_t guess;         /* runs that follow each other are of the same or the next commit */
	struct history_entries entries;
	uint32_t *commits; /* of each entry, as in struct history_run, or OFF_CHAIN */
	int64_t *wanted;   /* the stored key of each metric; -1: no run has it */
	double **searched; /* of each metric, by entry; NULL: there are headlines only */
	uint32_t *order;   /* entries on the chain, by series, each series in ingest order */
	size_t *starts;    /* of each series in `order`, by row; one more than series_limit */
	size_t series_limit;
	struct record *records;
	size_t record_count, record_room;
};

static int by_row(const void *a, const void *b)
{
	int64_t left = ((const struct place *)a)->row, right = ((const struct place *)b)->row;
	return (left > right) - (left < right);
}

/* Each commit once: what follows would take a circle of parents for a history. */
static int sort_places(struct loading *loading, struct error *err)
{
	qsort(loading->places, loading->set.chain_count, sizeof *loading->places, by_row);
	for (size_t i = 1; i < loading->set.chain_count; i++)
		if (loading->places[i].row == loading->places[i - 1].row)
			return error_set(err, ERR_STORE,
					 "%s: the store holds commits that are their own "
					 "ancestors",
					 sql_path(loading->store->sql));
	return 0;
}

static int read_chain(struct loading *loading, const char *oid, struct error *err)
{
	struct history_set *set = &loading->set;
	struct arena *arena = loading->arena;
	size_t capacity = 0, place_capacity = 0;
	struct query query = query_start(loading->store->sql, "chain");
	query_bind_text(&query, oid);
	while (query_next(&query)) {
		set->chain = arena_grow(arena, set->chain, set->chain_count, &capacity,
					sizeof *set->chain);
		loading->places = arena_grow(&loading->scratch, loading->places, set->chain_count,
					     &place_capacity, sizeof *loading->places);
		loading->places[set->chain_count] =
			(struct place){query_integer(&query), (uint32_t)set->chain_count};
		if (revision_read(&query, arena, &set->chain[set->chain_count++], err) < 0)
			return query_abandon(&query);
	}
	if (query_finish(&query, err) < 0)
		return -1;
	if (set->chain_count == 0)
		return revision_unknown(loading->store, oid, err);
	set->truncated = set->chain[set->chain_count - 1].parent[0] != '\0';
	return sort_places(loading, err);
}

/* False when the commit is not on the chain. */
static bool find_place(struct loading *loading, int64_t row, uint32_t *steps)
{
	const struct place *places = loading->places;
	size_t low = 0, high = loading->set.chain_count, guess = loading->guess;
	for (size_t i = guess; i < high && i < guess + 2; i++)
		if (places[i].row == row) {
			loading->guess = i;
			*steps = places[i].steps;
			return true;
		}
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (places[middle].row < row)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == loading->set.chain_count || places[low].row != row)
		return false;
	loading->guess = low;
	*steps = places[low].steps;
	return true;
}

static void find_commits(struct loading *loading)
{
	const struct history_entries *entries = &loading->entries;
	loading->commits = arena_array(&loading->scratch, entries->count, sizeof *loading->commits);
	for (size_t i = 0; i < entries->count; i++)
		if (!find_place(loading, entries->items[i].revision, &loading->commits[i]))
			loading->commits[i] = OFF_CHAIN;
}

/* Counts, adds up, and puts every entry of the chain where its series is. */
static int sort_entries(struct loading *loading, struct error *err)
{
	const struct history_entries *entries = &loading->entries;
	size_t limit = 0, *starts;
	for (size_t i = 0; i < entries->count; i++)
		if (entries->items[i].series >= limit)
			limit = (size_t)entries->items[i].series + 1;
	if (limit > SERIES_ROWS)
		return error_set(err, ERR_STORE, "%s: the store's history is damaged: series %zu",
				 sql_path(loading->store->sql), limit - 1);
	loading->starts = starts =
		arena_array(&loading->scratch, limit + 2, sizeof *loading->starts);
	loading->order = arena_array(&loading->scratch, entries->count, sizeof *loading->order);
	loading->series_limit = limit;
	for (size_t i = 0; i < entries->count; i++)
		if (loading->commits[i] != OFF_CHAIN)
			starts[entries->items[i].series + 2]++;
	for (size_t i = 2; i < limit + 2; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; i < entries->count; i++)
		if (loading->commits[i] != OFF_CHAIN)
			loading->order[starts[entries->items[i].series + 1]++] = (uint32_t)i;
	return 0;
}

static int has_metric(struct loading *loading, uint32_t series, int64_t key,
		      enum presence *presence, struct error *err)
{
	bool found = true;
	if (loading->entries.caught_up) {
		struct query query = query_start(loading->store->sql, "series_metric_find");
		query_bind_integer(&query, series);
		query_bind_integer(&query, key);
		found = query_next(&query);
		if (query_finish(&query, err) < 0)
			return -1;
	}
	*presence = found ? PRESENT : ABSENT;
	return 0;
}

static int read_value(struct store *store, int64_t run, int64_t key, double *value,
		      struct error *err)
{
	struct query query = query_start(store->sql, "value_of_run");
	query_bind_integer(&query, run);
	query_bind_integer(&query, key);
	*value = query_next(&query) ? query_number(&query) : NAN;
	return query_finish(&query, err);
}

static double *unknowns(struct arena *arena, size_t count)
{
	double *values = arena_array(arena, count, sizeof *values);
	for (size_t i = 0; i < count; i++)
		values[i] = NAN;
	return values;
}

/* In ingest order, in which the numbers lie. They are searched for only when they are not the
 * headline already and the series has such a metric at all. */
static int search_values(struct loading *loading, size_t metric, struct error *err)
{
	size_t count = loading->entries.count;
	int64_t key = loading->wanted[metric];
	enum presence *presences =
		arena_array(&loading->scratch, loading->series_limit, sizeof *presences);
	double *values = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct history_entry *entry = &loading->entries.items[i];
		if (entry->metric == key || loading->commits[i] == OFF_CHAIN)
			continue;
		enum presence *presence = &presences[entry->series];
		if (*presence == NOT_ASKED &&
		    has_metric(loading, entry->series, key, presence, err) < 0)
			return -1;
		if (*presence == ABSENT)
			continue;
		if (!values)
			values = unknowns(&loading->scratch, count);
		if (read_value(loading->store, entry->run, key, &values[i], err) < 0)
			return -1;
	}
	loading->searched[metric] = values;
	return 0;
}

static int collect_values(struct loading *loading, struct error *err)
{
	const struct history_set *set = &loading->set;
	loading->wanted =
		arena_array(&loading->scratch, set->metric_count, sizeof *loading->wanted);
	loading->searched =
		arena_array(&loading->scratch, set->metric_count, sizeof *loading->searched);
	for (size_t i = 0; i < set->metric_count; i++) {
		loading->wanted[i] = key_of_metric(&loading->keys, set->metrics[i]);
		if (loading->wanted[i] >= 0 && !metric_is_derived(set->metrics[i]) &&
		    search_values(loading, i, err) < 0)
			return -1;
	}
	return 0;
}

static double value_of(const struct loading *loading, size_t metric, uint32_t entry)
{
	const struct history_entry *found = &loading->entries.items[entry];
	if (found->metric == loading->wanted[metric])
		return found->value;
	return loading->searched[metric] ? loading->searched[metric][entry] : NAN;
}

static int read_entries(struct loading *loading, struct error *err)
{
	if (history_entries_read(loading->store, &loading->scratch, &loading->entries, err) < 0)
		return -1;
	find_commits(loading);
	if (sort_entries(loading, err) < 0)
		return -1;
	return collect_values(loading, err);
}

/* Oldest commit first, then in ingest order. */
static int by_age(const void *a, const void *b)
{
	const struct record *x = a, *y = b;
	if (x->commit != y->commit)
		return x->commit < y->commit ? 1 : -1;
	return (x->row > y->row) - (x->row < y->row);
}

static bool is_sorted(const struct record *records, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (by_age(&records[i - 1], &records[i]) > 0)
			return false;
	return true;
}

static void add_records(struct loading *loading, int64_t series)
{
	size_t count = loading->starts[series + 1] - loading->starts[series];
	struct record *old = loading->records;
	if (loading->record_count + count > loading->record_room) {
		loading->record_room = 2 * (loading->record_count + count);
		loading->records =
			arena_array(&loading->scratch, loading->record_room, sizeof *old);
		if (loading->record_count)
			memcpy(loading->records, old, loading->record_count * sizeof *old);
	}
	for (size_t i = loading->starts[series]; i < loading->starts[series + 1]; i++) {
		uint32_t entry = loading->order[i];
		loading->records[loading->record_count++] = (struct record){
			loading->entries.items[entry].run, loading->commits[entry], entry};
	}
}

/* Copies what was put together into a history. */
static void put_history(struct loading *loading, struct history *history)
{
	size_t count = loading->record_count, metrics = loading->set.metric_count;
	struct record *records = loading->records;
	struct history_run *runs = arena_array(loading->arena, count, sizeof *runs);
	double *values = arena_array(loading->arena, count * metrics, sizeof *values);
	if (!is_sorted(records, count))
		qsort(records, count, sizeof *records, by_age);
	for (size_t i = 0; i < count; i++)
		runs[i] = (struct history_run){records[i].row, records[i].commit};
	for (size_t metric = 0; metric < metrics; metric++)
		for (size_t i = 0; i < count; i++)
			values[metric * count + i] = value_of(loading, metric, records[i].entry);
	history->runs = runs;
	history->run_count = count;
	history->values = values;
	loading->record_count = 0;
}

/* The series on the chain. */
static int read_names(struct loading *loading, struct series_list *list, struct error *err)
{
	int64_t *rows = arena_array(&loading->scratch, loading->series_limit, sizeof *rows);
	size_t count = 0;
	for (size_t i = 0; i < loading->series_limit; i++)
		if (loading->starts[i + 1] > loading->starts[i])
			rows[count++] = (int64_t)i;
	if (series_read(loading->store, loading->arena,
			ids_of(&loading->scratch, count, rows, sizeof *rows), list, err) < 0)
		return -1;
	for (size_t i = 0; i < list->count; i++)
		count -= list->items[i].key != NULL;
	return count == 0 ? 0
			  : error_set(err, ERR_STORE,
				      "%s: the store holds runs of a series that it does not know",
				      sql_path(loading->store->sql));
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct series *)a)->key, ((const struct series *)b)->key);
}

/* Series whose keys are the same text are one history. */
static void put_histories(struct loading *loading, struct series_list *list)
{
	struct history_set *set = &loading->set;
	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, by_key);
	set->items = arena_array(loading->arena, list->count, sizeof *set->items);
	for (size_t i = 0, next; i < list->count; i = next) {
		struct history *history = &set->items[set->count++];
		history->series = list->items[i].key;
		history->identity = list->items[i].identity;
		for (next = i;
		     next < list->count && by_key(&list->items[i], &list->items[next]) == 0; next++)
			add_records(loading, list->items[next].row);
		put_history(loading, history);
	}
}

static int load(struct loading *loading, const char *oid, const enum metric *metrics,
		struct error *err)
{
	struct history_set *set = &loading->set;
	struct series_list series;
	enum metric *copy = arena_array(loading->arena, set->metric_count, sizeof *copy);
	for (size_t i = 0; i < set->metric_count; i++)
		copy[i] = metrics[i];
	set->metrics = copy;
	if (metric_keys_read(loading->store, &loading->scratch, &loading->keys, err) < 0 ||
	    read_chain(loading, oid, err) < 0 || read_entries(loading, err) < 0 ||
	    read_names(loading, &series, err) < 0)
		return -1;
	put_histories(loading, &series);
	return 0;
}

/* One transaction, so that no writer comes in between. */
int store_histories(struct store *store, struct arena *arena, const char *oid,
		    const enum metric *metrics, size_t metric_count, struct history_set *set,
		    struct error *err)
{
	struct loading loading = {
		.store = store, .arena = arena, .set = {.metric_count = metric_count}};
	struct error ignored;
	if (sql_execute(store->sql, "SAVEPOINT histories", err) < 0)
		return -1;
	int failed = load(&loading, oid, metrics, err);
	sql_execute(store->sql, "RELEASE histories", &ignored);
	arena_free(&loading.scratch);
	if (failed)
		return -1;
	*set = loading.set;
	return 0;
}

int store_history_values(struct store *store, const struct history *history, enum metric metric,
			 size_t first, double *values, struct error *err)
{
	struct query query = query_start(store->sql, "metric_find");
	int64_t key = -1;
	query_bind_text(&query, metric_info(metric)->key);
	if (query_next(&query))
		key = query_integer(&query);
	if (query_finish(&query, err) < 0)
		return -1;
	for (size_t i = first; i < history->run_count; i++) {
		values[i - first] = NAN;
		if (key >= 0 &&
		    read_value(store, history->runs[i].row, key, &values[i - first], err) < 0)
			return -1;
	}
	return 0;
}
