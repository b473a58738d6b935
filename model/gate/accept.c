/* Regressions that the base tree accepts. */

#include "model/acceptance/acceptance.h"
#include "model/gate/gate.h"
#include "model/gate/internal.h"

/* Whether the candidate lacks the series: no value, and no incorrect result. A series with a value
 * and a baseline that is too old is not absent. */
static bool is_absent(const struct comparison *one)
{
	enum verdict verdict = one->judged.verdict;
	return (verdict == VERDICT_MISSING || verdict == VERDICT_STALE) &&
	       isnan(one->judged.candidate) && !gate_any_incorrect(&one->series->candidate);
}

bool gate_is_acceptable(const struct comparison *one)
{
	enum verdict verdict = one->judged.verdict;
	return is_absent(one) || verdict == VERDICT_REGRESSED || verdict == VERDICT_SUSPECT ||
	       verdict == VERDICT_ENVIRONMENT || verdict == VERDICT_DRIFT ||
	       verdict == VERDICT_FAILED;
}

/* Which way is worse. For a limit it is the way beyond it, whatever is better for the metric. */
static enum metric_direction direction_of(const struct comparison *one)
{
	if (one->judged.method != METHOD_LIMIT)
		return policy_direction(one->policy, one->metric);
	return one->judged.candidate < one->judged.baseline ? METRIC_HIGHER : METRIC_LOWER;
}

void gate_accept(struct arena *arena, struct gate_result *gate)
{
	const struct acceptance_list *list = gate->input->acceptances;
	if (!list)
		return;
	struct acceptance_item *items = arena_array(arena, gate->count + 1, sizeof *items);
	struct comparison **of = arena_array(arena, gate->count + 1, sizeof *of);
	size_t count = 0;
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		bool absent = is_absent(one);
		if (!gate_is_acceptable(one))
			continue;
		of[count] = one;
		items[count++] = (struct acceptance_item){
			.run = one->run,
			.metric = one->metric,
			.direction = direction_of(one),
			.value = absent ? NAN : one->judged.candidate,
			.absent = absent,
		};
	}
	gate->uses = arena_array(arena, list->count + 1, sizeof *gate->uses);
	acceptance_apply(list, gate->input->clock, items, count, gate->uses);
	for (size_t i = 0; i < count; i++) {
		struct comparison *one = of[i];
		const struct message *more = acceptance_message(arena, list, &items[i]);
		one->acceptance = items[i].by;
		if (items[i].outcome == ACCEPTANCE_OUTCOME_NONE)
			continue;
		if (items[i].outcome == ACCEPTANCE_OUTCOME_ACCEPTED) {
			one->accepted = one->judged.verdict;
			one->judged.verdict = VERDICT_ACCEPTED;
		}
		one->judged.reason =
			message_of(arena, MESSAGE_REASON_AND, message_part(one->judged.reason),
				   message_part(more));
	}
}
