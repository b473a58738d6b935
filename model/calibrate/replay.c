/* Replays the gate at every commit of the history. */

#include "model/calibrate/calibrate.h"
#include "model/changepoint/changepoint.h"
#include "model/gate/gate.h"
#include "model/verdict/verdicts.h"

/* Position of the walk in one series. */
struct stand {
	size_t point, level;
	struct gate_series side;    /* its candidate: the runs at the commit */
	struct history history;     /* empty; only its presence counts */
	size_t first_run, run_room; /* in its history */
	size_t metric;              /* index in the set */
};

struct walk {
	struct arena *arena;
	struct calibration *c;
	struct stand *stands;
	struct gate_input input;
	struct gate_result gate;
	struct arena scratch;
	size_t *judged; /* index of the series of each comparison of the call */
};

/* --- one call --- */

/* Whether the commit is replayed: enough commits of its segment came before it to confirm the
 * change, and it is not among the newest, which may begin another segment. */
static bool is_replayed(const struct calibrate_series *one, const struct stand *stand)
{
	const struct detect_options options = detect_defaults();
	size_t from = one->starts[stand->level];
	size_t wait = stand->level ? options.least_after : 1;
	return stand->point >= from + wait &&
	       stand->point + options.least_after <= one->points.count;
}

/* Puts the commit's values into run objects that are reused by every call. */
static void set_candidate(struct walk *walk, const struct calibrate_series *one,
			  struct stand *stand)
{
	const struct history *history = one->history;
	const double *values = history->values + stand->metric * history->run_count;
	uint32_t commit = one->points.items[stand->point].commit;
	size_t used = 0;
	while (history->runs[stand->first_run].commit > commit)
		stand->first_run++;
	for (size_t i = stand->first_run;
	     i < history->run_count && history->runs[i].commit == commit; i++) {
		if (!isfinite(values[i]))
			continue;
		if (used == stand->run_room) {
			struct run *run = arena_new(walk->arena, struct run);
			*run = *history->identity;
			stand->side.candidate.count = used;
			run_list_add(walk->arena, &stand->side.candidate, run);
			stand->run_room++;
		}
		assert(stand->side.candidate.items);
		struct run *run = stand->side.candidate.items[used++];
		run_set(run, one->metric, values[i], PROVENANCE_MEASURED);
	}
	stand->side.candidate.count = used;
	/* A point is the location of at least one value. */
	assert(used > 0 && stand->side.candidate.items);
}

static void add_comparison(struct walk *walk, size_t index)
{
	const struct calibrate_series *one = &walk->c->series[index];
	struct stand *stand = &walk->stands[index];
	const size_t most = judge_defaults().most;
	size_t from = one->starts[stand->level], before = stand->point - from;
	if (before > most) {
		from = stand->point - most;
		before = most;
	}
	set_candidate(walk, one, stand);
	/* After a change the gate uses the noise of the segment before. */
	double pooled = stand->level && !isnan(one->noise) ? one->noise : one->pooled;
	walk->judged[walk->gate.count] = index;
	walk->gate.comparisons[walk->gate.count++] = (struct comparison){
		.series = &stand->side,
		.run = stand->side.candidate.items[0],
		.policy = one->now,
		.metric = one->metric,
		.first = VERDICT_LIMIT,
		.second = VERDICT_LIMIT,
		.history = {.points = {one->points.items + from, before},
			    .noise = one->noise,
			    .noise_of_all = NAN,
			    .pooled = pooled},
	};
}

/* --- results of a call --- */

/* The step that nearly all commits of the history stay below; no condition depends on larger
 * ones. */
static double exceeded_step(const struct calibrate_series *one, const struct comparison *comparison)
{
	enum { MOST_SEEN = 8, LEAST_RANKED = 20 };
	double top[MOST_SEEN] = {0};
	const struct judge_result *r = &comparison->judged.result;
	double limit = r->gates[JUDGE_GATE_SEEN].limit;
	size_t wanted = limit < MOST_SEEN ? (size_t)limit + 1 : MOST_SEEN, have = 0;
	const struct excursion *away = &r->away;
	for (size_t i = 0; i < comparison->history.points.count; i++) {
		if (i >= away->first && i < away->first + away->count)
			continue;
		double value = comparison->history.points.items[i].value;
		bool full = have == wanted;
		size_t at = full ? wanted - 1 : have++;
		value = one->over ? 1 / value : value;
		if (full && value <= top[at])
			continue;
		while (at > 0 && top[at - 1] < value) {
			top[at] = top[at - 1];
			at--;
		}
		top[at] = value;
	}
	if (have < wanted)
		return -HUGE_VAL;
	return r->relative ? log(top[wanted - 1] / r->level)
			   : (top[wanted - 1] - r->level) / fabs(r->level);
}

static void add_trial(struct calibrate_series *one, const struct comparison *comparison)
{
	const struct judge_result *r = &comparison->judged.result;
	bool either = policy_direction(comparison->policy, one->metric) == METRIC_NEITHER;
	struct calibrate_trial *trial = &one->trials[one->trial_count++];
	trial->commit =
		comparison->history.points.items[comparison->history.points.count - 1].commit;
	trial->worse = r->slower || either;
	trial->passes = r->gates[JUDGE_GATE_SEEN].passed && r->gates[JUDGE_GATE_REPEATS].passed &&
			r->gates[JUDGE_GATE_KNOWN].passed;
	trial->environment = comparison->judged.verdict == VERDICT_ENVIRONMENT;
	trial->older = comparison->older;
	trial->df = (float)r->df;
	trial->p = r->slower || !either ? r->p : r->p_faster;
	trial->q = r->slower ? comparison->judged.q : comparison->judged.q_faster;
	trial->step = r->relative ? log1p(r->effect) : r->effect;
	trial->error = r->error;
	trial->ruled_out = r->relative ? log1p(r->ruled_out) : r->ruled_out;
	trial->exceeded = exceeded_step(one, comparison);
	/* If both directions count, steps are turned to the worse. */
	if (either && !r->slower) {
		trial->ruled_out -= 2 * trial->step;
		trial->step = -trial->step;
	}
}

static bool is_flagged(enum verdict verdict)
{
	return verdict == VERDICT_REGRESSED || verdict == VERDICT_SUSPECT;
}

static bool count_verdict(const struct walk *walk, const struct comparison *comparison,
			  struct calibrate_series *one)
{
	struct calibrate_tally *tally = &one->before;
	enum verdict verdict = comparison->judged.verdict;
	if (!comparison->judged.result.gates[JUDGE_GATE_COMMITS].passed)
		return false;
	tally->judged++;
	tally->flagged += is_flagged(verdict);
	tally->undecided += verdict == VERDICT_UNDECIDED;
	tally->environment += verdict == VERDICT_ENVIRONMENT;
	one->call_size = walk->gate.count;
	add_trial(one, comparison);
	return is_flagged(verdict);
}

static void ask_gate(struct walk *walk)
{
	struct calibration *c = walk->c;
	size_t flagged = 0;
	if (walk->gate.count == 0)
		return;
	gate_decide_each(&walk->scratch, &walk->gate);
	gate_decide_together(&walk->scratch, &walk->gate);
	for (size_t i = 0; i < walk->gate.count; i++)
		flagged += count_verdict(walk, &walk->gate.comparisons[i],
					 &c->series[walk->judged[i]]);
	c->calls++;
	c->calls_flagged += flagged > 0;
	walk->gate.count = 0;
	arena_free(&walk->scratch);
}

/* --- the walk --- */

static void prepare(struct walk *walk)
{
	struct calibration *c = walk->c;
	walk->stands = arena_array(walk->arena, c->count + 1, sizeof *walk->stands);
	walk->judged = arena_array(walk->arena, c->count + 1, sizeof *walk->judged);
	walk->gate.comparisons =
		arena_array(walk->arena, c->count + 1, sizeof *walk->gate.comparisons);
	walk->input = (struct gate_input){.settings = c->settings, .histories = c->set};
	walk->gate.input = &walk->input;
	for (size_t i = 0; i < c->count; i++) {
		struct calibrate_series *one = &c->series[i];
		struct stand *stand = &walk->stands[i];
		stand->side = (struct gate_series){.key = one->history->series,
						   .run = one->history->identity,
						   .history = one->history,
						   .baseline_age = -1};
		while (c->set->metrics[stand->metric] != one->metric)
			stand->metric++;
		one->trials = arena_array(walk->arena, one->points.count, sizeof *one->trials);
	}
}

void calibrate_replay(struct arena *arena, struct calibration *c)
{
	struct walk walk = {.arena = arena, .c = c};
	prepare(&walk);
	for (size_t commit = c->set->chain_count; commit-- > 0;) {
		for (size_t i = 0; i < c->count; i++) {
			const struct calibrate_series *one = &c->series[i];
			struct stand *stand = &walk.stands[i];
			if (stand->point == one->points.count ||
			    one->points.items[stand->point].commit != commit)
				continue;
			if (stand->level + 1 < one->levels &&
			    one->starts[stand->level + 1] == stand->point)
				stand->level++;
			if (is_replayed(one, stand))
				add_comparison(&walk, i);
			stand->point++;
		}
		ask_gate(&walk);
	}
	for (size_t i = 0; i < c->count; i++) {
		calibrate_add(&c->before, &c->series[i].before);
		if (c->series[i].group != SIZE_MAX)
			calibrate_add(&c->groups[c->series[i].group].before, &c->series[i].before);
	}
}
