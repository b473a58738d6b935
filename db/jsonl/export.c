/* Writes a store as lines of JSON. */
#include "db/jsonl/jsonl.h"

#include "base/hash/hash.h"
#include "db/jsonl/columns.h"

static void write_line(struct jsonl_writer *writer, const struct json *object)
{
	size_t begin = writer->out->len;
	json_write(writer->out, object, true);
	strbuf_addch(writer->out, '\n');
	sha256_add(&writer->sum, writer->out->buf + begin, writer->out->len - begin);
	if (writer->drain)
		strbuf_drain_long(writer->out, writer->drain);
}

static int write_commit(void *context, const struct revision *commit, struct error *err)
{
	struct jsonl_writer *writer = context;
	struct arena arena = {0};
	struct json *object = json_object(&arena);
	(void)err;
	json_set_text(&arena, object, "commit", commit->oid);
	json_set_text(&arena, object, "tree", commit->tree);
	json_set_text(&arena, object, "patch_id", commit->patch_id);
	json_set_text(&arena, object, "parent", commit->parent);
	json_set_text(&arena, object, "parents", commit->parents);
	json_set_number(&arena, object, "position", (double)commit->position);
	json_set_number(&arena, object, "time", (double)commit->time);
	json_set_text(&arena, object, "subject", commit->subject);
	write_line(writer, object);
	writer->amount.commits++;
	arena_free(&arena);
	return 0;
}

static void set_series(struct arena *arena, struct json *object, const char *name,
		       const struct run *run)
{
	struct json *series = json_set_object(arena, object, name);
	json_set_text(arena, series, "kernel", run->kernel);
	json_set_text(arena, series, "variant", run->variant);
	json_set_text(arena, series, "dtype", run->dtype);
	struct json *params = json_set_object(arena, series, "params");
	for (size_t i = 0; i < run->param_count; i++)
		json_set_text(arena, params, run->params[i].name, run->params[i].value);
	json_set_text(arena, series, "device", run->device);
	json_set_text(arena, series, "instance_type", run->instance_type);
	json_set_number(arena, series, "cores", run->cores);
	json_set_text(arena, series, "tool", run->tool);
}

static void set_numbers(struct arena *arena, struct json *object, const struct run *run)
{
	struct json *numbers = json_set_object(arena, object, "numbers");
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct value *given = &run->given[i];
		if (isnan(given->number))
			continue;
		struct json *pair =
			json_set_array(arena, numbers, metric_info((enum metric)i)->key);
		json_add_number(arena, pair, given->number);
		json_add_text(arena, pair, metric_provenance_name(given->provenance));
	}
}

static int write_run(void *context, const struct exchanged_run *given, struct error *err)
{
	struct jsonl_writer *writer = context;
	const struct run *run = given->run;
	struct arena arena = {0};
	struct json *object = json_object(&arena);
	(void)err;
	json_set_text(&arena, object, "run", given->id);
	json_set_text(&arena, object, "content", given->content);
	json_set_text(&arena, object, "commit", run->commit);
	set_series(&arena, object, "series", run);
	json_set_bool(&arena, object, "dirty", run->dirty);
	json_set_bool(&arena, object, "removed", given->removed);
	json_set_text(&arena, object, "node", run->node);
	json_set_number(&arena, object, "ingested_at", (double)run->ingested_at);
	json_set_number(&arena, object, "ingest", (double)run->ingest);
	json_set_text(&arena, object, "source", run->source);
	json_set_text(&arena, object, "kernel_hash", run->kernel_hash);
	set_numbers(&arena, object, run);
	jsonl_write_lists(&arena, object, run);
	write_line(writer, object);
	writer->amount.runs++;
	arena_free(&arena);
	return 0;
}

static int write_edit(void *context, const struct exchanged_edit *edit, struct error *err)
{
	struct jsonl_writer *writer = context;
	struct arena arena = {0};
	struct json *object = json_object(&arena);
	(void)err;
	json_set_text(&arena, object, "edit", store_edit_word(edit->kind));
	json_set_number(&arena, object, "time", (double)edit->time);
	json_set_number(&arena, object, "undone_at", (double)edit->undone_at);
	json_set_text(&arena, object, "reason", edit->reason);
	struct json *list = json_set_array(&arena, object, "runs");
	for (size_t i = 0; i < edit->count; i++) {
		const struct exchanged_change *change = &edit->changes[i];
		struct json *one = json_add_object(&arena, list);
		json_set_text(&arena, one, "run", change->run);
		json_set_text(&arena, one, "effect", jsonl_effects[change->effect]);
		set_series(&arena, one, "was", change->was);
		set_series(&arena, one, "is", change->is);
	}
	write_line(writer, object);
	writer->amount.edits++;
	arena_free(&arena);
	return 0;
}

static int write_baseline(void *context, const struct baseline *baseline, struct error *err)
{
	struct jsonl_writer *writer = context;
	struct arena arena = {0};
	struct json *object = json_object(&arena);
	(void)err;
	json_set_text(&arena, object, "baseline", baseline->name);
	json_set_text(&arena, object, "commit", baseline->oid);
	json_set_number(&arena, object, "set_at", (double)baseline->set_at);
	json_set_bool(&arena, object, "pinned", baseline->pinned);
	write_line(writer, object);
	writer->amount.baselines++;
	arena_free(&arena);
	return 0;
}

struct jsonl_writer jsonl_begin(struct strbuf *out, const struct strbuf_drain *drain, bool head)
{
	struct jsonl_writer writer = {.out = out, .drain = drain};
	struct arena arena = {0};
	sha256_init(&writer.sum);
	if (head) {
		struct json *object = json_object(&arena);
		json_set_text(&arena, object, "schema", JSONL_SCHEMA);
		write_line(&writer, object);
	}
	arena_free(&arena);
	return writer;
}

struct store_taker jsonl_taker(struct jsonl_writer *writer)
{
	return (struct store_taker){write_commit, write_run, write_edit, write_baseline, writer};
}

void jsonl_append(struct jsonl_writer *writer, const struct jsonl_writer *part)
{
	const struct jsonl_amount *amount = &part->amount;
	sha256_add(&writer->sum, strbuf_text(part->out), part->out->len);
	strbuf_addspan(writer->out, strbuf_span(part->out));
	writer->amount.commits += amount->commits;
	writer->amount.runs += amount->runs;
	writer->amount.edits += amount->edits;
	writer->amount.baselines += amount->baselines;
}

void jsonl_end(struct jsonl_writer *writer)
{
	const struct jsonl_amount *amount = &writer->amount;
	struct sha256 sum = writer->sum;
	char hex[65];
	sha256_hex(&sum, hex);
	strbuf_addf(writer->out,
		    "{\"end\":{\"commits\":%zu,\"runs\":%zu,\"edits\":%zu,\"baselines\":%zu},"
		    "\"sha256\":\"%s\"}\n",
		    amount->commits, amount->runs, amount->edits, amount->baselines, hex);
}

int jsonl_export(struct store *store, const struct store_wish *wish, struct strbuf *out,
		 const struct strbuf_drain *drain, struct jsonl_amount *amount, struct error *err)
{
	struct jsonl_writer writer = jsonl_begin(out, drain, true);
	const struct store_taker taker = jsonl_taker(&writer);
	if (store_give(store, wish, &taker, &writer.amount.set_aside, err) < 0)
		return -1;
	jsonl_end(&writer);
	*amount = writer.amount;
	return 0;
}
