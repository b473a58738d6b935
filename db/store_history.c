/*
 * The history of every series along one chain. The table `history` is walked once, in the order
 * of its key: a series' runs come together and in ingest order. They are collected in memory that
 * is used again for every series, put into the chain's order and copied out. Headlines lie in the
 * same rows; any other metric costs one search a run.
 */
#include <math.h>
#include <string.h>

#include "db/store.h"
#include "db/store_internal.h"

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
	struct record *records;
	double *headlines;
	int64_t *headline_keys;
	size_t count, limits[3];
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
	struct query query = query_start(loading->store->sql, "series_metric_find");
	query_bind_integer(&query, series);
	query_bind_integer(&query, key);
	*has = query_next(&query);
	return query_finish(&query, err);
}

/* Rows and records are both in ingest order; a row without record is of a run off the chain. */
static int search_values(struct loading *loading, int64_t series, int64_t key, double *values,
			 struct error *err)
{
	struct query query = query_start(loading->store->sql, "history_values");
	size_t at = 0;
	query_bind_integer(&query, key);
	query_bind_integer(&query, series);
	while (at < loading->count && query_next(&query)) {
		int64_t row = query_integer(&query);
		while (at < loading->count && loading->records[at].row < row)
			at++;
		if (at < loading->count && loading->records[at].row == row)
			values[at] = query_number(&query);
	}
	return query_finish(&query, err);
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
	return has ? search_values(loading, series, key, values, err) : 0;
}

/* Ends a series. */
static int finish_series(struct loading *loading, int64_t series, struct error *err)
{
	struct history_set *set = &loading->set;
	if (loading->count == 0)
		return 0;
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
	loading->count = 0;
	return 0;
}

static void collect_run(struct loading *loading, struct query *query)
{
	struct arena *scratch = &loading->scratch;
	size_t at = loading->count;
	int64_t row = query_integer(query);
	uint32_t commit;
	if (!find_place(loading, query_integer(query), &commit))
		return;
	loading->records = arena_grow(scratch, loading->records, at, &loading->limits[0],
				      sizeof *loading->records);
	loading->headlines = arena_grow(scratch, loading->headlines, at, &loading->limits[1],
					sizeof *loading->headlines);
	loading->headline_keys = arena_grow(scratch, loading->headline_keys, at,
					    &loading->limits[2], sizeof *loading->headline_keys);
	loading->records[at] = (struct record){row, commit, (uint32_t)at};
	loading->headline_keys[at] = query_integer(query);
	loading->headlines[at] = query_number(query);
	loading->count++;
}

static int read_runs(struct loading *loading, struct error *err)
{
	struct query query = query_start(loading->store->sql, "history");
	int64_t series = 0;
	while (query_next(&query)) {
		int64_t row = query_integer(&query);
		if (row != series && finish_series(loading, series, err) < 0)
			return query_abandon(&query);
		series = row;
		collect_run(loading, &query);
	}
	if (query_finish(&query, err) < 0)
		return -1;
	return finish_series(loading, series, err);
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
