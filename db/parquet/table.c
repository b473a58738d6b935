/* What the columns of the tables have. */
#include "db/parquet/parquet.h"

#include "base/json/json.h"
#include "base/text/text.h"
#include "db/parquet/columns.h"

/* Columns that both tables begin with. */
enum {
	RUN,
	COMMIT,
	COMMIT_TIME,
	POSITION,
	SUBJECT,
	KERNEL,
	VARIANT,
	DTYPE,
	PARAMS,
	DEVICE,
	INSTANCE_TYPE,
	CORES,
	TOOL,
	DIRTY,
	INGESTED_AT,
	INGEST,
	SOURCE,
	KERNEL_HASH,
	FIRST
};
static const struct column_kind first[FIRST] = {
	[RUN] = {"run", COLUMN_UNIQUE},
	[COMMIT] = {"commit", COLUMN_TEXT},
	[COMMIT_TIME] = {"commit_time", COLUMN_TIME},
	[POSITION] = {"position", COLUMN_WHOLE},
	[SUBJECT] = {"subject", COLUMN_TEXT},
	[KERNEL] = {"kernel", COLUMN_TEXT},
	[VARIANT] = {"variant", COLUMN_TEXT},
	[DTYPE] = {"dtype", COLUMN_TEXT},
	[PARAMS] = {"params", COLUMN_TEXT},
	[DEVICE] = {"device", COLUMN_TEXT},
	[INSTANCE_TYPE] = {"instance_type", COLUMN_TEXT},
	[CORES] = {"cores", COLUMN_WHOLE},
	[TOOL] = {"tool", COLUMN_TEXT},
	[DIRTY] = {"dirty", COLUMN_TRUTH},
	[INGESTED_AT] = {"ingested_at", COLUMN_TIME},
	[INGEST] = {"ingest", COLUMN_WHOLE},
	[SOURCE] = {"source", COLUMN_TEXT},
	[KERNEL_HASH] = {"kernel_hash", COLUMN_TEXT},
};
/* Those of a number. */
enum { METRIC = FIRST, VALUE, UNIT, PROVENANCE, NUMBER_COLUMNS };

struct commit {
	const char *oid, *subject;
	int64_t time, position;
};

struct table {
	enum parquet_table kind;
	struct columns *file;
	struct column_kind columns[FIRST + METRIC_COUNT];
	size_t count;
	size_t column[METRIC_COUNT]; /* that each metric has in the table of runs; 0: none */
	struct arena arena;
	struct commit *commits;
	size_t commit_count, commit_capacity;
	bool sorted;
};

/* --- commits --- */

static int by_oid(const void *a, const void *b)
{
	return strcmp(((const struct commit *)a)->oid, ((const struct commit *)b)->oid);
}

static int take_commit(void *context, const struct revision *commit, struct error *err)
{
	struct table *table = context;
	struct arena *arena = &table->arena;
	(void)err;
	*arena_next(arena, table->commits, table->commit_count, table->commit_capacity) =
		(struct commit){arena_strdup(arena, commit->oid),
				commit->subject ? arena_strdup(arena, commit->subject) : NULL,
				commit->time, commit->position};
	return 0;
}

static const struct commit *commit_of(struct table *table, const char *oid)
{
	if (!table->sorted)
		array_sort(table->commits, table->commit_count, sizeof *table->commits, by_oid);
	table->sorted = true;
	return bsearch(&(struct commit){.oid = oid}, table->commits, table->commit_count,
		       sizeof *table->commits, by_oid);
}

/* --- rows --- */

static void set_params(struct columns *file, const struct run *run)
{
	struct arena scratch = {0};
	struct strbuf sb = {0};
	struct json *object = json_object(&scratch);
	for (size_t i = 0; i < run->param_count; i++)
		json_set_text(&scratch, object, run->params[i].name, run->params[i].value);
	json_exact(&sb, object);
	columns_set_text(file, PARAMS, strbuf_text(&sb));
	strbuf_free(&sb);
	arena_free(&scratch);
}

static void set_first(struct table *table, const struct exchanged_run *given)
{
	struct columns *file = table->file;
	const struct run *run = given->run;
	const struct commit *commit = commit_of(table, run->commit);
	columns_set_text(file, RUN, given->id);
	columns_set_text(file, COMMIT, run->commit);
	if (commit) {
		columns_set_whole(file, COMMIT_TIME, commit->time);
		columns_set_whole(file, POSITION, commit->position);
		columns_set_text(file, SUBJECT, commit->subject);
	}
	columns_set_text(file, KERNEL, run->kernel);
	columns_set_text(file, VARIANT, run->variant);
	columns_set_text(file, DTYPE, run->dtype);
	set_params(file, run);
	columns_set_text(file, DEVICE, run->device);
	columns_set_text(file, INSTANCE_TYPE, run->instance_type);
	if (run->cores)
		columns_set_whole(file, CORES, run->cores);
	columns_set_text(file, TOOL, run->tool);
	columns_set_whole(file, DIRTY, run->dirty);
	columns_set_whole(file, INGESTED_AT, run->ingested_at);
	columns_set_whole(file, INGEST, run->ingest);
	columns_set_text(file, SOURCE, run->source);
	columns_set_text(file, KERNEL_HASH, run->kernel_hash);
}

static void add_numbers(struct table *table, const struct exchanged_run *given)
{
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct value *value = &given->run->given[i];
		const struct metric_info *info = metric_info((enum metric)i);
		if (isnan(value->number))
			continue;
		set_first(table, given);
		columns_set_text(table->file, METRIC, info->key);
		columns_set_number(table->file, VALUE, value->number);
		columns_set_text(table->file, UNIT, quantity_unit_symbol(info->unit));
		columns_set_text(table->file, PROVENANCE,
				 metric_provenance_name(value->provenance));
		columns_end_row(table->file);
	}
}

static int take_run(void *context, const struct exchanged_run *given, struct error *err)
{
	struct table *table = context;
	(void)err;
	if (given->removed)
		return 0;
	if (table->kind == PARQUET_NUMBERS) {
		add_numbers(table, given);
		return 0;
	}
	set_first(table, given);
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (table->column[i])
			columns_set_number(table->file, table->column[i],
					   given->run->given[i].number);
	columns_end_row(table->file);
	return 0;
}

static void add_columns(struct table *table, struct store *store)
{
	static const struct column_kind number[] = {{"metric", COLUMN_TEXT},
						    {"value", COLUMN_NUMBER},
						    {"unit", COLUMN_TEXT},
						    {"provenance", COLUMN_TEXT}};
	memcpy(table->columns, first, sizeof first);
	table->count = FIRST;
	if (table->kind == PARQUET_NUMBERS) {
		memcpy(table->columns + FIRST, number, sizeof number);
		table->columns[RUN].type = COLUMN_TEXT;
		table->count = NUMBER_COLUMNS;
		return;
	}
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (store_has_metric(store, (enum metric)i)) {
			table->column[i] = table->count;
			table->columns[table->count++] = (struct column_kind){
				metric_info((enum metric)i)->key, COLUMN_NUMBER};
		}
}

int parquet_export(struct store *store, enum parquet_table kind, const struct store_wish *wish,
		   struct strbuf *out, const struct strbuf_drain *drain, size_t *rows,
		   size_t *set_aside, struct error *err)
{
	struct table *table = memory_allocate(1, sizeof *table);
	const struct store_taker taker = {take_commit, take_run, NULL, NULL, table};
	table->kind = kind;
	add_columns(table, store);
	table->file = columns_begin(table->columns, table->count, out, drain);
	int failed = store_give(store, wish, &taker, set_aside, err);
	if (failed)
		columns_abandon(table->file);
	else
		*rows = columns_end(table->file);
	arena_free(&table->arena);
	free(table);
	return failed;
}
