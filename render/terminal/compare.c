/* Two commits side by side on a terminal: one block per metric, numbers aligned. */

#include "render/document/key.h"
#include "base/text/text.h"
#include "render/markup/markup.h"
#include "render/terminal/lines.h"
#include "render/vocabulary/vocabulary.h"

static void add_commit(const struct terminal_page *page, const char *side)
{
	const struct json *object = json_get(page->json, side),
			  *commit = json_get(object, KEY(commit));
	const char *name = json_text(object, KEY(name), ""), *oid = json_text(commit, KEY(oid), "");
	const char *call = json_get(commit, KEY(file)) ? name
			   : strncmp(oid, name, strlen(name)) == 0
				   ? json_text(commit, KEY(short), "?")
				   : arena_printf(page->arena, "%s (%s)", name,
						  json_text(commit, KEY(short), "?"));
	const char *subject = json_text(commit, KEY(subject), "");
	const char *label = strcmp(side, "baseline") == 0 ? vocabulary_label("baseline  ")
							  : vocabulary_label("candidate ");
	terminal_say(page, 0, "%s%s%s%s", label, call, subject[0] ? " " : "", subject);
}

/* The end of a text that is not wider. */
static const char *ending(struct span text, size_t columns)
{
	uint32_t ignored;
	while (utf8_columns(text) > columns)
		utf8_cut(&text, &ignored);
	return text.ptr;
}

/* A name, cut: users can give long ones. Paths differ at their ends. */
static const char *cut_name(const struct terminal_page *page, const char *side)
{
	enum { LONGEST = 16, CUT = 13 };
	const struct json *object = json_get(page->json, side);
	struct span name = span_of(json_text(object, KEY(name), side));
	if (utf8_fitting(name, LONGEST).len == name.len)
		return name.ptr;
	if (json_get(json_get(object, KEY(commit)), KEY(file)))
		return arena_printf(page->arena, "...%s", ending(name, CUT));
	return arena_printf(page->arena, "%.*s...", (int)utf8_fitting(name, CUT).len, name.ptr);
}

/* The title of a column; "baseline" and "candidate" where the names would look alike. */
static const char *column_name(const struct terminal_page *page, const char *side)
{
	const char *name = cut_name(page, side);
	const char *other = strcmp(side, "baseline") == 0 ? "candidate" : "baseline";
	return strcmp(name, cut_name(page, other)) == 0 ? vocabulary_label(side) : name;
}

static size_t widest_spread(const struct json *rows, const char *side)
{
	size_t widest = 0;
	for (struct json_walk walk = json_walk_of(rows); json_walk_next(&walk);) {
		size_t width = strlen(json_text(json_get(walk.child, side), KEY(spread_text), ""));
		widest = width > widest ? width : widest;
	}
	return widest;
}

/* "45.26 ± 1.2%": the spread has the same width in every row, so that the numbers align. */
static const char *side_text(const struct terminal_page *page, const struct json *row,
			     const char *side, size_t spread_width)
{
	const struct json *object = json_get(row, side);
	const char *spread = json_text(object, KEY(spread_text), "");
	const char *digits = json_text(object, KEY(digits), "--");
	const char *sign = !spread[0] ? "  " : page->terminal->utf8 ? "± " : "+-";
	return spread_width ? arena_printf(page->arena, "%s %s%*s", digits, sign, (int)spread_width,
					   spread)
			    : digits;
}

static const char *verdict_text(const struct terminal_page *page, const struct json *row)
{
	const struct terminal *terminal = page->terminal;
	const char *mark = terminal->utf8 ? json_text(row, KEY(mark), "") : "";
	const char *words =
		vocabulary_verdict_in_table(page->arena, json_text(row, KEY(verdict_text), ""),
					    terminal->wraps ? terminal->columns : SIZE_MAX);
	return arena_printf(page->arena, "%s%s%s", mark, mark[0] ? " " : "", words);
}

static void add_mean(const struct terminal_page *page, const struct json *mean, const char *title,
		     const size_t widths[2], struct md_table *table)
{
	md_table_row(table, title, side_text(page, mean, "baseline", widths[0]),
		     side_text(page, mean, "candidate", widths[1]),
		     json_text(mean, KEY(change_text), ""), "",
		     arena_printf(page->arena, vocabulary_format("of %.0f"),
				  json_number(mean, KEY(count), 0)),
		     "");
}

static void add_rows(const struct terminal_page *page, const struct json *block,
		     struct md_table *table)
{
	const struct json *rows = json_get(block, KEY(rows)),
			  *mean = json_get(block, KEY(geometric_mean));
	size_t widths[] = {widest_spread(rows, "baseline"), widest_spread(rows, "candidate")};
	for (struct json_walk walk = json_walk_of(rows); json_walk_next(&walk);) {
		const struct json *row = walk.child;
		md_table_row(table, json_text(row, KEY(name), "?"),
			     side_text(page, row, "baseline", widths[0]),
			     side_text(page, row, "candidate", widths[1]),
			     json_text(row, KEY(change_text), "--"),
			     json_text(row, KEY(p_text), "--"), json_text(row, KEY(n_text), "--"),
			     verdict_text(page, row));
	}
	if (mean)
		add_mean(page, mean, vocabulary_label("geomean"), widths, table);
	for (const struct json *one = json_first(block, KEY(scenarios)); one; one = one->next)
		add_mean(page, one,
			 arena_printf(page->arena, "%s %s", vocabulary_label("geomean"),
				      json_text(one, KEY(name), "?")),
			 widths, table);
}

static void add_reasons(const struct terminal_page *page, const struct json *block)
{
	double more = json_number(block, KEY(more_reasons), 0);
	for (const struct json *one = json_first(block, KEY(reasons)); one; one = one->next) {
		double count = json_number(one, KEY(count), 1);
		terminal_say(
			page, 0, vocabulary_format("%s%s %s: %s"), json_text(one, KEY(first), ""),
			count > 1 ? arena_printf(page->arena, vocabulary_format(" and %.0f more"),
						 count - 1)
				  : "",
			json_text(one, KEY(verdict_text), ""), json_text(one, KEY(reason), ""));
	}
	if (more > 0)
		terminal_say(page, 0,
			     vocabulary_format("... and %.0f more; --as json has them all"), more);
}

/* Adds why the rows changed that did. */
static void add_whys(const struct terminal_page *page, const struct json *block)
{
	enum { LIMIT = 10 };
	size_t shown = 0;
	struct json_walk walk = json_walk_of(json_get(block, KEY(rows)));
	while (shown < LIMIT && json_walk_next(&walk)) {
		const char *why = json_text(walk.child, KEY(why), NULL);
		if (!why)
			continue;
		if (shown++ == 0)
			strbuf_addch(page->out, '\n');
		terminal_say(page, 0, vocabulary_format("%s: %s"),
			     json_text(walk.child, KEY(name), ""), why);
	}
	json_walk_end(&walk);
}

static void add_block(const struct terminal_page *page, const struct json *block)
{
	struct md_table table = terminal_page_table(page);
	const char *title = json_text(block, KEY(title), ""),
		   *unit = json_text(block, KEY(unit_text), "");
	md_table_column(&table, "", MD_ALIGN_LEFT);
	md_table_column(&table, column_name(page, "baseline"), MD_ALIGN_RIGHT);
	md_table_column(&table, column_name(page, "candidate"), MD_ALIGN_RIGHT);
	md_table_columns(&table, vocabulary_label(">change"));
	md_table_expendable(&table, "p", MD_ALIGN_RIGHT);
	md_table_expendable(&table, "n", MD_ALIGN_RIGHT);
	md_table_column(&table, "", MD_ALIGN_LEFT);
	add_rows(page, block, &table);
	strbuf_addch(page->out, '\n');
	terminal_say(page, 0, "%s",
		     unit[0] ? arena_printf(page->arena, vocabulary_format("%s, %s"), title, unit)
			     : title);
	md_table_plain(&table, page->out);
	add_whys(page, block);
	if (json_first(block, KEY(reasons)))
		strbuf_addch(page->out, '\n');
	add_reasons(page, block);
}

static void add_agreement(const struct terminal_page *page, const struct json *agreement)
{
	struct md_table table = terminal_page_table(page);
	double common = json_number(agreement, KEY(common), 0);
	double before = json_number(agreement, KEY(only_baseline), 0),
	       after = json_number(agreement, KEY(only_candidate), 0);
	md_table_column(&table, "", MD_ALIGN_LEFT);
	md_table_column(&table, column_name(page, "baseline"), MD_ALIGN_RIGHT);
	md_table_column(&table, column_name(page, "candidate"), MD_ALIGN_RIGHT);
	md_table_columns(&table, vocabulary_label(">difference"));
	struct json_walk walk = json_walk_of(json_get(agreement, KEY(differences)));
	while (json_walk_next(&walk))
		md_table_row(&table, json_text(walk.child, KEY(key), "?"),
			     json_text(json_get(walk.child, KEY(baseline)), KEY(text), "unknown"),
			     json_text(json_get(walk.child, KEY(candidate)), KEY(text), "unknown"),
			     json_text(walk.child, KEY(change_text), "unknown"));
	strbuf_addch(page->out, '\n');
	terminal_say(page, 0,
		     common == 1 ? vocabulary_format("%s: %.0f common metric, %.0f equal")
				 : vocabulary_format("%s: %.0f common metrics, %.0f equal"),
		     json_text(agreement, KEY(name), "?"), common,
		     json_number(agreement, KEY(equal), 0));
	if (md_table_rows(&table))
		md_table_plain(&table, page->out);
	if (before + after > 0)
		terminal_say(page, 0,
			     vocabulary_format("known on one side only: %.0f before, %.0f after"),
			     before, after);
}

/* Adds what shifted many series together, and which rows use an older baseline. */
static void add_cautions(const struct terminal_page *page, const struct json *report)
{
	const struct json *environment = json_get(json_get(report, KEY(gate)), KEY(environment));
	const struct json *older = json_get(page->json, KEY(older));
	const char *moved = json_text(environment, KEY(text), NULL);
	const char *configuration = json_text(
		json_get(json_get(report, KEY(gate)), KEY(configuration)), KEY(text), NULL);
	if (configuration)
		terminal_say(page, 0, vocabulary_format("%s: %s"),
			     vocabulary_label("configuration"), configuration);
	if (moved)
		terminal_say(page, 0, vocabulary_format("%s: %s"), vocabulary_label("environment"),
			     moved);
	for (const struct json *one = json_first(environment, KEY(changes)); one; one = one->next)
		terminal_say(page, 0, vocabulary_format("%s: %s"), vocabulary_label("environment"),
			     one->text);
	if (older)
		terminal_say(
			page, 0,
			vocabulary_format(
				"not measured at the baseline commit: %.0f series, e.g. %s, last "
				"measured at %s"),
			json_number(older, KEY(count), 0), json_text(older, KEY(first), ""),
			json_text(json_get(older, KEY(commit)), KEY(short), "?"));
}

void terminal_compare(struct arena *arena, const struct terminal *terminal,
		      const struct json *report, struct strbuf *out)
{
	const struct terminal_page page = {arena, terminal, json_get(report, KEY(compare)), out,
					   .shown_count = 0};
	const char *common = json_text(page.json, KEY(common), "");
	add_commit(&page, "baseline");
	add_commit(&page, "candidate");
	if (common[0])
		terminal_say(&page, 0, vocabulary_format("all %s"), common);
	add_cautions(&page, report);
	for (const struct json *block = json_first(page.json, KEY(blocks)); block;
	     block = block->next)
		add_block(&page, block);
	for (struct json_walk walk = json_walk_of(json_get(page.json, KEY(agreements)));
	     json_walk_next(&walk);)
		add_agreement(&page, walk.child);
	strbuf_addch(out, '\n');
	terminal_say(
		&page, 0,
		vocabulary_format(
			"%s: noise between commits, then between repeats; n: number of each; ~: "
			"unclear, not 0 %%"),
		terminal->utf8 ? "±" : "+-");
}
