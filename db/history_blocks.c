/* Blocks of runs: their bytes, how they grow, how they are read. */
#include "db/history_blocks.h"

#include <assert.h>
#include <endian.h>
#include <math.h>
#include <string.h>

#include "db/packed.h"

/* A block is made for as many records as there are already, within these limits: a small store
 * stays small, and a large one has few places to read from. */
enum {
	RECORD_BYTES = 24,
	LEAST_RECORDS = 100,
	MOST_RECORDS = 170000, /* 4 MB */
	WRITTEN_AT_ONCE = 4096,
	METRIC_BITS = 16
};

struct header {
	int64_t used;    /* records */
	int64_t newest;  /* run that was looked at */
	int64_t earlier; /* records in earlier blocks */
};

static void put(unsigned char *bytes, uint64_t number)
{
	number = htole64(number);
	memcpy(bytes, &number, sizeof number);
}

static uint64_t get(const unsigned char *bytes)
{
	uint64_t number;
	memcpy(&number, bytes, sizeof number);
	return le64toh(number);
}

static struct header header_of(const unsigned char bytes[RECORD_BYTES])
{
	return (struct header){(int64_t)get(bytes), (int64_t)get(bytes + 8),
			       (int64_t)get(bytes + 16)};
}

static void write_header(unsigned char bytes[RECORD_BYTES], const struct header *header)
{
	put(bytes, (uint64_t)header->used);
	put(bytes + 8, (uint64_t)header->newest);
	put(bytes + 16, (uint64_t)header->earlier);
}

static void write_record(unsigned char bytes[RECORD_BYTES], const struct history_entry *entry)
{
	uint64_t value;
	memcpy(&value, &entry->value, sizeof value);
	put(bytes, (uint64_t)entry->revision << 32 | entry->series);
	put(bytes + 8, (uint64_t)entry->run << METRIC_BITS | (uint64_t)entry->metric);
	put(bytes + 16, value);
}

static struct history_entry entry_of(const unsigned char bytes[RECORD_BYTES])
{
	uint64_t where = get(bytes), what = get(bytes + 8), number = get(bytes + 16);
	struct history_entry entry = {.run = (int64_t)(what >> METRIC_BITS),
				      .series = (uint32_t)where,
				      .revision = (uint32_t)(where >> 32),
				      .metric = (int64_t)(what & ((1 << METRIC_BITS) - 1))};
	memcpy(&entry.value, &number, sizeof number);
	return entry;
}

/* --- from runs to entries --- */

/* A run as its rows come by; only the members that the model's rules look at. */
struct passing {
	struct run *run;
	struct history_entry entry;
	struct run_attribute correctness;
};

struct following {
	struct store *store;
	struct arena scratch;
	struct metric_keys keys;
	struct history_entries entries;
	struct passing passing;
	uint64_t *remembered; /* store.remembered; NULL: none are written */
	int64_t recalled;     /* the series whose metrics were read last */
};

static uint64_t pair_of(uint32_t series, int64_t metric)
{
	return (uint64_t)series << METRIC_BITS | (uint64_t)metric;
}

static uint64_t *place_of(struct following *following, uint64_t pair)
{
	return &following->remembered[pair * 0x9e3779b97f4a7c15u >> 50];
}

/* To read what is there costs a fraction of trying to add each. */
static int recall_series(struct following *following, uint32_t series, struct error *err)
{
	struct query query = query_start(following->store->sql, "series_metrics");
	query_bind_integer(&query, series);
	while (query_next(&query)) {
		uint64_t pair = pair_of(series, query_integer(&query));
		*place_of(following, pair) = pair;
	}
	following->recalled = series;
	return query_finish(&query, err);
}

static int remember_metric(struct following *following, uint32_t series, int64_t metric,
			   struct error *err)
{
	uint64_t pair = pair_of(series, metric), *place = place_of(following, pair);
	if (*place == pair)
		return 0;
	if (following->recalled != series && recall_series(following, series, err) < 0)
		return -1;
	if (*place == pair)
		return 0;
	struct query query = query_start(following->store->sql, "series_metric_add");
	query_bind_integer(&query, series);
	query_bind_integer(&query, metric);
	query_run(&query);
	*place = pair;
	return query_finish(&query, err);
}

static int read_correctness(struct following *following, struct error *err)
{
	struct passing *passing = &following->passing;
	struct query query = query_start(following->store->sql, "attribute_first");
	query_bind_integer(&query, passing->entry.run);
	query_bind_text(&query, passing->correctness.key);
	passing->run->attribute_count = query_next(&query);
	if (passing->run->attribute_count)
		passing->correctness.text = query_text(&query, &following->scratch);
	return query_finish(&query, err);
}

/* Ends a run: it becomes an entry, or is none that counts. */
static int end_run(struct following *following, struct error *err)
{
	struct passing *passing = &following->passing;
	struct history_entries *entries = &following->entries;
	struct history_entry entry = passing->entry;
	if (entry.run == 0 || passing->run->dirty)
		return 0;
	if (read_correctness(following, err) < 0)
		return -1;
	if (run_is_incorrect(passing->run))
		return 0;
	enum metric headline = run_headline(passing->run);
	if (headline != METRIC_COUNT) {
		entry.metric = key_of_metric(&following->keys, headline);
		entry.value = passing->run->given[headline].number;
	}
	entries->items = arena_grow(&following->scratch, entries->items, entries->count,
				    &entries->capacity, sizeof *entries->items);
	entries->items[entries->count++] = entry;
	return 0;
}

static int begin_run(struct following *following, int64_t row, struct query *query,
		     struct error *err)
{
	struct passing *passing = &following->passing;
	int64_t series = query_integer(query), revision = query_integer(query);
	if (row >> (63 - METRIC_BITS) || series < 0 || series > UINT32_MAX || revision < 0 ||
	    revision > UINT32_MAX)
		return error_set(err, ERR_STORE, "%s: run %lld has numbers that no store reaches",
				 sql_path(following->store->sql), (long long)row);
	passing->entry = (struct history_entry){row, (uint32_t)series, (uint32_t)revision, 0, NAN};
	passing->run->dirty = query_integer(query) != 0;
	for (int i = 0; i < METRIC_COUNT; i++)
		passing->run->given[i].number = NAN;
	return 0;
}

static int take_number(struct following *following, int64_t key, double number, struct error *err)
{
	struct passing *passing = &following->passing;
	enum metric metric = metric_of_key(&following->keys, key);
	if (metric == METRIC_COUNT)
		return 0;
	passing->run->given[metric].number = number;
	return following->remembered ? remember_metric(following, passing->entry.series, key, err)
				     : 0;
}

static int take_packed(struct following *following, struct query *query, struct error *err)
{
	struct packed_number number;
	struct packed packed;
	packed.bytes = query_bytes(query, &packed.len);
	while (packed_next(&packed, &number))
		if (take_number(following, number.key, number.number, err) < 0)
			return -1;
	return 0;
}

/* The first row of a run has the packed numbers; most runs have no other row. */
static int read_row(struct following *following, struct query *query, struct error *err)
{
	int64_t row = query_integer(query);
	if (row != following->passing.entry.run) {
		if (end_run(following, err) < 0 || begin_run(following, row, query, err) < 0 ||
		    take_packed(following, query, err) < 0)
			return -1;
	} else {
		query->at += 4;
	}
	int64_t key = query_integer(query);
	return take_number(following, key, query_number(query), err);
}

/* The entries of the runs after `newest`. */
static int follow(struct following *following, int64_t newest, struct error *err)
{
	struct passing *passing = &following->passing;
	if (metric_keys_read(following->store, &following->keys, err) < 0)
		return -1;
	passing->run = run_new(&following->scratch);
	passing->correctness.key = "correctness";
	passing->run->attributes = &passing->correctness;
	struct query query = query_start(following->store->sql, "history_missing");
	query_bind_integer(&query, newest);
	while (query_next(&query))
		if (read_row(following, &query, err) < 0)
			return query_abandon(&query);
	if (query_finish(&query, err) < 0)
		return -1;
	return end_run(following, err);
}

/* --- writing --- */

struct growing {
	struct store *store;
	int64_t block, room;  /* its number and the records that fit into it; 0: there is none */
	int64_t all_room;     /* that fit into all blocks */
	struct header header; /* newest is INT64_MAX when the block is damaged */
	int64_t newest;       /* run of the store */
};

static int find_block(struct growing *growing, struct error *err)
{
	unsigned char bytes[RECORD_BYTES];
	struct sql *sql = growing->store->sql;
	struct query query = query_start(sql, "history_last");
	if (query_next(&query)) {
		growing->block = query_integer(&query);
		growing->room = query_integer(&query) / RECORD_BYTES - 1;
		growing->all_room = query_integer(&query) / RECORD_BYTES;
		growing->newest = query_integer(&query);
	}
	if (query_finish(&query, err) < 0)
		return -1;
	if (growing->block == 0)
		return 0;
	if (growing->room < 0) {
		growing->header.newest = INT64_MAX;
		return 0;
	}
	struct sql_place place = {"history", "records", growing->block, 0};
	if (sql_read(sql, &place, bytes, sizeof bytes, err) < 0)
		return -1;
	growing->header = header_of(bytes);
	const struct header *header = &growing->header;
	if (header->used < 0 || header->used > growing->room || header->earlier < 0 ||
	    header->earlier > growing->all_room)
		growing->header = (struct header){.newest = INT64_MAX};
	return 0;
}

/* The blocks are damaged, or the newest runs were deleted by hand: their numbers come again. */
static int start_anew(struct growing *growing, struct error *err)
{
	struct query query = query_start(growing->store->sql, "history_clear");
	query_run(&query);
	*growing = (struct growing){.store = growing->store, .newest = growing->newest};
	return query_finish(&query, err);
}

static int add_block(struct growing *growing, struct error *err)
{
	int64_t total = growing->header.earlier + growing->header.used;
	int64_t room = total < LEAST_RECORDS  ? LEAST_RECORDS
		       : total > MOST_RECORDS ? MOST_RECORDS
					      : total;
	struct query query = query_start(growing->store->sql, "history_grow");
	query_bind_integer(&query, (room + 1) * RECORD_BYTES);
	query_run(&query);
	if (query_finish(&query, err) < 0)
		return -1;
	growing->block = sql_last_row(growing->store->sql);
	growing->room = room;
	growing->header = (struct header){.earlier = total};
	return 0;
}

static int write_some(struct growing *growing, const struct history_entry *entries, size_t count,
		      struct error *err)
{
	unsigned char bytes[WRITTEN_AT_ONCE / RECORD_BYTES * RECORD_BYTES];
	struct sql_place place = {"history", "records", growing->block,
				  (growing->header.used + 1) * RECORD_BYTES};
	assert(count * RECORD_BYTES <= sizeof bytes);
	for (size_t i = 0; i < count; i++)
		write_record(bytes + i * RECORD_BYTES, &entries[i]);
	growing->header.used += (int64_t)count;
	return sql_write(growing->store->sql, &place, bytes, count * RECORD_BYTES, err);
}

static int end_block(struct growing *growing, int64_t newest, struct error *err)
{
	unsigned char bytes[RECORD_BYTES];
	struct sql_place place = {"history", "records", growing->block, 0};
	growing->header.newest = newest;
	write_header(bytes, &growing->header);
	return sql_write(growing->store->sql, &place, bytes, sizeof bytes, err);
}

static int write_entries(struct growing *growing, const struct history_entries *entries,
			 struct error *err)
{
	for (size_t at = 0; at < entries->count;) {
		size_t count = entries->count - at;
		size_t room = (size_t)(growing->room - growing->header.used);
		if (growing->block == 0 || room == 0) {
			if (growing->block &&
			    end_block(growing, entries->items[at].run - 1, err) < 0)
				return -1;
			if (add_block(growing, err) < 0)
				return -1;
			continue;
		}
		count = count < room ? count : room;
		count = count < WRITTEN_AT_ONCE / RECORD_BYTES ? count
							       : WRITTEN_AT_ONCE / RECORD_BYTES;
		if (write_some(growing, entries->items + at, count, err) < 0)
			return -1;
		at += count;
	}
	if (growing->block == 0 && add_block(growing, err) < 0)
		return -1;
	return end_block(growing, growing->newest, err);
}

bool history_is_caught_up(struct store *store)
{
	struct error ignored;
	struct growing growing = {.store = store};
	return find_block(&growing, &ignored) == 0 && growing.header.newest == growing.newest;
}

int history_catch_up(struct store *store, struct error *err)
{
	struct following following = {.store = store, .recalled = -1};
	struct growing growing = {.store = store};
	if (find_block(&growing, err) < 0)
		return -1;
	if (growing.header.newest == growing.newest)
		return 0;
	if (growing.header.newest > growing.newest && start_anew(&growing, err) < 0)
		return -1;
	if (growing.header.newest == 0)
		memset(store->remembered, 0, sizeof store->remembered);
	following.remembered = store->remembered;
	int failed = follow(&following, growing.header.newest, err) < 0 ||
		     write_entries(&growing, &following.entries, err) < 0;
	arena_free(&following.scratch);
	return failed ? -1 : 0;
}

/* --- reading --- */

static int damaged(struct store *store, struct error *err)
{
	return error_set(err, ERR_STORE,
			 "%s: the store's history is damaged; empty its table `history` and run "
			 "`rooflog init`",
			 sql_path(store->sql));
}

static int read_block(struct query *query, struct store *store, struct history_entries *entries,
		      struct error *err)
{
	size_t len;
	const unsigned char *bytes = query_bytes(query, &len);
	if (len < RECORD_BYTES)
		return damaged(store, err);
	struct header header = header_of(bytes);
	if (header.used < 0 || (uint64_t)header.used > len / RECORD_BYTES - 1 ||
	    (uint64_t)header.used > entries->capacity - entries->count)
		return damaged(store, err);
	for (size_t i = 1; i <= (size_t)header.used; i++)
		entries->items[entries->count++] = entry_of(bytes + i * RECORD_BYTES);
	return 0;
}

/* The last header says how many there are. */
static int read_blocks(struct store *store, struct arena *arena, const struct header *last,
		       struct history_entries *entries, struct error *err)
{
	entries->capacity = (size_t)(last->earlier + last->used);
	entries->items = arena_array(arena, entries->capacity, sizeof *entries->items);
	struct query query = query_start(store->sql, "history");
	while (query_next(&query))
		if (read_block(&query, store, entries, err) < 0)
			return query_abandon(&query);
	if (query_finish(&query, err) < 0)
		return -1;
	return entries->count == entries->capacity ? 0 : damaged(store, err);
}

static int add_missing(struct store *store, struct arena *arena, int64_t newest,
		       struct history_entries *entries, struct error *err)
{
	struct following following = {.store = store};
	int failed = follow(&following, newest, err);
	for (size_t i = 0; !failed && i < following.entries.count; i++) {
		entries->items = arena_grow(arena, entries->items, entries->count,
					    &entries->capacity, sizeof *entries->items);
		entries->items[entries->count++] = following.entries.items[i];
	}
	arena_free(&following.scratch);
	return failed;
}

int history_entries_read(struct store *store, struct arena *arena, struct history_entries *entries,
			 struct error *err)
{
	struct growing growing = {.store = store};
	struct history_entries found = {0};
	if (find_block(&growing, err) < 0)
		return -1;
	found.caught_up = growing.header.newest == growing.newest;
	if (growing.header.newest > growing.newest)
		growing.header = (struct header){0};
	else if (growing.block && read_blocks(store, arena, &growing.header, &found, err) < 0)
		return -1;
	if (!found.caught_up && add_missing(store, arena, growing.header.newest, &found, err) < 0)
		return -1;
	*entries = found;
	return 0;
}
