/* The self-test: plants a slowdown in one candidate at a time and lets the gate decide again. */
#include "model/gate/gate.h"

#include "model/gate/internal.h"

/* --- planting --- */

/* The value after a slowdown by `share`: a slowdown by a quarter makes a rate a fifth smaller. A
 * counter of 0 becomes 1, e.g. a spill where there was none. */
static double planted_value(const struct comparison *one, double value, double share)
{
	bool higher = policy_direction(one->policy, one->metric) == METRIC_HIGHER;
	if (value == 0 && metric_info(one->metric)->role == METRIC_ROLE_COUNTER)
		return 1;
	return higher ? value / (1 + share) : value * (1 + share);
}

static struct run *plant_run(struct arena *arena, const struct comparison *one,
			     const struct run *run, double share)
{
	struct run *planted = arena_new(arena, struct run);
	*planted = *run;
	double value = planted_value(one, run_number(run, one->metric), share);
	double *derived = &planted->derived[metric_computed(one->metric)];
	if (!isnan(*derived))
		*derived = value;
	else
		planted->given[one->metric].number = value;
	/* The slower kernel is a different program. */
	planted->kernel_hash = NULL;
	return planted;
}

/* The gate with this comparison only. */
static struct gate_result only(const struct gate_result *gate, struct comparison *one)
{
	struct gate_result alone = *gate;
	alone.comparisons = one;
	alone.count = 1;
	return alone;
}

/* Replaces the candidate's runs by slower ones and judges the comparison alone. */
static void plant(struct arena *arena, const struct gate_result *gate, struct comparison *one,
		  double share)
{
	struct gate_series *series = arena_new(arena, struct gate_series);
	struct run_list runs = {0};
	*series = *one->series;
	for (size_t i = 0; i < series->candidate.count; i++)
		run_list_add(arena, &runs,
			     plant_run(arena, one, series->candidate.items[i], share));
	series->candidate = runs;
	one->series = series;
	if (runs.count)
		one->run = runs.items[0];
	struct gate_result alone = only(gate, one);
	gate_decide_each(arena, &alone);
}

static void forget(struct comparison *one)
{
	one->first = one->second = VERDICT_LIMIT;
	one->measurements = 0;
	one->change = NULL;
	one->drift_reason = NULL;
	one->acceptance = NULL;
	one->accepted = VERDICT_LIMIT;
}

/* Runs all steps of the gate with the slowdown in the place of `old`, one of the peers. */
static void decide(struct arena *arena, const struct gate_result *gate,
		   const struct gate_peers *peers, const struct comparison *old,
		   struct comparison *planted)
{
	gate_decide_among(arena, gate, peers, old, planted);
	/* Drift and acceptances treat each comparison alone. */
	struct gate_result alone = only(gate, planted);
	gate_decide_drift(arena, &alone);
	gate_accept(arena, &alone);
}

/* --- what came of it --- */

static bool is_flag(enum verdict verdict)
{
	return verdict == VERDICT_REGRESSED || verdict == VERDICT_SUSPECT ||
	       verdict == VERDICT_FAILED || verdict == VERDICT_DRIFT;
}

static bool is_zero(const struct comparison *one)
{
	const struct run_list *runs = &one->series->candidate;
	bool zero = runs->count > 0;
	for (size_t i = 0; i < runs->count; i++)
		zero = zero && run_number(runs->items[i], one->metric) == 0;
	return zero;
}

/* Why the planted slowdown would not fail the gate; NULL if it would. */
static const struct message *why_not(struct arena *arena, const struct gate_result *gate,
				     const struct comparison *planted)
{
	enum verdict verdict = planted->judged.verdict;
	if (planted->policy->role == POLICY_CONTEXT)
		return message_plain(MESSAGE_SELFTEST_CONTEXT);
	if (is_flag(verdict) && gate_is_let_pass(gate->input, planted->policy, verdict))
		return message_of(arena, MESSAGE_SELFTEST_LET_PASS,
				  verdict_value(verdict, metric_is_time_or_rate(planted->metric)));
	if (is_flag(verdict))
		return NULL;
	if (is_zero(planted))
		return message_plain(MESSAGE_SELFTEST_ZERO);
	return message_of(arena, MESSAGE_SELFTEST_VERDICT,
			  verdict_value(verdict, metric_is_time_or_rate(planted->metric)),
			  message_part(planted->judged.reason));
}

/* Smallest slowdown that misses the limit, by bisection; NAN if even a hundredfold one does not. */
static double smallest_for_limit(const struct gate_result *gate, const struct comparison *original)
{
	double low = 0, high = 100;
	if (original->judged.verdict == VERDICT_FAILED)
		return 0;
	for (int step = 0; step < 50; step++) {
		struct arena scratch = {0};
		struct comparison one = *original;
		double middle = (low + high) / 2;
		plant(&scratch, gate, &one, middle);
		bool failed = one.judged.verdict == VERDICT_FAILED;
		low = failed ? low : middle;
		high = failed ? middle : high;
		arena_free(&scratch);
	}
	return high < 99 ? high : NAN;
}

/* Smallest slowdown that would be flagged, relative; NAN: unknown. */
static double smallest_flagged(const struct gate_result *gate, const struct comparison *one)
{
	double baseline = one->judged.baseline;
	switch (one->judged.method) {
	case METHOD_BASELINE:
	case METHOD_CHANGE_POINT:
		return one->judged.result.detectable;
	case METHOD_EXACT:
		return baseline == 0 ? NAN
				     : policy_limit(one->policy, baseline, true) / fabs(baseline);
	case METHOD_LIMIT:
		return smallest_for_limit(gate, one);
	case METHOD_NONE:
		break;
	}
	return NAN;
}

/* The gate as it was before its comparisons were looked at together. */
static struct gate_result each_by_itself(struct arena *arena, const struct gate_result *gate)
{
	struct gate_result each = *gate;
	each.comparisons = arena_array(arena, gate->count + 1, sizeof *gate->comparisons);
	for (size_t i = 0; i < gate->count; i++) {
		each.comparisons[i] = gate->comparisons[i];
		forget(&each.comparisons[i]);
	}
	gate_decide_each(arena, &each);
	return each;
}

/* The comparison at an index with its slowdown, judged alone. */
static struct comparison planted_of(struct arena *arena, const struct gate_selftest_plan *plan,
				    size_t at)
{
	struct comparison planted = plan->each.comparisons[at];
	forget(&planted);
	plant(arena, &plan->each, &planted, plan->share);
	planted.before_change = plan->around[at][0];
	planted.after_change = plan->around[at][1];
	return planted;
}

struct gate_selftest_plan gate_selftest_plan(struct arena *arena, const struct gate_result *gate,
					     double share)
{
	struct gate_selftest_plan plan = {
		.gate = gate,
		.each = each_by_itself(arena, gate),
		.share = share,
		.around = arena_array(arena, gate->count + 1, sizeof *plan.around),
	};
	for (size_t i = 0; i < gate->count; i++) {
		struct arena scratch = {0};
		if (!gate_is_judged(gate->comparisons[i].judged.verdict))
			continue;
		struct comparison planted = planted_of(&scratch, &plan, i);
		size_t needed = plan.needed.count;
		struct gate_result alone = only(&plan.each, &planted);
		gate_need_changes(arena, &alone, &plan.needed);
		plan.around[i][0] = planted.before_change;
		plan.around[i][1] = planted.after_change;
		/* The planted series ends here. */
		for (; needed < plan.needed.count; needed++)
			plan.needed.items[needed]->series = plan.each.comparisons[i].series;
		arena_free(&scratch);
	}
	return plan;
}

static enum exit_status status_of(const struct gate_selftest *result)
{
	return result->judged == 0                 ? EXIT_NO_BASELINE
	       : result->flagged == result->judged ? EXIT_PASS
						   : EXIT_UNDECIDED;
}

struct gate_selftest gate_selftest_run(struct arena *arena, const struct gate_selftest_plan *plan)
{
	const struct gate_result *gate = plan->gate;
	struct gate_selftest result = {
		.gate = gate,
		.planted = plan->share,
		.rows = arena_array(arena, gate->count + 1, sizeof *result.rows),
	};
	const struct gate_peers peers = gate_peers_of(arena, &plan->each);
	for (size_t i = 0; i < gate->count; i++) {
		struct arena scratch = {0};
		const struct comparison *one = &plan->each.comparisons[i];
		bool context = one->policy->role == POLICY_CONTEXT;
		if (!gate_is_judged(gate->comparisons[i].judged.verdict)) {
			result.not_judged++;
			continue;
		}
		struct comparison planted = planted_of(&scratch, plan, i);
		decide(&scratch, &plan->each, &peers, one, &planted);
		const struct message *why = why_not(&scratch, gate, &planted);
		result.context += context;
		result.judged += !context;
		result.flagged += !why;
		result.rows[result.count++] = (struct gate_selftest_row){
			.one = one,
			.why_not = message_copy(arena, why),
			.smallest = smallest_flagged(&plan->each, one),
		};
		arena_free(&scratch);
	}
	result.status = status_of(&result);
	return result;
}
