/* What a night brought, in the report document: lists that are cut to what one reads in the
 * morning. */
#include "render/summary/nightly.h"

#include <math.h>
#include <string.h>

#include "model/explain/explain.h"
#include "model/gate/nightly.h"
#include "model/gate/trend.h"

enum { NIGHT_ROWS = 12, NIGHT_REASONS = 160 };

struct telling {
	struct arena *arena;
	const struct gate *gate;
};

/* Longer names and sentences would make a list of any length: they are cut in the middle. */
const char *report_night_cut(struct arena *arena, const char *text, size_t most)
{
	size_t len = text ? strlen(text) : 0, half = most / 2;
	if (len <= most)
		return text;
	size_t tail = len - half;
	while (half > 0 && ((unsigned char)text[half] & 0xc0) == 0x80)
		half--;
	while (((unsigned char)text[tail] & 0xc0) == 0x80)
		tail++;
	return arena_printf(arena, "%.*s…%s", (int)half, text, text + tail);
}

const char *report_night_name(struct arena *arena, const struct comparison *one)
{
	enum { NAME_BYTES = 80 };
	const char *params = run_params_text(arena, one->run);
	const char *name = arena_printf(arena, "%s%s%s%s%s%s%s", one->run->kernel,
					one->run->variant[0] ? " " : "", one->run->variant,
					params[0] ? ", " : "", params,
					one->run->dtype && one->run->dtype[0] ? ", " : "",
					one->run->dtype ? one->run->dtype : "");
	return report_night_cut(arena, name, NAME_BYTES);
}

static void add_since(struct arena *arena, struct json *row, const struct gate *gate,
		      const struct comparison *one)
{
	if (one->change)
		report_commit(arena, row, "since", gate_revision_at(gate, one, one->change->index),
			      false);
}

/* Why it moved, where the profiles say so. */
static void add_why(struct arena *arena, struct json *row, const struct gate *gate,
		    const struct comparison *one)
{
	if (!explain_is_asked(one))
		return;
	struct explanation why = explain_comparison(arena, gate, one);
	report_add_why(arena, row, &why);
}

struct json *report_night_row(struct arena *arena, struct json *list, const struct gate *gate,
			      const struct comparison *one)
{
	enum unit unit = metric_info(one->metric)->unit;
	struct json *row = json_add_object(arena, list);
	struct arena scratch = {0};
	json_set_text(arena, row, "series", one->series->key);
	json_set_text(arena, row, "name", report_night_name(arena, one));
	json_set_text(arena, row, "title", metric_info(one->metric)->title);
	json_set_text(arena, row, "verdict", verdict_name(one->judged.verdict));
	json_set_text(arena, row, "mark", verdict_mark(one->judged.verdict));
	if (!isnan(one->judged.baseline))
		report_baseline(arena, row, one);
	if (!isnan(one->judged.candidate))
		report_quantity(arena, row, "candidate", one->judged.candidate, unit);
	if (!isnan(one->judged.change))
		json_set_text(arena, row, "change_text",
			      quantity_change_text(arena, one->judged.change));
	json_set_text(arena, row, "reason",
		      report_night_cut(arena, one->judged.reason, NIGHT_REASONS));
	add_since(arena, row, gate, one);
	add_why(arena, row, gate, one);
	json_set_text(arena, row, "spark", trend_of_comparison(&scratch, gate, one).spark);
	arena_free(&scratch);
	return row;
}

struct json *report_night_list(struct arena *arena, struct json *out, const char *name,
			       size_t count, size_t most)
{
	struct json *list = json_set_object(arena, out, name);
	json_set_number(arena, list, "count", (double)count);
	if (count > most)
		json_set_number(arena, list, "more", (double)(count - most));
	return json_set_array(arena, list, "rows");
}

/* Absent where there is none. */
static void add_list(const struct telling *of, struct json *out, const char *name,
		     const struct night_list *list)
{
	if (!list->count)
		return;
	struct json *rows = report_night_list(of->arena, out, name, list->count, NIGHT_ROWS);
	for (size_t i = 0; i < list->count && i < NIGHT_ROWS; i++)
		report_night_row(of->arena, rows, of->gate, list->items[i]);
}

/* What crept is in the list of drifts and not told twice. */
static void add_still(const struct telling *of, struct json *out, const struct night_list *still)
{
	struct night_list others = {arena_array(of->arena, still->count + 1, sizeof *others.items),
				    0};
	for (size_t i = 0; i < still->count; i++)
		if (still->items[i]->judged.verdict != VERDICT_CREEP)
			others.items[others.count++] = still->items[i];
	add_list(of, out, night_group_name(NIGHT_STILL), &others);
	json_set_number(of->arena, out, "still_bad", (double)still->count);
}

static void add_drift(const struct telling *of, struct json *list, const struct comparison *one)
{
	const struct creep_result *found =
		one->creep_release.flagged ? &one->creep_release : &one->creep_best;
	struct json *row = report_night_row(of->arena, list, of->gate, one);
	uint32_t place;
	json_set_number(of->arena, row, "drift", found->drift);
	json_set_text(of->arena, row, "drift_text", quantity_change_text(of->arena, found->drift));
	json_set_number(of->arena, row, "low", found->low);
	json_set_number(of->arena, row, "high", found->high);
	json_set_text(of->arena, row, "interval_text",
		      isnan(found->low) ? NULL
					: report_interval_text(of->arena, found->low, found->high));
	json_set_text(of->arena, row, "reference",
		      one->creep_release.flagged ? of->gate->pin_name : "best on record");
	json_set_number(of->arena, row, "over_commits",
			(double)(found->current_to - found->reference_from));
	if (gate_creep_since(of->gate, one, &place))
		report_commit(of->arena, row, "flagged_since", &of->gate->set->chain[place], false);
}

static void add_drifts(const struct telling *of, struct json *out, const struct night_list *list)
{
	if (!list->count)
		return;
	struct json *rows = report_night_list(of->arena, out, "drifts", list->count, NIGHT_ROWS);
	for (size_t i = 0; i < list->count && i < NIGHT_ROWS; i++)
		add_drift(of, rows, list->items[i]);
}

/* --- coverage --- */

static void add_not_told(const struct telling *of, struct json *list, const char *why,
			 const struct night_list *which, size_t count)
{
	if (!count)
		return;
	struct json *one = json_add_object(of->arena, list);
	json_set_text(of->arena, one, "why", why);
	json_set_number(of->arena, one, "count", (double)count);
	if (which->count)
		json_set_text(of->arena, one, "example",
			      report_night_name(of->arena, which->items[0]));
}

static void add_coverage(const struct telling *of, struct json *out, const struct night *night)
{
	const struct gate *gate = of->gate;
	struct json *coverage = json_set_object(of->arena, out, "coverage");
	const struct night_list *undecided = &night->groups[NIGHT_UNDECIDED];
	struct night_list young = {0}, unsure = {0};
	young.items = arena_array(of->arena, undecided->count + 1, sizeof *young.items);
	unsure.items = arena_array(of->arena, undecided->count + 1, sizeof *unsure.items);
	for (size_t i = 0; i < undecided->count; i++) {
		const struct comparison *one = undecided->items[i];
		struct night_list *list = one->judged.record.missing_commits ? &young : &unsure;
		list->items[list->count++] = one;
	}
	json_set_number(of->arena, coverage, "series", (double)gate->series);
	json_set_number(of->arena, coverage, "comparisons", (double)(gate->count - gate->context));
	json_set_number(of->arena, coverage, "told",
			(double)(gate->count - gate->context - undecided->count -
				 night->groups[NIGHT_MISSING].count -
				 night->groups[NIGHT_STALE].count -
				 night->groups[NIGHT_NEW].count));
	struct json *list = json_set_array(of->arena, coverage, "not_told");
	add_not_told(of, list, "not measured tonight, or on another device or with another tool",
		     &night->groups[NIGHT_MISSING], night->groups[NIGHT_MISSING].count);
	add_not_told(of, list, "stopped arriving", &night->groups[NIGHT_STALE],
		     night->groups[NIGHT_STALE].count);
	add_not_told(of, list, "new: nothing on record", &night->groups[NIGHT_NEW],
		     night->groups[NIGHT_NEW].count);
	add_not_told(of, list, "too few commits on record", &young, young.count);
	add_not_told(of, list, "undecided: too noisy, or too few measurements", &unsure,
		     unsure.count);
	add_not_told(of, list, "of machines that take turns, not measured here",
		     &(struct night_list){0}, gate->away);
}

void report_add_night(struct arena *arena, struct json *document, const struct gate *gate)
{
	struct telling of = {arena, gate};
	struct night night = night_of(arena, gate);
	struct json *out = json_set_object(arena, document, "night");
	if (night.before) {
		struct json *before = json_set_object(arena, out, "before");
		report_commit(arena, before, "commit", night.before, false);
		report_age(arena, before, night.age);
	}
	for (int i = 0; i < NIGHT_QUIET; i++)
		if (i != NIGHT_UNDECIDED && i != NIGHT_NEW && i != NIGHT_STILL)
			add_list(&of, out, night_group_name((enum night_group)i), &night.groups[i]);
	add_still(&of, out, &night.groups[NIGHT_STILL]);
	add_drifts(&of, out, &night.drifts);
	add_coverage(&of, out, &night);
	json_set_number(arena, out, "quiet", (double)night.groups[NIGHT_QUIET].count);
}
