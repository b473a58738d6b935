/*
 * Reader of benchmark_report.json of NxD Inference: one run per sub-model (e2e_model,
 * context_encoding_model, token_generation_model).
 *
 *   {"e2e_model": {"latency_ms_p50": 1.5, "latency_ms_p99": 1.6, "throughput": 88.5}, ...}
 *
 * Latencies are host times in milliseconds. They are percentiles over a few executions, which the
 * file does not contain. p50 is the run's time and p99 a metric of its own. p0 and p100, if
 * present, are the ends of the spread. This reader was never checked against a real file.
 */

#include "base/json/json.h"
#include "ingest/json/document/peek.h"
#include "ingest/reader.h"

static const size_t size_limit = 1u << 20;
enum { model_limit = 64 };

static const char suffix[] = "_model";

static int number_of(const struct json *model, const char *name, double *number, struct error *err)
{
	const struct json *value = json_get(model, name);
	*number = NAN;
	if (!value || value->type == JSON_NULL)
		return 0;
	if (value->type != JSON_NUMBER || !(value->number >= 0))
		return error_set(err, ERR_FORMAT, "%.60s.%s: expected a number", model->name, name);
	*number = value->number;
	return 0;
}

static int add_spread(struct arena *arena, const struct json *model, struct run *run,
		      struct error *err)
{
	double minimum, maximum, mean, median = run->given[METRIC_HOST_TIME].number;
	if (number_of(model, "latency_ms_p0", &minimum, err) < 0 ||
	    number_of(model, "latency_ms_p100", &maximum, err) < 0 ||
	    number_of(model, "latency_ms_avg", &mean, err) < 0)
		return -1;
	if (!(maximum / 1e3 >= median) || minimum / 1e3 > median)
		return 0;
	run_add_spread(arena, run,
		       (struct run_spread){.metric = METRIC_HOST_TIME,
					   .count = NAN,
					   .minimum = minimum / 1e3,
					   .median = median,
					   .mean = mean / 1e3,
					   .maximum = maximum / 1e3,
					   .deviation = NAN});
	return 0;
}

static int read_model(struct arena *arena, const struct json *model, struct run *run,
		      struct error *err)
{
	double median, late, rate;
	if (number_of(model, "latency_ms_p50", &median, err) < 0 ||
	    number_of(model, "latency_ms_p99", &late, err) < 0 ||
	    number_of(model, "throughput", &rate, err) < 0)
		return -1;
	if (!(median > 0))
		return error_set(err, ERR_FORMAT, "%.60s.latency_ms_p50: expected a time above 0",
				 model->name);
	run->kernel = arena_strndup(arena, model->name, strlen(model->name) - strlen(suffix));
	run->tool = "nxdi-benchmark";
	run_set(run, METRIC_HOST_TIME, median / 1e3, PROVENANCE_MEASURED);
	run_set(run, METRIC_TIME_P99, late / 1e3, PROVENANCE_MEASURED);
	run_set(run, METRIC_THROUGHPUT, rate, PROVENANCE_REPORTED);
	return add_spread(arena, model, run, err);
}

static bool is_model(struct span name)
{
	static const char *const known[] = {
		"e2e_model",           "context_encoding_model",  "token_generation_model",
		"speculation_model",   "fused_speculation_model", "medusa_speculation_model",
		"vision_encoder_model"};
	return span_among(name, known, sizeof known / sizeof *known);
}

static int read_report(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	struct run_list runs = {0};
	const struct json *root = input_read_json(arena, input, size_limit, err);
	if (!root)
		return -1;
	for (const struct json *model = root->first; model; model = model->next) {
		/* A sub-model that was not executed is null. */
		if (!is_model(span_of(model->name)) || model->type == JSON_NULL)
			continue;
		if (model->type != JSON_OBJECT || runs.count == model_limit)
			return error_set(err, ERR_FORMAT, "%.60s: expected an object", model->name);
		struct run *run = run_new(arena);
		if (read_model(arena, model, run, err) < 0)
			return -1;
		run_list_add(arena, &runs, run);
	}
	if (runs.count == 0)
		return error_set(err, ERR_FORMAT, "no sub-model has latencies");
	run_list_add_all(arena, &result->runs, &runs);
	return 0;
}

static bool detect(struct span head)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	bool model = false;
	while (json_peek_next(&peek, &value)) {
		if (value.depth == 0 && value.kind != '{')
			return false;
		if (value.depth == 1)
			model = !value.is_item && is_model(value.name) && value.kind == '{';
		if (model && value.depth == 2 && span_starts(value.name, "latency_ms_p"))
			return true;
	}
	return false;
}

const struct reader nxdi_benchmark_reader = {"nxdi-benchmark",
					     "NxD Inference benchmark_report.json",
					     NEEDS_DTYPE | NEEDS_DEVICE, detect, read_report};
