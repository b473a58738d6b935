/* Judges each comparison alone: chooses the values to compare and the method, and checks whether a
 * second measurement agrees. */

#include "model/gate/gate.h"
#include "model/gate/internal.h"
#include "model/roofline/roofline.h"
#include "model/statistics/statistics.h"

struct verdict_values gate_values_of_runs(struct arena *arena, const struct run_list *runs,
					  enum metric metric)
{
	double *values = arena_array(arena, runs->count + 1, sizeof *values);
	size_t count = 0;
	for (size_t i = 0; i < runs->count; i++) {
		double number = run_number(runs->items[i], metric);
		if (isfinite(number))
			values[count++] = number;
	}
	return (struct verdict_values){values, count};
}

double gate_median(const struct run_list *runs, enum metric metric)
{
	struct arena scratch = {0};
	struct verdict_values values = gate_values_of_runs(&scratch, runs, metric);
	double median = median_of(values.values, values.count);
	arena_free(&scratch);
	return median;
}

bool gate_any_incorrect(const struct run_list *runs)
{
	bool any = false;
	for (size_t i = 0; i < runs->count; i++)
		any = any || run_is_incorrect(runs->items[i]);
	return any;
}

static const struct message *why_impossible(struct arena *arena, const struct run_list *runs)
{
	const struct message *why = NULL;
	for (size_t i = 0; i < runs->count && !why; i++)
		why = time_floor_message(arena, runs->items[i]);
	return why;
}

static bool all_equal(struct verdict_values values)
{
	bool equal = true;
	for (size_t i = 1; i < values.count; i++)
		equal = equal && values.values[i] == values.values[0];
	return equal;
}

/* A baseline commit that is too old says little about this change. */
static bool is_stale(const struct gate_result *gate, const struct comparison *one, double *days)
{
	const struct revision *baseline = one->series->baseline_revision;
	if (one->policy->stale_days <= 0 || !baseline)
		return false;
	*days = (double)(gate->input->candidate.time - baseline->time) / 86400;
	return *days > one->policy->stale_days;
}

static struct judgement without(enum verdict verdict, const struct message *reason)
{
	return (struct judgement){.verdict = verdict,
				  .baseline = NAN,
				  .candidate = NAN,
				  .change = NAN,
				  .reason = reason,
				  .q = NAN,
				  .q_faster = NAN};
}

static struct run_list runs_with(struct arena *arena, const struct run_list *runs,
				 enum metric metric)
{
	struct run_list with = {0};
	for (size_t i = 0; i < runs->count; i++)
		if (isfinite(run_number(runs->items[i], metric)))
			run_list_add(arena, &with, runs->items[i]);
	return with;
}

/* The candidate's first measurement, and all later ones; the order of the runs is kept. */
static size_t split_measurements(struct arena *arena, const struct run_list *runs,
				 struct run_list *first, struct run_list *later)
{
	struct run **order = arena_array(arena, runs->count + 1, sizeof(struct run *));
	size_t measurements = runs->count > 0;
	for (size_t i = 0; i < runs->count; i++)
		order[i] = runs->items[i];
	run_sort_by_measurement(order, runs->count);
	for (size_t i = 1; i < runs->count; i++)
		measurements += run_by_measurement(order[i], order[i - 1]) != 0;
	for (size_t i = 0; i < runs->count; i++)
		run_list_add(arena, run_by_measurement(runs->items[i], order[0]) ? later : first,
			     runs->items[i]);
	return measurements;
}

/* Whether a commit is no better than the candidate: at least half way to it from the level.
 * All but the commit's value are turned. */
static bool is_no_better(const struct judgement *judged, double value, double level, double way)
{
	return (verdict_turned(judged->turn, value) - level) / way >= 0.5;
}

/* How many commits of a history may be no better than the candidate and still be accidents. */
static size_t most_no_better(size_t commits)
{
	enum { FOR_ONE = 8, FOR_TWO = 20 };
	return (commits >= FOR_ONE) + (commits >= FOR_TWO);
}

static size_t count_no_better(const struct judgement *judged, struct verdict_values past,
			      size_t newest)
{
	double level = verdict_turned(judged->turn, judged->baseline);
	double way = verdict_turned(judged->turn, judged->candidate) - level;
	size_t count = 0;
	for (size_t i = past.count - newest; i < past.count; i++)
		count += is_no_better(judged, past.values[i], level, way);
	return count;
}

/* What is undecided only because the history has been there is believed if it was there now and
 * then: such an accident is less likely than a change, and another measurement decides. */
static void believe_rare(struct arena *arena, const struct comparison *one,
			 struct verdict_values past, struct judgement *judged)
{
	static const double far = 10; /* standard deviations: beyond any noise */
	const struct judge_result *r = &judged->result;
	size_t looked_at = r->count + r->away.count;
	double least = fmax(far * r->scale, verdict_tolerated(one->policy, judged->baseline));
	bool either = policy_direction(one->policy, one->metric) == METRIC_NEITHER;
	if (!one->history.alone || judged->verdict != VERDICT_UNDECIDED || !(r->slower || either) ||
	    !gate_is_worse_than(one, judged->baseline, judged->candidate) ||
	    !(fabs(judged->change) >= least))
		return;
	for (size_t i = 0; i < JUDGE_GATE_LIMIT; i++)
		if (!r->gates[i].passed && i != JUDGE_GATE_SEEN && i != JUDGE_GATE_KNOWN)
			return;
	size_t seen = count_no_better(judged, past, looked_at);
	if (seen > most_no_better(looked_at))
		return;
	judged->verdict = VERDICT_REGRESSED;
	judged->no_better = seen;
	judged->reason =
		message_of(arena, MESSAGE_BUT_SEEN, message_number(r->slower ? r->p : r->p_faster),
			   message_integer(seen), message_integer(looked_at));
}

struct judgement gate_judge_values(struct arena *arena, const struct comparison *one,
				   struct verdict_values candidate)
{
	const struct gate_history *history = &one->history;
	struct arena scratch = {0};
	size_t end = gate_end_used(one);
	assert(history->start <= end);
	const double *values = gate_values(&scratch, &history->points, history->start);
	struct verdict_values past = {values, end - history->start};
	bool all = history->start == 0 && end == history->points.count;
	struct verdict_noise noise = {all ? history->noise_of_all : NAN, history->pooled};
	struct judgement judged =
		verdict_by_history(arena, one->policy, one->metric, past, noise, candidate);
	believe_rare(arena, one, past, &judged);
	arena_free(&scratch);
	return judged;
}

struct judgement gate_judge_runs(struct arena *arena, const struct comparison *one,
				 const struct run_list *runs)
{
	struct arena scratch = {0};
	struct judgement judged =
		gate_judge_values(arena, one, gate_values_of_runs(&scratch, runs, one->metric));
	arena_free(&scratch);
	return judged;
}

void gate_note_remeasure(struct arena *arena, size_t measurements, struct judgement *judged)
{
	if (judged->verdict == VERDICT_UNDECIDED)
		judged->reason = measurements > 1 ? message_of(arena, MESSAGE_REASON_REMEASURED,
							       message_part(judged->reason),
							       message_integer(measurements))
						  : message_of(arena, MESSAGE_REASON_REMEASURE,
							       message_part(judged->reason));
}

struct judgement gate_judge_measurements(struct arena *arena, struct comparison *one)
{
	struct run_list first = {0}, later = {0};
	struct run_list judged = gate_judged_runs(arena, one);
	struct run_list runs = runs_with(arena, &judged, one->metric);
	one->measurements = split_measurements(arena, &runs, &first, &later);
	struct judgement all = gate_judge_runs(arena, one, &runs);
	one->first = one->second = VERDICT_LIMIT;
	one->p = all.result.p;
	one->p_faster = all.result.p_faster;
	if (verdict_may_remeasure(&all.result))
		gate_note_remeasure(arena, one->measurements, &all);
	if (one->measurements < 2)
		return all;
	struct judgement early = gate_judge_runs(arena, one, &first);
	one->first = early.verdict;
	one->p = early.result.p;
	one->p_faster = early.result.p_faster;
	if (early.verdict != VERDICT_REGRESSED)
		return all;
	struct judgement late = gate_judge_runs(arena, one, &later);
	one->second = late.verdict;
	if (late.verdict == VERDICT_REGRESSED)
		return late;
	if (late.verdict == VERDICT_UNDECIDED) {
		late.reason = message_of(arena, MESSAGE_LATER_OPEN, message_part(late.reason));
		return late;
	}
	/* The later measurements disagree: the first one was an accident. */
	if (late.verdict != VERDICT_UNCHANGED)
		late.verdict = VERDICT_UNDECIDED;
	late.reason = message_plain(MESSAGE_LATER_NOT_WORSE);
	return late;
}

bool gate_is_worse_than(const struct comparison *one, double before, double now)
{
	enum metric_direction direction = policy_direction(one->policy, one->metric);
	double limit = policy_limit(one->policy, before, false), up = now - before;
	double loss = direction == METRIC_NEITHER  ? fabs(up)
		      : direction == METRIC_HIGHER ? -up
						   : up;
	return loss > 0 && loss >= limit;
}

/* The newest change for the worse in the window that still holds; else the newest one for the
 * better, unless the mean is just back at what it was when the window began. NULL: neither. */
static const struct detect_change *change_in_window(const struct gate_result *gate,
						    const struct comparison *one,
						    const struct detect_result *found, size_t count,
						    bool *worse)
{
	const struct detect_change *better = NULL;
	if (found->count == 0)
		return NULL;
	double now = found->changes[found->count - 1].after, gained = 0;
	for (size_t i = found->count; i-- > 0;) {
		const struct detect_change *change = &found->changes[i];
		double limit = policy_limit(one->policy, change->before, false);
		if (count - change->index > gate->input->settings->window)
			break;
		double up = now - change->before;
		*worse = gate_is_worse_than(one, change->before, now);
		if (*worse)
			return change;
		if (!better && fabs(up) >= limit)
			better = change;
		gained = fabs(up) - limit;
	}
	*worse = false;
	return gained >= 0 ? better : NULL;
}

bool gate_was_worse(const struct gate_result *gate, const struct comparison *one)
{
	const struct gate_history *history = &one->history;
	bool worse = false;
	return change_in_window(gate, one, &history->detected, history->points.count, &worse) &&
	       worse;
}

/* The candidate is back at the level before a change for the worse. The commit that brought it back
 * is better than the one before; those after it are unchanged. */
static void recover(struct arena *arena, const struct gate_result *gate, struct comparison *one,
		    struct judgement *judged)
{
	const struct detect_change *change = one->change;
	const struct history_points *points = &one->history.points;
	double newest = points->items[gate_night_before(gate, one) - 1].value;
	one->back = true;
	one->recovered = gate_is_worse_than(one, change->before, newest);
	one->already = false;
	judged->verdict = one->recovered ? VERDICT_IMPROVED : VERDICT_UNCHANGED;
	judged->baseline = one->recovered ? change->after : change->before;
	judged->change = (judged->candidate - judged->baseline) / fabs(judged->baseline);
	judged->reason =
		message_of(arena, MESSAGE_RECOVERED,
			   message_text(arena_prefix(
				   arena, gate_revision_at(gate, one, change->index)->oid, 10)));
}

const struct message *gate_since_message(struct arena *arena, const struct gate_result *gate,
					 const struct comparison *one, bool worse, size_t commits,
					 double p)
{
	const struct revision *first = gate_revision_at(gate, one, one->change->index);
	return message_of(arena, worse ? MESSAGE_WORSE_SINCE : MESSAGE_BETTER_SINCE,
			  message_text(arena_prefix(arena, first->oid, 10)),
			  message_integer(commits), message_number(p));
}

/* Whether the change was red the night before. A change that began tonight was not, even if enough
 * of tonight's commits confirm it. */
static bool was_red(const struct gate_result *gate, const struct comparison *one,
		    const struct judgement *judged)
{
	size_t end = gate_night_before(gate, one);
	bool tonight = end < one->history.points.count && one->change->index >= end;
	return !tonight && (gate_was_worse(gate, one) || gate_was_severe(one, judged, end));
}

/* At least half way from the level before the change to that after it: no recovery. */
static bool is_half_way(const struct judgement *judged, const struct detect_change *change)
{
	return (judged->candidate - change->before) / (change->after - change->before) >= 0.5;
}

/* The nightly question: is the candidate at a mean that some commit of the window made worse? If
 * so, fills `judged` and returns true. */
static bool by_history(struct arena *arena, const struct gate_result *gate, struct comparison *one,
		       struct judgement *judged)
{
	struct gate_history *history = &one->history;
	size_t count = history->points.count + 1;
	if (!gate->input->windowed || history->points.count == 0 || isnan(judged->candidate))
		return false;
	struct detect_options options = detect_defaults();
	struct arena scratch = {0};
	double *values = gate_values(&scratch, &history->points, 0);
	values[count - 1] = judged->candidate;
	struct detect_result found = detect_changes(arena, values, count, &options);
	arena_free(&scratch);
	bool worse;
	const struct detect_change *change = change_in_window(gate, one, &found, count, &worse);
	/* An earlier improvement in the window does not outweigh a candidate that looks worse. */
	if (!change || (!worse && judged->verdict == VERDICT_REGRESSED))
		return false;
	one->change = change;
	one->already = worse && was_red(gate, one, judged);
	judged->method = METHOD_CHANGE_POINT;
	if (worse && !gate_is_worse_than(one, change->before, judged->candidate) &&
	    !is_half_way(judged, change)) {
		recover(arena, gate, one, judged);
		return true;
	}
	judged->verdict = worse ? VERDICT_REGRESSED : VERDICT_IMPROVED;
	judged->baseline = change->before;
	judged->change = (judged->candidate - change->before) / fabs(change->before);
	judged->reason =
		gate_since_message(arena, gate, one, worse, count - change->index, change->p);
	return true;
}

/* The same for a suspicion: the newest commits were worse, which too few had confirmed. */
static void note_recovery(struct arena *arena, const struct gate_result *gate,
			  struct comparison *one, struct judgement *judged)
{
	static const double clear = 4; /* standard deviations */
	const struct history_points *points = &one->history.points;
	bool good = judged->verdict == VERDICT_UNCHANGED || judged->verdict == VERDICT_IMPROVED;
	double apart = clear * judged->result.scale * fabs(judged->baseline);
	if (!gate->input->windowed || !good || judged->method != METHOD_BASELINE)
		return;
	size_t end = gate_night_before(gate, one), since = end;
	while (since > one->history.start &&
	       gate_is_worse_than(one, judged->baseline, points->items[since - 1].value) &&
	       fabs(points->items[since - 1].value - judged->baseline) > apart)
		since--;
	if (since == end)
		return;
	one->recovered = true;
	judged->reason = message_of(
		arena, MESSAGE_RECOVERED,
		message_text(arena_prefix(arena, gate_revision_at(gate, one, since)->oid, 10)));
}

static bool is_counter(const struct comparison *one)
{
	return metric_info(one->metric)->role == METRIC_ROLE_COUNTER;
}

static struct judgement by_values(struct arena *arena, const struct gate_result *gate,
				  struct comparison *one)
{
	struct verdict_values now =
		gate_values_of_runs(arena, &one->series->candidate, one->metric);
	struct verdict_values old = gate_values_of_runs(arena, &one->series->baseline, one->metric);
	/* With --against best the baseline's runs are those of the nearest commit, not of the best
	 * ones. */
	if (gate->input->best)
		old = (struct verdict_values){gate_values(arena, &one->history.points, 0),
					      one->history.points.count};
	if (is_counter(one) && old.count && all_equal(now) && all_equal(old))
		return verdict_exact(arena, one->policy, one->metric, old.values[0], now.values[0]);
	struct judgement judged = gate_judge_measurements(arena, one);
	if (!by_history(arena, gate, one, &judged) &&
	    !gate_judge_suspicion(arena, gate, one, &judged) &&
	    !gate_blame_older(arena, gate, one, &judged))
		note_recovery(arena, gate, one, &judged);
	return judged;
}

/* Relative noise of one measurement. NAN for a counter that is identical in every repeat. */
static double noise_of_one(const struct comparison *one, struct verdict_values now)
{
	if (is_counter(one) && all_equal(now))
		return NAN;
	return isnan(one->history.noise) ? one->history.pooled : one->history.noise;
}

static struct judgement by_limit(struct arena *arena, struct comparison *one,
				 const struct run_list *runs, struct verdict_values now)
{
	struct run_list first = {0}, later = {0};
	struct judgement judged =
		verdict_by_limit(arena, one->policy, one->metric, noise_of_one(one, now), now);
	one->measurements = split_measurements(arena, runs, &first, &later);
	gate_note_remeasure(arena, one->measurements, &judged);
	return judged;
}

static struct judgement decide(struct arena *arena, const struct gate_result *gate,
			       struct comparison *one)
{
	const struct gate_series *series = one->series;
	struct run_list runs = gate_judged_runs(arena, one);
	struct verdict_values now = gate_values_of_runs(arena, &runs, one->metric);
	double days;
	if (series->candidate.count == 0 && series->stopped)
		return without(VERDICT_STALE, series->stopped);
	if (series->candidate.count == 0)
		return without(VERDICT_MISSING, message_plain(MESSAGE_MISSING_HERE));
	if (gate_any_incorrect(&series->candidate))
		return without(VERDICT_MISSING, message_plain(MESSAGE_MISSING_INCORRECT));
	const struct message *impossible = why_impossible(arena, &series->candidate);
	if (impossible)
		return without(VERDICT_IMPOSSIBLE, impossible);
	if (now.count == 0 && !series->history && !policy_is_absolute(one->policy))
		return without(VERDICT_NEW, message_plain(MESSAGE_NEW_WITHOUT_VALUE));
	if (now.count == 0)
		return without(VERDICT_MISSING, message_plain(MESSAGE_MISSING_VALUE));
	if (now.count < one->policy->least_runs)
		return without(VERDICT_UNDECIDED,
			       message_of(arena, MESSAGE_FEW_RUNS, message_integer(now.count),
					  message_integer(one->policy->least_runs)));
	if (policy_is_absolute(one->policy))
		return by_limit(arena, one, &runs, now);
	if (one->history.points.count == 0 && series->incomparable)
		return without(VERDICT_INCOMPARABLE, series->incomparable);
	if (one->history.points.count == 0 && series->epoch)
		return without(VERDICT_NEW, series->epoch);
	if (one->history.points.count == 0)
		return without(VERDICT_NEW, series->baseline.count
						    ? message_plain(MESSAGE_BASELINE_WITHOUT_VALUE)
						    : message_plain(MESSAGE_NEW_SERIES));
	one->leap = is_counter(one) ? NULL : gate_leap_of(arena, gate, series);
	struct judgement judged = by_values(arena, gate, one);
	if (one->leap && one->leap->others.count)
		judged.reason = message_of(arena, MESSAGE_REASON_AND, message_part(judged.reason),
					   message_part(gate_leap_message(arena, one->leap)));
	if (judged.verdict != VERDICT_REGRESSED && is_stale(gate, one, &days)) {
		judged.verdict = VERDICT_STALE;
		judged.reason = message_of(arena, MESSAGE_BASELINE_OLD, message_number(days),
					   message_number(one->policy->stale_days));
	}
	return judged;
}

void gate_decide_each(struct arena *arena, struct gate_result *gate)
{
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		one->p = one->p_faster = NAN;
		one->leap = NULL;
		one->judged = decide(arena, gate, one);
		gate_doubt_repeats(arena, one);
		if (isnan(one->judged.baseline) && one->series->baseline.count)
			one->judged.baseline = gate_median(&one->series->baseline, one->metric);
	}
}

/* --- older changes --- */

/* Whether the newest commit of the history is already where the candidate is: it covers at least
 * half of the way from the mean to the candidate, and the distance left is within the usual
 * difference of commits. */
static bool was_already_so(const struct comparison *one)
{
	static const double usual = 3; /* standard deviations */
	const struct judgement *judged = &one->judged;
	const struct history_points *points = &one->history.points;
	double newest = points->items[points->count - 1].value;
	assert(points->count > 0); /* METHOD_BASELINE */
	double level = verdict_turned(judged->turn, judged->baseline);
	double way = verdict_turned(judged->turn, judged->candidate) - level;
	double before = verdict_turned(judged->turn, newest) - level;
	double share = level != 0 ? policy_limit(one->policy, judged->baseline, false) /
					    fabs(judged->baseline)
				  : 0;
	double apart = fmax(share, usual * judged->result.scale) * fabs(level);
	return before / way >= 0.5 && (way > 0 ? way - before : before - way) <= apart;
}

/* Whether the newest commit is one of several that were no better and went away again at once: then
 * it is as likely an accident as a change. */
static bool comes_and_goes(const struct comparison *one)
{
	const struct judgement *judged = &one->judged;
	const struct history_point *points = one->history.points.items;
	size_t first = gate_first_used(one), newest = one->history.points.count - 1;
	double level = verdict_turned(judged->turn, judged->baseline);
	double way = verdict_turned(judged->turn, judged->candidate) - level;
	size_t seen = 0, spells = 0;
	for (size_t i = first; i <= newest; i++) {
		bool is = is_no_better(judged, points[i].value, level, way);
		seen += is;
		spells += is &&
			  (i == first || !is_no_better(judged, points[i - 1].value, level, way));
	}
	return spells > 1 && seen == spells && seen <= most_no_better(newest + 1 - first);
}

const struct message *gate_older_message(struct arena *arena, const struct gate_result *gate,
					 const struct comparison *one, const struct message *reason)
{
	const struct revision *newest = gate_revision_at(gate, one, one->history.points.count - 1);
	return message_of(arena, MESSAGE_REASON_OLDER, message_part(reason),
			  message_text(arena_prefix(arena, newest->oid, 10)));
}

/* A recent change is not yet a segment of the history. Later commits are not blamed for it: the
 * gate of the commit that made it reports it, and so does the nightly gate. */
void gate_clear_older_changes(struct arena *arena, struct gate_result *gate)
{
	if (gate->input->windowed || gate->input->named || gate->input->best)
		return;
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		struct judgement *judged = &one->judged;
		if (judged->verdict != VERDICT_REGRESSED || judged->method != METHOD_BASELINE ||
		    !was_already_so(one) || comes_and_goes(one))
			continue;
		one->older = true;
		judged->verdict = VERDICT_UNDECIDED;
		judged->reason = gate_older_message(arena, gate, one, judged->reason);
	}
}
