/*
 * Baseline timings of KernelBench: {"level1": {"1_Problem.py": {"mean": ms, ...}}}, one run per
 * problem.
 */

#include "ingest/json/document/document.h"
#include "ingest/reader.h"

enum { problem_limit = 100000 };

/* Times are milliseconds from CUDA events, rounded by the producer. */
static const double millisecond = 1e-3;

static struct run *read_problem(struct arena *arena, const char *level, const struct json *problem)
{
	struct run *run = run_new(arena);
	struct span name = span_of(json_document_name(arena, problem->name));
	double mean = json_document_quantity(problem, "mean", millisecond);
	double minimum = json_document_quantity(problem, "min", millisecond);
	double maximum = json_document_quantity(problem, "max", millisecond);
	double count = json_document_quantity(problem, "num_trials", 1);
	if (span_ends(name, ".py"))
		name.len -= 3;
	run->kernel = arena_strndup(arena, name.ptr, name.len);
	run->tool = "kernelbench";
	run->device = json_document_text(arena, problem, "hardware");
	run_set_param(arena, run, "level", level);
	run_set(run, METRIC_TOTAL_TIME, mean, PROVENANCE_MEASURED);
	if (!(count > 1))
		return run;
	struct run_spread spread = run_spread_unknown(METRIC_TOTAL_TIME);
	spread.count = count;
	spread.mean = mean;
	spread.deviation = json_document_quantity(problem, "std", millisecond);
	if (!(minimum > maximum)) {
		spread.minimum = minimum;
		spread.maximum = maximum;
	}
	run_add_spread(arena, run, spread);
	return run;
}

static int read_level(const struct json *level, struct json_runs *runs, size_t *failed,
		      struct error *err)
{
	const char *digits = level->name + strlen("level");
	if (level->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "%.40s is not an object", level->name);
	const char *name = json_document_name(runs->arena, digits);
	for (const struct json *one = level->first; one; one = one->next) {
		const struct json *mean = json_get(one, "mean");
		if (runs->list.count + *failed == problem_limit)
			return error_set(err, ERR_FORMAT, "more than %d problems",
					 (int)problem_limit);
		/* A failed problem has null or the message of the failure. */
		if (one->type != JSON_OBJECT || !mean || mean->type == JSON_NULL ||
		    (mean->type == JSON_STRING && !mean->text[0])) {
			++*failed;
			continue;
		}
		if (mean->type != JSON_NUMBER || !(mean->number > 0) || !one->name[0])
			return error_set(
				err, ERR_FORMAT,
				"%.40s[\"%.80s\"].mean: expected a time in milliseconds above 0",
				level->name, one->name);
		json_document_add_run(runs, read_problem(runs->arena, name, one));
	}
	return 0;
}

static int read_kernelbench(struct arena *arena, struct input *input, struct ingest_result *result,
			    struct error *err)
{
	struct json_runs runs = {.arena = arena};
	size_t failed = 0;
	const struct json *root = json_document_read(arena, input, err);
	if (!root)
		return -1;
	for (const struct json *one = root->first; one; one = one->next)
		if (one->name && span_starts(span_of(one->name), "level") &&
		    read_level(one, &runs, &failed, err) < 0)
			return -1;
	if (failed && runs.list.count)
		json_document_note(&runs, "problems without a time, skipped: %zu", failed);
	return json_document_finish(&runs,
				    "no problem has a time; expected \"levelN\": {\"problem.py\": "
				    "{\"mean\": milliseconds, ...}}",
				    result, err);
}

/* {"level1": {"x": {"mean": 1, ... "num_trials": 1, "hardware": "..."}}} */
static bool detect(struct span head)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	unsigned found = 0;
	while (json_peek_next(&peek, &value)) {
		if (value.depth == 1 && (value.is_item || !span_starts(value.name, "level")))
			return false;
		if (value.depth != 3 || value.is_item)
			continue;
		found |= span_is(value.name, "mean") ? 1 : 0;
		found |= span_is(value.name, "num_trials") ? 2 : 0;
		found |= span_is(value.name, "hardware") ? 4 : 0;
	}
	return found == 7;
}

const struct reader kernelbench_reader = {"kernelbench", "KernelBench baseline timings",
					  NEEDS_FILE_NAME, detect, read_kernelbench};
