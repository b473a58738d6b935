/* The gate's result in the report document. */
#include "render/document/document.h"
#include "render/report/report.h"

#include "model/acceptance/acceptance.h"
#include "render/vocabulary/vocabulary.h"

const char *report_verdict_text(const struct comparison *one)
{
	return vocabulary_verdict(vocabulary_spoken(), verdict_words(&one->judged),
				  metric_is_time_or_rate(one->metric));
}

const char *report_verdicts_text(const struct gate_result *gate, enum verdict verdict)
{
	return vocabulary_verdict(vocabulary_spoken(), gate_verdict_words(gate, verdict),
				  gate_is_about_speed(gate, verdict));
}

const char *report_against(struct arena *arena, const char *against)
{
	static const char *const known[] = {"merge base", "the main branch at", "main branch at"};
	for (size_t i = 0; against && i < sizeof known / sizeof *known; i++) {
		size_t len = strlen(known[i]);
		if (strncmp(against, known[i], len) == 0 && (!against[len] || against[len] == ' '))
			return arena_printf(arena, "%s%s", vocabulary_format(known[i]),
					    against + len);
	}
	return vocabulary_label(against);
}

const char *report_versus(struct arena *arena, const char *against)
{
	const char *text = report_against(arena, against);
	bool chinese = vocabulary_spoken() == LANGUAGE_CHINESE && text && text[0] & 0x80;
	return arena_printf(arena, "%s%s", vocabulary_label(chinese ? "vs." : "vs. "),
			    text ? text : "?");
}

static void add_counts(struct arena *arena, struct json *out, const struct gate_result *gate)
{
	const struct document_member members[] = {
		{KEY(series), NUMBER(gate->series)},
		{KEY(comparisons), NUMBER(gate->count)},
		{KEY(primary), NUMBER(gate->count - gate->context)},
		{KEY(context), NUMBER(gate->context)},
		{KEY(judged), NUMBER(gate->judged)},
		{"newly_bad", NUMBER(gate->newly)},
	};
	struct document_member verdicts[VERDICT_LIMIT];
	for (int i = 0; i < VERDICT_LIMIT; i++) {
		const char *name = verdict_name((enum verdict)i);
		verdicts[i] = (struct document_member){
			i == VERDICT_NO_BASELINE ? "no_baseline" : name, NUMBER(gate->counts[i])};
	}
	struct json *counts = json_set_object(arena, out, KEY(counts));
	document_fill(arena, counts, members);
	document_fill(arena, counts, verdicts);
}

/* Adds the verdicts that occur, worst first, for summaries. */
static void add_verdicts(struct arena *arena, struct json *out, const struct gate_result *gate)
{
	struct json *list = json_set_array(arena, out, KEY(verdicts));
	for (int i = 0; i < VERDICT_LIMIT; i++) {
		enum verdict verdict = (enum verdict)i;
		const struct document_member members[] = {
			{KEY(verdict), TEXT(verdict_name(verdict))},
			{KEY(verdict_text), TEXT(report_verdicts_text(gate, verdict))},
			{KEY(class), TEXT(gate_class_of(verdict))},
			{KEY(mark), TEXT(verdict_mark(verdict))},
			{KEY(count), NUMBER(gate->counts[verdict])},
		};
		if (gate->counts[verdict] > 0)
			document_fill(arena, json_add_object(arena, list), members);
	}
}

static void add_environment(struct arena *arena, struct json *out, const struct gate_result *gate)
{
	const struct gate_environment *shift = &gate->environment;
	const char *text = arena_printf(
		arena,
		vocabulary_format(
			"%zu of %zu series shifted together, to %.3f times their baseline"),
		shift->moved, shift->looked_at, shift->factor);
	const struct document_member members[] = {
		{KEY(event), BOOL(shift->event)},
		{KEY(moved), NUMBER(shift->moved)},
		{KEY(looked_at), NUMBER(shift->looked_at)},
		{KEY(factor), NUMBER(shift->factor)},
		{KEY(folded), NUMBER(shift->folded)},
		{KEY(text), TEXT(shift->moved ? text : NULL)},
		{KEY(changes), MESSAGES(shift->changes, shift->change_count)},
		{KEY(epoch), MESSAGE(shift->epoch), OPTIONAL},
	};
	document_fill(arena, json_set_object(arena, out, KEY(environment)), members);
}

static void add_acceptances(struct arena *arena, struct json *out, const struct gate_result *gate)
{
	struct json *list = json_set_array(arena, out, KEY(acceptances));
	for (size_t i = 0; gate->input->acceptances && i < gate->input->acceptances->count; i++) {
		const struct acceptance *line = &gate->input->acceptances->items[i];
		const struct acceptance_use *use = &gate->uses[i];
		const struct document_member members[] = {
			{KEY(line), NUMBER(line->line)},
			{KEY(series), TEXT(line->series)},
			{KEY(author), TEXT(line->author)},
			{KEY(reason), TEXT(line->reason)},
			{KEY(expires), TEXT(line->expires)},
			{KEY(state), TEXT(acceptance_state_name(use->state))},
			{KEY(standing), TEXT(acceptance_standing_name(use->standing))},
			{KEY(accepted), NUMBER(use->accepted)},
		};
		document_fill(arena, json_add_object(arena, list), members);
	}
}

void report_add_configuration(struct arena *arena, struct json *out,
			      const struct gate_configuration *configuration)
{
	if (!configuration)
		return;
	const struct document_member members[] = {
		{KEY(source), TEXT(configuration->source)},
		{KEY(path), TEXT(configuration->path)},
		{KEY(commit), TEXT(configuration->commit)},
		{KEY(found), BOOL(configuration->found)},
		{KEY(differs), BOOL(configuration->differs)},
		{KEY(text), MESSAGE(configuration->notice)},
	};
	document_fill(arena, json_set_object(arena, out, KEY(configuration)), members);
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

static void add_baseline(struct arena *arena, struct json *out, const struct comparison *one)
{
	const bool limit = one->judged.method == METHOD_LIMIT; /* does not belong to a commit */
	const int64_t age = limit ? -1 : one->series->baseline_age;
	const struct document_member members[] = {
		{KEY(value), NUMBER(one->judged.baseline)},
		{KEY(unit), UNIT(metric_info(one->metric)->unit)},
		{KEY(text), TEXT(report_baseline_text(arena, one))},
		{KEY(samples), NUMBER(one->series->baseline.count)},
		{KEY(commit), COMMIT(limit ? NULL : one->series->baseline_revision, false)},
		{KEY(age_commits), NUMBER(age < 0 ? NAN : (double)age), OPTIONAL},
	};
	document_fill(arena, json_set_object(arena, out, KEY(baseline)), members);
}

/* Nothing is compared: a line says why, where others have a row. */
static bool is_absent(enum verdict verdict)
{
	return verdict == VERDICT_STALE || verdict == VERDICT_MISSING ||
	       verdict == VERDICT_INCOMPARABLE || verdict == VERDICT_NO_BASELINE ||
	       verdict == VERDICT_NEW;
}

static void add_names(struct arena *arena, struct json *out, const struct comparison *one)
{
	const struct run *run = one->run;
	const struct document_member members[] = {
		{KEY(series), TEXT(one->series->key)},
		{KEY(page), TEXT(report_page(arena, one)), OPTIONAL},
		{KEY(kernel), TEXT(run->kernel)},
		{KEY(variant), TEXT(run->variant[0] ? run->variant : NULL), OPTIONAL},
		{KEY(params_text), TEXT(run_params_text(arena, run))},
		{KEY(dtype), TEXT(run->dtype)},
		{KEY(device), TEXT(run->device)},
		{KEY(policy), TEXT(one->policy->name)},
		{KEY(context), BOOL(one->policy->role == POLICY_CONTEXT), OPTIONAL},
		{KEY(metric), TEXT(metric_info(one->metric)->key)},
		{KEY(title), TEXT(vocabulary_metric(vocabulary_spoken(), one->metric))},
		{KEY(verdict), TEXT(verdict_name(one->judged.verdict))},
		{KEY(verdict_text), TEXT(report_verdict_text(one))},
		{KEY(class), TEXT(gate_class_of(one->judged.verdict))},
		{KEY(mark), TEXT(verdict_mark(one->judged.verdict))},
		{KEY(absent), BOOL(is_absent(one->judged.verdict)), OPTIONAL},
		{KEY(method), TEXT(verdict_method_name(one->judged.method))},
	};
	document_fill(arena, out, members);
}

const char *report_effect_interval_text(struct arena *arena, double low, double high, bool relative,
					enum unit unit)
{
	if (!isfinite(low) || !isfinite(high))
		return NULL;
	if (relative)
		return document_interval(arena, low, high);
	return arena_printf(arena, vocabulary_format("%s to %s"),
			    quantity_signed_text(arena, low, unit),
			    quantity_signed_text(arena, high, unit));
}

static void add_outcome(struct arena *arena, struct json *out, const struct comparison *one)
{
	const struct judgement *judged = &one->judged;
	const struct judge_interval *change = &one->change_interval;
	const enum unit unit = metric_info(one->metric)->unit;
	const struct document_member candidate[] = {
		{KEY(value), NUMBER(one->measured)},
		{KEY(unit), UNIT(unit)},
		{KEY(text), AMOUNT(one->measured, unit)},
		{KEY(samples), NUMBER(one->series->candidate.count)},
	};
	const struct document_member interval[] = {
		{KEY(low), NUMBER(change->low)},
		{KEY(high), NUMBER(change->high)},
		{KEY(text), INTERVAL(change->low, change->high)},
	};
	const struct document_member members[] = {
		{KEY(candidate), OBJECT(candidate)},
		{KEY(change), NUMBER(judged->change)},
		{KEY(change_text), CHANGE(judged->change)},
		{KEY(limit_text), MESSAGE(policy_message(arena, one->policy))},
		{KEY(reason), MESSAGE(judged->reason)},
		{KEY(already_bad), BOOL(one->already)},
		{KEY(measurements), NUMBER(one->measurements ? (double)one->measurements : NAN)},
	};
	document_fill(arena, out, members);
	if (!isnan(change->low))
		document_fill(arena, json_set_object(arena, out, KEY(interval)), interval);
}

/* Adds the statistics, only if the comparison was judged by history. */
static void add_record(struct arena *arena, struct json *out, const struct comparison *one)
{
	const struct judge_result *r = &one->judged.result;
	if (one->judged.method != METHOD_BASELINE && one->judged.method != METHOD_CHANGE_POINT)
		return;
	const struct document_member effect[] = {
		{KEY(value), NUMBER(r->effect)},
		{KEY(low), NUMBER(one->effect.low)},
		{KEY(high), NUMBER(one->effect.high)},
		{KEY(text), INTERVAL(one->effect.low, one->effect.high)},
	};
	const struct document_member record[] = {
		{KEY(commits), NUMBER(r->count)},
		{KEY(level), QUANTITY(verdict_turned(one->judged.turn, r->level),
				      metric_info(one->metric)->unit)},
		{KEY(newest), COMMIT(one->series->baseline_revision, false)},
	};
	const struct document_member members[] = {
		{KEY(noise), NUMBER(r->scale)},
		{KEY(noise_text), PERCENT(r->scale)},
		{KEY(p), NUMBER(r->slower ? one->p : one->p_faster)},
		{KEY(q), NUMBER(r->slower ? one->judged.q : one->judged.q_faster)},
		{KEY(effect), OBJECT(effect)},
		{KEY(detectable), NUMBER(r->detectable)},
		{KEY(detectable_text), PERCENT(r->detectable)},
		{KEY(record), OBJECT(record)},
	};
	document_fill(arena, out, members);
}

static void add_change(struct arena *arena, struct json *out, const struct comparison *one)
{
	const struct detect_change *change = one->change;
	if (!change)
		return;
	const struct document_member members[] = {
		{KEY(last_before), COMMIT(one->last_before, false)},
		{KEY(first_after), COMMIT(one->first_after, false)},
		{KEY(effect), NUMBER(change->effect)},
		{KEY(effect_text),
		 EFFECT(change->effect, change->relative, metric_info(one->metric)->unit)},
		{KEY(p), NUMBER(change->p)},
	};
	document_fill(arena, json_set_object(arena, out, KEY(change_of_level)), members);
}

struct json *report_add_comparison(struct arena *arena, struct json *list,
				   const struct comparison *one)
{
	const struct document_member drift[] = {
		{KEY(drift), MESSAGE(one->drift_reason), OPTIONAL},
	};
	const struct document_member status[] = {
		{KEY(exit_status), NUMBER(one->status)},
	};
	struct json *out = json_add_object(arena, list);
	add_names(arena, out, one);
	add_baseline(arena, out, one);
	add_outcome(arena, out, one);
	add_record(arena, out, one);
	add_change(arena, out, one);
	document_fill(arena, out, drift);
	report_add_why(arena, out, one->why);
	report_add_comparison_digest(arena, out, one);
	document_fill(arena, out, status);
	return out;
}

static void add_shared_baseline(struct arena *arena, struct json *out,
				const struct gate_series *shared)
{
	if (!shared)
		return;
	const struct document_member members[] = {
		{KEY(commit), COMMIT(shared->baseline_revision, false)},
	};
	struct json *baseline = json_set_object(arena, out, KEY(baseline));
	document_fill(arena, baseline, members);
	report_age(arena, baseline, shared->baseline_age);
}

static void add_fail_on(struct arena *arena, struct json *out, const struct gate_result *gate)
{
	const char *words[GATE_FAIL_ON_WORDS];
	size_t count = gate_fail_on_words(&gate->fail_on, words);
	struct json *list = json_set_array(arena, out, KEY(fail_on));
	for (size_t i = 0; i < count; i++)
		json_add_text(arena, list, words[i]);
}

static struct json *comparison_at(void *context, struct arena *arena, size_t index)
{
	const struct gate_result *gate = context;
	return report_add_comparison(arena, json_array(arena), &gate->comparisons[index]);
}

void report_add_gate(struct arena *arena, struct json *document, const struct gate_result *gate,
		     size_t comparisons)
{
	const size_t shown = comparisons && comparisons < gate->count ? comparisons : gate->count;
	const enum message_code word = report_gate_word(gate);
	const struct message *sentence = report_headline(arena, gate, REPORT_COMMENT);
	const double left_out = shown < gate->count ? (double)(gate->count - shown) : NAN;
	const struct document_member members[] = {
		{KEY(verdict), TEXT(gate->verdict)},
		{KEY(word), TEXT(vocabulary_term(vocabulary_spoken(), word))},
		{KEY(headline), MESSAGE(sentence)},
		{KEY(answer), TEXT(vocabulary_say_briefly(arena, report_answer(arena, gate)))},
		{KEY(exit_status), NUMBER(gate->exit_status)},
		{KEY(exit_code), NUMBER(gate->code)},
		{KEY(passed), BOOL(gate->exit_status == EXIT_PASS)},
		{KEY(warning), MESSAGE(gate->warning), OPTIONAL},
		{KEY(reason), MESSAGE(gate->reason)},
		{KEY(against), TEXT(report_against(arena, gate->input->against))},
		{KEY(candidate), COMMIT(&gate->input->candidate, gate->input->dirty)},
	};
	const struct document_member zh[] = {
		{KEY(word), TEXT(vocabulary_term(LANGUAGE_CHINESE, word))},
		{KEY(headline), TEXT(vocabulary_text(arena, LANGUAGE_CHINESE, sentence))},
	};
	const struct document_member more[] = {
		{KEY(comparisons_left_out), NUMBER(left_out), OPTIONAL}};
	struct json *out = json_set_object(arena, document, KEY(gate));
	document_fill(arena, out, members);
	document_fill(arena, json_set_object(arena, out, KEY(zh)), zh);
	add_fail_on(arena, out, gate);
	report_add_shared(arena, out, gate);
	add_shared_baseline(arena, out, gate->shared_baseline);
	add_counts(arena, out, gate);
	add_verdicts(arena, out, gate);
	add_environment(arena, out, gate);
	report_add_configuration(arena, out, gate->input->configuration);
	add_acceptances(arena, out, gate);
	struct json *list = json_set_array(arena, out, KEY(comparisons));
	document_fill(arena, out, more);
	const bool whole = comparisons || shown <= REPORT_KEPT_COMPARISONS;
	for (size_t i = 0; i < (whole ? shown : REPORT_KEPT_COMPARISONS); i++)
		report_add_comparison(arena, list, &gate->comparisons[i]);
	if (!whole)
		json_set_items(arena, list, shown,
			       (struct json_items){comparison_at, (void *)gate});
}
