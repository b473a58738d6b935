/*
 * The seals of runs (db/schema/0006_seals.sql): what was read of a run is compared with what was
 * stored. A run's hash cannot be computed again from the store alone, because values joined from
 * other files are stored with the run but are not part of its content; the seals cover all.
 */

#include "base/text/text.h"
#include "db/store/store.h"
#include "db/store/internal.h"

void store_seals_end_row(struct run_seals *seals, const char *series, const char *oid)
{
	struct query dry = query_dry(&seals->parts[SEAL_ROW]);
	query_bind_text(&dry, series);
	query_bind_text(&dry, oid);
}

void store_seals_read(struct query *query, struct run_seals *seals)
{
	size_t len;
	const void *bytes = query_bytes(query, &len);
	memset(seals->stored, 0, sizeof seals->stored);
	if (len == sizeof seals->stored)
		memcpy(seals->stored, bytes, len);
}

void store_seals_bytes(const struct run_seals *seals, unsigned char bytes[SEALS_BYTES])
{
	for (size_t i = 0; i < SEAL_PARTS; i++)
		word_put(bytes + 8 * i, (uint64_t)seal_value(&seals->parts[i]));
}

enum seal_part store_seals_differ(const struct run_seals *seals, enum seal_part first,
				  enum seal_part last)
{
	unsigned char bytes[SEALS_BYTES];
	store_seals_bytes(seals, bytes);
	for (enum seal_part part = first; part <= last; part++)
		if (memcmp(bytes + 8 * part, seals->stored + 8 * part, 8) != 0)
			return part;
	return SEAL_PARTS;
}

static const char *const what_changed[] = {
	[SEAL_ROW] = "its numbers",
	[SEAL_FACTS] = "its attributes, notes or spreads",
	[SEAL_REST] = "its lists",
};

const char *store_seals_part_name(enum seal_part part)
{
	return what_changed[part];
}

int store_seals_refuse(struct store *store, const char *id, const char *oid, enum seal_part part,
		       struct error *err)
{
	return error_set(
		err, ERR_STORE,
		"%s: the store is damaged: run %.10s at commit %.10s: %s changed after it "
		"was stored; `rooflog doctor --repair` sets it aside, then ingest its file "
		"again",
		sql_path(store->sql), id ? id : "(none)", oid ? oid : "(none)", what_changed[part]);
}

/* --- all runs --- */

bool store_is_damage(struct store *store, const struct error *why)
{
	return why->kind == ERR_STORE && !sql_is_busy(store->sql);
}

static int visit_range(struct store *store, const struct run_visitor *visitor,
		       const int64_t range[2], struct error *err);

/* The runs of a range that cannot be read together. */
static int visit_singly(struct store *store, const struct run_visitor *visitor,
			const int64_t range[2], struct error *err)
{
	int64_t one[2] = {range[0], range[0]};
	while (store_next_run(store, &one[0], err) == 0) {
		if (one[0] > range[1])
			return 0;
		one[1] = one[0];
		if (visit_range(store, visitor, one, err) < 0)
			return -1;
		one[0]++;
	}
	return -1;
}

static int visit_range(struct store *store, const struct run_visitor *visitor,
		       const int64_t range[2], struct error *err)
{
	struct store_run_list runs = {0};
	struct run_seals *seals = NULL;
	struct arena scratch = {0};
	struct error why = {0};
	int failed = store_runs_range(store, &scratch, range, &runs, &seals, &why);
	bool damaged = failed && store_is_damage(store, &why);
	for (size_t i = 0; !failed && i < runs.count; i++)
		failed = visitor->run(visitor->context, &runs.items[i], &seals[i], err);
	arena_free(&scratch);
	if (damaged)
		return range[0] == range[1]
			       ? visitor->unreadable(visitor->context, range[0], why.text, err)
			       : visit_singly(store, visitor, range, err);
	if (why.kind != ERR_NONE)
		*err = why;
	return failed;
}

int store_next_run(struct store *store, int64_t *row, struct error *err)
{
	int64_t next = NO_RUN;
	struct query query = query_start(store->sql, "run/next");
	query_bind_integer(&query, *row);
	if (query_find(&query, &next, err) < 0)
		return -1;
	*row = next;
	return 0;
}

int store_runs_visit(struct store *store, int64_t from, const struct run_visitor *visitor,
		     struct error *err)
{
	enum { RUNS_AT_A_TIME = 256 };
	int64_t range[2] = {from, 0};
	while (store_next_run(store, &range[0], err) == 0) {
		if (range[0] == NO_RUN)
			return 0;
		range[1] = range[0] < NO_RUN - RUNS_AT_A_TIME ? range[0] + RUNS_AT_A_TIME - 1
							      : NO_RUN - 1;
		if (visit_range(store, visitor, range, err) < 0)
			return -1;
		range[0] = range[1] + 1;
	}
	return -1;
}

int store_run_set_aside(struct store *store, int64_t row, struct error *err)
{
	struct query query = query_start(store->sql, "run/set_aside");
	query_bind_integer(&query, RUN_LAST);
	query_bind_integer(&query, row);
	return query_execute(&query, err);
}

/* --- the migration --- */

/* A table whose rows have a seal: the statement that reads them, and the one that seals a row. The
 * first column names the row, by a number or a text. */
struct sealed_table {
	const char *rows, *put;
	bool text;
};
static const struct sealed_table sealed_tables[] = {
	{"seal/revisions", "seal/revision_put", false},
	{"seal/series", "seal/series_put", false},
	{"seal/metrics", "seal/metric_put", false},
	{"seal/numbers", "seal/numbers_put", false},
	{"seal/baselines", "seal/baseline_put", true},
	{"seal/tree_files", "seal/tree_file_put", true},
};

static int seal_rows(struct store *store, const struct sealed_table *table, struct error *err)
{
	struct arena scratch = {0};
	struct query query = query_start(store->sql, table->rows);
	int failed = 0;
	while (!failed && query_next(&query)) {
		struct seal seal = {0};
		struct query update = query_start(store->sql, table->put);
		query.seal = &seal;
		query_seal_columns(&query);
		query.seal = NULL;
		query_bind_integer(&update, seal_value(&seal));
		query.at = 0;
		if (table->text)
			query_bind_text(&update, query_required_text(&query, &scratch));
		else
			query_bind_integer(&update, query_integer(&query));
		failed = query_execute(&update, err);
	}
	arena_free(&scratch);
	return failed ? query_abandon(&query) : query_finish(&query, err);
}

static int put_seals(struct store *store, int64_t row, const struct run_seals *seals,
		     struct error *err)
{
	unsigned char bytes[SEALS_BYTES];
	struct query query = query_start(store->sql, "run/seal");
	store_seals_bytes(seals, bytes);
	query_bind_bytes(&query, bytes, sizeof bytes);
	query_bind_bytes(&query, NULL, 0); /* not set aside */
	query_bind_integer(&query, row);
	return query_execute(&query, err);
}

int store_seals_put_range(struct store *store, struct arena *scratch, const int64_t range[2],
			  struct error *err)
{
	struct store_run_list runs;
	struct run_seals *seals;
	if (store_runs_range(store, scratch, range, &runs, &seals, err) < 0)
		return -1;
	for (size_t i = 0; i < runs.count; i++)
		if (put_seals(store, runs.items[i].run->row, &seals[i], err) < 0)
			return -1;
	return 0;
}

/* --- thinning: what changes of a run gets its seal again, if it was whole before --- */

int store_has_repeats(struct store *store, int64_t row, bool *has, struct error *err)
{
	int64_t found = 0;
	struct query query = query_start(store->sql, "repeats/any");
	query_bind_integer(&query, row);
	if (query_find(&query, &found, err) < 0)
		return -1;
	*has = found != 0;
	return 0;
}

static int thin(struct store *store, int64_t row, struct error *err)
{
	const int64_t range[2] = {row, row};
	struct store_run_list runs = {0};
	struct run_seals *seals = NULL;
	struct arena scratch = {0};
	struct query query;
	int failed = store_runs_range(store, &scratch, range, &runs, &seals, err);
	enum seal_part part =
		failed || !runs.count ? SEAL_PARTS : store_seals_differ(seals, SEAL_ROW, SEAL_REST);
	if (part != SEAL_PARTS)
		failed = store_seals_refuse(store, runs.items[0].id, runs.items[0].revision.oid,
					    part, err);
	if (!failed) {
		query = query_start(store->sql, "repeats/drop");
		query_bind_integer(&query, row);
		failed = query_execute(&query, err) < 0 ||
			 store_seals_put_range(store, &scratch, range, err) < 0;
	}
	arena_free(&scratch);
	return failed ? -1 : 0;
}

int store_thin(struct store *store, const int64_t *rows, size_t count, struct error *err)
{
	int failed = 0;
	if (store_scope_begin(store, err) < 0)
		return -1;
	for (size_t i = 0; i < count && !failed; i++)
		failed = thin(store, rows[i], err);
	return store_scope_end(store, failed, err);
}

static int seal_run(void *context, const struct store_run *stored, const struct run_seals *seals,
		    struct error *err)
{
	return put_seals(context, stored->run->row, seals, err);
}

/* What an older program could not read either does not keep the others from being read. */
static int leave_out(void *context, int64_t row, const char *why, struct error *err)
{
	struct store *store = context;
	(void)why;
	store->left_out++;
	return store_run_set_aside(store, row, err);
}

static int make(struct store *store, struct error *err)
{
	for (size_t i = 0; i < sizeof sealed_tables / sizeof *sealed_tables; i++)
		if (seal_rows(store, &sealed_tables[i], err) < 0)
			return -1;
	const struct run_visitor visitor = {seal_run, leave_out, store};
	return store_runs_visit(store, EVERY_RUN, &visitor, err);
}

int store_seals_make(void *context, int from, struct error *err)
{
	enum { FIRST_WITH_SEALS = 6 };
	struct store *store = context;
	if (from >= FIRST_WITH_SEALS)
		return 0;
	sql_expect_seals(store->sql, false);
	int failed = make(store, err);
	sql_expect_seals(store->sql, true);
	return failed;
}
