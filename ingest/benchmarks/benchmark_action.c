/*
 * The history of github-action-benchmark: data.js, or its object as plain JSON. Each result is a
 * run at the commit that the file states.
 */

#include "base/base.h"
#include "ingest/json/document/document.h"
#include "ingest/collect/collect.h"
#include "ingest/reader.h"

enum { run_limit = 500000, extra_limit = 200 };
static const size_t size_limit = 64u << 20;

/* Units are free text. These are written by the frameworks whose output the action reads. */
static const struct {
	const char *unit;
	enum metric metric;
	double scale;
	bool calls; /* a rate of the benchmark's own function; some tools call it one at a time */
} units[] = {
	{"ns", METRIC_HOST_TIME, 1e-9, false},
	{"us", METRIC_HOST_TIME, 1e-6, false},
	{"\xc2\xb5s", METRIC_HOST_TIME, 1e-6, false}, /* micro sign */
	{"\xce\xbcs", METRIC_HOST_TIME, 1e-6, false}, /* Greek mu */
	{"ms", METRIC_HOST_TIME, 1e-3, false},
	{"s", METRIC_HOST_TIME, 1, false},
	{"nsec", METRIC_HOST_TIME, 1e-9, false},
	{"usec", METRIC_HOST_TIME, 1e-6, false},
	{"msec", METRIC_HOST_TIME, 1e-3, false},
	{"sec", METRIC_HOST_TIME, 1, false},
	{"seconds", METRIC_HOST_TIME, 1, false},
	{"nanoseconds", METRIC_HOST_TIME, 1e-9, false},
	{"microseconds", METRIC_HOST_TIME, 1e-6, false},
	{"milliseconds", METRIC_HOST_TIME, 1e-3, false},
	{"iter/sec", METRIC_THROUGHPUT, 1, true},
	{"ops/sec", METRIC_THROUGHPUT, 1, true},
	{"ops/s", METRIC_THROUGHPUT, 1, false},
	{"op/s", METRIC_THROUGHPUT, 1, false},
	{"req/s", METRIC_THROUGHPUT, 1, false},
	{"req/sec", METRIC_THROUGHPUT, 1, false},
	{"requests/sec", METRIC_THROUGHPUT, 1, false},
	{"items/s", METRIC_THROUGHPUT, 1, false},
	{"elem/s", METRIC_THROUGHPUT, 1, false},
	{"tokens/s", METRIC_THROUGHPUT, 1, false},
	{"tok/s", METRIC_THROUGHPUT, 1, false},
	{"samples/s", METRIC_THROUGHPUT, 1, false},
	{"it/s", METRIC_THROUGHPUT, 1, false},
	{"iter/s", METRIC_THROUGHPUT, 1, false},
	{"FLOP/s", METRIC_ALGORITHMIC_RATE, 1, false},
	{"GFLOP/s", METRIC_ALGORITHMIC_RATE, 1e9, false},
	{"GFLOPS", METRIC_ALGORITHMIC_RATE, 1e9, false},
	{"TFLOP/s", METRIC_ALGORITHMIC_RATE, 1e12, false},
	{"TFLOPS", METRIC_ALGORITHMIC_RATE, 1e12, false},
	{"B/s", METRIC_ALGORITHMIC_BANDWIDTH, 1, false},
	{"kB/s", METRIC_ALGORITHMIC_BANDWIDTH, 1e3, false},
	{"MB/s", METRIC_ALGORITHMIC_BANDWIDTH, 1e6, false},
	{"GB/s", METRIC_ALGORITHMIC_BANDWIDTH, 1e9, false},
	{"TB/s", METRIC_ALGORITHMIC_BANDWIDTH, 1e12, false},
	{"KiB/s", METRIC_ALGORITHMIC_BANDWIDTH, 1024, false},
	{"MiB/s", METRIC_ALGORITHMIC_BANDWIDTH, 1024.0 * 1024, false},
	{"GiB/s", METRIC_ALGORITHMIC_BANDWIDTH, 1024.0 * 1024 * 1024, false},
};
enum { unit_count = sizeof units / sizeof *units };

struct reading {
	struct arena *arena;
	struct json_runs runs;
	struct tally unknown;     /* unknown units */
	size_t failed, anonymous; /* results without a value above 0; without a name */
	size_t deviations;        /* results that are deviations of other results */
	/* Of the current entry. */
	const char *suite, *tool, *commit, *date;
};

/* --- values --- */

/* The index of a unit, or -1. "ns/iter" and "ms/op" are times of one iteration. Go appends
 * allocations after a tab. */
static int find_unit(struct span unit)
{
	static const char *const per[] = {"/iter", "/op", "/call", "/iteration", " per iteration"};
	unit = span_trim(span_cut(&unit, '\t'));
	for (size_t i = 0; i < sizeof per / sizeof *per; i++)
		if (span_ends(unit, per[i]))
			unit.len -= strlen(per[i]);
	for (int i = 0; i < unit_count; i++)
		if (span_is(unit, units[i].unit))
			return i;
	return -1;
}

/* The number after `label`, in SI units: "mean: 17.2 usec", or "rounds: 8416" without a unit. */
static double labelled(const char *text, const char *label)
{
	struct span all = span_of(text);
	size_t at = span_find(all, label), end;
	double number;
	if (at == all.len)
		return NAN;
	at += strlen(label);
	while (at < all.len && all.ptr[at] == ' ')
		at++;
	for (end = at; end < all.len && strchr("+-.0123456789eE", all.ptr[end]);)
		end++;
	if (!span_number((struct span){all.ptr + at, end - at}, &number) || number < 0)
		return NAN;
	struct span unit = span_from(all, end);
	unit = span_trim(span_cut(&unit, '\n'));
	if (!unit.len)
		return number;
	int index = find_unit(unit);
	return index < 0 || units[index].metric != METRIC_HOST_TIME
		       ? NAN
		       : json_document_scale(number, units[index].scale);
}

/* The deviation in a range: "± 12", "+/- 12", "±1.5%" or a number, in the unit of the value. */
static double deviation_of(const char *range, double value, double scale)
{
	static const char *const marks[] = {"\xc2\xb1", "+/-", "+-"};
	struct span text = span_trim(span_of(range));
	double number;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (span_starts(text, marks[i])) {
			size_t len = strlen(marks[i]);
			text = span_trim(span_from(text, len));
			break;
		}
	bool percent = span_ends(text, "%");
	text.len -= percent;
	if (!span_number(span_trim(text), &number) || number < 0)
		return NAN;
	number = percent ? number * value / 100 : json_document_scale(number, scale);
	return isfinite(number) ? number : NAN;
}

static void add_spread(struct reading *r, struct run *run, double count, double mean,
		       double deviation)
{
	if (isnan(deviation) && !(count > 1))
		return;
	struct run_spread spread = run_spread_unknown(METRIC_HOST_TIME);
	spread.count = count;
	spread.mean = mean;
	spread.deviation = deviation;
	run_add_spread(r->arena, run, spread);
}

/* Whether the tool's range is a standard deviation in the unit of the value. It is not for three
 * tools:
 * - cargo: the largest minus the smallest time
 * - benchmark.js: a margin of error
 * - Catch2: the action drops its unit, which may differ from that of the value */
static bool deviates(const char *tool)
{
	static const char *const others[] = {"cargo", "benchmarkjs", "catch2"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(tool, others[i]) == 0)
			return false;
	return true;
}

/* Google Benchmark lists aggregates among its results. A deviation is not a time of the benchmark,
 * and a coefficient of variation is not a time at all, although both have its unit. */
static bool is_deviation(const struct reading *r, const char *name)
{
	struct span text = span_of(name);
	return strcmp(r->tool, "googlecpp") == 0 &&
	       (span_ends(text, "_stddev") || span_ends(text, "_cv"));
}

static void set_time(struct reading *r, struct run *run, const struct json *bench, double value,
		     double scale)
{
	double time = json_document_scale(value, scale);
	const char *range = json_text(bench, "range", "");
	run_set(run, METRIC_HOST_TIME, time, PROVENANCE_MEASURED);
	if (deviates(r->tool))
		add_spread(r, run, NAN, time, deviation_of(range, time, scale));
	else if (*range)
		run_add_attribute(r->arena, run, "range",
				  json_document_line(r->arena, range, extra_limit));
}

/* Gives calls per second, and the time of a call. pytest-benchmark states mean and deviation in its
 * texts; if they are missing and calls are made one at a time, the time is the reciprocal. Other
 * tools may overlap calls, so their runs have no time. */
static void set_calls(struct reading *r, struct run *run, const struct json *bench, double value)
{
	const char *extra = json_text(bench, "extra", ""), *range = json_text(bench, "range", "");
	double mean = labelled(extra, "mean:");
	bool serial = strcmp(r->tool, "pytest") == 0 || strcmp(r->tool, "benchmarkjs") == 0;
	run_set(run, METRIC_THROUGHPUT, value, PROVENANCE_REPORTED);
	if (!serial)
		return;
	if (mean > 0) {
		run_set(run, METRIC_HOST_TIME, mean, PROVENANCE_MEASURED);
		add_spread(r, run, labelled(extra, "rounds:"), mean, labelled(range, "stddev:"));
		return;
	}
	run_set(run, METRIC_HOST_TIME, 1 / value, PROVENANCE_DERIVED);
	if (*range)
		run_add_attribute(r->arena, run, "range",
				  json_document_line(r->arena, range, extra_limit));
}

static void set_value(struct reading *r, struct run *run, const struct json *bench, int unit)
{
	double value = json_number(bench, "value", NAN), scale = units[unit].scale;
	if (units[unit].metric == METRIC_HOST_TIME)
		set_time(r, run, bench, value, scale);
	else if (units[unit].calls)
		set_calls(r, run, bench, value * scale);
	else
		run_set(run, units[unit].metric, value * scale, PROVENANCE_REPORTED);
}

/* --- entries --- */

static int read_bench(struct reading *r, const struct json *bench, struct error *err)
{
	const char *name = json_document_name(r->arena, json_text(bench, "name", ""));
	const char *unit = json_text(bench, "unit", "");
	const struct json *value = json_get(bench, "value");
	if (bench->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "a result is not an object");
	if (value && value->type == JSON_STRING && value->text[0])
		return error_set(err, ERR_FORMAT, "the value is a string, not a number");
	int index = find_unit(span_of(unit));
	if (!*name) {
		r->anonymous++;
		return 0;
	}
	if (index < 0) {
		const char *line = json_document_line(r->arena, unit, 40);
		tally_find(&r->unknown, span_of(*line ? line : "none"))->count++;
		return 0;
	}
	if (is_deviation(r, name)) {
		r->deviations++;
		return 0;
	}
	/* Some programs write 0 or -1 for a benchmark that did not run. */
	if (!value || value->type != JSON_NUMBER || !(value->number > 0)) {
		r->failed++;
		return 0;
	}
	struct run *run = run_new(r->arena);
	run->kernel = name;
	run->commit = r->commit;
	run->tool = arena_printf(r->arena, "github-action-benchmark/%s", r->tool);
	run_set_param(r->arena, run, "suite", r->suite);
	set_value(r, run, bench, index);
	if (r->date)
		run_add_attribute(r->arena, run, "date", r->date);
	const char *extra =
		json_document_line(r->arena, json_text(bench, "extra", ""), extra_limit);
	if (*extra)
		run_add_attribute(r->arena, run, "extra", extra);
	json_document_add_run(&r->runs, run);
	return 0;
}

static bool is_oid(const char *text)
{
	size_t len = strspn(text, "0123456789abcdefABCDEF");
	return len >= 7 && len <= 64 && text[len] == '\0';
}

static int read_entry(struct reading *r, const struct json *entry, struct error *err)
{
	const struct json *benches = json_get(entry, "benches");
	const char *id = json_text(json_get(entry, "commit"), "id", NULL);
	size_t index = 0;
	if (!id || !is_oid(id))
		return error_set(err, ERR_FORMAT, "commit.id is not a commit id");
	if (!benches || benches->type != JSON_ARRAY)
		return error_set(err, ERR_FORMAT, "\"benches\" is missing or not a list");
	if (benches->count > run_limit - r->runs.list.count)
		return error_set(err, ERR_FORMAT, "the history has more than %d results",
				 (int)run_limit);
	r->commit = id;
	r->tool = json_document_line(r->arena, json_text(entry, "tool", "unknown"), 40);
	r->date = json_document_scalar(r->arena, json_get(entry, "date"));
	for (const struct json *one = benches->first; one; one = one->next, index++)
		if (read_bench(r, one, err) < 0)
			return error_prefix(err, "benches[%zu]", index);
	return 0;
}

static int read_suites(struct reading *r, const struct json *entries, struct error *err)
{
	for (const struct json *suite = entries->first; suite; suite = suite->next) {
		size_t index = 0;
		r->suite = json_document_name(r->arena, suite->name);
		if (suite->type != JSON_ARRAY)
			return error_set(err, ERR_FORMAT, "entries[\"%.80s\"] is not a list",
					 r->suite);
		for (const struct json *one = suite->first; one; one = one->next, index++)
			if (read_entry(r, one, err) < 0)
				return error_prefix(err, "entries[\"%.80s\"][%zu]", r->suite,
						    index);
	}
	return 0;
}

static void add_notes(struct reading *r)
{
	if (r->failed)
		json_document_note(&r->runs, "results without a positive value, skipped: %zu",
				   r->failed);
	if (r->anonymous)
		json_document_note(&r->runs, "results without a name, skipped: %zu", r->anonymous);
	if (r->deviations)
		json_document_note(&r->runs, "deviation entries, skipped: %zu", r->deviations);
	for (size_t i = 0; i < r->unknown.count && i < 10; i++)
		json_document_note(&r->runs, "results in unknown unit \"%s\", skipped: %.0f",
				   r->unknown.entries[i].name.ptr, r->unknown.entries[i].count);
}

/* --- the document --- */

/* Replaces the assignment window.BENCHMARK_DATA = by blanks, so that positions in messages stay
 * correct, and parses the rest. */
static const struct json *parse(struct arena *arena, struct input *input, struct error *err)
{
	struct span bytes;
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return NULL;
	char *copy = arena_strndup(arena, bytes.ptr, bytes.len);
	size_t start = span_find(bytes, "{"), end = bytes.len;
	if (start < bytes.len &&
	    span_find((struct span){bytes.ptr, start}, "BENCHMARK_DATA") < start)
		for (size_t i = 0; i < start; i++)
			copy[i] = copy[i] == '\n' ? '\n' : ' ';
	while (end && strchr(" \t\r\n;", copy[end - 1]))
		end--;
	return json_document_parse(arena, (struct span){copy, end}, err);
}

static int read_action(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	struct reading r = {.arena = arena, .runs = {.arena = arena}, .unknown = {.arena = arena}};
	const struct json *root = parse(arena, input, err);
	if (!root)
		return -1;
	const struct json *entries = json_get(root, "entries");
	if (!entries || entries->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "\"entries\" must be an object of suites");
	int rc = read_suites(&r, entries, err);
	if (rc == 0)
		add_notes(&r);
	tally_free(&r.unknown);
	return rc < 0 ? -1 : json_document_finish(&r.runs, "no usable result", result, err);
}

static bool detect(struct span head)
{
	static const struct json_mark marks[] = {
		{1, "entries", '{'}, {3, "benches", '['}, {4, "benches", '['}, {0, NULL, 0}};
	struct span text = span_trim(head);
	if (span_starts(text, "\xef\xbb\xbf"))
		text = span_from(text, 3);
	if (span_starts(text, "window.BENCHMARK_DATA"))
		return true;
	return json_document_marks(head, marks) > 1 && (json_document_marks(head, marks) & 1);
}

const struct reader benchmark_action_reader = {
	"github-action-benchmark", "github-action-benchmark data.js", 0, detect, read_action};
