/* The gate's result in the report document. */
#include "render/report.h"

#include <math.h>
#include <string.h>

static void add_counts(struct arena *arena, struct json *out, const struct gate *gate)
{
	struct json *counts = json_set_object(arena, out, "counts");
	json_set_number(arena, counts, "series", (double)gate->series);
	json_set_number(arena, counts, "comparisons", (double)gate->count);
	json_set_number(arena, counts, "judged", (double)gate->judged);
	for (int i = 0; i < VERDICT_LIMIT; i++) {
		enum verdict verdict = (enum verdict)i;
		const char *name =
			verdict == VERDICT_NO_BASELINE ? "no_baseline" : verdict_name(verdict);
		json_set_number(arena, counts, name, (double)gate->counts[verdict]);
	}
}

static void add_side(struct arena *arena, struct json *out, const char *name, double number,
		     enum unit unit, const struct run_list *runs)
{
	struct json *side = report_quantity(arena, out, name, number, unit);
	json_set_number(arena, side, "samples", (double)runs->count);
}

static void add_comparison(struct arena *arena, struct json *list, const struct comparison *one)
{
	const struct metric_info *info = metric_info(one->metric);
	const struct judgement *judged = &one->judged;
	struct json *out = json_add_object(arena, list);
	json_set_text(arena, out, "series", one->series->key);
	json_set_text(arena, out, "kernel", one->run->kernel);
	if (one->run->variant[0])
		json_set_text(arena, out, "variant", one->run->variant);
	json_set_text(arena, out, "params_text", run_params_text(arena, one->run));
	json_set_text(arena, out, "dtype", one->run->dtype);
	json_set_text(arena, out, "device", one->run->device);
	json_set_text(arena, out, "policy", one->policy->name);
	json_set_text(arena, out, "metric", info->key);
	json_set_text(arena, out, "title", info->title);
	json_set_text(arena, out, "verdict", verdict_name(judged->verdict));
	json_set_text(arena, out, "mark", verdict_mark(judged->verdict));
	add_side(arena, out, "baseline", judged->baseline, info->unit, &one->series->baseline);
	struct json *baseline = json_get(out, "baseline");
	report_commit(arena, baseline, "commit", one->series->baseline_revision, false);
	if (one->series->baseline_age >= 0)
		json_set_number(arena, baseline, "age_commits", (double)one->series->baseline_age);
	add_side(arena, out, "candidate", judged->candidate, info->unit, &one->series->candidate);
	json_set_number(arena, out, "change", judged->change);
	json_set_text(arena, out, "change_text", quantity_change_text(arena, judged->change));
	json_set_text(arena, out, "limit_text", policy_words(arena, one->policy));
	json_set_text(arena, out, "reason", judged->reason);
}

/* The baseline that all comparisons share; nothing where they differ. */
static void add_shared_baseline(struct arena *arena, struct json *out, const struct gate *gate)
{
	const struct gate_series *shared = NULL;
	for (size_t i = 0; i < gate->count; i++) {
		const struct gate_series *series = gate->comparisons[i].series;
		if (!series->baseline_revision)
			continue;
		if (shared &&
		    strcmp(shared->baseline_revision->oid, series->baseline_revision->oid) != 0)
			return;
		shared = series;
	}
	if (!shared)
		return;
	struct json *baseline = json_set_object(arena, out, "baseline");
	report_commit(arena, baseline, "commit", shared->baseline_revision, false);
	report_age(arena, baseline, shared->baseline_age);
}

void report_add_gate(struct arena *arena, struct json *document, const struct gate *gate)
{
	struct json *out = json_set_object(arena, document, "gate");
	json_set_text(arena, out, "verdict", gate->verdict);
	json_set_number(arena, out, "exit_status", gate->exit_status);
	json_set_bool(arena, out, "passed", gate->exit_status == 0);
	json_set_text(arena, out, "reason", gate->reason);
	json_set_text(arena, out, "against", gate->against);
	report_commit(arena, out, "candidate", &gate->candidate, gate->dirty);
	add_shared_baseline(arena, out, gate);
	add_counts(arena, out, gate);
	struct json *list = json_set_array(arena, out, "comparisons");
	for (size_t i = 0; i < gate->count; i++)
		add_comparison(arena, list, &gate->comparisons[i]);
}
