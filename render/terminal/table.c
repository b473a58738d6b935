/* Runs in one table, one line each, followed by what they have in common. */

#include "render/document/key.h"
#include "base/text/text.h"
#include "render/markup/markup.h"
#include "render/terminal/lines.h"

static double metric_number(const struct json *run, const char *key)
{
	return json_number(json_get(json_get(run, KEY(metrics)), key), KEY(value), NAN);
}

static const char *name_of(const struct json *run)
{
	return json_text(run, KEY(name), json_text(run, KEY(kernel), "?"));
}

/* One rule over all runs: the number of runs concerned, and its sentence for the first of them. */
struct concern {
	const char *rule, *text;
	const struct json *first;
	size_t runs;
};

enum { concern_limit = 32 };

static void count_finding(struct concern *concerns, size_t *count, const struct json *run,
			  const struct json *finding)
{
	const char *rule = json_text(finding, KEY(rule), "");
	if (strcmp(json_text(finding, KEY(severity), ""), "info") == 0)
		return;
	for (size_t i = 0; i < *count; i++)
		if (strcmp(concerns[i].rule, rule) == 0) {
			concerns[i].runs++;
			return;
		}
	if (*count < concern_limit)
		concerns[(*count)++] =
			(struct concern){rule, json_text(finding, KEY(text), ""), run, 1};
}

/* Prints findings and warnings that several runs share once. */
static void add_concerns(struct arena *arena, const struct terminal *terminal,
			 const struct json *runs, struct strbuf *out)
{
	struct concern concerns[concern_limit];
	size_t count = 0;
	for (const struct json *run = runs->first; run; run = run->next) {
		const struct json *findings = json_get(run, KEY(findings));
		for (const struct json *one = findings ? findings->first : NULL; one;
		     one = one->next)
			count_finding(concerns, &count, run, one);
	}
	if (count)
		strbuf_addch(out, '\n');
	for (size_t i = 0; i < count; i++) {
		const struct concern *one = &concerns[i];
		const char *whom = one->runs == runs->count && runs->count > 1 ? "all runs"
				   : one->runs == 1                            ? name_of(one->first)
						    : arena_printf(arena, "%zu of %zu runs",
								   one->runs, runs->count);
		strbuf_addstr(out, "! ");
		terminal_wrapped(terminal, out,
				 arena_printf(arena, "%s: %s%s", whom, one->runs > 1 ? "e.g. " : "",
					      one->text),
				 2, 4);
	}
}

static const struct column {
	const char *title, *key;
} columns[] = {
	{"MFU%", "mfu"},
	{"alg MFU%", "mfu_algorithmic"},
	{"FLOP/B", "arithmetic_intensity"},
	{"roof%", "roofline_efficiency"},
	{"tensor%", "tensor_engine_occupancy"},
	{"DMA%", "dma_occupancy"},
	{"occ%", "achieved_occupancy"},
	{"TC%", "tensor_pipe_utilization"},
	{"DRAM%", "dram_throughput"},
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

/* Chooses the columns that some run has a value for. */
static void choose_columns(const struct json *runs, bool chosen[COLUMN_COUNT])
{
	memset(chosen, 0, COLUMN_COUNT * sizeof *chosen);
	for (const struct json *run = runs ? runs->first : NULL; run; run = run->next)
		for (size_t i = 0; i < COLUMN_COUNT; i++)
			chosen[i] = chosen[i] || !isnan(metric_number(run, columns[i].key));
}

static const char *headline_text(const struct json *run)
{
	return json_text(json_get(run, KEY(headline)), KEY(text), "?");
}

static const char *bound_text(const struct json *run)
{
	return json_text(json_get(run, KEY(bottleneck)), KEY(class), "unknown");
}

static const char *cell_text(struct arena *arena, const struct json *run, size_t column)
{
	double number = metric_number(run, columns[column].key);
	number *= strchr(columns[column].title, '%') ? 100 : 1;
	return isnan(number) ? "?" : quantity_text(arena, number, UNIT_NONE);
}

static size_t larger(size_t width, const char *text)
{
	size_t own = utf8_columns(span_of(text));
	return own > width ? own : width;
}

/* The table's width with names of at most this width; longer names are wrapped. */
static size_t table_width(struct arena *arena, const struct json *runs,
			  const bool chosen[COLUMN_COUNT], size_t name_limit)
{
	/* The widths of the titles "run", "time" and "bound"; two blanks separate columns. */
	size_t name = 3, time = 4, bound = 5, width = 0;
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		size_t own = strlen(columns[i].title);
		for (const struct json *run = runs ? runs->first : NULL; run; run = run->next)
			own = larger(own, cell_text(arena, run, i));
		width += chosen[i] ? own + 2 : 0;
	}
	for (const struct json *run = runs ? runs->first : NULL; run; run = run->next) {
		name = larger(name, name_of(run));
		time = larger(time, headline_text(run));
		bound = larger(bound, bound_text(run));
	}
	return (name < name_limit ? name : name_limit) + 2 + time + width + 2 + bound;
}

static bool drop_until_it_fits(struct arena *arena, const struct terminal *terminal,
			       const struct json *runs, size_t name_limit,
			       bool chosen[COLUMN_COUNT])
{
	static const char *const order[] = {
		"roofline_efficiency",     "arithmetic_intensity",    "mfu_algorithmic",
		"dram_throughput",         "dma_occupancy",           "achieved_occupancy",
		"tensor_pipe_utilization", "tensor_engine_occupancy", "mfu"};
	/* The last KEPT columns of `order` are not dropped while the name can still be wrapped to
	 * NARROW columns. */
	enum { KEPT = 3, NARROW = 12 };
	size_t count = sizeof order / sizeof *order - (name_limit > NARROW ? KEPT : 0);
	for (size_t i = 0; i < count; i++) {
		if (table_width(arena, runs, chosen, name_limit) <= terminal->columns)
			break;
		for (size_t k = 0; k < COLUMN_COUNT; k++)
			if (strcmp(columns[k].key, order[i]) == 0)
				chosen[k] = false;
	}
	return table_width(arena, runs, chosen, name_limit) <= terminal->columns;
}

/* Drops columns, those that follow from others first, until the table fits with whole names. If
 * that is not enough, drops as few as possible so that it fits with wrapped names. */
static void drop_columns(struct arena *arena, const struct terminal *terminal,
			 const struct json *runs, bool chosen[COLUMN_COUNT])
{
	enum { WHOLE = 40, BROKEN = 12 };
	bool fewer[COLUMN_COUNT];
	memcpy(fewer, chosen, sizeof fewer);
	if (drop_until_it_fits(arena, terminal, runs, WHOLE, fewer))
		memcpy(chosen, fewer, sizeof fewer);
	else
		drop_until_it_fits(arena, terminal, runs, BROKEN, chosen);
}

static void add_row(struct md_table *table, struct arena *arena, const struct json *run,
		    const bool chosen[COLUMN_COUNT])
{
	md_table_cell(table, name_of(run));
	md_table_cell(table, headline_text(run));
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		if (chosen[i])
			md_table_cell(table, cell_text(arena, run, i));
	md_table_cell(table, bound_text(run));
}

void terminal_table(struct arena *arena, const struct terminal *terminal, const struct json *report,
		    struct strbuf *out)
{
	const char *common = json_text(report, KEY(common), "");
	const struct json *runs = json_get(report, KEY(runs));
	bool chosen[COLUMN_COUNT];
	struct md_table table;
	if (common[0])
		terminal_wrapped(terminal, out, arena_printf(arena, "all %s", common), 0, 4);
	if (common[0])
		strbuf_addch(out, '\n');
	choose_columns(runs, chosen);
	drop_columns(arena, terminal, runs, chosen);
	md_table_init(&table, arena);
	table.width = terminal->columns;
	table.ascii = !terminal->utf8;
	md_table_column(&table, "run", MD_ALIGN_LEFT);
	md_table_column(&table, json_text(report, KEY(headline), "time"), MD_ALIGN_RIGHT);
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		if (chosen[i])
			md_table_column(&table, columns[i].title, MD_ALIGN_RIGHT);
	md_table_optional(&table, "bound", MD_ALIGN_LEFT);
	for (const struct json *run = runs ? runs->first : NULL; run; run = run->next)
		add_row(&table, arena, run, chosen);
	md_table_plain(&table, out);
	if (runs)
		add_concerns(arena, terminal, runs, out);
}
