/* One table per kernel, and why one configuration is faster than another, as text and as JSON. */
#include "render/compare/compare.h"

#include "model/explain/explain.h"
#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

/* Where texts go, and as what. */
struct page {
	struct arena *arena;
	struct strbuf *sb;
	size_t width; /* of tables; 0: unlimited */
	bool markdown;
};

static void add_table(const struct page *page, const struct md_table *table)
{
	if (page->markdown)
		md_table_markdown(table, page->sb);
	else
		md_table_plain(table, page->sb);
}

/* A paragraph: on a terminal a line, in which continuation lines are indented by two columns. */
__attribute__((format(printf, 2, 3))) static void say(const struct page *page, const char *format,
						      ...)
{
	struct strbuf text = {0};
	va_list args;
	va_start(args, format);
	strbuf_vaddf(&text, format, args);
	va_end(args);
	if (page->markdown) {
		strbuf_addch(page->sb, '\n');
		md_text(page->sb, strbuf_span(&text));
		strbuf_addch(page->sb, '\n');
	} else {
		fill_words(page->sb, strbuf_text(&text), 2);
	}
	strbuf_free(&text);
}

/* --- two runs of the same work, metric by metric --- */

/* A row of a configuration, and the configuration's reference. */
struct compare_sides {
	const char *work;              /* "attention s=512" */
	const char *reference, *value; /* what distinguishes them: "neuron-profile", "ntff" */
	const struct run *reference_run, *run;
};

static void add_differences(const struct page *page, const struct compare_sides *sides,
			    const struct compare_agreement *agreement)
{
	struct arena *arena = page->arena;
	struct md_table table = md_table_of(arena, page->width, "different");
	md_table_column(&table, sides->reference, MD_ALIGN_RIGHT);
	md_table_column(&table, sides->value, MD_ALIGN_RIGHT);
	md_table_columns(&table, ">difference");
	for (size_t i = 0; i < agreement->difference_count; i++) {
		const struct compare_difference *one = &agreement->differences[i];
		const struct metric_info *info = metric_info(one->metric);
		md_table_row(&table, info->key, quantity_text(arena, one->reference, info->unit),
			     quantity_text(arena, one->number, info->unit),
			     quantity_exact_change_text(arena, one->reference, one->number));
	}
	if (page->markdown)
		strbuf_addch(page->sb, '\n');
	add_table(page, &table);
}

static void add_alone(const struct page *page, size_t count, const char *side)
{
	if (count)
		say(page, "%zu more only in %s (see --json)", count, side);
}

/* Adds a sentence, and a table of the metrics that differ. */
static void add_agreement(const struct page *page, const struct compare_sides *sides)
{
	struct compare_agreement agreement =
		variants_agreement_of(page->arena, sides->reference_run, sides->run);
	bool all = agreement.common && agreement.equal == agreement.common;
	if (!page->markdown)
		strbuf_addch(page->sb, '\n');
	if (all)
		say(page, "%s, %s and %s: all %zu common metrics are equal", sides->work,
		    sides->reference, sides->value, agreement.common);
	else
		say(page, "%s, %s and %s: %zu common metrics, %zu equal", sides->work,
		    sides->reference, sides->value, agreement.common, agreement.equal);
	if (agreement.difference_count)
		add_differences(page, sides, &agreement);
	add_alone(page, agreement.only_reference_count, sides->reference);
	add_alone(page, agreement.only_other_count, sides->value);
}

static void keys_json(struct arena *arena, struct json *out, const char *name,
		      const enum metric *metrics, size_t count)
{
	struct json *list = json_set_array(arena, out, name);
	for (size_t i = 0; i < count; i++)
		json_add_text(arena, list, metric_info(metrics[i])->key);
}

/* Sets "agreement" of the row. */
static void agreement_json(struct arena *arena, const struct compare_sides *sides, struct json *row)
{
	struct compare_agreement agreement =
		variants_agreement_of(arena, sides->reference_run, sides->run);
	struct json *out = json_set_object(arena, row, "agreement");
	json_set_number(arena, out, KEY(common), (double)agreement.common);
	json_set_number(arena, out, "equal", (double)agreement.equal);
	struct json *list = json_set_array(arena, out, KEY(different));
	for (size_t i = 0; i < agreement.difference_count; i++) {
		const struct compare_difference *one = &agreement.differences[i];
		const struct metric_info *info = metric_info(one->metric);
		struct json *item = json_add_object(arena, list);
		json_set_text(arena, item, KEY(key), info->key);
		json_set_text(arena, item, KEY(unit), quantity_unit_symbol(info->unit));
		json_set_number(arena, item, KEY(reference), one->reference);
		json_set_number(arena, item, KEY(value), one->number);
		json_set_number(arena, item, KEY(relative), one->relative);
	}
	keys_json(arena, out, "only_reference", agreement.only_reference,
		  agreement.only_reference_count);
	keys_json(arena, out, "only_here", agreement.only_other, agreement.only_other_count);
}

/* --- one kernel --- */

/* Columns in addition to the time. A column is left out if no run has a value. */
static const struct {
	const char *title;
	enum metric metric;
} columns[] = {
	{"tensor", METRIC_TENSOR_ACTIVE_TIME},    {"DMA", METRIC_DMA_ACTIVE_TIME},
	{"occupancy", METRIC_ACHIEVED_OCCUPANCY}, {"TC", METRIC_TENSOR_PIPE},
	{"DRAM", METRIC_DRAM_THROUGHPUT},
};
enum { column_count = sizeof columns / sizeof *columns };

static const struct run *run_of(const struct compare_section *section,
				const struct compare_row *row)
{
	return section->runs[row->run].run;
}

/* The metric of the column of times; a run that was measured differently is marked in its cell. */
static enum metric basis_of(const struct compare_section *section)
{
	const struct run *first = run_of(section, &section->compare.groups[0].rows[0]);
	return run_time_metric(first) == METRIC_HOST_TIME ? METRIC_HOST_TIME : METRIC_TOTAL_TIME;
}

static bool is_known(const struct compare_section *section, enum metric metric)
{
	for (size_t i = 0; i < section->compare.group_count; i++) {
		const struct compare_group *group = &section->compare.groups[i];
		for (size_t j = 0; j < group->count; j++)
			if (!isnan(run_number(run_of(section, &group->rows[j]), metric)))
				return true;
	}
	return false;
}

static const char *speedup_text(struct arena *arena, double speedup)
{
	return isnan(speedup) ? "unknown" : arena_printf(arena, "%.3fx", speedup);
}

static const char *time_text(struct arena *arena, const struct run *run, enum metric basis)
{
	enum metric own = run_time_metric(run);
	const char *mark = own == basis || own == METRIC_COUNT ? ""
			   : own == METRIC_HOST_TIME           ? " host"
							       : " device";
	return arena_printf(arena, "%s%s", quantity_text(arena, run_time(run), UNIT_SECOND), mark);
}

/* The last column: the speed-up, or, when tools are compared, the difference of their times. */
static const char *verdict_text(struct arena *arena, const struct compare_section *section,
				const struct compare_group *group, const struct compare_row *row)
{
	const struct run *run = run_of(section, row);
	const struct run *reference = run_of(section, &group->rows[0]);
	if (run_is_incorrect(run))
		return "incorrect";
	if (row == group->rows)
		return "";
	if (variants_have_speedups(section->compare.by))
		return speedup_text(arena, row->speedup);
	if (isnan(row->time) || run_time_metric(run) != run_time_metric(reference))
		return "unknown";
	return quantity_exact_change_text(arena, run_time(reference), row->time);
}

static void add_group(struct arena *arena, const struct compare_section *section,
		      const struct compare_group *group, const bool *shown, struct md_table *table)
{
	for (size_t i = 0; i < group->count; i++) {
		const struct compare_row *row = &group->rows[i];
		const struct run *run = run_of(section, row);
		md_table_cell(table, i ? "" : group->name);
		md_table_cell(table, row->value);
		md_table_cell(table, time_text(arena, run, basis_of(section)));
		for (size_t k = 0; k < column_count; k++)
			if (shown[k])
				md_table_cell(table,
					      quantity_text(arena,
							    run_number(run, columns[k].metric),
							    metric_info(columns[k].metric)->unit));
		md_table_cell(table, verdict_text(arena, section, group, row));
	}
}

static void add_means(struct arena *arena, const struct compare *compare, const bool *shown,
		      struct md_table *table)
{
	for (size_t i = 0; i < compare->mean_count; i++) {
		const struct compare_mean *mean = &compare->means[i];
		md_table_cell(table, i ? "" : "geometric mean");
		md_table_cell(table, mean->value);
		md_table_cell(table, arena_printf(arena, "of %zu", mean->configurations));
		for (size_t k = 0; k < column_count; k++)
			if (shown[k])
				md_table_cell(table, "");
		md_table_cell(table, speedup_text(arena, mean->speedup));
	}
}

static struct compare_sides sides_of(const struct compare_section *section,
				     const struct compare_group *group, size_t row)
{
	return (struct compare_sides){group->name, group->rows[0].value, group->rows[row].value,
				      run_of(section, &group->rows[0]),
				      run_of(section, &group->rows[row])};
}

static void add_agreements(const struct page *page, const struct compare_section *section)
{
	for (size_t i = 0; i < section->compare.group_count; i++) {
		const struct compare_group *group = &section->compare.groups[i];
		for (size_t k = 1; k < group->count; k++) {
			struct compare_sides sides = sides_of(section, group, k);
			add_agreement(page, &sides);
		}
	}
}

/* Explains runs of the same work on the same device only: counters of different devices are not
 * comparable. */
static struct explanation why_of(struct arena *arena, const struct compare_section *section,
				 const struct compare_group *group, size_t row)
{
	bool asked = variants_have_speedups(section->compare.by) &&
		     strcmp(section->compare.by, "device") != 0;
	struct explanation why =
		explain_runs(arena, asked ? run_of(section, &group->rows[0]) : NULL,
			     run_of(section, &group->rows[row]), METRIC_COUNT);
	if (!explain_is_worth(&why))
		why.text = NULL;
	return why;
}

/* Adds why each configuration is faster or slower than its reference. */
static void add_reasons(const struct page *page, const struct compare_section *section)
{
	enum { REASONS_SHOWN = 12 };
	const struct compare *compare = &section->compare;
	size_t listed = 0;
	for (size_t i = 0; i < compare->group_count; i++)
		for (size_t k = 1; k < compare->groups[i].count; k++) {
			const struct compare_group *group = &compare->groups[i];
			struct explanation why = why_of(page->arena, section, group, k);
			if (!why.text || listed++ >= REASONS_SHOWN)
				continue;
			say(page, "%s%s%s: %s", group->name, group->name[0] ? " " : "",
			    group->rows[k].value, vocabulary_say(page->arena, why.text));
		}
	if (listed > REASONS_SHOWN)
		say(page, "... and %zu more reasons; --json lists all", listed - REASONS_SHOWN);
}

/* "mlp: all bf16, trn2", or in Markdown a heading and the rest. */
static void add_heading(const struct page *page, const struct compare_section *section)
{
	const char *common = section->compare.common;
	if (page->sb->len)
		strbuf_addch(page->sb, '\n');
	if (page->markdown) {
		strbuf_addstr(page->sb, "## ");
		md_text(page->sb, span_of(section->kernel));
		strbuf_addch(page->sb, '\n');
		if (common[0])
			say(page, "All %s", common);
		strbuf_addch(page->sb, '\n');
	} else if (common[0]) {
		strbuf_addf(page->sb, "%s: all %s\n", section->kernel, common);
	}
}

static void add_section(const struct page *page, const struct compare_section *section)
{
	const struct compare *compare = &section->compare;
	struct arena *arena = page->arena;
	struct md_table table;
	bool shown[column_count];
	bool host = basis_of(section) == METRIC_HOST_TIME;
	bool speedups = variants_have_speedups(compare->by);
	md_table_init(&table, arena);
	table.width = page->width;
	md_table_column(&table, "work", MD_ALIGN_LEFT);
	md_table_column(&table, compare->by, MD_ALIGN_LEFT);
	md_table_column(&table, host ? "host time" : "time", MD_ALIGN_RIGHT);
	for (size_t k = 0; k < column_count; k++) {
		shown[k] = is_known(section, columns[k].metric);
		if (shown[k])
			md_table_column(&table, columns[k].title, MD_ALIGN_RIGHT);
	}
	md_table_column(&table, speedups ? "speed-up" : "difference", MD_ALIGN_RIGHT);
	for (size_t i = 0; i < compare->group_count; i++)
		add_group(arena, section, &compare->groups[i], shown, &table);
	add_means(arena, compare, shown, &table);
	add_heading(page, section);
	add_table(page, &table);
	if (speedups)
		say(page, "speed-up is time of %s / time: above 1 is faster", compare->reference);
	add_reasons(page, section);
	if (section->metrics)
		add_agreements(page, section);
}

void render_compare_text(struct arena *arena, const struct compare_section_list *sections,
			 size_t width, struct strbuf *sb)
{
	const struct page page = {.arena = arena, .sb = sb, .width = width};
	for (size_t i = 0; i < sections->count; i++)
		add_section(&page, &sections->items[i]);
}

void render_compare_markdown(struct arena *arena, const struct compare_section_list *sections,
			     struct strbuf *sb)
{
	const struct page page = {.arena = arena, .sb = sb, .markdown = true};
	for (size_t i = 0; i < sections->count; i++)
		add_section(&page, &sections->items[i]);
}

static void row_json(struct arena *arena, const struct compare_section *section,
		     const struct compare_group *group, size_t index, struct json *rows)
{
	const struct compare_row *row = &group->rows[index];
	const struct compare_run *entry = &section->runs[row->run];
	const struct run *run = entry->run;
	enum metric basis = run_time_metric(run);
	struct json *out = json_add_object(arena, rows);
	json_set_text(arena, out, KEY(value), row->value);
	json_set_text(arena, out, "run", entry->id);
	json_set_number(arena, out, KEY(repeats), (double)entry->samples);
	if (basis != METRIC_COUNT)
		report_metric(arena, out, KEY(time), run, basis);
	for (size_t k = 0; k < column_count; k++)
		if (!isnan(run_number(run, columns[k].metric)))
			report_metric(arena, out, metric_info(columns[k].metric)->key, run,
				      columns[k].metric);
	json_set_number(arena, out, KEY(speedup), row->speedup);
	if (index) {
		struct explanation why = why_of(arena, section, group, index);
		report_add_why(arena, out, &why);
	}
	if (section->metrics && index) {
		struct compare_sides sides = sides_of(section, group, index);
		agreement_json(arena, &sides, out);
	}
}

static void section_json(struct arena *arena, const struct compare_section *section,
			 struct json *list)
{
	const struct compare *compare = &section->compare;
	struct json *out = json_add_object(arena, list);
	json_set_text(arena, out, KEY(kernel), section->kernel);
	json_set_text(arena, out, KEY(common), compare->common);
	json_set_text(arena, out, KEY(reference), compare->reference);
	struct json *groups = json_set_array(arena, out, "configurations");
	for (size_t i = 0; i < compare->group_count; i++) {
		struct json *group = json_add_object(arena, groups);
		json_set_text(arena, group, KEY(name), compare->groups[i].name);
		struct json *rows = json_set_array(arena, group, KEY(rows));
		for (size_t j = 0; j < compare->groups[i].count; j++)
			row_json(arena, section, &compare->groups[i], j, rows);
	}
	struct json *means = json_set_array(arena, out, "geometric_means");
	for (size_t i = 0; i < compare->mean_count; i++) {
		struct json *mean = json_add_object(arena, means);
		json_set_text(arena, mean, KEY(value), compare->means[i].value);
		json_set_number(arena, mean, KEY(speedup), compare->means[i].speedup);
		json_set_number(arena, mean, "configurations",
				(double)compare->means[i].configurations);
	}
}

struct json *render_compare_json(struct arena *arena, const struct compare_section_list *sections,
				 const char *by)
{
	struct json *out = document_begin(arena, SCHEMA(compare));
	json_set_text(arena, out, "by", by);
	struct json *list = json_set_array(arena, out, KEY(kernels));
	for (size_t i = 0; i < sections->count; i++)
		section_json(arena, &sections->items[i], list);
	json_set_number(arena, out, "not_compared", (double)sections->alone);
	return out;
}
