/* Adds a run to the store: its series, its row, its numbers and its lists. */

#include "base/json/json.h"
#include "base/text/text.h"
#include "base/hash/hash.h"
#include "db/store/history_table.h"
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

static void bind_series(struct query *query, const struct run *run, const char *key,
			const char *params)
{
	query_bind_text(query, key);
	query_bind_text(query, run->kernel);
	query_bind_text(query, run->variant);
	query_bind_text(query, run->dtype);
	query_bind_text(query, params);
	query_bind_text(query, run->device);
	query_bind_text(query, run->instance_type);
	query_bind_integer(query, run->cores);
	query_bind_text(query, run->tool);
}

static int ensure_series(struct store *store, struct arena *arena, const struct run *run,
			 const char *key, int64_t *row, struct error *err)
{
	struct seal seal = {0};
	const char *params = NULL;
	if (params_text(arena, run, &params, err) < 0)
		return -1;
	struct query query = query_start(store->sql, "series/find");
	bind_series(&query, run, key, params);
	if (query_find(&query, row, err) < 0)
		return -1;
	if (*row)
		return 0;
	if (store_next_row(store, "series/last", UINT32_MAX - 2, row, err) < 0)
		return -1;
	query = query_start(store->sql, "series/add");
	query.seal = &seal;
	query_bind_integer(&query, *row);
	bind_series(&query, run, key, params);
	query_bind_seal(&query);
	return query_execute(&query, err);
}

int store_series_ensure(struct store *store, const struct run *run, int64_t *row, struct error *err)
{
	struct arena scratch = {0};
	*row = 0;
	int failed = ensure_series(store, &scratch, run, run_series_key(&scratch, run), row, err);
	arena_free(&scratch);
	return failed;
}

static int add_metric(struct store *store, const char *key, int64_t *row, struct error *err)
{
	struct seal seal = {0};
	if (store_next_row(store, "number/metric_last", PACKED_KEYS - 1, row, err) < 0)
		return -1;
	struct query query = query_start(store->sql, "number/metric_add");
	query.seal = &seal;
	query_bind_integer(&query, *row);
	query_bind_text(&query, key);
	query_bind_seal(&query);
	return query_execute(&query, err);
}

/* Sets store->metrics[metric] to the rowid of the metric's key, and adds the key if necessary. */
static int ensure_metric(struct store *store, enum metric metric, struct error *err)
{
	const char *key = metric_info(metric)->key;
	struct query query = query_start(store->sql, "number/metric_find");
	query_bind_text(&query, key);
	int64_t row = 0;
	if (query_find(&query, &row, err) < 0 ||
	    (row == 0 && add_metric(store, key, &row, err) < 0))
		return -1;
	if (row <= 0 || row >= PACKED_KEYS)
		return error_set(err, ERR_STORE,
				 "%s: the store is damaged: its metric %s has the number %lld",
				 sql_path(store->sql), key, (long long)row);
	store->metrics[metric] = row;
	return 0;
}

/* A run on its way into the store. */
struct adding {
	const struct run *run;
	bool exchanged;     /* it comes from another store, under the names there */
	const char *series; /* key */
	int64_t row, series_row, revision_row, ingest, state;
	struct hash_bytes id, content;
	struct run_seals seals;
	size_t len; /* bytes of `numbers` */
	unsigned char numbers[METRIC_COUNT * PACKED_BYTES];
};

static int pack_numbers(struct store *store, struct adding *adding, struct error *err)
{
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct value *given = &adding->run->given[i];
		if (isnan(given->number))
			continue;
		if (!store->metrics[i] && ensure_metric(store, (enum metric)i, err) < 0)
			return -1;
		store_packed_write(adding->numbers + adding->len,
				   &(struct packed_number){store->metrics[i], given->provenance,
							   given->number});
		adding->len += PACKED_BYTES;
		assert(adding->len <= sizeof adding->numbers);
	}
	return 0;
}

static int add_numbers(struct store *store, const struct adding *adding, struct error *err)
{
	struct seal seal = {0};
	if (adding->len == 0)
		return 0;
	struct query query = query_start(store->sql, "number/add");
	query.seal = &seal;
	query_bind_integer(&query, adding->row);
	query_bind_bytes(&query, adding->numbers, adding->len);
	query_bind_seal(&query);
	return query_execute(&query, err);
}

static void bind_hash(struct query *query, const struct hash_bytes *hash)
{
	query_bind_bytes(query, hash->byte, sizeof hash->byte);
}

/* Binds the columns that are sealed, in the order in which they are read. */
static void bind_row(struct query *query, const struct adding *adding)
{
	const struct run *run = adding->run;
	bind_hash(query, &adding->id);
	bind_hash(query, &adding->content);
	query_bind_integer(query, adding->state);
	query_bind_text(query, run->node);
	query_bind_integer(query, run->ingested_at);
	query_bind_integer(query, adding->ingest);
	query_bind_text(query, run->source);
	query_bind_text(query, run->kernel_hash);
}

static void seal_run(struct adding *adding)
{
	struct seal *seal = &adding->seals.parts[SEAL_ROW];
	struct query dry = query_dry(seal);
	bind_row(&dry, adding);
	if (adding->len) {
		seal_add_integer(seal, SEAL_TAG_NUMBERS);
		seal_add_bytes(seal, false, adding->numbers, adding->len);
	}
	store_seals_end_row(&adding->seals, adding->series, adding->run->commit);
	store_detail_seal(adding->run, &adding->seals);
}

static int add_row(struct store *store, const struct adding *adding, struct error *err)
{
	unsigned char seals[SEALS_BYTES];
	struct query query = query_start(store->sql, "run/add");
	bind_row(&query, adding);
	query_bind_integer(&query, adding->row);
	query_bind_integer(&query, adding->series_row);
	query_bind_integer(&query, adding->revision_row);
	store_seals_bytes(&adding->seals, seals);
	query_bind_bytes(&query, seals, sizeof seals);
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
	return error_set(err, ERR_STORE, "%s: cannot store a run of unknown commit %s",
			 sql_path(store->sql), oid ? oid : "(none)");
}

/* A stored run of the same name. */
struct twin {
	int64_t row;             /* 0: none */
	bool set_aside, removed; /* `removed` only if it is set aside, too */
	int64_t ingest; /* of the call that stored it, if intact runs of that call are left; 0: none
			 */
};

static int find_run(struct store *store, const struct hash_bytes *hash, struct twin *twin,
		    struct error *err)
{
	struct query query = query_start(store->sql, "run/find");
	bind_hash(&query, hash);
	if (query_next(&query)) {
		twin->row = query_integer(&query);
		int64_t state = query_integer(&query);
		twin->removed = state == (RUN_REMOVED | RUN_SET_ASIDE);
		twin->set_aside = state == RUN_SET_ASIDE || twin->removed;
		twin->ingest = query_is_null(&query) ? 0 : query_integer(&query);
	}
	return query_finish(&query, err);
}

/* A run that the index does not find would be stored twice. */
static int check_unknown(struct store *store, const struct adding *adding, struct error *err)
{
	int64_t unfound = 0;
	struct query query = query_start(store->sql, "run/unfound");
	bind_hash(&query, &adding->content);
	bind_hash(&query, &adding->id);
	if (query_find(&query, &unfound, err) < 0)
		return -1;
	return unfound ? error_set(
				 err, ERR_STORE,
				 "%s: the store is damaged: an index does not find the run of "
				 "kernel %s at commit %.10s; `rooflog doctor --repair` rebuilds it",
				 sql_path(store->sql),
				 adding->run->kernel ? adding->run->kernel : "(unknown)",
				 adding->run->commit)
		       : 0;
}

static int remove_run(struct store *store, int64_t row, struct error *err)
{
	struct query query = query_start(store->sql, "run/remove");
	query_bind_integer(&query, row);
	return query_execute(&query, err);
}

/* The number of this ingest is its time, but above that of the newest run: the clock may have gone
 * back. */
static int start_ingest(struct store *store, const struct run *run, struct error *err)
{
	int64_t last = 0, now = store->time ? store->time : run->ingested_at * 1000000;
	struct query query = query_start(store->sql, "ingest/last");
	if (query_find(&query, &last, err) < 0)
		return -1;
	store->ingest = last < now || last >= STORE_LAST_INGEST ? now : last + 1;
	return 0;
}

/* The run keeps the id of what its file says. */
static int find_series(struct store *store, struct arena *scratch, struct adding *adding,
		       struct error *err)
{
	const struct run *named =
		store->aliases ? renaming_of(scratch, store->aliases, adding->run) : NULL;
	if (!named)
		named = adding->run;
	adding->series = run_series_key(scratch, named);
	return ensure_series(store, scratch, named, adding->series, &adding->series_row, err);
}

static int add_new(struct store *store, struct arena *scratch, struct adding *adding,
		   struct error *err)
{
	if ((!adding->series && find_series(store, scratch, adding, err) < 0) ||
	    pack_numbers(store, adding, err) < 0)
		return -1;
	if (!adding->exchanged && !store->ingest && start_ingest(store, adding->run, err) < 0)
		return -1;
	if (!store->first_row)
		store->first_row = adding->row;
	if (!adding->ingest)
		adding->ingest = adding->exchanged ? adding->run->ingest : store->ingest;
	seal_run(adding);
	if (add_row(store, adding, err) < 0 || add_numbers(store, adding, err) < 0)
		return -1;
	return store_detail_write(store, adding->run, adding->row, err);
}

/* A damaged run that is set aside makes room for the same, read again: it stays a part of the same
 * measurement, and removed if it was. Its rowid is not used again: history (history_table.h) covers
 * all runs up to one. */
static int add_if_new(struct store *store, struct adding *adding, enum store_added *added,
		      struct error *err)
{
	struct arena scratch = {0};
	struct twin twin = {0};
	if (find_revision(store, adding->run->commit, &adding->revision_row, err) < 0 ||
	    find_run(store, &adding->id, &twin, err) < 0)
		return -1;
	*added = !twin.row                         ? STORE_NEW
		 : twin.set_aside && !twin.removed ? STORE_RESTORED
						   : STORE_KNOWN;
	if (twin.row && !twin.set_aside)
		return 0;
	if ((!twin.row && check_unknown(store, adding, err) < 0) ||
	    store_next_row(store, "run/last", RUN_LAST, &adding->row, err) < 0 ||
	    (twin.row && remove_run(store, twin.row, err) < 0))
		return -1;
	adding->ingest = twin.ingest;
	adding->state |= adding->run->dirty | (twin.removed ? RUN_REMOVED : 0);
	int failed = add_new(store, &scratch, adding, err);
	arena_free(&scratch);
	return failed;
}

int store_add_run(struct store *store, const struct run *run, char id[65], enum store_added *added,
		  struct error *err)
{
	char hex[65], content[65];
	struct adding adding = {.run = run};
	enum store_added how = STORE_KNOWN;
	run_hashes(run, content, hex);
	hash_parse(hex, &adding.id);
	hash_parse(content, &adding.content);
	if (store_scope_begin(store, err) < 0)
		return -1;
	bool failed = add_if_new(store, &adding, &how, err) < 0;
	if (store_scope_end(store, failed, err) < 0)
		return -1;
	memcpy(id, hex, sizeof hex);
	*added = how;
	return 0;
}

/* --- runs of other stores --- */

/* Whether the run was ingested earlier than the stored one, whose series and state it gets. */
static int is_earlier(struct store *store, struct adding *adding, bool *earlier, struct error *err)
{
	struct ingested stored = {0};
	int64_t number = 0;
	struct query query = query_start(store->sql, "ingest/of_run");
	query_bind_integer(&query, adding->row);
	if (query_next(&query)) {
		stored.time = store_time_read(&query, 0);
		stored.ingest = query_integer(&query);
		adding->series_row = query_integer(&query);
		adding->state = query_integer_within(&query, 0, RUN_STATES - 1);
	}
	if (query_finish(&query, err) < 0 || store_ingest_number(store, &stored, &number, err) < 0)
		return -1;
	const struct run *run = adding->run;
	*earlier = run->ingested_at < stored.time ||
		   (run->ingested_at == stored.time && run->ingest < number);
	return 0;
}

/* In place of the stored run; in a new row, so that runs of one ingest stay in their order. */
static int take_earlier(struct store *store, struct adding *adding, int64_t stored,
			struct error *err)
{
	struct arena scratch = {0};
	if (store_series_read(store, &adding->series_row, 1, err) < 0)
		return -1;
	const struct series *series = store_series_find(store, adding->series_row);
	if (!series)
		return error_set(err, ERR_STORE, "%s: the store is damaged: a run has no series",
				 sql_path(store->sql));
	adding->series = series->key;
	int failed = store_next_row(store, "run/last", RUN_LAST, &adding->row, err) < 0 ||
		     remove_run(store, stored, err) < 0 ||
		     add_new(store, &scratch, adding, err) < 0;
	arena_free(&scratch);
	return failed ? -1 : 0;
}

int store_run_take(struct store *store, const struct exchanged_run *given, enum taken_how *how,
		   int64_t *revision, struct error *err)
{
	struct adding adding = {
		.run = given->run, .exchanged = true, .state = given->removed ? RUN_REMOVED : 0};
	enum store_added added = STORE_KNOWN;
	struct twin twin = {0};
	bool earlier = false;
	*revision = 0;
	if (!hash_parse(given->id, &adding.id) || !hash_parse(given->content, &adding.content))
		return error_set(err, ERR_FORMAT, "a run without an id and a content of 64 digits");
	if (find_run(store, &adding.id, &twin, err) < 0 ||
	    find_revision(store, given->run->commit, revision, err) < 0)
		return -1;
	adding.revision_row = *revision;
	if (!twin.row || twin.set_aside) {
		*how = twin.row ? TAKEN_RESTORED : TAKEN_NEW;
		return add_if_new(store, &adding, &added, err);
	}
	adding.row = twin.row;
	if (is_earlier(store, &adding, &earlier, err) < 0)
		return -1;
	*how = earlier ? TAKEN_EARLIER : TAKEN_KNOWN;
	return earlier ? take_earlier(store, &adding, twin.row, err) : 0;
}

/* --- pruning --- */

static int prune(struct store *store, const int64_t *rows, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (remove_run(store, rows[i], err) < 0)
			return -1;
	return count ? store_history_clear(store, err) : 0;
}

int store_prune(struct store *store, const int64_t *rows, size_t count, struct error *err)
{
	if (store_scope_begin(store, err) < 0)
		return -1;
	return store_scope_end(store, prune(store, rows, count, err) < 0, err);
}
