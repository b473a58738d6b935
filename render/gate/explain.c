/* The numbers of a verdict as a document: the baseline history, the candidate, the statistics of
 * the judge, and the resulting verdict. */
#include "render/gate/gate.h"
#include "render/gate/internal.h"

#include "render/document/document.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

/* --- the baseline history --- */

static void add_change(const struct explaining *e, struct json *out,
		       const struct detect_change *change)
{
	struct arena *arena = e->arena;
	json_set_number(arena, out, KEY(index), (double)change->index);
	if (change->index)
		document_commit(arena, out, KEY(last_before),
				gate_revision_at(e->gate, e->one, change->index - 1), false);
	document_commit(arena, out, KEY(first_after),
			gate_revision_at(e->gate, e->one, change->index), false);
	document_quantity(arena, out, KEY(before), change->before, e->unit);
	document_quantity(arena, out, KEY(after), change->after, e->unit);
	json_set_number(arena, out, KEY(effect), change->effect);
	json_set_number(arena, out, KEY(effect_low), change->low);
	json_set_number(arena, out, KEY(effect_high), change->high);
	json_set_number(arena, out, KEY(p), change->p);
	json_set_number(arena, out, KEY(rank_p), change->rank_p);
	json_set_number(arena, out, KEY(commits_before), (double)change->count_before);
	json_set_number(arena, out, KEY(commits_after), (double)change->count_after);
}

static void add_history(const struct explaining *e, struct json *out)
{
	const struct gate_history *history = &e->one->history;
	struct json *object = json_set_object(e->arena, out, KEY(record));
	size_t from = gate_first_used(e->one), end = gate_end_used(e->one);
	struct excursion away = e->one->judged.result.away;
	away.first += from;
	assert(from <= end && away.first + away.count <= end);
	json_set_number(e->arena, object, KEY(commits), (double)history->points.count);
	json_set_number(e->arena, object, KEY(commits_of_level), (double)(end - from - away.count));
	json_set_number(e->arena, object, KEY(accidents), (double)history->accidents);
	json_set_number(e->arena, object, KEY(fixed_commits), (double)away.count);
	struct json *points = json_set_array(e->arena, object, KEY(points));
	for (size_t i = 0; i < history->points.count; i++) {
		struct json *point = json_add_object(e->arena, points);
		document_commit(e->arena, point, KEY(commit), gate_revision_at(e->gate, e->one, i),
				false);
		json_set_number(e->arena, point, KEY(runs), history->points.items[i].runs);
		document_quantity(e->arena, point, KEY(value), history->points.items[i].value,
				  e->unit);
		bool fixed = i >= away.first && i < away.first + away.count;
		json_set_bool(e->arena, point, KEY(of_level), i >= from && i < end && !fixed);
	}
	struct json *changes = json_set_array(e->arena, object, KEY(changes));
	for (size_t i = 0; i < history->detected.count; i++)
		add_change(e, json_add_object(e->arena, changes), &history->detected.changes[i]);
	json_set_number(e->arena, object, KEY(noise_of_level), history->noise);
	json_set_number(e->arena, object, KEY(noise_of_sisters), history->pooled);
}

/* --- the candidate --- */

static void add_alone(const struct explaining *e, struct json *out, const struct judgement *alone)
{
	json_set_text(e->arena, out, KEY(verdict), verdict_name(alone->verdict));
	json_set_text(e->arena, out, KEY(verdict_text),
		      vocabulary_verdict(vocabulary_spoken(), verdict_words(alone),
					 metric_is_time_or_rate(e->one->metric)));
	json_set_text(e->arena, out, KEY(reason), vocabulary_say(e->arena, alone->reason));
	json_set_number(e->arena, out, KEY(change), alone->change);
	json_set_number(e->arena, out, KEY(p_slower), alone->result.p);
	json_set_number(e->arena, out, KEY(p_faster), alone->result.p_faster);
}

static void add_measurement(const struct explaining *e, struct json *list,
			    const struct gate_measurement *measurement)
{
	struct json *out = json_add_object(e->arena, list);
	json_set_text(e->arena, out, KEY(ingested),
		      document_time(e->arena, measurement->runs[0]->ingested_at));
	struct json *all = json_set_array(e->arena, out, KEY(values));
	for (size_t i = 0; i < measurement->count; i++)
		document_quantity(e->arena, all, NULL,
				  run_number(measurement->runs[i], e->one->metric), e->unit);
	if (measurement->judged)
		add_alone(e, out, &measurement->alone);
}

static void add_candidate(const struct explaining *e, struct json *out)
{
	const struct gate_details *details = e->one->details;
	struct json *side =
		document_quantity(e->arena, out, KEY(candidate), e->one->judged.candidate, e->unit);
	json_set_number(e->arena, side, KEY(runs), (double)e->one->series->candidate.count);
	struct json *list = json_set_array(e->arena, side, KEY(measurements));
	for (size_t i = 0; i < details->measurement_count; i++)
		add_measurement(e, list, &details->measurements[i]);
}

static void add_baseline(const struct explaining *e, struct json *out)
{
	const struct gate_series *series = e->one->series;
	struct json *side =
		document_quantity(e->arena, out, KEY(baseline), e->one->judged.baseline, e->unit);
	json_set_text(e->arena, side, KEY(is),
		      e->one->judged.method == METHOD_LIMIT      ? "limit"
		      : e->one->judged.method == METHOD_BASELINE ? "baseline mean"
		      : e->one->judged.method == METHOD_EXACT    ? "value"
		      : e->one->judged.method == METHOD_NONE     ? NULL
								 : "mean before the change");
	json_set_number(e->arena, side, KEY(runs), (double)series->baseline.count);
	document_commit(e->arena, side, KEY(commit), series->baseline_revision, false);
	report_age(e->arena, side, series->baseline_age);
}

/* --- all of it --- */

static void add_names(const struct explaining *e, struct json *out)
{
	const struct run *run = e->one->run;
	json_set_text(e->arena, out, KEY(series), e->one->series->key);
	json_set_text(e->arena, out, KEY(kernel), run->kernel);
	json_set_text(e->arena, out, KEY(variant), run->variant);
	json_set_text(e->arena, out, KEY(params_text), run_params_text(e->arena, run));
	json_set_text(e->arena, out, KEY(dtype), run->dtype);
	json_set_text(e->arena, out, KEY(device), run->device);
	json_set_text(e->arena, out, KEY(instance_type), run->instance_type);
	json_set_text(e->arena, out, KEY(tool), run->tool);
	json_set_text(e->arena, out, KEY(metric), metric_info(e->one->metric)->key);
	json_set_text(e->arena, out, KEY(unit), quantity_unit_symbol(e->unit));
}

static void explain(const struct explaining *e, const char *name, struct json *out)
{
	const struct comparison *one = e->one;
	json_set_text(e->arena, out, KEY(name), name);
	add_names(e, out);
	json_set_text(e->arena, out, KEY(verdict), verdict_name(one->judged.verdict));
	json_set_text(e->arena, out, KEY(verdict_text), report_verdict_text(one));
	json_set_text(e->arena, out, KEY(class), gate_class_of(one->judged.verdict));
	json_set_text(e->arena, out, KEY(method), verdict_method_name(one->judged.method));
	json_set_text(e->arena, out, KEY(reason), vocabulary_say(e->arena, one->judged.reason));
	json_set_number(e->arena, out, KEY(exit_status), one->status);
	add_baseline(e, out);
	add_candidate(e, out);
	json_set_number(e->arena, out, KEY(change), one->judged.change);
	add_history(e, out);
	render_gate_judge(e, out);
	if (one->change)
		add_change(e, json_set_object(e->arena, out, KEY(change_of_level)), one->change);
	json_set_number(e->arena, out, KEY(p_slower), one->p);
	json_set_number(e->arena, out, KEY(p_faster), one->p_faster);
	json_set_number(e->arena, out, KEY(q_slower), one->judged.q);
	json_set_number(e->arena, out, KEY(q_faster), one->judged.q_faster);
	render_gate_drifts(e, out);
	render_gate_environment(e, out);
	render_gate_kernel(e, out);
	render_gate_acceptance(e, out);
	render_gate_rule(e, out);
}

/* Adds all p values of the call, so that a reader can recompute q. */
static void add_all_p(struct arena *arena, const struct gate_result *gate, struct json *out,
		      bool slower)
{
	double *p = arena_array(arena, gate->count + 1, sizeof *p);
	size_t count = 0;
	for (size_t i = 0; i < gate->count; i++) {
		double one = slower ? gate->comparisons[i].p : gate->comparisons[i].p_faster;
		if (!isnan(one))
			p[count++] = one;
	}
	array_sort(p, count, sizeof *p, array_by_double);
	if (slower)
		json_set_number(arena, out, KEY(count), (double)count);
	struct json *list = json_set_array(arena, out, slower ? "p_slower" : "p_faster");
	for (size_t i = 0; i < count; i++)
		json_add_number(arena, list, p[i]);
}

static struct json *heading(struct arena *arena, const struct gate_result *gate)
{
	struct json *document = document_begin(arena, SCHEMA(explanation));
	json_set_text(arena, document, KEY(verdict), gate->verdict);
	json_set_text(arena, document, KEY(word),
		      vocabulary_term(vocabulary_spoken(), report_gate_word(gate)));
	json_set_text(arena, document, KEY(headline),
		      vocabulary_say(arena, report_headline(arena, gate, REPORT_LINE)));
	json_set_number(arena, document, KEY(exit_status), gate->exit_status);
	json_set_text(arena, document, KEY(reason), vocabulary_say(arena, gate->reason));
	json_set_text(arena, document, KEY(against), gate->input->against);
	document_commit(arena, document, KEY(candidate), &gate->input->candidate,
			gate->input->dirty);
	report_add_configuration(arena, document, gate->input->configuration);
	struct json *together = json_set_object(arena, document, KEY(judged_together));
	json_set_number(arena, together, KEY(false_discovery),
			gate->input->settings->false_discovery);
	add_all_p(arena, gate, together, true);
	add_all_p(arena, gate, together, false);
	struct json *changes = json_set_array(arena, document, KEY(environment_changes));
	for (size_t i = 0; i < gate->environment.change_count; i++)
		json_add_text(arena, changes, vocabulary_say(arena, gate->environment.changes[i]));
	return document;
}

struct json *render_gate_explain(struct arena *arena, const struct gate_result *gate,
				 gate_explain_wants *wants, const void *context)
{
	struct short_names naming = gate_short_names(arena, gate);
	struct json *document = heading(arena, gate);
	struct json *list = json_set_array(arena, document, KEY(explained));
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		struct explaining e = {arena, gate, one, metric_info(one->metric)->unit};
		if (wants(context, one->run))
			explain(&e, short_names_name(arena, &naming, one->run),
				json_add_object(arena, list));
	}
	return list->count ? document : NULL;
}
