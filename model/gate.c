/* Policies over series: judge, rank, count, one exit status. */
#include "model/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

const struct policy default_policy = {"default", "*", METRIC_TOTAL_TIME, true, {0.05, 0}, 0};

/* Status by verdict, in the order in which they win. A new series passes as long as something
 * else was judged. */
static const struct {
	enum verdict verdict;
	int status;
	const char *word;
} outcomes[] = {
	{VERDICT_REGRESSED, 1, "regression"},      {VERDICT_MISSING, 5, "missing series"},
	{VERDICT_INCOMPARABLE, 5, "incomparable"}, {VERDICT_UNDECIDED, 3, "undecided"},
	{VERDICT_NO_BASELINE, 4, "no baseline"},   {VERDICT_STALE, 6, "stale"},
};

/* The metric's values of some runs, unknown ones left out. */
static double *values_of(struct arena *arena, const struct run_list *runs, enum metric metric,
			 size_t *count)
{
	double *values = arena_array(arena, runs->count, sizeof *values);
	*count = 0;
	for (size_t i = 0; i < runs->count; i++) {
		double number = run_number(runs->items[i], metric);
		if (!isnan(number))
			values[(*count)++] = number;
	}
	return values;
}

/* A comparison with a baseline of long ago says little about this change. */
static bool is_stale(const struct gate *gate, const struct gate_series *series,
		     const struct policy *policy, double *days)
{
	if (policy->stale_days <= 0 || !series->baseline_revision)
		return false;
	*days = (double)(gate->candidate.time - series->baseline_revision->time) / 86400;
	return *days > policy->stale_days;
}

/* A file can state nothing but a rate. */
static enum metric judged_metric(const struct policy *policy, const struct run *run)
{
	enum metric own = policy->own_headline ? run_headline(run) : policy->metric;
	return own == METRIC_COUNT ? policy->metric : own;
}

static bool any_incorrect(const struct run_list *runs)
{
	bool any = false;
	for (size_t i = 0; i < runs->count; i++)
		any = any || run_is_incorrect(runs->items[i]);
	return any;
}

static struct judgement judge(struct arena *arena, const struct gate *gate,
			      const struct gate_series *series, const struct policy *policy,
			      enum metric metric)
{
	double days;
	size_t old_count, new_count;
	double *old = values_of(arena, &series->baseline, metric, &old_count);
	double *new = values_of(arena, &series->candidate, metric, &new_count);
	struct judgement judged =
		verdict_of(arena, metric, &policy->limits, old, old_count, new, new_count);
	if (series->candidate.count == 0) {
		judged.verdict = VERDICT_MISSING;
		judged.reason = "the baseline has this series, the candidate has not";
	} else if (any_incorrect(&series->candidate)) {
		judged.verdict = VERDICT_MISSING;
		judged.candidate = judged.change = NAN;
		judged.reason = "the candidate's result is incorrect, so nothing was measured";
	} else if (series->baseline.count == 0 && series->incomparable) {
		judged.verdict = VERDICT_INCOMPARABLE;
		judged.reason = series->incomparable;
	} else if (series->baseline.count == 0) {
		judged.verdict = VERDICT_NEW;
		judged.reason = "no earlier run of this series";
	} else if (judged.verdict != VERDICT_REGRESSED && is_stale(gate, series, policy, &days)) {
		judged.verdict = VERDICT_STALE;
		judged.reason = arena_printf(
			arena, "the baseline commit is %.0f days older, the limit is %.0f days",
			days, policy->stale_days);
	}
	return judged;
}

/* Worst first: by verdict, then by size of the change (unknown last), then by name. */
static int by_badness(const void *a, const void *b)
{
	const struct comparison *x = a, *y = b;
	if (x->judged.verdict != y->judged.verdict)
		return x->judged.verdict < y->judged.verdict ? -1 : 1;
	double cx = isnan(x->judged.change) ? -1 : fabs(x->judged.change);
	double cy = isnan(y->judged.change) ? -1 : fabs(y->judged.change);
	if (cx != cy)
		return cx < cy ? 1 : -1;
	int names = strcmp(x->series->key, y->series->key);
	return names ? names : strcmp(x->policy->name, y->policy->name);
}

static void count_verdicts(struct gate *gate)
{
	for (size_t i = 0; i < gate->count; i++)
		gate->counts[gate->comparisons[i].judged.verdict]++;
	/* When no series at all has a baseline, none is "new": there is nothing to compare with. */
	if (gate->counts[VERDICT_NEW] == gate->count && gate->count) {
		for (size_t i = 0; i < gate->count; i++)
			gate->comparisons[i].judged.verdict = VERDICT_NO_BASELINE;
		gate->counts[VERDICT_NO_BASELINE] = gate->count;
		gate->counts[VERDICT_NEW] = 0;
	}
	gate->judged = gate->counts[VERDICT_REGRESSED] + gate->counts[VERDICT_IMPROVED] +
		       gate->counts[VERDICT_UNCHANGED] + gate->counts[VERDICT_UNDECIDED];
}

static const char *reason_of(struct arena *arena, const struct gate *gate)
{
	struct strbuf sb = {0};
	strbuf_addf(&sb, "judged %zu of %zu comparison%s", gate->judged, gate->count,
		    gate->count == 1 ? "" : "s");
	const char *separator = ": ";
	for (int verdict = 0; verdict < VERDICT_LIMIT; verdict++)
		if (gate->counts[verdict]) {
			strbuf_addf(&sb, "%s%zu %s", separator, gate->counts[verdict],
				    verdict_name((enum verdict)verdict));
			separator = ", ";
		}
	return strbuf_into(&sb, arena);
}

/* The word is that of the first verdict that occurs, whatever it is treated as; treatment changes
 * only the status. */
static void conclude(const struct gate_treatment *treatment, struct gate *gate)
{
	gate->exit_status = 0;
	gate->verdict = NULL;
	for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
		enum verdict verdict = outcomes[i].verdict;
		if (gate->counts[verdict] == 0)
			continue;
		if (!gate->verdict)
			gate->verdict = outcomes[i].word;
		if (treatment->fail[verdict])
			gate->exit_status = 1;
		else if (!treatment->pass[verdict] && gate->exit_status == 0)
			gate->exit_status = outcomes[i].status;
	}
	if (gate->judged == 0 && gate->exit_status == 0 && !treatment->pass[VERDICT_NO_BASELINE]) {
		gate->exit_status = 4;
		if (!gate->verdict)
			gate->verdict = "no baseline";
	}
	if (!gate->verdict)
		gate->verdict = "pass";
}

static void note_idle(struct arena *arena, const struct policy_list *policies, struct gate *gate)
{
	gate->idle = arena_array(arena, policies->count, sizeof *gate->idle);
	gate->idle_count = 0;
	for (size_t i = 0; i < policies->count; i++) {
		size_t fits = 0;
		for (size_t j = 0; j < gate->count; j++)
			fits += gate->comparisons[j].policy == &policies->items[i];
		if (fits == 0)
			gate->idle[gate->idle_count++] = &policies->items[i];
	}
}

void gate_judge(struct arena *arena, const struct gate_series_list *series,
		const struct policy_list *policies, const struct gate_treatment *treatment,
		struct gate *gate)
{
	size_t capacity = 0;
	gate->comparisons = NULL;
	gate->count = 0;
	gate->series = series->count;
	for (size_t i = 0; i < series->count; i++) {
		const struct gate_series *one = &series->items[i];
		const struct run *run =
			one->candidate.count ? one->candidate.items[0] : one->baseline.items[0];
		for (size_t j = 0; j < policies->count; j++) {
			const struct policy *policy = &policies->items[j];
			if (!span_glob(policy->kernel, run->kernel))
				continue;
			gate->comparisons = arena_grow(arena, gate->comparisons, gate->count,
						       &capacity, sizeof *gate->comparisons);
			enum metric metric = judged_metric(policy, run);
			gate->comparisons[gate->count++] = (struct comparison){
				one, run, policy, metric, judge(arena, gate, one, policy, metric)};
		}
	}
	count_verdicts(gate);
	note_idle(arena, policies, gate);
	if (gate->count)
		qsort(gate->comparisons, gate->count, sizeof *gate->comparisons, by_badness);
	conclude(treatment, gate);
	gate->reason = reason_of(arena, gate);
}
