/* Measurements that prove nothing alone: times below half of all that was measured before (leaps),
 * and numbers of an older commit (copies). A leap sets the bar for all that follows, so another
 * measurement of the same commit, or that of another commit, must come within a factor of two. A
 * copy is left out if anything else was measured. */

#include "model/gate/internal.h"
#include "model/statistics/statistics.h"

/* A time below this share of the best one is a leap. */
static const double leap_share = 0.5, named_share = 0.1;

/* The runs of one measurement of the candidate. */
struct timing {
	struct run_list runs;
	double time; /* median */
};

struct timings {
	struct timing *items;
	size_t count, fastest;
};

static struct timings timings_of(struct arena *arena, const struct run_list *all)
{
	struct timings timings = {arena_array(arena, all->count + 1, sizeof *timings.items), 0, 0};
	struct run_list runs = {0};
	for (size_t i = 0; i < all->count; i++)
		if (isfinite(run_number(all->items[i], METRIC_TOTAL_TIME)))
			run_list_add(arena, &runs, all->items[i]);
	run_sort_by_measurement(runs.items, runs.count);
	for (size_t i = 0; i < runs.count; i++) {
		if (i == 0 || run_by_measurement(runs.items[i], runs.items[i - 1]) != 0)
			timings.count++;
		run_list_add(arena, &timings.items[timings.count - 1].runs, runs.items[i]);
	}
	for (size_t i = 0; i < timings.count; i++) {
		timings.items[i].time = gate_median(&timings.items[i].runs, METRIC_TOTAL_TIME);
		if (timings.items[i].time < timings.items[timings.fastest].time)
			timings.fastest = i;
	}
	return timings;
}

static bool is_confirmed(const struct timings *timings, const struct history_points *unproven)
{
	double time = timings->items[timings->fastest].time;
	bool confirmed = false;
	for (size_t i = 0; i < timings->count; i++)
		confirmed = confirmed || (i != timings->fastest &&
					  history_confirms(time, timings->items[i].time));
	for (size_t i = 0; i < unproven->count; i++)
		confirmed = confirmed || history_confirms(time, unproven->items[i].value);
	return confirmed;
}

static const struct gate_leap *find_leap(struct arena *arena, struct arena *scratch,
					 const struct gate_result *gate,
					 const struct gate_series *series)
{
	size_t index = gate_metric_index(gate, METRIC_TOTAL_TIME);
	struct timings timings = timings_of(scratch, &series->candidate);
	/* A commit that the user named may lie far back. */
	double share = gate->input->named ? named_share : leap_share;
	if (!series->history || timings.count == 0 || index == gate->input->histories->metric_count)
		return NULL;
	struct history_points points = history_points(scratch, series->history, index,
						      gate->input->newest, GATE_BASELINE_COMMITS);
	struct history_points unproven = history_take_unproven(scratch, &points);
	double time = timings.items[timings.fastest].time, best = history_best_proven(&points);
	if (!(time >= 0 && best > 0 && points.count && time < share * best) ||
	    is_confirmed(&timings, &unproven))
		return NULL;
	struct gate_leap *leap = arena_new(arena, struct gate_leap);
	*leap = (struct gate_leap){.time = time, .best = best};
	for (size_t i = 0; i < timings.count; i++)
		for (size_t j = 0; i != timings.fastest && j < timings.items[i].runs.count; j++)
			run_list_add(arena, &leap->others, timings.items[i].runs.items[j]);
	return leap;
}

const struct gate_leap *gate_leap_of(struct arena *arena, const struct gate_result *gate,
				     const struct gate_series *series)
{
	struct arena scratch = {0};
	const struct gate_leap *leap = find_leap(arena, &scratch, gate, series);
	arena_free(&scratch);
	return leap;
}

const struct message *gate_leap_message(struct arena *arena, const struct gate_leap *leap)
{
	return message_of(arena, leap->others.count ? MESSAGE_LEAP_DENIED : MESSAGE_LEAP,
			  message_quantity(leap->time, UNIT_SECOND),
			  message_fraction(leap->time / leap->best),
			  message_quantity(leap->best, UNIT_SECOND));
}

/* Whether the verdict would be good news, or say nothing of news that would be too good. */
static bool is_good(const struct comparison *one)
{
	enum verdict verdict = one->judged.verdict;
	bool time = one->metric == METRIC_TOTAL_TIME;
	return metric_info(one->metric)->role != METRIC_ROLE_COUNTER &&
	       (verdict == VERDICT_IMPROVED ||
		(time && (verdict == VERDICT_UNCHANGED || verdict == VERDICT_UNDECIDED)));
}

void gate_doubt_leaps(struct arena *arena, struct gate_result *gate)
{
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		if (!one->leap || one->leap->others.count || !is_good(one))
			continue;
		one->judged.verdict = VERDICT_UNPROVEN;
		one->judged.reason = gate_leap_message(arena, one->leap);
	}
}

/* --- copies --- */

/* The runs of the list that have the metric and are not copied. */
static struct run_list without_copies(struct arena *arena, const struct comparison *one,
				      const struct run_list *runs)
{
	struct run_list kept = {0};
	for (size_t i = 0; i < runs->count; i++) {
		bool copied = !isfinite(run_number(runs->items[i], one->metric));
		for (size_t k = 0; k < one->copied.count && !copied; k++)
			copied = one->copied.items[k] == runs->items[i];
		if (!copied)
			run_list_add(arena, &kept, runs->items[i]);
	}
	return kept;
}

/* The candidate's runs without what another measurement denies. */
static const struct run_list *undenied(const struct comparison *one)
{
	return one->leap && one->leap->others.count ? &one->leap->others : &one->series->candidate;
}

struct run_list gate_judged_runs(struct arena *arena, const struct comparison *one)
{
	const struct run_list *all = undenied(one);
	struct run_list kept = one->copy ? without_copies(arena, one, all) : *all;
	return kept.count ? kept : *all;
}

static const struct message *message_about(struct arena *arena, const struct comparison *one,
					   enum message_code code)
{
	const struct gate_copy *copy = one->copy;
	return message_of(arena, code, message_text(arena_prefix(arena, copy->commit->oid, 10)),
			  message_integer(copy->equal), message_integer(copy->values));
}

void gate_doubt_copies(struct arena *arena, struct gate_result *gate)
{
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		struct judgement *judged = &one->judged;
		if (!one->copy)
			continue;
		if (without_copies(arena, one, undenied(one)).count)
			judged->reason = message_of(
				arena, MESSAGE_REASON_AND, message_part(judged->reason),
				message_part(message_about(arena, one, MESSAGE_COPY_LEFT_OUT)));
		else if (judged->verdict == VERDICT_UNCHANGED ||
			 judged->verdict == VERDICT_IMPROVED ||
			 judged->verdict == VERDICT_UNDECIDED || judged->verdict == VERDICT_HELD) {
			judged->verdict = VERDICT_UNPROVEN;
			judged->reason = message_about(arena, one, MESSAGE_COPY);
		}
	}
}
