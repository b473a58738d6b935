/* The result of a bisection as text, and as JSON (docs/user/bisect.md). */
#include "render/bisect/bisect.h"

#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/report/report.h"

enum { SHOWN = 40 }; /* rows of a table of commits */

static const char *number_text(struct arena *arena, const struct bisect_change *change,
			       double value)
{
	return quantity_text(arena, bisect_number(change, value),
			     metric_info(change->metric)->unit);
}

static const char *effect_text(struct arena *arena, const struct bisect_change *change,
			       double effect)
{
	return document_effect(arena, effect, change->relative, metric_info(change->metric)->unit);
}

static const char *noise_text(struct arena *arena, const struct bisect_change *change)
{
	return quantity_text(arena, change->noise,
			     change->relative ? UNIT_FRACTION : metric_info(change->metric)->unit);
}

static const char *chance_text(struct arena *arena, double p)
{
	if (p > 0 && p < 0.001)
		return "< 0.1 %";
	if (p < 1 && p > 0.999)
		return "> 99.9 %";
	return quantity_percent_text(arena, p);
}

/* The mean of a commit's sessions, in the model's unit; NAN without any. */
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

static const char *day(struct arena *arena, const struct revision *revision)
{
	return revision->authored ? arena_prefix(arena, revision->authored, 10) : NULL;
}

/* --- text --- */

static void add_row(struct arena *arena, struct md_table *table, const struct bisect_case *c,
		    size_t x)
{
	const struct commit_range_item *commit = &c->lineage.items[x];
	size_t sessions = c->commits[x].session_count;
	md_table_row(table,
		     c->same[x] ? same_text(c->same[x]) : chance_text(arena, c->bisect->cause[x]),
		     arena_printf(arena, "%s%.10s", commit->side ? "| " : "", commit->revision.oid),
		     day(arena, &commit->revision),
		     sessions ? number_text(arena, &c->change, middle_of(c, x)) : "--",
		     arena_printf(arena, "%zu", sessions),
		     arena_printf(arena, "%s%s", commit->revision.subject,
				  c->bisect->stray[x] ? " (neither old nor new value)" : ""));
}

/* Marks the SHOWN commits that are most probably the cause; of equal ones, those with lower
 * indices. */
static bool *most_probable(struct arena *arena, const struct bisect_case *c)
{
	size_t count = c->lineage.count;
	bool *shown = arena_array(arena, count, sizeof *shown);
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

static void add_table(struct arena *arena, struct strbuf *sb, const struct bisect_case *c,
		      size_t width)
{
	const bool *shown = most_probable(arena, c);
	struct md_table table = md_table_of(arena, width, ">cause|commit|authored");
	md_table_column(&table, metric_info(c->change.metric)->key, MD_ALIGN_RIGHT);
	md_table_columns(&table, ">sessions|subject");
	for (size_t x = c->lineage.count; x-- > 0;)
		if (shown[x])
			add_row(arena, &table, c, x);
	strbuf_addch(sb, '\n');
	md_table_plain(&table, sb);
	if (c->lineage.count > SHOWN)
		strbuf_addf(sb, "... %d most probable of %zu commits; --json lists all\n", SHOWN,
			    c->lineage.count);
}

static void add_end(struct arena *arena, struct strbuf *sb, const char *label,
		    const struct revision *revision)
{
	const char *date = day(arena, revision);
	strbuf_addf(sb, "%s  %.10s  %s  %s\n", label, revision->oid, date ? date : "unknown",
		    revision->subject);
}

static void add_head(struct arena *arena, struct strbuf *sb, const struct bisect_case *c)
{
	const struct bisect_change *change = &c->change;
	const struct location_interval *b = &change->borders;
	size_t count = c->lineage.count, sides = 0;
	for (size_t x = 0; x < count; x++)
		sides += c->lineage.items[x].side;
	strbuf_addf(
		sb, "%s, %s: %s -> %s, %s (95 %%: %s to %s)\n", c->name,
		metric_info(change->metric)->key, number_text(arena, change, b->before),
		number_text(arena, change, b->after), effect_text(arena, change, change->effect),
		effect_text(arena, change, change->low), effect_text(arena, change, change->high));
	strbuf_addf(sb, "means over %zu and %s; noise between commits %s\n\n", b->count_before,
		    quantity_count_text(arena, b->count_after, "commit", "commits"),
		    noise_text(arena, change));
	add_end(arena, sb, "last good ", change->good);
	add_end(arena, sb, "first bad ", change->bad);
	strbuf_addf(sb, "%zu candidate commit%s", count, count == 1 ? "" : "s");
	if (sides)
		strbuf_addf(sb, ", %zu from merged branches (|)", sides);
	strbuf_addf(sb, "; %zu not measured\n", c->without_data);
	if (change->other_count)
		strbuf_addf(sb, "%zu other series slowed down in this range, e.g. %s\n",
			    change->other_count, change->others[0]);
}

static const char *then_text(struct arena *arena, const struct bisect_case *c, size_t x)
{
	return x == bisect_none ? "nothing more"
				: arena_printf(arena, "%.10s", c->lineage.items[x].revision.oid);
}

/* The commit to measure next, and which one follows for either outcome. */
static void add_order(struct arena *arena, struct strbuf *sb, const struct bisect_case *c)
{
	size_t slow = bisect_next_after(arena, c->bisect, c->next, true);
	size_t fast = bisect_next_after(arena, c->bisect, c->next, false);
	const struct commit_range_item *next = &c->lineage.items[c->next];
	strbuf_addf(sb, "\nnext commit to measure: %s  %s\n", next->revision.oid,
		    next->revision.subject);
	strbuf_addf(sb, "  if good, then %s; if bad, then %s\n", then_text(arena, c, fast),
		    then_text(arena, c, slow));
	if (c->sessions)
		strbuf_addf(sb,
			    "  %zu session%s classif%s a commit wrongly in at most %s of cases\n",
			    c->sessions, c->sessions == 1 ? "" : "s",
			    c->sessions == 1 ? "ies" : "y", chance_text(arena, c->error));
	else
		strbuf_addf(sb,
			    "  an error of %s cannot be reached with any number of sessions: %s of "
			    "the noise is shared between them\n",
			    chance_text(arena, c->error), chance_text(arena, c->bisect->build));
	if (isnan(c->forecast))
		strbuf_addf(sb, "  expected effort: unknown; most paths end without a result\n");
	else
		strbuf_addf(sb,
			    "  expected effort: %.0f measurement%s until one commit exceeds %s\n",
			    ceil(c->forecast), ceil(c->forecast) == 1 ? "" : "s",
			    chance_text(arena, bisect_certainty));
}

static void add_conclusion(struct arena *arena, struct strbuf *sb, const struct bisect_case *c)
{
	const struct commit_range_item *best = &c->lineage.items[c->bisect->best];
	if (c->identical)
		strbuf_addf(sb,
			    "\nthe %s is identical before and after: no commit caused this; check "
			    "driver, clocks and machine\n",
			    c->identical == BISECT_SAME_TREE ? "code" : "kernel");
	else if (c->decided)
		strbuf_addf(sb, "\ncause found (probability %s): %s  %s\n",
			    chance_text(arena, c->bisect->cause[c->bisect->best]),
			    best->revision.oid, best->revision.subject);
	else if (c->next == bisect_none)
		strbuf_addf(sb, "\nno single cause found: further measurements would not help; the "
				"most probable commits are listed above\n");
	else
		add_order(arena, sb, c);
}

const char *render_bisect_text(struct arena *arena, const struct bisect_case *c, size_t width)
{
	struct strbuf sb = {0}, lines = {0};
	add_head(arena, &lines, c);
	fill_lines(&sb, strbuf_text(&lines), width);
	add_table(arena, &sb, c, width);
	strbuf_truncate(&lines, 0);
	add_conclusion(arena, &lines, c);
	fill_lines(&sb, strbuf_text(&lines), width);
	strbuf_free(&lines);
	return strbuf_into(&sb, arena);
}

/* --- JSON --- */

static void set_revision(struct arena *arena, struct json *object, const struct revision *revision)
{
	json_set_text(arena, object, KEY(oid), revision->oid);
	json_set_text(arena, object, KEY(subject), revision->subject);
	json_set_text(arena, object, "authored", revision->authored);
}

static const char *oid_of(const struct bisect_case *c, size_t x)
{
	return x == bisect_none ? NULL : c->lineage.items[x].revision.oid;
}

static void add_commit(struct arena *arena, struct json *list, const struct bisect_case *c,
		       size_t x)
{
	struct json *object = json_add_object(arena, list);
	double middle = middle_of(c, x);
	set_revision(arena, object, &c->lineage.items[x].revision);
	json_set_bool(arena, object, KEY(side), c->lineage.items[x].side);
	json_set_number(arena, object, KEY(cause), c->bisect->cause[x]);
	json_set_number(arena, object, "at_new_level", c->bisect->moved[x]);
	json_set_number(arena, object, "sessions", (double)c->commits[x].session_count);
	json_set_number(arena, object, KEY(value),
			isnan(middle) ? NAN : bisect_number(&c->change, middle));
	json_set_bool(arena, object, "at_neither_level", c->bisect->stray[x]);
	json_set_text(arena, object, "cannot", c->same[x] ? same_text(c->same[x]) : NULL);
}

static void add_change(struct arena *arena, struct json *document, const struct bisect_case *c)
{
	const struct bisect_change *change = &c->change;
	const struct location_interval *b = &change->borders;
	json_set_text(arena, document, KEY(series), change->history->series);
	json_set_text(arena, document, KEY(name), c->name);
	json_set_text(arena, document, KEY(metric), metric_info(change->metric)->key);
	json_set_text(arena, document, KEY(unit),
		      quantity_unit_symbol(metric_info(change->metric)->unit));
	json_set_bool(arena, document, KEY(worse), change->worse);
	json_set_bool(arena, document, KEY(relative), change->relative);
	json_set_number(arena, document, KEY(before), bisect_number(change, b->before));
	json_set_number(arena, document, KEY(after), bisect_number(change, b->after));
	json_set_number(arena, document, KEY(commits_before), (double)b->count_before);
	json_set_number(arena, document, KEY(commits_after), (double)b->count_after);
	json_set_number(arena, document, KEY(effect), change->effect);
	json_set_number(arena, document, KEY(effect_low), change->low);
	json_set_number(arena, document, KEY(effect_high), change->high);
	json_set_number(arena, document, KEY(noise), change->noise);
	json_set_number(arena, document, "noise_shared_by_sessions", c->bisect->build);
	set_revision(arena, json_set_object(arena, document, "good"), change->good);
	set_revision(arena, json_set_object(arena, document, KEY(bad)), change->bad);
	struct json *others = json_set_array(arena, document, "also_worse");
	for (size_t i = 0; i < change->other_count; i++)
		json_add_text(arena, others, change->others[i]);
}

struct json *render_bisect_no_change(struct arena *arena, const char *why)
{
	struct json *document = document_begin(arena, SCHEMA(bisect));
	json_set_text(arena, document, KEY(state), "no-change");
	json_set_text(arena, document, KEY(reason), why);
	return document;
}

/* What the search has come to. */
static const char *state_of(const struct bisect_case *c)
{
	return c->decided               ? "found"
	       : c->identical           ? "identical"
	       : c->next == bisect_none ? "exhausted"
					: "measure";
}

struct json *render_bisect_json(struct arena *arena, const struct bisect_case *c)
{
	struct json *document = document_begin(arena, SCHEMA(bisect));
	json_set_text(arena, document, KEY(state), state_of(c));
	add_change(arena, document, c);
	json_set_number(arena, document, "commits_without_data", (double)c->without_data);
	struct json *commits = json_set_array(arena, document, KEY(commits));
	for (size_t x = 0; x < c->lineage.count; x++)
		add_commit(arena, commits, c, x);
	json_set_text(arena, document, "identical", c->identical ? same_text(c->identical) : NULL);
	json_set_bool(arena, document, KEY(decided), c->decided);
	json_set_text(arena, document, KEY(cause), c->decided ? oid_of(c, c->bisect->best) : NULL);
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

void render_bisect_add_step(struct arena *arena, struct json *document,
			    const struct bisect_step *step)
{
	struct json *object = json_set_object(arena, document, "step");
	json_set_text(arena, object, KEY(oid), step->oid);
	json_set_text(arena, object, KEY(verdict), step->verdict);
	json_set_number(arena, object, "at_new_level", step->moved);
	json_set_number(arena, object, "sessions", (double)step->sessions);
}
