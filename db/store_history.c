/*
 * The history of every series along one chain: the entries of the table `history`, which are walked
 * twice, to count the runs of each series and to put them there. Headlines are in the entries; any
 * other metric costs one search a run.
 */
#include <math.h>
#include <string.h>

#include "db/history_blocks.h"
#include "db/packed.h"
#include "db/store.h"
#include "db/store_internal.h"

enum { SERIES_ROWS = 1 << 24 }; /* more than any store has; guards a damaged file */

/* Where a commit stands in the chain. */
struct place {
	int64_t row;
	uint32_t steps;
};

enum presence { NOT_ASKED, ABSENT, PRESENT };

struct loading {
	struct store *store;
	struct arena *arena, scratch;
	struct history_set set;
	struct metric_keys keys;
	int64_t *wanted;      /* the stored key of each metric; -1: no run has it */
	struct place *places; /* sorted by row */
	size_t guess;         /* runs that follow each other are of the same or the next commit */
	struct history_entries entries;
	size_t series_limit;  /* what follows is by row of the series */
	size_t *counts;       /* runs on the chain */
	uint32_t *histories;  /* index into set.items */
	enum presence *known; /* known[metric * series_limit + row]: whether it has the metric */
	double **values;      /* of each history */
	size_t *filled;       /* runs that each history has so far */
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

static int count_runs(struct loading *loading, struct error *err)
{
	const struct history_entries *entries = &loading->entries;
	uint32_t commit;
	for (size_t i = 0; i < entries->count; i++)
		if (entries->items[i].series >= loading->series_limit)
			loading->series_limit = (size_t)entries->items[i].series + 1;
	if (loading->series_limit > SERIES_ROWS)
		return error_set(err, ERR_STORE, "%s: the store's history is damaged: series %zu",
				 sql_path(loading->store->sql), loading->series_limit - 1);
	loading->counts =
		arena_array(&loading->scratch, loading->series_limit, sizeof *loading->counts);
	for (size_t i = 0; i < entries->count; i++)
		loading->counts[entries->items[i].series] +=
			find_place(loading, entries->items[i].revision, &commit);
	return 0;
}

/* The series on the chain. */
static int read_names(struct loading *loading, struct series_list *list, struct error *err)
{
	int64_t *rows = arena_array(&loading->scratch, loading->series_limit, sizeof *rows);
	size_t count = 0;
	for (size_t i = 0; i < loading->series_limit; i++)
		if (loading->counts[i])
			rows[count++] = (int64_t)i;
	if (series_read(loading->store, loading->arena, ids_of(&loading->scratch, rows, count),
			list, err) < 0)
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

/* Histories with room for their runs. Series whose keys are the same text are one. */
static void make_histories(struct loading *loading, struct series_list *list)
{
	struct history_set *set = &loading->set;
	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, by_key);
	set->items = arena_array(loading->arena, list->count, sizeof *set->items);
	loading->histories =
		arena_array(&loading->scratch, loading->series_limit, sizeof *loading->histories);
	loading->filled = arena_array(&loading->scratch, list->count, sizeof *loading->filled);
	loading->values = arena_array(&loading->scratch, list->count, sizeof *loading->values);
	for (size_t i = 0; i < list->count; i++) {
		const struct series *series = &list->items[i];
		if (i == 0 || by_key(series - 1, series) != 0) {
			struct run *identity = run_new(loading->arena);
			series_identify(loading->arena, series, identity);
			set->items[set->count++] =
				(struct history){.series = series->key, .identity = identity};
		}
		loading->histories[series->row] = (uint32_t)set->count - 1;
		set->items[set->count - 1].run_count += loading->counts[series->row];
	}
	for (size_t i = 0; i < set->count; i++) {
		size_t count = set->items[i].run_count;
		set->items[i].runs = arena_array(loading->arena, count, sizeof *set->items[i].runs);
		set->items[i].values = loading->values[i] = arena_array(
			loading->arena, count * set->metric_count, sizeof *loading->values[i]);
	}
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

/* As older programs wrote it. */
static int read_row_of_number(struct store *store, int64_t run, int64_t key, double *value,
			      struct error *err)
{
	struct query query = query_start(store->sql, "value_of_run");
	query_bind_integer(&query, run);
	query_bind_integer(&query, key);
	*value = query_next(&query) ? query_number(&query) : NAN;
	return query_finish(&query, err);
}

static int read_value(struct store *store, int64_t run, int64_t key, double *value,
		      struct error *err)
{
	struct query query = query_start(store->sql, "numbers_of_run");
	struct packed_number number;
	struct packed packed;
	query_bind_integer(&query, run);
	bool is_packed = query_next(&query);
	*value = NAN;
	if (is_packed) {
		packed.bytes = query_bytes(&query, &packed.len);
		while (isnan(*value) && packed_next(&packed, &number))
			if (number.key == key)
				*value = number.number;
	}
	if (query_finish(&query, err) < 0)
		return -1;
	return is_packed ? 0 : read_row_of_number(store, run, key, value, err);
}

/* A metric is searched for only when it is not the headline already, the series has it at all and
 * it is not recomputed by whoever reads. */
static int find_value(struct loading *loading, const struct history_entry *entry, size_t metric,
		      double *value, struct error *err)
{
	int64_t key = loading->wanted[metric];
	enum presence *known = &loading->known[metric * loading->series_limit + entry->series];
	if (entry->metric == key) {
		*value = entry->value;
		return 0;
	}
	*value = NAN;
	if (key < 0 || metric_is_derived(loading->set.metrics[metric]))
		return 0;
	if (*known == NOT_ASKED && has_metric(loading, entry->series, key, known, err) < 0)
		return -1;
	return *known == PRESENT ? read_value(loading->store, entry->run, key, value, err) : 0;
}

/* Run by run in ingest order, in which the numbers of the store lie, too. */
static int fill_histories(struct loading *loading, struct error *err)
{
	const struct history_entries *entries = &loading->entries;
	size_t metrics = loading->set.metric_count;
	loading->known = arena_array(&loading->scratch, metrics * loading->series_limit,
				     sizeof *loading->known);
	for (size_t i = 0; i < entries->count; i++) {
		const struct history_entry *entry = &entries->items[i];
		uint32_t commit, place = loading->histories[entry->series];
		if (!find_place(loading, entry->revision, &commit))
			continue;
		struct history *history = &loading->set.items[place];
		size_t at = loading->filled[place]++;
		history->runs[at] = (struct history_run){entry->run, commit};
		double *value = loading->values[place] + at;
		for (size_t k = 0; k < metrics; k++, value += history->run_count)
			if (find_value(loading, entry, k, value, err) < 0)
				return -1;
	}
	return 0;
}

/* A run and where it was. */
struct record {
	struct history_run run;
	size_t index;
};

/* Oldest commit first, then in ingest order. */
static int by_age(const void *a, const void *b)
{
	const struct history_run *x = &((const struct record *)a)->run;
	const struct history_run *y = &((const struct record *)b)->run;
	if (x->commit != y->commit)
		return x->commit < y->commit ? 1 : -1;
	return (x->row > y->row) - (x->row < y->row);
}

/* Runs came in ingest order: nothing is to do where commits were measured as they were made. */
static bool is_sorted(const struct history *history)
{
	for (size_t i = 1; i < history->run_count; i++)
		if (history->runs[i - 1].commit < history->runs[i].commit)
			return false;
	return true;
}

static void sort_history(struct loading *loading, struct history *history, double *values)
{
	size_t count = history->run_count;
	if (is_sorted(history))
		return;
	struct record *records = arena_array(&loading->scratch, count, sizeof *records);
	double *old = arena_array(&loading->scratch, count, sizeof *old);
	for (size_t i = 0; i < count; i++)
		records[i] = (struct record){history->runs[i], i};
	qsort(records, count, sizeof *records, by_age);
	for (size_t i = 0; i < count; i++)
		history->runs[i] = records[i].run;
	for (size_t metric = 0; metric < loading->set.metric_count; metric++, values += count) {
		memcpy(old, values, count * sizeof *old);
		for (size_t i = 0; i < count; i++)
			values[i] = old[records[i].index];
	}
}

static int read_entries(struct loading *loading, struct error *err)
{
	struct history_set *set = &loading->set;
	struct series_list series;
	if (history_entries_read(loading->store, &loading->scratch, &loading->entries, err) < 0 ||
	    count_runs(loading, err) < 0 || read_names(loading, &series, err) < 0)
		return -1;
	make_histories(loading, &series);
	if (fill_histories(loading, err) < 0)
		return -1;
	for (size_t i = 0; i < set->count; i++)
		sort_history(loading, &set->items[i], loading->values[i]);
	return 0;
}

static int load(struct loading *loading, const char *oid, const enum metric *metrics,
		struct error *err)
{
	struct history_set *set = &loading->set;
	enum metric *copy = arena_array(loading->arena, set->metric_count, sizeof *copy);
	if (metric_keys_read(loading->store, &loading->keys, err) < 0)
		return -1;
	loading->wanted =
		arena_array(&loading->scratch, set->metric_count, sizeof *loading->wanted);
	for (size_t i = 0; i < set->metric_count; i++) {
		copy[i] = metrics[i];
		loading->wanted[i] = key_of_metric(&loading->keys, metrics[i]);
	}
	set->metrics = copy;
	return read_chain(loading, oid, err) < 0 ? -1 : read_entries(loading, err);
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

static int read_values(struct store *store, const struct history *history, enum metric metric,
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

/* One transaction: to begin one for each number would cost more than to read it. */
int store_history_values(struct store *store, const struct history *history, enum metric metric,
			 size_t first, double *values, struct error *err)
{
	struct error ignored;
	if (sql_execute(store->sql, "SAVEPOINT history_values", err) < 0)
		return -1;
	int failed = read_values(store, history, metric, first, values, err);
	sql_execute(store->sql, "RELEASE history_values", &ignored);
	return failed;
}
