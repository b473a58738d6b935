/* Small losses that no step shows: the level of the newest commits against a pinned release and the
 * best level on record. */
#include <math.h>

#include "model/gate.h"
#include "model/gate_parts.h"

/* Whole history of the comparison's metric and the candidate, fewer being better. */
static struct creep_series series_of(struct arena *arena, const struct gate *gate,
				     struct comparison *one)
{
	const struct gate_record *record = &one->record;
	struct history_points points = history_points(
		arena, one->series->history, gate_metric_place(gate, one->metric), gate->newest, 0);
	double *values = gate_values(arena, &points, 0);
	size_t count = points.count, pinned = 0;
	if (!isnan(one->judged.candidate))
		values[count++] = one->judged.candidate;
	one->creep_turn =
		verdict_turn_of(policy_direction(one->policy, one->metric), values, count);
	for (size_t i = 0; i < count; i++)
		values[i] = verdict_turned(one->creep_turn, values[i]);
	while (gate->pin_name && pinned < points.count && points.items[pinned].commit > gate->pin)
		pinned++;
	return (struct creep_series){values, count, pinned,
				     points.count - record->points.count + record->start};
}

static bool may_creep(const struct gate *gate, const struct comparison *one)
{
	return one->judged.method != METHOD_NONE && one->judged.method != METHOD_EXACT &&
	       one->judged.method != METHOD_LIMIT && one->record.points.count && !gate->best &&
	       policy_direction(one->policy, one->metric) != METRIC_NEITHER;
}

static void tell(struct arena *arena, const struct gate *gate, struct comparison *one,
		 const struct creep_result *found, const char *than)
{
	struct judgement *judged = &one->judged;
	one->creep_words = arena_printf(arena,
					"%.1f %% (%.1f to %.1f) worse than %s, by no single change "
					"of the last commits: %zu "
					"commits against %zu (p %.0e)",
					found->drift * 100, found->low * 100, found->high * 100,
					than, found->current_to - found->current_from,
					found->reference_to - found->reference_from, found->p);
	/* A change is judged by what it does; what crept in before it is for the nightly gate. */
	bool can = judged->verdict == VERDICT_UNCHANGED || judged->verdict == VERDICT_UNDECIDED ||
		   judged->verdict == VERDICT_IMPROVED;
	if (!gate->windowed || !can)
		return;
	judged->verdict = VERDICT_CREEP;
	judged->baseline = verdict_turned(one->creep_turn, found->reference);
	judged->candidate = verdict_turned(one->creep_turn, found->current);
	judged->change = (judged->candidate - judged->baseline) / fabs(judged->baseline);
	judged->reason = one->creep_words;
}

void gate_decide_creep(struct arena *arena, struct gate *gate)
{
	const struct creep_options release = creep_defaults(CREEP_RELEASE);
	const struct creep_options best = creep_defaults(CREEP_BEST);
	for (size_t i = 0; gate->settings->creep && i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		struct arena scratch = {0};
		if (!may_creep(gate, one))
			continue;
		struct creep_series series = series_of(&scratch, gate, one);
		if (gate->pin_name)
			one->creep_release = creep(&scratch, &series, &release);
		series.pinned = 0;
		one->creep_best = creep(&scratch, &series, &best);
		arena_free(&scratch);
		if (one->creep_release.flagged)
			tell(arena, gate, one, &one->creep_release, gate->pin_name);
		else if (one->creep_best.flagged)
			tell(arena, gate, one, &one->creep_best, "the best level on record");
		gate->crept += one->creep_words != NULL;
	}
}
