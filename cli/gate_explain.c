/* What a verdict is made of, as a document: the record, the candidate, the numbers of the judge,
 * and what the gate made of them. */
#include "cli/gate_explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/acceptance.h"
#include "render/report.h"

struct explaining {
	struct arena *arena;
	const struct gate *gate;
	const struct gate_treatment *treatment;
	const struct comparison *one;
	enum unit unit;
};

struct naming gate_naming(struct arena *arena, const struct gate *gate)
{
	const struct run **runs = arena_array(arena, gate->count + 1, sizeof *runs);
	for (size_t i = 0; i < gate->count; i++)
		runs[i] = gate->comparisons[i].run;
	return naming_of(arena, runs, gate->count);
}

/* --- the record --- */

static bool is_by_record(const struct comparison *one)
{
	return one->judged.method == METHOD_RECORD || one->judged.method == METHOD_HISTORY;
}

/* The points that are compared with: of long levels only the newest are, and an accident at the end
 * is left out. */
static size_t end_used(const struct comparison *one)
{
	return one->record.points.count - one->record.accidents;
}

static size_t first_used(const struct comparison *one)
{
	size_t end = end_used(one), used = one->judged.record.count;
	return is_by_record(one) && used && used <= end ? end - used : one->record.start;
}

static const struct revision *revision_at(const struct explaining *e, size_t point)
{
	const struct history_points *points = &e->one->record.points;
	return point < points->count ? &e->gate->set->chain[points->items[point].commit]
				     : &e->gate->candidate;
}

static void add_change(const struct explaining *e, struct json *out,
		       const struct detect_change *change)
{
	struct arena *arena = e->arena;
	json_set_number(arena, out, "index", (double)change->index);
	if (change->index)
		report_commit(arena, out, "last_before", revision_at(e, change->index - 1), false);
	report_commit(arena, out, "first_after", revision_at(e, change->index), false);
	report_quantity(arena, out, "before", change->before, e->unit);
	report_quantity(arena, out, "after", change->after, e->unit);
	json_set_number(arena, out, "effect", change->effect);
	json_set_number(arena, out, "effect_low", change->low);
	json_set_number(arena, out, "effect_high", change->high);
	json_set_number(arena, out, "p", change->p);
	json_set_number(arena, out, "rank_p", change->rank_p);
	json_set_number(arena, out, "commits_before", (double)change->count_before);
	json_set_number(arena, out, "commits_after", (double)change->count_after);
}

static void add_record(const struct explaining *e, struct json *out)
{
	const struct gate_record *record = &e->one->record;
	struct json *object = json_set_object(e->arena, out, "record");
	size_t from = first_used(e->one), end = end_used(e->one);
	json_set_number(e->arena, object, "commits", (double)record->points.count);
	json_set_number(e->arena, object, "commits_of_level", (double)(end - from));
	json_set_number(e->arena, object, "accidents", (double)record->accidents);
	struct json *points = json_set_array(e->arena, object, "points");
	for (size_t i = 0; i < record->points.count; i++) {
		struct json *point = json_add_object(e->arena, points);
		report_commit(e->arena, point, "commit", revision_at(e, i), false);
		json_set_number(e->arena, point, "runs", record->points.items[i].runs);
		report_quantity(e->arena, point, "value", record->points.items[i].value, e->unit);
		json_set_bool(e->arena, point, "of_level", i >= from && i < end);
	}
	struct json *changes = json_set_array(e->arena, object, "changes");
	for (size_t i = 0; i < record->detected.count; i++)
		add_change(e, json_add_object(e->arena, changes), &record->detected.changes[i]);
	json_set_number(e->arena, object, "noise_of_level", record->noise);
	json_set_number(e->arena, object, "noise_of_sisters", record->pooled);
}

/* --- the candidate --- */

static int by_ingest(const void *a, const void *b)
{
	const struct run *x = *(struct run *const *)a, *y = *(struct run *const *)b;
	return (x->ingested_at > y->ingested_at) - (x->ingested_at < y->ingested_at);
}

/* What the runs say against the record, whatever became of it later. */
static void add_alone(const struct explaining *e, struct json *out, struct verdict_values values)
{
	const struct comparison *one = e->one;
	const struct gate_record *record = &one->record;
	size_t from = record->start, count = end_used(one) - from;
	double *past = arena_array(e->arena, count + 1, sizeof *past);
	for (size_t i = 0; i < count; i++)
		past[i] = record->points.items[from + i].value;
	struct judgement alone =
		verdict_by_record(e->arena, one->policy, one->metric,
				  (struct verdict_values){past, count}, record->pooled, values);
	json_set_text(e->arena, out, "verdict", verdict_name(alone.verdict));
	json_set_text(e->arena, out, "reason", alone.reason);
	json_set_number(e->arena, out, "change", alone.change);
	json_set_number(e->arena, out, "p_slower", alone.record.p);
	json_set_number(e->arena, out, "p_faster", alone.record.p_faster);
}

static void add_measurement(const struct explaining *e, struct json *list, struct run *const *runs,
			    size_t count)
{
	struct json *out = json_add_object(e->arena, list);
	double *values = arena_array(e->arena, count + 1, sizeof *values);
	size_t known = 0;
	json_set_text(e->arena, out, "ingested", report_time(e->arena, runs[0]->ingested_at));
	struct json *all = json_set_array(e->arena, out, "values");
	for (size_t i = 0; i < count; i++) {
		double number = run_number(runs[i], e->one->metric);
		report_quantity(e->arena, all, NULL, number, e->unit);
		if (isfinite(number))
			values[known++] = number;
	}
	if (is_by_record(e->one) && known)
		add_alone(e, out, (struct verdict_values){values, known});
}

static void add_candidate(const struct explaining *e, struct json *out)
{
	const struct run_list *runs = &e->one->series->candidate;
	struct run **order = arena_array(e->arena, runs->count + 1, sizeof(struct run *));
	struct json *side =
		report_quantity(e->arena, out, "candidate", e->one->judged.candidate, e->unit);
	json_set_number(e->arena, side, "runs", (double)runs->count);
	struct json *list = json_set_array(e->arena, side, "measurements");
	for (size_t i = 0; i < runs->count; i++)
		order[i] = runs->items[i];
	if (runs->count)
		qsort(order, runs->count, sizeof(struct run *), by_ingest);
	for (size_t i = 0, alike; i < runs->count; i += alike) {
		alike = 1;
		while (i + alike < runs->count &&
		       order[i + alike]->ingested_at == order[i]->ingested_at)
			alike++;
		add_measurement(e, list, order + i, alike);
	}
}

static void add_baseline(const struct explaining *e, struct json *out)
{
	const struct gate_series *series = e->one->series;
	struct json *side =
		report_quantity(e->arena, out, "baseline", e->one->judged.baseline, e->unit);
	json_set_text(e->arena, side, "is",
		      e->one->judged.method == METHOD_LIMIT    ? "limit"
		      : e->one->judged.method == METHOD_RECORD ? "level"
		      : e->one->judged.method == METHOD_EXACT  ? "value"
		      : e->one->judged.method == METHOD_NONE   ? NULL
							       : "level before the change");
	json_set_number(e->arena, side, "runs", (double)series->baseline.count);
	report_commit(e->arena, side, "commit", series->baseline_revision, false);
	report_age(e->arena, side, series->baseline_age);
}

/* --- the judge --- */

static const char *values_judged(const struct explaining *e)
{
	bool higher = policy_direction(e->one->policy, e->one->metric) == METRIC_HIGHER;
	if (!e->one->judged.record.relative)
		return "value";
	return higher ? "ln(1 / value)" : "ln(value)";
}

static void add_gates(const struct explaining *e, struct json *out, const struct judge_result *r)
{
	struct json *gates = json_set_array(e->arena, out, "gates");
	for (size_t i = 0; i < JUDGE_GATE_LIMIT; i++) {
		struct json *gate = json_add_object(e->arena, gates);
		json_set_text(e->arena, gate, "name", r->gates[i].name);
		json_set_bool(e->arena, gate, "passed", r->gates[i].passed);
		json_set_number(e->arena, gate, "value", r->gates[i].value);
		json_set_number(e->arena, gate, "limit", r->gates[i].limit);
	}
}

/* For what has more of it better the judge sees 1 / value: level and candidate are told as they
 * are, their error by the same ratio. */
static void add_level(const struct explaining *e, struct json *out, const struct judge_result *r)
{
	bool over =
		policy_direction(e->one->policy, e->one->metric) == METRIC_HIGHER && r->relative;
	double error = over ? r->level_error / r->level / r->level : r->level_error;
	report_quantity(e->arena, out, "level", over ? 1 / r->level : r->level, e->unit);
	report_quantity(e->arena, out, "level_error", error, e->unit);
	report_quantity(e->arena, out, "candidate", over ? 1 / r->candidate : r->candidate,
			e->unit);
}

static double t_of(const struct judge_result *r)
{
	double difference = r->relative ? log1p(r->effect) : r->effect;
	return difference / (r->scale * sqrt(r->widening));
}

static void add_judge(const struct explaining *e, struct json *out)
{
	const struct comparison *one = e->one;
	const struct judge_result *r = &one->judged.record;
	struct arena *arena = e->arena;
	if (!is_by_record(one))
		return;
	struct json *judge = json_set_object(arena, out, "judge");
	json_set_text(arena, judge, "values", values_judged(e));
	json_set_text(arena, judge, "runs",
		      one->second == VERDICT_REGRESSED ? "later measurements" : "all");
	json_set_number(arena, judge, "commits", (double)r->count);
	add_level(e, judge, r);
	json_set_number(arena, judge, "scale", r->scale);
	json_set_number(arena, judge, "own_scale", r->own_scale);
	json_set_bool(arena, judge, "borrowed", r->borrowed);
	json_set_number(arena, judge, "autocorrelation", r->autocorrelation);
	json_set_number(arena, judge, "widening", r->widening);
	json_set_number(arena, judge, "df", r->df);
	json_set_number(arena, judge, "effect", r->effect);
	json_set_number(arena, judge, "effect_low", r->low);
	json_set_number(arena, judge, "effect_high", r->high);
	json_set_number(arena, judge, "t", t_of(r));
	json_set_number(arena, judge, "p_slower", r->p);
	json_set_number(arena, judge, "p_faster", r->p_faster);
	json_set_bool(arena, judge, "unchanged_within_tolerance", r->equivalent);
	json_set_number(arena, judge, "detectable", r->detectable);
	json_set_number(arena, judge, "more_commits", (double)r->missing_commits);
	json_set_number(arena, judge, "more_measurements", (double)r->more_runs);
	add_gates(e, judge, r);
}

/* --- beside the numbers --- */

static void add_difference(const struct explaining *e, struct json *list, const char *key,
			   const char *baseline, const char *candidate)
{
	if (!baseline || !candidate || text_eq(baseline, candidate))
		return;
	struct json *out = json_add_object(e->arena, list);
	json_set_text(e->arena, out, "fact", key);
	json_set_text(e->arena, out, "baseline", baseline);
	json_set_text(e->arena, out, "candidate", candidate);
}

static void add_environment(const struct explaining *e, struct json *out)
{
	static const enum metric clocks[] = {METRIC_MEMORY_CLOCK, METRIC_SM_CLOCK};
	const struct gate_series *series = e->one->series;
	struct json *list = json_set_array(e->arena, out, "environment");
	if (series->candidate.count == 0 || series->baseline.count == 0)
		return;
	const struct run *new = series->candidate.items[0], *old = series->baseline.items[0];
	for (size_t i = 0; i < new->attribute_count; i++)
		if (gate_is_environment_key(new->attributes[i].key))
			add_difference(e, list, new->attributes[i].key,
				       run_attribute(old, new->attributes[i].key),
				       new->attributes[i].text);
	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
		double before = run_number(old, clocks[i]), after = run_number(new, clocks[i]);
		enum unit unit = metric_info(clocks[i])->unit;
		if (!isnan(before) && !isnan(after))
			add_difference(e, list, metric_info(clocks[i])->key,
				       quantity_text(e->arena, before, unit),
				       quantity_text(e->arena, after, unit));
	}
}

static void add_kernel(const struct explaining *e, struct json *out)
{
	const struct gate_series *series = e->one->series;
	const char *old = series->baseline.count ? series->baseline.items[0]->kernel_hash : NULL;
	const char *new = series->candidate.count ? series->candidate.items[0]->kernel_hash : NULL;
	bool known = old && old[0] && new &&new[0];
	struct json *kernel = json_set_object(e->arena, out, "kernel_hash");
	json_set_text(e->arena, kernel, "baseline", old && old[0] ? old : NULL);
	json_set_text(e->arena, kernel, "candidate", new &&new[0] ? new : NULL);
	json_set_text(e->arena, kernel, "is",
		      !known                     ? "unknown"
		      : gate_same_kernel(series) ? "equal"
						 : "different");
}

/* Levels are turned over again where more is better. */
static void add_drift(const struct explaining *e, struct json *list, const char *to,
		      const struct creep_result *found)
{
	bool over = policy_direction(e->one->policy, e->one->metric) == METRIC_HIGHER;
	if (!found->judged)
		return;
	struct json *out = json_add_object(e->arena, list);
	json_set_text(e->arena, out, "against", to);
	json_set_bool(e->arena, out, "creep", found->flagged);
	report_quantity(e->arena, out, "reference", over ? 1 / found->reference : found->reference,
			e->unit);
	report_quantity(e->arena, out, "current", over ? 1 / found->current : found->current,
			e->unit);
	json_set_number(e->arena, out, "drift", found->drift);
	json_set_number(e->arena, out, "drift_low", found->low);
	json_set_number(e->arena, out, "drift_high", found->high);
	json_set_number(e->arena, out, "p", found->p);
	json_set_number(e->arena, out, "scale", found->scale);
	json_set_number(e->arena, out, "autocorrelation", found->correlation);
	json_set_number(e->arena, out, "windows", (double)found->windows);
	json_set_number(e->arena, out, "commits_of_reference",
			(double)(found->reference_to - found->reference_from));
	json_set_number(e->arena, out, "commits_of_current",
			(double)(found->current_to - found->current_from));
}

static void add_drifts(const struct explaining *e, struct json *out)
{
	struct json *list = json_set_array(e->arena, out, "drift");
	if (e->gate->pin_name)
		add_drift(e, list, e->gate->pin_name, &e->one->creep_release);
	add_drift(e, list, "the best level on record", &e->one->creep_best);
}

static void add_acceptance(const struct explaining *e, struct json *out)
{
	const struct acceptance *line = e->one->acceptance;
	if (!line)
		return;
	struct json *object = json_set_object(e->arena, out, "acceptance");
	json_set_number(e->arena, object, "line", (double)line->line);
	json_set_text(e->arena, object, "series", line->series);
	json_set_text(e->arena, object, "ceiling_text", line->ceiling);
	json_set_text(e->arena, object, "expires", line->expires);
	json_set_text(e->arena, object, "author", line->author);
	json_set_text(e->arena, object, "reason", line->reason);
	bool accepted = e->one->judged.verdict == VERDICT_ACCEPTED;
	json_set_bool(e->arena, object, "accepts", accepted);
	json_set_text(e->arena, object, "otherwise",
		      verdict_name(accepted ? e->one->accepted : e->one->judged.verdict));
}

static void add_treatments(const struct explaining *e, struct json *out)
{
	static const char *const names[] = {NULL, "pass", "fail"};
	struct json *treat = json_set_object(e->arena, out, "treat");
	for (int i = 0; i < VERDICT_LIMIT; i++) {
		enum treatment wanted = e->treatment->treat[i];
		if (wanted == TREAT_DEFAULT)
			wanted = e->one->policy->treat[i];
		if (wanted != TREAT_DEFAULT)
			json_set_text(e->arena, treat, verdict_name((enum verdict)i),
				      names[wanted]);
	}
}

static void add_row(const struct explaining *e, struct json *out)
{
	static const char *const directions[] = {"lower", "higher", "neither"};
	const struct policy *policy = e->one->policy;
	struct arena *arena = e->arena;
	struct json *row = json_set_object(arena, out, "row");
	json_set_text(arena, row, "name", policy->name);
	json_set_text(arena, row, "kernel", policy->kernel);
	json_set_text(arena, row, "variant", policy->variant);
	json_set_text(arena, row, "device", policy->device);
	json_set_text(arena, row, "role", policy->role == POLICY_CONTEXT ? "context" : "primary");
	json_set_text(arena, row, "better", directions[policy_direction(policy, e->one->metric)]);
	json_set_text(arena, row, "limit_text", policy_words(arena, policy));
	json_set_number(arena, row, "relative", policy->limits.relative);
	json_set_number(arena, row, "absolute", policy->limits.absolute);
	json_set_number(arena, row, "tolerance", policy->tolerance);
	json_set_number(arena, row, "alpha", policy->alpha);
	json_set_number(arena, row, "noise", policy->noise);
	json_set_number(arena, row, "runs", (double)policy->least_runs);
	json_set_bool(arena, row, "confirm", policy->confirm);
	json_set_number(arena, row, "at_least", policy->at_least);
	json_set_number(arena, row, "at_most", policy->at_most);
	json_set_number(arena, row, "stale_after_days",
			policy->stale_days > 0 ? policy->stale_days : NAN);
	add_treatments(e, row);
}

/* --- all of it --- */

static void add_names(const struct explaining *e, struct json *out)
{
	const struct run *run = e->one->run;
	json_set_text(e->arena, out, "series", e->one->series->key);
	json_set_text(e->arena, out, "kernel", run->kernel);
	json_set_text(e->arena, out, "variant", run->variant);
	json_set_text(e->arena, out, "params_text", run_params_text(e->arena, run));
	json_set_text(e->arena, out, "dtype", run->dtype);
	json_set_text(e->arena, out, "device", run->device);
	json_set_text(e->arena, out, "instance_type", run->instance_type);
	json_set_text(e->arena, out, "tool", run->tool);
	json_set_text(e->arena, out, "metric", metric_info(e->one->metric)->key);
	json_set_text(e->arena, out, "unit", unit_symbol(e->unit));
}

static void explain(const struct explaining *e, const char *name, struct json *out)
{
	const struct comparison *one = e->one;
	json_set_text(e->arena, out, "name", name);
	add_names(e, out);
	json_set_text(e->arena, out, "verdict", verdict_name(one->judged.verdict));
	json_set_text(e->arena, out, "method", verdict_method_name(one->judged.method));
	json_set_text(e->arena, out, "reason", one->judged.reason);
	json_set_number(e->arena, out, "exit_status", gate_status_of(e->gate, one, e->treatment));
	add_baseline(e, out);
	add_candidate(e, out);
	json_set_number(e->arena, out, "change", one->judged.change);
	add_record(e, out);
	add_judge(e, out);
	if (one->change)
		add_change(e, json_set_object(e->arena, out, "change_of_level"), one->change);
	json_set_number(e->arena, out, "p_slower", one->p);
	json_set_number(e->arena, out, "p_faster", one->p_faster);
	json_set_number(e->arena, out, "q_slower", one->judged.q);
	json_set_number(e->arena, out, "q_faster", one->judged.q_faster);
	add_drifts(e, out);
	add_environment(e, out);
	add_kernel(e, out);
	add_acceptance(e, out);
	add_row(e, out);
}

static int by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* All p of the call: with them q is computed again. */
static void add_all_p(struct arena *arena, const struct gate *gate, struct json *out, bool slower)
{
	double *p = arena_array(arena, gate->count + 1, sizeof *p);
	size_t count = 0;
	for (size_t i = 0; i < gate->count; i++) {
		double one = slower ? gate->comparisons[i].p : gate->comparisons[i].p_faster;
		if (!isnan(one))
			p[count++] = one;
	}
	if (count)
		qsort(p, count, sizeof *p, by_number);
	if (slower)
		json_set_number(arena, out, "count", (double)count);
	struct json *list = json_set_array(arena, out, slower ? "p_slower" : "p_faster");
	for (size_t i = 0; i < count; i++)
		json_add_number(arena, list, p[i]);
}

static struct json *heading(struct arena *arena, const struct gate *gate)
{
	struct json *document = json_object(arena);
	json_set_text(arena, document, "verdict", gate->verdict);
	json_set_number(arena, document, "exit_status", gate->exit_status);
	json_set_text(arena, document, "reason", gate->reason);
	json_set_text(arena, document, "against", gate->against);
	report_commit(arena, document, "candidate", &gate->candidate, gate->dirty);
	struct json *together = json_set_object(arena, document, "judged_together");
	json_set_number(arena, together, "false_discovery", gate->settings->false_discovery);
	add_all_p(arena, gate, together, true);
	add_all_p(arena, gate, together, false);
	struct json *changes = json_set_array(arena, document, "environment_changes");
	for (size_t i = 0; i < gate->environment.change_count; i++)
		json_add_text(arena, changes, gate->environment.changes[i]);
	return document;
}

static bool is_asked_for(struct arena *arena, const struct comparison *one, const char *name,
			 const char *series)
{
	if (strcmp(one->series->key, series) == 0 || span_glob(series, name))
		return true;
	struct naming alone = naming_of(arena, &one->run, 1);
	return span_glob(series, naming_name(arena, &alone, one->run));
}

static void none_fits(struct arena *arena, const struct gate *gate, const struct naming *naming,
		      const char *series, struct error *err)
{
	enum { SHOWN = 3 };
	struct strbuf sb = {0};
	for (size_t i = 0; i < gate->count && i < SHOWN; i++)
		strbuf_addf(&sb, "%s\"%.60s\"", i ? ", " : "",
			    naming_name(arena, naming, gate->comparisons[i].run));
	error_set(err, ERR_USAGE,
		  "--explain %.100s fits none of %zu comparisons; there are %s%s (* stands for "
		  "anything)",
		  series, gate->count, strbuf_text(&sb), gate->count > SHOWN ? " ..." : "");
	strbuf_free(&sb);
}

struct json *gate_explain(struct arena *arena, const struct gate *gate,
			  const struct gate_treatment *treatment, const char *series,
			  struct error *err)
{
	struct naming naming = gate_naming(arena, gate);
	struct json *document = heading(arena, gate);
	struct json *list = json_set_array(arena, document, "explained");
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		struct explaining e = {arena, gate, treatment, one, metric_info(one->metric)->unit};
		const char *name = naming_name(arena, &naming, one->run);
		if (is_asked_for(arena, one, name, series))
			explain(&e, name, json_add_object(arena, list));
	}
	if (list->count)
		return document;
	none_fits(arena, gate, &naming, series, err);
	return NULL;
}
