/* The trend of a judged comparison. */
#include "model/trend/trend.h"

#include "model/acceptance/acceptance.h"
#include "model/gate/internal.h"
#include "model/statistics/statistics.h"

/* Adds the candidate's runs as one point, computed as in the histories. judged.candidate will not
 * do: with VERDICT_DRIFT it is the mean of several commits. */
static bool add_candidate(struct arena *arena, const struct comparison *one,
			  struct history_points *points)
{
	struct verdict_values now =
		gate_values_of_runs(arena, &one->series->candidate, one->metric);
	if (now.count)
		points->items[points->count++] = (struct history_point){
			.runs = (uint32_t)now.count & INT32_MAX,
			.value = noise_location(arena, now.values, now.count),
		};
	return now.count > 0;
}

/* The points of the baseline history, their commit indices counted from the candidate, with room
 * for it. */
static struct history_points points_of(struct arena *arena, const struct comparison *one,
				       uint32_t shift)
{
	struct history_points points = one->history.points;
	points.items = arena_array(arena, points.count + 1, sizeof *points.items);
	for (size_t i = 0; i < points.count; i++) {
		points.items[i] = one->history.points.items[i];
		points.items[i].commit += shift;
	}
	return points;
}

/* Index of the commit that made the accepted change: the judged change point, else the newest
 * change for the worse, else the candidate. */
static uint32_t position_of_accepted(const struct trend *trend, const struct comparison *one)
{
	const struct history_points *points = &one->history.points;
	if (one->change)
		return one->change->index < points->count
			       ? points->items[one->change->index].commit + trend->shift
			       : 0;
	for (size_t i = trend->change_count; i-- > 0;)
		if (trend->changes[i].worse)
			return trend->changes[i].first_after;
	return 0;
}

static void add_accepted(struct arena *arena, const struct comparison *one, struct trend *trend)
{
	const struct acceptance *line = one->acceptance;
	if (!line || one->judged.verdict != VERDICT_ACCEPTED || !trend->point_count)
		return;
	trend->accepted = arena_new(arena, struct trend_acceptance);
	*trend->accepted = (struct trend_acceptance){
		.place = position_of_accepted(trend, one),
		.line = line->line,
		.author = line->author,
		.reason = line->reason,
		.expires = line->expires,
		.limit = acceptance_limit(line, one->metric),
	};
}

/* Whether the candidate was judged by the newest segment. A nightly gate, which includes the
 * candidate, may have found a newer one. */
static bool is_of_history(const struct gate_result *gate, const struct comparison *one,
			  const struct trend *trend)
{
	const struct gate_history *history = &one->history;
	if (!gate->input->windowed)
		return true;
	return history->start < history->points.count && trend->level_count &&
	       history->points.items[history->start].commit + trend->shift ==
		       trend->levels[trend->level_count - 1].from;
}

/* A nightly gate counts the candidate as one more commit, and so does its change detection. */
struct trend gate_trend_of(struct arena *arena, const struct gate_result *gate,
			   const struct comparison *one)
{
	struct arena scratch = {0};
	/* The candidate is index 0 unless the history already begins with it. */
	uint32_t shift = gate->input->newest ? 0 : 1;
	struct history_points points = points_of(&scratch, one, shift);
	struct trend_options options = {
		.direction = policy_direction(one->policy, one->metric),
		.detected = gate->input->windowed ? NULL : &one->history.detected,
		.known = gate->input->windowed ? 0 : points.count,
		.open = one->history.open ? one->change : NULL,
	};
	bool candidate = add_candidate(&scratch, one, &points);
	struct trend trend = trend_of(arena, &points, &options);
	trend.shift = shift;
	if (candidate)
		trend.candidate = points.items[points.count - 1];
	if (is_of_history(gate, one, &trend))
		trend_set_band(&one->judged.result, one->judged.turn, &trend);
	add_accepted(arena, one, &trend);
	const struct history_set *set = gate->input->histories;
	trend_find_commits(&trend, set ? set->chain : NULL, set ? set->chain_count : 0,
			   &gate->input->candidate);
	arena_free(&scratch);
	return trend;
}

struct trend *gate_trends(struct arena *arena, const struct gate_result *gate, size_t most,
			  size_t *count)
{
	*count = most < gate->count ? most : gate->count;
	struct trend *trends = arena_array(arena, *count + 1, sizeof *trends);
	for (size_t i = 0; i < *count; i++)
		trends[i] = gate_trend_of(arena, gate, &gate->comparisons[i]);
	return trends;
}
