/* The week's changes in the report document: lists cut to a readable length. */
#include "render/summary/internal.h"

#include "model/acceptance/acceptance.h"
#include "render/document/document.h"
#include "render/vocabulary/vocabulary.h"

enum { MOVES_SHOWN = 8 }; /* per commit */

static struct json *fill_move(struct arena *arena, struct json *row, const struct weekly_move *move)
{
	static const enum verdict marks[] = {
		[WEEKLY_OPEN] = VERDICT_REGRESSED,   [WEEKLY_ACCEPTED] = VERDICT_ACCEPTED,
		[WEEKLY_MENDED] = VERDICT_UNCHANGED, [WEEKLY_BETTER] = VERDICT_IMPROVED,
		[WEEKLY_LOST] = VERDICT_UNCHANGED,   [WEEKLY_NEUTRAL] = VERDICT_UNCHANGED,
	};
	const struct trend_change *change = &move->change;
	const struct metric_info *info = metric_info(move->one->metric);
	const struct document_member members[] = {
		{KEY(series), TEXT(move->one->series->key)},
		{KEY(title), TEXT(vocabulary_metric(vocabulary_spoken(), move->one->metric))},
		{KEY(state), TEXT(weekly_state_name(move->state))},
		{KEY(state_text), TEXT(vocabulary_format(weekly_state_name(move->state)))},
		{KEY(mark), TEXT(verdict_mark(marks[move->state]))},
		{KEY(confirmed), BOOL(change->confirmed)},
		{KEY(effect), NUMBER(change->effect)},
		{KEY(effect_text), EFFECT(change->effect, change->relative, info->unit)},
		{KEY(interval_text),
		 TEXT(report_effect_interval_text(arena, change->low, change->high,
						  change->relative, info->unit)),
		 OPTIONAL},
		{KEY(before), QUANTITY(change->before, info->unit)},
		{KEY(after), QUANTITY(change->after, info->unit)},
	};
	const struct report_digest digest = {
		.before = change->before,
		.after = change->after,
		.change = change->relative ? change->effect : NAN,
		.low = change->relative ? change->low : NAN,
		.high = change->relative ? change->high : NAN,
		.unit = info->unit,
	};
	summary_nightly_names(arena, row, move->one);
	document_fill(arena, row, members);
	report_add_digest(arena, row, &digest, NULL);
	document_commit(arena, row, KEY(mended_by), move->mended_by, false);
	return row;
}

/* Adds a bisect command if one of several commits can be the cause. */
static void add_bisect(struct arena *arena, struct json *row, const struct weekly_commit *commit)
{
	uint32_t steps = commit->last_before - commit->first_after;
	if (steps <= 1)
		return;
	const char *pattern = summary_plain_pattern(arena, commit->moves[0].one);
	json_set_number(arena, row, KEY(range), steps);
	document_commit(arena, row, KEY(last_before), commit->before, false);
	json_set_text(arena, row, KEY(bisect),
		      arena_printf(arena, "rooflog bisect --good %.10s --bad %.10s%s%s%s",
				   commit->before->oid, commit->commit->oid, pattern ? " '" : "",
				   pattern ? pattern : "", pattern ? "'" : ""));
}

static void add_commit(struct arena *arena, struct json *list, const struct weekly_commit *commit)
{
	struct json *row = json_add_object(arena, list);
	document_commit(arena, row, KEY(commit), commit->commit, false);
	json_set_text(arena, row, KEY(day), document_day(arena, commit->commit->time));
	if (commit->author && commit->author[0])
		json_set_text(arena, row, KEY(owner), commit->author);
	add_bisect(arena, row, commit);
	json_set_number(arena, row, KEY(count), (double)commit->count);
	struct json *states = json_set_array(arena, row, KEY(states));
	for (int i = 0; i <= WEEKLY_NEUTRAL; i++)
		if (commit->states[i]) {
			struct json *one = json_add_object(arena, states);
			const char *state = weekly_state_name((enum weekly_state)i);
			json_set_text(arena, one, KEY(state), state);
			json_set_text(arena, one, KEY(state_text), vocabulary_format(state));
			json_set_number(arena, one, KEY(count), (double)commit->states[i]);
		}
	size_t shown = commit->count < MOVES_SHOWN ? commit->count : MOVES_SHOWN;
	if (commit->count > shown)
		json_set_number(arena, row, KEY(more), (double)(commit->count - shown));
	struct json *moves = json_set_array(arena, row, KEY(moves));
	for (size_t i = 0; i < shown; i++)
		fill_move(arena, json_add_object(arena, moves), &commit->moves[i]);
}

/* --- older and accepted changes --- */

static void add_accepted(struct arena *arena, struct json *out, const struct nightly_list *accepted)
{
	enum { AUTHOR_BYTES = 80, REASON_BYTES = 160 };
	struct json *list = json_set_array(arena, out, KEY(accepted));
	size_t count = accepted->count;
	for (size_t i = 0; i < count && i < REPORT_NIGHTLY_ROWS; i++) {
		const struct acceptance *by = accepted->rows[i].one->acceptance;
		struct json *row = summary_nightly_row(arena, list, &accepted->rows[i]);
		const struct document_member members[] = {
			{KEY(line), NUMBER(by->line)},
			{KEY(author), TEXT(summary_cut(arena, by->author, AUTHOR_BYTES))},
			{KEY(because), TEXT(summary_cut(arena, by->reason, REASON_BYTES))},
			{KEY(expires), TEXT(by->expires)},
		};
		document_fill(arena, row, members);
	}
	json_set_number(arena, out, KEY(accepted_count), (double)count);
	if (count > REPORT_NIGHTLY_ROWS)
		json_set_number(arena, out, KEY(accepted_more),
				(double)(count - REPORT_NIGHTLY_ROWS));
}

/* The heading, and the first open change of the week with its commit. */
static void add_answer(struct arena *arena, struct json *out, const struct weekly *weekly)
{
	const struct weekly_commit *first = weekly->count ? &weekly->commits[0] : NULL;
	const char *of_week =
		!weekly->moves ? vocabulary_format("No change point this week")
		: !weekly->open
			? vocabulary_format("No open regression of this week")
			: arena_printf(arena,
				       vocabulary_format("%zu open regression%s of this week"),
				       weekly->open, weekly->open == 1 ? "" : "s");
	const char *newly =
		weekly->newly.count
			? arena_printf(
				  arena,
				  vocabulary_format("%zu new regression%s at the latest commit%s"),
				  weekly->newly.count, weekly->newly.count == 1 ? "" : "s",
				  weekly->open ? vocabulary_format("; ") : "")
			: "";
	json_set_text(arena, out, KEY(answer),
		      arena_printf(arena, "%s%s", newly,
				   weekly->newly.count && !weekly->open ? "" : of_week));
	if (!first || !first->count || first->moves[0].state != WEEKLY_OPEN)
		return;
	struct json *worst =
		fill_move(arena, json_set_object(arena, out, KEY(worst)), &first->moves[0]);
	document_commit(arena, worst, KEY(commit), first->commit, false);
	if (first->author && first->author[0])
		json_set_text(arena, worst, KEY(owner), first->author);
}

void summary_add_weekly(struct arena *arena, struct json *document, const struct weekly *weekly)
{
	struct json *out = json_set_object(arena, document, KEY(week));
	json_set_text(arena, out, KEY(since), document_time(arena, weekly->since));
	add_answer(arena, out, weekly);
	json_set_number(arena, out, KEY(moves), (double)weekly->moves);
	json_set_number(arena, out, KEY(open), (double)weekly->open);
	json_set_number(arena, out, KEY(count), (double)weekly->count);
	if (weekly->count > REPORT_WEEKLY_COMMITS)
		json_set_number(arena, out, KEY(more),
				(double)(weekly->count - REPORT_WEEKLY_COMMITS));
	struct json *commits = json_set_array(arena, out, KEY(commits));
	for (size_t i = 0; i < weekly->count && i < REPORT_WEEKLY_COMMITS; i++)
		add_commit(arena, commits, &weekly->commits[i]);
	summary_nightly_list(arena, out, "newly", &weekly->newly);
	summary_nightly_list(arena, out, "older", &weekly->older);
	add_accepted(arena, out, &weekly->accepted);
}
