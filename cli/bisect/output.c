/* What is believed of a range of commits, for people and for programs. */
#include <math.h>
#include <string.h>

#include "base/text/fill.h"
#include "cli/bisect/bisect.h"
#include "render/markup/table.h"

enum { SHOWN = 40 }; /* commits of a table */

static const char *number_text(struct cli *cli, const struct bisect_change *change, double value)
{
	return quantity_text(&cli->arena, bisect_number(change, value),
			     metric_info(change->metric)->unit);
}

static const char *effect_text(struct cli *cli, const struct bisect_change *change, double effect)
{
	return report_effect_text(&cli->arena, effect, change->relative,
				  metric_info(change->metric)->unit);
}

static const char *noise_text(struct cli *cli, const struct bisect_change *change)
{
	return quantity_text(&cli->arena, change->noise,
			     change->relative ? UNIT_FRACTION : metric_info(change->metric)->unit);
}

static const char *percent(struct cli *cli, double p)
{
	if (p > 0 && p < 0.001)
		return "< 0.1 %";
	if (p < 1 && p > 0.999)
		return "> 99.9 %";
	return arena_printf(&cli->arena, "%.1f %%", 100 * p);
}

static double middle_of(const struct bisect_case *c, size_t x)
{
	double sum = 0;
	for (size_t i = 0; i < c->commits[x].session_count; i++)
		sum += c->commits[x].sessions[i];
	return c->commits[x].session_count ? sum / (double)c->commits[x].session_count : NAN;
}

static const char *same_text(enum bisect_same same)
{
	return same == BISECT_SAME_TREE ? "same code" : "same kernel";
}

static const char *day(struct cli *cli, const struct revision *revision)
{
	return revision->authored ? arena_strndup(&cli->arena, revision->authored, 10) : NULL;
}

/* --- text --- */

static void add_row(struct cli *cli, struct md_table *table, const struct bisect_case *c, size_t x)
{
	struct arena *arena = &cli->arena;
	const struct lineage_commit *commit = &c->lineage.items[x];
	size_t sessions = c->commits[x].session_count;
	md_table_cell(table,
		      c->same[x] ? same_text(c->same[x]) : percent(cli, c->bisect->cause[x]));
	md_table_cell(table, arena_printf(arena, "%s%.10s", commit->side ? "| " : "",
					  commit->revision.oid));
	md_table_cell(table, day(cli, &commit->revision));
	md_table_cell(table, sessions ? number_text(cli, &c->change, middle_of(c, x)) : "--");
	md_table_cell(table, arena_printf(arena, "%zu", sessions));
	md_table_cell(table, arena_printf(arena, "%s%s", commit->revision.subject,
					  c->bisect->stray[x] ? " (at neither level)" : ""));
}

static bool *shown_commits(struct cli *cli, const struct bisect_case *c)
{
	size_t count = c->lineage.count;
	bool *shown = arena_array(&cli->arena, count, sizeof *shown);
	for (size_t rows = 0; rows < SHOWN && rows < count; rows++) {
		size_t best = count;
		for (size_t x = 0; x < count; x++)
			if (!shown[x] &&
			    (best == count || c->bisect->cause[x] > c->bisect->cause[best]))
				best = x;
		shown[best] = true;
	}
	return shown;
}

static void add_table(struct cli *cli, struct strbuf *sb, const struct bisect_case *c)
{
	struct md_table table;
	const bool *shown = shown_commits(cli, c);
	md_table_init(&table, &cli->arena);
	table.width = cli_table_width();
	md_table_column(&table, "cause", MD_ALIGN_RIGHT);
	md_table_column(&table, "commit", MD_ALIGN_LEFT);
	md_table_column(&table, "authored", MD_ALIGN_LEFT);
	md_table_column(&table, metric_info(c->change.metric)->key, MD_ALIGN_RIGHT);
	md_table_column(&table, "sessions", MD_ALIGN_RIGHT);
	md_table_column(&table, "subject", MD_ALIGN_LEFT);
	for (size_t x = c->lineage.count; x-- > 0;)
		if (shown[x])
			add_row(cli, &table, c, x);
	strbuf_addch(sb, '\n');
	md_table_plain(&table, sb);
	if (c->lineage.count > SHOWN)
		strbuf_addf(sb, "... the %d most probable of %zu commits; --json has them all\n",
			    SHOWN, c->lineage.count);
}

static void add_end(struct cli *cli, struct strbuf *sb, const char *words,
		    const struct revision *revision)
{
	const char *date = day(cli, revision);
	strbuf_addf(sb, "%s  %.10s  %s  %s\n", words, revision->oid, date ? date : "unknown",
		    revision->subject);
}

static void add_head(struct cli *cli, struct strbuf *sb, const struct bisect_case *c)
{
	const struct bisect_change *change = &c->change;
	const struct borders *b = &change->borders;
	size_t count = c->lineage.count, sides = 0;
	for (size_t x = 0; x < count; x++)
		sides += c->lineage.items[x].side;
	strbuf_addf(sb, "%s, %s: %s -> %s, %s (95 %%: %s to %s)\n", c->name,
		    metric_info(change->metric)->key, number_text(cli, change, b->before),
		    number_text(cli, change, b->after), effect_text(cli, change, change->effect),
		    effect_text(cli, change, change->low), effect_text(cli, change, change->high));
	strbuf_addf(sb, "levels of %zu and %zu commits; noise between commits %s\n\n",
		    b->count_before, b->count_after, noise_text(cli, change));
	add_end(cli, sb, "last at the old level ", change->good);
	add_end(cli, sb, "first at the new level", change->bad);
	strbuf_addf(sb, "%zu commit%s in question", count, count == 1 ? "" : "s");
	if (sides)
		strbuf_addf(sb, ", %zu of them merged from side branches (|)", sides);
	strbuf_addf(sb, "; %zu without data\n", c->without_data);
	if (change->other_count)
		strbuf_addf(sb, "%zu other series got worse in this range, the first is %s\n",
			    change->other_count, change->others[0]);
}

static const char *then_text(struct cli *cli, const struct bisect_case *c, size_t x)
{
	return x == bisect_none
		       ? "nothing more"
		       : arena_printf(&cli->arena, "%.10s", c->lineage.items[x].revision.oid);
}

/* What comes after a commit is found at one level or the other. */
static void add_order(struct cli *cli, struct strbuf *sb, const struct bisect_case *c)
{
	size_t slow = bisect_next_after(&cli->arena, c->bisect, c->next, true);
	size_t fast = bisect_next_after(&cli->arena, c->bisect, c->next, false);
	const struct lineage_commit *next = &c->lineage.items[c->next];
	strbuf_addf(sb, "\nmeasure next: %s  %s\n", next->revision.oid, next->revision.subject);
	strbuf_addf(sb, "  at the old level: then %s; at the new level: then %s\n",
		    then_text(cli, c, fast), then_text(cli, c, slow));
	if (c->sessions)
		strbuf_addf(sb,
			    "  %zu session%s put%s one commit on the wrong side in at most %s\n",
			    c->sessions, c->sessions == 1 ? "" : "s", c->sessions == 1 ? "s" : "",
			    percent(cli, c->error));
	else
		strbuf_addf(sb,
			    "  no number of sessions puts one commit on its side with an error of "
			    "%s: they share %s of the noise\n",
			    percent(cli, c->error), percent(cli, c->bisect->build));
	if (isnan(c->forecast))
		strbuf_addf(sb, "  expected: unknown, most ways end without a decision\n");
	else
		strbuf_addf(sb, "  expected: %.0f measurement%s until one commit is above %s\n",
			    ceil(c->forecast), ceil(c->forecast) == 1 ? "" : "s",
			    percent(cli, bisect_certainty));
}

static void add_conclusion(struct cli *cli, struct strbuf *sb, const struct bisect_case *c)
{
	const struct lineage_commit *best = &c->lineage.items[c->bisect->best];
	if (c->identical)
		strbuf_addf(sb,
			    "\nthe %s is the same, byte by byte, before and after: no commit did "
			    "this; look for what changed around it\n",
			    c->identical == BISECT_SAME_TREE ? "code" : "kernel");
	else if (c->decided)
		strbuf_addf(sb, "\nthe cause, with %s: %s  %s\n",
			    percent(cli, c->bisect->cause[c->bisect->best]), best->revision.oid,
			    best->revision.subject);
	else if (c->next == bisect_none)
		strbuf_addf(sb, "\nundecided: no further measurement of these commits would tell "
				"more; the most probable causes stand above\n");
	else
		add_order(cli, sb, c);
}

const char *bisect_text(struct cli *cli, const struct bisect_case *c)
{
	struct strbuf sb = {0}, lines = {0};
	add_head(cli, &lines, c);
	fill_lines(&sb, strbuf_text(&lines), cli_table_width());
	add_table(cli, &sb, c);
	strbuf_truncate(&lines, 0);
	add_conclusion(cli, &lines, c);
	fill_lines(&sb, strbuf_text(&lines), cli_table_width());
	strbuf_free(&lines);
	return strbuf_into(&sb, &cli->arena);
}

/* --- JSON --- */

static void set_revision(struct cli *cli, struct json *object, const struct revision *revision)
{
	json_set_text(&cli->arena, object, "oid", revision->oid);
	json_set_text(&cli->arena, object, "subject", revision->subject);
	json_set_text(&cli->arena, object, "authored", revision->authored);
}

static const char *oid_of(const struct bisect_case *c, size_t x)
{
	return x == bisect_none ? NULL : c->lineage.items[x].revision.oid;
}

static void add_commit(struct cli *cli, struct json *list, const struct bisect_case *c, size_t x)
{
	struct arena *arena = &cli->arena;
	struct json *object = json_add_object(arena, list);
	double middle = middle_of(c, x);
	set_revision(cli, object, &c->lineage.items[x].revision);
	json_set_bool(arena, object, "side", c->lineage.items[x].side);
	json_set_number(arena, object, "cause", c->bisect->cause[x]);
	json_set_number(arena, object, "at_new_level", c->bisect->moved[x]);
	json_set_number(arena, object, "sessions", (double)c->commits[x].session_count);
	json_set_number(arena, object, "value",
			isnan(middle) ? NAN : bisect_number(&c->change, middle));
	json_set_bool(arena, object, "at_neither_level", c->bisect->stray[x]);
	json_set_text(arena, object, "cannot", c->same[x] ? same_text(c->same[x]) : NULL);
}

static void add_change(struct cli *cli, struct json *document, const struct bisect_case *c)
{
	struct arena *arena = &cli->arena;
	const struct bisect_change *change = &c->change;
	const struct borders *b = &change->borders;
	json_set_text(arena, document, "series", change->history->series);
	json_set_text(arena, document, "name", c->name);
	json_set_text(arena, document, "metric", metric_info(change->metric)->key);
	json_set_text(arena, document, "unit", unit_symbol(metric_info(change->metric)->unit));
	json_set_bool(arena, document, "worse", change->worse);
	json_set_bool(arena, document, "relative", change->relative);
	json_set_number(arena, document, "before", bisect_number(change, b->before));
	json_set_number(arena, document, "after", bisect_number(change, b->after));
	json_set_number(arena, document, "commits_before", (double)b->count_before);
	json_set_number(arena, document, "commits_after", (double)b->count_after);
	json_set_number(arena, document, "effect", change->effect);
	json_set_number(arena, document, "effect_low", change->low);
	json_set_number(arena, document, "effect_high", change->high);
	json_set_number(arena, document, "noise", change->noise);
	json_set_number(arena, document, "noise_shared_by_sessions", c->bisect->build);
	set_revision(cli, json_set_object(arena, document, "good"), change->good);
	set_revision(cli, json_set_object(arena, document, "bad"), change->bad);
	struct json *others = json_set_array(arena, document, "also_worse");
	for (size_t i = 0; i < change->other_count; i++)
		json_add_text(arena, others, change->others[i]);
}

struct json *bisect_document(struct cli *cli, const struct bisect_case *c)
{
	struct arena *arena = &cli->arena;
	struct json *document = json_object(arena);
	add_change(cli, document, c);
	json_set_number(arena, document, "commits_without_data", (double)c->without_data);
	struct json *commits = json_set_array(arena, document, "commits");
	for (size_t x = 0; x < c->lineage.count; x++)
		add_commit(cli, commits, c, x);
	json_set_text(arena, document, "identical", c->identical ? same_text(c->identical) : NULL);
	json_set_bool(arena, document, "decided", c->decided);
	json_set_text(arena, document, "cause", c->decided ? oid_of(c, c->bisect->best) : NULL);
	json_set_text(arena, document, "next", oid_of(c, c->next));
	bool more = c->next != bisect_none;
	json_set_text(arena, document, "next_if_old",
		      more ? oid_of(c, bisect_next_after(arena, c->bisect, c->next, false)) : NULL);
	json_set_text(arena, document, "next_if_new",
		      more ? oid_of(c, bisect_next_after(arena, c->bisect, c->next, true)) : NULL);
	json_set_number(arena, document, "error", c->error);
	json_set_number(arena, document, "sessions_for_error",
			c->sessions ? (double)c->sessions : NAN);
	json_set_number(arena, document, "certainty", bisect_certainty);
	json_set_number(arena, document, "expected_measurements", c->forecast);
	return document;
}
