/* Adds a run to the store: its series, its row, its numbers and its lists. */

#include "base/json/json.h"
#include "base/text/text.h"
#include "base/hash/hash.h"
#include "db/store/packed_numbers.h"
#include "db/store/store.h"
#include "db/store/internal.h"

static bool is_utf8(const char *text)
{
	struct span span = span_of(text);
	return utf8_valid_prefix(span) == span.len;
}

/* The parameters as a JSON object of strings, sorted as in the run. Texts must be valid UTF-8:
 * otherwise two different texts could become the same JSON string, and two series the same row. */
static int params_text(struct arena *arena, const struct run *run, const char **text,
		       struct error *err)
{
	struct json *object = json_object(arena);
	struct strbuf sb = {0};
	for (size_t i = 0; i < run->param_count; i++) {
		const struct run_param *param = &run->params[i];
		if (!is_utf8(param->name) || !is_utf8(param->value))
			return error_set(err, ERR_FORMAT,
					 "kernel %s: a parameter is not UTF-8 text",
					 run->kernel ? run->kernel : "(unknown)");
		json_set_text(arena, object, param->name, param->value);
	}
	json_exact(&sb, object);
	*text = strbuf_into(&sb, arena);
	return 0;
}

static struct query series_query(struct store *store, const char *name, const struct run *run,
				 const char *key, const char *params)
{
	struct query query = query_start(store->sql, name);
	query_bind_text(&query, key);
	query_bind_text(&query, run->kernel);
	query_bind_text(&query, run->variant);
	query_bind_text(&query, run->dtype);
	query_bind_text(&query, params);
	query_bind_text(&query, run->device);
	query_bind_text(&query, run->instance_type);
	query_bind_integer(&query, run->cores);
	query_bind_text(&query, run->tool);
	return query;
}

static int ensure_series(struct store *store, struct arena *arena, const struct run *run,
			 int64_t *row, struct error *err)
{
	const char *key = run_series_key(arena, run);
	const char *params = NULL;
	if (params_text(arena, run, &params, err) < 0)
		return -1;
	struct query query = series_query(store, "series/find", run, key, params);
	if (query_find(&query, row, err) < 0)
		return -1;
	if (*row)
		return 0;
	query = series_query(store, "series/add", run, key, params);
	if (query_execute(&query, err) < 0)
		return -1;
	*row = sql_last_row(store->sql);
	return 0;
}

/* Sets store->metrics[metric] to the rowid of the metric's key, and adds the key if necessary. */
static int ensure_metric(struct store *store, enum metric metric, struct error *err)
{
	const char *key = metric_info(metric)->key;
	struct query query = query_start(store->sql, "number/metric_add");
	query_bind_text(&query, key);
	if (query_execute(&query, err) < 0)
		return -1;
	query = query_start(store->sql, "number/metric_find");
	query_bind_text(&query, key);
	int64_t row = 0;
	if (query_find(&query, &row, err) < 0)
		return -1;
	if (row <= 0 || row >= PACKED_KEYS)
		return error_set(err, ERR_STORE,
				 "%s: the store is damaged: its metric %s has the number %lld",
				 sql_path(store->sql), key, (long long)row);
	store->metrics[metric] = row;
	return 0;
}

static int add_numbers(struct store *store, const struct run *run, int64_t row, struct error *err)
{
	unsigned char bytes[METRIC_COUNT * PACKED_BYTES];
	size_t len = 0;
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct value *given = &run->given[i];
		if (isnan(given->number))
			continue;
		if (!store->metrics[i] && ensure_metric(store, (enum metric)i, err) < 0)
			return -1;
		store_packed_write(bytes + len,
				   &(struct packed_number){store->metrics[i], given->provenance,
							   given->number});
		len += PACKED_BYTES;
		assert(len <= sizeof bytes);
	}
	if (len == 0)
		return 0;
	struct query query = query_start(store->sql, "number/add");
	query_bind_integer(&query, row);
	query_bind_bytes(&query, bytes, len);
	return query_execute(&query, err);
}

static void bind_hash(struct query *query, const struct hash_bytes *hash)
{
	query_bind_bytes(query, hash->byte, sizeof hash->byte);
}

/* The hashes of a run: `id` of content and identity, `content` of the content alone. */
struct names {
	struct hash_bytes id, content;
};

static int add_row(struct store *store, const struct run *run, const struct names *names,
		   int64_t series, int64_t revision, struct error *err)
{
	struct query query = query_start(store->sql, "run/add");
	bind_hash(&query, &names->id);
	bind_hash(&query, &names->content);
	query_bind_integer(&query, series);
	query_bind_integer(&query, revision);
	query_bind_integer(&query, run->dirty);
	query_bind_text(&query, run->node);
	query_bind_integer(&query, run->ingested_at);
	query_bind_text(&query, run->source);
	query_bind_text(&query, run->kernel_hash);
	return query_execute(&query, err);
}

static int find_revision(struct store *store, const char *oid, int64_t *row, struct error *err)
{
	struct query query = query_start(store->sql, "revision/find");
	query_bind_text(&query, oid);
	if (query_find(&query, row, err) < 0)
		return -1;
	if (*row)
		return 0;
	return error_set(err, ERR_STORE,
			 "%s: a run cannot be stored before its commit, and commit %s is not known",
			 sql_path(store->sql), oid ? oid : "(none)");
}

static int find_run(struct store *store, const struct hash_bytes *hash, int64_t *row,
		    struct error *err)
{
	struct query query = query_start(store->sql, "run/find");
	bind_hash(&query, hash);
	return query_find(&query, row, err);
}

static int add_if_new(struct store *store, const struct run *run, const struct names *names,
		      bool *added, struct error *err)
{
	int64_t row = 0, revision = 0, series = 0;
	struct arena scratch = {0};
	if (find_revision(store, run->commit, &revision, err) < 0 ||
	    find_run(store, &names->id, &row, err) < 0)
		return -1;
	*added = row == 0;
	if (row)
		return 0;
	int failed = ensure_series(store, &scratch, run, &series, err) < 0 ||
		     add_row(store, run, names, series, revision, err) < 0;
	arena_free(&scratch);
	if (failed)
		return -1;
	row = sql_last_row(store->sql);
	if (add_numbers(store, run, row, err) < 0)
		return -1;
	return store_detail_write(store, run, row, err);
}

int store_add_run(struct store *store, const struct run *run, char id[65], bool *added,
		  struct error *err)
{
	char hex[65], content[65];
	struct names names;
	bool is_new = false;
	run_hashes(run, content, hex);
	hash_parse(hex, &names.id);
	hash_parse(content, &names.content);
	if (store_scope_begin(store, err) < 0)
		return -1;
	bool failed = add_if_new(store, run, &names, &is_new, err) < 0;
	if (store_scope_end(store, failed, err) < 0)
		return -1;
	memcpy(id, hex, sizeof hex);
	*added = is_new;
	return 0;
}
