/*
 * Traces of flashinfer-bench: JSON lines, one for each solution and workload.
 *
 *   {"definition": "gemm", "solution": "triton_v1", "workload": {"axes": {"m": 8}, "uuid": "..."},
 *    "evaluation": {"status": "PASSED", "performance": {"latency_ms": 1,
 *    "reference_latency_ms": 2}, "environment": {"hardware": "...", "libs": {...}}, ...}}
 *
 * One run per trace with the status PASSED, and one of the variant "reference". Workloads of equal
 * axes may have different inputs; their uuid separates them. The other statuses have no time.
 */

#include "ingest/json/document/document.h"
#include "ingest/reader.h"

enum { trace_limit = 200000, axis_limit = 64, uuid_length = 8 };

struct reading {
	struct arena *arena;
	struct json_runs runs;
	size_t workloads, failed; /* traces without an evaluation, and those that did not pass */
	const char *status;       /* of the first that did not pass */
};

static int set_axes(struct reading *r, struct run *run, const struct json *workload,
		    struct error *err)
{
	const struct json *axes = json_get(workload, "axes");
	const char *uuid = json_document_text(r->arena, workload, "uuid");
	if (!axes || axes->type != JSON_OBJECT || axes->count > axis_limit)
		return error_set(err, ERR_FORMAT,
				 "workload.axes: expected an object of at most %d members",
				 (int)axis_limit);
	for (const struct json *one = axes->first; one; one = one->next) {
		const char *value = json_document_scalar(r->arena, one);
		if (!value || !one->name[0])
			return error_set(err, ERR_FORMAT, "workload.axes.%.80s is not a number",
					 one->name);
		run_set_param(r->arena, run, json_document_name(r->arena, one->name), value);
	}
	if (uuid)
		run_set_param(r->arena, run, "workload",
			      arena_strndup(r->arena, uuid, strnlen(uuid, uuid_length)));
	return 0;
}

static void set_environment(struct reading *r, struct run *run, const struct json *evaluation)
{
	const struct json *environment = json_get(evaluation, "environment");
	const struct json *libs = json_document_small(json_get(environment, "libs"));
	run->device = json_document_text(r->arena, environment, "hardware");
	json_document_attribute(r->arena, run, evaluation, "timestamp", "timestamp");
	for (const struct json *one = libs ? libs->first : NULL; one; one = one->next)
		if (one->name && one->name[0])
			json_document_attribute(r->arena, run, libs, one->name,
						json_document_name(r->arena, one->name));
}

/* Adds a run with the time of a member of the performance; without it none. */
static int add_run(struct reading *r, const struct json *trace, const char *variant,
		   const char *member, struct error *err)
{
	const struct json *evaluation = json_get(trace, "evaluation");
	const struct json *time = json_get(json_get(evaluation, "performance"), member);
	struct run *run = run_new(r->arena);
	if (!time || time->type == JSON_NULL || (time->type == JSON_NUMBER && time->number == 0))
		return 0;
	if (time->type != JSON_NUMBER || time->number < 0)
		return error_set(err, ERR_FORMAT,
				 "evaluation.performance.%s: expected milliseconds above 0",
				 member);
	run->kernel = json_document_text(r->arena, trace, "definition");
	run->variant = variant;
	run->tool = "flashinfer-bench";
	if (!run->kernel)
		return error_set(err, ERR_FORMAT, "\"definition\" is missing");
	if (set_axes(r, run, json_get(trace, "workload"), err) < 0)
		return -1;
	set_environment(r, run, evaluation);
	run_set(run, METRIC_TOTAL_TIME, json_document_scale(time->number, 1e-3),
		PROVENANCE_MEASURED);
	json_document_add_run(&r->runs, run);
	return 0;
}

static int read_trace(struct reading *r, const struct json *trace, struct error *err)
{
	const struct json *evaluation = json_get(trace, "evaluation");
	const char *solution = json_document_text(r->arena, trace, "solution");
	size_t before = r->runs.list.count;
	if (trace->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "not an object");
	if (!evaluation || evaluation->type == JSON_NULL) {
		r->workloads++;
		return 0;
	}
	const char *status = json_document_line(r->arena, json_text(evaluation, "status", ""), 40);
	if (strcmp(status, "PASSED") == 0 &&
	    add_run(r, trace, solution ? solution : "", "latency_ms", err) < 0)
		return -1;
	if (r->runs.list.count == before) {
		r->status = r->failed++ ? r->status : status;
		return 0;
	}
	const struct json *correctness = json_get(evaluation, "correctness");
	struct run *run = r->runs.list.items[before];
	json_document_attribute(r->arena, run, correctness, "max_relative_error",
				"max_relative_error");
	json_document_attribute(r->arena, run, correctness, "max_absolute_error",
				"max_absolute_error");
	return add_run(r, trace, "reference", "reference_latency_ms", err);
}

static int read_flashinfer_bench(struct arena *arena, struct input *input,
				 struct ingest_result *result, struct error *err)
{
	struct reading r = {.arena = arena, .runs = {.arena = arena}};
	const struct json *traces = json_document_records(arena, input, err);
	size_t index = 0;
	if (!traces)
		return -1;
	if (traces->count > trace_limit)
		return error_set(err, ERR_FORMAT, "more than %d traces", (int)trace_limit);
	for (const struct json *one = traces->first; one; one = one->next) {
		index++;
		if (read_trace(&r, one, err) < 0)
			return error_prefix(err, "trace %zu", index);
	}
	if (r.failed)
		json_document_note(&r.runs, "traces without a time, skipped: %zu (first: %s)",
				   r.failed, *r.status ? r.status : "no status");
	if (r.workloads)
		json_document_note(&r.runs, "workloads without a result, skipped: %zu",
				   r.workloads);
	return json_document_finish(&r.runs, "no trace has a time; give traces/*.jsonl", result,
				    err);
}

/* The objects of a list are one level deeper. */
static bool detect(struct span head)
{
	static const struct json_mark marks[] = {{1, "definition", '"'},
						 {1, "workload", '{'},
						 {2, "axes", '{'},
						 {2, "definition", '"'},
						 {2, "workload", '{'},
						 {3, "axes", '{'},
						 {0, NULL, 0}};
	unsigned found = json_document_marks(head, marks);
	return (found & 7) == 7 || (found & 56) == 56;
}

const struct reader flashinfer_bench_reader = {"flashinfer-bench",
					       "flashinfer-bench traces, JSON lines", 0, detect,
					       read_flashinfer_bench};
