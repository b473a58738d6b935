/* Drift: small losses without a change point. Compares the mean of the newest commits with a pinned
 * release and with the best period of the history. */

#include "model/gate/gate.h"
#include "model/gate/internal.h"

/* The metric's history and the candidate, turned so that lower is better. A release needs
 * everything since its pin, however old it is. A nightly gate reads the whole history, because
 * drift may become its verdict; any other gate reads the commits in which the best period is looked
 * for. */
static struct drift_series series_of(struct arena *arena, const struct gate_result *gate,
				     const struct comparison *one, enum drift_reference to,
				     struct history_points *used, enum verdict_turn *turn)
{
	const struct gate_history *history = &one->history;
	bool all = to == DRIFT_RELEASE || gate->input->windowed;
	struct history_points points =
		all ? history_points(arena, one->series->history,
				     gate_metric_index(gate, one->metric), gate->input->newest, 0)
		    : history->points;
	history_take_unproven(arena, &points);
	*used = points;
	double *values = gate_values(arena, &points, 0);
	size_t count = points.count, pinned = 0;
	if (!isnan(one->judged.candidate))
		values[count++] = one->judged.candidate;
	*turn = verdict_turn_of(policy_direction(one->policy, one->metric), values, count);
	for (size_t i = 0; i < count; i++)
		values[i] = verdict_turned(*turn, values[i]);
	assert(history->points.count <= points.count && history->start <= history->points.count);
	while (to == DRIFT_RELEASE && pinned < points.count &&
	       points.items[pinned].commit > gate->input->pin)
		pinned++;
	return (struct drift_series){values, count, pinned,
				     points.count - history->points.count + history->start};
}

static bool may_drift(const struct gate_result *gate, const struct comparison *one)
{
	/* What is back has not crept: the newest level is that of the commits that were worse. */
	return !one->back && !one->recovered && one->judged.method != METHOD_NONE &&
	       one->judged.method != METHOD_EXACT && one->judged.method != METHOD_LIMIT &&
	       one->history.points.count && !gate->input->best &&
	       policy_direction(one->policy, one->metric) != METRIC_NEITHER;
}

/* The smallest drift that counts is the rule's limit for a single step. If values were inverted, it
 * is converted: a rate that falls by a fifth is a time that grows by a quarter. */
static struct drift_options options_of(const struct comparison *one, enum drift_reference to)
{
	struct drift_options options = drift_defaults(to);
	double level = one->judged.baseline;
	double least = level != 0 ? policy_limit(one->policy, level, false) / fabs(level) : 0;
	if (isnan(least))
		return options;
	if (one->drift_turn == TURN_INVERSE && least < 1)
		least = 1 / (1 - least) - 1;
	options.least_effect = fmax(options.least_effect, least);
	return options;
}

/* The change point since the reference that made at least half of the difference; NULL if there is
 * none. It has left the window without being fixed or accepted. `age`: measured commits since
 * then. */
static const struct detect_change *old_change(const struct comparison *one,
					      const struct drift_result *found, size_t *age)
{
	static const double most = 0.5;
	const struct gate_history *history = &one->history;
	size_t count = history->points.count + !isnan(one->judged.candidate);
	double difference = found->current - found->reference;
	for (size_t i = history->detected.count; i-- > 0;) {
		const struct detect_change *change = &history->detected.changes[i];
		double step = verdict_turned(one->drift_turn, change->after) -
			      verdict_turned(one->drift_turn, change->before);
		*age = count - change->index;
		if (*age <= found->current_to - found->reference_to && step >= most * difference)
			return change;
	}
	return NULL;
}

static void word(struct arena *arena, const struct gate_result *gate, struct comparison *one,
		 const struct drift_result *found, struct message_value than)
{
	struct judgement *judged = &one->judged;
	size_t age;
	const struct message *how = message_plain(MESSAGE_DRIFT_NO_CHANGE);
	if (old_change(one, found, &age))
		how = message_of(arena, MESSAGE_DRIFT_SINCE, message_integer(age));
	one->drift_reason = message_of(arena, MESSAGE_DRIFT, message_fraction(found->drift),
				       message_fraction(found->low), message_fraction(found->high),
				       than, message_part(how),
				       message_integer(found->current_to - found->current_from),
				       message_integer(found->reference_to - found->reference_from),
				       message_number(found->p));
	/* The gate of a change judges that change only; earlier drift is the nightly gate's. There
	 * an unconfirmed slowdown may wait for the next run, and must not hide a drift that is
	 * flagged on every run. */
	bool looks = judged->verdict == VERDICT_SUSPECT && judged->method == METHOD_BASELINE;
	bool can = judged->verdict == VERDICT_UNCHANGED || judged->verdict == VERDICT_UNDECIDED ||
		   judged->verdict == VERDICT_IMPROVED || looks;
	if (!gate->input->windowed || !can)
		return;
	judged->reason =
		looks ? message_of(arena, MESSAGE_DRIFT_AND_WORSE, message_part(one->drift_reason),
				   message_part(judged->reason))
		      : one->drift_reason;
	judged->verdict = VERDICT_DRIFT;
	judged->baseline = verdict_turned(one->drift_turn, found->reference);
	judged->candidate = verdict_turned(one->drift_turn, found->current);
	judged->change = (judged->candidate - judged->baseline) / fabs(judged->baseline);
}

/* Whether the series without the candidate, its last value, was flagged. */
static bool was_flagged(struct arena *arena, const struct drift_series *series,
			const struct drift_options *options)
{
	struct drift_series before = *series;
	before.count -= before.count > 0;
	return drift_measure(arena, &before, options).flagged;
}

/* Measures drift from one reference. In a windowed gate *before is set if the series was flagged
 * before the candidate, too. */
static struct drift_result look(struct arena *arena, const struct gate_result *gate,
				struct comparison *one, enum drift_reference to, bool *before)
{
	struct history_points points;
	struct drift_series series = series_of(arena, gate, one, to, &points, &one->drift_turn);
	struct drift_options options = options_of(one, to);
	options.brief = !gate->input->every_number;
	struct drift_result result = drift_measure(arena, &series, &options);
	if (gate->input->windowed && result.flagged && !*before)
		*before = was_flagged(arena, &series, &options);
	return result;
}

/* The two references of one comparison. */
static void look_for_drift(struct arena *arena, const struct gate_result *gate,
			   struct comparison *one)
{
	bool before = gate->input->windowed && gate_was_worse(gate, one);
	if (gate->input->pin_name)
		one->drift_release = look(arena, gate, one, DRIFT_RELEASE, &before);
	one->drift_best = look(arena, gate, one, DRIFT_BEST, &before);
	if (gate->input->windowed && one->judged.method != METHOD_CHANGE_POINT)
		one->already = before;
}

bool gate_drift_since(const struct gate_result *gate, const struct comparison *one, uint32_t *index)
{
	struct arena scratch = {0};
	enum drift_reference to = one->drift_release.flagged ? DRIFT_RELEASE : DRIFT_BEST;
	size_t since = 0, count = 0;
	if (one->drift_release.flagged || one->drift_best.flagged) {
		struct history_points points;
		enum verdict_turn turn;
		struct drift_series series = series_of(&scratch, gate, one, to, &points, &turn);
		struct drift_options options = options_of(one, to);
		since = drift_since(&series, &options);
		count = points.count;
		if (since < count)
			*index = points.items[since].commit;
	}
	arena_free(&scratch);
	return since < count;
}

void gate_decide_drift(struct arena *arena, struct gate_result *gate)
{
	for (size_t i = 0; gate->input->settings->drift && i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		struct arena scratch = {0};
		if (!may_drift(gate, one))
			continue;
		look_for_drift(&scratch, gate, one);
		arena_free(&scratch);
		if (one->drift_release.flagged)
			word(arena, gate, one, &one->drift_release,
			     message_text(gate->input->pin_name));
		else if (one->drift_best.flagged)
			word(arena, gate, one, &one->drift_best,
			     message_term(MESSAGE_DRIFT_BEST_LEVEL));
		gate->drifted += one->drift_reason != NULL;
	}
}
