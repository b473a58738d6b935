/* Reads lines of JSON into a store. */
#include "db/jsonl/jsonl.h"

#include "base/hash/hash.h"
#include "db/jsonl/columns.h"
#include "model/commits/commits.h"

struct jsonl_reader {
	const struct store_taker *taker;
	const char *name;
	size_t line;
	struct sha256 sum;
	struct jsonl_amount amount;
	bool headed, ended;
};

struct jsonl_reader *jsonl_reader_new(struct arena *arena, const struct store_taker *taker,
				      const char *name)
{
	struct jsonl_reader *reader = arena_new(arena, struct jsonl_reader);
	*reader = (struct jsonl_reader){.taker = taker, .name = name};
	sha256_init(&reader->sum);
	return reader;
}

/* --- members --- */

/* What is wrong with a line is collected, so that each member is read with one call. */
struct members {
	struct arena arena;
	const struct json *object;
	const char *fault; /* the first member that is missing or not valid; NULL: none */
};

static void refuse(struct members *members, const char *name)
{
	if (!members->fault)
		members->fault = name;
}

static const char *text_of(struct members *members, const char *name)
{
	const struct json *value = json_get(members->object, name);
	if (value && value->type != JSON_NULL && value->type != JSON_STRING)
		refuse(members, name);
	return json_text(members->object, name, NULL);
}

static const char *required_text(struct members *members, const char *name)
{
	const char *text = text_of(members, name);
	if (!text)
		refuse(members, name);
	return text ? text : "";
}

static const char *commit_id(struct members *members, const char *name)
{
	const char *text = required_text(members, name);
	if (!object_id_is_full(span_of(text)))
		refuse(members, name);
	return text;
}

static int64_t whole(struct members *members, const char *name, int64_t low, int64_t high)
{
	double number = json_number(members->object, name, NAN);
	if (!(number >= (double)low && number <= (double)high) || number != floor(number)) {
		refuse(members, name);
		return 0;
	}
	return (int64_t)number;
}

static bool truth(struct members *members, const char *name)
{
	const struct json *value = json_get(members->object, name);
	if (!value || value->type != JSON_BOOL)
		refuse(members, name);
	return json_truth(members->object, name);
}

static const struct json *child(struct members *members, const char *name, enum json_type type)
{
	const struct json *value = json_get(members->object, name);
	if (value && value->type == type)
		return value;
	refuse(members, name);
	return NULL;
}

/* 64 lower-case digits: ids are compared as text. */
static bool is_hash(const char *text)
{
	struct hash_bytes hash;
	char hex[65];
	if (!hash_parse(text, &hash))
		return false;
	hash_hex(hash.byte, hex);
	return strcmp(hex, text) == 0;
}

/* --- lines --- */

static int64_t time_of(struct members *members, const char *name)
{
	return whole(members, name, 0, STORE_LAST_SECOND);
}

/* Ids separated by single blanks; the first is that of `parent`. */
static bool are_parents(const char *parent, const char *parents)
{
	struct span rest = span_of(parents);
	bool first = true;
	if (!*parents)
		return true;
	while (rest.ptr) {
		struct span one = span_cut(&rest, ' ');
		if (!object_id_is_full(one) || (first && !span_is(one, parent)))
			return false;
		first = false;
	}
	return true;
}

static int read_commit(struct jsonl_reader *reader, struct members *members, struct error *err)
{
	struct revision commit = {
		.oid = commit_id(members, "commit"),
		.tree = text_of(members, "tree"),
		.patch_id = text_of(members, "patch_id"),
		.parent = required_text(members, "parent"),
		.parents = text_of(members, "parents"),
		.position = whole(members, "position", -1, STORE_LAST_POSITION),
		.time = time_of(members, "time"),
		.subject = text_of(members, "subject"),
	};
	if ((*commit.parent && !object_id_is_full(span_of(commit.parent))) ||
	    strcmp(commit.parent, commit.oid) == 0)
		refuse(members, "parent");
	if (commit.parents && !are_parents(commit.parent, commit.parents))
		refuse(members, "parents");
	reader->amount.commits++;
	return members->fault || !reader->taker->commit
		       ? 0
		       : reader->taker->commit(reader->taker->context, &commit, err);
}

static void read_series(struct members *members, const char *name, struct run *run)
{
	const struct json *series = child(members, name, JSON_OBJECT);
	const struct json *outer = members->object;
	if (!series)
		return;
	members->object = series;
	run->kernel = text_of(members, "kernel");
	run->variant = text_of(members, "variant");
	run->dtype = text_of(members, "dtype");
	run->device = text_of(members, "device");
	run->instance_type = text_of(members, "instance_type");
	run->cores = (int)whole(members, "cores", 0, INT32_MAX);
	run->tool = text_of(members, "tool");
	const struct json *params = child(members, "params", JSON_OBJECT);
	for (const struct json *one = params ? params->first : NULL; one; one = one->next) {
		if (one->type != JSON_STRING)
			refuse(members, "params");
		else
			run_set_param(&members->arena, run, one->name, one->text);
	}
	members->object = outer;
}

static bool read_number(const struct json *pair, struct run *run)
{
	enum metric metric = metric_find(span_of(pair->name));
	const struct json *origin = pair->first ? pair->first->next : NULL;
	if (metric == METRIC_COUNT || pair->type != JSON_ARRAY || pair->count != 2 || !origin ||
	    pair->first->type != JSON_NUMBER || origin->type != JSON_STRING)
		return false;
	for (int i = PROVENANCE_MEASURED; i <= PROVENANCE_AT_LEAST; i++)
		if (strcmp(metric_provenance_name((enum provenance)i), origin->text) == 0) {
			run->given[metric] =
				(struct value){pair->first->number, (enum provenance)i};
			return true;
		}
	return false;
}

static int read_run(struct jsonl_reader *reader, struct members *members, struct error *err)
{
	struct run *run = run_new(&members->arena);
	struct exchanged_run given = {.run = run,
				      .id = required_text(members, "run"),
				      .content = required_text(members, "content"),
				      .removed = truth(members, "removed")};
	run->commit = commit_id(members, "commit");
	read_series(members, "series", run);
	run->dirty = truth(members, "dirty");
	run->node = text_of(members, "node");
	run->ingested_at = time_of(members, "ingested_at");
	run->ingest = whole(members, "ingest", 0, STORE_LAST_INGEST);
	run->source = text_of(members, "source");
	run->kernel_hash = text_of(members, "kernel_hash");
	if (!is_hash(given.id))
		refuse(members, "run");
	if (!is_hash(given.content))
		refuse(members, "content");
	const struct json *numbers = child(members, "numbers", JSON_OBJECT);
	for (const struct json *one = numbers ? numbers->first : NULL; one; one = one->next) {
		if (metric_find(span_of(one->name)) == METRIC_COUNT)
			return error_set(err, ERR_FORMAT,
					 "this rooflog has no metric %.40s; a newer one wrote the "
					 "run: update rooflog",
					 one->name);
		if (!read_number(one, run))
			refuse(members, one->name);
	}
	if (jsonl_read_lists(&members->arena, members->object, run, err) < 0)
		return -1;
	reader->amount.runs++;
	return members->fault || !reader->taker->run
		       ? 0
		       : reader->taker->run(reader->taker->context, &given, err);
}

static bool read_change(struct members *members, struct exchanged_change *change)
{
	struct run *was = run_new(&members->arena), *is = run_new(&members->arena);
	const char *effect = required_text(members, "effect");
	*change = (struct exchanged_change){
		.run = required_text(members, "run"), .was = was, .is = is};
	for (int i = 1; i < EFFECTS; i++)
		if (strcmp(jsonl_effects[i], effect) == 0)
			change->effect = (enum store_effect)i;
	if (!change->effect)
		refuse(members, "effect");
	if (!is_hash(change->run))
		refuse(members, "run");
	read_series(members, "was", was);
	read_series(members, "is", is);
	return !members->fault;
}

static int by_run(const void *a, const void *b)
{
	const struct exchanged_change *x = a, *y = b;
	return strcmp(x->run, y->run);
}

static int read_edit(struct jsonl_reader *reader, struct members *members, struct error *err)
{
	const char *word = required_text(members, "edit");
	struct exchanged_edit edit = {.kind = STORE_EDIT_KINDS,
				      .time = time_of(members, "time"),
				      .undone_at = time_of(members, "undone_at"),
				      .reason = text_of(members, "reason")};
	for (int i = 0; i < STORE_EDIT_KINDS; i++)
		if (strcmp(store_edit_word((enum store_edit_kind)i), word) == 0)
			edit.kind = (enum store_edit_kind)i;
	if (edit.kind == STORE_EDIT_KINDS)
		refuse(members, "edit");
	const struct json *outer = members->object;
	const struct json *list = child(members, "runs", JSON_ARRAY);
	struct exchanged_change *changes =
		arena_array(&members->arena, list ? list->count : 0, sizeof *changes);
	for (const struct json *one = list ? list->first : NULL; one; one = one->next) {
		members->object = one;
		if (!read_change(members, &changes[edit.count++]))
			break;
	}
	members->object = outer;
	array_sort(changes, edit.count, sizeof *changes, by_run);
	for (size_t i = 1; i < edit.count && !members->fault; i++)
		if (strcmp(changes[i].run, changes[i - 1].run) == 0)
			refuse(members, "runs");
	edit.changes = changes;
	reader->amount.edits++;
	return members->fault || !reader->taker->edit
		       ? 0
		       : reader->taker->edit(reader->taker->context, &edit, err);
}

static int read_baseline(struct jsonl_reader *reader, struct members *members, struct error *err)
{
	const char *oid = required_text(members, "commit");
	const struct baseline baseline = {.name = required_text(members, "baseline"),
					  .oid = *oid ? commit_id(members, "commit") : oid,
					  .set_at = time_of(members, "set_at"),
					  .pinned = truth(members, "pinned")};
	if (!*baseline.name)
		refuse(members, "baseline");
	reader->amount.baselines++;
	return members->fault || !reader->taker->baseline
		       ? 0
		       : reader->taker->baseline(reader->taker->context, &baseline, err);
}

static int read_head(struct jsonl_reader *reader, struct members *members, struct error *err)
{
	const char *schema = required_text(members, "schema");
	reader->headed = true;
	if (strcmp(schema, JSONL_SCHEMA) == 0)
		return 0;
	return error_set(err, ERR_FORMAT, "the schema is %.40s, and this program reads %s", schema,
			 JSONL_SCHEMA);
}

static int read_end(struct jsonl_reader *reader, struct members *members, struct error *err)
{
	const struct jsonl_amount *amount = &reader->amount;
	const struct {
		const char *name;
		size_t count;
	} counts[] = {{"commits", amount->commits},
		      {"runs", amount->runs},
		      {"edits", amount->edits},
		      {"baselines", amount->baselines}};
	char hex[65];
	struct sha256 sum = reader->sum;
	const char *stated = required_text(members, "sha256");
	sha256_hex(&sum, hex);
	reader->ended = true;
	members->object = child(members, "end", JSON_OBJECT);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (json_number(members->object, counts[i].name, -1) != (double)counts[i].count)
			return error_set(
				err, ERR_FORMAT,
				"lines are missing: there are %zu %s, and the end says %.0f",
				counts[i].count, counts[i].name,
				json_number(members->object, counts[i].name, NAN));
	return strcmp(hex, stated) == 0
		       ? 0
		       : error_set(err, ERR_FORMAT,
				   "the file was changed: its SHA-256 is not the one at its end");
}

/* A member says what a line is: the first of these that it has. */
static const struct {
	const char *name;
	int (*read)(struct jsonl_reader *reader, struct members *members, struct error *err);
} kinds[] = {
	{"schema", read_head}, {"run", read_run},           {"edit", read_edit},
	{"end", read_end},     {"baseline", read_baseline}, {"commit", read_commit},
};

static int read_object(struct jsonl_reader *reader, struct members *members, struct error *err)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!json_get(members->object, kinds[i].name))
			continue;
		if (reader->headed == (kinds[i].read == read_head))
			return error_set(err, ERR_FORMAT, "the first line, and no other, names %s",
					 JSONL_SCHEMA);
		if (kinds[i].read(reader, members, err) < 0)
			return -1;
		return members->fault ? error_set(err, ERR_FORMAT, "%.40s is missing or not valid",
						  members->fault)
				      : 0;
	}
	return error_set(err, ERR_FORMAT, "neither a commit, a run, an edit nor a baseline");
}

int jsonl_read_line(struct jsonl_reader *reader, struct span line, struct error *err)
{
	struct members members = {0};
	struct error why = {0};
	reader->line++;
	if (reader->ended)
		return error_set(err, ERR_FORMAT, "%s:%zu: more follows the end", reader->name,
				 reader->line);
	members.object = json_parse(&members.arena, line, &why);
	int failed = !members.object || read_object(reader, &members, &why) < 0;
	if (!failed && !reader->ended) {
		sha256_add(&reader->sum, line.ptr, line.len);
		sha256_add(&reader->sum, "\n", 1);
	}
	arena_free(&members.arena);
	if (failed)
		error_set(err, why.kind, "%s:%zu: %s", reader->name, reader->line, why.text);
	return failed ? -1 : 0;
}

int jsonl_read_end(struct jsonl_reader *reader, struct error *err)
{
	return reader->ended ? 0
			     : error_set(err, ERR_FORMAT, "%s: the end is missing: export again",
					 reader->name);
}

int jsonl_read_text(struct span text, const struct store_taker *taker, const char *name,
		    struct error *err)
{
	struct arena scratch = {0};
	struct jsonl_reader *reader = jsonl_reader_new(&scratch, taker, name);
	int failed = 0;
	while (!failed && text.len)
		failed = jsonl_read_line(reader, span_cut(&text, '\n'), err);
	if (!failed)
		failed = jsonl_read_end(reader, err);
	arena_free(&scratch);
	return failed;
}

/* --- files --- */

/* The reader gets the complete lines; the text keeps the rest. */
static int cut_lines(struct jsonl_reader *reader, struct strbuf *text, struct error *err)
{
	struct span rest = strbuf_span(text);
	const char *end;
	while (rest.len && (end = memchr(rest.ptr, '\n', rest.len))) {
		const struct span line = {rest.ptr, (size_t)(end - rest.ptr)};
		if (jsonl_read_line(reader, line, err) < 0)
			return -1;
		rest.ptr += line.len + 1;
		rest.len -= line.len + 1;
	}
	if (rest.len > JSONL_LINE_LIMIT)
		return error_set(err, ERR_FORMAT, "%s:%zu: a line of more than 64 MiB",
				 reader->name, reader->line + 1);
	if (rest.len < text->len) {
		memmove(text->buf, rest.ptr, rest.len);
		strbuf_truncate(text, rest.len);
	}
	return 0;
}

static int read_stream(struct jsonl_reader *reader, FILE *file, struct error *err)
{
	static const size_t piece = 1 << 16;
	struct strbuf text = {0};
	char *bytes = memory_allocate(1, piece);
	size_t len;
	int failed = 0;
	while (!failed && (len = fread(bytes, 1, piece, file)) > 0) {
		strbuf_add(&text, bytes, len);
		failed = cut_lines(reader, &text, err);
	}
	if (!failed && ferror(file))
		failed = error_errno(err, "cannot read %s", reader->name);
	if (!failed && text.len)
		failed = jsonl_read_line(reader, strbuf_span(&text), err);
	free(bytes);
	strbuf_free(&text);
	return failed ? -1 : jsonl_read_end(reader, err);
}

int jsonl_read_file(const char *path, const struct store_taker *taker, struct error *err)
{
	struct arena arena = {0};
	bool standard = strcmp(path, "-") == 0;
	FILE *file = standard ? stdin : fopen(path, "rbe");
	if (!file)
		return error_errno(err, "cannot open %s", path);
	struct jsonl_reader *reader =
		jsonl_reader_new(&arena, taker, standard ? "standard input" : path);
	int failed = read_stream(reader, file, err);
	if (!standard)
		fclose(file);
	arena_free(&arena);
	return failed;
}
