/* Two commits side by side on a terminal: one block per metric, numbers aligned. */

#include "render/document/key.h"
#include "base/text/text.h"
#include "render/markup/markup.h"
#include "render/terminal/lines.h"

struct telling {
	struct arena *arena;
	const struct terminal *terminal;
	const struct json *compare;
	struct strbuf *out;
};

static void add_commit(const struct telling *t, const char *side)
{
	const struct json *object = json_get(t->compare, side),
			  *commit = json_get(object, KEY(commit));
	const char *name = json_text(object, KEY(name), ""), *oid = json_text(commit, KEY(oid), "");
	const char *call = strncmp(oid, name, strlen(name)) == 0
				   ? json_text(commit, KEY(short), "?")
				   : arena_printf(t->arena, "%s (%s)", name,
						  json_text(commit, KEY(short), "?"));
	terminal_paragraph(t->terminal, t->out,
			   arena_printf(t->arena, "%-9s %s %s", side, call,
					json_text(commit, KEY(subject), "")),
			   0);
}

/* The title of a column, cut: user-given names can be long. */
static const char *column_name(const struct telling *t, const char *side)
{
	enum { MOST = 16, KEPT = 13 };
	const char *name = json_text(json_get(t->compare, side), KEY(name), side);
	if (utf8_columns(span_of(name)) <= MOST)
		return name;
	size_t end = 0;
	while (utf8_columns((struct span){name, end}) < KEPT) {
		uint32_t code;
		size_t len = utf8_next(span_of(name + end), &code);
		end += len ? len : 1;
	}
	return arena_printf(t->arena, "%.*s...", (int)end, name);
}

static size_t widest_spread(const struct json *rows, const char *side)
{
	size_t widest = 0;
	for (const struct json *row = rows->first; row; row = row->next) {
		size_t width = strlen(json_text(json_get(row, side), KEY(spread_text), ""));
		widest = width > widest ? width : widest;
	}
	return widest;
}

/* "45.26 ± 1.2%": the spread has the same width in every row, so that the numbers align. */
static const char *side_text(const struct telling *t, const struct json *row, const char *side,
			     size_t spread_width)
{
	const struct json *object = json_get(row, side);
	const char *spread = json_text(object, KEY(spread_text), "");
	const char *digits = json_text(object, KEY(digits), "--");
	const char *sign = !spread[0] ? "  " : t->terminal->utf8 ? "± " : "+-";
	return spread_width
		       ? arena_printf(t->arena, "%s %s%*s", digits, sign, (int)spread_width, spread)
		       : digits;
}

static const char *verdict_text(const struct telling *t, const struct json *row)
{
	const char *mark = t->terminal->utf8 ? json_text(row, KEY(mark), "") : "";
	return arena_printf(t->arena, "%s%s%s", mark, mark[0] ? " " : "",
			    json_text(row, KEY(verdict), ""));
}

static void add_rows(const struct telling *t, const struct json *block, struct md_table *table)
{
	const struct json *rows = json_get(block, KEY(rows)),
			  *mean = json_get(block, KEY(geometric_mean));
	size_t widths[] = {widest_spread(rows, "baseline"), widest_spread(rows, "candidate")};
	for (const struct json *row = rows->first; row; row = row->next) {
		md_table_cell(table, json_text(row, KEY(name), "?"));
		md_table_cell(table, side_text(t, row, "baseline", widths[0]));
		md_table_cell(table, side_text(t, row, "candidate", widths[1]));
		md_table_cell(table, json_text(row, KEY(change_text), "--"));
		md_table_cell(table, json_text(row, KEY(p_text), "--"));
		md_table_cell(table, json_text(row, KEY(n_text), "--"));
		md_table_cell(table, verdict_text(t, row));
	}
	if (!mean)
		return;
	md_table_cell(table, "geomean");
	md_table_cell(table, side_text(t, mean, "baseline", widths[0]));
	md_table_cell(table, side_text(t, mean, "candidate", widths[1]));
	md_table_cell(table, json_text(mean, KEY(change_text), ""));
	md_table_cell(table, "");
	md_table_cell(table, arena_printf(t->arena, "of %.0f", json_number(mean, KEY(count), 0)));
	md_table_cell(table, "");
}

static void add_reasons(const struct telling *t, const struct json *block)
{
	const struct json *reasons = json_get(block, KEY(reasons));
	double more = json_number(block, KEY(more_reasons), 0);
	for (const struct json *one = reasons->first; one; one = one->next) {
		double count = json_number(one, KEY(count), 1);
		terminal_paragraph(
			t->terminal, t->out,
			arena_printf(t->arena, "%s%s %s: %s", json_text(one, KEY(first), ""),
				     count > 1 ? arena_printf(t->arena, " and %.0f more", count - 1)
					       : "",
				     json_text(one, KEY(verdict), ""),
				     json_text(one, KEY(reason), "")),
			0);
	}
	if (more > 0)
		terminal_paragraph(t->terminal, t->out,
				   arena_printf(t->arena,
						"... and %.0f more; --format json has them all",
						more),
				   0);
}

/* Adds why the rows changed that did. */
static void add_whys(const struct telling *t, const struct json *block)
{
	enum { SHOWN = 10 };
	size_t told = 0;
	for (const struct json *row = json_get(block, KEY(rows))->first; row && told < SHOWN;
	     row = row->next) {
		const char *why = json_text(row, KEY(why), NULL);
		if (!why)
			continue;
		if (told++ == 0)
			strbuf_addch(t->out, '\n');
		terminal_paragraph(
			t->terminal, t->out,
			arena_printf(t->arena, "%s: %s", json_text(row, KEY(name), ""), why), 0);
	}
}

static void add_block(const struct telling *t, const struct json *block)
{
	struct md_table table;
	const char *title = json_text(block, KEY(title), ""),
		   *unit = json_text(block, KEY(unit_text), "");
	md_table_init(&table, t->arena);
	table.width = t->terminal->columns;
	table.ascii = !t->terminal->utf8;
	md_table_column(&table, "", MD_ALIGN_LEFT);
	md_table_column(&table, column_name(t, "baseline"), MD_ALIGN_RIGHT);
	md_table_column(&table, column_name(t, "candidate"), MD_ALIGN_RIGHT);
	md_table_column(&table, "change", MD_ALIGN_RIGHT);
	md_table_column(&table, "p", MD_ALIGN_RIGHT);
	md_table_column(&table, "n", MD_ALIGN_RIGHT);
	md_table_column(&table, "", MD_ALIGN_LEFT);
	add_rows(t, block, &table);
	strbuf_addch(t->out, '\n');
	terminal_paragraph(t->terminal, t->out,
			   unit[0] ? arena_printf(t->arena, "%s, %s", title, unit) : title, 0);
	md_table_plain(&table, t->out);
	add_whys(t, block);
	if (json_get(block, KEY(reasons))->first)
		strbuf_addch(t->out, '\n');
	add_reasons(t, block);
}

/* Adds what shifted many series together, and which rows use an older baseline. */
static void add_cautions(const struct telling *t, const struct json *report)
{
	const struct json *environment = json_get(json_get(report, KEY(gate)), KEY(environment));
	const struct json *changes = json_get(environment, KEY(changes));
	const struct json *older = json_get(t->compare, KEY(older));
	const char *moved = json_text(environment, KEY(text), NULL);
	if (moved)
		terminal_paragraph(t->terminal, t->out,
				   arena_printf(t->arena, "environment: %s", moved), 0);
	for (const struct json *one = changes ? changes->first : NULL; one; one = one->next)
		terminal_paragraph(t->terminal, t->out,
				   arena_printf(t->arena, "environment: %s", one->text), 0);
	if (older)
		terminal_paragraph(
			t->terminal, t->out,
			arena_printf(
				t->arena,
				"not measured at the baseline itself: %.0f series, the first is "
				"%s, last at %s",
				json_number(older, KEY(count), 0), json_text(older, KEY(first), ""),
				json_text(json_get(older, KEY(commit)), KEY(short), "?")),
			0);
}

void terminal_compare(struct arena *arena, const struct terminal *terminal,
		      const struct json *report, struct strbuf *out)
{
	const struct telling t = {arena, terminal, json_get(report, KEY(compare)), out};
	const char *common = json_text(t.compare, KEY(common), "");
	const struct json *blocks = json_get(t.compare, KEY(blocks));
	add_commit(&t, "baseline");
	add_commit(&t, "candidate");
	if (common[0])
		terminal_paragraph(terminal, out, arena_printf(arena, "all %s", common), 0);
	add_cautions(&t, report);
	for (const struct json *block = blocks->first; block; block = block->next)
		add_block(&t, block);
	strbuf_addch(out, '\n');
	terminal_paragraph(
		terminal, out,
		arena_printf(
			arena,
			"%s is the noise between commits on record, then that between repeats; n "
			"counts the two; ~ is undecided, not 0 %%",
			terminal->utf8 ? "±" : "+-"),
		0);
}
