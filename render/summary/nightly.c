/* The nightly regression summary in the report document: lists cut to a readable length. */
#include "render/summary/internal.h"

#include <ctype.h>

#include "render/document/document.h"
#include "render/vocabulary/vocabulary.h"

enum { REASON_BYTES = 160 };

/* Cuts long names and sentences in the middle, so that the length of a list is bounded. */
const char *summary_cut(struct arena *arena, const char *text, size_t limit)
{
	size_t len = text ? strlen(text) : 0, half = limit / 2;
	if (len <= limit)
		return text;
	size_t tail = len - half;
	while (half > 0 && ((unsigned char)text[half] & 0xc0) == 0x80)
		half--;
	while (((unsigned char)text[tail] & 0xc0) == 0x80)
		tail++;
	return arena_printf(arena, "%.*s…%s", (int)half, text, text + tail);
}

enum { NAME_BYTES = 160 };

/* Variant, parameters and dtype; each but the first after ", ". */
static const char *details_of(struct arena *arena, const struct run *run)
{
	const char *const texts[] = {run->variant, run_params_text(arena, run), run->dtype};
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i] && texts[i][0])
			strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", texts[i]);
	return strbuf_into(&sb, arena);
}

const char *summary_nightly_name(struct arena *arena, const struct comparison *one)
{
	const char *details = details_of(arena, one->run);
	return summary_cut(arena,
			   arena_printf(arena, "%s%s%s", one->run->kernel,
					!details[0]            ? ""
					: one->run->variant[0] ? " "
							       : ", ",
					details),
			   NAME_BYTES);
}

void summary_nightly_names(struct arena *arena, struct json *row, const struct comparison *one)
{
	const struct document_member members[] = {
		{KEY(name), TEXT(summary_nightly_name(arena, one))},
		{KEY(kernel), TEXT(summary_cut(arena, one->run->kernel, NAME_BYTES))},
		{KEY(details), TEXT(summary_cut(arena, details_of(arena, one->run), NAME_BYTES))},
		{KEY(page), TEXT(report_page(arena, one)), OPTIONAL},
	};
	document_fill(arena, row, members);
}

const char *summary_plain_pattern(struct arena *arena, const struct comparison *one)
{
	const char *name =
		arena_printf(arena, "%s%s%s %s", one->run->kernel, one->run->variant[0] ? " " : "",
			     one->run->variant, run_params_text(arena, one->run));
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_.-=, ", *p))
			return NULL;
	struct span trimmed = span_trim(span_of(name));
	return trimmed.len ? arena_strndup(arena, trimmed.ptr, trimmed.len) : NULL;
}

/* The runs since the change, this one included. */
static const char *nights_text(struct arena *arena, const struct comparison *one)
{
	if (!one->change || one->change->index > one->history.points.count)
		return NULL;
	return quantity_count_text(arena, one->history.points.count - one->change->index + 1,
				   vocabulary_format("night"), vocabulary_format("nights"));
}

static void add_since(struct arena *arena, struct json *row, const struct nightly_row *shown)
{
	const struct comparison *one = shown->one;
	const struct revision *since = one->first_after ? one->first_after : shown->drifting_since;
	/* The change of what recovered is the one that is gone. */
	if (!since || one->recovered)
		return;
	document_commit(arena, row, KEY(since), since, false);
	const struct document_member members[] = {
		{KEY(since_day), TEXT(document_day(arena, since->time))},
		{KEY(nights_text), TEXT(one->first_after ? nights_text(arena, one) : NULL),
		 OPTIONAL},
	};
	document_fill(arena, row, members);
}

struct json *summary_nightly_row(struct arena *arena, struct json *list,
				 const struct nightly_row *shown)
{
	return summary_nightly_fill(arena, json_add_object(arena, list), shown);
}

struct json *summary_nightly_fill(struct arena *arena, struct json *row,
				  const struct nightly_row *shown)
{
	const struct comparison *one = shown->one;
	const struct judgement *judged = &one->judged;
	const char *reason = vocabulary_say(arena, judged->reason);
	const struct document_member names[] = {
		{KEY(series), TEXT(one->series->key)},
		{KEY(title), TEXT(vocabulary_metric(vocabulary_spoken(), one->metric))},
		{KEY(verdict), TEXT(verdict_name(judged->verdict))},
		{KEY(verdict_text), TEXT(report_verdict_text(one))},
		{KEY(mark), TEXT(verdict_mark(judged->verdict))},
	};
	const struct document_member members[] = {
		{KEY(candidate), QUANTITY(judged->candidate, metric_info(one->metric)->unit),
		 OPTIONAL},
		{KEY(change_text), CHANGE(judged->change), OPTIONAL},
		{KEY(reason), TEXT(reason ? bounded_cut(arena, reason, REASON_BYTES) : NULL)},
	};
	const struct document_member baseline[] = {
		{KEY(value), NUMBER(judged->baseline)},
		{KEY(unit), UNIT(metric_info(one->metric)->unit)},
		{KEY(text), TEXT(report_baseline_text(arena, one))},
	};
	summary_nightly_names(arena, row, one);
	document_fill(arena, row, names);
	if (!isnan(judged->baseline))
		document_fill(arena, json_set_object(arena, row, KEY(baseline)), baseline);
	document_fill(arena, row, members);
	add_since(arena, row, shown);
	report_add_why(arena, row, one->why);
	report_add_comparison_digest(arena, row, one);
	json_set_text(arena, row, KEY(spark), shown->spark);
	return row;
}

/* Begins a list {count, more, rows}; `more` is absent if all rows are shown. Returns the rows,
 * which the caller fills. */
static struct json *begin_list(struct arena *arena, struct json *out, const char *name,
			       size_t count)
{
	const struct document_member members[] = {
		{KEY(count), NUMBER(count)},
		{KEY(more),
		 NUMBER(count > REPORT_NIGHTLY_ROWS ? (double)count - REPORT_NIGHTLY_ROWS : NAN),
		 OPTIONAL},
	};
	struct json *list = json_set_object(arena, out, name);
	return json_set_array(arena, document_fill(arena, list, members), KEY(rows));
}

void summary_nightly_list(struct arena *arena, struct json *out, const char *name,
			  const struct nightly_list *list)
{
	if (!list->count)
		return;
	struct json *rows = begin_list(arena, out, name, list->count);
	for (size_t i = 0; i < list->count && i < REPORT_NIGHTLY_ROWS; i++)
		summary_nightly_row(arena, rows, &list->rows[i]);
}

static void add_drift(struct arena *arena, struct json *list, const struct nightly_row *shown,
		      const char *release)
{
	const struct comparison *one = shown->one;
	bool from_release = one->drift_release.flagged;
	const struct drift_result *found = from_release ? &one->drift_release : &one->drift_best;
	const struct document_member members[] = {
		{KEY(drift), NUMBER(found->drift)},
		{KEY(drift_text), CHANGE(found->drift)},
		{KEY(low), NUMBER(found->low)},
		{KEY(high), NUMBER(found->high)},
		{KEY(interval_text), INTERVAL(found->low, found->high)},
		{KEY(reference), TEXT(from_release ? release : "best period")},
		{KEY(over_commits), NUMBER(found->current_to - found->reference_from)},
		{KEY(flagged_since), COMMIT(shown->drifting_since, false)},
	};
	document_fill(arena, summary_nightly_row(arena, list, shown), members);
}

static void add_drifts(struct arena *arena, struct json *out, const struct nightly *nightly)
{
	const struct nightly_list *list = &nightly->drifts;
	if (!list->count)
		return;
	struct json *rows = begin_list(arena, out, "drifts", list->count);
	for (size_t i = 0; i < list->count && i < REPORT_NIGHTLY_ROWS; i++)
		add_drift(arena, rows, &list->rows[i], nightly->gate->input->pin_name);
}

/* --- coverage --- */

/* The undecided comparisons with too short a history, or all others. */
static struct nightly_list undecided_of(struct arena *arena, const struct nightly_list *undecided,
					bool young)
{
	struct nightly_list list = {arena_array(arena, undecided->count + 1, sizeof *list.rows), 0};
	for (size_t i = 0; i < undecided->count; i++)
		if (young == (undecided->rows[i].one->judged.result.missing_commits > 0))
			list.rows[list.count++] = undecided->rows[i];
	return list;
}

static void add_coverage(struct arena *arena, struct json *out, const struct nightly *nightly)
{
	const struct gate_result *gate = nightly->gate;
	const struct nightly_list *groups = nightly->groups;
	const struct nightly_list *undecided = &groups[NIGHTLY_UNDECIDED];
	size_t comparisons = gate->count - gate->context;
	const struct {
		const char *why;
		struct nightly_list list;
	} rows[] = {
		{"not measured in this run, or with another device or tool",
		 groups[NIGHTLY_MISSING]},
		{"no longer measured", groups[NIGHTLY_STALE]},
		{"new: no history yet", groups[NIGHTLY_NEW]},
		{"not enough history", undecided_of(arena, undecided, true)},
		{"unclear: too noisy, or too few measurements",
		 undecided_of(arena, undecided, false)},
		{"on machines in rotation, not measured in this run", {NULL, gate->input->away}},
	};
	const struct document_member members[] = {
		{KEY(series), NUMBER(gate->series)},
		{KEY(comparisons), NUMBER(comparisons)},
		{KEY(judged), NUMBER(gate->judged)},
	};
	struct json *coverage = json_set_object(arena, out, KEY(coverage));
	struct json *list =
		json_set_array(arena, document_fill(arena, coverage, members), KEY(unclear));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct nightly_row *first = rows[i].list.count ? rows[i].list.rows : NULL;
		const struct document_member row[] = {
			{KEY(why), TEXT(rows[i].why)},
			{KEY(count), NUMBER(rows[i].list.count)},
			{KEY(example), TEXT(first ? summary_nightly_name(arena, first->one) : NULL),
			 OPTIONAL},
		};
		if (rows[i].list.count)
			document_fill(arena, json_add_object(arena, list), row);
	}
}

void summary_add_nightly(struct arena *arena, struct json *document, const struct nightly *nightly)
{
	const struct nightly_list *groups = nightly->groups;
	struct json *out = json_set_object(arena, document, KEY(night));
	const struct message *title = summary_nightly_title(arena, nightly);
	summary_add_nightly_answer(arena, out, nightly);
	json_set_text(arena, out, KEY(headline), vocabulary_say(arena, title));
	json_set_text(arena, json_set_object(arena, out, KEY(zh)), KEY(headline),
		      vocabulary_text(arena, LANGUAGE_CHINESE, title));
	if (nightly->before) {
		struct json *before = json_set_object(arena, out, KEY(before));
		document_commit(arena, before, KEY(commit), nightly->before, false);
		report_age(arena, before, nightly->age);
	}
	for (int i = 0; i < NIGHTLY_QUIET; i++)
		if (i != NIGHTLY_STILL)
			summary_nightly_list(arena, out, nightly_group_name((enum nightly_group)i),
					     &groups[i]);
	summary_nightly_list(arena, out, "open", &groups[NIGHTLY_STILL]);
	summary_nightly_list(arena, out, "steady", &groups[NIGHTLY_QUIET]);
	/* Drifts have their own list. */
	summary_nightly_list(arena, out, nightly_group_name(NIGHTLY_STILL),
			     &nightly->still_stepped);
	json_set_number(arena, out, KEY(still_bad), (double)groups[NIGHTLY_STILL].count);
	add_drifts(arena, out, nightly);
	add_coverage(arena, out, nightly);
	json_set_number(arena, out, KEY(quiet), (double)groups[NIGHTLY_QUIET].count);
}
