/*
 * Benchmark records of PyTorch's HUD (oss_ci_benchmark_v3): JSON lines, or a list.
 *
 *   {"benchmark": {"name": "nightly", "mode": "fwd", "dtype": "bf16"},
 *    "model": {"name": "gemm", "type": "...", "backend": "triton"},
 *    "metric": {"name": "latency(ms)", "benchmark_values": [1.5], "extra_info": {"unit": "s"}},
 *    "inputs": {"M": {"extra_info": {"value": "512"}}}, "runners": [{"gpu_info": "..."}]}
 *
 * The records of one benchmark, model and inputs are one run. A record has no unit. It is read if
 * its metric's name is known (below), or if it names a metric of rooflog and its unit, as
 * rooflog's own export does. Equal records that differ in nothing but their values may be of
 * different inputs, and are refused.
 */

#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/json/document/document.h"
#include "ingest/reader.h"

enum { record_limit = 1000000, input_limit = 64, value_limit = 100000 };

/* Names whose unit they state, or which have one meaning wherever they occur. */
static const struct {
	const char *name;
	enum metric metric;
	double scale;
} metrics[] = {
	{"latency(ms)", METRIC_HOST_TIME, 1e-3},
	{"latency (ms)", METRIC_HOST_TIME, 1e-3},
	{"latency_ms", METRIC_HOST_TIME, 1e-3},
	{"avg_inference_time(ms)", METRIC_HOST_TIME, 1e-3},
	{"tflops", METRIC_ALGORITHMIC_RATE, 1e12},
	{"TFLOPs/s", METRIC_ALGORITHMIC_RATE, 1e12},
	{"gbps", METRIC_ALGORITHMIC_BANDWIDTH, 1e9},
	{"token_per_sec", METRIC_THROUGHPUT, 1},
	{"tokens_per_second", METRIC_THROUGHPUT, 1},
};

struct reading {
	struct arena *arena;
	struct row_groups groups;
	size_t unknown; /* records of other metrics */
	size_t empty;   /* records without a measured value */
	size_t record;
};

static const char *text_of(struct reading *r, const struct json *object, const char *name)
{
	const char *text = json_document_text(r->arena, object, name);
	return text ? text : "";
}

/* --- the metric --- */

/* The metric and the scale to its SI unit; METRIC_COUNT if the record does not say. */
static enum metric metric_of(const struct json *record, double *scale)
{
	const struct json *metric = json_get(record, "metric");
	const char *name = json_text(metric, "name", "");
	const char *unit = json_text(json_get(metric, "extra_info"), "unit", NULL);
	bool tritonbench = strncmp(json_text(json_get(record, "model"), "type", ""), "tritonbench",
				   strlen("tritonbench")) == 0;
	enum metric known = unit ? metric_find(span_of(name)) : METRIC_COUNT;
	*scale = 1;
	if (known != METRIC_COUNT &&
	    strcmp(quantity_unit_symbol(metric_info(known)->unit), unit) == 0)
		return known;
	/* do_bench times the device. */
	*scale = 1e-3;
	if (tritonbench && strcmp(name, "latency") == 0)
		return METRIC_TOTAL_TIME;
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
		if (strcmp(metrics[i].name, name) == 0) {
			*scale = metrics[i].scale;
			return metrics[i].metric;
		}
	return METRIC_COUNT;
}

/* Its values, without those that say that nothing was measured; the number of them. */
static size_t values_of(struct reading *r, const struct json *record, enum metric metric,
			double scale, double **values)
{
	const struct json *list =
		json_document_list(json_get(record, "metric"), "benchmark_values");
	size_t count = 0;
	if (!list || list->count > value_limit)
		return 0;
	*values = arena_array(r->arena, list->count + 1, sizeof **values);
	for (const struct json *one = list->first; one; one = one->next)
		if (one->type == JSON_NUMBER &&
		    (one->number > 0 || (one->number == 0 && !metric_zero_is_nothing(metric))))
			(*values)[count++] = json_document_scale(one->number, scale);
	return count;
}

/* --- the run --- */

/* "512" of {"dtype": "", "extra_info": {"value": "512"}}, or of a scalar. */
static const char *input_value(struct reading *r, const struct json *input)
{
	if (input->type == JSON_OBJECT)
		input = json_get(json_get(input, "extra_info"), "value");
	/* A shape is a list. */
	return input && input->type == JSON_ARRAY
		       ? json_document_name(r->arena, json_plain(r->arena, input))
		       : json_document_scalar(r->arena, input);
}

static const char *of_runner(struct reading *r, const struct json *record, const char *name)
{
	const struct json *runners = json_document_list(record, "runners");
	return runners ? json_document_text(r->arena, runners->first, name) : NULL;
}

static void describe(struct reading *r, struct run *run, const struct json *record)
{
	const struct json *benchmark = json_get(record, "benchmark"),
			  *model = json_get(record, "model");
	const struct json *inputs = json_document_small(json_get(record, "inputs"));
	const struct json *others = json_document_small(json_get(record, "dependencies"));
	const struct json *extra = json_document_small(json_get(benchmark, "extra_info"));
	const char *dtype = text_of(r, benchmark, "dtype"), *mode = text_of(r, benchmark, "mode");
	run->kernel = text_of(r, model, "name");
	run->variant = text_of(r, model, "backend");
	run->tool = "pytorch-hud";
	run->device = of_runner(r, record, "gpu_info");
	if (strcmp(text_of(r, benchmark, "name"), "rooflog") == 0)
		run->instance_type = of_runner(r, record, "name");
	run->dtype = dtype_normalise(span_of(dtype)) ? dtype : NULL;
	if (*mode)
		run_set_param(r->arena, run, "mode", mode);
	/* The schema has no empty dtype. */
	if (*dtype && !run->dtype && strcmp(dtype, "unknown") != 0)
		run_set_param(r->arena, run, "dtype", dtype);
	for (const struct json *one = extra ? extra->first : NULL; one; one = one->next)
		if (one->name && *one->name && json_document_scalar(r->arena, one))
			run_set_param(r->arena, run, json_document_name(r->arena, one->name),
				      json_document_scalar(r->arena, one));
	if (*text_of(r, benchmark, "name") && strcmp(text_of(r, benchmark, "name"), "rooflog") != 0)
		run_set_param(r->arena, run, "benchmark", text_of(r, benchmark, "name"));
	for (const struct json *one = inputs ? inputs->first : NULL; one; one = one->next)
		if (one->name && *one->name && input_value(r, one))
			run_set_param(r->arena, run, json_document_name(r->arena, one->name),
				      input_value(r, one));
	for (const struct json *one = others ? others->first : NULL; one; one = one->next)
		if (one->name && *one->name)
			json_document_attribute(r->arena, run, one, "sha",
						json_document_name(r->arena, one->name));
}

/* The run of the record's benchmark, model, inputs and device. */
static struct run *run_of(struct reading *r, const struct json *record, struct error *err)
{
	static const char *const parts[] = {"benchmark", "model", "inputs", "runners"};
	struct strbuf key = {0};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const struct json *part = json_get(record, parts[i]);
		if (part)
			json_exact(&key, part);
		strbuf_addch(&key, '\n');
	}
	struct row_group *group = row_groups_find(&r->groups, strbuf_span(&key), r->record, err);
	strbuf_free(&key);
	if (!group)
		return NULL;
	if (!group->run->kernel)
		describe(r, group->run, record);
	return group->run;
}

static int read_record(struct reading *r, const struct json *record, struct error *err)
{
	double scale, *values = NULL;
	const char *name = json_text(json_get(record, "model"), "name", "");
	if (record->type != JSON_OBJECT || !json_get(record, "metric"))
		return error_set(err, ERR_FORMAT, "expected an object with \"metric\"");
	if (!*name)
		return error_set(err, ERR_FORMAT, "model.name is missing");
	enum metric metric = metric_of(record, &scale);
	if (metric == METRIC_COUNT) {
		r->unknown++;
		return 0;
	}
	size_t count = values_of(r, record, metric, scale, &values);
	if (count == 0) {
		r->empty++;
		return 0;
	}
	struct run *run = run_of(r, record, err);
	if (!run)
		return -1;
	if (run->given[metric].number == values[0] && count == 1)
		return 0;
	if (!isnan(run->given[metric].number))
		return error_set(err, ERR_FORMAT,
				 "an earlier record has the same benchmark, model, inputs and "
				 "metric; repeats are several benchmark_values, and \"inputs\" "
				 "distinguishes inputs");
	bool rate = metric != METRIC_TOTAL_TIME && metric != METRIC_HOST_TIME;
	run_set_samples(r->arena, run, metric, values, count,
			rate ? PROVENANCE_REPORTED : PROVENANCE_MEASURED);
	return 0;
}

static int read_pytorch_hud(struct arena *arena, struct input *input, struct ingest_result *result,
			    struct error *err)
{
	struct reading r = {.arena = arena,
			    .groups = {.arena = arena, .width = 1, .unit = "record"}};
	const struct json *records = json_document_records(arena, input, err);
	if (!records)
		return -1;
	if (records->count > record_limit)
		return error_set(err, ERR_FORMAT, "more than %d records", (int)record_limit);
	for (const struct json *one = records->first; one; one = one->next) {
		r.record++;
		if (read_record(&r, one, err) < 0)
			return error_prefix(err, "record %zu", r.record);
	}
	if (r.groups.count == 0)
		return error_set(
			err, ERR_FORMAT,
			"no record has a metric with a known unit and a measured value; known "
			"are latency(ms), tflops, gbps, tokens_per_second");
	if (r.unknown || r.empty)
		run_add_note(arena, r.groups.items[0].run, "rooflog",
			     arena_printf(arena,
					  "records skipped: %zu of a metric without a known unit, "
					  "%zu without a measured value",
					  r.unknown, r.empty));
	row_groups_finish(&r.groups, &result->runs);
	return 0;
}

/* The objects of a list are one level deeper. */
static bool detect(struct span head)
{
	static const struct json_mark marks[] = {
		{1, "benchmark", '{'}, {1, "model", '{'},
		{1, "metric", '{'},    {2, "benchmark_values", '['},
		{2, "benchmark", '{'}, {2, "model", '{'},
		{2, "metric", '{'},    {3, "benchmark_values", '['},
		{0, NULL, 0}};
	unsigned found = json_document_marks(head, marks);
	return (found & 15) == 15 || (found & 240) == 240;
}

const struct reader pytorch_hud_reader = {"pytorch-hud", "PyTorch HUD benchmark records (v3)", 0,
					  detect, read_pytorch_hud};
