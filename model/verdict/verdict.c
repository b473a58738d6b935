/* Turns the judge's result into a verdict: by the history, exactly, or by a limit. */
#include "model/verdict/verdict.h"

#include "base/text/text.h"
#include "model/changepoint/changepoint.h"
#include "model/verdict/policy.h"
#include "model/statistics/statistics.h"

static const struct {
	const char *name, *mark;
} words[VERDICT_LIMIT] = {
	[VERDICT_REGRESSED] = {"regressed", "▲"},
	[VERDICT_FAILED] = {"failed", "✗"},
	[VERDICT_DRIFT] = {"drift", "↗"},
	[VERDICT_IMPOSSIBLE] = {"impossible", "!"},
	[VERDICT_MISSING] = {"missing", "?"},
	[VERDICT_INCOMPARABLE] = {"incomparable", "≠"},
	[VERDICT_SUSPECT] = {"suspect", "△"},
	[VERDICT_UNPROVEN] = {"unproven", "▽"},
	[VERDICT_ENVIRONMENT] = {"environment", "≈"},
	[VERDICT_UNDECIDED] = {"undecided", "~"},
	[VERDICT_NO_BASELINE] = {"no-baseline", "·"},
	[VERDICT_STALE] = {"stale", "…"},
	[VERDICT_NEW] = {"new", "+"},
	[VERDICT_ACCEPTED] = {"accepted", "✓"},
	[VERDICT_IMPROVED] = {"improved", "▼"},
	[VERDICT_UNCHANGED] = {"unchanged", "="},
	[VERDICT_HELD] = {"held", "="},
};

const char *verdict_name(enum verdict verdict)
{
	assert(verdict < VERDICT_LIMIT);
	return words[verdict].name;
}

const char *verdict_mark(enum verdict verdict)
{
	assert(verdict < VERDICT_LIMIT);
	return words[verdict].mark;
}

enum verdict verdict_find(struct span name)
{
	int verdict = 0;
	while (verdict < VERDICT_LIMIT && !span_is(name, words[verdict].name))
		verdict++;
	return (enum verdict)verdict;
}

const char *verdict_method_name(enum verdict_method method)
{
	static const char *const names[] = {"none", "record", "exact", "limit", "history"};
	assert(method < sizeof names / sizeof *names);
	return names[method];
}

bool verdict_is_by_history(const struct judgement *judged)
{
	return judged->method == METHOD_BASELINE || judged->method == METHOD_CHANGE_POINT;
}

int verdict_words(const struct judgement *judged)
{
	static const double one_in_a_million = 1e-6;
	bool clear = judged->verdict == VERDICT_SUSPECT && verdict_is_by_history(judged) &&
		     judged->result.p <= one_in_a_million;
	return clear ? VERDICT_WORDS_CLEAR : (int)judged->verdict;
}

const double verdict_assumed_noise = 0.01;

double verdict_turned(enum verdict_turn turn, double value)
{
	return turn == TURN_INVERSE ? 1 / value : turn == TURN_NEGATIVE ? -value : value;
}

enum verdict_turn verdict_turn_of(enum metric_direction direction, const double *values,
				  size_t count)
{
	enum verdict_turn turn = direction == METRIC_HIGHER ? TURN_INVERSE : TURN_NONE;
	for (size_t i = 0; i < count && turn == TURN_INVERSE; i++)
		if (!(values[i] > 0))
			turn = TURN_NEGATIVE;
	return turn;
}

static double *turned(struct arena *arena, struct verdict_values values, enum verdict_turn turn)
{
	double *copy = arena_array(arena, values.count + 1, sizeof *copy);
	for (size_t i = 0; i < values.count; i++)
		copy[i] = verdict_turned(turn, values.values[i]);
	return copy;
}

/* The rule's limit relative to the mean. 0 for a mean of 0, where every difference counts. */
static double least_of(const struct policy *policy, double level)
{
	return level != 0 ? policy_limit(policy, level, false) / fabs(level) : 0;
}

double verdict_tolerated(const struct policy *policy, double level)
{
	return fmax(policy->tolerance, least_of(policy, level));
}

static struct judge_options options_of(const struct policy *policy, double level, double noise,
				       bool over)
{
	struct judge_options options = judge_defaults();
	double least = least_of(policy, level), tolerance = verdict_tolerated(policy, level);
	options.alpha = policy->alpha;
	options.pool_noise = noise;
	options.assumed_noise = verdict_assumed_noise;
	/* Judged inverted: a rate that falls by a fifth is a time that grows by a quarter. */
	options.least_effect = over && least < 1 ? 1 / (1 - least) - 1 : least;
	options.tolerance = over && tolerance < 1 ? 1 / (1 - tolerance) - 1 : tolerance;
	return options;
}

/* Which condition keeps a difference that is beyond the noise from being believed; NULL: it is not
 * beyond the noise. */
static const struct message *disbelief(struct arena *arena, const struct judge_result *r,
				       double tolerance)
{
	const struct judge_gate *gates = r->gates;
	if (!gates[JUDGE_GATE_P].passed)
		return NULL;
	if (!gates[JUDGE_GATE_EFFECT].passed)
		return message_of(arena, MESSAGE_UNDECIDED_SMALL,
				  message_fraction(gates[JUDGE_GATE_EFFECT].limit),
				  message_fraction(tolerance));
	if (!gates[JUDGE_GATE_REPEATS].passed)
		return message_of(arena, MESSAGE_UNDECIDED_REPEATS,
				  message_fraction(gates[JUDGE_GATE_REPEATS].value),
				  message_fraction(gates[JUDGE_GATE_REPEATS].limit));
	if (!gates[JUDGE_GATE_SEEN].passed)
		return message_of(arena, MESSAGE_UNDECIDED_SEEN,
				  message_integer(gates[JUDGE_GATE_SEEN].value),
				  message_integer(r->count));
	if (!gates[JUDGE_GATE_KNOWN].passed)
		return message_of(arena, MESSAGE_UNDECIDED_KNOWN,
				  message_integer(gates[JUDGE_GATE_KNOWN].value),
				  message_integer(r->count + r->away.count));
	return NULL;
}

/* Why the history leaves it open, and what would decide it. */
static const struct message *undecided_reason(struct arena *arena, const struct judge_result *r,
					      double tolerance)
{
	struct message_value bound = message_fraction(tolerance);
	struct message_value noise = message_fraction(r->scale);
	struct message_value detectable = message_fraction(r->detectable);
	if (r->missing_commits)
		return message_of(arena, MESSAGE_UNDECIDED_FEW_COMMITS, message_integer(r->count),
				  message_integer(r->missing_commits));
	const struct message *beyond_noise = disbelief(arena, r, tolerance);
	if (beyond_noise)
		return beyond_noise;
	if (r->resolves)
		return message_of(arena, MESSAGE_UNDECIDED_BETWEEN, bound);
	if (r->helpful_commits)
		return message_of(arena, MESSAGE_UNDECIDED_SHORT, noise, detectable, bound,
				  message_integer(r->helpful_commits));
	return message_of(arena, MESSAGE_UNDECIDED_NOISE, noise, detectable, bound);
}

bool verdict_may_remeasure(const struct judge_result *r)
{
	const struct judge_gate *gates = r->gates;
	bool near = !gates[JUDGE_GATE_P].passed || !gates[JUDGE_GATE_EFFECT].passed;
	return r->missing_commits == 0 && (near ? r->resolves : !gates[JUDGE_GATE_REPEATS].passed);
}

const struct message *verdict_unchanged_message(struct arena *arena, const struct policy *policy,
						enum metric metric, double level)
{
	bool neither = policy_direction(policy, metric) == METRIC_NEITHER;
	return message_of(arena,
			  neither ? MESSAGE_UNCHANGED_NOT_DIFFERENT : MESSAGE_UNCHANGED_NOT_WORSE,
			  message_fraction(verdict_tolerated(policy, level)));
}

static const struct message *history_reason(struct arena *arena, const struct judgement *judged,
					    const struct policy *policy, enum metric metric)
{
	const struct judge_result *r = &judged->result;
	if (judged->verdict == VERDICT_UNDECIDED)
		return undecided_reason(arena, r, verdict_tolerated(policy, judged->baseline));
	if (judged->verdict == VERDICT_UNCHANGED)
		return verdict_unchanged_message(arena, policy, metric, judged->baseline);
	return message_of(arena, MESSAGE_BY_HISTORY, message_number(r->slower ? r->p : r->p_faster),
			  message_fraction(r->scale), message_integer(r->count));
}

static void set_change(struct judgement *judged)
{
	double difference = judged->candidate - judged->baseline;
	judged->change = judged->baseline != 0 ? difference / fabs(judged->baseline) : NAN;
}

/* Undoes the rounding of the way to logs and back. */
static double unless_rounded(double computed, double given)
{
	return fabs(computed - given) <= 1e-12 * fabs(given) ? given : computed;
}

/* Sets baseline and candidate in the metric's own unit and direction. */
static void set_sides(struct judgement *judged, struct arena *arena,
		      struct verdict_values candidate)
{
	const struct judge_result *r = &judged->result;
	double *copy = turned(arena, candidate, judged->turn);
	double now = r->relative ? r->level * (1 + r->effect)
				 : noise_location(arena, copy, candidate.count);
	judged->candidate = unless_rounded(verdict_turned(judged->turn, now),
					   median_of(candidate.values, candidate.count));
	if (!isnan(r->level))
		judged->baseline =
			unless_rounded(verdict_turned(judged->turn, r->level), judged->baseline);
	set_change(judged);
}

/* Applies the rule's absolute limit. With a mean near 0 no relative limit can say what is small. */
static void ask_absolute_limit(struct arena *arena, const struct policy *policy, enum metric metric,
			       struct judgement *judged)
{
	double difference = fabs(judged->candidate - judged->baseline);
	bool changed = judged->verdict == VERDICT_REGRESSED || judged->verdict == VERDICT_IMPROVED;
	if (judged->result.relative || !changed || difference >= policy->limits.absolute)
		return;
	judged->verdict = VERDICT_UNCHANGED;
	judged->reason = message_of(arena, MESSAGE_WITHIN_LIMIT,
				    message_quantity(difference, metric_info(metric)->unit));
}

struct judgement verdict_by_history(struct arena *arena, const struct policy *policy,
				    enum metric metric, struct verdict_values history,
				    struct verdict_noise noise, struct verdict_values candidate)
{
	static const enum verdict verdicts[] = {
		[JUDGE_REGRESSED] = VERDICT_REGRESSED,
		[JUDGE_IMPROVED] = VERDICT_IMPROVED,
		[JUDGE_UNCHANGED] = VERDICT_UNCHANGED,
		[JUDGE_UNDECIDED] = VERDICT_UNDECIDED,
	};
	enum metric_direction direction = policy_direction(policy, metric);
	struct arena scratch = {0};
	struct judgement judged = {.method = METHOD_BASELINE, .q = NAN, .q_faster = NAN};
	judged.turn = verdict_turn_of(direction, history.values, history.count);
	if (judged.turn == TURN_INVERSE)
		judged.turn = verdict_turn_of(direction, candidate.values, candidate.count);
	judged.baseline = median_of(history.values, history.count);
	struct judge_options options =
		options_of(policy, judged.baseline, noise.lent, judged.turn == TURN_INVERSE);
	options.both_ways = direction == METRIC_NEITHER;
	options.noise_of_all = judged.turn == TURN_NONE ? noise.of_all : NAN;
	judged.result = judge(&scratch, turned(&scratch, history, judged.turn), history.count,
			      turned(&scratch, candidate, judged.turn), candidate.count, &options);
	set_sides(&judged, &scratch, candidate);
	arena_free(&scratch);
	assert(judged.result.verdict < sizeof verdicts / sizeof *verdicts);
	judged.verdict = verdicts[judged.result.verdict];
	/* Without a better direction, any change is a regression. */
	if (direction == METRIC_NEITHER && judged.verdict == VERDICT_IMPROVED)
		judged.verdict = VERDICT_REGRESSED;
	judged.reason = history_reason(arena, &judged, policy, metric);
	ask_absolute_limit(arena, policy, metric, &judged);
	return judged;
}

static bool is_worse(double difference, enum metric_direction direction)
{
	return direction == METRIC_HIGHER ? difference < 0 : difference > 0;
}

struct judgement verdict_exact(struct arena *arena, const struct policy *policy, enum metric metric,
			       double baseline, double candidate)
{
	enum metric_direction direction = policy_direction(policy, metric);
	struct judgement judged = {.method = METHOD_EXACT,
				   .baseline = baseline,
				   .candidate = candidate,
				   .q = NAN,
				   .q_faster = NAN};
	double difference = candidate - baseline;
	double limit = policy_limit(policy, baseline, true);
	struct message_value size = message_quantity(fabs(difference), metric_info(metric)->unit);
	set_change(&judged);
	if (fabs(difference) <= limit) {
		judged.verdict = VERDICT_UNCHANGED;
		judged.reason = difference == 0 ? message_plain(MESSAGE_COUNTER_SAME)
						: message_of(arena, MESSAGE_WITHIN_LIMIT, size);
		return judged;
	}
	judged.verdict = direction == METRIC_NEITHER || is_worse(difference, direction)
				 ? VERDICT_REGRESSED
				 : VERDICT_IMPROVED;
	judged.reason = message_of(
		arena, difference > 0 ? MESSAGE_COUNTER_LARGER : MESSAGE_COUNTER_SMALLER, size);
	return judged;
}

/* Distance beyond the limit in the unit of the metric; negative on the allowed side. */
static double beyond(const struct policy *policy, double value, double *limit)
{
	double below = isnan(policy->at_least) ? -HUGE_VAL : policy->at_least - value;
	double above = isnan(policy->at_most) ? -HUGE_VAL : value - policy->at_most;
	*limit = below > above ? policy->at_least : policy->at_most;
	return fmax(below, above);
}

struct judgement verdict_by_limit(struct arena *arena, const struct policy *policy,
				  enum metric metric, double noise, struct verdict_values candidate)
{
	static const double sure =
		2.3263478740408408; /* 99 % quantile of the normal distribution, one-sided */
	static const enum message_code limit_codes[2][2] = {
		{MESSAGE_LIMIT_HELD_AT_MOST, MESSAGE_LIMIT_HELD_AT_LEAST},
		{MESSAGE_LIMIT_FAILED_AT_MOST, MESSAGE_LIMIT_FAILED_AT_LEAST}};
	struct judgement judged = {.method = METHOD_LIMIT, .q = NAN, .q_faster = NAN};
	assert(policy_is_absolute(policy) && candidate.count > 0);
	double *copy = turned(arena, candidate, TURN_NONE);
	judged.candidate = noise_location(arena, copy, candidate.count);
	double wrong = beyond(policy, judged.candidate, &judged.baseline);
	double reach = isnan(noise) ? 0 : sure * noise * fabs(judged.candidate);
	struct message_value limit = message_quantity(judged.baseline, metric_info(metric)->unit);
	bool least = judged.baseline == policy->at_least && !isnan(policy->at_least);
	set_change(&judged);
	judged.verdict = wrong <= 0       ? VERDICT_HELD
			 : wrong <= reach ? VERDICT_UNDECIDED
					  : VERDICT_FAILED;
	if (judged.verdict == VERDICT_UNDECIDED)
		judged.reason = message_of(
			arena, least ? MESSAGE_LIMIT_MISSED_AT_LEAST : MESSAGE_LIMIT_MISSED_AT_MOST,
			limit, message_fraction(noise));
	else
		judged.reason = message_of(arena, limit_codes[wrong > 0][least], limit);
	return judged;
}
