/*
 * JSON of Google Benchmark. Repetitions of one name are the samples of one run. If repetitions were
 * not written, aggregates replace them. Times are host times.
 */

#include "base/base.h"
#include "ingest/json/document/document.h"
#include "ingest/collect/collect.h"
#include "ingest/reader.h"

enum { row_limit = 1000000, group_limit = 50000 };

/* The rows of one name. Aggregates are NAN until they are read. */
struct group {
	const struct json *first; /* a repetition, or an aggregate if there is none */
	double *times, *rates, *bytes;
	size_t count, capacity; /* of each */
	double mean, median, deviation, repetitions;
};

struct reading {
	struct arena *arena;
	const struct json *context;
	struct tally names;
	struct group *groups;
	size_t capacity;
	size_t failed, untimed;
	const char *failure; /* message of the first failure */
	struct json_runs runs;
};

static const struct {
	const char *name;
	double seconds;
} units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};

static double unit_of(const struct json *row)
{
	const char *name = json_text(row, "time_unit", "");
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].name, name) == 0)
			return units[i].seconds;
	return NAN;
}

static bool is_true(const struct json *row, const char *name)
{
	const struct json *member = json_get(row, name);
	return member && ((member->type == JSON_BOOL && member->truth) ||
			  (member->type == JSON_STRING && member->text[0]));
}

static bool is_named(struct span name, const char *timer)
{
	size_t at = span_find(name, timer), len = strlen(timer);
	return at < name.len && (at + len == name.len || name.ptr[at + len] == '/');
}

/* --- rows --- */

/* Bytes per iteration. The producer divides by the benchmark's main time, which is CPU time unless
 * the name says otherwise; with several threads it divides by neither time. */
static double bytes_of(const struct json *row, struct span name)
{
	bool real = is_named(name, "/real_time") || is_named(name, "/manual_time");
	double rate = json_document_quantity(row, "bytes_per_second", 1);
	double time = json_document_quantity(row, real ? "real_time" : "cpu_time", unit_of(row));
	if (json_number(row, "threads", 1) > 1)
		return NAN;
	return isfinite(rate * time) ? round(rate * time) : NAN;
}

static void add_repetition(struct reading *r, struct group *group, const struct json *row,
			   struct span name, double time)
{
	double **const lists[] = {&group->times, &group->rates, &group->bytes};
	size_t capacity = group->capacity;
	if (group->count == 0)
		group->first = row;
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		group->capacity = capacity;
		*lists[i] = arena_grow(r->arena, *lists[i], group->count, &group->capacity,
				       sizeof **lists[i]);
	}
	group->times[group->count] = time;
	group->rates[group->count] = json_document_quantity(row, "items_per_second", 1);
	group->bytes[group->count++] = bytes_of(row, name);
}

/* False if it is not an aggregate of times, such as a complexity or a coefficient of variation. */
static bool add_aggregate(struct group *group, const struct json *row, double time)
{
	const char *kind = json_text(row, "aggregate_name", "");
	double *target = strcmp(kind, "mean") == 0     ? &group->mean
			 : strcmp(kind, "median") == 0 ? &group->median
			 : strcmp(kind, "stddev") == 0 ? &group->deviation
						       : NULL;
	if (!target || strcmp(json_text(row, "aggregate_unit", "time"), "time") != 0)
		return false;
	*target = time;
	double repetitions = json_document_quantity(row, "repetitions", 1);
	/* Some releases store the number of repetitions of an aggregate as its iterations. */
	group->repetitions =
		isnan(repetitions) ? json_document_quantity(row, "iterations", 1) : repetitions;
	if (!group->first)
		group->first = row;
	return true;
}

static struct group *find_group(struct reading *r, const char *name, struct error *err)
{
	size_t before = r->names.count;
	struct tally_entry *entry = tally_find(&r->names, span_of(name));
	size_t index = (size_t)(entry - r->names.entries);
	if (r->names.overflowed || r->names.count > group_limit) {
		error_set(err, ERR_FORMAT, "more than %d benchmarks, or very long names",
			  (int)group_limit);
		return NULL;
	}
	if (r->names.count == before)
		return &r->groups[index];
	r->groups = arena_grow(r->arena, r->groups, index, &r->capacity, sizeof *r->groups);
	r->groups[index] =
		(struct group){.mean = NAN, .median = NAN, .deviation = NAN, .repetitions = NAN};
	return &r->groups[index];
}

/* The name without the suffix of an aggregate. */
static const char *name_of(const struct json *row)
{
	const char *name = json_text(row, "name", NULL);
	return json_text(row, "run_name", name);
}

/* Before release 1.5 aggregates are recognizable only by the suffix of their names, and follow the
 * repetitions. A deviation is never the time of a benchmark. */
static bool is_old_aggregate(struct reading *r, const struct json *row, const char *name)
{
	static const char *const ends[] = {"_stddev", "_mean", "_median"};
	struct span base = span_of(name);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		if (json_get(row, "run_type") || !span_ends(base, ends[i]))
			continue;
		base.len -= strlen(ends[i]);
		const struct tally_entry *entry = tally_known(&r->names, base);
		return i == 0 || (entry && r->groups[entry - r->names.entries].count > 1);
	}
	return false;
}

static int read_row(struct reading *r, const struct json *row, struct error *err)
{
	const char *name = name_of(row);
	if (!name || !*json_document_name(r->arena, name))
		return error_set(err, ERR_FORMAT, "a benchmark without a name");
	if (is_true(row, "error_occurred") || is_true(row, "skipped")) {
		const char *why = json_text(row, "error_message", "");
		if (r->failed++ == 0)
			r->failure = json_document_line(
				r->arena, *why ? why : json_text(row, "skip_message", ""), 160);
		return 0;
	}
	const struct json *real = json_get(row, "real_time");
	double time = json_document_scale(json_number(row, "real_time", NAN), unit_of(row));
	if (real && real->type == JSON_STRING && real->text[0])
		return error_set(err, ERR_FORMAT, "real_time is a string, not a number");
	if (real && real->type == JSON_NUMBER && isnan(unit_of(row)))
		return error_set(err, ERR_FORMAT, "time_unit \"%s\": expected ns, us, ms or s",
				 json_document_line(r->arena, json_text(row, "time_unit", ""), 20));
	bool aggregate = strcmp(json_text(row, "run_type", "iteration"), "aggregate") == 0;
	if (!isfinite(time) || time < 0 || (!aggregate && time == 0) ||
	    is_old_aggregate(r, row, name)) {
		r->untimed++;
		return 0;
	}
	struct group *group = find_group(r, name, err);
	if (!group)
		return -1;
	if (aggregate)
		r->untimed += !add_aggregate(group, row, time);
	else
		add_repetition(r, group, row, span_of(name), time);
	return 0;
}

/* --- names --- */

static bool is_number(struct span text)
{
	double number;
	return span_number(text, &number);
}

/* Cuts the next part off "BM_x<a/b>/8/n:64/real_time". Slashes inside brackets do not separate
 * parts. */
static struct span next_part(struct span *rest)
{
	int depth = 0;
	size_t i = 0;
	for (; i < rest->len && (depth > 0 || rest->ptr[i] != '/'); i++)
		depth += strchr("<([{", rest->ptr[i]) ? 1 : strchr(">)]}", rest->ptr[i]) ? -1 : 0;
	struct span part = {rest->ptr, i};
	*rest = i < rest->len ? (struct span){rest->ptr + i + 1, rest->len - i - 1}
			      : (struct span){NULL, 0};
	return part;
}

/* False if the run has a parameter of that name already, which a second value would hide. */
static bool add_param(struct arena *arena, struct run *run, const char *name, struct span value)
{
	if (run_param(run, name))
		return false;
	run_set_param(arena, run, name, arena_strndup(arena, value.ptr, value.len));
	return true;
}

/* "8" -> arg0=8, "n:64" -> n=64, "real_time" -> timer=real_time. All other parts belong to the
 * kernel's name. */
static bool read_param(struct arena *arena, struct run *run, struct span part, int *arguments)
{
	static const char *const timers[] = {"real_time", "manual_time", "process_time"};
	struct span value = part, name = span_cut(&value, ':');
	for (size_t i = 0; i < sizeof timers / sizeof *timers; i++)
		if (span_is(part, timers[i])) {
			const char *before = run_param(run, "timer");
			run_set_param(arena, run, "timer",
				      before ? arena_printf(arena, "%s/%s", before, timers[i])
					     : timers[i]);
			return true;
		}
	if (is_number(part))
		return add_param(arena, run, arena_printf(arena, "arg%d", (*arguments)++), part);
	/* Suffixes: "0.5s" of min_time and "8x" of iterations. */
	if (value.len > 1 && strchr("sx", value.ptr[value.len - 1]) &&
	    is_number((struct span){value.ptr, value.len - 1}))
		value.len--;
	if (!name.len || !value.ptr || !is_number(value))
		return false;
	return add_param(arena, run, arena_strndup(arena, name.ptr, name.len), value);
}

static void read_name(struct arena *arena, struct run *run, const char *text)
{
	struct span rest = span_of(json_document_line(arena, text, SIZE_MAX));
	struct span part = next_part(&rest);
	struct strbuf kernel = {0};
	int arguments = 0;
	strbuf_addspan(&kernel, part);
	while (rest.ptr) {
		part = next_part(&rest);
		if (arguments < 32 && run->param_count < 64 && part.len <= json_line_limit &&
		    read_param(arena, run, part, &arguments))
			continue;
		strbuf_addch(&kernel, '/');
		strbuf_addspan(&kernel, part);
	}
	kernel_name_shorten(&kernel, json_line_limit);
	run->kernel = strbuf_into(&kernel, arena);
}

/* --- runs --- */

static void set_aggregates(struct reading *r, struct run *run, const struct group *group)
{
	run_set(run, METRIC_HOST_TIME, isnan(group->median) ? group->mean : group->median,
		PROVENANCE_REPORTED);
	if (isnan(run_time(run)) || isnan(group->mean))
		return;
	struct run_spread spread = run_spread_unknown(METRIC_HOST_TIME);
	spread.count = group->repetitions;
	spread.median = group->median;
	spread.mean = group->mean;
	spread.deviation = group->deviation;
	run_add_spread(r->arena, run, spread);
}

static void set_repetitions(struct reading *r, struct run *run, const struct group *group)
{
	run_set_samples(r->arena, run, METRIC_HOST_TIME, group->times, group->count,
			PROVENANCE_MEASURED);
	run_set_samples(r->arena, run, METRIC_THROUGHPUT, group->rates, group->count,
			PROVENANCE_REPORTED);
	/* The bytes must be equal in all repetitions; otherwise the rate means something else. */
	for (size_t i = 1; i < group->count; i++)
		if (group->bytes[i] != group->bytes[0])
			return;
	run_set(run, METRIC_ALGORITHMIC_BYTES, group->bytes[0], PROVENANCE_DERIVED);
}

static void add_run(struct reading *r, const struct group *group, const char *host)
{
	struct run *run = run_new(r->arena);
	run->tool = "google-benchmark";
	run->instance_type = host;
	read_name(r->arena, run, name_of(group->first));
	if (group->count)
		set_repetitions(r, run, group);
	else
		set_aggregates(r, run, group);
	if (!(run_time(run) > 0)) {
		r->untimed++;
		return;
	}
	const char *timer = run_param(run, "timer");
	if (timer && strstr(timer, "manual_time"))
		run_add_note(r->arena, run, "rooflog",
			     "manual time: the benchmark set this time itself; check its source "
			     "for what it covers");
	static const char *const copied[] = {"date", "num_cpus", "mhz_per_cpu", "library_version",
					     "library_build_type"};
	for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
		json_document_attribute(r->arena, run, r->context, copied[i], copied[i]);
	json_document_add_run(&r->runs, run);
}

static void add_notes(struct reading *r)
{
	if (r->failed)
		json_document_note(&r->runs, "results with errors or skipped: %zu%s%s%s", r->failed,
				   *r->failure ? " (first: " : "", r->failure,
				   *r->failure ? ")" : "");
	if (r->untimed)
		json_document_note(&r->runs, "rows without a time, skipped: %zu", r->untimed);
	if (is_true(r->context, "cpu_scaling_enabled"))
		json_document_note(&r->runs, "CPU frequency scaling was on: times may vary");
	if (strcmp(json_text(r->context, "library_build_type", ""), "debug") == 0)
		json_document_note(&r->runs, "the benchmark library is a debug build");
}

static int read_rows(struct reading *r, const struct json *rows, struct error *err)
{
	size_t index = 0;
	if (!rows)
		return error_set(err, ERR_FORMAT, "\"benchmarks\" must be a list");
	if (rows->count > row_limit)
		return error_set(err, ERR_FORMAT, "more than %d rows", (int)row_limit);
	for (const struct json *row = rows->first; row; row = row->next, index++) {
		if (row->type != JSON_OBJECT)
			return error_set(err, ERR_FORMAT, "benchmarks[%zu] is not an object",
					 index);
		if (read_row(r, row, err) < 0)
			return error_prefix(err, "benchmarks[%zu]", index);
	}
	return 0;
}

static int read_google(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	struct reading r = {.arena = arena, .runs = {.arena = arena}, .names = {.arena = arena}};
	const struct json *root = json_document_read(arena, input, err);
	if (!root)
		return -1;
	r.context = json_document_small(json_get(root, "context"));
	int rc = read_rows(&r, json_document_list(root, "benchmarks"), err);
	const char *host = json_document_text(arena, r.context, "host_name");
	host = host ? arena_printf(arena, "host:%s", host) : NULL;
	for (size_t i = 0; rc == 0 && i < r.names.count; i++)
		if (r.groups[i].first)
			add_run(&r, &r.groups[i], host);
	tally_free(&r.names);
	if (rc < 0)
		return -1;
	add_notes(&r);
	return json_document_finish(&r.runs, "no benchmark has a time", result, err);
}

static bool detect(struct span head)
{
	static const struct json_mark marks[] = {{1, "benchmarks", '['},
						 {3, "real_time", 0},
						 {3, "run_type", '"'},
						 {3, "cpu_time", 0},
						 {2, "library_build_type", 0},
						 {1, "context", '{'},
						 {0, NULL, 0}};
	unsigned found = json_document_marks(head, marks);
	bool rows = (found & 1) && ((found & 10) == 10 || (found & 4));
	/* A long context, for example with many caches, may fill the head before the first row. */
	return rows || (found & 48) == 48;
}

const struct reader google_benchmark_reader = {
	"google-benchmark", "Google Benchmark --benchmark_format=json", 0, detect, read_google};
