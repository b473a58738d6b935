/* Computes once, for all outputs, what is shown of a comparison in addition to its verdict. */

#include "base/text/text.h"
#include "model/gate/internal.h"
#include "model/run/runs.h"
#include "model/statistics/statistics.h"

static double measured(const struct comparison *one)
{
	const struct run_list *runs = &one->series->candidate;
	return isnan(one->judged.candidate) && !gate_any_incorrect(runs)
		       ? gate_median(runs, one->metric)
		       : one->judged.candidate;
}

/* --- measurements --- */

/* Judges one measurement alone by the history, whatever later steps made of the verdict. */
static void judge_alone(struct arena *arena, const struct comparison *one,
			struct gate_measurement *measurement)
{
	const struct run_list runs = {measurement->runs, measurement->count, measurement->count};
	measurement->judged =
		verdict_is_by_history(&one->judged) && !isnan(gate_median(&runs, one->metric));
	if (measurement->judged)
		measurement->alone = gate_judge_runs(arena, one, &runs);
}

static void add_measurements(struct arena *arena, const struct comparison *one,
			     struct gate_details *details)
{
	const struct run_list *runs = &one->series->candidate;
	struct run **order = arena_array(arena, runs->count + 1, sizeof(struct run *));
	details->measurements = arena_array(arena, runs->count + 1, sizeof *details->measurements);
	for (size_t i = 0; i < runs->count; i++)
		order[i] = runs->items[i];
	run_sort_by_measurement(order, runs->count);
	for (size_t i = 0, alike; i < runs->count; i += alike) {
		alike = 1;
		while (i + alike < runs->count &&
		       run_by_measurement(order[i + alike], order[i]) == 0)
			alike++;
		struct gate_measurement *added =
			&details->measurements[details->measurement_count++];
		*added = (struct gate_measurement){.runs = order + i, .count = alike};
		judge_alone(arena, one, added);
	}
}

/* --- facts --- */

static void add_fact(struct gate_details *details, const char *key, const char *baseline,
		     const char *candidate)
{
	if (baseline && candidate && !span_text_eq(baseline, candidate))
		details->facts[details->fact_count++] =
			(struct gate_fact){key, baseline, candidate};
}

static void add_facts(struct arena *arena, const struct gate_series *series,
		      struct gate_details *details)
{
	static const enum metric clocks[] = {METRIC_MEMORY_CLOCK, METRIC_SM_CLOCK};
	enum { CLOCKS = sizeof clocks / sizeof *clocks };
	if (series->candidate.count == 0 || series->baseline.count == 0)
		return;
	const struct run *new = series->candidate.items[0], *old = series->baseline.items[0];
	details->facts = arena_array(arena, new->attribute_count + CLOCKS, sizeof *details->facts);
	for (size_t i = 0; i < new->attribute_count; i++) {
		const struct run_attribute *fact = &new->attributes[i];
		if (gate_is_environment_key(fact->key))
			add_fact(details, fact->key,
				 gate_was_otherwise(&series->baseline, fact->key, fact->text),
				 fact->text);
	}
	for (size_t i = 0; i < CLOCKS; i++) {
		double before = run_number(old, clocks[i]), after = run_number(new, clocks[i]);
		const struct metric_info *info = metric_info(clocks[i]);
		if (!isnan(before) && !isnan(after))
			add_fact(details, info->key, quantity_text(arena, before, info->unit),
				 quantity_text(arena, after, info->unit));
	}
}

static bool has_hash(const struct run_list *runs)
{
	return runs->count && runs->items[0]->kernel_hash && runs->items[0]->kernel_hash[0];
}

static const struct gate_details *details_of(struct arena *arena, const struct comparison *one)
{
	const struct gate_series *series = one->series;
	struct gate_details *details = arena_new(arena, struct gate_details);
	add_measurements(arena, one, details);
	add_facts(arena, series, details);
	details->kernel = !has_hash(&series->baseline) || !has_hash(&series->candidate) ? "unknown"
			  : gate_same_kernel(series)                                    ? "equal"
						     : "different";
	return details;
}

/* A drift has its own interval, which differs from the candidate's interval by the history. */
static struct judge_interval change_interval(const struct comparison *one)
{
	static const struct judge_interval unknown = {NAN, NAN};
	const struct drift_result *drift =
		one->drift_release.flagged ? &one->drift_release : &one->drift_best;
	bool drifted = one->judged.verdict == VERDICT_DRIFT;
	bool known =
		drifted || (one->judged.method == METHOD_BASELINE && one->judged.result.relative);
	struct judge_interval found =
		drifted ? (struct judge_interval){drift->low, drift->high} : one->effect;
	enum verdict_turn turn = drifted ? one->drift_turn : one->judged.turn;
	if (!known || turn == TURN_NEGATIVE || !isfinite(found.low) || !isfinite(found.high))
		return unknown;
	if (turn == TURN_INVERSE)
		return (struct judge_interval){1 / (1 + found.high) - 1, 1 / (1 + found.low) - 1};
	return found;
}

/* The place of a point's commit on the chain; that of the candidate for an index past the end.
 * False for a candidate that is not on it. */
static bool place_of(const struct gate_result *gate, const struct comparison *one, size_t point,
		     uint32_t *place)
{
	const struct history_points *points = &one->history.points;
	*place = point < points->count ? points->items[point].commit : 0;
	return point < points->count || gate->input->newest == 1;
}

/* "c11, c12": the commits between two places of the chain, oldest first. */
static const char *commits_between(struct arena *arena, const struct gate_result *gate,
				   uint32_t older, uint32_t newer)
{
	struct strbuf list = {0};
	for (uint32_t place = older - 1; place > newer; place--)
		strbuf_addf(&list, "%s%.10s", list.len ? ", " : "",
			    gate->input->histories->chain[place].oid);
	return strbuf_into(&list, arena);
}

/* Where commits before the one that is blamed were not measured, any of them may have made it
 * worse: the reason of a nightly gate names them. */
static void note_unmeasured(struct arena *arena, const struct gate_result *gate,
			    struct comparison *one)
{
	enum { NAMED = 3 };
	struct judgement *judged = &one->judged;
	size_t at = one->change ? one->change->index : one->history.points.count;
	uint32_t older, newer;
	if (!gate->input->windowed || at == 0 ||
	    (judged->verdict != VERDICT_REGRESSED && judged->verdict != VERDICT_SUSPECT) ||
	    !place_of(gate, one, at - 1, &older) || !place_of(gate, one, at, &newer) ||
	    older <= newer + 1)
		return;
	uint32_t count = older - newer - 1;
	const struct message_value last =
		message_text(arena_prefix(arena, gate->input->histories->chain[older].oid, 10));
	judged->reason =
		count > NAMED
			? message_of(arena, MESSAGE_REASON_MANY_UNMEASURED,
				     message_part(judged->reason), last, message_integer(count))
			: message_of(arena, MESSAGE_REASON_UNMEASURED, message_part(judged->reason),
				     last,
				     message_text(commits_between(arena, gate, older, newer)));
}

void gate_describe(struct arena *arena, struct gate_result *gate)
{
	for (size_t i = 0; i < gate->count; i++) {
		struct comparison *one = &gate->comparisons[i];
		one->measured = measured(one);
		one->effect = verdict_is_by_history(&one->judged)
				      ? judge_interval(&one->judged.result)
				      : (struct judge_interval){NAN, NAN};
		one->change_interval = change_interval(one);
		one->acceptable = gate_is_acceptable(one);
		if (one->change) {
			size_t at = one->change->index;
			one->last_before = at ? gate_revision_at(gate, one, at - 1) : NULL;
			one->first_after = gate_revision_at(gate, one, at);
		}
		note_unmeasured(arena, gate, one);
		if (gate->input->every_number)
			one->details = details_of(arena, one);
	}
	gate->reruns = gate_reruns_of(arena, gate);
}

size_t gate_count_of(const struct gate_result *gate, enum exit_status status)
{
	size_t count = 0;
	for (size_t i = 0; i < gate->count; i++)
		count += gate->comparisons[i].status == status;
	return count;
}

struct short_names gate_short_names(struct arena *arena, const struct gate_result *gate)
{
	const struct run **runs = arena_array(arena, gate->count + 1, sizeof *runs);
	for (size_t i = 0; i < gate->count; i++)
		runs[i] = gate->comparisons[i].run;
	return short_names_of(arena, runs, gate->count);
}
