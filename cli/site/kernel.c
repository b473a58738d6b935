/* The pages of the kernels: each with all series of one name, the newest run of each, and the
 * values beside it for the scripts. */
#include "cli/site/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/roofline/bottleneck.h"
#include "render/chart/chart.h"
#include "render/scene/scene.h"
#include "render/vocabulary/vocabulary.h"

enum { SHOWN_SERIES = 32, SHOWN_POINTS = 20, ZOOMED_POINTS = 5 };

/* --- the newest runs --- */

/* Of what has no section only MFU and bottleneck are told, which need no details. */
static int load_newest(struct site *site, const struct site_series *series, bool shown,
		       struct loaded_list *runs, struct error *err)
{
	struct loaded_list some = {0};
	struct run_query query = {.series = series->key, .clean_only = !series->dirty};
	if (!series->revision)
		return 0;
	query.commit = series->revision->oid;
	if ((shown ? cli_load_runs(site->cli, &query, &some, err)
		   : cli_load_facts(site->cli, &query, &some, err)) < 0)
		return -1;
	loaded_median_per_series(site->cli, &some);
	for (size_t i = 0; i < some.count; i++) {
		const struct run *run = some.items[i].stored.run;
		if (run->dirty != series->dirty)
			continue;
		loaded_add(site->cli, runs, &some.items[i]);
		return 1;
	}
	return 0;
}

/* What outlives the page. */
static void keep_facts(struct arena *kept, struct arena *scratch, const struct run *run,
		       struct site_series *series)
{
	double mfu = run_number(run, METRIC_MFU);
	series->mfu = isnan(mfu) ? run_number(run, METRIC_MFU_ALGORITHMIC) : mfu;
	struct bottleneck found = bottleneck_of(scratch, run);
	if (found.class != BOUND_UNKNOWN)
		series->bottleneck =
			arena_strdup(kept, vocabulary_term(LANGUAGE_ENGLISH, found.title));
	if (series->metric == METRIC_COUNT)
		series->metric = run_headline(run);
	/* Of several runs of a commit the line shows their location, the table the same. */
	if (series->metric == METRIC_COUNT)
		return;
	struct value value = run_value(run, series->metric);
	series->newest.provenance = value.provenance;
	if (series->points.count == 0 || series->dirty)
		series->newest = value;
}

/* --- the data for scripts --- */

static void add_points(struct strbuf *out, const struct site_series *series)
{
	uint32_t before = 0;
	strbuf_addstr(out, ",\"p\":[");
	for (size_t i = 0; i < series->points.count; i++) {
		uint32_t place = series->points.items[i].commit;
		strbuf_addf(out, i ? ",%u" : "%u", i ? before - place : place);
		before = place;
	}
	strbuf_addstr(out, "],\"v\":[");
	for (size_t i = 0; i < series->points.count; i++) {
		if (i)
			strbuf_addch(out, ',');
		site_add_number(out, series->points.items[i].value);
	}
	strbuf_addch(out, ']');
}

static void add_levels(struct strbuf *out, const struct site_series *series)
{
	strbuf_addstr(out, ",\"c\":[");
	for (size_t i = 0; i < series->change_count; i++) {
		const struct detect_change *change = &series->changes[i];
		strbuf_addf(out, "%s[%u,", i ? "," : "",
			    series->points.items[change->index].commit);
		site_add_number(out, change->before);
		strbuf_addch(out, ',');
		site_add_number(out, change->after);
		strbuf_addch(out, ']');
	}
	strbuf_addch(out, ']');
}

/* rooflog.kernel = {"s0123456789": {"name", "unit", "title", "p": the first place and the steps
 * down from it, "v": values, "c": [place, level before, level after]}}, oldest first. */
static int write_data(struct site *site, const struct site_kernel *kernel, struct error *err)
{
	struct strbuf out = {0};
	strbuf_addstr(&out, "\"use strict\";var rooflog=self.rooflog||{};rooflog.kernel={");
	for (size_t i = 0; i < kernel->series_count; i++) {
		const struct site_series *series = &site->series[kernel->series[i]];
		if (series->points.count == 0)
			continue;
		const struct metric_info *info = metric_info(series->metric);
		strbuf_addstr(&out, out.buf[out.len - 1] == '{' ? "\n" : ",\n");
		json_string(&out, series->anchor);
		strbuf_addstr(&out, ":{\"name\":");
		json_string(&out, series->name);
		strbuf_addstr(&out, ",\"title\":");
		json_string(&out, info->title);
		strbuf_addstr(&out, ",\"unit\":");
		quantity_add_unit(&out, info->unit);
		add_points(&out, series);
		add_levels(&out, series);
		strbuf_addch(&out, '}');
	}
	strbuf_addstr(&out, "\n};\n");
	int rc = site_files_write(site->files,
				  arena_printf(&site->cli->arena, "data/k-%s.js", kernel->slug),
				  strbuf_span(&out), err);
	strbuf_free(&out);
	return rc;
}

/* --- the document --- */

/* In the gate's order. */
static int by_place(const void *a, const void *b)
{
	const struct comparison *x = *(const struct comparison *const *)a;
	const struct comparison *y = *(const struct comparison *const *)b;
	return (x > y) - (x < y);
}

/* The gate as if it were about these series only. */
static const struct gate_result *gate_of(struct site *site, const struct site_kernel *kernel)
{
	struct arena *arena = &site->cli->arena;
	if (!site->gate)
		return NULL;
	struct gate_result *part = arena_new(arena, struct gate_result);
	*part = *site->gate;
	part->count = 0;
	for (size_t i = 0; i < kernel->series_count; i++)
		part->count += site->series[kernel->series[i]].compared_count;
	const struct comparison **list = arena_array(arena, part->count, sizeof *list);
	for (size_t i = 0, count = 0; i < kernel->series_count; i++) {
		const struct site_series *series = &site->series[kernel->series[i]];
		for (size_t k = 0; k < series->compared_count; k++)
			list[count++] = series->compared[k];
	}
	if (part->count)
		qsort(list, part->count, sizeof *list, by_place);
	part->comparisons = arena_array(arena, part->count, sizeof *part->comparisons);
	for (size_t i = 0; i < part->count; i++)
		part->comparisons[i] = *list[i];
	return part;
}

static void add_chart(struct arena *arena, struct json *list, const struct chart *chart,
		      const struct json *report)
{
	struct error why = {0};
	struct scene *scene;
	if (chart->draw(arena, report, false, &scene, &why) < 0)
		return;
	struct json *picture = json_add_object(arena, list);
	json_set_text(arena, picture, "chart", chart->name);
	json_set_text(arena, picture, "svg", scene_page_svg(arena, scene));
}

/* What cannot be drawn (no roofs, no engines) is left out. */
static void add_charts(struct site *site, struct json *document, const struct json *report)
{
	static const char *const names[] = {"roofline", "occupancy", "timeline"};
	struct json *list = json_set_array(&site->cli->arena, document, "pictures");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (chart_find(names[i]))
			add_chart(&site->cli->arena, list, chart_find(names[i]), report);
}

/* Moves a value out of an array of another document. */
static void adopt(struct json *parent, const char *name, const struct json *value)
{
	struct json *child = (struct json *)value;
	child->name = name;
	json_append(parent, child);
}

/* Panels of one page share their commits. */
static uint32_t oldest_of(const struct site *site, size_t at)
{
	const struct site_kernel *kernel = &site->kernels[at];
	uint32_t oldest = 0;
	for (size_t i = 0; i < kernel->series_count; i++) {
		const struct history_points *points = &site->series[kernel->series[i]].points;
		if (points->count && points->items[0].commit > oldest)
			oldest = points->items[0].commit;
	}
	return oldest;
}

static void add_points_table(struct site *site, struct json *section,
			     const struct site_series *series)
{
	struct arena *arena = &site->cli->arena;
	struct json *list = json_set_array(arena, section, "measured");
	for (size_t i = series->points.count, shown = 0; i-- > 0 && shown < SHOWN_POINTS; shown++) {
		const struct history_point *point = &series->points.items[i];
		struct json *row = json_add_object(arena, list);
		report_quantity(arena, row, "value", point->value,
				metric_info(series->metric)->unit);
		json_set_number(arena, row, "runs", point->runs);
		if (i)
			json_set_text(
				arena, row, "change_text",
				quantity_change_text(arena, point->value / point[-1].value - 1));
		site_add_revision(site, row, "commit", &site->set->chain[point->commit], false);
	}
}

/* Those of one series out of the gate's list, which keeps the others. */
static void add_comparisons(struct json *section, struct arena *arena, const struct json *gate,
			    const char *key)
{
	struct json *list = json_set_array(arena, section, "comparisons");
	struct json *all = (struct json *)json_get(gate, "comparisons");
	struct json *one = all ? all->first : NULL, *next;
	if (!all)
		return;
	all->first = all->last = NULL;
	all->count = 0;
	for (; one; one = next) {
		next = one->next;
		adopt(text_eq(json_text(one, "series", NULL), key) ? list : all, NULL, one);
	}
}

static void add_section(struct site *site, struct json *sections, const struct site_series *series,
			struct json *report)
{
	struct arena *arena = &site->cli->arena;
	struct json *section = site_add_series(site, sections, series);
	if (series->points.count) {
		if (series->points.count > 1)
			site_add_trend(site, section, series, oldest_of(site, series->kernel));
		const struct history_point *points = series->points.items;
		const struct revision *first = &site->set->chain[points[0].commit];
		site_add_revision(site, section, "first", first, false);
		add_points_table(site, section, series);
		json_set_bool(arena, section, "zooms", series->points.count >= ZOOMED_POINTS);
	}
	struct json *changes = json_set_array(arena, section, "level_changes");
	for (size_t i = series->change_count; i-- > 0;)
		site_add_change(site, changes, series, &series->changes[i]);
	add_comparisons(section, arena, json_get(report, "gate"), series->key);
}

/* The runs stand in the order of the series that have one. */
static struct json *kernel_document(struct site *site, const struct site_kernel *kernel,
				    struct json *report, const bool *has_run)
{
	struct arena *arena = &site->cli->arena;
	struct json *document = site_document(site, "../", kernel->name);
	const struct json *runs = json_get(report, "runs");
	struct json *run = runs ? runs->first : NULL;
	json_set_text(arena, document, "slug", kernel->slug);
	json_set_text(arena, document, "common", kernel->common);
	json_set_number(arena, document, "series_count", (double)kernel->series_count);
	if (kernel->series_count > 1) {
		json_set_bool(arena, document, "several", true);
		struct json *rows = json_set_array(arena, document, "series");
		for (size_t i = 0; i < kernel->series_count; i++) {
			struct json *row =
				site_add_series(site, rows, &site->series[kernel->series[i]]);
			json_set_bool(arena, row, "folded", i >= SHOWN_SERIES);
		}
	}
	add_charts(site, document, report);
	struct json *sections = json_set_array(arena, document, "sections");
	for (size_t i = 0; i < kernel->series_count && i < SHOWN_SERIES; i++) {
		add_section(site, sections, &site->series[kernel->series[i]], report);
		if (has_run[i] && run) {
			struct json *next = run->next;
			adopt(sections->last, "run", run);
			run = next;
		}
	}
	if (kernel->series_count > SHOWN_SERIES)
		json_set_number(arena, document, "series_shown", SHOWN_SERIES);
	return document;
}

/* In the arena of the page; `kept` is that of the site. */
static int write_kernel(struct site *site, const struct site_kernel *kernel, struct arena *kept,
			struct error *err)
{
	struct arena *arena = &site->cli->arena;
	struct loaded_list runs = {0};
	struct json *report;
	bool *has_run = arena_array(arena, kernel->series_count, sizeof *has_run);
	for (size_t i = 0; i < kernel->series_count; i++) {
		struct site_series *series = &site->series[kernel->series[i]];
		bool shown = i < SHOWN_SERIES;
		int found = load_newest(site, series, shown, &runs, err);
		if (found < 0)
			return -1;
		has_run[i] = found > 0;
		if (!found)
			continue;
		keep_facts(kept, arena, runs.items[runs.count - 1].stored.run, series);
		if (!shown)
			runs.count--;
	}
	if (cli_document(site->cli, &runs, kernel->name, gate_of(site, kernel), &report, err) < 0 ||
	    write_data(site, kernel, err) < 0)
		return -1;
	return site_files_render(site->files, "site-kernel.html",
				 kernel_document(site, kernel, report, has_run),
				 arena_printf(arena, "k/%s.html", kernel->slug), err);
}

int site_write_kernels(struct site *site, struct error *err)
{
	for (size_t i = 0; i < site->kernel_count; i++) {
		/* Of the runs of a page only a few facts outlive it. */
		struct arena kept = site->cli->arena;
		site->cli->arena = (struct arena){0};
		int rc = write_kernel(site, &site->kernels[i], &kept, err);
		arena_free(&site->cli->arena);
		site->cli->arena = kept;
		if (rc < 0)
			return -1;
	}
	return 0;
}
