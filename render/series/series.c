/* Change points, verdicts and drift of series as JSON. */
#include "render/series/series.h"

#include "base/text/text.h"
#include "render/document/key.h"

void render_detect_lines(struct strbuf *out, const struct detected_series *found, bool named)
{
	for (size_t i = 0; i < found->result.count; i++) {
		const struct detect_change *change = &found->result.changes[i];
		if (named)
			shown_text(out, span_of(found->series->name), "");
		strbuf_addf(out, "%s%lld,%c\n", named ? "," : "",
			    found->series->commits[change->index].index,
			    change->after > change->before ? '+' : '-');
	}
}

void render_detect_json(struct arena *arena, struct json *list, const struct detected_series *found)
{
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, KEY(series), found->series->name);
	json_set_number(arena, object, KEY(commits), (double)found->series->count);
	json_set_number(arena, object, KEY(noise), found->result.noise);
	json_set_bool(arena, object, KEY(relative), found->result.relative);
	struct json *changes = json_set_array(arena, object, KEY(changes));
	for (size_t i = 0; i < found->result.count; i++) {
		const struct detect_change *change = &found->result.changes[i];
		struct json *row = json_add_object(arena, changes);
		json_set_number(arena, row, KEY(index),
				(double)found->series->commits[change->index].index);
		json_set_number(arena, row, KEY(before), change->before);
		json_set_number(arena, row, KEY(after), change->after);
		json_set_number(arena, row, KEY(effect), change->effect);
		json_set_number(arena, row, KEY(effect_low), change->low);
		json_set_number(arena, row, KEY(effect_high), change->high);
		json_set_number(arena, row, KEY(p), change->p);
		json_set_number(arena, row, KEY(rank_p), change->rank_p);
		json_set_number(arena, row, KEY(commits_before), (double)change->count_before);
		json_set_number(arena, row, KEY(commits_after), (double)change->count_after);
	}
}

static void set_numbers(struct arena *arena, struct json *object, const struct judge_result *result)
{
	struct judge_interval interval = judge_interval(result);
	json_set_number(arena, object, KEY(effect), result->effect);
	json_set_number(arena, object, KEY(effect_low), interval.low);
	json_set_number(arena, object, KEY(effect_high), interval.high);
	json_set_number(arena, object, KEY(p_slower), result->p);
	json_set_number(arena, object, KEY(p_faster), result->p_faster);
	json_set_number(arena, object, KEY(noise), result->scale);
	json_set_number(arena, object, KEY(detectable), result->detectable);
	json_set_number(arena, object, KEY(level), result->level);
	json_set_number(arena, object, KEY(level_error), result->level_error);
	json_set_number(arena, object, KEY(commits), (double)result->count);
	json_set_number(arena, object, "missing_commits", (double)result->missing_commits);
	struct json *gates = json_set_array(arena, object, KEY(gates));
	for (size_t i = 0; i < JUDGE_GATE_LIMIT; i++) {
		const struct judge_gate *gate = &result->gates[i];
		struct json *row = json_add_object(arena, gates);
		json_set_text(arena, row, KEY(name), gate->name);
		json_set_bool(arena, row, KEY(passed), gate->passed);
		json_set_number(arena, row, KEY(value), gate->value);
		json_set_number(arena, row, KEY(limit), gate->limit);
	}
}

void render_judge_json(struct arena *arena, struct json *list, const struct judged_series *one)
{
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, "case", one->series->name);
	json_set_text(arena, object, KEY(verdict), one->verdict);
	json_set_number(arena, object, KEY(q_slower), one->q);
	json_set_number(arena, object, KEY(q_faster), one->q_faster);
	set_numbers(arena, object, &one->first);
	if (one->has_second)
		set_numbers(arena, json_set_object(arena, object, "second"), &one->second);
}

void render_drift_json(struct arena *arena, struct json *list, const struct measured_series *series,
		       const struct drift_result *result, size_t since)
{
	const struct measured_commit *commits = series->commits;
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, KEY(series), series->name);
	json_set_bool(arena, object, KEY(flagged), result->flagged);
	json_set_number(arena, object, KEY(since),
			since < series->count ? (double)commits[since].index : NAN);
	json_set_number(arena, object, "missing_commits", (double)result->missing_commits);
	json_set_number(arena, object, KEY(reference), result->reference);
	json_set_number(arena, object, KEY(current), result->current);
	json_set_number(arena, object, KEY(drift), result->drift);
	json_set_number(arena, object, KEY(drift_low), result->low);
	json_set_number(arena, object, KEY(drift_high), result->high);
	json_set_number(arena, object, KEY(p), result->p);
	json_set_number(arena, object, KEY(noise), result->scale);
	json_set_number(arena, object, "correlation", result->correlation);
	json_set_number(arena, object, KEY(windows), (double)result->windows);
	if (!result->judged)
		return;
	json_set_number(arena, object, "reference_first",
			(double)commits[result->reference_from].index);
	json_set_number(arena, object, "reference_last",
			(double)commits[result->reference_to - 1].index);
	json_set_number(arena, object, "current_first",
			(double)commits[result->current_from].index);
	json_set_number(arena, object, "current_last",
			(double)commits[result->current_to - 1].index);
}
