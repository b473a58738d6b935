/*
 * JSON of hyperfine --export-json, and the same document as rooflog run --tool none writes it,
 * which adds "tool": one run per command, whose repeats are samples of the host's time.
 *
 *   {"results": [{"command": "./bench 512", "times": [0.52, 0.51], "exit_codes": [0, 0],
 *                 "parameters": {"s": "512"}}]}
 *
 * A repeat that failed took a time that says nothing: it is counted and skipped.
 */

#include "ingest/json/document/document.h"
#include "ingest/reader.h"

enum { result_limit = 10000, sample_limit = 100000 };

struct reading {
	struct arena *arena;
	const char *tool;
	struct json_runs runs;
	size_t failed;
};

/* The times of the repeats that ended with status 0; exit codes of older files are absent. */
static size_t take_times(struct reading *r, const struct json *result, double *times)
{
	size_t count = 0;
	const struct json *code = json_first(result, "exit_codes");
	for (const struct json *one = json_first(result, "times"); one; one = one->next) {
		bool ended_well = !code || (code->type == JSON_NUMBER && code->number == 0);
		if (!ended_well || one->type != JSON_NUMBER || !(one->number > 0))
			r->failed++;
		else
			times[count++] = one->number;
		code = code ? code->next : NULL;
	}
	return count;
}

static int read_result(struct reading *r, const struct json *result, struct error *err)
{
	const char *command = json_document_text(r->arena, result, "command");
	const struct json *times = json_document_list(result, "times");
	if (!command)
		return error_set(err, ERR_FORMAT, "\"command\" is missing");
	if (!times)
		return error_set(err, ERR_FORMAT, "\"times\" is not a list");
	if (times->count > sample_limit)
		return error_set(err, ERR_FORMAT, "more than %d times", (int)sample_limit);
	double *numbers = arena_array(r->arena, times->count + 1, sizeof *numbers);
	size_t count = take_times(r, result, numbers);
	if (count == 0)
		return 0;
	struct run *run = run_new(r->arena);
	run->kernel = command;
	run->tool = r->tool;
	for (const struct json *one = json_first(result, "parameters"); one; one = one->next) {
		const char *value = json_document_scalar(r->arena, one);
		if (one->name && *one->name && value)
			run_set_param(r->arena, run, json_document_name(r->arena, one->name),
				      value);
	}
	run_set_samples(r->arena, run, METRIC_HOST_TIME, numbers, count, PROVENANCE_MEASURED);
	json_document_add_run(&r->runs, run);
	return 0;
}

static int read_hyperfine(struct arena *arena, struct input *input, struct ingest_result *result,
			  struct error *err)
{
	const struct json *root = json_document_read(arena, input, err);
	if (!root)
		return -1;
	struct reading r = {.arena = arena, .tool = "hyperfine", .runs = {.arena = arena}};
	const struct json *results = json_document_list(root, "results");
	if (!results)
		return error_set(err, ERR_FORMAT, "\"results\" is not a list");
	if (results->count > result_limit)
		return error_set(err, ERR_FORMAT, "more than %d results", (int)result_limit);
	if (strcmp(json_text(root, "tool", ""), "process") == 0)
		r.tool = "process";
	size_t index = 0;
	for (const struct json *one = results->first; one; one = one->next, index++)
		if (read_result(&r, one, err) < 0)
			return error_prefix(err, "results[%zu]", index);
	if (r.failed)
		json_document_note(&r.runs, "repeats that failed, skipped: %zu", r.failed);
	return json_document_finish(&r.runs, "no repeat ended with status 0", result, err);
}

static bool detect(struct span head)
{
	static const struct json_mark marks[] = {
		{1, "results", '['}, {3, "command", '"'}, {3, "times", '['}, {0, NULL, 0}};
	return json_document_marks(head, marks) == 7;
}

const struct reader hyperfine_reader = {"hyperfine", "hyperfine --export-json", 0, detect,
					read_hyperfine};
