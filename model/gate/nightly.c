/* The comparisons of a nightly gate, by what they mean for those who saw the last one. */
#include "model/gate/nightly.h"

#include <math.h>
#include <stdlib.h>

#include "model/gate/internal.h"
#include "model/gate/trend.h"

const char *night_group_name(enum night_group group)
{
	static const char *const names[] = {"newly",   "suspect", "fixed",     "improved", "still",
					    "missing", "stale",   "undecided", "new",      "quiet"};
	return names[group];
}

/* A change that left the window made nothing good: the level itself must have become better. */
static bool was_repaired(struct arena *arena, const struct gate *gate, const struct comparison *one)
{
	if (!one->already && !gate_was_bad(gate, one))
		return false;
	struct trend trend = trend_of_comparison(arena, gate, one);
	for (size_t i = trend.change_count; i-- > 0;)
		if (trend.changes[i].confirmed)
			return trend.changes[i].better;
	return false;
}

/* Whether the commit before missed the limit, too. */
static bool missed_before(const struct comparison *one)
{
	const struct history_points *points = &one->record.points;
	double last = points->count ? points->items[points->count - 1].value : NAN;
	return last < one->policy->at_least || last > one->policy->at_most;
}

static enum night_group group_of(const struct gate *gate, const struct comparison *one)
{
	static const enum night_group groups[VERDICT_LIMIT] = {
		[VERDICT_REGRESSED] = NIGHT_NEWLY,
		[VERDICT_FAILED] = NIGHT_NEWLY,
		[VERDICT_CREEP] = NIGHT_NEWLY,
		[VERDICT_MISSING] = NIGHT_MISSING,
		[VERDICT_INCOMPARABLE] = NIGHT_MISSING,
		[VERDICT_SUSPECT] = NIGHT_SUSPECT,
		[VERDICT_ENVIRONMENT] = NIGHT_SUSPECT,
		[VERDICT_UNDECIDED] = NIGHT_UNDECIDED,
		[VERDICT_NO_BASELINE] = NIGHT_NEW,
		[VERDICT_STALE] = NIGHT_STALE,
		[VERDICT_NEW] = NIGHT_NEW,
		[VERDICT_ACCEPTED] = NIGHT_QUIET,
		[VERDICT_IMPROVED] = NIGHT_IMPROVED,
		[VERDICT_UNCHANGED] = NIGHT_QUIET,
		[VERDICT_HELD] = NIGHT_QUIET,
	};
	enum night_group group = groups[one->judged.verdict];
	bool good = group == NIGHT_IMPROVED || one->judged.verdict == VERDICT_UNCHANGED ||
		    one->judged.verdict == VERDICT_HELD;
	bool limit = one->judged.method == METHOD_LIMIT;
	if (group == NIGHT_NEWLY && (limit ? missed_before(one) : one->already))
		return NIGHT_STILL;
	if (!good)
		return group;
	struct arena scratch = {0};
	bool fixed = was_repaired(&scratch, gate, one);
	arena_free(&scratch);
	return fixed ? NIGHT_FIXED : group;
}

/* How far a comparison with creep drifted, above 0 for the worse, relative; NAN without. */
static double drift_of(const struct comparison *one)
{
	if (!one->creep_words)
		return NAN;
	return one->creep_release.flagged ? one->creep_release.drift : one->creep_best.drift;
}

static int by_drift(const void *a, const void *b)
{
	double x = drift_of(*(const struct comparison *const *)a);
	double y = drift_of(*(const struct comparison *const *)b);
	return (x < y) - (x > y);
}

/* What one commit did, accepted or not, is no drift. */
static bool by_one_step(const struct comparison *one)
{
	return one->judged.verdict == VERDICT_REGRESSED ||
	       (one->judged.verdict == VERDICT_ACCEPTED && one->change);
}

static void add(struct arena *arena, const struct gate *gate, struct night_list *list,
		const struct comparison *one)
{
	if (!list->items)
		list->items = arena_array(arena, gate->count, sizeof *list->items);
	list->items[list->count++] = one;
}

static void note_before(const struct comparison *one, struct night *night)
{
	const struct gate_series *series = one->series;
	bool newer =
		night->age < 0 || (series->baseline_age >= 0 && series->baseline_age < night->age);
	if (!series->baseline_revision || (night->before && !newer))
		return;
	night->before = series->baseline_revision;
	night->age = series->baseline_age;
}

struct night night_of(struct arena *arena, const struct gate *gate)
{
	struct night night = {.age = -1};
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		note_before(one, &night);
		if (one->policy->role == POLICY_CONTEXT)
			continue;
		add(arena, gate, &night.groups[group_of(gate, one)], one);
		if (one->creep_words && !by_one_step(one))
			add(arena, gate, &night.drifts, one);
	}
	if (night.drifts.count)
		qsort(night.drifts.items, night.drifts.count, sizeof *night.drifts.items, by_drift);
	return night;
}
