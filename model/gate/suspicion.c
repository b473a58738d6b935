/* The open suspicion of a nightly gate: the newest commits that are all no better than the
 * candidate, and too few for a confirmed change. The record ends before them, so that a slow night
 * never becomes its own baseline. Each further commit that shows the same is one more measurement.
 */
#include "model/gate/internal.h"
#include "model/statistics/statistics.h"

enum {
	LEAST_RECORD = 3, /* commits that are left for a nightly gate to judge by */
	MOST_OPEN = 9,    /* commits in a suspicion; the detector confirms a change after five */
};
/* A commit is no better than the candidate from this share of the way on that leads from the record
 * to it. */
static const double no_better = 0.5;
/* A suspicion with this many commits is a regression below this p (docs/user/verdicts.md, "Every
 * night"). */
static const double severe[] = {0, 0, 1e-6, 1e-4, 1e-3};

/* The candidate and the commits before it; lower is better. */
struct tail {
	const double *values; /* the last one is the candidate's */
	size_t count;
	size_t record; /* the first commit of the record */
	size_t start;  /* the first commit of the suspicion */
	size_t fixed;  /* commits before it that are left out: see without_fixed() */
};

static bool is_no_better(double value, double level, double now)
{
	return value - level >= no_better * (now - level);
}

static double level_of(struct arena *arena, const struct tail *tail, size_t end)
{
	double *sorted = arena_array(arena, end - tail->record, sizeof *sorted);
	memcpy(sorted, tail->values + tail->record, (end - tail->record) * sizeof *sorted);
	return median_in_place(sorted, end - tail->record);
}

/* The level of the suspicion. */
static double level_of_tail(struct arena *arena, const struct tail *tail)
{
	size_t count = tail->count - tail->start;
	double *sorted = arena_array(arena, count, sizeof *sorted);
	memcpy(sorted, tail->values + tail->start, count * sizeof *sorted);
	return median_in_place(sorted, count);
}

/* Moves the start back over the commits that are no better than the candidate. At least `least`
 * commits are left. */
static void extend(struct arena *arena, struct tail *tail, size_t least)
{
	double now = tail->values[tail->count - 1];
	tail->start = tail->count - 1;
	while (tail->count - tail->start <= MOST_OPEN && tail->start - tail->record > least) {
		size_t before = tail->start - 1;
		double level = level_of(arena, tail, before);
		if (now <= level || !is_no_better(tail->values[before], level, now))
			break;
		tail->start = before;
	}
}

/* What was no better once, for several commits, and was fixed has not been accepted by that: where
 * it comes back, those commits are left out. A second such stretch is a mode of the series, and a
 * single commit an accident that may happen again. */
static struct tail without_fixed(struct arena *arena, const struct tail *tail)
{
	double now = tail->values[tail->count - 1], level = level_of(arena, tail, tail->start);
	size_t from = 0, to = 0, spells = 0;
	for (size_t i = 0; i < tail->start; i++) {
		bool is = is_no_better(tail->values[i], level, now);
		if (is && (i == 0 || to < i)) {
			spells++;
			from = i;
		}
		to = is ? i + 1 : to;
	}
	size_t size = to - from, inside = from >= tail->record ? size : 0;
	if (now <= level || spells != 1 || size < 2 || (from < tail->record && to > tail->record) ||
	    tail->start - tail->record < inside + LEAST_RECORD)
		return *tail;
	double *values = arena_array(arena, tail->count, sizeof *values);
	memcpy(values, tail->values, from * sizeof *values);
	memcpy(values + from, tail->values + to, (tail->count - to) * sizeof *values);
	return (struct tail){values, tail->count - size, tail->record - (size - inside),
			     tail->start - size, size};
}

/* The probability that noise alone makes the commits from the start of the suspicion to `end` this
 * slow. */
static double chance_of(const struct tail *tail, size_t end)
{
	end -= tail->fixed;
	return detect_chance(tail->values + tail->record, end - tail->record,
			     tail->start - tail->record) /
	       2;
}

/* Whether the commits up to `end` are beyond doubt: beyond chance, and beyond every earlier
 * commit. */
static bool is_severe(const struct tail *tail, size_t end)
{
	enum { LAST = sizeof severe / sizeof *severe - 1 };
	size_t size = end - tail->fixed - tail->start;
	double worst = -HUGE_VAL, least = HUGE_VAL;
	for (size_t i = 0; i < tail->start; i++)
		worst = fmax(worst, tail->values[i]);
	for (size_t i = tail->start; i < tail->start + size; i++)
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
	return (struct tail){values, count + 1, history->start, count, 0};
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
	bool was = tail.start > tail.record && end > tail.start + 1;
	if (was) {
		tail = without_fixed(&scratch, &tail);
		was = is_severe(&tail, end);
	}
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
	size_t count = tail.count, start = tail.start;
	tail = without_fixed(&scratch, &tail);
	const struct comparison before = *one;
	struct judgement alone = history->open ? gate_judge_measurements(arena, one) : *judged;
	/* A night that is better by chance alone does not end what the others show. */
	double together = level_of_tail(&scratch, &tail);
	bool worse =
		gate_is_worse_than(one, alone.baseline, alone.candidate) ||
		(history->open > 1 &&
		 gate_is_worse_than(one, alone.baseline, verdict_turned(judged->turn, together)) &&
		 is_no_better(tail.values[tail.count - 1],
			      verdict_turned(judged->turn, alone.baseline), together));
	/* Together they may be beyond chance where the candidate alone is not. */
	bool is_open = history->open > 0 && !isnan(alone.result.scale) &&
		       (alone.verdict == VERDICT_REGRESSED ||
			(worse && chance_of(&tail, count) < severe[2]));
	if (is_open) {
		double p = chance_of(&tail, count);
		bool red = is_severe(&tail, count) || one->second == VERDICT_REGRESSED ||
			   !one->policy->confirm;
		one->p = p;
		size_t end = gate_night_before(gate, one);
		one->already = end > start + 1 && is_severe(&tail, end);
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

/* The newest commits are no better than the candidate, so that the record, of which they are a
 * part, says nothing: without them it would be worse. Then the reason names the newest one. */
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
