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

/* A run of the series that is being collected. */
struct record {
	int64_t row;
	uint32_t commit;
	uint32_t index; /* of its values: its place in ingest order */
};

struct loading {
	struct store *store;
	struct arena *arena;
	struct history_set set;
	struct metric_keys keys;
	int64_t *wanted; /* the stored key of each metric; -1: no run has it */
	int64_t *rows;   /* of the series, one for each history; growing */
	size_t rows_capacity, capacity;
	struct place *places; /* sorted by row */
	size_t guess;         /* runs that follow each other are of the same or the next commit */

	struct arena scratch;
	struct history_entries entries;
	uint32_t *order; /* entries by series */
	size_t *starts;  /* of each series in `order`, by row; one more than series_limit */
	size_t series_limit;
	struct record *records;
	double *headlines;
	int64_t *headline_keys;
	size_t count;
	double *values; /* values[metric * count + record.index] */
	size_t value_room;
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

/* Copies what was collected into a history. */
static void put_history(struct loading *loading, struct history *history)
{
	size_t count = loading->count, metrics = loading->set.metric_count;
	struct history_run *runs = arena_array(loading->arena, count, sizeof *runs);
	double *values = arena_array(loading->arena, count * metrics, sizeof *values);
	if (!is_sorted(loading->records, count))
		qsort(loading->records, count, sizeof *loading->records, by_age);
	for (size_t i = 0; i < count; i++)
		runs[i] = (struct history_run){loading->records[i].row, loading->records[i].commit};
	for (size_t metric = 0; metric < metrics; metric++)
		for (size_t i = 0; i < count; i++)
			values[metric * count + i] =
				loading->values[metric * count + loading->records[i].index];
	history->runs = runs;
	history->run_count = count;
	history->values = values;
}

static void room_for_values(struct loading *loading)
{
	size_t needed = loading->count * loading->set.metric_count;
	if (needed <= loading->value_room)
		return;
	loading->value_room = needed * 2;
	loading->values =
		arena_array(&loading->scratch, loading->value_room, sizeof *loading->values);
}

static int has_metric(struct loading *loading, int64_t series, int64_t key, bool *has,
		      struct error *err)
{
	*has = true;
	if (!loading->entries.caught_up)
		return 0;
	struct query query = query_start(loading->store->sql, "series_metric_find");
	query_bind_integer(&query, series);
	query_bind_integer(&query, key);
	*has = query_next(&query);
	return query_finish(&query, err);
}

static int search_values(struct loading *loading, int64_t key, double *values, struct error *err)
{
	struct query query = query_start(loading->store->sql, "history_values");
	struct arena arena = {0};
	query_bind_text(&query, ids_of(&arena, loading->count, &loading->records->row,
				       sizeof *loading->records));
	query_bind_integer(&query, key);
	while (query_next(&query)) {
		int64_t at = query_integer(&query);
		values[at] = query_number(&query);
	}
	int failed = query_finish(&query, err);
	arena_free(&arena);
	return failed;
}

/* The values of one metric, in ingest order. They are searched for only when the headlines are not
 * those already, the series has such a metric at all, and it is not recomputed by whoever reads. */
static int collect_values(struct loading *loading, int64_t series, size_t metric, struct error *err)
{
	double *values = loading->values + metric * loading->count;
	int64_t key = loading->wanted[metric];
	size_t known = 0;
	bool has = false;
	for (size_t i = 0; i < loading->count; i++) {
		bool is_headline = key >= 0 && loading->headline_keys[i] == key;
		values[i] = is_headline ? loading->headlines[i] : NAN;
		known += is_headline;
	}
	if (key < 0 || known == loading->count || metric_is_derived(loading->set.metrics[metric]))
		return 0;
	if (has_metric(loading, series, key, &has, err) < 0)
		return -1;
	return has ? search_values(loading, key, values, err) : 0;
}

/* Ends a series. */
static int finish_series(struct loading *loading, int64_t series, struct error *err)
{
	struct history_set *set = &loading->set;
	room_for_values(loading);
	for (size_t metric = 0; metric < set->metric_count; metric++)
		if (collect_values(loading, series, metric, err) < 0)
			return -1;
	set->items = arena_grow(loading->arena, set->items, set->count, &loading->capacity,
				sizeof *set->items);
	loading->rows = arena_grow(&loading->scratch, loading->rows, set->count,
				   &loading->rows_capacity, sizeof *loading->rows);
	loading->rows[set->count] = series;
	put_history(loading, &set->items[set->count++]);
	return 0;
}

/* The series of each entry, which then come together, each in ingest order. */
static int sort_entries(struct loading *loading, struct error *err)
{
	const struct history_entries *entries = &loading->entries;
	uint32_t most = 0;
	for (size_t i = 0; i < entries->count; i++)
		most = entries->items[i].series > most ? entries->items[i].series : most;
	if (most >= SERIES_ROWS)
		return error_set(err, ERR_STORE, "%s: the store's history is damaged: series %u",
				 sql_path(loading->store->sql), (unsigned)most);
	loading->starts = arena_array(&loading->scratch, (size_t)most + 2, sizeof *loading->starts);
	loading->order = arena_array(&loading->scratch, entries->count, sizeof *loading->order);
	loading->series_limit = most + 1;
	for (size_t i = 0; i < entries->count; i++)
		loading->starts[entries->items[i].series + 1]++;
	for (size_t i = 1; i <= loading->series_limit; i++)
		loading->starts[i] += loading->starts[i - 1];
	for (size_t i = 0; i < entries->count; i++)
		loading->order[loading->starts[entries->items[i].series]++] = (uint32_t)i;
	memmove(loading->starts + 1, loading->starts,
		loading->series_limit * sizeof *loading->starts);
	loading->starts[0] = 0;
	return 0;
}

/* The entries of a series that are on the chain. */
static void collect_runs(struct loading *loading, size_t first, size_t end)
{
	loading->count = 0;
	for (size_t i = first; i < end; i++) {
		const struct history_entry *entry = &loading->entries.items[loading->order[i]];
		uint32_t at = (uint32_t)loading->count, commit;
		if (!find_place(loading, entry->revision, &commit))
			continue;
		loading->records[at] = (struct record){entry->run, commit, at};
		loading->headlines[at] = entry->value;
		loading->headline_keys[at] = entry->metric;
		loading->count++;
	}
}

static void room_for_runs(struct loading *loading)
{
	size_t most = 0;
	for (size_t i = 0; i < loading->series_limit; i++) {
		size_t count = loading->starts[i + 1] - loading->starts[i];
		most = count > most ? count : most;
	}
	loading->records = arena_array(&loading->scratch, most, sizeof *loading->records);
	loading->headlines = arena_array(&loading->scratch, most, sizeof *loading->headlines);
	loading->headline_keys =
		arena_array(&loading->scratch, most, sizeof *loading->headline_keys);
}

static int read_runs(struct loading *loading, struct error *err)
{
	if (history_entries_read(loading->store, &loading->scratch, &loading->entries, err) < 0 ||
	    sort_entries(loading, err) < 0)
		return -1;
	room_for_runs(loading);
	for (size_t i = 0; i < loading->series_limit; i++) {
		collect_runs(loading, loading->starts[i], loading->starts[i + 1]);
		if (loading->count && finish_series(loading, (int64_t)i, err) < 0)
			return -1;
	}
	return 0;
}

static int name_histories(struct loading *loading, struct error *err)
{
	struct history_set *set = &loading->set;
	struct series_list list;
	const char *ids =
		ids_of(&loading->scratch, set->count, loading->rows, sizeof *loading->rows);
	if (series_read(loading->store, loading->arena, ids, &list, err) < 0)
		return -1;
	for (size_t i = 0; i < set->count; i++) {
		const struct series *series = series_find(&list, loading->rows[i]);
		if (!series || !series->key)
			return error_set(err, ERR_STORE,
					 "%s: the store holds runs of a series that it does not "
					 "know",
					 sql_path(loading->store->sql));
		set->items[i].series = series->key;
		set->items[i].identity = series->identity;
	}
	return 0;
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct history *)a)->series, ((const struct history *)b)->series);
}

/* Two series whose key is the same text are one. */
static void merge(struct loading *loading, struct history *into, const struct history *other)
{
	const struct history parts[] = {*into, *other};
	size_t count = into->run_count + other->run_count, at = 0;
	loading->records = arena_array(&loading->scratch, count, sizeof *loading->records);
	loading->count = count;
	room_for_values(loading);
	for (size_t part = 0; part < 2; part++)
		for (size_t i = 0; i < parts[part].run_count; i++, at++) {
			const struct history_run *run = &parts[part].runs[i];
			loading->records[at] = (struct record){run->row, run->commit, (uint32_t)at};
			for (size_t metric = 0; metric < loading->set.metric_count; metric++)
				loading->values[metric * count + at] =
					parts[part].values[metric * parts[part].run_count + i];
		}
	put_history(loading, into);
}

static void sort_histories(struct loading *loading)
{
	struct history_set *set = &loading->set;
	size_t kept = 0;
	if (set->count)
		qsort(set->items, set->count, sizeof *set->items, by_key);
	for (size_t i = 0; i < set->count; i++)
		if (kept && strcmp(set->items[kept - 1].series, set->items[i].series) == 0)
			merge(loading, &set->items[kept - 1], &set->items[i]);
		else
			set->items[kept++] = set->items[i];
	set->count = kept;
}

static int load(struct loading *loading, const char *oid, const enum metric *metrics,
		struct error *err)
{
	struct history_set *set = &loading->set;
	enum metric *copy = arena_array(loading->arena, set->metric_count, sizeof *copy);
	if (metric_keys_read(loading->store, &loading->scratch, &loading->keys, err) < 0)
		return -1;
	loading->wanted =
		arena_array(&loading->scratch, set->metric_count, sizeof *loading->wanted);
	for (size_t i = 0; i < set->metric_count; i++) {
		copy[i] = metrics[i];
		loading->wanted[i] = key_of_metric(&loading->keys, metrics[i]);
	}
	set->metrics = copy;
	if (read_chain(loading, oid, err) < 0 || read_runs(loading, err) < 0 ||
	    name_histories(loading, err) < 0)
		return -1;
	sort_histories(loading);
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
