/*
 * The table `history`: encoding, deriving entries from runs, extending the table, reading it.
 * Layout (db/schema/0005_by_commit.sql, 0006_seals.sql), little-endian:
 *   - row of a commit: uint32 count, uint64 sum of the runs (store_member()), then count records of
 * 20 bytes: uint32 series, uint64 run << 16 | metric, float64 headline;
 *   - row 0: int64, the newest run that the table covers ("mark").
 */
#include "db/store/history_table.h"

#include "base/text/text.h"

enum {
	COUNT_BYTES = 12, /* number of records, sum of runs */
	RECORD_BYTES = 20,
	MARK_BYTES = 8,
	METRIC_BITS = 16
};

/* The series of an entry that is not written: its run does not count, but its commit gets a row. */
static const uint32_t no_series = UINT32_MAX;

static void write_record(unsigned char bytes[RECORD_BYTES], const struct history_entry *entry)
{
	uint64_t value;
	assert(entry->run > 0 && entry->run >> (63 - METRIC_BITS) == 0);
	assert(entry->metric >= 0 && entry->metric >> METRIC_BITS == 0);
	memcpy(&value, &entry->value, sizeof value);
	half_word_put(bytes, entry->series);
	word_put(bytes + 4, (uint64_t)entry->run << METRIC_BITS | (uint64_t)entry->metric);
	word_put(bytes + 12, value);
}

static struct history_entry entry_of(const unsigned char bytes[RECORD_BYTES])
{
	uint64_t what = word_at(bytes + 4), number = word_at(bytes + 12);
	struct history_entry entry = {.run = (int64_t)(what >> METRIC_BITS),
				      .series = half_word_at(bytes),
				      .metric = (int64_t)(what & ((1 << METRIC_BITS) - 1))};
	memcpy(&entry.value, &number, sizeof number);
	return entry;
}

/* --- from runs to entries --- */

/* The run whose rows are being read. `run` has only those members that run_headline() and
 * run_is_incorrect() use. */
struct passing {
	struct run *run;
	struct history_entry entry; /* entry.run is 0 before the first run */
	struct run_attribute correctness;
};

struct following {
	struct store *store;
	struct arena scratch;
	struct metric_keys keys;
	struct history_entries entries; /* of the runs so far, in ingest order */
	struct passing passing;
	uint64_t *remembered; /* store.remembered; NULL: series_metrics is not extended */
	int64_t recalled;     /* the series whose metrics were read last; -1: none */
};

static uint64_t pair_of(uint32_t series, int64_t metric)
{
	return (uint64_t)series << METRIC_BITS | (uint64_t)metric;
}

/* Fibonacci hashing: the factor is 2^64 divided by the golden ratio (Knuth, TAOCP vol. 3, 6.4). */
static uint64_t *slot_of(struct following *following, uint64_t pair)
{
	return &following->remembered[pair * 0x9e3779b97f4a7c15u >> (64 - REMEMBERED_BITS)];
}

static int recall_series(struct following *following, uint32_t series, struct error *err)
{
	struct strbuf packed = {0};
	int failed = store_series_metrics_read(following->store, series, &packed, err);
	for (size_t i = 0; i < store_series_metrics_count(&packed); i++) {
		uint64_t pair = pair_of(series, store_series_metrics_at(&packed, i));
		*slot_of(following, pair) = pair;
	}
	strbuf_free(&packed);
	following->recalled = series;
	return failed;
}

/* Adds the metric to those of the series unless it is known to be there. A slot may have been taken
 * by another pair: then the series is read again. */
static int remember_metric(struct following *following, uint32_t series, int64_t metric,
			   struct error *err)
{
	uint64_t pair = pair_of(series, metric), *slot = slot_of(following, pair);
	bool found = false;
	if (*slot == pair)
		return 0;
	if (following->recalled != series && recall_series(following, series, err) < 0)
		return -1;
	if (*slot == pair)
		return 0;
	if (store_series_has_metric(following->store, series, metric, &found, err) < 0 ||
	    (!found && store_series_metrics_add(following->store, series, metric, err) < 0))
		return -1;
	*slot = pair;
	return 0;
}

static int read_correctness(struct following *following, struct error *err)
{
	struct passing *passing = &following->passing;
	struct query query = query_start(following->store->sql, "detail/attribute_first");
	query_bind_integer(&query, passing->entry.run);
	query_bind_text(&query, passing->correctness.key);
	passing->run->attribute_count = query_next(&query);
	if (passing->run->attribute_count)
		passing->correctness.text = query_text(&query, &following->scratch);
	return query_finish(&query, err);
}

/* Appends the entry of the run whose rows were read. */
static int end_run(struct following *following, struct error *err)
{
	struct passing *passing = &following->passing;
	struct history_entries *entries = &following->entries;
	struct history_entry entry = passing->entry;
	if (entry.run == 0)
		return 0;
	if (!passing->run->dirty && read_correctness(following, err) < 0)
		return -1;
	enum metric headline = run_headline(passing->run);
	if (passing->run->dirty || run_is_incorrect(passing->run)) {
		entry.series = no_series;
	} else if (headline != METRIC_COUNT) {
		entry.metric = store_key_of_metric(&following->keys, headline);
		entry.value = passing->run->given[headline].number;
		assert(entry.metric >= 0);
	}
	*arena_add(&following->scratch, entries) = entry;
	return 0;
}

static int begin_run(struct following *following, int64_t row, struct query *query,
		     struct error *err)
{
	struct passing *passing = &following->passing;
	int64_t series = query_integer_within(query, 1, UINT32_MAX - 1);
	int64_t revision = query_integer_within(query, 1, UINT32_MAX);
	int64_t dirty = query_integer_within(query, 0, RUN_STATES - 1);
	if (dirty < RUN_SET_ASIDE && (row <= 0 || row >> (63 - METRIC_BITS)))
		return error_set(err, ERR_STORE,
				 "%s: the store is damaged: a run has the number %lld",
				 sql_path(following->store->sql), (long long)row);
	passing->entry =
		(struct history_entry){row, (uint32_t)series, (uint32_t)revision, 0, 0, NAN};
	passing->entry.member = store_member(row, series, dirty);
	passing->run->dirty = dirty != 0;
	for (int i = 0; i < METRIC_COUNT; i++)
		passing->run->given[i].number = NAN;
	return 0;
}

static int read_number(struct following *following, int64_t key, double number, struct error *err)
{
	struct passing *passing = &following->passing;
	enum metric metric = store_metric_of_key(&following->keys, key);
	if (metric == METRIC_COUNT)
		return 0;
	passing->run->given[metric].number = number;
	return following->remembered ? remember_metric(following, passing->entry.series, key, err)
				     : 0;
}

static int read_packed(struct following *following, struct query *query, struct error *err)
{
	struct packed_number number;
	struct packed packed;
	if (query_is_null(query)) { /* a run without numbers, or with rows in `value` */
		query->at += 3;
		return 0;
	}
	if (store_packed_read(query, &packed, err) < 0)
		return -1;
	while (store_packed_next(&packed, &number))
		if (read_number(following, number.key, number.number, err) < 0)
			return -1;
	return 0;
}

/* Reads a row of db/queries/history/missing.sql. The first row of a run has its packed numbers;
 * only runs of older programs have more rows, one per number. */
static int read_row(struct following *following, struct query *query, struct error *err)
{
	int64_t row = query_integer(query);
	if (row != following->passing.entry.run || row == 0) {
		if (end_run(following, err) < 0 || begin_run(following, row, query, err) < 0 ||
		    read_packed(following, query, err) < 0)
			return -1;
	} else {
		query->at += 6; /* series, revision, dirty, numbers: read with the first row */
	}
	if (query_is_null(query)) /* no number in a row of its own */
		return 0;
	int64_t key = query_integer(query);
	return read_number(following, key, query_number(query), err);
}

/* Derives the entries of the runs that a statement finds for a number: of those after a run, or of
 * those of a commit. */
static int follow(struct following *following, const char *statement, int64_t number,
		  struct error *err)
{
	struct passing *passing = &following->passing;
	if (store_metric_keys_read(following->store, &following->keys, err) < 0)
		return -1;
	passing->run = run_new(&following->scratch);
	passing->correctness.key = "correctness";
	passing->run->attributes = &passing->correctness;
	struct query query = query_start(following->store->sql, statement);
	query_bind_integer(&query, number);
	while (query_next(&query))
		if (read_row(following, &query, err) < 0)
			return query_abandon(&query);
	if (query_finish(&query, err) < 0)
		return -1;
	return end_run(following, err);
}

/* Derives the entries of the runs after `newest`, which are compared with their seals first, except
 * those that this handle stored itself. With nothing covered, runs that have numbers below 1 are
 * met, too. */
static int follow_missing(struct following *following, int64_t newest, struct error *err)
{
	int64_t own = following->store->first_row;
	if (store_runs_check(following->store, newest, own ? own : INT64_MAX, err) < 0)
		return -1;
	return follow(following, "history/missing", newest ? newest + 1 : INT64_MIN, err);
}

/* Sorts by commit, then by ingest order. */
static int by_commit(const void *a, const void *b)
{
	const struct history_entry *x = a, *y = b;
	if (x->revision != y->revision)
		return x->revision < y->revision ? -1 : 1;
	return (x->run > y->run) - (x->run < y->run);
}

static void sort_entries(struct history_entries *entries)
{
	array_sort(entries->items, entries->count, sizeof *entries->items, by_commit);
}

/* The number of entries from index `first` on that belong to the same commit. */
static size_t count_same_commit(const struct history_entries *entries, size_t first)
{
	size_t end = first;
	assert(first < entries->count);
	while (end < entries->count &&
	       entries->items[end].revision == entries->items[first].revision)
		end++;
	return end - first;
}

/* --- writing --- */

int store_history_clear(struct store *store, struct error *err)
{
	struct query query = query_start(store->sql, "history/clear");
	if (query_execute(&query, err) < 0)
		return -1;
	query = query_start(store->sql, "series/metrics_clear");
	return query_execute(&query, err);
}

static int put_row(struct store *store, int64_t revision, const unsigned char *bytes, size_t len,
		   struct error *err)
{
	struct seal seal = {0};
	struct query query = query_start(store->sql, "history/put");
	query.seal = &seal;
	query_bind_integer(&query, revision);
	query_bind_bytes(&query, bytes, len);
	query_bind_seal(&query);
	return query_execute(&query, err);
}

static int damaged(struct store *store, struct error *err)
{
	return error_set(
		err, ERR_STORE,
		"%s: the store's history is damaged; `rooflog doctor --repair` rebuilds it",
		sql_path(store->sql));
}

/* The number of records in a row; -1 if the row's length does not match it. */
static int count_of(struct span row, size_t *count)
{
	*count = row.len >= COUNT_BYTES ? half_word_at(row.ptr) : 0;
	return row.len == COUNT_BYTES + *count * RECORD_BYTES ? 0 : -1;
}

/* Reads records and seal from the next columns. */
static bool take_row(struct query *query, int64_t revision, struct span *row, size_t *count)
{
	struct seal seal = {0};
	seal_add_integer(&seal, revision);
	query->seal = &seal;
	row->ptr = query_bytes(query, &row->len);
	return query_seal_fits(query) && count_of(*row, count) == 0;
}

/* Reads the row of a commit, which has *count records, into memory with room for `more` records.
 * A commit without a row has 0 records. */
static int read_row_of(struct store *store, struct arena *arena, int64_t revision, size_t more,
		       unsigned char **row, size_t *count, struct error *err)
{
	struct query query = query_start(store->sql, "history/of");
	struct span stored = {0};
	bool whole = true;
	*count = 0;
	query_bind_integer(&query, revision);
	if (query_next(&query))
		whole = take_row(&query, revision, &stored, count);
	if (!whole) {
		damaged(store, err);
		query_abandon(&query);
		return -1;
	}
	*row = arena_alloc(arena, COUNT_BYTES + (*count + more) * RECORD_BYTES);
	memset(*row, 0, COUNT_BYTES);
	if (stored.len)
		memcpy(*row, stored.ptr, stored.len);
	return query_finish(&query, err);
}

int store_history_row_read(struct store *store, struct arena *arena, int64_t revision,
			   uint64_t *sum, struct history_entries *entries, struct error *err)
{
	unsigned char *row = NULL;
	size_t count = 0;
	if (read_row_of(store, arena, revision, 0, &row, &count, err) < 0)
		return -1;
	*sum = word_at(row + 4);
	for (size_t i = 0; i < count; i++)
		*arena_add(arena, entries) = entry_of(row + COUNT_BYTES + i * RECORD_BYTES);
	return 0;
}

static int fill_row(struct store *store, struct arena *arena, const struct history_entry *entries,
		    size_t count, struct error *err)
{
	unsigned char *row = NULL;
	size_t used = 0;
	if (read_row_of(store, arena, entries->revision, count, &row, &used, err) < 0 || !row)
		return -1;
	uint64_t sum = word_at(row + 4);
	for (size_t i = 0; i < count; i++) {
		sum += entries[i].member;
		if (entries[i].series != no_series)
			write_record(row + COUNT_BYTES + RECORD_BYTES * used++, &entries[i]);
	}
	half_word_put(row, (uint32_t)used);
	word_put(row + 4, sum);
	return put_row(store, entries->revision, row, COUNT_BYTES + RECORD_BYTES * used, err);
}

/* Adds the entries of one commit to its row. */
static int write_commit(struct store *store, const struct history_entry *entries, size_t count,
			struct error *err)
{
	struct arena scratch = {0};
	int failed = fill_row(store, &scratch, entries, count, err);
	arena_free(&scratch);
	return failed;
}

static int write_entries(struct store *store, struct history_entries *entries, int64_t newest,
			 struct error *err)
{
	unsigned char mark[MARK_BYTES];
	sort_entries(entries);
	for (size_t first = 0, count; first < entries->count; first += count) {
		count = count_same_commit(entries, first);
		if (write_commit(store, entries->items + first, count, err) < 0)
			return -1;
	}
	word_put(mark, (uint64_t)newest);
	return put_row(store, 0, mark, sizeof mark, err);
}

int store_history_catch_up(struct store *store, struct error *err)
{
	struct following following = {.store = store, .recalled = -1};
	struct mark mark = {0};
	if (store_mark_read(store, &mark, err) < 0)
		return -1;
	if (mark.looked_at == mark.newest)
		return 0;
	if (store_mark_is_invalid(&mark)) {
		mark.looked_at = 0;
		if (store_history_clear(store, err) < 0)
			return -1;
	}
	if (mark.looked_at == 0)
		memset(store->remembered, 0, sizeof store->remembered);
	following.remembered = store->remembered;
	int failed = follow_missing(&following, mark.looked_at, err) < 0 ||
		     write_entries(store, &following.entries, mark.newest, err) < 0;
	arena_free(&following.scratch);
	return failed ? -1 : 0;
}

/* Whether the runs that the entries were derived from are as they were stored. */
static int check_entries(struct store *store, const struct history_entries *entries,
			 struct error *err)
{
	for (size_t i = 0; i < entries->count; i++) {
		int64_t run = entries->items[i].run;
		if (store_runs_check(store, run - 1, run + 1, err) < 0)
			return -1;
	}
	return 0;
}

static int renew_commit(struct store *store, int64_t revision, struct error *err)
{
	struct following following = {
		.store = store, .recalled = -1, .remembered = store->remembered};
	struct history_entries *entries = &following.entries;
	struct query query = query_start(store->sql, "history/remove");
	query_bind_integer(&query, revision);
	int failed =
		query_execute(&query, err) < 0 ||
		follow(&following, "history/of_commit", revision, err) < 0 ||
		check_entries(store, entries, err) < 0 ||
		(entries->count && write_commit(store, entries->items, entries->count, err) < 0);
	arena_free(&following.scratch);
	return failed ? -1 : 0;
}

int store_history_renew(struct store *store, const int64_t *revisions, size_t count,
			struct error *err)
{
	if (store_history_catch_up(store, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (renew_commit(store, revisions[i], err) < 0)
			return -1;
	return 0;
}

/* --- reading --- */

int store_history_source_read(struct store *store, struct arena *arena,
			      struct history_source *source, struct error *err)
{
	struct following following = {.store = store};
	struct mark mark = {0};
	if (store_mark_read(store, &mark, err) < 0)
		return -1;
	*source = (struct history_source){
		.caught_up = mark.looked_at == mark.newest,
		.looked_at = store_mark_is_invalid(&mark) ? 0 : mark.looked_at};
	if (source->caught_up)
		return 0;
	int failed = follow_missing(&following, source->looked_at, err);
	sort_entries(&following.entries);
	for (size_t i = 0; !failed && i < following.entries.count; i++)
		if (following.entries.items[i].series != no_series) {
			struct history_entries *missing = &source->missing;
			*arena_add(arena, missing) = following.entries.items[i];
		}
	arena_free(&following.scratch);
	return failed;
}

/* Makes room for `more` entries. */
static void make_room(struct arena *arena, struct history_entries *entries, size_t more)
{
	if (entries->capacity - entries->count < more) {
		size_t capacity = 2 * entries->count + more;
		struct history_entry *items = arena_array(arena, capacity, sizeof *items);
		if (entries->count)
			memcpy(items, entries->items, entries->count * sizeof *items);
		entries->items = items;
		entries->capacity = capacity;
	}
}

int store_history_source_add(struct store *store, struct arena *arena,
			     const struct history_source *source, int64_t revision,
			     struct query *query, struct history_entries *entries,
			     struct error *err)
{
	struct span row;
	size_t count = 0;
	bool none = query_is_null(query), whole = take_row(query, revision, &row, &count);
	bool gone = query_integer(query) != 0;
	assert(!source->caught_up || source->missing.count == 0);
	/* With an invalid mark (looked_at 0) the table is ignored, and all entries are missing. */
	if (source->looked_at > 0 && (gone || (!none && !whole)))
		return damaged(store, err);
	if (!whole || source->looked_at <= 0)
		count = 0;
	const struct history_entries *missing = &source->missing;
	const struct history_entry first = {.revision = (uint32_t)revision}; /* before run 1 */
	size_t from =
		array_lower_bound(&first, missing->items, missing->count, sizeof first, by_commit);
	size_t more = from < missing->count && missing->items[from].revision == revision
			      ? count_same_commit(missing, from)
			      : 0;
	make_room(arena, entries, count + more);
	for (size_t i = 0; i < count; i++)
		entries->items[entries->count++] =
			entry_of((const unsigned char *)row.ptr + COUNT_BYTES + i * RECORD_BYTES);
	for (size_t i = 0; i < more; i++)
		entries->items[entries->count++] = missing->items[from + i];
	return 0;
}
