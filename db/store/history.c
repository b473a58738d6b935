/*
 * The histories of all series along one first-parent chain. Steps of load():
 *   1. begin():          dictionaries, and which series the window asks for
 *   2. read_chain():     walks from the newest commit down and reads the entries of each commit;
 * ends with the chain, or at the commit where the window is satisfied
 *   3. read_names():     the series that were met
 *   4. make_histories(): one history per series key, with room for its runs
 *   5. fill_histories(): runs and values, oldest first
 * Values of headlines are in the entries. Any other metric costs one search per run.
 */

#include "db/store/history_table.h"
#include "db/store/store.h"
#include "db/store/internal.h"

/* Limit of rowids of series: arrays have that many items. No real store comes close; it protects
 * against a damaged file. */
enum { SERIES_ROWS = 1 << 22 };

enum presence { NOT_ASKED, ABSENT, PRESENT };

/* State of a row of `series` during the walk. */
struct sighting {
	size_t runs;     /* met so far */
	uint32_t wanted; /* 1 + index of its key in window->series; 0: not wanted */
};

/* State of a key in window->series during the walk. */
struct wanted {
	int64_t metric; /* rowid of the judged metric's key; -1: no run has it */
	size_t commits; /* so far, from window->newest down, with it as headline */
	uint32_t last;  /* 1 + chain index of the last of these; 0: none */
	bool ended;     /* no runs further down */
};

struct loading {
	struct store *store;
	struct arena *arena, scratch;
	const struct history_window *window;
	struct history_set set;
	struct metric_keys keys;
	int64_t *
		wanted; /* rowid of each metric's key, by index in set.metrics; -1: no run has it */
	struct history_source source;
	struct history_entries *commits; /* by chain index */
	size_t commit_count, commit_capacity;
	size_t series_limit;        /* 1 + highest rowid of a series */
	struct sighting *sightings; /* by rowid of the series */
	uint32_t *histories;        /* by rowid of the series: index into set.items */
	enum presence *known;       /* known[metric index * series_limit + series rowid] */
	double **values;            /* by history; values[h][metric index * run_count + run] */
	size_t *filled;             /* by history: runs so far */
	/* State of the window; see struct history_window. */
	size_t series_count, seen;  /* series of the store; rows of `series` that were met */
	struct wanted *keys_wanted; /* by index in window->series */
	struct named *named;        /* the given identities, sorted by key */
	size_t named_count;
	size_t lacking;      /* series that still need commits */
	size_t data_commits; /* commits with runs so far */
	size_t asked_at;     /* chain length at which ask_lacking() is called next */
	bool pinned;         /* a pin was visited */
	bool since_known;    /* since_floor is set */
	int64_t since_floor; /* lowest position of commits since window->since */
};

/* --- where the walk ends --- */

/* Marks the rows of `series` that have the key window->series[index]. */
static int find_wanted(struct loading *loading, uint32_t index, struct error *err)
{
	enum metric judged = loading->window->judged[index];
	assert(index < loading->window->series_count);
	loading->keys_wanted[index].metric =
		judged == METRIC_COUNT ? -1 : store_key_of_metric(&loading->keys, judged);
	struct query query = query_start(loading->store->sql, "series/of_key");
	query_bind_text(&query, loading->window->series[index]);
	while (query_next(&query)) {
		int64_t row = query_integer(&query);
		if (row > 0 && (size_t)row < loading->series_limit)
			loading->sightings[row].wanted = index + 1;
	}
	return query_finish(&query, err);
}

static int begin(struct loading *loading, struct error *err)
{
	const struct history_window *window = loading->window;
	struct series_extent extent = {0};
	assert(!window || window->commits > 0);
	if (store_series_extent_read(loading->store, &extent, err) < 0)
		return -1;
	loading->series_count = (size_t)extent.series;
	loading->series_limit = (size_t)extent.last_series + 1;
	if (loading->series_limit > SERIES_ROWS)
		return error_set(err, ERR_STORE,
				 "%s: the store's history is damaged (series %zu); `rooflog doctor "
				 "--repair` rebuilds it",
				 sql_path(loading->store->sql), loading->series_limit - 1);
	size_t commits = (size_t)extent.last_revision;
	if (window && commits > window->commits)
		commits = window->commits;
	arena_expect(&loading->scratch,
		     loading->series_count * commits * sizeof(struct history_entry));
	loading->sightings =
		arena_array(&loading->scratch, loading->series_limit, sizeof *loading->sightings);
	if (!window)
		return 0;
	loading->lacking = window->series_count;
	loading->keys_wanted =
		arena_array(&loading->scratch, window->series_count, sizeof *loading->keys_wanted);
	loading->asked_at = window->commits;
	for (size_t i = 0; i < window->series_count; i++)
		if (find_wanted(loading, (uint32_t)i, err) < 0)
			return -1;
	return 0;
}

/* Counts a run of a wanted series: its commit, once, if its headline is the judged metric. */
static void note_wanted(struct loading *loading, struct wanted *wanted,
			const struct history_entry *entry, uint32_t commit)
{
	enum metric metric = store_metric_of_key(&loading->keys, entry->metric);
	if (wanted->last == commit + 1 || entry->metric != wanted->metric ||
	    metric == METRIC_COUNT || !isfinite(entry->value) ||
	    !metric_in_bounds(metric, entry->value))
		return;
	wanted->last = commit + 1;
	if (++wanted->commits == loading->window->commits && !wanted->ended) {
		assert(loading->lacking > 0);
		loading->lacking--;
	}
}

/* Counts the runs of the last commit of the chain so far. */
static int note_runs(struct loading *loading, const struct history_entries *entries,
		     struct error *err)
{
	uint32_t commit = (uint32_t)loading->set.chain_count - 1;
	bool counts = loading->window && commit >= loading->window->newest;
	for (size_t i = 0; i < entries->count; i++) {
		const struct history_entry *entry = &entries->items[i];
		if (entry->series >= loading->series_limit ||
		    (entry->metric && !store_metric_has_key(&loading->keys, entry->metric)))
			return error_set(err, ERR_STORE,
					 "%s: the store's history is damaged (series %u); `rooflog "
					 "doctor --repair` rebuilds it",
					 sql_path(loading->store->sql), entry->series);
		struct sighting *sighting = &loading->sightings[entry->series];
		loading->seen += sighting->runs++ == 0;
		if (counts && sighting->wanted)
			note_wanted(loading, &loading->keys_wanted[sighting->wanted - 1], entry,
				    commit);
	}
	loading->data_commits += counts && entries->count > 0;
	return 0;
}

/* Finds out which series have no runs below the position: the walk need not continue for them.
 * Stops at the first series that has, because then the walk continues anyway. */
static int ask_lacking(struct loading *loading, int64_t position, struct error *err)
{
	for (size_t i = 0; i < loading->window->series_count; i++) {
		struct wanted *wanted = &loading->keys_wanted[i];
		int64_t older = 1;
		if (wanted->ended || wanted->commits >= loading->window->commits)
			continue;
		struct query query = query_start(loading->store->sql, "history/older");
		query_bind_text(&query, loading->window->series[i]);
		query_bind_integer(&query, position);
		if (query_find(&query, &older, err) < 0)
			return -1;
		if (older)
			return 0;
		wanted->ended = true;
		loading->lacking--;
	}
	return 0;
}

/* Whether `last` is at or below the position. Positions are unknown (negative) in a shallow clone.
 */
static bool is_past(const struct revision *last, int64_t position)
{
	return last->position >= 0 && last->position <= position;
}

/* Sets *all if every series of the store was met, or all commits since window->since were visited.
 */
static int is_all_series(struct loading *loading, const struct revision *last, bool *all,
			 struct error *err)
{
	*all = loading->seen == loading->series_count;
	if (*all)
		return 0;
	if (!loading->since_known) {
		struct query query = query_start(loading->store->sql, "revision/since");
		query_bind_integer(&query, loading->window->since);
		loading->since_floor = INT64_MAX;
		if (query_find(&query, &loading->since_floor, err) < 0)
			return -1;
		loading->since_known = true;
	}
	*all = is_past(last, loading->since_floor);
	return 0;
}

/* Whether the window is satisfied at `last`, the last commit of the chain so far. ask_lacking()
 * costs a query per series, so it is called only when the chain has doubled since the last call. */
static int is_enough(struct loading *loading, const struct revision *last, bool *enough,
		     struct error *err)
{
	const struct history_window *window = loading->window;
	*enough = false;
	if (!window)
		return 0;
	loading->pinned = loading->pinned ||
			  (loading->set.chain_count > window->newest &&
			   span_among(span_of(last->oid), window->pins, window->pin_count));
	bool pins = !window->pin_count || loading->pinned || is_past(last, window->pin_floor);
	bool all_series = false;
	if (loading->data_commits < window->data_commits || !pins)
		return 0;
	if (is_all_series(loading, last, &all_series, err) < 0)
		return -1;
	if (!all_series)
		return 0;
	if (loading->lacking && last->position >= 0 &&
	    loading->set.chain_count >= loading->asked_at) {
		loading->asked_at = 2 * loading->set.chain_count;
		if (ask_lacking(loading, last->position, err) < 0)
			return -1;
	}
	*enough = loading->lacking == 0;
	return 0;
}

/* --- the walk --- */

/* Each commit must appear once. In a damaged store a commit may be its own ancestor; the query for
 * the chain then ends only after as many steps as there are commits. */
static int check_cycle(struct loading *loading, int64_t *rows, struct error *err)
{
	if (!rows)
		return 0;
	qsort(rows, loading->set.chain_count, sizeof *rows, array_by_int64);
	for (size_t i = 1; i < loading->set.chain_count; i++)
		if (rows[i] == rows[i - 1])
			return error_set(err, ERR_STORE,
					 "%s: the store contains a cycle in the commit graph",
					 sql_path(loading->store->sql));
	return 0;
}

/* The next commit of the chain, which must have the id. */
static int read_commit(struct loading *loading, struct query *query, int64_t row, const char *oid,
		       struct error *err)
{
	struct history_set *set = &loading->set;
	struct revision *revision = &set->chain[set->chain_count - 1];
	struct history_entries *entries =
		arena_next(&loading->scratch, loading->commits, loading->commit_count,
			   loading->commit_capacity);
	assert(loading->commit_count == set->chain_count);
	if (store_revision_read(loading->store, query, loading->arena, revision, err) < 0 ||
	    store_revision_expect(loading->store, revision, oid, err) < 0 ||
	    store_history_source_add(loading->store, &loading->scratch, &loading->source, row,
				     query, entries, err) < 0)
		return -1;
	return note_runs(loading, entries, err);
}

static int read_chain(struct loading *loading, const char *oid, struct error *err)
{
	struct history_set *set = &loading->set;
	size_t capacity = 0, row_count = 0, row_capacity = 0;
	int64_t *rows = NULL;
	bool enough = false;
	struct query query = query_start(loading->store->sql, "history/chain");
	query_bind_text(&query, oid);
	query_bind_integer(&query, loading->source.looked_at);
	while (!enough && query_next(&query)) {
		int64_t row = query_integer(&query);
		*arena_next(&loading->scratch, rows, row_count, row_capacity) = row;
		arena_next(loading->arena, set->chain, set->chain_count, capacity);
		if (read_commit(loading, &query, row, oid, err) < 0 ||
		    is_enough(loading, &set->chain[set->chain_count - 1], &enough, err) < 0)
			return query_abandon(&query);
		oid = set->chain[set->chain_count - 1].parent;
	}
	if (query_finish(&query, err) < 0)
		return -1;
	if (set->chain_count == 0)
		return store_revision_unknown(loading->store, oid, err);
	set->truncated = !enough && set->chain[set->chain_count - 1].parent[0] != '\0';
	if (set->truncated && store_commits_check(loading->store, err) < 0)
		return -1;
	return check_cycle(loading, rows, err);
}

/* Reads the series that were met on the chain. */
static int read_names(struct loading *loading, struct series_list *list, struct error *err)
{
	int64_t *rows = arena_array(&loading->scratch, loading->series_limit, sizeof *rows);
	size_t count = 0;
	for (size_t i = 0; i < loading->series_limit; i++)
		if (loading->sightings[i].runs)
			rows[count++] = (int64_t)i;
	if (store_series_read(loading->store, rows, count, err) < 0)
		return -1;
	list->items = arena_array(&loading->scratch, count, sizeof *list->items);
	for (size_t i = 0; i < count; i++) {
		const struct series *series = store_series_find(loading->store, rows[i]);
		if (series && series->key)
			list->items[list->count++] = *series;
	}
	return list->count == count ? 0
				    : error_set(err, ERR_STORE,
						"%s: the store contains runs of an unknown series",
						sql_path(loading->store->sql));
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct series *)a)->key, ((const struct series *)b)->key);
}

struct named {
	const char *key;
	const struct run *identity;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->key, ((const struct named *)b)->key);
}

/* The given identities, for all histories alike whether or not the walk has limits. */
static void sort_identities(struct loading *loading, const struct history_window *window)
{
	if (!window->identities)
		return;
	loading->named =
		arena_array(&loading->scratch, window->series_count, sizeof *loading->named);
	for (size_t i = 0; i < window->series_count; i++)
		loading->named[i] = (struct named){window->series[i], window->identities[i]};
	loading->named_count = window->series_count;
	array_sort(loading->named, loading->named_count, sizeof *loading->named, by_name);
}

static const struct run *identity_of(struct loading *loading, const struct series *series)
{
	const struct named key = {.key = series->key};
	const struct named *given =
		loading->named_count
			? bsearch(&key, loading->named, loading->named_count, sizeof key, by_name)
			: NULL;
	if (given)
		return given->identity;
	struct run *identity = run_new(loading->arena);
	store_series_identify(loading->arena, series, identity);
	return identity;
}

/* Makes one history per key, with room for its runs. Rows of `series` with the same key share it.
 */
static void make_histories(struct loading *loading, struct series_list *list)
{
	struct history_set *set = &loading->set;
	array_sort(list->items, list->count, sizeof *list->items, by_key);
	set->items = arena_array(loading->arena, list->count, sizeof *set->items);
	loading->histories =
		arena_array(&loading->scratch, loading->series_limit, sizeof *loading->histories);
	loading->filled = arena_array(&loading->scratch, list->count, sizeof *loading->filled);
	loading->values = arena_array(&loading->scratch, list->count, sizeof *loading->values);
	for (size_t i = 0; i < list->count; i++) {
		const struct series *series = &list->items[i];
		assert(series->row >= 0 && (size_t)series->row < loading->series_limit);
		if (i == 0 || by_key(series - 1, series) != 0)
			set->items[set->count++] = (struct history){
				.series = series->key, .identity = identity_of(loading, series)};
		loading->histories[series->row] = (uint32_t)set->count - 1;
		set->items[set->count - 1].run_count += loading->sightings[series->row].runs;
	}
	for (size_t i = 0; i < set->count; i++) {
		size_t count = set->items[i].run_count;
		set->items[i].runs = arena_array(loading->arena, count, sizeof *set->items[i].runs);
		set->items[i].values = loading->values[i] = arena_array(
			loading->arena, count * set->metric_count, sizeof *loading->values[i]);
	}
}

/* The table series_metrics is complete only if the table `history` covers all runs; otherwise every
 * series may have the metric. */
static int has_metric(struct loading *loading, uint32_t series, int64_t key,
		      enum presence *presence, struct error *err)
{
	bool found = true;
	if (loading->source.caught_up) {
		if (store_series_has_metric(loading->store, series, key, &found, err) < 0)
			return -1;
	}
	*presence = found ? PRESENT : ABSENT;
	return 0;
}

/* The run's value of a metric. Its numbers are searched only if the metric is not the headline, is
 * not derived (the caller computes those), and some run of the series has it. */
static int read_value(struct loading *loading, const struct history_entry *entry, size_t metric,
		      double *value, struct error *err)
{
	int64_t key = loading->wanted[metric];
	assert(metric < loading->set.metric_count && entry->series < loading->series_limit);
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
	return *known == PRESENT ? store_number_read(loading->store, entry->run, key, value, err)
				 : 0;
}

/* Programs before there were bounds stored any number. */
static int find_value(struct loading *loading, const struct history_entry *entry, size_t metric,
		      double *value, struct error *err)
{
	if (read_value(loading, entry, metric, value, err) < 0)
		return -1;
	if (metric_in_bounds(loading->set.metrics[metric], *value))
		return 0;
	loading->set.out_of_bounds++;
	*value = NAN;
	return 0;
}

static int fill_commit(struct loading *loading, uint32_t commit, struct error *err)
{
	size_t metrics = loading->set.metric_count;
	const struct history_entries *entries = &loading->commits[commit];
	for (size_t i = 0; i < entries->count; i++) {
		const struct history_entry *entry = &entries->items[i];
		uint32_t index = loading->histories[entry->series];
		struct history *history = &loading->set.items[index];
		size_t run = loading->filled[index]++;
		assert(run < history->run_count);
		history->runs[run] = (struct history_run){entry->run, commit, false};
		double *value = loading->values[index] + run;
		for (size_t k = 0; k < metrics; k++, value += history->run_count)
			if (find_value(loading, entry, k, value, err) < 0)
				return -1;
	}
	return 0;
}

/* The runs of a history are sorted from the oldest commit to the newest, and by ingest order within
 * a commit. */
static int fill_histories(struct loading *loading, struct error *err)
{
	loading->known =
		arena_array(&loading->scratch, loading->set.metric_count * loading->series_limit,
			    sizeof *loading->known);
	for (size_t commit = loading->set.chain_count; commit-- > 0;)
		if (fill_commit(loading, (uint32_t)commit, err) < 0)
			return -1;
	return 0;
}

static int load(struct loading *loading, const char *oid, const enum metric *metrics,
		struct error *err)
{
	struct series_list series = {0};
	struct history_set *set = &loading->set;
	enum metric *copy = arena_array(loading->arena, set->metric_count, sizeof *copy);
	if (store_metric_keys_read(loading->store, &loading->keys, err) < 0)
		return -1;
	loading->wanted =
		arena_array(&loading->scratch, set->metric_count, sizeof *loading->wanted);
	for (size_t i = 0; i < set->metric_count; i++) {
		copy[i] = metrics[i];
		loading->wanted[i] = store_key_of_metric(&loading->keys, metrics[i]);
	}
	set->metrics = copy;
	if (store_history_source_read(loading->store, &loading->scratch, &loading->source, err) <
		    0 ||
	    begin(loading, err) < 0 || read_chain(loading, oid, err) < 0 ||
	    read_names(loading, &series, err) < 0)
		return -1;
	make_histories(loading, &series);
	return fill_histories(loading, err);
}

/* One transaction, so that all queries see the same state of the store. */
int store_window(struct store *store, struct arena *arena, const char *oid,
		 const struct history_window *window, struct history_set *set, struct error *err)
{
	struct loading loading = {.store = store,
				  .arena = arena,
				  .window = window->commits ? window : NULL,
				  .set = {.metric_count = window->metric_count}};
	if (store_reading_begin(store, err) < 0)
		return -1;
	sort_identities(&loading, window);
	int failed = load(&loading, oid, window->metrics, err);
	store_reading_end(store);
	arena_free(&loading.scratch);
	if (failed)
		return -1;
	*set = loading.set;
	return 0;
}

int store_histories(struct store *store, struct arena *arena, const char *oid,
		    const enum metric *metrics, size_t metric_count, struct history_set *set,
		    struct error *err)
{
	const struct history_window window = {.metrics = metrics, .metric_count = metric_count};
	return store_window(store, arena, oid, &window, set, err);
}
