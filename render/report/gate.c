/* The gate's result in the report document. */
#include "render/document/key.h"
#include "render/report/report.h"

#include "model/acceptance/acceptance.h"
#include "render/vocabulary/vocabulary.h"

static void add_counts(struct arena *arena, struct json *out, const struct gate_result *gate)
{
	struct json *counts = json_set_object(arena, out, KEY(counts));
	json_set_number(arena, counts, KEY(series), (double)gate->series);
	json_set_number(arena, counts, KEY(comparisons), (double)gate->count);
	json_set_number(arena, counts, KEY(primary), (double)(gate->count - gate->context));
	json_set_number(arena, counts, KEY(context), (double)gate->context);
	json_set_number(arena, counts, KEY(judged), (double)gate->judged);
	json_set_number(arena, counts, "newly_bad", (double)gate->newly);
	for (int i = 0; i < VERDICT_LIMIT; i++) {
		enum verdict verdict = (enum verdict)i;
		const char *name =
			verdict == VERDICT_NO_BASELINE ? "no_baseline" : verdict_name(verdict);
		json_set_number(arena, counts, name, (double)gate->counts[verdict]);
	}
}

/* Adds the verdicts that occur, worst first, for summaries. */
static void add_verdicts(struct arena *arena, struct json *out, const struct gate_result *gate)
{
	struct json *list = json_set_array(arena, out, KEY(verdicts));
	for (int i = 0; i < VERDICT_LIMIT; i++) {
		enum verdict verdict = (enum verdict)i;
		if (gate->counts[verdict] == 0)
			continue;
		struct json *one = json_add_object(arena, list);
		json_set_text(arena, one, KEY(verdict), verdict_name(verdict));
		json_set_text(arena, one, KEY(mark), verdict_mark(verdict));
		json_set_number(arena, one, KEY(count), (double)gate->counts[verdict]);
	}
}

static void add_environment(struct arena *arena, struct json *out, const struct gate_result *gate)
{
	const struct gate_environment *environment = &gate->environment;
	struct json *object = json_set_object(arena, out, KEY(environment));
	json_set_bool(arena, object, KEY(event), environment->event);
	json_set_number(arena, object, KEY(moved), (double)environment->moved);
	json_set_number(arena, object, KEY(looked_at), (double)environment->looked_at);
	json_set_number(arena, object, KEY(factor), environment->factor);
	json_set_number(arena, object, KEY(folded), (double)environment->folded);
	json_set_text(arena, object, KEY(text),
		      environment->moved
			      ? arena_printf(arena,
					     "%zu of %zu moved alike, to %.3f times the record",
					     environment->moved, environment->looked_at,
					     environment->factor)
			      : NULL);
	struct json *changes = json_set_array(arena, object, KEY(changes));
	for (size_t i = 0; i < environment->change_count; i++)
		json_add_text(arena, changes, vocabulary_english(arena, environment->changes[i]));
}

static void add_acceptances(struct arena *arena, struct json *out, const struct gate_result *gate)
{
	struct json *list = json_set_array(arena, out, KEY(acceptances));
	for (size_t i = 0; gate->input->acceptances && i < gate->input->acceptances->count; i++) {
		const struct acceptance *line = &gate->input->acceptances->items[i];
		struct json *one = json_add_object(arena, list);
		json_set_number(arena, one, KEY(line), (double)line->line);
		json_set_text(arena, one, KEY(series), line->series);
		json_set_text(arena, one, KEY(author), line->author);
		json_set_text(arena, one, KEY(reason), line->reason);
		json_set_text(arena, one, KEY(expires), line->expires);
		json_set_text(arena, one, KEY(state), acceptance_state_name(gate->uses[i].state));
		json_set_text(arena, one, KEY(standing),
			      acceptance_standing_name(gate->uses[i].standing));
		json_set_number(arena, one, KEY(accepted), (double)gate->uses[i].accepted);
	}
}

/* --- a comparison --- */

const char *report_baseline_text(struct arena *arena, const struct comparison *one)
{
	const char *text =
		quantity_text(arena, one->judged.baseline, metric_info(one->metric)->unit);
	bool least = !isnan(one->policy->at_least) && one->judged.baseline == one->policy->at_least;
	if (one->judged.method != METHOD_LIMIT)
		return text;
	return arena_printf(arena, "%s %s", least ? ">=" : "<=", text);
}

struct json *report_baseline(struct arena *arena, struct json *out, const struct comparison *one)
{
	struct json *side = report_quantity(arena, out, KEY(baseline), one->judged.baseline,
					    metric_info(one->metric)->unit);
	if (one->judged.method == METHOD_LIMIT)
		json_get(side, KEY(text))->text = report_baseline_text(arena, one);
	return side;
}

static void add_names(struct arena *arena, struct json *out, const struct comparison *one)
{
	json_set_text(arena, out, KEY(series), one->series->key);
	json_set_text(arena, out, KEY(kernel), one->run->kernel);
	if (one->run->variant[0])
		json_set_text(arena, out, KEY(variant), one->run->variant);
	json_set_text(arena, out, KEY(params_text), run_params_text(arena, one->run));
	json_set_text(arena, out, KEY(dtype), one->run->dtype);
	json_set_text(arena, out, KEY(device), one->run->device);
	json_set_text(arena, out, KEY(policy), one->policy->name);
	if (one->policy->role == POLICY_CONTEXT)
		json_set_bool(arena, out, KEY(context), true);
	json_set_text(arena, out, KEY(metric), metric_info(one->metric)->key);
	json_set_text(arena, out, KEY(title), metric_info(one->metric)->title);
}

static const char *percent(struct arena *arena, double fraction)
{
	return isnan(fraction) ? NULL : quantity_percent_text(arena, fraction);
}

const char *report_interval_text(struct arena *arena, double low, double high)
{
	return arena_printf(arena, "%+.1f to %+.1f %%", low * 100, high * 100);
}

const char *report_effect_text(struct arena *arena, double effect, bool relative, enum unit unit)
{
	return relative || !isfinite(effect) ? quantity_change_text(arena, effect)
					     : quantity_signed_text(arena, effect, unit);
}

const char *report_effect_interval_text(struct arena *arena, double low, double high, bool relative,
					enum unit unit)
{
	if (!isfinite(low) || !isfinite(high))
		return NULL;
	if (relative)
		return report_interval_text(arena, low, high);
	return arena_printf(arena, "%s to %s", quantity_signed_text(arena, low, unit),
			    quantity_signed_text(arena, high, unit));
}

static void add_interval(struct arena *arena, struct json *out, const struct comparison *one)
{
	double low = one->change_interval.low, high = one->change_interval.high;
	if (isnan(low))
		return;
	struct json *interval = json_set_object(arena, out, KEY(interval));
	json_set_number(arena, interval, KEY(low), low);
	json_set_number(arena, interval, KEY(high), high);
	json_set_text(arena, interval, KEY(text), report_interval_text(arena, low, high));
}

/* Adds the statistics, only if the comparison was judged by history. */
static void add_record(struct arena *arena, struct json *out, const struct comparison *one)
{
	const struct judge_result *r = &one->judged.record;
	enum unit unit = metric_info(one->metric)->unit;
	bool over = policy_direction(one->policy, one->metric) == METRIC_HIGHER && r->relative;
	if (one->judged.method != METHOD_RECORD && one->judged.method != METHOD_HISTORY)
		return;
	json_set_number(arena, out, KEY(noise), r->scale);
	json_set_text(arena, out, KEY(noise_text), percent(arena, r->scale));
	json_set_number(arena, out, KEY(p), r->slower ? one->p : one->p_faster);
	json_set_number(arena, out, KEY(q), r->slower ? one->judged.q : one->judged.q_faster);
	struct json *effect = json_set_object(arena, out, KEY(effect));
	json_set_number(arena, effect, KEY(value), r->effect);
	json_set_number(arena, effect, KEY(low), one->effect.low);
	json_set_number(arena, effect, KEY(high), one->effect.high);
	json_set_text(arena, effect, KEY(text),
		      isnan(one->effect.low)
			      ? NULL
			      : report_interval_text(arena, one->effect.low, one->effect.high));
	json_set_number(arena, out, KEY(detectable), r->detectable);
	json_set_text(arena, out, KEY(detectable_text), percent(arena, r->detectable));
	struct json *record = json_set_object(arena, out, KEY(record));
	json_set_number(arena, record, KEY(commits), (double)r->count);
	report_quantity(arena, record, KEY(level), over ? 1 / r->level : r->level, unit);
	report_commit(arena, record, KEY(newest), one->series->baseline_revision, false);
}

static void add_change(struct arena *arena, struct json *out, const struct comparison *one)
{
	const struct detect_change *change = one->change;
	if (!change)
		return;
	struct json *object = json_set_object(arena, out, KEY(change_of_level));
	report_commit(arena, object, KEY(last_before), one->last_before, false);
	report_commit(arena, object, KEY(first_after), one->first_after, false);
	json_set_number(arena, object, KEY(effect), change->effect);
	json_set_text(arena, object, KEY(effect_text),
		      report_effect_text(arena, change->effect, change->relative,
					 metric_info(one->metric)->unit));
	json_set_number(arena, object, KEY(p), change->p);
}

/* Adds how the configuration or the command line treats this verdict; nothing if neither mentions
 * it. */
static void add_treatment(struct arena *arena, struct json *out, const struct comparison *one)
{
	if (one->treat != TREAT_DEFAULT)
		json_set_text(arena, out, KEY(treat), one->treat == TREAT_PASS ? "pass" : "fail");
	json_set_number(arena, out, KEY(exit_status), one->status);
}

struct json *report_add_comparison(struct arena *arena, struct json *list,
				   const struct comparison *one)
{
	const struct judgement *judged = &one->judged;
	struct json *out = json_add_object(arena, list);
	add_names(arena, out, one);
	json_set_text(arena, out, KEY(verdict), verdict_name(judged->verdict));
	json_set_text(arena, out, KEY(mark), verdict_mark(judged->verdict));
	json_set_text(arena, out, KEY(method), verdict_method_name(judged->method));
	struct json *baseline = report_baseline(arena, out, one);
	json_set_number(arena, baseline, KEY(samples), (double)one->series->baseline.count);
	/* A limit does not belong to a commit. */
	if (judged->method != METHOD_LIMIT)
		report_commit(arena, baseline, KEY(commit), one->series->baseline_revision, false);
	if (judged->method != METHOD_LIMIT && one->series->baseline_age >= 0)
		json_set_number(arena, baseline, KEY(age_commits),
				(double)one->series->baseline_age);
	struct json *candidate = report_quantity(arena, out, KEY(candidate), one->measured,
						 metric_info(one->metric)->unit);
	json_set_number(arena, candidate, KEY(samples), (double)one->series->candidate.count);
	json_set_number(arena, out, KEY(change), judged->change);
	json_set_text(arena, out, KEY(change_text), quantity_change_text(arena, judged->change));
	json_set_text(arena, out, KEY(limit_text),
		      vocabulary_english(arena, policy_message(arena, one->policy)));
	json_set_text(arena, out, KEY(reason), vocabulary_english(arena, judged->reason));
	json_set_bool(arena, out, KEY(already_bad), one->already);
	json_set_number(arena, out, KEY(measurements),
			one->measurements ? (double)one->measurements : NAN);
	add_interval(arena, out, one);
	add_record(arena, out, one);
	add_change(arena, out, one);
	if (one->creep_reason)
		json_set_text(arena, out, KEY(creep), vocabulary_english(arena, one->creep_reason));
	report_add_why(arena, out, one->why);
	add_treatment(arena, out, one);
	return out;
}

/* Adds the baseline if all comparisons share it. */
static void add_shared_baseline(struct arena *arena, struct json *out,
				const struct gate_result *gate)
{
	const struct gate_series *shared = gate->shared_baseline;
	if (!shared)
		return;
	struct json *baseline = json_set_object(arena, out, KEY(baseline));
	report_commit(arena, baseline, KEY(commit), shared->baseline_revision, false);
	report_age(arena, baseline, shared->baseline_age);
}

void report_add_gate(struct arena *arena, struct json *document, const struct gate_result *gate,
		     size_t comparisons)
{
	size_t most = comparisons && comparisons < gate->count ? comparisons : gate->count;
	struct json *out = json_set_object(arena, document, KEY(gate));
	json_set_text(arena, out, KEY(verdict), gate->verdict);
	json_set_number(arena, out, KEY(exit_status), gate->exit_status);
	json_set_bool(arena, out, KEY(passed), gate->exit_status == EXIT_PASS);
	json_set_text(arena, out, KEY(reason), vocabulary_english(arena, gate->reason));
	json_set_text(arena, out, KEY(against), gate->input->against);
	report_commit(arena, out, KEY(candidate), &gate->input->candidate, gate->input->dirty);
	add_shared_baseline(arena, out, gate);
	add_counts(arena, out, gate);
	add_verdicts(arena, out, gate);
	add_environment(arena, out, gate);
	add_acceptances(arena, out, gate);
	struct json *list = json_set_array(arena, out, KEY(comparisons));
	if (most < gate->count)
		json_set_number(arena, out, KEY(comparisons_left_out),
				(double)(gate->count - most));
	for (size_t i = 0; i < most; i++)
		report_add_comparison(arena, list, &gate->comparisons[i]);
}
