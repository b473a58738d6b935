/* The nightly regression summary in the report document: lists cut to a readable length. */
#include "render/summary/nightly.h"

#include "render/document/document.h"
#include "render/vocabulary/vocabulary.h"

enum { REASON_BYTES = 160 };

struct nightly_writing {
	struct arena *arena;
	const struct nightly *nightly;
};

/* Cuts long names and sentences in the middle, so that the length of a list is bounded. */
const char *summary_nightly_cut(struct arena *arena, const char *text, size_t most)
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

const char *summary_nightly_name(struct arena *arena, const struct comparison *one)
{
	enum { NAME_BYTES = 80 };
	const char *params = run_params_text(arena, one->run);
	const char *name = arena_printf(arena, "%s%s%s%s%s%s%s", one->run->kernel,
					one->run->variant[0] ? " " : "", one->run->variant,
					params[0] ? ", " : "", params,
					one->run->dtype && one->run->dtype[0] ? ", " : "",
					one->run->dtype ? one->run->dtype : "");
	return summary_nightly_cut(arena, name, NAME_BYTES);
}

struct json *summary_nightly_row(struct arena *arena, struct json *list,
				 const struct nightly_row *shown)
{
	const struct comparison *one = shown->one;
	enum unit unit = metric_info(one->metric)->unit;
	struct json *row = json_add_object(arena, list);
	json_set_text(arena, row, KEY(series), one->series->key);
	json_set_text(arena, row, KEY(name), summary_nightly_name(arena, one));
	json_set_text(arena, row, KEY(title), metric_info(one->metric)->title);
	json_set_text(arena, row, KEY(verdict), verdict_name(one->judged.verdict));
	json_set_text(arena, row, KEY(mark), verdict_mark(one->judged.verdict));
	if (!isnan(one->judged.baseline))
		report_baseline(arena, row, one);
	if (!isnan(one->judged.candidate))
		document_quantity(arena, row, KEY(candidate), one->judged.candidate, unit);
	if (!isnan(one->judged.change))
		json_set_text(arena, row, KEY(change_text),
			      quantity_change_text(arena, one->judged.change));
	json_set_text(arena, row, KEY(reason),
		      summary_nightly_cut(arena, vocabulary_english(arena, one->judged.reason),
					  REASON_BYTES));
	document_commit(arena, row, KEY(since), one->first_after, false);
	report_add_why(arena, row, one->why);
	json_set_text(arena, row, KEY(spark), shown->spark);
	return row;
}

struct json *summary_nightly_list(struct arena *arena, struct json *out, const char *name,
				  size_t count, size_t most)
{
	struct json *list = json_set_object(arena, out, name);
	json_set_number(arena, list, KEY(count), (double)count);
	if (count > most)
		json_set_number(arena, list, KEY(more), (double)(count - most));
	return json_set_array(arena, list, KEY(rows));
}

/* Adds a list; nothing if it is empty. */
static void add_list(const struct nightly_writing *of, struct json *out, const char *name,
		     const struct nightly_list *list)
{
	if (!list->count)
		return;
	struct json *rows =
		summary_nightly_list(of->arena, out, name, list->count, REPORT_NIGHTLY_ROWS);
	for (size_t i = 0; i < list->count && i < REPORT_NIGHTLY_ROWS; i++)
		summary_nightly_row(of->arena, rows, &list->rows[i]);
}

static void add_drift(const struct nightly_writing *of, struct json *list,
		      const struct nightly_row *shown)
{
	const struct comparison *one = shown->one;
	const struct drift_result *found =
		one->creep_release.flagged ? &one->creep_release : &one->creep_best;
	struct json *row = summary_nightly_row(of->arena, list, shown);
	json_set_number(of->arena, row, KEY(drift), found->drift);
	json_set_text(of->arena, row, KEY(drift_text),
		      quantity_change_text(of->arena, found->drift));
	json_set_number(of->arena, row, KEY(low), found->low);
	json_set_number(of->arena, row, KEY(high), found->high);
	json_set_text(of->arena, row, KEY(interval_text),
		      isnan(found->low) ? NULL
					: document_interval(of->arena, found->low, found->high));
	json_set_text(of->arena, row, KEY(reference),
		      one->creep_release.flagged ? of->nightly->gate->input->pin_name
						 : "best on record");
	json_set_number(of->arena, row, KEY(over_commits),
			(double)(found->current_to - found->reference_from));
	document_commit(of->arena, row, KEY(flagged_since), shown->drifting_since, false);
}

static void add_drifts(const struct nightly_writing *of, struct json *out,
		       const struct nightly_list *list)
{
	if (!list->count)
		return;
	struct json *rows =
		summary_nightly_list(of->arena, out, "drifts", list->count, REPORT_NIGHTLY_ROWS);
	for (size_t i = 0; i < list->count && i < REPORT_NIGHTLY_ROWS; i++)
		add_drift(of, rows, &list->rows[i]);
}

/* --- coverage --- */

static void add_uncovered(const struct nightly_writing *of, struct json *list, const char *why,
			  const struct nightly_list *which, size_t count)
{
	if (!count)
		return;
	struct json *one = json_add_object(of->arena, list);
	json_set_text(of->arena, one, KEY(why), why);
	json_set_number(of->arena, one, KEY(count), (double)count);
	if (which->count)
		json_set_text(of->arena, one, KEY(example),
			      summary_nightly_name(of->arena, which->rows[0].one));
}

static void add_coverage(const struct nightly_writing *of, struct json *out)
{
	const struct nightly *nightly = of->nightly;
	const struct gate_result *gate = nightly->gate;
	struct json *coverage = json_set_object(of->arena, out, KEY(coverage));
	const struct nightly_list *undecided = &nightly->groups[NIGHTLY_UNDECIDED];
	struct nightly_list young = {0}, unsure = {0};
	young.rows = arena_array(of->arena, undecided->count + 1, sizeof *young.rows);
	unsure.rows = arena_array(of->arena, undecided->count + 1, sizeof *unsure.rows);
	for (size_t i = 0; i < undecided->count; i++) {
		const struct nightly_row *row = &undecided->rows[i];
		struct nightly_list *list =
			row->one->judged.record.missing_commits ? &young : &unsure;
		list->rows[list->count++] = *row;
	}
	json_set_number(of->arena, coverage, KEY(series), (double)gate->series);
	json_set_number(of->arena, coverage, KEY(comparisons),
			(double)(gate->count - gate->context));
	json_set_number(of->arena, coverage, KEY(told),
			(double)(gate->count - gate->context - undecided->count -
				 nightly->groups[NIGHTLY_MISSING].count -
				 nightly->groups[NIGHTLY_STALE].count -
				 nightly->groups[NIGHTLY_NEW].count));
	struct json *list = json_set_array(of->arena, coverage, KEY(not_told));
	add_uncovered(of, list, "not measured tonight, or on another device or with another tool",
		      &nightly->groups[NIGHTLY_MISSING], nightly->groups[NIGHTLY_MISSING].count);
	add_uncovered(of, list, "stopped arriving", &nightly->groups[NIGHTLY_STALE],
		      nightly->groups[NIGHTLY_STALE].count);
	add_uncovered(of, list, "new: nothing on record", &nightly->groups[NIGHTLY_NEW],
		      nightly->groups[NIGHTLY_NEW].count);
	add_uncovered(of, list, "too few commits on record", &young, young.count);
	add_uncovered(of, list, "undecided: too noisy, or too few measurements", &unsure,
		      unsure.count);
	add_uncovered(of, list, "of machines that take turns, not measured here",
		      &(struct nightly_list){0}, gate->input->away);
}

void summary_add_nightly(struct arena *arena, struct json *document, const struct nightly *nightly)
{
	const struct nightly_writing of = {arena, nightly};
	const struct nightly_list *groups = nightly->groups;
	struct json *out = json_set_object(arena, document, KEY(night));
	if (nightly->before) {
		struct json *before = json_set_object(arena, out, KEY(before));
		document_commit(arena, before, KEY(commit), nightly->before, false);
		report_age(arena, before, nightly->age);
	}
	for (int i = 0; i < NIGHTLY_QUIET; i++)
		if (i != NIGHTLY_UNDECIDED && i != NIGHTLY_NEW && i != NIGHTLY_STILL)
			add_list(&of, out, nightly_group_name((enum nightly_group)i), &groups[i]);
	/* Drifts have their own list. */
	add_list(&of, out, nightly_group_name(NIGHTLY_STILL), &nightly->still_stepped);
	json_set_number(arena, out, KEY(still_bad), (double)groups[NIGHTLY_STILL].count);
	add_drifts(&of, out, &nightly->drifts);
	add_coverage(&of, out);
	json_set_number(arena, out, KEY(quiet), (double)groups[NIGHTLY_QUIET].count);
}
