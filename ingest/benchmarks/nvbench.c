/*
 * JSON of NVBench: one run per state (benchmark, device, axis values) that was not skipped. Device
 * time is measured with CUDA events over isolated executions, host time over the same executions.
 */

#include "ingest/json/document/document.h"
#include "ingest/reader.h"

enum { state_limit = 100000, device_limit = 1024 };

struct reading {
	struct arena *arena;
	const struct json *devices;
	double *ids; /* of the devices, in the order of the file */
	const char *version;
	struct json_runs runs;
	size_t state_count, skipped, untimed;
	const char *skip_reason; /* of the first skipped state */
};

/* --- summaries --- */

/* The number in a summary's "value"; newer files write it as a text, next to its type. */
static double value_of(const struct json *summary)
{
	for (const struct json *one = json_first(summary, "data"); one; one = one->next) {
		const struct json *value = json_get(one, "value");
		double number = NAN;
		if (!value || strcmp(json_text(one, "name", ""), "value") != 0)
			continue;
		if (value->type == JSON_NUMBER)
			number = value->number;
		else if (value->type == JSON_STRING)
			span_number(span_of(value->text), &number);
		return isfinite(number) && number >= 0 ? number : NAN;
	}
	return NAN;
}

/* The value of the summary with this tag; NAN if there is none or it is not finite ("inf"). */
static double tagged(const struct json *state, const char *tag)
{
	for (const struct json *one = json_first(state, "summaries"); one; one = one->next)
		if (strcmp(json_text(one, "tag", ""), tag) == 0)
			return value_of(one);
	return NAN;
}

/* Gives a time and its distribution; the prefix is "nv/cold/time/gpu" or ".../cpu". */
static void read_time(struct reading *r, struct run *run, const struct json *state,
		      enum metric metric, const char *prefix, double count)
{
	double figure[5];
	static const char *const names[] = {"mean", "median", "min", "max", "stdev/relative"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		figure[i] = tagged(state, arena_printf(r->arena, "%s/%s", prefix, names[i]));
	double deviation = figure[4] * figure[0];
	run_set(run, metric, isnan(figure[1]) ? figure[0] : figure[1], PROVENANCE_MEASURED);
	if (isnan(figure[0]) || !(count > 1))
		return;
	struct run_spread spread = run_spread_unknown(metric);
	spread.count = count;
	spread.median = figure[1];
	spread.mean = figure[0];
	if (!(figure[2] > figure[3])) {
		spread.minimum = figure[2];
		spread.maximum = figure[3];
	}
	if (isfinite(deviation))
		spread.deviation = deviation;
	run_add_spread(r->arena, run, spread);
}

/* Gives the bytes that the benchmark declares: the sum over the summaries of its buffers, or the
 * rate times the mean time by which the producer divided. */
static void read_bytes(struct run *run, const struct json *state, double mean)
{
	double bytes = 0;
	bool any = false;
	for (const struct json *one = json_first(state, "summaries"); one; one = one->next) {
		struct span tag = span_of(json_text(one, "tag", ""));
		if (!span_starts(tag, "nv/gmem/reads/") && !span_starts(tag, "nv/gmem/writes/"))
			continue;
		bytes += value_of(one);
		any = true;
	}
	double rate = tagged(state, "nv/cold/bw/global/bytes_per_second");
	/* Buffers may be declared without a name. Then the sum over the named ones is too small. */
	if (!isnan(rate) && !(any && fabs(bytes - rate * mean) <= 1e-6 * bytes)) {
		bytes = round(rate * mean);
		any = true;
	}
	if (any)
		run_set(run, METRIC_ALGORITHMIC_BYTES, bytes, PROVENANCE_REPORTED);
	run_set(run, METRIC_THROUGHPUT, tagged(state, "nv/cold/bw/item_rate"), PROVENANCE_REPORTED);
}

static void read_summaries(struct reading *r, struct run *run, const struct json *state)
{
	double count = tagged(state, "nv/cold/sample_size");
	double mean = tagged(state, "nv/cold/time/gpu/mean");
	read_time(r, run, state, METRIC_TOTAL_TIME, "nv/cold/time/gpu", count);
	read_time(r, run, state, METRIC_HOST_TIME, "nv/cold/time/cpu", count);
	if (isnan(run->given[METRIC_HOST_TIME].number))
		read_time(r, run, state, METRIC_HOST_TIME, "nv/cpu_only/time/cpu",
			  tagged(state, "nv/cpu_only/sample_size"));
	if (run_time_metric(run) == METRIC_COUNT)
		return;
	run_set(run, METRIC_SM_CLOCK, tagged(state, "nv/cold/sm_clock_rate/mean"),
		PROVENANCE_MEASURED);
	read_bytes(run, state, mean);
}

/* --- states --- */

static void read_device(struct reading *r, struct run *run, const struct json *state)
{
	static const char *const copied[] = {"sm_version", "number_of_sms",
					     "sm_default_clock_rate"};
	const struct json *id = json_get(state, "device");
	if (!id || id->type != JSON_NUMBER)
		return;
	size_t index = 0;
	for (const struct json *one = r->devices->first; one; one = one->next) {
		if (r->ids[index++] != id->number || !json_document_small(one))
			continue;
		run->device = json_document_text(r->arena, one, "name");
		double bandwidth = json_document_quantity(one, "global_memory_bus_bandwidth", 1);
		if (bandwidth > 0)
			run_set(run, METRIC_PEAK_BANDWIDTH, bandwidth, PROVENANCE_REPORTED);
		for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
			json_document_attribute(r->arena, run, one, copied[i], copied[i]);
	}
}

static int read_axes(struct reading *r, struct run *run, const struct json *state,
		     struct error *err)
{
	const struct json *axes = json_document_list(state, "axis_values");
	if (!axes)
		return 0;
	if (axes->count > 64)
		return error_set(err, ERR_FORMAT, "more than 64 axis values");
	for (const struct json *one = axes->first; one; one = one->next) {
		const char *name = json_document_text(r->arena, one, "name");
		const char *value = json_document_scalar(r->arena, json_get(one, "value"));
		if (!name || !value)
			return error_set(err, ERR_FORMAT, "an axis value without name or value");
		run_set_param(r->arena, run, name, value);
	}
	return 0;
}

static int read_state(struct reading *r, const char *benchmark, const struct json *state,
		      struct error *err)
{
	const struct json *summaries = json_document_list(state, "summaries");
	if (state->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "a state is not an object");
	if (r->state_count++ == state_limit)
		return error_set(err, ERR_FORMAT, "more than %d states", (int)state_limit);
	if (json_truth(state, "is_skipped")) {
		if (r->skipped++ == 0)
			r->skip_reason = json_document_line(
				r->arena, json_text(state, "skip_reason", "no reason given"), 160);
		return 0;
	}
	struct run *run = run_new(r->arena);
	run->kernel = benchmark;
	run->tool = "nvbench";
	if (summaries)
		read_summaries(r, run, state);
	if (!(run_time(run) > 0)) {
		r->untimed++;
		return 0;
	}
	read_device(r, run, state);
	if (r->version)
		run_add_attribute(r->arena, run, "nvbench_version", r->version);
	if (read_axes(r, run, state, err) < 0)
		return -1;
	json_document_add_run(&r->runs, run);
	return 0;
}

static int read_benchmarks(struct reading *r, const struct json *benchmarks, struct error *err)
{
	size_t index = 0;
	for (const struct json *one = benchmarks->first; one; one = one->next, index++) {
		const struct json *states = json_document_list(one, "states");
		const char *name = json_document_text(r->arena, one, "name");
		if (!name)
			return error_set(err, ERR_FORMAT, "benchmarks[%zu] has no name", index);
		if (!states)
			return error_set(err, ERR_FORMAT, "benchmarks[%zu] has no \"states\" list",
					 index);
		size_t at = 0;
		for (const struct json *state = states->first; state; state = state->next, at++)
			if (read_state(r, name, state, err) < 0)
				return error_prefix(err, "benchmarks[%zu].states[%zu]", index, at);
	}
	return 0;
}

static void add_notes(struct reading *r)
{
	if (r->skipped)
		json_document_note(&r->runs, "states skipped by the benchmark: %zu (first: %s)%s",
				   r->skipped, r->skip_reason,
				   r->untimed ? "; others without a time are skipped" : "");
	else if (r->untimed)
		json_document_note(&r->runs, "states without a time, skipped: %zu", r->untimed);
	else if (r->runs.list.count == 0)
		json_document_note(&r->runs, "the file has no states");
}

static int read_nvbench(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	const struct json *root = json_document_read(arena, input, err);
	if (!root)
		return -1;
	const struct json *benchmarks = json_document_list(root, "benchmarks");
	struct reading r = {.arena = arena,
			    .runs = {.arena = arena},
			    .devices = json_document_list(root, "devices")};
	const struct json *version =
		json_get(json_get(json_get(root, "meta"), "version"), "nvbench");
	r.version = json_document_text(arena, version, "string");
	if (!benchmarks || !r.devices)
		return error_set(err, ERR_FORMAT,
				 "\"devices\" and \"benchmarks\" must be lists, as nvbench --json "
				 "writes them");
	if (r.devices->count > device_limit)
		return error_set(err, ERR_FORMAT, "more than %d devices", (int)device_limit);
	size_t index = 0;
	r.ids = arena_array(arena, r.devices->count + 1, sizeof *r.ids);
	for (const struct json *one = r.devices->first; one; one = one->next)
		r.ids[index++] = json_number(one, "id", NAN);
	if (read_benchmarks(&r, benchmarks, err) < 0)
		return -1;
	add_notes(&r);
	return json_document_finish(&r.runs, "no state was measured", result, err);
}

static bool detect(struct span head)
{
	static const struct json_mark marks[] = {{3, "nvbench", '{'},
						 {1, "devices", '['},
						 {1, "benchmarks", '['},
						 {1, "meta", '{'},
						 {0, NULL, 0}};
	unsigned found = json_document_marks(head, marks);
	return (found & 1) && (found & 6);
}

const struct reader nvbench_reader = {"nvbench", "NVBench --json", 0, detect, read_nvbench};
