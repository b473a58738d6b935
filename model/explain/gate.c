/* Which two runs of a comparison are explained, and when. */
#include <math.h>

#include "model/explain/internal.h"
#include "model/gate/gate.h"
#include "model/run/representative.h"

bool explain_is_asked(const struct comparison *one)
{
	if (one->series->bare)
		return false;
	switch (one->judged.verdict) {
	case VERDICT_UNCHANGED:
	case VERDICT_HELD:
	case VERDICT_NEW:
	case VERDICT_NO_BASELINE:
	case VERDICT_MISSING:
	case VERDICT_INCOMPARABLE:
		return false;
	default:
		return one->policy->role == POLICY_PRIMARY;
	}
}

static const struct run *median_at(struct arena *arena, const struct gate *gate,
				   const struct comparison *one, size_t point)
{
	const struct history_points *points = &one->record.points;
	struct run_list runs = {0};
	if (point >= points->count)
		return repeats_median(arena, &one->series->candidate);
	if (gate->load_runs)
		gate->load_runs(gate->load_context, one->series->key, points->items[point].commit,
				&runs);
	return repeats_median(arena, &runs);
}

static struct explanation explain_sides_of(struct arena *arena, const struct gate *gate,
					   const struct comparison *one)
{
	const struct gate_series *series = one->series;
	if (!one->change)
		return explain_runs(arena, repeats_median(arena, &series->baseline),
				    repeats_median(arena, &series->candidate), one->metric);
	if (one->change->index == 0)
		return explain_runs(arena, NULL, NULL, one->metric);
	return explain_runs(arena, median_at(arena, gate, one, one->change->index - 1),
			    median_at(arena, gate, one, one->change->index), one->metric);
}

/* The newest commit that was as the baseline is said to be: nothing where there is none. */
static struct explanation explain_since_level(struct arena *arena, const struct gate *gate,
					      const struct comparison *one)
{
	static const double near = 0.25; /* of the change that is explained */
	const struct history_points *points = &one->record.points;
	double level = one->judged.baseline, least = near * fabs(one->judged.candidate - level);
	size_t at = points->count;
	while (at > 0 && !(fabs(points->items[at - 1].value - level) <= least))
		at--;
	if (at == 0 || !gate->set || !gate->load_runs)
		return explain_runs(arena, NULL, NULL, one->metric);
	const char *oid = gate_revision_at(gate, one, at - 1)->oid;
	return explain_since(arena, median_at(arena, gate, one, at - 1),
			     repeats_median(arena, &one->series->candidate), one->metric,
			     arena_strndup(arena, oid, 10));
}

bool explain_is_worth(const struct explanation *found)
{
	static const double least = 0.01;
	return found->text && (fabs(found->change) >= least || found->cause == EXPLAIN_CODE);
}

/* Two runs stand for what was judged when they differ as it does: the level of a record, or the
 * best one, may lie elsewhere than its newest commit. */
static bool is_what_was_judged(const struct comparison *one, const struct explanation *found)
{
	static const double least_share = 0.5;
	double change = one->judged.change;
	if (one->judged.method == METHOD_LIMIT)
		return explain_is_worth(found);
	/* From nothing to something. */
	if (isnan(change) && one->judged.method == METHOD_EXACT)
		return found->before == 0;
	return found->change * change > 0 && fabs(found->change) >= least_share * fabs(change);
}

static struct explanation find_out(struct arena *arena, const struct gate *gate,
				   const struct comparison *one)
{
	struct explanation found = explain_sides_of(arena, gate, one);
	if (!one->change && one->judged.method != METHOD_LIMIT && !is_what_was_judged(one, &found))
		found = explain_since_level(arena, gate, one);
	/* What is perhaps no difference has perhaps no reason. */
	bool perhaps = one->judged.verdict == VERDICT_UNDECIDED && !explain_is_worth(&found);
	if (perhaps || !is_what_was_judged(one, &found))
		found.text = NULL;
	return found;
}

struct explanation explain_comparison(struct arena *arena, const struct gate *gate,
				      const struct comparison *one)
{
	struct comparison_why *why = one->why;
	if (!why)
		return find_out(arena, gate, one);
	if (!why->found) {
		struct explanation *found = arena_new(why->arena, struct explanation);
		*found = find_out(why->arena, gate, one);
		why->found = found;
	}
	return *why->found;
}
