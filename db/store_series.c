/* Dictionaries of the store: its series and the numbers that stand for metrics. */
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/strbuf.h"
#include "db/store_internal.h"

const char *ids_of(struct arena *arena, const int64_t *rows, size_t count)
{
	struct strbuf sb = {0};
	strbuf_addch(&sb, '[');
	for (size_t i = 0; i < count; i++)
		strbuf_addf(&sb, "%s%" PRId64, i ? "," : "", rows[i]);
	strbuf_addch(&sb, ']');
	return strbuf_into(&sb, arena);
}

/* `sorting` is a run that puts them in order. */
static int read_params(struct arena *arena, const char *text, struct run *sorting,
		       struct series *series, struct error *err)
{
	struct json *object = json_parse(arena, span_of(text), err);
	if (!object)
		return error_prefix(err, "parameters of kernel %s",
				    series->kernel ? series->kernel : "(unknown)");
	sorting->params = NULL;
	sorting->param_count = 0;
	for (const struct json *member = object->first; member; member = member->next)
		run_set_param(arena, sorting, member->name, member->text);
	series->params = sorting->params;
	series->param_count = sorting->param_count;
	return 0;
}

static int append_series(struct arena *arena, struct query *query, struct run *sorting,
			 struct series_list *list, struct error *err)
{
	list->items =
		arena_grow(arena, list->items, list->count, &list->capacity, sizeof *list->items);
	struct series *series = &list->items[list->count++];
	series->row = query_integer(query);
	series->key = query_text(query, arena);
	series->kernel = query_text(query, arena);
	series->variant = query_text(query, arena);
	series->dtype = query_text(query, arena);
	const char *params = query_text(query, arena);
	series->device = query_text(query, arena);
	series->instance_type = query_text(query, arena);
	series->cores = (int)query_integer(query);
	series->tool = query_text(query, arena);
	return read_params(arena, params, sorting, series, err);
}

void series_identify(struct arena *arena, const struct series *series, struct run *run)
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

int series_read(struct store *store, struct arena *arena, const char *ids, struct series_list *list,
		struct error *err)
{
	struct series_list found = {0};
	struct run *sorting = run_new(arena);
	struct query query = query_start(store->sql, "series");
	query_bind_text(&query, ids);
	while (query_next(&query))
		if (append_series(arena, &query, sorting, &found, err) < 0)
			return query_abandon(&query);
	if (query_finish(&query, err) < 0)
		return -1;
	*list = found;
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	int64_t left = ((const struct series *)a)->row, right = ((const struct series *)b)->row;
	return (left > right) - (left < right);
}

const struct series *series_find(const struct series_list *list, int64_t row)
{
	struct series wanted = {.row = row};
	return list->count ? bsearch(&wanted, list->items, list->count, sizeof *list->items,
				     compare_rows)
			   : NULL;
}

enum { METRIC_ROWS = 1 << 16 }; /* more keys than any program has; guards a damaged file */

/* Dictionary rows are few and dense, so an array serves. */
static int read_keys(struct store *store, struct error *err)
{
	struct arena *arena = &store->keys_arena;
	struct metric_keys found = {0};
	size_t capacity = 0;
	struct query query = query_start(store->sql, "metrics");
	while (query_next(&query)) {
		int64_t row = query_integer(&query);
		const char *key = query_text(&query, arena);
		if (row < 0 || row >= METRIC_ROWS)
			continue;
		while (found.count <= (size_t)row) {
			found.metrics = arena_grow(arena, found.metrics, found.count, &capacity,
						   sizeof *found.metrics);
			found.metrics[found.count++] = METRIC_COUNT;
		}
		found.metrics[row] = metric_find(span_of(key));
	}
	if (query_finish(&query, err) < 0)
		return -1;
	store->keys = found;
	return 0;
}

int metric_keys_read(struct store *store, struct metric_keys *keys, struct error *err)
{
	int64_t last = 0;
	struct query query = query_start(store->sql, "metric_last");
	if (query_next(&query))
		last = query_integer(&query);
	if (query_finish(&query, err) < 0)
		return -1;
	if (last != store->last_key || last == 0) {
		metric_keys_forget(store);
		if (read_keys(store, err) < 0)
			return -1;
		store->last_key = last;
	}
	*keys = store->keys;
	return 0;
}

void metric_keys_forget(struct store *store)
{
	arena_free(&store->keys_arena);
	store->keys = (struct metric_keys){0};
	store->last_key = 0;
}

enum metric metric_of_key(const struct metric_keys *keys, int64_t row)
{
	return row >= 0 && row < (int64_t)keys->count ? keys->metrics[row] : METRIC_COUNT;
}

int64_t key_of_metric(const struct metric_keys *keys, enum metric metric)
{
	for (size_t row = 0; row < keys->count; row++)
		if (keys->metrics[row] == metric)
			return (int64_t)row;
	return -1;
}
