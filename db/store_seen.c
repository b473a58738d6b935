/* When and where every series was measured last: one walk over the history's entries. */
#include <string.h>

#include "db/history_blocks.h"
#include "db/store.h"
#include "db/store_internal.h"

enum { ROWS = 1 << 24 }; /* more series or commits than any store has; guards a damaged file */

struct standing {
	int64_t position, time;
	bool known;
};

struct sighting {
	int64_t runs, first, newest; /* run rows */
	uint32_t revision;           /* of the newest commit */
};

struct looking {
	struct store *store;
	struct arena *arena;
	struct arena scratch;
	struct history_entries entries;
	struct standing *standings; /* by row of the commit */
	size_t standing_count;
	struct sighting *sightings; /* by row of the series */
	size_t sighting_count;
};

static int read_standings(struct looking *looking, struct error *err)
{
	struct query query = query_start(looking->store->sql, "revision_order");
	size_t capacity = 0;
	while (query_next(&query)) {
		int64_t row = query_integer(&query);
		if (row < 0 || row >= ROWS)
			continue;
		while (looking->standing_count <= (size_t)row) {
			looking->standings = arena_grow(&looking->scratch, looking->standings,
							looking->standing_count, &capacity,
							sizeof *looking->standings);
			looking->standings[looking->standing_count++] = (struct standing){0};
		}
		looking->standings[row].position = query_integer(&query);
		looking->standings[row].time = query_integer(&query);
		looking->standings[row].known = true;
	}
	return query_finish(&query, err);
}

static bool is_newer(const struct standing *a, const struct standing *b)
{
	return a->position != b->position ? a->position > b->position : a->time > b->time;
}

/* Entries of commits that are not known are passed over. */
static int look(struct looking *looking, struct error *err)
{
	const struct history_entries *entries = &looking->entries;
	for (size_t i = 0; i < entries->count; i++)
		if (entries->items[i].series >= looking->sighting_count)
			looking->sighting_count = (size_t)entries->items[i].series + 1;
	if (looking->sighting_count > ROWS)
		return error_set(err, ERR_STORE, "%s: the store's history is damaged",
				 sql_path(looking->store->sql));
	looking->sightings =
		arena_array(&looking->scratch, looking->sighting_count, sizeof *looking->sightings);
	for (size_t i = 0; i < entries->count; i++) {
		const struct history_entry *entry = &entries->items[i];
		struct sighting *sighting = &looking->sightings[entry->series];
		const struct standing *all = looking->standings;
		if (entry->revision >= looking->standing_count || !all[entry->revision].known)
			continue;
		if (sighting->runs++ == 0) {
			sighting->first = entry->run;
			sighting->revision = entry->revision;
		}
		sighting->newest = entry->run;
		if (is_newer(&all[entry->revision], &all[sighting->revision]))
			sighting->revision = entry->revision;
	}
	return 0;
}

static int read_time(struct looking *looking, int64_t run, int64_t *time, struct error *err)
{
	struct query query = query_start(looking->store->sql, "run_time");
	query_bind_integer(&query, run);
	if (query_next(&query))
		*time = query_integer(&query);
	return query_finish(&query, err);
}

static int read_newest(struct looking *looking, uint32_t row, struct revision *revision,
		       struct error *err)
{
	struct query query = query_start(looking->store->sql, "revision_by_number");
	query_bind_integer(&query, row);
	if (query_next(&query) && revision_read(&query, looking->arena, revision, err) < 0)
		return query_abandon(&query);
	return query_finish(&query, err);
}

static int add_seen(struct looking *looking, const struct series *series,
		    struct series_seen_list *list, struct error *err)
{
	const struct sighting *sighting = &looking->sightings[series->row];
	list->items = arena_grow(looking->arena, list->items, list->count, &list->capacity,
				 sizeof *list->items);
	struct series_seen *seen = &list->items[list->count++];
	*seen = (struct series_seen){
		.series = series->key, .identity = series->identity, .runs = sighting->runs};
	if (read_time(looking, sighting->first, &seen->first_at, err) < 0 ||
	    read_time(looking, sighting->newest, &seen->newest_at, err) < 0)
		return -1;
	return read_newest(looking, sighting->revision, &seen->newest, err);
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct series_seen *)a)->series,
		      ((const struct series_seen *)b)->series);
}

/* Two series whose key is the same text are one. */
static void merge(struct series_seen *into, const struct series_seen *other)
{
	struct standing mine = {into->newest.position, into->newest.time, true};
	struct standing its = {other->newest.position, other->newest.time, true};
	if (is_newer(&its, &mine))
		into->newest = other->newest;
	into->runs += other->runs;
	into->first_at = other->first_at < into->first_at ? other->first_at : into->first_at;
	into->newest_at = other->newest_at > into->newest_at ? other->newest_at : into->newest_at;
}

static void sort_seen(struct series_seen_list *list)
{
	size_t kept = 0;
	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, by_key);
	for (size_t i = 0; i < list->count; i++)
		if (kept && by_key(&list->items[kept - 1], &list->items[i]) == 0)
			merge(&list->items[kept - 1], &list->items[i]);
		else
			list->items[kept++] = list->items[i];
	list->count = kept;
}

static int name_seen(struct looking *looking, struct series_seen_list *list, struct error *err)
{
	struct series_list series;
	int64_t *rows = arena_array(&looking->scratch, looking->sighting_count, sizeof *rows);
	size_t count = 0;
	for (size_t i = 0; i < looking->sighting_count; i++)
		if (looking->sightings[i].runs)
			rows[count++] = (int64_t)i;
	if (series_read(looking->store, looking->arena,
			ids_of(&looking->scratch, count, rows, sizeof *rows), &series, err) < 0)
		return -1;
	for (size_t i = 0; i < series.count; i++)
		if (series.items[i].key && add_seen(looking, &series.items[i], list, err) < 0)
			return -1;
	sort_seen(list);
	return 0;
}

int store_series_seen(struct store *store, struct arena *arena, struct series_seen_list *list,
		      struct error *err)
{
	struct looking looking = {.store = store, .arena = arena};
	struct series_seen_list found = {0};
	struct error ignored;
	if (sql_execute(store->sql, "SAVEPOINT looking", err) < 0)
		return -1;
	int failed = history_entries_read(store, &looking.scratch, &looking.entries, err) < 0 ||
		     read_standings(&looking, err) < 0 || look(&looking, err) < 0 ||
		     name_seen(&looking, &found, err) < 0;
	sql_execute(store->sql, "RELEASE looking", &ignored);
	arena_free(&looking.scratch);
	if (failed)
		return -1;
	*list = found;
	return 0;
}
