/* The week's changes in the report document: lists that are cut to what one goes through. */
#include "render/summary/weekly.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "model/verdict/acceptance.h"
#include "model/gate/weekly.h"
#include "render/summary/nightly.h"

enum { WEEK_COMMITS = 12, WEEK_MOVES = 8, WEEK_ROWS = 12 };

struct telling {
	struct arena *arena;
	const struct gate *gate;
	const struct report_week *asked;
};

static void add_move(const struct telling *of, struct json *list, const struct week_move *move)
{
	const struct trend_change *change = &move->change;
	enum unit unit = metric_info(move->one->metric)->unit;
	struct json *row = json_add_object(of->arena, list);
	json_set_text(of->arena, row, "series", move->one->series->key);
	json_set_text(of->arena, row, "name", report_night_name(of->arena, move->one));
	json_set_text(of->arena, row, "title", metric_info(move->one->metric)->title);
	json_set_text(of->arena, row, "state", week_state_name(move->state));
	json_set_text(of->arena, row, "mark",
		      move->state == WEEK_OPEN       ? verdict_mark(VERDICT_REGRESSED)
		      : move->state == WEEK_BETTER   ? verdict_mark(VERDICT_IMPROVED)
		      : move->state == WEEK_ACCEPTED ? verdict_mark(VERDICT_ACCEPTED)
						     : verdict_mark(VERDICT_UNCHANGED));
	json_set_bool(of->arena, row, "confirmed", change->confirmed);
	json_set_number(of->arena, row, "effect", change->effect);
	json_set_text(of->arena, row, "effect_text",
		      report_effect_text(of->arena, change->effect, change->relative, unit));
	json_set_text(of->arena, row, "interval_text",
		      report_effect_interval_text(of->arena, change->low, change->high,
						  change->relative, unit));
	report_quantity(of->arena, row, "before", change->before, unit);
	report_quantity(of->arena, row, "after", change->after, unit);
}

/* A pattern that no shell and no reader takes for anything else. */
static const char *plain_pattern(struct arena *arena, const struct comparison *one)
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

/* Which of several commits it was is for rooflog bisect to find. */
static void add_bisect(const struct telling *of, struct json *row, const struct week_commit *commit)
{
	uint32_t steps = commit->last_before - commit->first_after;
	if (steps <= 1)
		return;
	const char *pattern = plain_pattern(of->arena, commit->moves[0].one);
	json_set_number(of->arena, row, "range", steps);
	report_commit(of->arena, row, "last_before", commit->before, false);
	json_set_text(of->arena, row, "bisect",
		      arena_printf(of->arena, "rooflog bisect --good %.10s --bad %.10s%s%s%s",
				   commit->before->oid, commit->commit->oid, pattern ? " '" : "",
				   pattern ? pattern : "", pattern ? "'" : ""));
}

static void add_commit(const struct telling *of, struct json *list,
		       const struct week_commit *commit)
{
	struct json *row = json_add_object(of->arena, list);
	const struct report_week *asked = of->asked;
	const char *author =
		asked->author ? asked->author(asked->context, commit->commit->oid) : NULL;
	report_commit(of->arena, row, "commit", commit->commit, false);
	json_set_text(of->arena, row, "day", report_day(of->arena, commit->commit->time));
	if (author && author[0])
		json_set_text(of->arena, row, "owner", author);
	add_bisect(of, row, commit);
	json_set_number(of->arena, row, "count", (double)commit->count);
	struct json *states = json_set_array(of->arena, row, "states");
	for (int i = 0; i <= WEEK_NEUTRAL; i++)
		if (commit->states[i]) {
			struct json *one = json_add_object(of->arena, states);
			json_set_text(of->arena, one, "state", week_state_name((enum week_state)i));
			json_set_number(of->arena, one, "count", (double)commit->states[i]);
		}
	size_t shown = commit->count < WEEK_MOVES ? commit->count : WEEK_MOVES;
	if (commit->count > shown)
		json_set_number(of->arena, row, "more", (double)(commit->count - shown));
	struct json *moves = json_set_array(of->arena, row, "moves");
	for (size_t i = 0; i < shown; i++)
		add_move(of, moves, &commit->moves[i]);
}

/* --- what is older, and what is accepted --- */

/* By place of the gate: what the week's commits tell of. */
static const bool *told_of(const struct telling *of, const struct week *week)
{
	bool *told = arena_array(of->arena, of->gate->count + 1, sizeof *told);
	for (size_t i = 0; i < week->count; i++)
		for (size_t k = 0; k < week->commits[i].count; k++)
			told[week->commits[i].moves[k].one - of->gate->comparisons] = true;
	return told;
}

static bool is_bad(const struct comparison *one)
{
	bool bad = one->judged.verdict == VERDICT_REGRESSED ||
		   one->judged.verdict == VERDICT_FAILED || one->judged.verdict == VERDICT_CREEP;
	return bad && one->policy->role != POLICY_CONTEXT;
}

/* Bad at the newest commit only, where no change of level can be seen yet. */
static bool is_newly(const struct comparison *one)
{
	return one->judged.verdict == VERDICT_REGRESSED && !one->already && !one->change &&
	       one->judged.method != METHOD_LIMIT;
}

/* What is bad and not told of by a commit of the week: of the newest commit, or older. */
static void add_bad(const struct telling *of, struct json *out, const bool *told, bool newly)
{
	const struct gate *gate = of->gate;
	const struct comparison **found = arena_array(of->arena, gate->count + 1, sizeof *found);
	size_t count = 0;
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		if (!told[i] && is_bad(one) && is_newly(one) == newly)
			found[count++] = one;
	}
	if (!count)
		return;
	struct json *rows =
		report_night_list(of->arena, out, newly ? "newly" : "older", count, WEEK_ROWS);
	for (size_t i = 0; i < count && i < WEEK_ROWS; i++)
		report_night_row(of->arena, rows, gate, found[i]);
}

static void add_accepted(const struct telling *of, struct json *out)
{
	const struct gate *gate = of->gate;
	struct json *list = json_set_array(of->arena, out, "accepted");
	size_t count = 0;
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		if (one->judged.verdict != VERDICT_ACCEPTED || !one->acceptance ||
		    count++ >= WEEK_ROWS)
			continue;
		struct json *row = report_night_row(of->arena, list, gate, one);
		json_set_number(of->arena, row, "line", (double)one->acceptance->line);
		json_set_text(of->arena, row, "author",
			      report_night_cut(of->arena, one->acceptance->author, 80));
		json_set_text(of->arena, row, "because",
			      report_night_cut(of->arena, one->acceptance->reason, 160));
		json_set_text(of->arena, row, "expires", one->acceptance->expires);
	}
	json_set_number(of->arena, out, "accepted_count", (double)count);
	if (count > WEEK_ROWS)
		json_set_number(of->arena, out, "accepted_more", (double)(count - WEEK_ROWS));
}

void report_add_week(struct arena *arena, struct json *document, const struct gate *gate,
		     const struct report_week *asked)
{
	struct telling of = {arena, gate, asked};
	struct week week = week_of(arena, gate, asked->since);
	struct json *out = json_set_object(arena, document, "week");
	json_set_text(arena, out, "since", report_time(arena, asked->since));
	json_set_number(arena, out, "moves", (double)week.moves);
	json_set_number(arena, out, "open", (double)week.open);
	json_set_number(arena, out, "count", (double)week.count);
	if (week.count > WEEK_COMMITS)
		json_set_number(arena, out, "more", (double)(week.count - WEEK_COMMITS));
	struct json *commits = json_set_array(arena, out, "commits");
	for (size_t i = 0; i < week.count && i < WEEK_COMMITS; i++)
		add_commit(&of, commits, &week.commits[i]);
	const bool *told = told_of(&of, &week);
	add_bad(&of, out, told, true);
	add_bad(&of, out, told, false);
	add_accepted(&of, out);
}
