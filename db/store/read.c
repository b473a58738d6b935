/*
 * Reads runs, all at once or a batch at a time: first their rows, in the order of the result; then
 * the series, the numbers and the lists of all of them, each with few statements (run_rows.c).
 * These are sorted by rowid and assigned to the runs by it, so the order of the result does not
 * matter to them.
 */

#include "base/base.h"
#include "base/hash/hash.h"
#include "db/store/store.h"
#include "db/store/internal.h"

struct hash_filter {
	struct hash_bytes first, last, content;
};

struct store_cursor {
	struct store *store;
	struct arena *arena; /* of the bound texts, and of `revision` */
	struct run_query wanted;
	struct hash_filter filter;       /* bound to the query */
	struct query query;              /* the rows of runs, if it is open */
	bool open;                       /* there may be more rows */
	const struct revision *revision; /* of all runs; NULL: every row has its own */
	struct revision last;            /* of the last row so far */
	size_t rows;                     /* so far */
	const int64_t *series;           /* rowids of those that wanted.wants wants, sorted */
	size_t series_count;
};

/* One batch. */
struct reading {
	struct store *store;
	struct arena *arena;
	struct arena *working; /* the lists of the batch, unlike the runs themselves */
	struct store_run_list runs;
	struct run_seals *seals; /* by index in runs */
	size_t seals_count, seals_capacity;
	bool unverified;      /* the caller compares the seals */
	const int64_t *state; /* to be read in place of the stored one; NULL: none */
	int64_t *series_rows; /* by index in runs: rowid of the series */
	size_t series_count, series_capacity;
};

/* SQLite's GLOB has brackets, too; they are quoted, because names like "kernel[0]" contain them. */
static const char *glob_text(struct arena *arena, const char *pattern)
{
	struct strbuf sb = {0};
	if (!pattern)
		return NULL;
	for (; *pattern; pattern++)
		if (*pattern == '[')
			strbuf_addstr(&sb, "[[]");
		else
			strbuf_addch(&sb, *pattern);
	return strbuf_into(&sb, arena);
}

static void bind_hash(struct query *query, const struct hash_bytes *hash, bool wanted)
{
	query_bind_bytes(query, wanted ? hash->byte : NULL, sizeof hash->byte);
}

/* The query is not restricted to a commit or a hash. */
static bool is_wide(const struct run_query *query)
{
	return !query->commit && !query->id && !query->content;
}

static bool is_filtered(const struct run_query *query)
{
	return query->kernel || query->variant || query->dtype || query->device;
}

/* False if no hash can match. */
static bool hash_filter_of(const struct run_query *wanted, struct hash_filter *filter)
{
	if (wanted->id && !hash_range(wanted->id, &filter->first, &filter->last))
		return false;
	return !wanted->content || hash_parse(wanted->content, &filter->content);
}

static void bind_series(struct arena *arena, struct query *query, const struct run_query *wanted)
{
	query_bind_text(query, wanted->series);
	query_bind_text(query, glob_text(arena, wanted->kernel));
	query_bind_text(query, glob_text(arena, wanted->variant));
	query_bind_text(query, glob_text(arena, wanted->dtype));
	query_bind_text(query, glob_text(arena, wanted->device));
}

/* Chooses between run/newest or run/every, which walk all commits from the newest down, and
 * run/runs, which finds the matching runs by series and sorts them. The latter is faster if few
 * runs match; the limit is an estimate. */
static bool many_fit(struct store *store, struct arena *arena, const struct run_query *wanted)
{
	enum { FEW = 1000 };
	struct error ignored;
	int64_t count = 0;
	if (!wanted->series && !is_filtered(wanted))
		return true;
	struct query query = query_start(store->sql, "run/fitting");
	bind_series(arena, &query, wanted);
	query_bind_integer(&query, FEW + 1);
	return query_find(&query, &count, &ignored) == 0 && count > FEW;
}

/* The value of :limit; negative is SQLite's "no limit", also where not every row is wanted. */
static int64_t limit_of(const struct run_query *wanted)
{
	bool limited = wanted->limit && wanted->limit < INT64_MAX && !wanted->wants;
	return limited ? (int64_t)wanted->limit : -1;
}

/* Binds in the order of the parameters in run/runs.sql, run/newest.sql and run/every.sql. */
static struct query start_runs(struct store_cursor *cursor)
{
	const struct hash_filter *filter = &cursor->filter;
	const struct run_query *wanted = &cursor->wanted;
	struct arena *arena = cursor->arena;
	bool walks = is_wide(wanted) && many_fit(cursor->store, arena, wanted);
	const char *name = !walks ? "run/runs" : wanted->limit ? "run/newest" : "run/every";
	struct query query = query_start(cursor->store->sql, name);
	bind_series(arena, &query, wanted);
	bind_hash(&query, &filter->first, wanted->id);
	bind_hash(&query, &filter->last, wanted->id);
	bind_hash(&query, &filter->content, wanted->content);
	query_bind_text(&query, wanted->commit);
	query_bind_integer(&query, wanted->clean_only);
	query_bind_integer(&query, limit_of(wanted));
	return query;
}

static char *read_hash(struct query *query, struct arena *arena)
{
	char *hex = arena_alloc(arena, 65);
	size_t len;
	const unsigned char *bytes = query_bytes(query, &len);
	hex[0] = '\0';
	if (len == 32)
		hash_hex(bytes, hex);
	else
		query_refuse(query, "is not a hash");
	return hex;
}

static void read_content(struct query *query, struct run_seals *seals)
{
	size_t len;
	const void *bytes = query_bytes(query, &len);
	if (len == sizeof seals->content)
		memcpy(seals->content, bytes, len);
	else
		query_refuse(query, "is not a hash");
}

/* Appends a run from the columns of a row up to the commit's, of which the first two were read. */
static struct store_run *append_run(struct reading *reading, struct query *query, int64_t row,
				    int64_t series)
{
	struct arena *arena = reading->arena;
	struct store_run_list *list = &reading->runs;
	struct store_run *stored = arena_add(reading->working, list);
	stored->run = run_new(arena);
	struct run_seals *seals = arena_next(reading->working, reading->seals, reading->seals_count,
					     reading->seals_capacity);
	*seals = (struct run_seals){.set_aside = false};
	stored->run->row = row;
	*arena_next(reading->working, reading->series_rows, reading->series_count,
		    reading->series_capacity) = series;
	store_seals_read(query, seals);
	query->seal = &seals->parts[SEAL_ROW];
	stored->id = read_hash(query, arena);
	read_content(query, seals);
	int64_t state = query_integer_within(query, 0, RUN_STATES - 1);
	stored->run->dirty = state & (RUN_DIRTY | RUN_SET_ASIDE);
	seals->set_aside = state & RUN_SET_ASIDE;
	seals->removed = state & RUN_REMOVED;
	stored->run->node = query_text(query, arena);
	stored->run->ingested_at = store_time_read(query, 0);
	stored->run->ingest = query_integer(query);
	stored->run->source = query_text(query, arena);
	stored->run->kernel_hash = query_text(query, arena);
	query->seal = NULL;
	return stored;
}

/* Most commits have one run per series: allocates the memory for that many at once. */
static int expect_runs(struct reading *reading, struct error *err)
{
	struct series_extent extent = {0};
	if (store_series_extent_read(reading->store, &extent, err) < 0)
		return -1;
	arena_expect(reading->arena, (size_t)extent.series * sizeof(struct run));
	return 0;
}

/* Reads the wanted commit, which has all its runs; *found is false if it is not stored. */
static int find_commit(struct store_cursor *cursor, struct revision *revision, bool *found,
		       struct error *err)
{
	struct store *store = cursor->store;
	const char *oid = cursor->wanted.commit;
	int64_t row = 0;
	if (store_revision_row(store, oid, &row, err) < 0)
		return -1;
	*found = row != 0;
	if (!*found)
		return store_commits_check(store, err);
	if (store_revision(store, cursor->arena, oid, revision, err) < 0)
		return -1;
	return store_members_check(store, row, oid, err);
}

/* The runs of one commit: all, or those of one series. Faster than the other way, because the
 * commit is read only once and the statements are simple. */
static void start_commit(struct store_cursor *cursor, const struct revision *revision)
{
	const struct run_query *wanted = &cursor->wanted;
	cursor->revision = revision;
	cursor->open = true;
	cursor->query =
		query_start(cursor->store->sql, wanted->series ? "run/of_series" : "run/of_commit");
	query_bind_text(&cursor->query, wanted->commit);
	query_bind_integer(&cursor->query, wanted->clean_only);
	if (wanted->series)
		query_bind_text(&cursor->query, wanted->series);
	query_bind_integer(&cursor->query, limit_of(wanted));
}

static bool is_of_commit(const struct run_query *query)
{
	return query->commit && !is_filtered(query) && !query->id && !query->content;
}

/* Asks once for each series whether it is wanted. */
static int choose_series(struct store_cursor *cursor, struct error *err)
{
	struct arena scratch = {0};
	struct store_series_list all;
	const struct run_query *wanted = &cursor->wanted;
	int rc = store_series_all(cursor->store, &scratch, &all, err);
	int64_t *rows = arena_array(cursor->arena, rc < 0 ? 0 : all.count, sizeof *rows);
	for (size_t i = 0; rc == 0 && i < all.count; i++)
		if (wanted->wants(wanted->context, all.items[i].identity))
			rows[cursor->series_count++] = all.items[i].row;
	cursor->series = rows;
	arena_free(&scratch);
	return rc;
}

static bool is_wanted(const struct store_cursor *cursor, int64_t series)
{
	return !cursor->wanted.wants ||
	       (cursor->series_count && bsearch(&series, cursor->series, cursor->series_count,
						sizeof series, array_by_int64));
}

static int start_rows(struct store_cursor *cursor, struct error *err)
{
	struct revision *revision = arena_new(cursor->arena, struct revision);
	bool found = true;
	if ((cursor->wanted.wants && choose_series(cursor, err) < 0) ||
	    (cursor->wanted.commit && find_commit(cursor, revision, &found, err) < 0))
		return -1;
	if (!found)
		return 0;
	if (is_of_commit(&cursor->wanted)) {
		start_commit(cursor, revision);
		return 0;
	}
	if (!hash_filter_of(&cursor->wanted, &cursor->filter))
		return 0;
	cursor->query = start_runs(cursor);
	cursor->open = true;
	return 0;
}

/* After the last row: whether all rows that should have come did. A query with a limit saw the
 * commits down to that of its last row. */
static int end_rows(struct store_cursor *cursor, struct error *err)
{
	const struct run_query *wanted = &cursor->wanted;
	bool limited = wanted->limit && cursor->rows == wanted->limit;
	if (query_finish(&cursor->query, err) < 0)
		return -1;
	if ((is_filtered(wanted) || wanted->wants || (wanted->series && cursor->rows == 0)) &&
	    store_series_check(cursor->store, err) < 0)
		return -1;
	if (!is_wide(wanted))
		return 0;
	return store_members_check_all(cursor->store, limited ? &cursor->last : NULL, err);
}

/* Reads the next row that is wanted, up to the commit's columns; NULL at the end. */
static struct store_run *next_row(struct store_cursor *cursor, struct reading *reading)
{
	struct query *query = &cursor->query;
	while ((cursor->open = query_next(query))) {
		int64_t row = query_integer_within(query, 1, (int64_t)1 << 47);
		int64_t series = query_integer(query);
		if (query->fault || is_wanted(cursor, series))
			return append_run(reading, query, row, series);
	}
	return NULL;
}

/* Whether there are as many as the caller asked for, although the query has more rows. */
static bool is_enough(const struct store_cursor *cursor)
{
	return cursor->wanted.wants && cursor->wanted.limit && cursor->rows == cursor->wanted.limit;
}

static int read_rows(struct store_cursor *cursor, struct reading *reading, size_t most,
		     struct error *err)
{
	if (cursor->revision && !cursor->wanted.series && !cursor->wanted.limit &&
	    !cursor->wanted.wants && expect_runs(reading, err) < 0)
		return -1;
	while (cursor->open && reading->runs.count < most) {
		struct store_run *stored = is_enough(cursor) ? NULL : next_row(cursor, reading);
		cursor->open = stored != NULL;
		if (!stored)
			return end_rows(cursor, err);
		if (cursor->revision)
			stored->revision = *cursor->revision;
		else if (store_revision_read(reading->store, &cursor->query, reading->arena,
					     &stored->revision, err) < 0)
			return -1;
		stored->run->commit = stored->revision.oid;
		cursor->last = stored->revision;
		cursor->rows++;
		if (cursor->query.fault) {
			cursor->open = false;
			return query_finish(&cursor->query, err);
		}
	}
	return 0;
}

static int identify(struct reading *reading, size_t index, struct error *err)
{
	const struct series *series =
		store_series_find(reading->store, reading->series_rows[index]);
	struct store_run *stored = &reading->runs.items[index];
	if (!series)
		return error_set(err, ERR_STORE,
				 "%s: the store is damaged: run %.10s at commit %.10s belongs to a "
				 "series that the store does not have",
				 sql_path(reading->store->sql), stored->id, stored->revision.oid);
	stored->series = series->key;
	store_series_identify(reading->arena, series, stored->run);
	return 0;
}

/* An unknown provenance counts as the least reliable one. */
static enum provenance provenance_of(int64_t stored)
{
	if (stored >= PROVENANCE_MEASURED && stored <= PROVENANCE_AT_LEAST)
		return (enum provenance)stored;
	return PROVENANCE_ESTIMATED;
}

static void set_number(struct run *run, const struct metric_keys *keys,
		       const struct packed_number *given)
{
	enum metric metric = store_metric_of_key(keys, given->key);
	if (metric != METRIC_COUNT && !isnan(given->number))
		run->given[metric] =
			(struct value){given->number, provenance_of(given->provenance)};
}

struct reading_packed {
	struct metric_keys keys;
	size_t runs; /* that had a row so far */
};

static int read_packed(struct query *query, struct run *run, void *context, struct error *err)
{
	struct reading_packed *reading = context;
	struct packed_number number;
	struct packed packed;
	if (store_packed_read(query, &packed, err) < 0)
		return -1;
	while (store_packed_next(&packed, &number)) {
		if (!store_metric_has_key(&reading->keys, number.key))
			query_refuse(query, "names a metric that the store does not have");
		set_number(run, &reading->keys, &number);
	}
	reading->runs++;
	return 0;
}

/* Numbers as programs before schema version 4 wrote them: one row per number. */
static int read_number(struct query *query, struct run *run, void *context, struct error *err)
{
	struct packed_number number;
	(void)err;
	number.key = query_integer(query);
	number.number = query_number(query);
	number.provenance = query_integer(query);
	set_number(run, context, &number);
	return 0;
}

static int read_numbers(struct reading *reading, const struct run_rows *rows, struct error *err)
{
	struct reading_packed found = {.runs = 0};
	struct store *store = reading->store;
	const struct run_rows packed = store_run_rows_for(rows, SEAL_ROW, SEAL_TAG_NUMBERS);
	const struct run_rows values = store_run_rows_for(rows, SEAL_ROW, SEAL_TAG_VALUE);
	if (store_metric_keys_read(store, &found.keys, err) < 0 ||
	    store_run_rows_read(store, &packed, "number/numbers", read_packed, &found, err) < 0)
		return -1;
	/* Only runs without packed numbers can have others. */
	return found.runs == rows->count ? 0
					 : store_run_rows_read(store, &values, "number/values",
							       read_number, &found.keys, err);
}

/* Ends the seals of the rows, and compares those up to `last` with the stored ones. */
static int check_seals(struct reading *reading, enum seal_part last, struct error *err)
{
	for (size_t i = 0; i < reading->runs.count; i++) {
		struct store_run *stored = &reading->runs.items[i];
		struct run_seals *seals = &reading->seals[i];
		const struct series *series =
			reading->store->shows_aliases
				? store_series_find(reading->store, reading->series_rows[i])
				: NULL;
		store_seals_end_row(seals,
				    series && series->stored ? series->stored->key : stored->series,
				    stored->run->commit);
		enum seal_part part = store_seals_differ(seals, SEAL_ROW, last);
		if (part != SEAL_PARTS && !reading->unverified)
			return store_seals_refuse(reading->store, stored->id, stored->run->commit,
						  part, err);
	}
	return 0;
}

/* Reads what belongs to the runs of the batch. */
static int read_parts(struct reading *reading, const struct run_query *wanted, struct error *err)
{
	if (store_series_read(reading->store, reading->series_rows, reading->runs.count, err) < 0)
		return -1;
	for (size_t i = 0; i < reading->runs.count; i++)
		if (identify(reading, i, err) < 0)
			return -1;
	struct run_list runs = {0};
	for (size_t i = 0; i < reading->runs.count; i++)
		run_list_add(reading->working, &runs, reading->runs.items[i].run);
	struct run_rows rows = store_run_rows_of(reading->working, &runs, reading->seals);
	if (read_numbers(reading, &rows, err) < 0)
		return -1;
	if (!wanted->details && !wanted->facts)
		return check_seals(reading, SEAL_ROW, err);
	if (store_detail_read(reading->store, reading->arena,
			      wanted->details ? DETAIL_ALL : DETAIL_FACTS, &rows, err) < 0)
		return -1;
	return check_seals(reading, wanted->details ? SEAL_REST : SEAL_FACTS, err);
}

static int read_run_of_range(struct reading *reading, struct query *query, struct error *err)
{
	int64_t row = query_integer_within(query, 1, (int64_t)1 << 47);
	int64_t series = query_integer(query);
	struct store_run *stored = append_run(reading, query, row, series);
	if (query_is_null(query))
		return error_set(err, ERR_STORE,
				 "%s: the store is damaged: run %.10s belongs to a commit that the "
				 "store does not have",
				 sql_path(query->sql), stored->id);
	if (store_revision_read(reading->store, query, reading->arena, &stored->revision, err) < 0)
		return -1;
	stored->run->commit = stored->revision.oid;
	return 0;
}

static int read_range(struct reading *reading, const char *rows, const int64_t range[2],
		      const struct run_query *wanted, struct error *err)
{
	struct query query = query_start(reading->store->sql, rows);
	if (reading->state)
		query_bind_integer(&query, *reading->state);
	query_bind_integer(&query, range[0]);
	query_bind_integer(&query, range[1]);
	while (query_next(&query))
		if (read_run_of_range(reading, &query, err) < 0)
			return query_abandon(&query);
	if (query_finish(&query, err) < 0)
		return -1;
	return reading->runs.count ? read_parts(reading, wanted, err) : 0;
}

int store_runs_range(struct store *store, struct arena *arena, const int64_t range[2],
		     struct store_run_list *runs, struct run_seals **seals, struct error *err)
{
	static const struct run_query details = {.details = true};
	struct reading reading = {
		.store = store, .arena = arena, .working = arena, .unverified = true};
	if (read_range(&reading, "run/range", range, &details, err) < 0)
		return -1;
	*runs = reading.runs;
	*seals = reading.seals;
	return 0;
}

int store_run_fits(struct store *store, int64_t row, int64_t state, bool *fits, struct error *err)
{
	static const struct run_query details = {.details = true};
	struct arena scratch = {0};
	struct reading reading = {.store = store,
				  .arena = &scratch,
				  .working = &scratch,
				  .unverified = true,
				  .state = &state};
	const int64_t range[2] = {row, row};
	int failed = read_range(&reading, "mend/run_as", range, &details, err);
	*fits = !failed && reading.runs.count == 1 &&
		store_seals_differ(reading.seals, SEAL_ROW, SEAL_REST) == SEAL_PARTS;
	arena_free(&scratch);
	return failed && !store_is_damage(store, err) ? -1 : 0;
}

int store_runs_check(struct store *store, int64_t after, int64_t before, struct error *err)
{
	enum { AT_A_TIME = 256 };
	static const struct run_query facts = {.facts = true};
	int64_t range[2] = {after + 1, 0};
	while (store_next_run(store, &range[0], err) == 0) {
		struct arena scratch = {0};
		struct reading reading = {.store = store, .arena = &scratch, .working = &scratch};
		if (range[0] >= before)
			return 0;
		range[1] = before - range[0] > AT_A_TIME ? range[0] + AT_A_TIME : before - 1;
		int failed = read_range(&reading, "run/range_kept", range, &facts, err);
		arena_free(&scratch);
		if (failed)
			return -1;
		range[0] = range[1] + 1;
	}
	return -1;
}

int store_runs_figures(struct store *store, struct arena *arena, const int64_t range[2],
		       struct store_run_list *runs, struct error *err)
{
	static const struct run_query figures = {.details = false};
	struct store_run_list whole = {0};
	struct reading reading = {
		.store = store, .arena = arena, .working = arena, .unverified = true};
	if (read_range(&reading, "run/range", range, &figures, err) < 0)
		return -1;
	for (size_t i = 0; i < reading.runs.count; i++)
		if (reading.seals[i].set_aside ||
		    store_seals_differ(&reading.seals[i], SEAL_ROW, SEAL_ROW) == SEAL_PARTS)
			*arena_add(arena, &whole) = reading.runs.items[i];
	*runs = whole;
	return 0;
}

/* All queries between start and end see the same state of the store. */
static int start_cursor(struct store_cursor *cursor, struct error *err)
{
	if (store_reading_begin(cursor->store, err) < 0)
		return -1;
	if (start_rows(cursor, err) == 0)
		return 0;
	store_reading_end(cursor->store);
	return -1;
}

void store_runs_end(struct store_cursor *cursor)
{
	if (cursor->open)
		query_abandon(&cursor->query);
	store_reading_end(cursor->store);
}

int store_runs_start(struct store *store, struct arena *arena, const struct run_query *query,
		     struct store_cursor **cursor, struct error *err)
{
	struct store_cursor *started = arena_new(arena, struct store_cursor);
	*started = (struct store_cursor){.store = store, .arena = arena, .wanted = *query};
	if (start_cursor(started, err) < 0)
		return -1;
	*cursor = started;
	return 0;
}

int store_runs_next(struct store_cursor *cursor, struct arena *arena, size_t most,
		    struct store_run_list *runs, struct error *err)
{
	struct arena working = {0};
	struct reading reading = {.store = cursor->store, .arena = arena, .working = &working};
	int failed = read_rows(cursor, &reading, most, err);
	if (!failed && reading.runs.count)
		failed = read_parts(&reading, &cursor->wanted, err);
	if (!failed) {
		size_t count = reading.runs.count;
		struct store_run *items = arena_array(arena, count, sizeof *items);
		if (count)
			memcpy(items, reading.runs.items, count * sizeof *items);
		*runs = (struct store_run_list){items, count, count};
	}
	arena_free(&working);
	return failed;
}

int store_runs(struct store *store, struct arena *arena, const struct run_query *query,
	       struct store_run_list *runs, struct error *err)
{
	struct store_cursor cursor = {.store = store, .arena = arena, .wanted = *query};
	int failed = -1;
	if (start_cursor(&cursor, err) == 0) {
		failed = store_runs_next(&cursor, arena, SIZE_MAX, runs, err);
		store_runs_end(&cursor);
	}
	return failed;
}

struct identity {
	const char *id, *oid;
};

/* Reads what names the runs, and their seals. */
struct naming {
	struct store *store;
	struct arena *arena;
	const struct run_rows *rows;
	struct identity *identities; /* by index in rows */
	size_t at;
};

static int read_identity(struct query *query, struct run *run, void *context, struct error *err)
{
	struct naming *naming = context;
	while (naming->rows->items[naming->at].run != run)
		naming->at++;
	struct identity *identity = &naming->identities[naming->at];
	query->seal = NULL;
	identity->id = read_hash(query, naming->arena);
	if (store_object_id_read(query, naming->arena, &identity->oid, err) < 0)
		return -1;
	store_seals_read(query, naming->rows->items[naming->at].seals);
	return 0;
}

static int read_details(struct store *store, struct arena *arena, const struct run_rows *rows,
			struct error *err)
{
	struct naming naming = {store, arena, rows, NULL, 0};
	naming.identities = arena_array(arena, rows->count, sizeof *naming.identities);
	if (store_detail_read(store, arena, DETAIL_REST, rows, err) < 0 ||
	    store_run_rows_read(store, rows, "run/seals", read_identity, &naming, err) < 0)
		return -1;
	for (size_t i = 0; i < rows->count; i++) {
		const struct identity *identity = &naming.identities[i];
		if (!identity->id ||
		    store_seals_differ(rows->items[i].seals, SEAL_REST, SEAL_REST) != SEAL_PARTS)
			return store_seals_refuse(store, identity->id, identity->oid, SEAL_REST,
						  err);
	}
	return 0;
}

int store_details(struct store *store, struct arena *arena, const struct run_list *runs,
		  struct error *err)
{
	struct run_seals *seals = arena_array(arena, runs->count, sizeof *seals);
	struct run_rows rows = store_run_rows_of(arena, runs, seals);
	if (!rows.count)
		return 0;
	if (store_reading_begin(store, err) < 0)
		return -1;
	int failed = read_details(store, arena, &rows, err);
	store_reading_end(store);
	return failed;
}

int store_twin(struct store *store, struct arena *arena, const char *content, const char *not_oid,
	       const char **oid, struct error *err)
{
	struct hash_bytes hash;
	const char *found = NULL;
	if (!hash_parse(content, &hash)) {
		*oid = NULL;
		return 0;
	}
	struct query query = query_start(store->sql, "run/twin");
	query_bind_bytes(&query, hash.byte, sizeof hash.byte);
	query_bind_text(&query, not_oid);
	if (query_next(&query) && store_object_id_read(&query, arena, &found, err) < 0)
		return query_abandon(&query);
	if (query_finish(&query, err) < 0)
		return -1;
	*oid = found;
	return 0;
}
