/*
 * Cache files of Kernel Tuner: the fastest configuration is the run, and all configurations are its
 * tuning history. A cache of an interrupted tuning, which was not closed, is read as well.
 *
 * Files of the open tuning formats, which other tuners write, too:
 * - T4, results: {"results": [{"configuration": {...}, "times": {"runtimes": [...]}, "invalidity":
 *   "correct", "measurements": [{"name": "time", ...}]}], "metadata": {"timeunit":
 * "milliseconds"}}. It is read as the cache that has the same configurations. It names no kernel.
 * - T1, what is tuned: the kernel and the problem size of the results in its folder, like
 * params.json.
 */

#include "base/base.h"
#include "base/text/text.h"
#include "ingest/json/document/document.h"
#include "ingest/reader.h"

enum { shown_limit = 50, sample_limit = 100000 };
static const size_t size_limit = 64u << 20;
static const double failed_time = 1e15; /* old files store failures as a time of 1e20 */

struct reading {
	struct arena *arena;
	const struct json *root, *keys;
	const struct json **good; /* configurations that have a time */
	size_t good_count, failed;
};

static double time_of(const struct json *configuration)
{
	double time = json_number(configuration, "time", NAN);
	return time > 0 && time < failed_time ? time / 1e3 : NAN;
}

static int by_time(const void *a, const void *b)
{
	const struct json *left = *(const struct json *const *)a;
	const struct json *right = *(const struct json *const *)b;
	double x = time_of(left), y = time_of(right);
	return x != y ? (x > y) - (x < y) : strcmp(left->name, right->name);
}

static int collect(struct reading *r, const struct json *cache, struct error *err)
{
	r->good = arena_array(r->arena, cache->count + 1, sizeof *r->good);
	for (const struct json *one = cache->first; one; one = one->next) {
		if (one->type != JSON_OBJECT)
			return error_set(err, ERR_FORMAT, "cache[\"%.80s\"] is not an object",
					 one->name);
		if (!json_get(one, "time"))
			return error_set(err, ERR_FORMAT, "cache[\"%.80s\"] has no \"time\"",
					 one->name);
		if (isnan(time_of(one)))
			r->failed++;
		else
			r->good[r->good_count++] = one;
	}
	if (r->good_count == 0)
		return error_set(err, ERR_FORMAT, "none of %u cached configurations has a time",
				 cache->count);
	qsort(r->good, r->good_count, sizeof *r->good, by_time);
	return 0;
}

/* "block_size_x=128, tile=4" */
static const char *configuration_text(const struct reading *r, const struct json *configuration)
{
	struct strbuf sb = {0};
	for (const struct json *key = r->keys->first; key; key = key->next) {
		if (key->type != JSON_STRING || sb.len > json_line_limit)
			continue;
		const char *value =
			json_document_scalar(r->arena, json_get(configuration, key->text));
		strbuf_addf(&sb, "%s%s=%s", sb.len ? ", " : "", key->text, value ? value : "?");
	}
	const char *text = json_document_name(r->arena, sb.len ? sb.buf : configuration->name);
	strbuf_free(&sb);
	return text;
}

static void add_tiling(struct reading *r, struct run *run, const char *name, const char *text)
{
	run_add_attribute(r->arena, run, arena_printf(r->arena, "tiling.%s", name), text);
}

/* What was tried, as the readers of tiling/ state it. The run is that of the chosen configuration,
 * which is the fastest one. */
static void add_tuning(struct reading *r, struct run *run)
{
	const struct json *best = r->good[0];
	size_t middle = r->good_count / 2;
	double median = r->good_count % 2
				? time_of(r->good[middle])
				: (time_of(r->good[middle - 1]) + time_of(r->good[middle])) / 2;
	for (const struct json *key = r->keys->first; key; key = key->next) {
		const char *text = key->type == JSON_STRING ? key->text : "";
		const char *name = json_document_name(r->arena, text);
		const char *value = json_document_scalar(r->arena, json_get(best, text));
		if (value && *name && !strchr(name, '.'))
			add_tiling(r, run, name, value);
	}
	add_tiling(r, run, "tuning_tried",
		   arena_printf(r->arena, "%zu", r->good_count + r->failed));
	add_tiling(r, run, "tuning_failed", arena_printf(r->arena, "%zu", r->failed));
	add_tiling(r, run, "tuning_median", quantity_text(r->arena, median, UNIT_SECOND));
	add_tiling(r, run, "tuning_worst",
		   quantity_text(r->arena, time_of(r->good[r->good_count - 1]), UNIT_SECOND));
	size_t shown = r->good_count < shown_limit ? r->good_count : shown_limit;
	for (size_t i = 0; i < shown; i++)
		run_add_tally(r->arena, run,
			      (struct run_tally){TALLY_TUNING, configuration_text(r, r->good[i]), 1,
						 time_of(r->good[i]), NAN, NAN});
}

static void set_times(struct reading *r, struct run *run, const struct json *best)
{
	const struct json *times = json_document_list(best, "times");
	size_t count = 0;
	double *samples = NULL;
	if (times && times->count <= sample_limit) {
		samples = arena_array(r->arena, times->count + 1, sizeof *samples);
		for (const struct json *one = times->first; one; one = one->next)
			if (one->type == JSON_NUMBER && one->number > 0 &&
			    one->number < failed_time)
				samples[count++] = one->number / 1e3;
	}
	if (count)
		run_set_samples(r->arena, run, METRIC_TOTAL_TIME, samples, count,
				PROVENANCE_MEASURED);
	else
		run_set(run, METRIC_TOTAL_TIME, time_of(best), PROVENANCE_MEASURED);
	run_set(run, METRIC_COMPILE_TIME, json_document_quantity(best, "compile_time", 1e-3),
		PROVENANCE_MEASURED);
	double clock = json_document_quantity(best, "core_freq", 1e6);
	if (clock > 0)
		run_set(run, METRIC_SM_CLOCK, clock, PROVENANCE_MEASURED);
}

/* [48, 64] -> "48x64" */
static const char *problem_size(struct reading *r, const struct json *size)
{
	struct strbuf sb = {0};
	if (!size || size->type != JSON_ARRAY)
		return json_document_scalar(r->arena, size);
	for (const struct json *one = size->first; one; one = one->next) {
		const char *text = json_document_scalar(r->arena, one);
		strbuf_addf(&sb, "%s%s", sb.len ? "x" : "", text ? text : "?");
	}
	const char *line = json_document_name(r->arena, strbuf_text(&sb));
	strbuf_free(&sb);
	return line;
}

static struct run *run_of(struct reading *r)
{
	struct run *run = run_new(r->arena);
	const char *size = problem_size(r, json_get(r->root, "problem_size"));
	const char *kernel = json_text(r->root, "kernel_name", "");
	run->kernel = *kernel ? json_document_name(r->arena, kernel) : NULL;
	run->tool = "kernel-tuner";
	run->device = json_document_text(r->arena, r->root, "device_name");
	if (size && *size)
		run_set_param(r->arena, run, "problem_size", size);
	set_times(r, run, r->good[0]);
	run_add_attribute(r->arena, run, "configuration", configuration_text(r, r->good[0]));
	json_document_attribute(r->arena, run, r->good[0], "timestamp", "timestamp");
	json_document_attribute(r->arena, run, r->root, "schema_version", "schema_version");
	add_tuning(r, run);
	return run;
}

static void add_notes(struct reading *r, struct run *run, bool open)
{
	if (r->good_count > shown_limit)
		run_add_note(r->arena, run, "rooflog",
			     arena_printf(r->arena,
					  "stored the %d fastest of %zu explored configurations",
					  (int)shown_limit, r->good_count));
	if (open)
		run_add_note(r->arena, run, "rooflog",
			     "the tuning run was interrupted; its best configuration is the best "
			     "so far");
}

/* --- T4 --- */

/* Milliseconds in a unit of time; NAN for another word. */
static double milliseconds_of(const char *unit)
{
	static const struct {
		const char *name, *symbol;
		double milliseconds;
	} units[] = {{"nanoseconds", "ns", 1e-6},
		     {"microseconds", "us", 1e-3},
		     {"milliseconds", "ms", 1},
		     {"seconds", "s", 1e3}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(unit, units[i].name) == 0 || strcmp(unit, units[i].symbol) == 0)
			return units[i].milliseconds;
	return NAN;
}

static int unit_of(const struct json *root, double *milliseconds, struct error *err)
{
	const char *name =
		json_text(json_get(root, "metadata"), "timeunit", json_text(root, "timeunit", ""));
	*milliseconds = milliseconds_of(name);
	return isnan(*milliseconds)
		       ? error_set(err, ERR_FORMAT,
				   "metadata.timeunit is \"%.40s\"; expected \"nanoseconds\", "
				   "\"microseconds\", \"milliseconds\" or \"seconds\"",
				   name)
		       : 0;
}

/* The measured time in milliseconds, in its own unit if it has one; NAN if there is none. */
static double measured_time(const struct json *result, double unit)
{
	const struct json *list = json_document_list(result, "measurements");
	for (const struct json *one = list ? list->first : NULL; one; one = one->next) {
		const char *own = json_text(one, "unit", "");
		if (strcmp(json_text(one, "name", ""), "time") == 0)
			return json_number(one, "value", NAN) *
			       (*own ? milliseconds_of(own) : unit);
	}
	return NAN;
}

static void set_runtimes(struct arena *arena, struct json *row, const struct json *times,
			 double unit, double time)
{
	const struct json *runtimes = json_document_list(times, "runtimes");
	struct json *list = json_set_array(arena, row, "times");
	double sum = 0;
	size_t count = 0;
	for (const struct json *one = runtimes ? runtimes->first : NULL; one; one = one->next)
		if (one->type == JSON_NUMBER && count < sample_limit) {
			json_add_number(arena, list, one->number * unit);
			sum += one->number * unit;
			count++;
		}
	json_set_number(arena, row, "time", isnan(time) && count ? sum / (double)count : time);
}

/* The configuration as an entry of a cache: its sizes, its time, or why it has none. */
static int add_result(struct reading *r, struct json *cache, const struct json *result, double unit,
		      struct error *err)
{
	const struct json *sizes = json_document_small(json_get(result, "configuration"));
	const struct json *times = json_get(result, "times");
	const char *invalidity = json_text(result, "invalidity", "");
	const char *name = arena_printf(r->arena, "results[%u]", cache->count);
	if (!sizes || sizes->type != JSON_OBJECT || !times || times->type != JSON_OBJECT)
		return error_set(
			err, ERR_FORMAT,
			"%s: expected \"configuration\" of at most 256 sizes, and \"times\"", name);
	struct json *row = json_set_object(r->arena, cache, name);
	if (strcmp(invalidity, "correct") == 0)
		set_runtimes(r->arena, row, times, unit, measured_time(result, unit));
	else
		json_set_text(r->arena, row, "time", invalidity);
	json_set_number(
		r->arena, row, "compile_time",
		json_number(times, "compilation", json_number(times, "compilation_time", NAN)) *
			unit);
	for (const struct json *one = sizes->first; one; one = one->next)
		if (!json_get(row, one->name) && one->type == JSON_NUMBER)
			json_set_number(r->arena, row, one->name, one->number);
		else if (!json_get(row, one->name))
			json_set_text(r->arena, row, one->name, json_plain(r->arena, one));
	return 0;
}

/* Makes the root the cache with the configurations of a T4 file. */
static int convert(struct reading *r, struct error *err)
{
	const struct json *results = json_document_list(r->root, "results");
	struct json *root = json_object(r->arena);
	double unit;
	if (unit_of(r->root, &unit, err) < 0)
		return -1;
	const char *version = json_text(r->root, "schema_version", "");
	json_set_text(r->arena, root, "schema_version", *version ? version : NULL);
	struct json *keys = json_set_array(r->arena, root, "tune_params_keys");
	const struct json *first = json_document_small(json_get(results->first, "configuration"));
	for (const struct json *one = first ? first->first : NULL; one; one = one->next)
		if (one->name)
			json_add_text(r->arena, keys, one->name);
	struct json *cache = json_set_object(r->arena, root, "cache");
	for (const struct json *one = results->first; one; one = one->next)
		if (add_result(r, cache, one, unit, err) < 0)
			return -1;
	r->root = root;
	return 0;
}

/* --- T1 --- */

static void add_param(struct ingest_result *result, struct run_param *params, const char *name,
		      const char *value)
{
	if (!value || !*value)
		return;
	params[result->param_count++] = (struct run_param){name, value};
	result->params = params;
}

static int read_input(struct reading *r, struct ingest_result *result, struct error *err)
{
	const struct json *kernel = json_get(r->root, "KernelSpecification");
	const char *name = json_document_text(r->arena, kernel, "KernelName");
	struct run_param *params = arena_array(r->arena, 2, sizeof *params);
	if (!name)
		return error_set(err, ERR_FORMAT, "KernelSpecification.KernelName is missing");
	add_param(result, params, "kernel", name);
	add_param(result, params, "problem_size", problem_size(r, json_get(kernel, "ProblemSize")));
	return 0;
}

/* --- the file --- */

/* Parses the cache. It grows line by line and ends in a comma until the tuning ends
 * and closes it. */
static int parse(struct reading *r, struct input *input, bool *open, struct error *err)
{
	struct span bytes;
	if (input_read_all(r->arena, input, size_limit, &bytes, err) < 0)
		return -1;
	struct span text = span_trim(bytes);
	*open = span_ends(text, "},");
	if (*open)
		text = span_of(arena_printf(r->arena, "%.*s}}", (int)(text.len - 1), text.ptr));
	r->root = json_document_parse(r->arena, *open ? text : bytes, err);
	return r->root ? 0 : -1;
}

static int read_kernel_tuner(struct arena *arena, struct input *input, struct ingest_result *result,
			     struct error *err)
{
	struct reading r = {.arena = arena};
	bool open;
	if (parse(&r, input, &open, err) < 0)
		return -1;
	if (json_get(r.root, "KernelSpecification"))
		return read_input(&r, result, err);
	bool is_t4 = json_document_list(r.root, "results") != NULL;
	if (is_t4 && convert(&r, err) < 0)
		return -1;
	const struct json *cache = json_get(r.root, "cache");
	r.keys = json_document_list(r.root, "tune_params_keys");
	if (!cache || cache->type != JSON_OBJECT || !r.keys)
		return error_set(err, ERR_FORMAT,
				 "\"cache\" must be an object and \"tune_params_keys\" a list");
	if (!is_t4 && !*json_document_name(arena, json_text(r.root, "kernel_name", "")))
		return error_set(err, ERR_FORMAT, "\"kernel_name\" is missing");
	if (collect(&r, cache, err) < 0)
		return -1;
	struct run *run = run_of(&r);
	add_notes(&r, run, open);
	run_list_add(arena, &result->runs, run);
	return 0;
}

static bool detect(struct span head)
{
	static const struct json_mark marks[] = {{1, "kernel_name", '"'},
						 {1, "tune_params_keys", '['},
						 {1, "results", '['},
						 {3, "configuration", '{'},
						 {3, "times", '{'},
						 {3, "invalidity", '"'},
						 {1, "ConfigurationSpace", '{'},
						 {1, "KernelSpecification", '{'},
						 {0, NULL, 0}};
	static const unsigned wanted[] = {3, 60, 192};
	unsigned found = json_document_marks(head, marks);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if ((found & wanted[i]) == wanted[i])
			return true;
	return false;
}

const struct reader kernel_tuner_reader = {
	"kernel-tuner", "Kernel Tuner cache, T4 results, T1 input", 0, detect, read_kernel_tuner};
