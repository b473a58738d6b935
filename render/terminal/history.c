/* Histories on a terminal: one line per series, or one series commit by commit, newest first, with
 * a dotted rule between the two commits where its level changed. */

#include "render/document/key.h"
#include "base/text/text.h"
#include "model/run/run.h"
#include "render/markup/markup.h"
#include "render/terminal/lines.h"
#include "render/vocabulary/vocabulary.h"

/* Without UTF-8 the eight heights become digits, and gaps become dots. */
static const char *spark_text(const struct terminal_page *page, const char *spark)
{
	struct strbuf sb = {0};
	if (page->terminal->utf8)
		return spark;
	for (struct span rest = span_of(spark); rest.len;) {
		uint32_t code;
		utf8_cut(&rest, &code);
		bool block = code >= 0x2581 && code <= 0x2588;
		strbuf_addch(&sb, block ? (char)('1' + (code - 0x2581)) : '.');
	}
	return strbuf_into(&sb, page->arena);
}

/* "2026-03-06" */
static const char *day_of(const struct terminal_page *page, const struct json *commit)
{
	const char *time = json_text(commit, KEY(time), NULL);
	return time ? arena_prefix(page->arena, time, 10) : "?";
}

static const char *oid_of(const struct json *commit)
{
	return json_text(commit, KEY(short), "?");
}

/* The mark of a change: tentative, worse, better, or accepted. */
static const char *mark_of(const struct terminal_page *page, const struct json *change)
{
	bool worse = json_truth(change, KEY(worse)), confirmed = json_truth(change, KEY(confirmed));
	if (json_get(change, KEY(accepted)))
		return page->terminal->utf8 ? "✓" : "accepted";
	if (!confirmed)
		return page->terminal->utf8 ? (worse ? "△" : "▽") : "tentative";
	if (!page->terminal->utf8)
		return worse ? "worse" : "better";
	return worse ? "▲" : "▼";
}

/* --- one line per series --- */

/* The columns to print; a column that would be empty in all lines is left out. */
struct lines {
	bool ages, changes;
};

static struct lines lines_of(const struct json *list)
{
	struct lines lines = {false, false};
	double newest = INFINITY, oldest = 0;
	for (struct json_walk walk = json_walk_of(list); json_walk_next(&walk);) {
		const struct json *one = walk.child;
		double age = json_number(json_get(one, KEY(newest)), KEY(age_commits), 0);
		newest = fmin(newest, age);
		oldest = fmax(oldest, age);
		lines.changes = lines.changes || json_first(one, KEY(changes));
	}
	lines.ages = oldest > newest;
	return lines;
}

static void add_line(const struct terminal_page *page, struct md_table *table,
		     const struct json *series, const struct lines *lines)
{
	const struct json *newest = json_get(series, KEY(newest));
	const struct json *change = json_first(series, KEY(changes));
	const struct json *at = json_get(change, KEY(first_after));
	md_table_cell(table, json_text(series, KEY(name), "?"));
	md_table_cell(table, spark_text(page, json_text(series, KEY(spark), "")));
	md_table_cell(table, json_text(newest, KEY(text), "?"));
	if (lines->ages)
		md_table_cell(table, day_of(page, json_get(newest, KEY(commit))));
	if (!lines->changes)
		return;
	md_table_cell(table, change ? arena_printf(page->arena, "%s %s", mark_of(page, change),
						   json_text(change, KEY(effect_text), "?"))
				    : "");
	md_table_cell(table, change ? day_of(page, at) : "");
	md_table_cell(table, change ? oid_of(at) : "");
}

static void add_lines(const struct terminal_page *page, const struct json *list, size_t limit)
{
	struct md_table table = terminal_page_table(page);
	const struct lines lines = lines_of(list);
	size_t shown = 0;
	md_table_columns(&table, vocabulary_label(lines.ages ? "series|history|>newest|measured"
							     : "series|history|>newest"));
	if (lines.changes)
		md_table_columns(&table, vocabulary_label(">last change|since|commit"));
	struct json_walk walk = json_walk_of(list);
	for (; (!limit || shown < limit) && json_walk_next(&walk); shown++)
		add_line(page, &table, walk.child, &lines);
	json_walk_end(&walk);
	strbuf_addch(page->out, '\n');
	md_table_plain(&table, page->out);
	if (!lines.changes)
		terminal_say(page, 0, "%s", vocabulary_label("no change points"));
	if (shown < list->count)
		terminal_say(page, 0, vocabulary_format("... and %zu more series (-n %u)"),
			     list->count - shown, list->count);
}

/* --- one series, commit by commit --- */

enum { OID_WIDTH = 10, DAY_WIDTH = 10, DELTA_WIDTH = 8, STRIP_SHORTEST = 12, STRIP_LONGEST = 48 };

/* The scale and widths of the values of one series. */
struct strip {
	struct quantity_scale scale;
	size_t digits; /* columns of the widest value */
	size_t cells;
	double low, high;
};

static struct strip strip_of(const struct terminal_page *page, const struct json *series)
{
	struct strip strip = {.low = json_number(json_get(series, KEY(low)), KEY(value), 0),
			      .high = json_number(json_get(series, KEY(high)), KEY(value), 0)};
	double ends[] = {strip.low, strip.high};
	enum metric metric = metric_find(span_of(json_text(series, KEY(metric), "")));
	enum unit unit = metric == METRIC_COUNT ? UNIT_NONE : metric_info(metric)->unit;
	strip.scale = quantity_scale_of(ends, 2, unit);
	for (size_t i = 0; i < 2; i++) {
		size_t width = strlen(quantity_scaled_text(page->arena, &strip.scale, ends[i]));
		strip.digits = width > strip.digits ? width : strip.digits;
	}
	size_t unit_width = strlen(strip.scale.text);
	strip.digits = unit_width > strip.digits ? unit_width : strip.digits;
	/* All columns but the strip: commit, day, value and change, two blanks before each and on
	 * both sides of the strip. */
	size_t rest = 2 + OID_WIDTH + 2 + DAY_WIDTH + 2 + strip.digits + 2 + 2 + DELTA_WIDTH;
	size_t columns = page->terminal->columns;
	strip.cells = columns > rest + STRIP_SHORTEST ? columns - rest : STRIP_SHORTEST;
	strip.cells = strip.cells > STRIP_LONGEST ? STRIP_LONGEST : strip.cells;
	return strip;
}

static size_t cell_of(const struct strip *strip, double value)
{
	assert(strip->cells >= STRIP_SHORTEST);
	double range = strip->high - strip->low;
	return range > 0 ? (size_t)lround((value - strip->low) / range * (double)(strip->cells - 1))
			 : strip->cells / 2;
}

/* Draws the value at its position between minimum and maximum, and the level of its segment. */
static void add_strip(const struct terminal_page *page, const struct strip *strip, double value,
		      double level)
{
	size_t at = cell_of(strip, value);
	size_t line = isnan(level) ? SIZE_MAX : cell_of(strip, level);
	for (size_t i = 0; i < strip->cells; i++)
		strbuf_addstr(page->out, i == at     ? page->terminal->utf8 ? "●" : "*"
					 : i == line ? page->terminal->utf8 ? "│" : "|"
						     : " ");
}

/* Adds the last cell of a line. */
static void add_delta(const struct terminal_page *page, const char *text)
{
	text = vocabulary_value(page->arena, text);
	strbuf_addstr(page->out, "  ");
	strbuf_pad(page->out, utf8_columns(span_of(text)), DELTA_WIDTH);
	strbuf_addstr(page->out, text);
}

/* Adds a commit: its value, and the change since the previous measured commit. */
static void add_point(const struct terminal_page *page, const struct strip *strip,
		      const struct json *point)
{
	double value = json_number(point, KEY(value), NAN),
	       level = json_number(point, KEY(level), NAN);
	double before = json_number(point->next, KEY(value), NAN);
	double delta = before != 0 ? (value - before) / fabs(before) : NAN;
	terminal_clean(page->terminal, page->out,
		       arena_printf(page->arena, "  %-*s  %-*s  %*s  ", OID_WIDTH,
				    oid_of(json_get(point, KEY(commit))), DAY_WIDTH,
				    day_of(page, json_get(point, KEY(commit))), (int)strip->digits,
				    quantity_scaled_text(page->arena, &strip->scale, value)));
	add_strip(page, strip, value, level);
	if (!isnan(delta))
		add_delta(page, fabs(delta) < 0.0005
					? "0.0 %"
					: arena_printf(page->arena, "%+.1f %%", delta * 100));
	strbuf_end_line(page->out);
}

/* The commit that caused the change, or the range if unmeasured commits lie in between. */
static const char *cause_text(const struct terminal_page *page, const struct json *change)
{
	const struct json *first = json_get(change, KEY(first_after));
	double between = json_number(change, KEY(commits_between), 1);
	if (between <= 1)
		return arena_printf(page->arena, vocabulary_format("%s: %s"), oid_of(first),
				    json_text(first, KEY(subject), ""));
	return arena_printf(page->arena,
			    vocabulary_format("one of %.0f commits after %s, up to %s (narrow "
					      "down: rooflog bisect)"),
			    between, oid_of(json_get(change, KEY(last_before))), oid_of(first));
}

static const char *change_text(const struct terminal_page *page, const struct json *change)
{
	const struct json *accepted = json_get(change, KEY(accepted));
	const char *interval = json_text(change, KEY(interval_text), NULL);
	const char *more =
		accepted ? arena_printf(page->arena, vocabulary_format(", accepted by %s"),
					json_text(accepted, KEY(author), "?"))
		: json_truth(change, KEY(confirmed))
			? ""
			: vocabulary_label(", tentative: measure more commits");
	const char *text = arena_printf(
		page->arena, "%s %s%s%s%s%s", mark_of(page, change),
		json_text(change, KEY(effect_text), "?"), interval ? vocabulary_format(" (") : "",
		interval ? interval : "", interval ? vocabulary_format(")") : "", more);
	return vocabulary_value(page->arena, text);
}

static void add_rule(const struct terminal_page *page, const struct strip *strip,
		     const struct json *change)
{
	enum { SHORTEST = 3 };
	const char *dot = page->terminal->utf8 ? "·" : ".";
	struct strbuf text = {0};
	size_t width = 2 + OID_WIDTH + 2 + DAY_WIDTH + 2 + strip->digits + 2 + strip->cells;
	size_t left = 2 + OID_WIDTH + 2 + DAY_WIDTH - 2;
	size_t own = terminal_clean(page->terminal, &text, change_text(page, change));
	size_t right = width > left + own + 4 + SHORTEST ? width - left - own - 4 : SHORTEST;
	if (left + own + 4 + SHORTEST > page->terminal->columns)
		left = SHORTEST;
	strbuf_addstr(page->out, "  ");
	strbuf_repeat(page->out, dot, left);
	strbuf_addch(page->out, ' ');
	terminal_style(page->terminal, page->out,
		       json_truth(change, KEY(worse)) ? TERMINAL_RED : TERMINAL_GREEN);
	strbuf_addspan(page->out, strbuf_span(&text));
	terminal_style(page->terminal, page->out, TERMINAL_PLAIN);
	strbuf_addch(page->out, ' ');
	strbuf_repeat(page->out, dot, right);
	strbuf_addch(page->out, '\n');
	strbuf_free(&text);
	terminal_say(page, 4, "%s", cause_text(page, change));
}

/* Adds the changes older than the printed commits. */
static void add_older(const struct terminal_page *page, const struct json *change, size_t left_out,
		      size_t all)
{
	terminal_say(page, 2, vocabulary_format("... and %zu older commits (-n %zu shows all)"),
		     left_out, all);
	for (; change; change = change->next)
		terminal_say(page, 2, "%s  %s  %s",
			     day_of(page, json_get(change, KEY(first_after))),
			     change_text(page, change), cause_text(page, change));
}

static void add_heading(const struct terminal_page *page, const struct strip *strip,
			const struct json *series)
{
	const char *name = json_text(series, KEY(name), "?");
	const char *low = quantity_scaled_text(page->arena, &strip->scale, strip->low);
	const char *high = quantity_scaled_text(page->arena, &strip->scale, strip->high);
	double commits = json_number(series, KEY(commits), 0);
	terminal_style(page->terminal, page->out, TERMINAL_BOLD);
	terminal_say(page, 0, "%s", name);
	terminal_style(page->terminal, page->out, TERMINAL_PLAIN);
	terminal_say(page, 2, vocabulary_format("%s  %s, %s%s%s%s%s, %.0f commit%s"),
		     spark_text(page, json_text(series, KEY(spark), "")),
		     json_text(series, KEY(title), ""), low,
		     strcmp(low, high) ? vocabulary_format(" to ") : "",
		     strcmp(low, high) ? high : "", strip->scale.text[0] ? " " : "",
		     strip->scale.text, commits, commits == 1 ? "" : "s");
}

static void add_title(const struct terminal_page *page, const char *title, size_t width)
{
	title = vocabulary_label(title);
	strbuf_addf(page->out, "  %s", title);
	strbuf_pad(page->out, utf8_columns(span_of(title)), width);
}

/* Adds the titles; the ends of the strip are labeled with minimum and maximum. */
static void add_titles(const struct terminal_page *page, const struct strip *strip)
{
	const char *low = quantity_scaled_text(page->arena, &strip->scale, strip->low);
	const char *high = quantity_scaled_text(page->arena, &strip->scale, strip->high);
	add_title(page, "commit", OID_WIDTH);
	add_title(page, "date", DAY_WIDTH);
	strbuf_addf(page->out, "  %*s  %s", (int)strip->digits, strip->scale.text, low);
	strbuf_pad(page->out, strlen(low) + strlen(high), strip->cells);
	strbuf_addstr(page->out, high);
	add_delta(page, vocabulary_label("change"));
	strbuf_addch(page->out, '\n');
}

static void add_series(const struct terminal_page *page, const struct json *series, size_t limit)
{
	const struct strip strip = strip_of(page, series);
	const struct json *change = json_first(series, KEY(changes));
	const struct json *points = json_get(series, KEY(points));
	double index = 0;
	strbuf_addch(page->out, '\n');
	add_heading(page, &strip, series);
	strbuf_addch(page->out, '\n');
	add_titles(page, &strip);
	for (const struct json *point = points->first; point && (!limit || index < (double)limit);
	     point = point->next, index++) {
		add_point(page, &strip, point);
		if (change && json_number(change, KEY(index), -1) == index) {
			add_rule(page, &strip, change);
			change = change->next;
		}
	}
	if (index < (double)points->count)
		add_older(page, change, points->count - (size_t)index, points->count);
}

void terminal_history(struct arena *arena, const struct terminal *terminal,
		      const struct json *history, size_t limit, struct strbuf *out)
{
	const struct terminal_page page = {arena, terminal, history, out, .shown_count = 0};
	const struct json *list = json_get(history, KEY(series));
	const struct json *commit = json_get(history, KEY(commit));
	const char *common = json_text(history, KEY(common), "");
	if (common[0])
		common = arena_printf(arena, "%s%s%s", vocabulary_label("all "), common,
				      vocabulary_label("; "));
	terminal_say(&page, 0, vocabulary_format("%s%u series up to %s, %s"), common, list->count,
		     oid_of(commit), day_of(&page, commit));
	if (!list->first || !json_get(list->first, KEY(points))) {
		add_lines(&page, list, limit);
		return;
	}
	for (struct json_walk walk = json_walk_of(list); json_walk_next(&walk);) {
		struct arena scratch = {0};
		struct terminal_page one = page;
		one.arena = &scratch;
		add_series(&one, walk.child, limit);
		arena_free(&scratch);
		if (terminal->drain)
			strbuf_drain_long(out, terminal->drain);
	}
}
