/*
 * Results of airspeed velocity (asv) for one commit, machine and environment, in layouts 1 and 2,
 * and the description of the machine in their folder.
 * One run per time_ benchmark and combination of parameters; benchmarks of other kinds are only
 * counted.
 */

#include "ingest/json/document/document.h"
#include "ingest/reader.h"

enum { run_limit = 200000, benchmark_limit = 20000, axis_limit = 16, sample_limit = 100000 };

struct reading {
	struct arena *arena;
	const struct json *root, *columns, *versions, *info;
	const char *commit, *machine, *device, *environment, *date, *python;
	struct json_runs runs;
	size_t failed, others; /* results without a time; benchmarks of other kinds */
};

/* A parameter and its values. */
struct axis {
	const struct json **values;
	size_t count;
};

/* The results of one benchmark in either layout: lists over the combinations of parameters, or
 * NULL. */
struct record {
	const char *name;
	const struct json *result, *params, *version, *samples;
	const struct json *repeat, *stats; /* in layout 1 the items of `stats` contain "repeat" */
	struct axis axes[axis_limit];
	size_t axis_count;
};

/* --- layouts --- */

static const struct json *item(const struct json *list, size_t index)
{
	if (!list || list->type != JSON_ARRAY)
		return NULL;
	for (const struct json *one = list->first; one; one = one->next)
		if (index-- == 0)
			return one;
	return NULL;
}

/* A column in layout 2: rows follow the order of "result_columns" and omit trailing nulls. */
static const struct json *column(const struct reading *r, const struct json *row, const char *name)
{
	size_t index = 0;
	for (const struct json *one = r->columns ? r->columns->first : NULL; one;
	     one = one->next, index++)
		if (one->type == JSON_STRING && strcmp(one->text, name) == 0)
			return item(row, index);
	return NULL;
}

static struct record record_of(const struct reading *r, const struct json *node)
{
	struct record record = {.name = node->name};
	if (node->type == JSON_ARRAY) {
		record.result = column(r, node, "result");
		record.params = column(r, node, "params");
		record.version = column(r, node, "version");
		record.samples = column(r, node, "samples");
		record.repeat = column(r, node, "stats_repeat");
	} else if (node->type == JSON_OBJECT) {
		record.result = json_get(node, "result");
		record.params = json_get(node, "params");
		record.samples = json_get(node, "samples");
		record.stats = json_get(node, "stats");
	} else {
		record.result = node;
	}
	if (!record.version)
		record.version = json_get(r->versions, node->name);
	return record;
}

/* --- one combination --- */

/* Removes the quotes of Python's notation: 'humanoid' -> humanoid. */
static const char *bare(struct arena *arena, const char *text)
{
	size_t len = strlen(text);
	if (len >= 2 && (text[0] == '\'' || text[0] == '"') && text[len - 1] == text[0])
		return arena_strndup(arena, text + 1, len - 2);
	return text;
}

/* Sets the parameters of the index-th combination. The last axis varies fastest. */
static void read_params(struct reading *r, struct run *run, const struct record *record,
			size_t index)
{
	for (size_t i = record->axis_count; i-- > 0;) {
		const struct axis *axis = &record->axes[i];
		/* An axis without values has no combinations. */
		if (axis->count == 0)
			return;
		const char *text =
			json_document_scalar(r->arena, axis->values[index % axis->count]);
		index /= axis->count;
		if (text)
			run_set_param(r->arena, run, arena_printf(r->arena, "arg%zu", i),
				      bare(r->arena, text));
	}
}

static void set_time(struct reading *r, struct run *run, const struct json *result,
		     const struct json *samples, double repeats)
{
	size_t count = 0;
	double *numbers = NULL;
	if (samples && samples->type == JSON_ARRAY && samples->count <= sample_limit) {
		numbers = arena_array(r->arena, samples->count + 1, sizeof *numbers);
		for (const struct json *one = samples->first; one; one = one->next)
			if (one->type == JSON_NUMBER && one->number > 0)
				numbers[count++] = one->number;
	}
	if (count) {
		run_set_samples(r->arena, run, METRIC_HOST_TIME, numbers, count,
				PROVENANCE_MEASURED);
		return;
	}
	run_set(run, METRIC_HOST_TIME, result->number, PROVENANCE_MEASURED);
	if (repeats > 1) {
		struct run_spread spread = run_spread_unknown(METRIC_HOST_TIME);
		spread.count = repeats;
		spread.median = result->number;
		run_add_spread(r->arena, run, spread);
	}
}

/* The current items of a record's lists; each step is one combination. */
struct cursor {
	const struct json *samples, *repeat, *stats;
};

static const struct json *first_of(const struct json *list)
{
	return list && list->type == JSON_ARRAY ? list->first : NULL;
}

static void step(struct cursor *at)
{
	at->samples = at->samples ? at->samples->next : NULL;
	at->repeat = at->repeat ? at->repeat->next : NULL;
	at->stats = at->stats ? at->stats->next : NULL;
}

/* The version is a hash of the benchmark's source. asv does not compare results of different
 * versions. The beginning of the hash is enough. */
static void read_version(struct reading *r, struct run *run, const struct json *version)
{
	static const char allowed[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *text = json_document_scalar(r->arena, version);
	size_t len = text ? strspn(text, allowed) : 0;
	if (len)
		run_set_param(r->arena, run, "benchmark_version",
			      arena_strndup(r->arena, text, len < 10 ? len : 10));
}

static int add_run(struct reading *r, const struct record *record, const struct json *result,
		   size_t index, const struct cursor *at, struct error *err)
{
	if (result->type == JSON_STRING && result->text[0])
		return error_set(err, ERR_FORMAT,
				 "results[\"%.80s\"]: expected seconds, found a string",
				 record->name);
	if (result->type != JSON_NUMBER || !(result->number > 0)) {
		r->failed++;
		return 0;
	}
	if (r->runs.list.count == run_limit)
		return error_set(err, ERR_FORMAT, "more than %d results", (int)run_limit);
	struct run *run = run_new(r->arena);
	double repeats = at->repeat && at->repeat->type == JSON_NUMBER ? at->repeat->number : NAN;
	run->kernel = json_document_name(r->arena, record->name);
	run->tool = "asv";
	run->commit = r->commit;
	run->instance_type = r->machine;
	run->device = r->device;
	read_params(r, run, record, index);
	if (r->environment)
		run_set_param(r->arena, run, "env", r->environment);
	read_version(r, run, record->version);
	if (isnan(repeats))
		repeats = json_number(at->stats, "repeat", json_number(at->stats, "n", NAN));
	set_time(r, run, result, at->samples, repeats);
	if (r->date)
		run_add_attribute(r->arena, run, "date", r->date);
	json_document_attribute(r->arena, run, r->info, "cpu", "cpu");
	json_document_attribute(r->arena, run, r->info, "gpu", "gpu");
	json_document_attribute(r->arena, run, r->info, "os", "os");
	if (r->python)
		run_add_attribute(r->arena, run, "python", r->python);
	json_document_add_run(&r->runs, run);
	return 0;
}

/* --- benchmarks --- */

/* asv determines the kind by the function's name, which is the part after the last dot. */
static bool is_time(const char *name)
{
	const char *dot = strrchr(name, '.');
	struct span function = span_of(dot ? dot + 1 : name);
	return span_starts(function, "time_") || span_starts(function, "timeraw_") ||
	       span_starts(function, "Time") || span_starts(function, "Timeraw");
}

/* Reads the axes; the number of their combinations must be that of the results. */
static int read_axes(struct arena *arena, struct record *record, size_t count, struct error *err)
{
	size_t product = 1;
	const struct json *one = first_of(record->params);
	for (; one; one = one->next) {
		if (one->type != JSON_ARRAY || one->count == 0 ||
		    record->axis_count == axis_limit ||
		    __builtin_mul_overflow(product, one->count, &product))
			return error_set(err, ERR_FORMAT,
					 "results[\"%.80s\"]: parameters must be lists of values, "
					 "at most %d",
					 record->name, (int)axis_limit);
		struct axis *axis = &record->axes[record->axis_count++];
		axis->values = arena_array(arena, one->count, sizeof(struct json *));
		for (const struct json *value = one->first; value; value = value->next)
			axis->values[axis->count++] = value;
	}
	if (product != count)
		return error_set(err, ERR_FORMAT,
				 "results[\"%.80s\"]: expected a result for each of the %zu "
				 "combinations of parameters, found %zu",
				 record->name, product, count);
	return 0;
}

static int read_benchmark(struct reading *r, const struct json *node, struct error *err)
{
	struct record record = record_of(r, node);
	struct cursor at = {first_of(record.samples), first_of(record.repeat),
			    first_of(record.stats)};
	size_t index = 0;
	if (!is_time(node->name)) {
		r->others++;
		return 0;
	}
	if (!record.result || record.result->type == JSON_NULL) {
		r->failed++;
		return 0;
	}
	if (record.result->type != JSON_ARRAY)
		return add_run(r, &record, record.result, 0, &at, err);
	/* A benchmark that failed as a whole has the result [null], whatever its parameters are. */
	if (record.result->count == 1 && record.result->first->type == JSON_NULL) {
		r->failed++;
		return 0;
	}
	if (read_axes(r->arena, &record, record.result->count, err) < 0)
		return -1;
	for (const struct json *one = record.result->first; one; one = one->next, step(&at))
		if (add_run(r, &record, one, index++, &at, err) < 0)
			return -1;
	return 0;
}

/* The GPU that the machine's owner entered, without a vendor that stands there twice. */
static const char *device_of(struct arena *arena, const struct json *machine)
{
	static const char *const vendors[] = {"NVIDIA ", "AMD "};
	const char *text = json_document_text(arena, machine, "gpu");
	for (size_t i = 0; text && i < sizeof vendors / sizeof *vendors; i++) {
		size_t len = strlen(vendors[i]);
		if (strncmp(text, vendors[i], len) == 0 &&
		    strncmp(text + len, vendors[i], len) == 0)
			return text + len;
	}
	return text;
}

static int read_head(struct reading *r, struct error *err)
{
	const char *commit = json_text(r->root, "commit_hash", "");
	size_t len = strspn(commit, "0123456789abcdefABCDEF");
	r->info = json_document_small(json_get(r->root, "params"));
	const char *machine = json_document_text(r->arena, r->info, "machine");
	if (len < 7 || len > 64 || commit[len])
		return error_set(err, ERR_FORMAT, "commit_hash is not a commit id");
	r->commit = commit;
	r->machine = machine ? arena_printf(r->arena, "host:%s", machine) : NULL;
	r->device = device_of(r->arena, r->info);
	r->environment = json_document_text(r->arena, r->root, "env_name");
	r->date = json_document_scalar(r->arena, json_get(r->root, "date"));
	r->python = json_document_scalar(r->arena, json_get(r->root, "python"));
	r->columns = json_document_small(json_get(r->root, "result_columns"));
	r->versions = json_get(r->root, "benchmark_version");
	if (r->versions && r->versions->count > benchmark_limit)
		r->versions = NULL;
	return 0;
}

/* machine.json: the device of results whose files do not repeat it. */
static int read_machine(struct arena *arena, const struct json *machine,
			struct ingest_result *result, struct error *err)
{
	if (!json_document_text(arena, machine, "machine"))
		return error_set(err, ERR_FORMAT, "\"machine\" must be the name of the machine");
	*arena_add(arena, &result->companions) =
		(struct companion){.tool = "asv", .device = device_of(arena, machine)};
	return 0;
}

static int read_asv(struct arena *arena, struct input *input, struct ingest_result *result,
		    struct error *err)
{
	struct reading r = {.arena = arena, .runs = {.arena = arena}};
	r.root = json_document_read(arena, input, err);
	if (!r.root)
		return -1;
	if (json_get(r.root, "num_cpu"))
		return read_machine(arena, r.root, result, err);
	const struct json *results = json_get(r.root, "results");
	if (!results || results->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "\"results\" must be an object of benchmarks");
	if (results->count > benchmark_limit)
		return error_set(err, ERR_FORMAT, "more than %d benchmarks", (int)benchmark_limit);
	if (read_head(&r, err) < 0)
		return -1;
	for (const struct json *one = results->first; one; one = one->next)
		if (read_benchmark(&r, one, err) < 0)
			return -1;
	if (r.failed)
		json_document_note(&r.runs, "results without a time, skipped: %zu", r.failed);
	if (r.others)
		json_document_note(
			&r.runs, "benchmarks without times (memory, tracked values), skipped: %zu",
			r.others);
	return json_document_finish(&r.runs, "no time_ benchmark has a result", result, err);
}

static bool detect(struct span head)
{
	static const struct json_mark marks[] = {
		{1, "commit_hash", '"'},  {1, "env_name", '"'},
		{1, "python", 0},         {1, "result_columns", '['},
		{1, "requirements", '{'}, {1, "results", '{'},
		{1, "params", '{'},       {1, "machine", 0},
		{1, "num_cpu", 0},        {1, "ram", 0},
		{1, "version", '0'},      {0, NULL, 0}};
	unsigned found = json_document_marks(head, marks);
	return ((found & 1) && (found & 30) && (found & 104)) || (found & 1920) == 1920;
}

const struct reader asv_reader = {"asv", "asv results and machine.json", 0, detect, read_asv};
