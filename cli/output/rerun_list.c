/* What to measure again. Commands are made by cli/output/shell_command.c. */
#include "cli/output/rerun_list.h"

#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "cli/output/shell_command.h"

/* One series on the list. */
struct rerun {
	const struct gate_series *series;
	const struct comparison *const *because; /* worst first, as the gate's comparisons are */
	size_t because_count;
	size_t measurements, runs;
};

struct rerun_list {
	struct rerun *items;
	size_t count;
};

static bool is_known(const struct run *run, const struct comparison *one)
{
	return isfinite(run_number(run, one->metric));
}

static size_t known_runs(const struct comparison *one)
{
	const struct run_list *runs = &one->series->candidate;
	size_t known = 0;
	for (size_t i = 0; i < runs->count; i++)
		known += is_known(runs->items[i], one);
	return known;
}

/* What the record leaves open. Where only more commits on record help, nothing is measured. */
static size_t to_decide(const struct comparison *one)
{
	const struct judge_result *r = &one->judged.record;
	size_t wanted = r->more_runs > 1 ? r->more_runs : 1;
	if (r->missing_commits)
		return 0;
	bool looked_clear = r->verdict == JUDGE_REGRESSED || r->verdict == JUDGE_IMPROVED;
	bool fine_enough = r->detectable <= verdict_tolerated(one->policy, one->judged.baseline);
	return looked_clear || fine_enough || r->more_runs ? wanted : 0;
}

size_t gate_more_measurements(const struct comparison *one)
{
	enum verdict verdict = one->judged.verdict;
	if (one->policy->role == POLICY_CONTEXT)
		return 0;
	if (verdict == VERDICT_SUSPECT || verdict == VERDICT_ENVIRONMENT)
		return 1;
	if (verdict != VERDICT_UNDECIDED)
		return 0;
	return one->judged.method == METHOD_RECORD ? to_decide(one) : 1;
}

/* A run may stand for several repeats. */
static size_t repeats_of(const struct run *run, enum metric metric)
{
	const struct run_spread *spread = run_spread(run, metric);
	return spread && spread->count > 1 ? (size_t)spread->count : 1;
}

/* Runs in each measurement: as many as the first had, so that both are equally noisy; the ones that
 * the row still asks for where there were too few. */
static size_t runs_wanted(const struct comparison *one)
{
	const struct run_list *runs = &one->series->candidate;
	size_t known = known_runs(one), first = 0, least = one->policy->least_runs;
	int64_t earliest = INT64_MAX;
	if (known < least)
		return least - known;
	for (size_t i = 0; i < runs->count; i++)
		if (is_known(runs->items[i], one) && runs->items[i]->ingested_at < earliest)
			earliest = runs->items[i]->ingested_at;
	for (size_t i = 0; i < runs->count; i++)
		if (is_known(runs->items[i], one) && runs->items[i]->ingested_at == earliest)
			first += repeats_of(runs->items[i], one->metric);
	return first > least ? first : least;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static int by_series(const void *a, const void *b)
{
	const struct comparison *x = *(const struct comparison *const *)a;
	const struct comparison *y = *(const struct comparison *const *)b;
	int order = strcmp(x->series->key, y->series->key);
	return order ? order : (x > y) - (x < y);
}

static int by_worst(const void *a, const void *b)
{
	const struct comparison *x = ((const struct rerun *)a)->because[0];
	const struct comparison *y = ((const struct rerun *)b)->because[0];
	return (x > y) - (x < y);
}

/* The gate's comparisons are worst first, and so is the list. */
static struct rerun_list find_reruns(struct arena *arena, const struct gate *gate)
{
	const struct comparison **open = arena_array(arena, gate->count + 1, sizeof *open);
	struct rerun_list list = {arena_array(arena, gate->count + 1, sizeof *list.items), 0};
	size_t count = 0;
	for (size_t i = 0; i < gate->count; i++)
		if (gate_more_measurements(&gate->comparisons[i]))
			open[count++] = &gate->comparisons[i];
	if (count)
		qsort(open, count, sizeof *open, by_series);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || open[i]->series != open[i - 1]->series)
			list.items[list.count++] =
				(struct rerun){.series = open[i]->series, .because = &open[i]};
		struct rerun *rerun = &list.items[list.count - 1];
		rerun->because_count++;
		rerun->measurements = larger(rerun->measurements, gate_more_measurements(open[i]));
		rerun->runs = larger(rerun->runs, runs_wanted(open[i]));
	}
	if (list.count)
		qsort(list.items, list.count, sizeof *list.items, by_worst);
	return list;
}

size_t gate_rerun_count(struct arena *arena, const struct gate *gate)
{
	return find_reruns(arena, gate).count;
}

static void add_commands(struct arena *arena, const struct gate *gate, const struct rerun *rerun,
			 struct json *out)
{
	const struct revision *baseline = rerun->series->baseline_revision;
	struct gate_command command = {
		.form = gate->settings->rerun,
		.run = rerun->because[0]->run,
		.commit = gate->candidate.oid,
		.runs = rerun->runs,
		.measurements = rerun->measurements,
	};
	const char *fault = NULL;
	if (!command.form)
		return;
	json_set_text(arena, out, "command", gate_command_text(arena, &command, &fault));
	if (fault)
		json_set_text(arena, out, "command_fault", fault);
	command.commit = baseline ? baseline->oid : NULL;
	if (baseline && strstr(command.form, "{{commit}}"))
		json_set_text(arena, out, "baseline_command",
			      gate_command_text(arena, &command, &fault));
}

static void add_because(struct arena *arena, const struct rerun *rerun, struct json *out)
{
	struct json *because = json_set_array(arena, out, "because");
	for (size_t i = 0; i < rerun->because_count; i++) {
		const struct comparison *one = rerun->because[i];
		struct json *why = json_add_object(arena, because);
		json_set_text(arena, why, "row", one->policy->name);
		json_set_text(arena, why, "metric", metric_info(one->metric)->key);
		json_set_text(arena, why, "verdict", verdict_name(one->judged.verdict));
		json_set_text(arena, why, "reason", one->judged.reason);
	}
}

static struct json *line_of(struct arena *arena, const struct gate *gate, const struct rerun *rerun)
{
	const struct run *run = rerun->because[0]->run;
	const struct revision *baseline = rerun->series->baseline_revision;
	struct json *out = json_object(arena);
	json_set_text(arena, out, "series", rerun->series->key);
	json_set_text(arena, out, "kernel", run->kernel);
	json_set_text(arena, out, "variant", run->variant);
	struct json *params = json_set_object(arena, out, "params");
	for (size_t i = 0; i < run->param_count; i++)
		json_set_text(arena, params, run->params[i].name, run->params[i].value);
	json_set_text(arena, out, "dtype", run->dtype);
	json_set_text(arena, out, "device", run->device);
	json_set_text(arena, out, "instance_type", run->instance_type);
	json_set_number(arena, out, "cores", run->cores ? run->cores : NAN);
	json_set_text(arena, out, "tool", run->tool);
	json_set_text(arena, out, "metric", metric_info(rerun->because[0]->metric)->key);
	json_set_text(arena, out, "verdict", verdict_name(rerun->because[0]->judged.verdict));
	json_set_text(arena, out, "candidate_commit", gate->candidate.oid);
	json_set_bool(arena, out, "dirty", gate->dirty);
	json_set_text(arena, out, "baseline_commit", baseline ? baseline->oid : NULL);
	json_set_number(arena, out, "measurements", (double)rerun->measurements);
	json_set_number(arena, out, "runs", (double)rerun->runs);
	add_commands(arena, gate, rerun, out);
	add_because(arena, rerun, out);
	return out;
}

int gate_rerun_list(struct arena *arena, const struct gate *gate, struct strbuf *out,
		    struct error *err)
{
	struct rerun_list list = find_reruns(arena, gate);
	if (gate->settings->rerun && gate_command_check(gate->settings->rerun, err) < 0)
		return -1;
	for (size_t i = 0; i < list.count; i++) {
		json_write(out, line_of(arena, gate, &list.items[i]), true);
		strbuf_addch(out, '\n');
	}
	return 0;
}
