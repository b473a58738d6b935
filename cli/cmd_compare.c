/* rooflog compare: the same work by several variants, devices, dtypes, tools or sizes, side by
 * side. */
#include "cli/command.h"

#include <math.h>
#include <string.h>

#include "cli/compare_metrics.h"
#include "cli/runs.h"
#include "model/compare.h"
#include "render/table.h"

/* Columns beside the time: left out where no run knows them. */
static const struct {
	const char *title;
	enum metric metric;
} columns[] = {
	{"tensor", METRIC_TENSOR_ACTIVE_TIME},    {"DMA", METRIC_DMA_ACTIVE_TIME},
	{"occupancy", METRIC_ACHIEVED_OCCUPANCY}, {"TC", METRIC_TENSOR_PIPE},
	{"DRAM", METRIC_DRAM_THROUGHPUT},
};
enum { column_count = sizeof columns / sizeof *columns };

/* One kernel's comparison; its rows index `loaded`. */
struct section {
	const char *kernel;
	const struct loaded_run **loaded;
	size_t count;
	struct compare compare;
	bool metrics; /* every metric, not only those of the table */
};

struct section_list {
	struct section *items;
	size_t count, capacity;
	size_t alone;
};

static const struct run *run_of(const struct section *section, const struct compare_row *row)
{
	return section->loaded[row->run]->stored.run;
}

/* What the column of times holds, but for those that say otherwise. */
static enum metric basis_of(const struct section *section)
{
	const struct run *first = run_of(section, &section->compare.groups[0].rows[0]);
	return run_time_metric(first) == METRIC_HOST_TIME ? METRIC_HOST_TIME : METRIC_TOTAL_TIME;
}

static bool is_known(const struct section *section, enum metric metric)
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

/* The last column: a speed-up, or between tools how far their times agree. */
static const char *verdict_text(struct arena *arena, const struct section *section,
				const struct compare_group *group, const struct compare_row *row)
{
	const struct run *run = run_of(section, row);
	const struct run *reference = run_of(section, &group->rows[0]);
	if (run_is_incorrect(run))
		return "incorrect";
	if (row == group->rows)
		return "";
	if (compare_has_speedups(section->compare.by))
		return speedup_text(arena, row->speedup);
	if (isnan(row->time) || run_time_metric(run) != run_time_metric(reference))
		return "unknown";
	return compare_change_text(arena, run_time(reference), row->time);
}

static void add_group(struct arena *arena, const struct section *section,
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

static struct compare_sides sides_of(const struct section *section,
				     const struct compare_group *group, size_t row)
{
	return (struct compare_sides){group->name, group->rows[0].value, group->rows[row].value,
				      run_of(section, &group->rows[0]),
				      run_of(section, &group->rows[row])};
}

static void add_agreements(struct arena *arena, const struct section *section, struct strbuf *sb)
{
	for (size_t i = 0; i < section->compare.group_count; i++) {
		const struct compare_group *group = &section->compare.groups[i];
		for (size_t k = 1; k < group->count; k++) {
			struct compare_sides sides = sides_of(section, group, k);
			compare_metrics_add(arena, &sides, sb);
		}
	}
}

static void add_section(struct arena *arena, const struct section *section, struct strbuf *sb)
{
	const struct compare *compare = &section->compare;
	struct md_table table;
	bool shown[column_count];
	bool host = basis_of(section) == METRIC_HOST_TIME;
	bool speedups = compare_has_speedups(compare->by);
	md_table_init(&table, arena);
	table.width = cli_table_width();
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
	strbuf_addstr(sb, sb->len ? "\n" : "");
	if (compare->common[0])
		strbuf_addf(sb, "%s: all %s\n", section->kernel, compare->common);
	md_table_plain(&table, sb);
	if (speedups)
		strbuf_addf(sb, "speed-up is time of %s / time: above 1 is faster\n",
			    compare->reference);
	if (section->metrics)
		add_agreements(arena, section, sb);
}

static int print_tables(struct cli *cli, const struct section_list *sections, struct error *err)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < sections->count; i++)
		add_section(&cli->arena, &sections->items[i], &sb);
	int rc = cli_print_clean(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

static void row_json(struct arena *arena, const struct section *section,
		     const struct compare_group *group, size_t index, struct json *rows)
{
	const struct compare_row *row = &group->rows[index];
	const struct loaded_run *loaded = section->loaded[row->run];
	const struct run *run = loaded->stored.run;
	enum metric basis = run_time_metric(run);
	struct json *out = json_add_object(arena, rows);
	json_set_text(arena, out, "value", row->value);
	json_set_text(arena, out, "run", loaded->stored.id);
	json_set_number(arena, out, "repeats", (double)loaded->samples);
	if (basis != METRIC_COUNT)
		report_metric(arena, out, "time", run, basis);
	for (size_t k = 0; k < column_count; k++)
		if (!isnan(run_number(run, columns[k].metric)))
			report_metric(arena, out, metric_info(columns[k].metric)->key, run,
				      columns[k].metric);
	json_set_number(arena, out, "speedup", row->speedup);
	if (section->metrics && index) {
		struct compare_sides sides = sides_of(section, group, index);
		compare_metrics_json(arena, &sides, out);
	}
}

static void section_json(struct arena *arena, const struct section *section, struct json *list)
{
	const struct compare *compare = &section->compare;
	struct json *out = json_add_object(arena, list);
	json_set_text(arena, out, "kernel", section->kernel);
	json_set_text(arena, out, "common", compare->common);
	json_set_text(arena, out, "reference", compare->reference);
	struct json *groups = json_set_array(arena, out, "configurations");
	for (size_t i = 0; i < compare->group_count; i++) {
		struct json *group = json_add_object(arena, groups);
		json_set_text(arena, group, "name", compare->groups[i].name);
		struct json *rows = json_set_array(arena, group, "rows");
		for (size_t j = 0; j < compare->groups[i].count; j++)
			row_json(arena, section, &compare->groups[i], j, rows);
	}
	struct json *means = json_set_array(arena, out, "geometric_means");
	for (size_t i = 0; i < compare->mean_count; i++) {
		struct json *mean = json_add_object(arena, means);
		json_set_text(arena, mean, "value", compare->means[i].value);
		json_set_number(arena, mean, "speedup", compare->means[i].speedup);
		json_set_number(arena, mean, "configurations",
				(double)compare->means[i].configurations);
	}
}

static int print_json(struct cli *cli, const struct section_list *sections, const char *by,
		      struct error *err)
{
	struct json *out = json_object(&cli->arena);
	json_set_text(&cli->arena, out, "by", by);
	struct json *list = json_set_array(&cli->arena, out, "kernels");
	for (size_t i = 0; i < sections->count; i++)
		section_json(&cli->arena, &sections->items[i], list);
	json_set_number(&cli->arena, out, "not_compared", (double)sections->alone);
	return cli_print_json(out, err);
}

static size_t count_kernel(const struct loaded_list *list, size_t end, const char *kernel)
{
	size_t count = 0;
	for (size_t i = 0; i < end; i++)
		count += text_eq(list->items[i].stored.run->kernel, kernel);
	return count;
}

/* The runs of the kernel of list->items[first], in the order in which they were stored. */
static struct section section_of(struct arena *arena, const struct loaded_list *list, size_t first,
				 const char *by, const char *against)
{
	struct section section = {.kernel = list->items[first].stored.run->kernel,
				  .metrics = !compare_has_speedups(by)};
	size_t count = count_kernel(list, first + 1, section.kernel);
	const struct run **runs = arena_array(arena, count, sizeof *runs);
	section.loaded = arena_array(arena, count, sizeof *section.loaded);
	for (size_t i = first + 1; i-- > 0;) {
		const struct loaded_run *loaded = &list->items[i];
		if (!text_eq(loaded->stored.run->kernel, section.kernel))
			continue;
		runs[section.count] = loaded->stored.run;
		section.loaded[section.count++] = loaded;
	}
	section.compare = compare_of(arena, runs, section.count, by, against);
	return section;
}

static size_t count_untimed(const struct section *section)
{
	size_t count = 0;
	for (size_t i = 0; i < section->compare.group_count; i++)
		for (size_t j = 0; j < section->compare.groups[i].count; j++)
			count += isnan(section->compare.groups[i].rows[j].time);
	return count;
}

static bool seen_before(const struct loaded_list *list, size_t index)
{
	for (size_t i = index + 1; i < list->count; i++)
		if (text_eq(list->items[i].stored.run->kernel,
			    list->items[index].stored.run->kernel))
			return true;
	return false;
}

static bool occurs(const struct loaded_list *list, const char *by, const char *value)
{
	for (size_t i = 0; i < list->count; i++)
		if (text_eq(compare_value(list->items[i].stored.run, by), value))
			return true;
	return false;
}

static void note_untimed(struct cli *cli, const struct section_list *sections, const char *by)
{
	size_t untimed = 0;
	for (size_t i = 0; i < sections->count; i++)
		untimed += count_untimed(&sections->items[i]);
	if (untimed)
		cli_note(cli, "no time is known of %zu of these runs, so their %s is unknown",
			 untimed, compare_has_speedups(by) ? "speed-up" : "difference");
}

static int compare_kernels(struct cli *cli, const struct loaded_list *list, const char *by,
			   const char *against, struct section_list *sections, struct error *err)
{
	struct arena *arena = &cli->arena;
	if (against && !occurs(list, by, against))
		return error_set(err, ERR_USAGE, "no run has the %s \"%.80s\"", by, against);
	for (size_t i = list->count; i-- > 0;) {
		if (seen_before(list, i))
			continue;
		struct section section = section_of(arena, list, i, by, against);
		sections->alone += section.compare.alone;
		if (section.compare.group_count == 0)
			continue;
		sections->items = arena_grow(arena, sections->items, sections->count,
					     &sections->capacity, sizeof *sections->items);
		sections->items[sections->count++] = section;
	}
	if (sections->count == 0 && list->count < 2)
		return error_set(err, ERR_STORE,
				 "there is nothing to compare: %s run is there, or matches",
				 list->count ? "only one" : "no");
	if (sections->count == 0)
		return error_set(
			err, ERR_STORE,
			"there is nothing to compare: no two of the %zu runs do the same work "
			"with a different %s%s",
			list->count, by,
			compare_has_speedups(by) ? ""
						 : ": kernel, variant, dtype, device and "
						   "parameters must be equal");
	note_untimed(cli, sections, by);
	if (sections->alone)
		cli_note(cli, "%zu configuration%s left out: nothing to compare with",
			 sections->alone, sections->alone == 1 ? "" : "s");
	return 0;
}

int cmd_compare(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct run_filter filter = {0};
	const char *by = "variant", *against = NULL;
	bool json = false, metrics = false;
	char oid[65];
	int rest;
	const struct option options[] = {
		{OPTION_TEXT, "by", "WHAT",
		 "variant (default), dtype, device, tool, or the name of a parameter", &by},
		{OPTION_TEXT, "against", "VALUE",
		 "the one to compare with (default: in most configurations, then slowest)",
		 &against},
		{OPTION_FLAG, "metrics", NULL,
		 "also which metrics differ, of all that both know (--by tool always says it)",
		 &metrics},
		RUN_FILTER_OPTIONS(filter),
		{OPTION_FLAG, "json", NULL, "the comparison as JSON", &json},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(
		    cli, "compare", "[OPTION]... [COMMIT]",
		    "Compares runs of a commit (default: HEAD, or its nearest ancestor with runs) "
		    "that\n"
		    "do the same work: time, engine times and speed-up for each configuration of "
		    "a\n"
		    "kernel, and the geometric mean of its speed-ups last. Tools have no "
		    "speed-up:\n"
		    "by tool it says how many of their common metrics are equal, and which are "
		    "not.",
		    options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest > 1)
		return error_set(err, ERR_USAGE, "takes one commit, not %d", rest);
	struct loaded_list list = {0};
	struct section_list sections = {0};
	struct run_query query = {.kernel = filter.kernel,
				  .variant = filter.variant,
				  .dtype = filter.dtype,
				  .device = filter.device,
				  .commit = oid};
	if (cli_select_commit(cli, rest ? argv[1] : NULL, oid, err) < 0 ||
	    cli_load_runs(cli, &query, &list, err) < 0)
		return -1;
	loaded_median_per_series(cli, &list);
	if (compare_kernels(cli, &list, by, against, &sections, err) < 0)
		return -1;
	for (size_t i = 0; metrics && i < sections.count; i++)
		sections.items[i].metrics = true;
	int rc = json ? print_json(cli, &sections, by, err) : print_tables(cli, &sections, err);
	return rc < 0 ? -1 : EXIT_PASS;
}
