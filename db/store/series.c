/* Dictionaries of the store: its series, and the rowids of its metric keys. */

#include "base/json/json.h"
#include "db/store/internal.h"

/* Parses the JSON object of parameters in the next column. run_set_param() sorts them, in the
 * helper run `sorting`. */
static void read_params(struct query *query, struct arena *arena, struct run *sorting,
			struct series *series)
{
	struct arena scratch = {0};
	struct error ignored;
	const char *text = query_required_text(query, &scratch);
	const struct json *object = json_parse(&scratch, span_of(text), &ignored);
	bool whole = object && object->type == JSON_OBJECT;
	sorting->params = NULL;
	sorting->param_count = 0;
	for (const struct json *member = whole ? object->first : NULL; member;
	     member = member->next) {
		whole = whole && member->name && member->text;
		if (whole)
			run_set_param(arena, sorting, arena_strdup(arena, member->name),
				      arena_strdup(arena, member->text));
	}
	if (!whole)
		query_refuse(query, "is not a JSON object of texts");
	arena_free(&scratch);
	series->params = sorting->params;
	series->param_count = sorting->param_count;
}

/* The series as it is called by its alias. */
static void use_alias(struct store *store, struct series *series)
{
	struct arena scratch = {0}, *arena = &store->series_arena;
	struct run *stored = run_new(&scratch);
	store_series_identify(&scratch, series, stored);
	const struct run *named = renaming_of(&scratch, store->aliases, stored);
	if (named) {
		struct run *kept = run_new(&scratch);
		struct series *as_stored = arena_new(arena, struct series);
		*as_stored = *series;
		series->stored = as_stored;
		series->kernel = named->kernel ? arena_strdup(arena, named->kernel) : NULL;
		series->variant = named->variant ? arena_strdup(arena, named->variant) : NULL;
		for (size_t i = 0; i < named->param_count; i++)
			run_set_param(arena, kept, arena_strdup(arena, named->params[i].name),
				      arena_strdup(arena, named->params[i].value));
		series->params = kept->params;
		series->param_count = kept->param_count;
		series->key = run_series_key(arena, named);
	}
	arena_free(&scratch);
}

static void append_series(struct store *store, struct query *query, struct run *sorting)
{
	struct arena *arena = &store->series_arena;
	struct series_list *list = &store->series;
	struct seal seal = {0};
	query->seal = &seal;
	struct series series = {.row = query_integer(query)};
	series.key = query_required_text(query, arena);
	series.kernel = query_text(query, arena);
	series.variant = query_text(query, arena);
	series.dtype = query_text(query, arena);
	read_params(query, arena, sorting, &series);
	series.device = query_text(query, arena);
	series.instance_type = query_text(query, arena);
	series.cores = (int)query_integer_within(query, 0, INT32_MAX);
	series.tool = query_text(query, arena);
	query_check_seal(query);
	if (store->shows_aliases)
		use_alias(store, &series);
	*arena_add(arena, list) = series;
}

void store_series_identify(struct arena *arena, const struct series *series, struct run *run)
{
	run->kernel = series->kernel;
	run->variant = series->variant;
	run->dtype = series->dtype;
	run->device = series->device;
	run->instance_type = series->instance_type;
	run->cores = series->cores;
	run->tool = series->tool;
	for (size_t i = 0; i < series->param_count; i++)
		run_set_param(arena, run, series->params[i].name, series->params[i].value);
}

int store_has_series(struct store *store, const char *key, bool *has, struct error *err)
{
	struct query query = query_start(store->sql, "series/of_key");
	query_bind_text(&query, key);
	*has = query_next(&query);
	return query_finish(&query, err);
}

static int compare_rows(const void *a, const void *b)
{
	int64_t left = ((const struct series *)a)->row, right = ((const struct series *)b)->row;
	return (left > right) - (left < right);
}

const struct series *store_series_find(const struct store *store, int64_t row)
{
	struct series wanted = {.row = row};
	return store->series.count ? bsearch(&wanted, store->series.items, store->series.count,
					     sizeof wanted, compare_rows)
				   : NULL;
}

/* The rowids whose series were not read yet, sorted, each once. Sets *count to their number. */
static int64_t *unknown_of(struct store *store, struct arena *scratch, const int64_t *rows,
			   size_t *count)
{
	int64_t *unknown = arena_array(scratch, *count, sizeof *unknown);
	size_t found = 0, distinct = 0;
	for (size_t i = 0; i < *count; i++)
		if (!store_series_find(store, rows[i]))
			unknown[found++] = rows[i];
	array_sort(unknown, found, sizeof *unknown, array_by_int64);
	for (size_t i = 0; i < found; i++)
		if (i == 0 || unknown[i] != unknown[i - 1])
			unknown[distinct++] = unknown[i];
	*count = distinct;
	return unknown;
}

static int read_range(struct store *store, int64_t first, int64_t last, struct run *sorting,
		      struct error *err)
{
	assert(first <= last);
	struct query query = query_start(store->sql, "series/series");
	query_bind_integer(&query, first);
	query_bind_integer(&query, last);
	while (query_next(&query))
		append_series(store, &query, sorting);
	return query_finish(&query, err);
}

int store_series_read(struct store *store, const int64_t *rows, size_t count, struct error *err)
{
	struct arena scratch = {0};
	const int64_t *unknown = unknown_of(store, &scratch, rows, &count);
	struct run *sorting = count ? run_new(&scratch) : NULL;
	size_t known = store->series.count;
	int64_t last = known ? store->series.items[known - 1].row : 0;
	if (!store->series.capacity) {
		store->series.items =
			arena_array(&store->series_arena, count, sizeof *store->series.items);
		store->series.capacity = count;
	}
	int failed = 0;
	for (size_t at = 0, end; !failed && at < count; at = end) {
		for (end = at + 1; end < count && unknown[end] - 1 == unknown[end - 1];)
			end++;
		failed = read_range(store, unknown[at], unknown[end - 1], sorting, err);
	}
	if (failed)
		store->series.count = known;
	else if (known && store->series.count > known && unknown[0] < last)
		qsort(store->series.items, store->series.count, sizeof *store->series.items,
		      compare_rows);
	arena_free(&scratch);
	return failed;
}

const struct run *store_series_stored(const struct store *store, struct arena *arena, int64_t row)
{
	struct run *run = run_new(arena);
	const struct series *series = store_series_find(store, row);
	if (series)
		store_series_identify(arena, series->stored ? series->stored : series, run);
	return run;
}

int store_series_all(struct store *store, struct arena *arena, struct store_series_list *list,
		     struct error *err)
{
	struct store_series_list found = {0};
	struct query query = query_start(store->sql, "series/all");
	while (query_next(&query)) {
		struct store_series *one = arena_add(arena, &found);
		one->row = query_integer(&query);
		one->used = query_integer(&query) != 0;
	}
	if (query_finish(&query, err) < 0)
		return -1;
	int64_t *rows = arena_array(arena, found.count, sizeof *rows);
	for (size_t i = 0; i < found.count; i++)
		rows[i] = found.items[i].row;
	if (store_series_read(store, rows, found.count, err) < 0)
		return -1;
	for (size_t i = 0; i < found.count; i++) {
		struct run *identity = run_new(arena);
		const struct series *series = store_series_find(store, found.items[i].row);
		if (series)
			store_series_identify(arena, series, identity);
		found.items[i].identity = identity;
		if (series && series->stored)
			found.items[i].stored =
				store_series_stored(store, arena, found.items[i].row);
	}
	*list = found;
	return 0;
}

/* Filters of statements see the new names: a temporary table in the place of `series`. What
 * identifies runs is read from main.series, whose rows are sealed. */
static int shadow(struct store *store, const struct store_series_list *list, struct error *err)
{
	struct arena scratch = {0};
	int failed = sql_execute(
		store->sql,
		"CREATE TEMP TABLE series (id INTEGER PRIMARY KEY, key TEXT, kernel TEXT, "
		"variant TEXT, dtype TEXT, device TEXT); "
		"INSERT INTO temp.series SELECT id, key, kernel, variant, dtype, device "
		"FROM main.series; CREATE INDEX temp.series_by_key ON series (key)",
		err);
	for (size_t i = 0; !failed && i < list->count; i++) {
		const struct run *named = list->items[i].identity;
		struct query query = query_start(store->sql, "series/alias");
		query_bind_text(&query, run_series_key(&scratch, named));
		query_bind_text(&query, named->kernel);
		query_bind_text(&query, named->variant);
		query_bind_integer(&query, list->items[i].row);
		failed = query_execute(&query, err);
	}
	arena_free(&scratch);
	return failed;
}

static int show_names(struct store *store, struct error *err)
{
	struct arena scratch = {0};
	struct store_series_list all, renamed = {0};
	int failed = store_series_all(store, &scratch, &all, err);
	for (size_t i = 0; !failed && i < all.count; i++)
		if (all.items[i].stored)
			*arena_add(&scratch, &renamed) = all.items[i];
	if (renamed.count)
		failed = shadow(store, &renamed, err);
	arena_free(&scratch);
	return failed;
}

static int use_names(struct store *store, bool aliases, struct error *err)
{
	store->shows_aliases = aliases;
	store->series.count = 0;
	if (sql_execute(store->sql, "DROP TABLE IF EXISTS temp.series", err) < 0)
		return -1;
	return aliases ? show_names(store, err) : 0;
}

int store_show_aliases(struct store *store, bool shown, struct error *err)
{
	shown = shown && store->aliases;
	return !store->writes || shown == store->shows_aliases ? 0 : use_names(store, shown, err);
}

int store_use_aliases(struct store *store, const struct renaming_list *aliases, struct error *err)
{
	struct error ignored;
	bool had = store->aliases != NULL;
	store->aliases = aliases->count ? aliases : NULL;
	if (store->writes || (!aliases->count && !had))
		return 0;
	if (sql_execute(store->sql, "PRAGMA query_only = OFF", err) < 0)
		return -1;
	int failed = use_names(store, store->aliases, err);
	sql_execute(store->sql, "PRAGMA query_only = ON", &ignored);
	return failed;
}

int store_series_extent_read(struct store *store, struct series_extent *extent, struct error *err)
{
	struct query query = query_start(store->sql, "series/extent");
	if (query_next(&query)) {
		extent->series = query_integer(&query);
		extent->last_series = query_integer(&query);
		extent->last_revision = query_integer(&query);
	}
	return query_finish(&query, err);
}

/* Rowids of metric keys from this on are ignored; a packed number has 16 bits for them. */
enum { METRIC_ROWS = 1 << 16 };

static const enum metric no_key = METRIC_COUNT + 1;

/* Rowids are small and almost without gaps, so an array is the dictionary. */
static int read_keys(struct store *store, struct error *err)
{
	struct arena *arena = &store->keys_arena;
	struct metric_keys found = {0};
	size_t capacity = 0;
	struct query query = query_start(store->sql, "number/metrics");
	while (query_next(&query)) {
		struct seal seal = {0};
		query.seal = &seal;
		int64_t row = query_integer(&query);
		const char *key = query_required_text(&query, arena);
		query_check_seal(&query);
		if (row <= 0 || row >= METRIC_ROWS)
			continue;
		while (found.count <= (size_t)row) {
			*arena_next(arena, found.metrics, found.count, capacity) = no_key;
		}
		found.metrics[row] = metric_find(span_of(key));
	}
	if (query_finish(&query, err) < 0)
		return -1;
	store->keys = found;
	return 0;
}

/* Keys are only added, with increasing rowids: the dictionary is current while the highest rowid is
 * the same. */
int store_metric_keys_read(struct store *store, struct metric_keys *keys, struct error *err)
{
	int64_t last = 0;
	if (store->held && store->last_key) {
		*keys = store->keys;
		return 0;
	}
	struct query query = query_start(store->sql, "number/metric_last");
	if (query_find(&query, &last, err) < 0)
		return -1;
	if (last != store->last_key || last == 0) {
		store_metric_keys_forget(store);
		if (read_keys(store, err) < 0)
			return -1;
		store->last_key = last;
	}
	*keys = store->keys;
	return 0;
}

void store_metric_keys_forget(struct store *store)
{
	arena_free(&store->keys_arena);
	store->keys = (struct metric_keys){0};
	store->last_key = 0;
}

enum metric store_metric_of_key(const struct metric_keys *keys, int64_t row)
{
	return store_metric_has_key(keys, row) ? keys->metrics[row] : METRIC_COUNT;
}

bool store_metric_has_key(const struct metric_keys *keys, int64_t row)
{
	return row >= 0 && row < (int64_t)keys->count && keys->metrics[row] != no_key;
}

int64_t store_key_of_metric(const struct metric_keys *keys, enum metric metric)
{
	assert(metric < METRIC_COUNT);
	for (size_t row = 0; row < keys->count; row++)
		if (keys->metrics[row] == metric)
			return (int64_t)row;
	return -1;
}

bool store_has_metric(struct store *store, enum metric metric)
{
	struct metric_keys keys;
	struct error ignored;
	return store_metric_keys_read(store, &keys, &ignored) < 0 ||
	       store_key_of_metric(&keys, metric) >= 0;
}

/* --- the metrics that runs of a series ever had (db/schema/0006_seals.sql) --- */

enum { KEY_BYTES = 2 };

int store_series_metrics_read(struct store *store, int64_t series, struct strbuf *packed,
			      struct error *err)
{
	struct seal seal = {0};
	struct query query = query_start(store->sql, "series/metrics");
	query_bind_integer(&query, series);
	if (query_next(&query)) {
		size_t len;
		query.seal = &seal;
		query_integer(&query);
		const void *bytes = query_bytes(&query, &len);
		query_check_seal(&query);
		if (len)
			strbuf_add(packed, bytes, len - len % KEY_BYTES);
	}
	return query_finish(&query, err);
}

size_t store_series_metrics_count(const struct strbuf *packed)
{
	return packed->len / KEY_BYTES;
}

int64_t store_series_metrics_at(const struct strbuf *packed, size_t index)
{
	const unsigned char *bytes = (const unsigned char *)packed->buf + index * KEY_BYTES;
	return bytes[0] | bytes[1] << 8;
}

int store_series_metrics_add(struct store *store, int64_t series, int64_t key, struct error *err)
{
	struct seal seal = {0};
	struct strbuf packed = {0};
	assert(key >= 0 && key < METRIC_ROWS);
	if (store_series_metrics_read(store, series, &packed, err) < 0) {
		strbuf_free(&packed);
		return -1;
	}
	strbuf_addch(&packed, (char)key);
	strbuf_addch(&packed, (char)(key >> 8));
	struct query query = query_start(store->sql, "series/metrics_put");
	query.seal = &seal;
	query_bind_integer(&query, series);
	query_bind_bytes(&query, packed.buf, packed.len);
	query_bind_seal(&query);
	int failed = query_execute(&query, err);
	strbuf_free(&packed);
	return failed;
}

int store_series_has_metric(struct store *store, int64_t series, int64_t key, bool *found,
			    struct error *err)
{
	struct strbuf packed = {0};
	int failed = store_series_metrics_read(store, series, &packed, err);
	*found = false;
	for (size_t i = 0; i < store_series_metrics_count(&packed); i++)
		*found |= store_series_metrics_at(&packed, i) == key;
	strbuf_free(&packed);
	return failed;
}
