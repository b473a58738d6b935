/* Groups the comparisons of a nightly gate by what is new since the previous run. */
#include "model/periodic/nightly.h"

#include "model/gate/gate.h"
#include "model/trend/trend.h"

const char *nightly_group_name(enum nightly_group group)
{
	static const char *const names[] = {"newly",   "suspect", "fixed",     "improved", "still",
					    "missing", "stale",   "undecided", "new",      "quiet"};
	return names[group];
}

/* The newest value of the night before; NAN: none. */
static double last_of(const struct gate_result *gate, const struct comparison *one)
{
	size_t count = gate_night_before(gate, one);
	return count ? one->history.points.items[count - 1].value : NAN;
}

/* Whether the night before was as good as the candidate, by at least half of the gain. */
static bool as_good_before(const struct gate_result *gate, const struct comparison *one)
{
	double half = (one->judged.baseline + one->judged.candidate) / 2;
	double last = last_of(gate, one);
	return one->judged.candidate < one->judged.baseline ? last < half : last > half;
}

/* Whether the night before missed the limit, too. */
static bool missed_before(const struct gate_result *gate, const struct comparison *one)
{
	double last = last_of(gate, one);
	return last < one->policy->at_least || last > one->policy->at_most;
}

static enum nightly_group group_of(const struct gate_result *gate, const struct comparison *one)
{
	static const enum nightly_group groups[VERDICT_LIMIT] = {
		[VERDICT_REGRESSED] = NIGHTLY_NEWLY,   [VERDICT_FAILED] = NIGHTLY_NEWLY,
		[VERDICT_DRIFT] = NIGHTLY_NEWLY,       [VERDICT_IMPOSSIBLE] = NIGHTLY_NEWLY,
		[VERDICT_MISSING] = NIGHTLY_MISSING,   [VERDICT_INCOMPARABLE] = NIGHTLY_MISSING,
		[VERDICT_SUSPECT] = NIGHTLY_SUSPECT,   [VERDICT_ENVIRONMENT] = NIGHTLY_SUSPECT,
		[VERDICT_UNPROVEN] = NIGHTLY_SUSPECT,  [VERDICT_UNDECIDED] = NIGHTLY_UNDECIDED,
		[VERDICT_NO_BASELINE] = NIGHTLY_NEW,   [VERDICT_STALE] = NIGHTLY_STALE,
		[VERDICT_NEW] = NIGHTLY_NEW,           [VERDICT_ACCEPTED] = NIGHTLY_QUIET,
		[VERDICT_IMPROVED] = NIGHTLY_IMPROVED, [VERDICT_UNCHANGED] = NIGHTLY_QUIET,
		[VERDICT_HELD] = NIGHTLY_QUIET,
	};
	enum nightly_group group = groups[one->judged.verdict];
	bool limit = one->judged.method == METHOD_LIMIT;
	if (group == NIGHTLY_NEWLY && (limit ? missed_before(gate, one) : one->already))
		return NIGHTLY_STILL;
	if (one->recovered)
		return NIGHTLY_FIXED;
	return group == NIGHTLY_IMPROVED && as_good_before(gate, one) ? NIGHTLY_QUIET : group;
}

/* Relative drift of the comparison, above 0 for the worse; NAN without drift. */
static double drift_of(const struct comparison *one)
{
	if (!one->drift_reason)
		return NAN;
	return one->drift_release.flagged ? one->drift_release.drift : one->drift_best.drift;
}

static int by_drift(const void *a, const void *b)
{
	double x = drift_of(((const struct nightly_row *)a)->one);
	double y = drift_of(((const struct nightly_row *)b)->one);
	return (x < y) - (x > y);
}

/* A change made by one commit, accepted or not, is not a drift. */
static bool by_one_step(const struct comparison *one)
{
	return one->judged.verdict == VERDICT_REGRESSED ||
	       (one->judged.verdict == VERDICT_ACCEPTED && one->change);
}

static void add(struct arena *arena, const struct gate_result *gate, struct nightly_list *list,
		const struct comparison *one)
{
	if (!list->rows)
		list->rows = arena_array(arena, gate->count, sizeof *list->rows);
	list->rows[list->count++] = (struct nightly_row){.one = one};
}

static void note_before(const struct comparison *one, struct nightly *nightly)
{
	const struct gate_series *series = one->series;
	bool newer = nightly->age < 0 ||
		     (series->baseline_age >= 0 && series->baseline_age < nightly->age);
	if (!series->baseline_revision || (nightly->before && !newer))
		return;
	nightly->before = series->baseline_revision;
	nightly->age = series->baseline_age;
}

/* --- rows --- */

struct nightly_row nightly_row_of(struct arena *arena, const struct gate_result *gate,
				  const struct comparison *one)
{
	struct arena scratch = {0};
	struct nightly_row row = {.one = one};
	row.spark = arena_strdup(arena, gate_trend_of(&scratch, gate, one).spark);
	arena_free(&scratch);
	return row;
}

static void show(struct arena *arena, const struct gate_result *gate, struct nightly_list *list,
		 size_t shown)
{
	for (size_t i = 0; i < list->count && i < shown; i++) {
		const struct comparison *one = list->rows[i].one;
		uint32_t place;
		list->rows[i] = nightly_row_of(arena, gate, one);
		if (one->drift_reason && !by_one_step(one) && gate_drift_since(gate, one, &place))
			list->rows[i].drifting_since = &gate->input->histories->chain[place];
	}
}

struct nightly nightly_of(struct arena *arena, const struct gate_result *gate, size_t shown)
{
	struct nightly nightly = {.gate = gate, .age = -1};
	struct nightly_list *groups = nightly.groups;
	assert(gate->input->windowed);
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		note_before(one, &nightly);
		if (one->policy->role == POLICY_CONTEXT)
			continue;
		enum nightly_group group = group_of(gate, one);
		add(arena, gate, &groups[group], one);
		if (group == NIGHTLY_STILL && one->judged.verdict != VERDICT_DRIFT)
			add(arena, gate, &nightly.still_stepped, one);
		if (one->drift_reason && !by_one_step(one))
			add(arena, gate, &nightly.drifts, one);
	}
	array_sort(nightly.drifts.rows, nightly.drifts.count, sizeof *nightly.drifts.rows,
		   by_drift);
	for (int i = 0; i < NIGHTLY_LIMIT; i++)
		show(arena, gate, &groups[i], shown);
	show(arena, gate, &nightly.still_stepped, shown);
	show(arena, gate, &nightly.drifts, shown);
	return nightly;
}
