/* The judge's numbers of one comparison, and the facts it uses in addition. */
#include "render/gate/internal.h"

#include "model/acceptance/acceptance.h"
#include "render/document/document.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

/* --- the judge --- */

static const char *values_judged(const struct explaining *e)
{
	static const char *const names[][2] = {
		[TURN_NONE] = {"value", "ln(value)"},
		[TURN_INVERSE] = {"1 / value", "ln(1 / value)"},
		[TURN_NEGATIVE] = {"-value", "ln(-value)"},
	};
	return names[e->one->judged.turn][e->one->judged.result.relative];
}

/* How the value of each gate must relate to its limit to pass. */
static const char *const relations[JUDGE_GATE_LIMIT] = {
	[JUDGE_GATE_COMMITS] = "at least", [JUDGE_GATE_P] = "below",
	[JUDGE_GATE_EFFECT] = "at least",  [JUDGE_GATE_SEEN] = "at most",
	[JUDGE_GATE_KNOWN] = "at most",    [JUDGE_GATE_REPEATS] = "at least",
};

static void add_gates(const struct explaining *e, struct json *out, const struct judge_result *r)
{
	struct json *gates = json_set_array(e->arena, out, KEY(gates));
	for (size_t i = 0; i < JUDGE_GATE_LIMIT; i++) {
		struct json *gate = json_add_object(e->arena, gates);
		json_set_text(e->arena, gate, KEY(name), r->gates[i].name);
		json_set_bool(e->arena, gate, KEY(passed), r->gates[i].passed);
		json_set_number(e->arena, gate, KEY(value), r->gates[i].value);
		json_set_text(e->arena, gate, KEY(must_be), relations[i]);
		json_set_number(e->arena, gate, KEY(limit), r->gates[i].limit);
	}
}

/* The judge sees 1 / value or -value for a higher-is-better metric. Level and candidate are shown
 * as measured, and the error is scaled by the same ratio. */
static void add_level(const struct explaining *e, struct json *out, const struct judge_result *r)
{
	enum verdict_turn turn = e->one->judged.turn;
	double error = turn == TURN_INVERSE ? r->level_error / r->level / r->level : r->level_error;
	document_quantity(e->arena, out, KEY(level), verdict_turned(turn, r->level), e->unit);
	document_quantity(e->arena, out, KEY(level_error), error, e->unit);
	document_quantity(e->arena, out, KEY(candidate), verdict_turned(turn, r->candidate),
			  e->unit);
}

/* The judge's t statistic: the difference, on the scale on which the judge works (ln of the ratio
 * if relative), over its standard deviation. Positive means slower. */
static double t_of(const struct judge_result *r)
{
	double difference = r->relative ? log1p(r->effect) : r->effect;
	return difference / (r->scale * sqrt(r->widening));
}

void render_gate_judge(const struct explaining *e, struct json *out)
{
	const struct comparison *one = e->one;
	const struct judge_result *r = &one->judged.result;
	struct arena *arena = e->arena;
	if (!verdict_is_by_history(&one->judged))
		return;
	struct json *judge = json_set_object(arena, out, KEY(judge));
	json_set_text(arena, judge, KEY(values), values_judged(e));
	json_set_text(arena, judge, KEY(runs),
		      one->second == VERDICT_REGRESSED ? "repeat measurements" : "all");
	json_set_number(arena, judge, KEY(commits), (double)r->count);
	add_level(e, judge, r);
	json_set_number(arena, judge, KEY(scale), r->scale);
	json_set_number(arena, judge, KEY(own_scale), r->own_scale);
	json_set_bool(arena, judge, KEY(borrowed), r->borrowed);
	if (r->assumed)
		json_set_number(arena, judge, KEY(noise_assumed), verdict_assumed_noise);
	json_set_number(arena, judge, KEY(autocorrelation), r->autocorrelation);
	json_set_number(arena, judge, KEY(widening), r->widening);
	json_set_number(arena, judge, KEY(df), r->df);
	json_set_number(arena, judge, KEY(effect), r->effect);
	json_set_number(arena, judge, KEY(effect_low), one->effect.low);
	json_set_number(arena, judge, KEY(effect_high), one->effect.high);
	json_set_number(arena, judge, KEY(t), t_of(r));
	json_set_number(arena, judge, KEY(p_slower), r->p);
	json_set_number(arena, judge, KEY(p_faster), r->p_faster);
	json_set_bool(arena, judge, KEY(unchanged_within_tolerance), r->equivalent);
	json_set_number(arena, judge, KEY(detectable), r->detectable);
	json_set_number(arena, judge, KEY(more_commits),
			(double)(r->missing_commits ? r->missing_commits : r->helpful_commits));
	add_gates(e, judge, r);
}

/* --- facts --- */

void render_gate_environment(const struct explaining *e, struct json *out)
{
	const struct gate_details *details = e->one->details;
	struct json *list = json_set_array(e->arena, out, KEY(environment));
	for (size_t i = 0; i < details->fact_count; i++) {
		const struct gate_fact *fact = &details->facts[i];
		struct json *object = json_add_object(e->arena, list);
		json_set_text(e->arena, object, KEY(fact), fact->key);
		json_set_text(e->arena, object, KEY(baseline), fact->baseline);
		json_set_text(e->arena, object, KEY(candidate), fact->candidate);
	}
}

static const char *kernel_hash_of(const struct run_list *runs)
{
	const char *hash = runs->count ? runs->items[0]->kernel_hash : NULL;
	return hash && hash[0] ? hash : NULL;
}

void render_gate_kernel(const struct explaining *e, struct json *out)
{
	const struct gate_series *series = e->one->series;
	struct json *kernel = json_set_object(e->arena, out, KEY(kernel_hash));
	json_set_text(e->arena, kernel, KEY(baseline), kernel_hash_of(&series->baseline));
	json_set_text(e->arena, kernel, KEY(candidate), kernel_hash_of(&series->candidate));
	json_set_text(e->arena, kernel, KEY(is), e->one->details->kernel);
}

/* Adds drift; levels are inverted back for higher-is-better metrics. */
static void add_drift(const struct explaining *e, struct json *list, const char *to,
		      const struct drift_result *found)
{
	enum verdict_turn turn = e->one->drift_turn;
	if (!found->judged)
		return;
	struct json *out = json_add_object(e->arena, list);
	json_set_text(e->arena, out, KEY(against), to);
	json_set_bool(e->arena, out, KEY(flagged), found->flagged);
	document_quantity(e->arena, out, KEY(reference), verdict_turned(turn, found->reference),
			  e->unit);
	document_quantity(e->arena, out, KEY(current), verdict_turned(turn, found->current),
			  e->unit);
	json_set_number(e->arena, out, KEY(drift), found->drift);
	json_set_number(e->arena, out, KEY(drift_low), found->low);
	json_set_number(e->arena, out, KEY(drift_high), found->high);
	json_set_number(e->arena, out, KEY(p), found->p);
	json_set_number(e->arena, out, KEY(scale), found->scale);
	json_set_number(e->arena, out, KEY(autocorrelation), found->correlation);
	json_set_number(e->arena, out, KEY(windows), (double)found->windows);
	json_set_number(e->arena, out, KEY(commits_of_reference),
			(double)(found->reference_to - found->reference_from));
	json_set_number(e->arena, out, KEY(commits_of_current),
			(double)(found->current_to - found->current_from));
}

void render_gate_drifts(const struct explaining *e, struct json *out)
{
	struct json *list = json_set_array(e->arena, out, KEY(drift));
	if (e->gate->input->pin_name)
		add_drift(e, list, e->gate->input->pin_name, &e->one->drift_release);
	add_drift(e, list, "the best period", &e->one->drift_best);
}

void render_gate_acceptance(const struct explaining *e, struct json *out)
{
	const struct acceptance *line = e->one->acceptance;
	if (!line)
		return;
	struct json *object = json_set_object(e->arena, out, KEY(acceptance));
	json_set_number(e->arena, object, KEY(line), (double)line->line);
	json_set_text(e->arena, object, KEY(series), line->series);
	json_set_text(e->arena, object, KEY(limit_text), line->limit);
	json_set_text(e->arena, object, KEY(expires), line->expires);
	json_set_text(e->arena, object, KEY(author), line->author);
	json_set_text(e->arena, object, KEY(reason), line->reason);
	bool accepted = e->one->judged.verdict == VERDICT_ACCEPTED;
	json_set_bool(e->arena, object, KEY(accepts), accepted);
	json_set_text(e->arena, object, KEY(otherwise),
		      verdict_name(accepted ? e->one->accepted : e->one->judged.verdict));
}

/* What fails of the series of this rule, where it says so itself. */
static void add_fail_on(const struct explaining *e, struct json *out)
{
	const char *words[GATE_FAIL_ON_WORDS];
	const struct policy *policy = e->one->policy;
	if (!policy->fail_on.given)
		return;
	const struct policy_fail_on fails =
		gate_fail_on_for(e->gate->input, &e->gate->fail_on, policy);
	struct json *list = json_set_array(e->arena, out, KEY(fail_on));
	for (size_t i = 0, count = gate_fail_on_words(&fails, words); i < count; i++)
		json_add_text(e->arena, list, words[i]);
}

void render_gate_rule(const struct explaining *e, struct json *out)
{
	static const char *const directions[] = {"lower", "higher", "neither"};
	const struct policy *policy = e->one->policy;
	struct arena *arena = e->arena;
	struct json *row = json_set_object(arena, out, KEY(row));
	json_set_text(arena, row, KEY(name), policy->name);
	json_set_text(arena, row, KEY(kernel), policy->kernel);
	json_set_text(arena, row, KEY(variant), policy->variant);
	json_set_text(arena, row, KEY(device), policy->device);
	json_set_text(arena, row, KEY(role),
		      policy->role == POLICY_CONTEXT ? "context" : "primary");
	json_set_text(arena, row, KEY(better),
		      directions[policy_direction(policy, e->one->metric)]);
	json_set_text(arena, row, KEY(limit_text),
		      vocabulary_say(arena, policy_message(arena, policy)));
	json_set_number(arena, row, KEY(relative), policy->limits.relative);
	json_set_number(arena, row, KEY(absolute), policy->limits.absolute);
	json_set_number(arena, row, KEY(tolerance), policy->tolerance);
	json_set_number(arena, row, KEY(alpha), policy->alpha);
	json_set_number(arena, row, KEY(noise), policy->noise);
	json_set_number(arena, row, KEY(runs), (double)policy->least_runs);
	json_set_bool(arena, row, KEY(confirm), policy->confirm);
	json_set_number(arena, row, KEY(at_least), policy->at_least);
	json_set_number(arena, row, KEY(at_most), policy->at_most);
	json_set_number(arena, row, KEY(stale_after_days),
			policy->stale_days > 0 ? policy->stale_days : NAN);
	add_fail_on(e, row);
}
