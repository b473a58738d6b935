/* Chooses the two runs that explain a comparison, and the comparisons to explain. */

#include "model/explain/internal.h"
#include "model/gate/gate.h"
#include "model/run/runs.h"

enum { MOST_DETAILED = 200 }; /* comparisons whose series get their details loaded */

static bool is_asked(const struct comparison *one)
{
	switch (one->judged.verdict) {
	case VERDICT_UNCHANGED:
	case VERDICT_HELD:
	case VERDICT_NEW:
	case VERDICT_NO_BASELINE:
	case VERDICT_IMPOSSIBLE:
	case VERDICT_MISSING:
	case VERDICT_INCOMPARABLE:
		return false;
	default:
		return one->policy->role == POLICY_PRIMARY;
	}
}

bool explain_is_worth(const struct explanation *found)
{
	static const double least = 0.01;
	return found->text && (fabs(found->change) >= least || found->cause == EXPLAIN_CODE);
}

/* Two runs represent what was judged if they differ in the same way: the mean of a history, or its
 * best period, may differ from its newest commit. */
static bool is_what_was_judged(const struct comparison *one, const struct explanation *found)
{
	static const double least_share = 0.5;
	double change = one->judged.change;
	if (one->judged.method == METHOD_LIMIT)
		return explain_is_worth(found);
	/* From zero to something. */
	if (isnan(change) && one->judged.method == METHOD_EXACT)
		return found->before == 0;
	return found->change * change > 0 && fabs(found->change) >= least_share * fabs(change);
}

/* --- the plan --- */

struct planning {
	struct arena *arena;
	const struct gate_result *gate;
	struct explain_plan *plan;
};

static struct gate_older_runs *need(const struct planning *p, const struct comparison *one,
				    size_t point)
{
	struct gate_older_list *needed = &p->plan->needed;
	return gate_need_runs(p->arena, needed, p->gate, one, point);
}

static void add_sides(const struct planning *p, struct comparison *one,
		      const struct gate_older_runs *before, const struct gate_older_runs *after,
		      const char *since)
{
	p->plan->sides[p->plan->count++] = (struct explain_sides){one, before, after, since};
}

/* What the median runs of both sides show without their details. */
static bool sides_are_what_was_judged(const struct comparison *one)
{
	struct arena scratch = {0};
	const struct run *before = representative_median(&scratch, &one->series->baseline);
	const struct run *after = representative_median(&scratch, &one->series->candidate);
	struct explanation numbers = explain_numbers(before, after, one->metric);
	arena_free(&scratch);
	return is_what_was_judged(one, &numbers);
}

/* Uses the newest commit whose value is near the baseline's; does nothing if there is none. */
static void plan_since_level(const struct planning *p, struct comparison *one)
{
	static const double near = 0.25; /* as a share of the explained change */
	const struct history_points *points = &one->history.points;
	double level = one->judged.baseline, least = near * fabs(one->judged.candidate - level);
	size_t at = points->count;
	while (at > 0 && !(fabs(points->items[at - 1].value - level) <= least))
		at--;
	if (at == 0 || !p->gate->input->histories)
		return;
	const char *oid = gate_revision_at(p->gate, one, at - 1)->oid;
	add_sides(p, one, need(p, one, at - 1), NULL, arena_prefix(p->arena, oid, 10));
}

static void plan_change(const struct planning *p, struct comparison *one)
{
	size_t at = one->change->index;
	if (at == 0)
		return;
	if (!one->before_change)
		one->before_change = need(p, one, at - 1);
	if (!one->after_change && at < one->history.points.count)
		one->after_change = need(p, one, at);
	add_sides(p, one, one->before_change, one->after_change, NULL);
}

/* The series that are explained, by their index in the gate's list. */
static const bool *explained_series(struct arena *arena, const struct gate_result *gate,
				    struct explain_plan *plan)
{
	const struct gate_series *first = gate->input->series->items;
	bool *wanted = arena_array(arena, gate->series + 1, sizeof *wanted);
	plan->series = arena_array(arena, gate->series + 1, sizeof *plan->series);
	for (size_t i = 0; i < gate->count && i < MOST_DETAILED; i++)
		if (is_asked(&gate->comparisons[i]))
			wanted[gate->comparisons[i].series - first] = true;
	for (size_t i = 0; i < gate->series; i++)
		if (wanted[i])
			plan->series[plan->series_count++] = &first[i];
	return wanted;
}

struct explain_plan explain_plan(struct arena *arena, const struct gate_result *gate)
{
	struct explain_plan plan = {
		.sides = arena_array(arena, gate->count + 1, sizeof *plan.sides),
	};
	const struct planning p = {arena, gate, &plan};
	const bool *wanted = explained_series(arena, gate, &plan);
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		if (!is_asked(one) || !wanted[one->series - gate->input->series->items])
			continue;
		if (one->change)
			plan_change(&p, one);
		else if (one->judged.method == METHOD_LIMIT || sides_are_what_was_judged(one))
			add_sides(&p, one, NULL, NULL, NULL);
		else
			plan_since_level(&p, one);
	}
	return plan;
}

/* --- the answers --- */

static const struct explanation *explain(struct arena *arena, const struct explain_sides *sides)
{
	const struct comparison *one = sides->one;
	const struct run_list *before =
		sides->before ? &sides->before->runs : &one->series->baseline;
	const struct run_list *after = sides->after ? &sides->after->runs : &one->series->candidate;
	struct explanation *found = arena_new(arena, struct explanation);
	*found = explain_since(arena, representative_median(arena, before),
			       representative_median(arena, after), one->metric, sides->since);
	/* An uncertain difference gets no reason. */
	bool perhaps = one->judged.verdict == VERDICT_UNDECIDED && !explain_is_worth(found);
	if (perhaps || !is_what_was_judged(one, found))
		found->text = NULL;
	return found;
}

void explain_gate(struct arena *arena, const struct explain_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		plan->sides[i].one->why = explain(arena, &plan->sides[i]);
}
