/*
 * Times of KernelBench.
 *
 * Baselines: {"level1": {"1_Problem.py": {"mean": ms, ...}}}, one run per problem. Only the file's
 * name says what was timed: baseline_time_torch_compile_inductor_default.json is the variant
 * torch_compile_inductor_default.
 *
 * Evaluations (eval_results.json): {"1": [{"sample_id": 0, "correctness": true, "runtime": ms,
 * "runtime_stats": {...}}]}, one run per sample, and one of the variant "reference" if the
 * reference was timed, too. All times are milliseconds (get_timing_stats), whatever the
 * comments of KernelBench say.
 */

#include "base/text/text.h"
#include "ingest/json/document/document.h"
#include "ingest/reader.h"

enum { problem_limit = 100000 };

/* Times are milliseconds from CUDA events, rounded by the producer. */
static const double millisecond = 1e-3;

static void set_times(struct arena *arena, struct run *run, const struct json *stats)
{
	double mean = json_document_quantity(stats, "mean", millisecond);
	double minimum = json_document_quantity(stats, "min", millisecond);
	double maximum = json_document_quantity(stats, "max", millisecond);
	double count = json_document_quantity(stats, "num_trials", 1);
	if (mean > 0)
		run_set(run, METRIC_TOTAL_TIME, mean, PROVENANCE_MEASURED);
	if (!(count > 1))
		return;
	struct run_spread spread = run_spread_unknown(METRIC_TOTAL_TIME);
	spread.count = count;
	spread.mean = mean;
	spread.deviation = json_document_quantity(stats, "std", millisecond);
	if (!(minimum > maximum)) {
		spread.minimum = minimum;
		spread.maximum = maximum;
	}
	run_add_spread(arena, run, spread);
}

/* --- baselines --- */

/* "torch" for baseline_time_torch.json; NULL for other names. */
static const char *variant_of(struct arena *arena, const struct input *input)
{
	static const char begin[] = "baseline_time_";
	const char *path = input_name(input), *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	if (strncmp(name, begin, strlen(begin)) != 0)
		return NULL;
	name += strlen(begin);
	name = arena_strndup(arena, name, strcspn(name, "."));
	return *name && utf8_is_line(span_of(name)) ? name : NULL;
}

static struct run *read_problem(struct arena *arena, const char *level, const struct json *problem)
{
	struct run *run = run_new(arena);
	struct span name = span_of(json_document_name(arena, problem->name));
	if (span_ends(name, ".py"))
		name.len -= 3;
	run->kernel = arena_strndup(arena, name.ptr, name.len);
	run->tool = "kernelbench";
	run->device = json_document_text(arena, problem, "hardware");
	run_set_param(arena, run, "level", level);
	set_times(arena, run, problem);
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

/* --- evaluations --- */

/* A sample, or its reference with the prefix "ref_". NULL if it was not timed. */
static struct run *read_timed(struct arena *arena, const struct json *sample, const char *prefix)
{
	const char *stats_name = arena_printf(arena, "%sruntime_stats", prefix);
	const char *name = arena_printf(arena, "%sruntime", prefix);
	const struct json *stats = json_document_small(json_get(sample, stats_name));
	double time = json_document_quantity(sample, name, millisecond);
	struct run *run = run_new(arena);
	if (!(time > 0))
		return NULL;
	run->tool = "kernelbench";
	run->device = json_document_text(arena, json_get(sample, "metadata"), "hardware");
	if (stats)
		set_times(arena, run, stats);
	run_set(run, METRIC_TOTAL_TIME, time, PROVENANCE_MEASURED);
	return run;
}

static void mark_sample(struct arena *arena, struct run *run, const struct json *sample)
{
	const struct json *correct = json_get(sample, "correctness");
	if (correct && correct->type == JSON_BOOL && !correct->truth) {
		run_add_attribute(arena, run, "correctness", "incorrect");
		run_add_note(arena, run, "rooflog",
			     "KernelBench marks the result as incorrect; not used in comparisons");
	}
	if (json_truth(json_get(sample, "metadata"), "excessive_speedup"))
		run_add_note(
			arena, run, "rooflog",
			"KernelBench marks the speedup as excessive: the kernel may skip work");
}

static int read_sample(const char *problem, const struct json *sample, struct json_runs *runs,
		       size_t *failed, struct error *err)
{
	if (sample->type != JSON_OBJECT)
		return error_set(err, ERR_FORMAT, "problem \"%.40s\": a sample is not an object",
				 problem);
	if (runs->list.count + *failed >= problem_limit)
		return error_set(err, ERR_FORMAT, "more than %d samples", (int)problem_limit);
	struct run *run = read_timed(runs->arena, sample, "");
	struct run *reference = read_timed(runs->arena, sample, "ref_");
	const char *id = json_document_scalar(runs->arena, json_get(sample, "sample_id"));
	const char *kernel =
		arena_printf(runs->arena, "problem_%s", json_document_name(runs->arena, problem));
	if (run) {
		run->kernel = kernel;
		if (id)
			run_set_param(runs->arena, run, "sample", id);
		mark_sample(runs->arena, run, sample);
		json_document_add_run(runs, run);
	} else {
		++*failed;
	}
	if (reference) {
		reference->kernel = kernel;
		reference->variant = "reference";
		json_document_add_run(runs, reference);
	}
	return 0;
}

/* The samples of a problem: a list, or in early versions a single one. */
static int read_samples(const struct json *problem, struct json_runs *runs, size_t *failed,
			struct error *err)
{
	if (problem->type != JSON_ARRAY)
		return read_sample(problem->name, problem, runs, failed, err);
	for (const struct json *one = problem->first; one; one = one->next)
		if (read_sample(problem->name, one, runs, failed, err) < 0)
			return -1;
	return 0;
}

static bool is_id(const char *name)
{
	return *name && name[strspn(name, "0123456789")] == '\0';
}

/* --- the file --- */

static int read_kernelbench(struct arena *arena, struct input *input, struct ingest_result *result,
			    struct error *err)
{
	struct json_runs runs = {.arena = arena};
	size_t failed = 0;
	const struct json *root = json_document_read(arena, input, err);
	if (!root)
		return -1;
	for (const struct json *one = root->first; one; one = one->next) {
		const char *name = one->name ? one->name : "";
		if ((span_starts(span_of(name), "level") &&
		     read_level(one, &runs, &failed, err) < 0) ||
		    (is_id(name) && read_samples(one, &runs, &failed, err) < 0))
			return -1;
	}
	const char *variant = variant_of(arena, input);
	for (size_t i = 0; variant && i < runs.list.count; i++)
		if (!*runs.list.items[i]->variant)
			runs.list.items[i]->variant = variant;
	if (failed && runs.list.count)
		json_document_note(&runs, "problems without a time, skipped: %zu", failed);
	return json_document_finish(&runs,
				    "no problem has a time; expected \"levelN\": {\"problem.py\": "
				    "{\"mean\": milliseconds, ...}}, or \"N\": [{\"runtime\": "
				    "milliseconds, ...}]",
				    result, err);
}

/* {"1": [{"sample_id": 0, "compiled": true, "correctness": true, "runtime": 1}]} */
static bool detect_evaluation(struct span head)
{
	static const struct json_mark marks[] = {
		{3, "compiled", 't'}, {3, "correctness", 't'}, {3, "runtime", '0'},
		{2, "compiled", 't'}, {2, "correctness", 't'}, {2, "runtime", '0'},
		{0, NULL, 0}};
	unsigned found = json_document_marks(head, marks);
	if (!span_starts(span_trim(head), "{"))
		return false;
	return (found & 7) == 7 || (found & 56) == 56;
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
/* All files have one name, and none says of which level its problems are. */
const struct reader kernelbench_evaluation_reader = {
	"kernelbench-evaluation", "KernelBench eval_results.json", NEEDS_FOLDER_NAME,
	detect_evaluation, read_kernelbench};
