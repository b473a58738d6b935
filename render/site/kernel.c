/* Pages of kernels: all series, and the newest run of each. */
#include "render/document/document.h"
#include "render/site/internal.h"

#include "base/text/text.h"
#include "model/run/runs.h"
#include "render/chart/chart.h"
#include "render/report/report.h"

enum { EARLIER_POINTS = 96 /* together in all sections */ };

/* --- the document --- */

/* Adds the charts; one that cannot be drawn (no roofs, no engines) is left out. */
static void add_charts(const struct site *site, struct json *document, const struct json *report)
{
	static const struct {
		const char *name;
		double width; /* px of its place on a wide page: two in a row, or alone */
	} shown[] = {{"roofline", 564}, {"occupancy", 564}, {"timeline", 1150}};
	struct json *list = json_set_array(site->arena, document, "pictures");
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		if (chart_find(shown[i].name))
			chart_add_picture(site->arena, list, chart_find(shown[i].name),
					  shown[i].width, report);
}

/* Moves a value from an array of another document. */
static void adopt(struct json *parent, const char *name, const struct json *value)
{
	struct json *child = (struct json *)value;
	child->name = name;
	json_append(parent, child);
}

/* The oldest commit index on the page, which all panels share. */
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

/* Columns of the newest measurements. Each is there if at least one run has the value. */
static struct columns {
	bool roof, hbm, machine;
} columns_of(const struct site_series *series)
{
	struct columns columns = {0};
	for (size_t i = 0; i < site_newest_points; i++) {
		columns.roof |= !isnan(series->latest[i].of_roof);
		columns.hbm |= !isnan(series->latest[i].hbm_bytes);
		columns.machine |= series->latest[i].machine != NULL;
	}
	return columns;
}

static void add_columns(struct arena *arena, struct json *row, const struct columns *columns)
{
	json_set_bool(arena, row, "roof_column", columns->roof);
	json_set_bool(arena, row, "hbm_column", columns->hbm);
	json_set_bool(arena, row, "machine_column", columns->machine);
}

static void add_run_details(struct arena *arena, struct json *row, const struct site_run *run)
{
	if (!isnan(run->of_roof))
		document_quantity(arena, row, "roof", run->of_roof, UNIT_FRACTION);
	if (!isnan(run->hbm_bytes))
		document_quantity(arena, row, "hbm", run->hbm_bytes, UNIT_BYTE);
	if (run->machine)
		json_set_text(arena, row, "machine", run->machine);
}

/* The newest measurements, and some of those before them, folded. */
static void add_points_table(const struct site *site, struct json *section,
			     const struct site_series *series, size_t sections)
{
	struct arena *arena = site->arena;
	struct json *list = json_set_array(arena, section, KEY(measured));
	size_t most = site_newest_points + EARLIER_POINTS / sections;
	struct columns columns = columns_of(series);
	add_columns(arena, section, &columns);
	json_set_text(arena, section, "traffic_title",
		      run_is_gpu(series->identity, NULL) ? "DRAM traffic" : "HBM traffic");
	for (size_t i = series->points.count, shown = 0; i-- > 0 && shown < most; shown++) {
		if (shown == site_newest_points)
			list = json_set_array(arena, section, "older");
		const struct history_point *point = &series->points.items[i];
		struct json *row = json_add_object(arena, list);
		document_quantity(arena, row, KEY(value), point->value,
				  metric_info(series->metric)->unit);
		json_set_number(arena, row, KEY(runs), point->runs);
		/* The rows of the folded table are below fewer heads. */
		add_columns(arena, row,
			    shown < site_newest_points ? &columns : &(struct columns){0});
		if (shown < site_newest_points)
			add_run_details(arena, row, &series->latest[shown]);
		if (i)
			json_set_text(
				arena, row, KEY(change_text),
				quantity_change_text(arena, point->value / point[-1].value - 1));
		render_site_add_revision(site, row, "commit", &site->set->chain[point->commit],
					 false);
	}
	if (series->points.count > most)
		json_set_number(arena, section, "older_left_out",
				(double)(series->points.count - most));
}

/* Moves the comparisons of one series out of the gate's list. */
static void add_comparisons(struct json *section, struct arena *arena, const struct json *gate,
			    const char *key)
{
	struct json *list = json_set_array(arena, section, KEY(comparisons));
	struct json *all = (struct json *)json_get(gate, KEY(comparisons));
	struct json *one = all ? all->first : NULL, *next;
	if (!all)
		return;
	assert(!all->more);
	all->first = all->last = NULL;
	all->count = 0;
	for (; one; one = next) {
		next = one->next;
		adopt(span_text_eq(json_text(one, KEY(series), NULL), key) ? list : all, NULL, one);
	}
}

/* What is measured no longer has nothing new to draw. */
static bool is_stopped(const struct site_series *series)
{
	return series->comparison && series->comparison->judged.verdict == VERDICT_STALE;
}

static void add_section(const struct site *site, struct json *sections,
			const struct site_series *series, struct json *report)
{
	struct arena *arena = site->arena;
	struct json *section = render_site_add_series(site, sections, series);
	render_site_add_timelines(site, section, series);
	if (series->points.count) {
		size_t count = site->kernels[series->kernel].series_count;
		size_t shown = count < site_shown_series ? count : site_shown_series;
		if (series->points.count > 1 && !is_stopped(series))
			render_site_add_trend(site, section, series,
					      oldest_of(site, series->kernel), shown);
		const struct history_point *points = series->points.items;
		const struct revision *first = &site->set->chain[points[0].commit];
		render_site_add_revision(site, section, "first", first, false);
		add_points_table(site, section, series, shown);
	}
	struct json *changes = json_set_array(arena, section, "level_changes");
	for (size_t i = series->change_count; i-- > 0;)
		render_site_add_change(site, changes, series, &series->changes[i]);
	add_comparisons(section, arena, json_get(report, KEY(gate)), series->key);
}

/* Adds and returns what distinguishes the series within its kernel. */
static const char *add_short_name(const struct site *site, struct json *row,
				  const struct site_series *series)
{
	const char *kernel = site->kernels[series->kernel].name, *name = series->name;
	size_t length = strlen(kernel);
	if (strncmp(name, kernel, length) == 0 && name[length] == ' ')
		name += length + 1;
	json_set_text(site->arena, row, "short_name", name);
	return name;
}

/* Adds a section for each of the first series that stopped, or that did not. */
static void add_sections(const struct site *site, const struct site_kernel *kernel,
			 struct json *report, struct json *const *runs, struct json *sections,
			 bool stopped)
{
	for (size_t i = 0; i < kernel->series_count && i < site_shown_series; i++) {
		const struct site_series *series = &site->series[kernel->series[i]];
		if (is_stopped(series) != stopped)
			continue;
		add_section(site, sections, series, report);
		add_short_name(site, sections->last, series);
		render_site_add_facts(site, sections->last, runs[i]);
		json_set_bool(site->arena, sections->last, "stopped", stopped);
		json_set_bool(site->arena, sections->last, "leads", sections->count == 1);
		if (runs[i])
			adopt(sections->last, "run", runs[i]);
	}
}

/* What all its series share, each a tag. */
static void add_tags(const struct site *site, struct json *document,
		     const struct site_kernel *kernel)
{
	struct arena *arena = site->arena;
	struct json *list = json_set_array(arena, document, "tags");
	const char *at = kernel->common ? kernel->common : "";
	while (*at) {
		const char *end = strstr(at, ", ");
		size_t length = end ? (size_t)(end - at) : strlen(at);
		json_add_text(arena, list, arena_prefix(arena, at, length));
		at += length + (end ? 2 : 0);
	}
}

static bool arrives(const struct site *site, size_t series)
{
	return render_site_state(site, &site->series[series]) != SITE_STOPPED;
}

/* Adds the links to the series; those that stopped arriving apart, unless all did. */
static void add_switch(const struct site *site, struct json *document,
		       const struct site_kernel *kernel)
{
	enum { LONG = 14 }; /* bytes of a name that leave no room for its line next to it */
	struct arena *arena = site->arena;
	struct json *rows = json_set_array(arena, document, KEY(series)),
		    *stopped = json_set_array(arena, document, "stopped_series");
	size_t arriving = 0;
	for (size_t i = 0; i < kernel->series_count; i++)
		arriving += arrives(site, kernel->series[i]);
	for (size_t i = 0; i < kernel->series_count; i++) {
		bool apart = arriving && !arrives(site, kernel->series[i]);
		const struct site_series *series = &site->series[kernel->series[i]];
		struct json *row = render_site_add_series(site, apart ? stopped : rows, series);
		json_set_bool(arena, row, "long", strlen(add_short_name(site, row, series)) > LONG);
		json_set_bool(arena, row, KEY(folded), i >= site_shown_series);
	}
	if (stopped->count)
		json_set_number(arena, document, "stopped_count", (double)stopped->count);
}

/* The runs are in the order of the series that have one. */
struct json *render_site_kernel(const struct site *site, const struct site_kernel *kernel,
				struct json *report, const bool *has_run)
{
	struct arena *arena = site->arena;
	struct json *document = render_site_document(site, "../", kernel->name);
	const struct json *list = json_get(report, KEY(runs));
	struct json *run = list ? list->first : NULL, *runs[site_shown_series] = {NULL};
	for (size_t i = 0; i < kernel->series_count && i < site_shown_series; i++) {
		runs[i] = has_run[i] ? run : NULL;
		run = runs[i] ? run->next : run;
	}
	json_set_text(arena, document, "slug", kernel->slug);
	render_site_add_parts(arena, document, kernel->name);
	add_tags(site, document, kernel);
	json_set_bool(arena, document, "on_kernels", true);
	json_set_text(arena, document, KEY(common), kernel->common);
	json_set_number(arena, document, "series_count", (double)kernel->series_count);
	if (kernel->series_count > 1) {
		json_set_bool(arena, document, "several", true);
		add_switch(site, document, kernel);
	}
	add_charts(site, document, report);
	struct json *sections = json_set_array(arena, document, "sections");
	add_sections(site, kernel, report, runs, sections, false);
	add_sections(site, kernel, report, runs, sections, true);
	if (kernel->series_count > site_shown_series)
		json_set_number(arena, document, "series_shown", site_shown_series);
	return document;
}
