/* The open suspicion of a nightly gate: the newest commits that are all as bad as the candidate,
 * and too few for a confirmed change. The record ends before them, so that a bad night never
 * becomes its own baseline. Each further commit that shows the same is one more measurement. */
#include "model/gate/internal.h"
#include "model/statistics/statistics.h"

enum {
	LEAST_RECORD = 3, /* commits that are left for a nightly gate to judge by */
	MOST_OPEN = 9,    /* commits in a suspicion; the detector confirms a change after five */
};
/* A commit is as bad as the candidate from this share of the way on that leads from the record to
 * it. */
static const double as_bad = 0.5;
/* A suspicion with this many commits is a regression below this p (docs/user/verdicts.md, "Every
 * night"). */
static const double severe[] = {0, 0, 1e-6, 1e-4, 1e-3};

/* The candidate and the commits before it; lower is better. */
struct tail {
	const double *values; /* the last one is the candidate's */
	size_t count;
	size_t record; /* the first commit of the record */
	size_t start;  /* the first commit of the suspicion */
};

/* Moves the start back over the commits that are as bad as the candidate. At least `least` commits
 * are left. */
static void extend(struct arena *arena, struct tail *tail, size_t least)
{
	double now = tail->values[tail->count - 1];
	double *sorted = arena_array(arena, tail->count, sizeof *sorted);
	tail->start = tail->count - 1;
	while (tail->count - tail->start <= MOST_OPEN && tail->start - tail->record > least) {
		size_t before = tail->start - 1, record = before - tail->record;
		memcpy(sorted, tail->values + tail->record, record * sizeof *sorted);
		double level = median_in_place(sorted, record);
		if (now <= level || tail->values[before] - level < as_bad * (now - level))
			break;
		tail->start = before;
	}
}

/* The probability that noise alone makes the commits from the start of the suspicion to `end` this
 * bad. */
static double chance_of(const struct tail *tail, size_t end)
{
	return detect_chance(tail->values + tail->record, end - tail->record,
			     tail->start - tail->record) /
	       2;
}

/* Whether the commits up to `end` are beyond doubt: beyond chance, and beyond every earlier
 * commit. */
static bool is_severe(const struct tail *tail, size_t end)
{
	enum { LAST = sizeof severe / sizeof *severe - 1 };
	size_t size = end - tail->start;
	double worst = -HUGE_VAL, least = HUGE_VAL;
	for (size_t i = 0; i < tail->start; i++)
		worst = fmax(worst, tail->values[i]);
	for (size_t i = tail->start; i < end; i++)
		least = fmin(least, tail->values[i]);
	return least > worst && chance_of(tail, end) < severe[size < LAST ? size : LAST];
}

static struct tail tail_of(struct arena *arena, const struct comparison *one,
			   const struct judgement *judged)
{
	const struct gate_history *history = &one->history;
	size_t count = history->points.count;
	double *values = gate_values(arena, &history->points, 0);
	values[count] = judged->candidate;
	for (size_t i = 0; i <= count; i++)
		values[i] = verdict_turned(judged->turn, values[i]);
	return (struct tail){values, count + 1, history->start, count};
}

bool gate_was_severe(const struct comparison *one, const struct judgement *judged, size_t end)
{
	const struct gate_history *history = &one->history;
	struct arena scratch = {0};
	struct tail tail = tail_of(&scratch, one, judged);
	tail.record = 0;
	tail.start = one->change->index;
	for (size_t i = 0; i < history->detected.count; i++)
		if (history->detected.changes[i].index < tail.start)
			tail.record = history->detected.changes[i].index;
	bool was = tail.start > tail.record && end > tail.start + 1 && is_severe(&tail, end);
	arena_free(&scratch);
	return was;
}

static const struct detect_change *change_of(struct arena *arena, const struct comparison *one,
					     const struct judgement *judged, double p)
{
	struct detect_change *change = arena_new(arena, struct detect_change);
	const struct gate_history *history = &one->history;
	struct judge_interval interval = judge_interval(&judged->result);
	*change = (struct detect_change){
		.index = history->points.count - history->open,
		.before = judged->baseline,
		.after = judged->candidate,
		.effect = judged->change,
		.low = interval.low,
		.high = interval.high,
		.p = p,
		.rank_p = NAN,
		.count_before = history->points.count - history->open - history->start,
		.count_after = history->open + 1,
		.relative = judged->result.relative,
	};
	return change;
}

bool gate_judge_suspicion(struct arena *arena, const struct gate_result *gate,
			  struct comparison *one, struct judgement *judged)
{
	struct gate_history *history = &one->history;
	struct arena scratch = {0};
	if (!gate->input->windowed || isnan(judged->candidate) || history->points.count == 0)
		return false;
	struct tail tail = tail_of(&scratch, one, judged);
	extend(&scratch, &tail, LEAST_RECORD);
	history->open = tail.count - 1 - tail.start;
	const struct comparison before = *one;
	struct judgement alone = history->open ? gate_judge_measurements(arena, one) : *judged;
	/* Together they may be beyond chance where the candidate alone is not. */
	bool is_open = history->open > 0 && !isnan(alone.result.scale) &&
		       (alone.verdict == VERDICT_REGRESSED ||
			(gate_is_worse_than(one, alone.baseline, alone.candidate) &&
			 chance_of(&tail, tail.count) < severe[2]));
	if (is_open) {
		double p = chance_of(&tail, tail.count);
		bool red = is_severe(&tail, tail.count) || one->second == VERDICT_REGRESSED ||
			   !one->policy->confirm;
		one->p = p;
		size_t end = gate_night_before(gate, one);
		one->already = end > tail.start + 1 && is_severe(&tail, end);
		one->change = change_of(arena, one, &alone, p);
		*judged = alone;
		judged->method = METHOD_CHANGE_POINT;
		judged->verdict = red ? VERDICT_REGRESSED : VERDICT_SUSPECT;
		judged->reason = gate_since_message(arena, gate, one, true, history->open + 1, p);
	} else {
		*one = before;
		history->open = 0;
	}
	arena_free(&scratch);
	return is_open;
}

/* The newest commits are as bad as the candidate, so that the record, of which they are a part,
 * says nothing: without them it would be worse. Then the reason names the newest one. */
bool gate_blame_older(struct arena *arena, const struct gate_result *gate, struct comparison *one,
		      struct judgement *judged)
{
	struct gate_history *history = &one->history;
	struct arena scratch = {0};
	if (gate->input->windowed || gate->input->named || gate->input->best ||
	    judged->verdict != VERDICT_UNDECIDED || isnan(judged->candidate) ||
	    history->points.count == 0)
		return false;
	struct tail tail = tail_of(&scratch, one, judged);
	const struct comparison before = *one;
	extend(&scratch, &tail, 1);
	history->open = tail.count - 1 - tail.start;
	struct judgement alone = history->open ? gate_judge_measurements(arena, one) : *judged;
	one->older = alone.verdict == VERDICT_REGRESSED;
	if (one->older) {
		/* Among the others it counts as it was judged. */
		one->p = before.p;
		one->p_faster = before.p_faster;
		*judged = alone;
		judged->verdict = VERDICT_UNDECIDED;
		judged->reason = gate_older_message(arena, gate, one, alone.reason);
	} else {
		*one = before;
	}
	arena_free(&scratch);
	return one->older;
}
