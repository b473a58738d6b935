/* Runs in one table, one line each, followed by what they have in common. */

#include "render/document/key.h"
#include "base/text/text.h"
#include "render/markup/markup.h"
#include "render/terminal/lines.h"
#include "render/vocabulary/vocabulary.h"

static double metric_number(const struct json *run, const char *key)
{
	return json_number(json_get(json_get(run, KEY(metrics)), key), KEY(value), NAN);
}

static const char *name_of(const struct json *run)
{
	return json_text(run, KEY(name), json_text(run, KEY(kernel), "?"));
}

/* One rule over all runs: the number of runs concerned, and its sentence for the worst of them,
 * whose value is the farthest from the threshold; for the first without a threshold. */
struct concern {
	const char *rule, *text;
	const char *whose; /* name of that run */
	double distance;   /* |log(value / threshold)|; NAN unknown */
	size_t runs;
};

enum { concern_limit = 32 };

static void count_finding(struct arena *arena, struct concern *concerns, size_t *count,
			  const struct json *run, const struct json *finding)
{
	const char *rule = json_text(finding, KEY(rule), "");
	double distance =
		fabs(log(json_number(json_get(finding, KEY(value)), KEY(value), NAN) /
			 json_number(json_get(finding, KEY(threshold)), KEY(value), NAN)));
	size_t i = 0;
	if (strcmp(json_text(finding, KEY(severity), ""), "info") == 0)
		return;
	while (i < *count && strcmp(concerns[i].rule, rule) != 0)
		i++;
	if (i == concern_limit)
		return;
	struct concern *one = &concerns[i];
	if (i == *count) {
		*one = (struct concern){.rule = arena_strdup(arena, rule), .distance = NAN};
		(*count)++;
	}
	if (one->runs++ == 0 || (!isnan(distance) && !(distance <= one->distance))) {
		one->text = arena_strdup(arena, json_text(finding, KEY(text), ""));
		one->whose = arena_strdup(arena, name_of(run));
		one->distance = distance;
	}
}

/* "all runs, worst attention s=512" */
static const char *whom(struct arena *arena, const struct concern *one, size_t runs)
{
	if (one->runs == 1)
		return one->whose;
	const char *which = one->runs == runs
				    ? vocabulary_label("all runs")
				    : arena_printf(arena, vocabulary_format("%zu of %zu runs"),
						   one->runs, runs);
	return arena_printf(arena,
			    isnan(one->distance) ? vocabulary_format("%s, e.g. %s")
						 : vocabulary_format("%s, worst %s"),
			    which, one->whose);
}

/* Prints findings and warnings that several runs share once. */
static void add_concerns(const struct terminal_page *page, const struct json *runs)
{
	struct concern concerns[concern_limit];
	size_t count = 0;
	for (struct json_walk walk = json_walk_of(runs); json_walk_next(&walk);)
		for (const struct json *one = json_first(walk.child, KEY(findings)); one;
		     one = one->next)
			count_finding(page->arena, concerns, &count, walk.child, one);
	if (count)
		strbuf_addch(page->out, '\n');
	for (size_t i = 0; i < count; i++) {
		strbuf_addstr(page->out, "! ");
		terminal_wrapped(page->terminal, page->out,
				 arena_printf(page->arena, vocabulary_format("%s: %s"),
					      whom(page->arena, &concerns[i], runs->count),
					      concerns[i].text),
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
	struct strbuf shown = {0};
	shown_text(&shown, span_of(text), "");
	size_t own = utf8_columns(strbuf_span(&shown));
	strbuf_free(&shown);
	return own > width ? own : width;
}

/* The file that a run was read from; NULL: it is stored. */
static const char *file_of(const struct json *run)
{
	return json_text(json_get(run, KEY(commit)), KEY(file), NULL);
}

/* The columns that some run has a value for, and the widths of all. */
struct layout {
	bool chosen[COLUMN_COUNT];
	size_t widths[COLUMN_COUNT];
	bool has_files; /* the runs are those of several files */
	bool has_bounds;
	size_t indent; /* of the runs below the total of their group */
	size_t name, file, time, bound;
};

static size_t title_width(const char *title)
{
	return utf8_columns(span_of(vocabulary_label(title)));
}

static struct layout layout_of(struct arena *arena, const struct json *report)
{
	struct layout layout = {.name = title_width("run"),
				.file = title_width("file"),
				.time = title_width("time"),
				.bound = title_width("bound")};
	const struct json *runs = json_get(report, KEY(runs));
	const char *first = NULL;
	layout.indent = json_get(report, KEY(scenarios)) ? 2 : 0;
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		layout.widths[i] = title_width(columns[i].title);
	for (struct json_walk walk = json_walk_of(runs); json_walk_next(&walk);) {
		const struct json *run = walk.child;
		const char *file = file_of(run);
		first = first || !file ? first : arena_strdup(arena, file);
		layout.has_files |= file && strcmp(file, first) != 0;
		layout.name = larger(layout.name, name_of(run));
		layout.file = larger(layout.file, file ? file : "");
		layout.time = larger(layout.time, headline_text(run));
		layout.bound = larger(layout.bound, vocabulary_label(bound_text(run)));
		layout.has_bounds |= strcmp(bound_text(run), "unknown") != 0;
		for (size_t i = 0; i < COLUMN_COUNT; i++) {
			layout.chosen[i] |= !isnan(metric_number(run, columns[i].key));
			layout.widths[i] = larger(layout.widths[i], cell_text(arena, run, i));
		}
	}
	return layout;
}

/* Whether the table fits with names of at most this width; longer names are wrapped. */
static bool fits(const struct layout *layout, size_t name_limit, size_t columns_of_terminal)
{
	/* Two blanks separate columns. */
	size_t own = layout->indent + layout->name;
	size_t name = own < name_limit ? own : name_limit;
	size_t file = layout->file < name_limit ? layout->file : name_limit;
	size_t width = name + 2 + layout->time + 2 + layout->bound;
	width += layout->has_files ? file + 2 : 0;
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		width += layout->chosen[i] ? layout->widths[i] + 2 : 0;
	return width <= columns_of_terminal;
}

/* Drops columns, those that follow from others first, until the table fits. */
static bool drop_until_it_fits(struct layout *layout, size_t name_limit, size_t width)
{
	static const char *const order[] = {
		"roofline_efficiency",     "arithmetic_intensity",    "mfu_algorithmic",
		"dram_throughput",         "dma_occupancy",           "achieved_occupancy",
		"tensor_pipe_utilization", "tensor_engine_occupancy", "mfu"};
	/* The last FINAL columns of `order` are not dropped while the name can still be wrapped to
	 * NARROW columns. */
	enum { FINAL = 3, NARROW = 12 };
	size_t count = sizeof order / sizeof *order - (name_limit > NARROW ? FINAL : 0);
	for (size_t i = 0; i < count && !fits(layout, name_limit, width); i++)
		for (size_t k = 0; k < COLUMN_COUNT; k++)
			if (strcmp(columns[k].key, order[i]) == 0)
				layout->chosen[k] = false;
	return fits(layout, name_limit, width);
}

static void add_row(struct md_table *table, struct arena *arena, const struct json *run,
		    const struct layout *layout)
{
	md_table_cell(table, arena_printf(arena, "%*s%s", (int)layout->indent, "", name_of(run)));
	if (layout->has_files)
		md_table_cell(table, file_of(run));
	md_table_cell(table, headline_text(run));
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		if (layout->chosen[i])
			md_table_cell(table, cell_text(arena, run, i));
	if (layout->has_bounds)
		md_table_cell(table, vocabulary_label(bound_text(run)));
}

/* --- groups of runs --- */

static bool is_of(const struct json *run, const char *scenario)
{
	const struct json *one = json_first(run, KEY(scenarios));
	while (one && scenario && strcmp(one->text, scenario) != 0)
		one = one->next;
	return scenario ? one != NULL : one == NULL;
}

/* What the runs of a group add up to. */
static void add_total(struct md_table *table, struct arena *arena, const struct json *group,
		      const struct layout *layout)
{
	md_table_cell(table, arena_printf(arena, vocabulary_format("%s, %s"),
					  json_text(group, KEY(title), "?"),
					  json_text(group, KEY(size_text), "?")));
	if (layout->has_files)
		md_table_cell(table, "");
	md_table_cell(table, json_text(json_get(group, KEY(time)), KEY(text), "?"));
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		if (layout->chosen[i])
			md_table_cell(table, isnan(metric_number(group, columns[i].key))
						     ? ""
						     : cell_text(arena, group, i));
	if (layout->has_bounds)
		md_table_cell(table, "");
}

/* The rows of all runs; with scenarios those of each below its total. */
static void add_rows(struct md_table *table, struct arena *arena, const struct json *report,
		     const struct layout *layout)
{
	const struct json *runs = json_get(report, KEY(runs)),
			  *groups = json_get(report, KEY(scenarios));
	for (const struct json *group = groups ? groups->first : NULL; group; group = group->next) {
		add_total(table, arena, group, layout);
		for (struct json_walk walk = json_walk_of(runs); json_walk_next(&walk);)
			if (is_of(walk.child, json_text(group, KEY(name), NULL)))
				add_row(table, arena, walk.child, layout);
	}
	for (struct json_walk walk = json_walk_of(groups ? NULL : runs); json_walk_next(&walk);)
		add_row(table, arena, walk.child, layout);
}

void terminal_table(struct arena *arena, const struct terminal *terminal, const struct json *report,
		    struct strbuf *out)
{
	enum { WHOLE = 40, BROKEN = 12 };
	const struct terminal_page page = {arena, terminal, report, out, .shown_count = 0};
	const char *common = json_text(report, KEY(common), "");
	const struct json *runs = json_get(report, KEY(runs));
	struct md_table table = terminal_page_table(&page);
	struct layout all = layout_of(arena, report), layout = all;
	if (common[0]) {
		terminal_wrapped(terminal, out,
				 arena_printf(arena, "%s%s", vocabulary_label("all "), common), 0,
				 4);
		strbuf_addch(out, '\n');
	}
	/* If the table does not fit with whole names, as few columns as possible are dropped so
	 * that it fits with wrapped ones. */
	if (!drop_until_it_fits(&layout, WHOLE, terminal->columns)) {
		layout = all;
		drop_until_it_fits(&layout, BROKEN, terminal->columns);
	}
	md_table_column(&table, vocabulary_label("run"), MD_ALIGN_LEFT);
	if (layout.has_files)
		md_table_column(&table, vocabulary_label("file"), MD_ALIGN_LEFT);
	md_table_column(&table, json_text(report, KEY(headline), "time"), MD_ALIGN_RIGHT);
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		if (layout.chosen[i])
			md_table_column(&table, vocabulary_label(columns[i].title), MD_ALIGN_RIGHT);
	if (layout.has_bounds)
		md_table_column(&table, vocabulary_label("bound"), MD_ALIGN_LEFT);
	add_rows(&table, arena, report, &layout);
	md_table_plain(&table, out);
	if (runs)
		add_concerns(&page, runs);
}
