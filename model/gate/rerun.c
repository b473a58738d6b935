/* Finds the series for which another measurement may decide. */
#include "model/gate/internal.h"

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

/* Whether another measurement may settle an open verdict. */
static bool may_decide(const struct comparison *one)
{
	const struct judge_result *r = &one->judged.result;
	bool looked_clear = r->verdict == JUDGE_REGRESSED || r->verdict == JUDGE_IMPROVED;
	return !one->older && one->measurements < 2 && (looked_clear || verdict_may_remeasure(r));
}

static size_t more_measurements(const struct comparison *one)
{
	enum verdict verdict = one->judged.verdict;
	if (one->policy->role == POLICY_CONTEXT)
		return 0;
	if (verdict == VERDICT_SUSPECT || verdict == VERDICT_UNPROVEN ||
	    verdict == VERDICT_ENVIRONMENT)
		return 1;
	if (verdict != VERDICT_UNDECIDED)
		return 0;
	return one->judged.method == METHOD_BASELINE ? may_decide(one) : one->measurements < 2;
}

/* Repeats that the run represents. */
static size_t representative_of(const struct run *run, enum metric metric)
{
	const struct run_spread *spread = run_spread(run, metric);
	return spread && spread->count > 1 ? (size_t)spread->count : 1;
}

/* Runs per measurement: as many as the first one had, so that both are equally noisy. If there were
 * fewer than the rule requires: the number still missing. */
static size_t runs_wanted(const struct comparison *one)
{
	const struct run_list *runs = &one->series->candidate;
	size_t known = known_runs(one), first = 0, least = one->policy->least_runs;
	const struct run *earliest = NULL;
	if (known < least)
		return least - known;
	for (size_t i = 0; i < runs->count; i++)
		if (is_known(runs->items[i], one) &&
		    (!earliest || run_by_measurement(runs->items[i], earliest) < 0))
			earliest = runs->items[i];
	for (size_t i = 0; i < runs->count; i++)
		if (is_known(runs->items[i], one) &&
		    run_by_measurement(runs->items[i], earliest) == 0)
			first += representative_of(runs->items[i], one->metric);
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
	const struct comparison *x = ((const struct gate_rerun *)a)->because[0];
	const struct comparison *y = ((const struct gate_rerun *)b)->because[0];
	return (x > y) - (x < y);
}

/* The list is worst first, because the gate's comparisons are. */
struct gate_reruns gate_reruns_of(struct arena *arena, const struct gate_result *gate)
{
	const struct comparison **open = arena_array(arena, gate->count + 1, sizeof *open);
	struct gate_reruns list = {arena_array(arena, gate->count + 1, sizeof *list.items), 0};
	size_t count = 0;
	for (size_t i = 0; i < gate->count; i++)
		if (more_measurements(&gate->comparisons[i]))
			open[count++] = &gate->comparisons[i];
	array_sort(open, count, sizeof *open, by_series);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || open[i]->series != open[i - 1]->series)
			list.items[list.count++] =
				(struct gate_rerun){.series = open[i]->series, .because = &open[i]};
		struct gate_rerun *rerun = &list.items[list.count - 1];
		rerun->because_count++;
		rerun->measurements = larger(rerun->measurements, more_measurements(open[i]));
		rerun->runs = larger(rerun->runs, runs_wanted(open[i]));
	}
	array_sort(list.items, list.count, sizeof *list.items, by_worst);
	return list;
}
