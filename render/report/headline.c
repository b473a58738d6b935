/* The first line of a gate: a word that agrees with the exit status, and what led to it. One
 * situation is one sentence, in every place and language. The worst one leads, and the others
 * follow as counts. */
#include "render/report/report.h"

#include "model/acceptance/acceptance.h"
#include "model/run/runs.h"
#include "render/vocabulary/vocabulary.h"

/* The primary comparisons of a verdict. */
struct group {
	enum verdict verdict;
	const struct comparison *worst; /* NULL: empty group */
	size_t count;
	size_t clear; /* suspects: how many noise cannot explain, see is_clear() */
};

struct headline {
	struct arena *arena;
	const struct gate_result *gate;
	enum report_place place;
	/* By verdict, as counted here: the gate may be a part of another one. */
	struct group groups[VERDICT_LIMIT];
};

/* Per verdict: its sentence as the leading situation, with {way} or without, and as a count. */
static const struct {
	enum message_code sentence, count;
	bool way;
} situations[VERDICT_LIMIT] = {
	[VERDICT_REGRESSED] = {MESSAGE_HEADLINE_CHANGED, MESSAGE_COUNT_CHANGED, true},
	[VERDICT_FAILED] = {MESSAGE_HEADLINE_LIMIT, MESSAGE_COUNT_LIMIT, true},
	[VERDICT_DRIFT] = {MESSAGE_HEADLINE_DRIFT, MESSAGE_COUNT_DRIFT, true},
	[VERDICT_IMPOSSIBLE] = {MESSAGE_HEADLINE_IMPOSSIBLE, MESSAGE_COUNT_IMPOSSIBLE, false},
	[VERDICT_MISSING] = {MESSAGE_HEADLINE_MISSING, MESSAGE_COUNT_MISSING, false},
	[VERDICT_INCOMPARABLE] = {MESSAGE_HEADLINE_OTHER_SETUP, MESSAGE_COUNT_OTHER_SETUP, false},
	[VERDICT_SUSPECT] = {MESSAGE_HEADLINE_SUSPECT, MESSAGE_COUNT_SUSPECT, true},
	[VERDICT_UNPROVEN] = {MESSAGE_HEADLINE_UNPROVEN, MESSAGE_COUNT_UNPROVEN, false},
	[VERDICT_ENVIRONMENT] = {MESSAGE_HEADLINE_ENVIRONMENT, MESSAGE_COUNT_ENVIRONMENT, true},
	[VERDICT_UNDECIDED] = {MESSAGE_HEADLINE_UNCLEAR, MESSAGE_COUNT_UNCLEAR, false},
	[VERDICT_NO_BASELINE] = {MESSAGE_HEADLINE_NOTHING, MESSAGE_COUNT_NO_BASELINE, false},
	[VERDICT_STALE] = {MESSAGE_HEADLINE_STOPPED, MESSAGE_COUNT_STOPPED, false},
	[VERDICT_NEW] = {MESSAGE_HEADLINE_NEW, MESSAGE_COUNT_NEW, false},
	[VERDICT_ACCEPTED] = {MESSAGE_HEADLINE_ACCEPTED, MESSAGE_COUNT_ACCEPTED, true},
	[VERDICT_IMPROVED] = {MESSAGE_HEADLINE_CHANGED, MESSAGE_COUNT_CHANGED, true},
	[VERDICT_UNCHANGED] = {MESSAGE_HEADLINE_UNCHANGED, MESSAGE_COUNT_UNCHANGED, false},
	[VERDICT_HELD] = {MESSAGE_HEADLINE_UNCHANGED, MESSAGE_COUNT_HELD, false},
};

static size_t primary_of(const struct gate_result *gate)
{
	return gate->count - gate->context;
}

static bool is_clear(const struct comparison *one)
{
	return one->policy->role == POLICY_PRIMARY &&
	       verdict_words(&one->judged) == VERDICT_WORDS_CLEAR;
}

/* --- the word --- */

/* The status that the line is about. What is let pass passes; what is unclear or incomplete stays
 * so. */
static enum exit_status status_of(const struct gate_result *gate)
{
	if (gate->outcome != EXIT_PASS)
		return gate->outcome;
	bool first = gate->code == EXIT_NO_BASELINE && gate->input->first && !gate->input->dirty;
	return gate->code == EXIT_REGRESSION || first ? EXIT_PASS : gate->code;
}

static bool fails_on_clear(const struct gate_result *gate)
{
	for (size_t i = 0; gate->outcome != EXIT_PASS && i < gate->count; i++)
		if (is_clear(&gate->comparisons[i]))
			return true;
	return false;
}

enum message_code report_gate_word(const struct gate_result *gate)
{
	switch (status_of(gate)) {
	case EXIT_PASS:
		return MESSAGE_GATE_PASS;
	case EXIT_UNDECIDED:
		return fails_on_clear(gate) ? MESSAGE_GATE_FAIL : MESSAGE_GATE_UNCLEAR;
	case EXIT_NO_BASELINE:
		return MESSAGE_GATE_NO_BASELINE;
	case EXIT_MISSING:
	case EXIT_STALE:
		return MESSAGE_GATE_INCOMPLETE;
	default:
		return MESSAGE_GATE_FAIL;
	}
}

/* --- the example --- */

/* "mlp s=512", and its metric unless that is a time or a rate. */
static struct message_value name_of(struct arena *arena, const struct gate_result *gate,
				    const struct comparison *one)
{
	struct short_names names = gate_short_names(arena, gate);
	const char *name = short_names_name(arena, &names, one->run);
	if (!metric_is_time_or_rate(one->metric))
		name = arena_printf(arena, "%s %s", name, metric_info(one->metric)->title);
	return message_text(name);
}

static struct message_value value_of(const struct comparison *one, double number)
{
	return message_quantity(number, metric_info(one->metric)->unit);
}

static struct message_value commit_of(struct arena *arena, const struct revision *revision)
{
	return message_text(revision ? arena_prefix(arena, revision->oid, 10) : "unknown");
}

static const struct message *changed_example(const struct headline *h, const struct comparison *one)
{
	struct message_value name = name_of(h->arena, h->gate, one);
	double change = one->judged.change;
	if (isnan(change))
		return message_of(h->arena, MESSAGE_EXAMPLE, name);
	if (h->place != REPORT_COMMENT || isnan(one->judged.baseline) ||
	    one->judged.method == METHOD_LIMIT)
		return message_of(h->arena, MESSAGE_EXAMPLE_CHANGE, name, message_fraction(change));
	return message_of(h->arena, MESSAGE_EXAMPLE_VALUES, name, message_fraction(change),
			  message_sides(one->judged.baseline, one->judged.candidate,
					metric_info(one->metric)->unit));
}

static const struct message *floor_example(const struct headline *h, const struct comparison *one)
{
	static const enum message_code codes[] = {
		[REPORT_LINE] = MESSAGE_EXAMPLE_FLOOR,
		[REPORT_COMMENT] = MESSAGE_EXAMPLE_BELOW_FLOOR,
		[REPORT_NIGHT] = MESSAGE_EXAMPLE_NIGHT_FLOOR,
	};
	const struct message *reason = one->judged.reason;
	struct message_value name = name_of(h->arena, h->gate, one);
	if (!reason || (reason->code != MESSAGE_BELOW_COMPUTE_TIME &&
			reason->code != MESSAGE_BELOW_MEMORY_TIME))
		return message_of(h->arena, MESSAGE_EXAMPLE, name);
	return message_of(h->arena, codes[h->place], name, reason->values[0], reason->values[1]);
}

static const struct message *stopped_example(const struct headline *h, const struct comparison *one)
{
	const struct message *reason = one->judged.reason;
	struct message_value name = name_of(h->arena, h->gate, one);
	if (!reason || reason->code != MESSAGE_STOPPED)
		return message_of(h->arena, MESSAGE_EXAMPLE_STOPPED, name,
				  commit_of(h->arena, one->series->baseline_revision));
	if (h->place != REPORT_LINE)
		return message_of(h->arena, MESSAGE_EXAMPLE_STOPPED, name, reason->values[0]);
	return message_of(h->arena, MESSAGE_EXAMPLE_STOPPED_AGO, name, reason->values[0],
			  reason->values[3]);
}

static const struct message *accepted_example(const struct headline *h,
					      const struct comparison *one)
{
	const struct acceptance *line = one->acceptance;
	if (h->place == REPORT_NIGHT || !line || !line->limit || !line->expires ||
	    isnan(one->judged.change))
		return changed_example(h, one);
	return message_of(h->arena, MESSAGE_EXAMPLE_ACCEPTED, name_of(h->arena, h->gate, one),
			  message_fraction(one->judged.change), message_text(line->limit),
			  message_text(line->expires));
}

static const struct message *example_of(const struct headline *h, const struct comparison *one)
{
	struct message_value name = name_of(h->arena, h->gate, one);
	switch (one->judged.verdict) {
	case VERDICT_FAILED:
		return message_of(h->arena, MESSAGE_EXAMPLE_LIMIT, name,
				  value_of(one, one->judged.candidate),
				  value_of(one, one->judged.baseline));
	case VERDICT_IMPOSSIBLE:
		return floor_example(h, one);
	case VERDICT_MISSING:
		return h->place == REPORT_NIGHT || !one->series->baseline_revision
			       ? message_of(h->arena, MESSAGE_EXAMPLE, name)
			       : message_of(h->arena, MESSAGE_EXAMPLE_MISSING, name,
					    commit_of(h->arena, one->series->baseline_revision));
	case VERDICT_STALE:
		return stopped_example(h, one);
	case VERDICT_ACCEPTED:
		return accepted_example(h, one);
	case VERDICT_UNPROVEN:
		if (one->leap && h->place != REPORT_NIGHT)
			return message_of(h->arena, MESSAGE_EXAMPLE_LEAP, name,
					  message_fraction(one->judged.change),
					  message_number(one->leap->best / one->leap->time));
		return changed_example(h, one);
	case VERDICT_UNDECIDED:
	case VERDICT_INCOMPARABLE:
	case VERDICT_NO_BASELINE:
	case VERDICT_NEW:
		return message_of(h->arena, MESSAGE_EXAMPLE, name);
	default:
		return changed_example(h, one);
	}
}

const struct message *report_example(struct arena *arena, const struct gate_result *gate,
				     const struct comparison *one)
{
	const struct headline h = {.arena = arena, .gate = gate, .place = REPORT_NIGHT};
	return example_of(&h, one);
}

/* --- the sentence --- */

static struct headline headline_of(struct arena *arena, const struct gate_result *gate,
				   enum report_place place)
{
	struct headline h = {.arena = arena, .gate = gate, .place = place};
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		struct group *group = &h.groups[one->judged.verdict];
		if (one->policy->role != POLICY_PRIMARY)
			continue;
		group->verdict = one->judged.verdict;
		/* What is clear comes first, also after something worse by another metric. */
		if (!group->worst || (is_clear(one) && !group->clear))
			group->worst = one;
		group->count++;
		group->clear += is_clear(one);
	}
	return h;
}

/* The worst verdict that leads to the status; where nothing fails, that of the first comparison
 * that is neither unchanged nor new. */
static const struct group *leading(const struct headline *h)
{
	const struct gate_result *gate = h->gate;
	for (size_t i = 0; gate->outcome != EXIT_PASS && i < gate->count; i++)
		if (gate->comparisons[i].status == gate->outcome)
			return &h->groups[gate->comparisons[i].judged.verdict];
	for (int verdict = 0; verdict < VERDICT_LIMIT; verdict++)
		if (h->groups[verdict].worst && verdict != VERDICT_NEW)
			return &h->groups[verdict];
	return &h->groups[VERDICT_NEW];
}

static struct message_value way_of(const struct group *group)
{
	bool better = group->verdict == VERDICT_IMPROVED;
	bool speed = metric_is_time_or_rate(group->worst->metric);
	return message_term(better  ? speed ? MESSAGE_WAY_FASTER : MESSAGE_WAY_BETTER
			    : speed ? MESSAGE_WAY_SLOWER
				    : MESSAGE_WAY_WORSE);
}

/* Whether each comparison of the group lacks history. */
static bool is_short(const struct headline *h, const struct group *group)
{
	for (size_t i = 0; i < h->gate->count; i++) {
		const struct comparison *one = &h->gate->comparisons[i];
		if (one->judged.verdict == group->verdict && one->policy->role == POLICY_PRIMARY &&
		    (!one->judged.reason ||
		     one->judged.reason->code != MESSAGE_UNDECIDED_FEW_COMMITS))
			return false;
	}
	return true;
}

static const struct message *short_sentence(const struct headline *h, const struct group *group)
{
	const struct message_value *values = group->worst->judged.reason->values;
	size_t all = primary_of(h->gate);
	if (group->count == all)
		return message_of(h->arena, MESSAGE_HEADLINE_ALL_SHORT, message_integer(all),
				  gate_noun(h->gate), values[0], values[1]);
	return message_of(h->arena, MESSAGE_HEADLINE_SHORT, message_integer(group->count),
			  message_integer(all), gate_noun(h->gate), values[0], values[1]);
}

static const struct message *unchanged_sentence(const struct headline *h)
{
	const struct gate_result *gate = h->gate;
	size_t same = h->groups[VERDICT_UNCHANGED].count + h->groups[VERDICT_HELD].count;
	struct message_value all = message_integer(primary_of(gate));
	if (same == primary_of(gate))
		return message_of(h->arena, MESSAGE_HEADLINE_ALL_UNCHANGED, all, gate_noun(gate));
	return message_of(h->arena, MESSAGE_HEADLINE_UNCHANGED, message_integer(same), all,
			  gate_noun(gate));
}

static enum message_code code_of(const struct headline *h, const struct group *group)
{
	const struct comparison *one = group->worst;
	if (group->verdict == VERDICT_REGRESSED && one->second == VERDICT_REGRESSED)
		return h->place == REPORT_COMMENT ? MESSAGE_HEADLINE_CONFIRMED_AGAIN
						  : MESSAGE_HEADLINE_CONFIRMED;
	if (group->verdict == VERDICT_IMPROVED && one->recovered)
		return MESSAGE_HEADLINE_FIXED;
	return situations[group->verdict].sentence;
}

static const struct message *recorded(const struct headline *h)
{
	struct message_value all = message_integer(primary_of(h->gate)), noun = gate_noun(h->gate);
	switch (h->place) {
	case REPORT_COMMENT:
		return message_of(h->arena, MESSAGE_HEADLINE_RECORDED_NEXT, all, noun);
	case REPORT_NIGHT:
		return message_of(h->arena, MESSAGE_HEADLINE_RECORDED_PLAIN, all, noun);
	default:
		return message_of(h->arena, MESSAGE_HEADLINE_RECORDED, all, noun,
				  commit_of(h->arena, &h->gate->input->candidate));
	}
}

/* A comment names the first fact of the environment that changed. */
static const struct message *with_cause(const struct headline *h, const struct message *sentence)
{
	const struct gate_environment *shift = &h->gate->environment;
	const struct message *cause = shift->change_count ? shift->changes[0] : NULL;
	if (h->place != REPORT_COMMENT || !cause || cause->code != MESSAGE_ENVIRONMENT_CHANGE)
		return sentence;
	return message_of(h->arena, MESSAGE_HEADLINE_CAUSE, message_part(sentence),
			  cause->values[0], cause->values[1], cause->values[2]);
}

/* Suspects that noise cannot explain; the others are counted after them. */
static const struct message *clear_sentence(const struct headline *h, const struct group *group)
{
	const struct message *sentence =
		message_of(h->arena, MESSAGE_HEADLINE_MEASURED_ONCE, message_integer(group->clear),
			   message_integer(primary_of(h->gate)), gate_noun(h->gate), way_of(group),
			   message_part(example_of(h, group->worst)));
	if (group->clear == group->count)
		return sentence;
	return message_of(h->arena, MESSAGE_HEADLINE_AND, message_part(sentence),
			  message_part(message_of(h->arena, MESSAGE_COUNT_SUSPECT,
						  message_integer(group->count - group->clear))));
}

static const struct message *main_sentence(const struct headline *h, const struct group *group)
{
	const struct gate_environment *shift = &h->gate->environment;
	struct message_value count = message_integer(group->count),
			     all = message_integer(primary_of(h->gate)), noun = gate_noun(h->gate);
	if (!primary_of(h->gate))
		return message_plain(MESSAGE_HEADLINE_EMPTY);
	if (!group->worst || group->verdict == VERDICT_NO_BASELINE)
		return h->gate->input->first && !h->gate->input->dirty && group->worst
			       ? recorded(h)
			       : message_of(h->arena, MESSAGE_HEADLINE_NOTHING, all, noun);
	if (group->verdict == VERDICT_UNCHANGED || group->verdict == VERDICT_HELD)
		return unchanged_sentence(h);
	if (group->verdict == VERDICT_ENVIRONMENT && shift->moved)
		return with_cause(h, message_of(h->arena, MESSAGE_HEADLINE_TOGETHER,
						message_integer(shift->moved), all, noun,
						message_fraction(shift->factor - 1)));
	if (group->verdict == VERDICT_UNDECIDED && is_short(h, group))
		return short_sentence(h, group);
	if (group->clear)
		return clear_sentence(h, group);
	enum message_code code = code_of(h, group);
	struct message_value example = message_part(example_of(h, group->worst));
	if (code != MESSAGE_HEADLINE_FIXED && situations[group->verdict].way)
		return message_of(h->arena, code, count, all, noun, way_of(group), example);
	return message_of(h->arena, code, count, all, noun, example);
}

/* What a line of the terminal advises; a comment has the advice as a sentence of its own. */
static const struct message *advised(const struct headline *h, const struct group *group,
				     const struct message *sentence)
{
	enum message_code advice = group->verdict == VERDICT_SUSPECT    ? MESSAGE_ADVICE_CONFIRM
				   : group->verdict == VERDICT_UNPROVEN ? MESSAGE_ADVICE_NEW_INPUTS
				   : group->verdict == VERDICT_ENVIRONMENT ? MESSAGE_ADVICE_BASELINE
									   : MESSAGE_NONE;
	if (h->place != REPORT_LINE || advice == MESSAGE_NONE)
		return sentence;
	return message_of(h->arena, MESSAGE_HEADLINE_AND, message_part(sentence),
			  message_term(advice));
}

static const struct message *count_message(const struct headline *h, const struct group *group)
{
	enum message_code code = situations[group->verdict].count;
	struct message_value count = message_integer(group->count);
	if (code == MESSAGE_COUNT_CHANGED)
		return message_of(h->arena, code, count, way_of(group));
	return message_of(h->arena, code, count);
}

/* The other situations; what is unchanged only in a line, where the gate passes with something
 * else. */
static const struct message *with_others(const struct headline *h, const struct group *group,
					 const struct message *sentence)
{
	bool same = h->place == REPORT_LINE &&
		    (group->verdict == VERDICT_ACCEPTED || group->verdict == VERDICT_IMPROVED);
	for (int i = 0; i < VERDICT_LIMIT; i++) {
		const struct group *other = &h->groups[i];
		bool unchanged = i == VERDICT_UNCHANGED || i == VERDICT_HELD;
		if (other != group && other->worst && (!unchanged || same))
			sentence =
				message_of(h->arena, MESSAGE_HEADLINE_AND, message_part(sentence),
					   message_part(count_message(h, other)));
	}
	return sentence;
}

static const struct message *with_selection(const struct headline *h,
					    const struct message *sentence)
{
	const struct gate_input *input = h->gate->input;
	if (!input->selected)
		return sentence;
	return message_of(h->arena, MESSAGE_HEADLINE_AND, message_part(sentence),
			  message_part(message_of(h->arena, MESSAGE_HEADLINE_SELECTED,
						  message_integer(input->selected),
						  message_integer(input->measured))));
}

const struct message *report_headline(struct arena *arena, const struct gate_result *gate,
				      enum report_place place)
{
	const struct headline h = headline_of(arena, gate, place);
	const struct group *group = leading(&h);
	const struct message *sentence = main_sentence(&h, group);
	if (place == REPORT_NIGHT)
		return sentence;
	return with_selection(&h, with_others(&h, group, advised(&h, group, sentence)));
}

const struct message *report_answer(struct arena *arena, const struct gate_result *gate)
{
	const struct headline h = headline_of(arena, gate, REPORT_COMMENT);
	return main_sentence(&h, leading(&h));
}

const struct message *report_headline_line(struct arena *arena, const struct gate_result *gate,
					   const struct message *sentence)
{
	return message_of(arena, MESSAGE_HEADLINE_LINE, message_term(report_gate_word(gate)),
			  message_part(sentence));
}
