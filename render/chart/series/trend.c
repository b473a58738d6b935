/* Trends of many series: the first at full width, the others side by side. A single trend. */
#include "render/chart/series/trend.h"

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/text/text.h"
#include "render/chart/series/trend_panel.h"
#include "render/vocabulary/vocabulary.h"

enum { DOTS = 240, LEAST_COLUMN = 340 };
static const double panel_gap = 24, row_gap = 16;

struct trends {
	struct chart_plot plot;
	const struct json *report;
	const struct json *items[CHART_TREND_PANELS];
	size_t count, hidden, stopped;
	struct trend_panel_tally tally;
	struct strbuf names; /* of those that stopped */
	struct trend_commits commits;
	struct trend_panel_legend legend;
	double oldest, bin;
};

/* A series that stopped has nothing new to draw; a note names the first of them. */
static void note_stopped(struct trends *drawing, const struct json *one)
{
	enum { NAMED = 3 };
	if (drawing->stopped++ < NAMED)
		strbuf_addf(&drawing->names, "%s%s", drawing->names.len ? "; " : "",
			    trend_panel_name(drawing->plot.arena, one));
}

static void read_trends(struct trends *drawing)
{
	const struct json *gate = json_get(drawing->report, KEY(gate));
	const struct json *list = json_get(gate, KEY(comparisons));
	/* Those with a trend are children of the list. */
	for (struct json_walk walk = json_walk_of(list); json_walk_next(&walk);) {
		const struct json *one = walk.child;
		const struct json *trend = json_get(one, KEY(trend));
		if (!trend)
			continue;
		if (trend_panel_stopped(one)) {
			note_stopped(drawing, one);
			continue;
		}
		trend_panel_tally_add(&drawing->tally, one);
		if (drawing->count == CHART_TREND_PANELS) {
			drawing->hidden++;
		} else {
			drawing->items[drawing->count++] = one;
			drawing->oldest = fmax(drawing->oldest, trend_panel_oldest(trend));
			drawing->bin = fmax(drawing->bin, json_number(trend, KEY(bin), 1));
		}
	}
}

/* --- panels --- */

static struct trend_panel panel_of(struct trends *drawing, size_t i, double left, double width)
{
	struct trend_panel panel = {.plot = drawing->plot,
				    .comparison = drawing->items[i],
				    .trend = json_get(drawing->items[i], KEY(trend)),
				    .oldest = drawing->oldest,
				    .commits = &drawing->commits,
				    .dots = DOTS,
				    .heading = drawing->count > 1,
				    .legend = &drawing->legend};
	panel.box = (struct scene_bounds){left, drawing->plot.below, left + width, 0};
	return panel;
}

/* Draws the panels [from, from + count) side by side, as high as the highest of them needs. */
static void draw_row(struct trends *drawing, size_t from, size_t count)
{
	struct chart_plot *plot = &drawing->plot;
	double whole = plot->right - plot->left, height = 0;
	size_t columns = from == 0 || whole < 2 * LEAST_COLUMN ? 1 : 2;
	double width = (whole - (double)(columns - 1) * panel_gap) / (double)columns;
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < count; i++) {
			double left = plot->left + (double)i * (width + panel_gap);
			struct trend_panel panel = panel_of(drawing, from + i, left, width);
			height = pass ? height : fmax(height, trend_panel_height(&panel));
			panel.box.bottom = panel.box.top + height;
			if (pass)
				trend_panel_draw(&panel);
		}
	plot->below += height + row_gap;
}

static void draw_panels(struct trends *drawing)
{
	double whole = drawing->plot.right - drawing->plot.left;
	size_t columns = whole < 2 * LEAST_COLUMN ? 1 : 2;
	draw_row(drawing, 0, 1);
	for (size_t i = 1; i < drawing->count; i += columns)
		draw_row(drawing, i, drawing->count - i < columns ? drawing->count - i : columns);
}

/* --- words --- */

/* The change that the title is about. */
static void note_change(struct trends *drawing)
{
	const struct json *change = trend_panel_judged_change(drawing->items[0]);
	const struct json *commit = json_get(change, KEY(first_after));
	if (drawing->count == 1 && commit)
		plot_note(&drawing->plot, 2, "%s %s", json_text(commit, KEY(short), ""),
			  json_text(commit, KEY(subject), ""));
}

static void draw_notes(struct trends *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	trend_panel_legend_draw(plot, &drawing->legend);
	plot->below += 6;
	note_change(drawing);
	if (drawing->bin > 1)
		plot_note(plot, 2, vocabulary_format("Each point is the median of %.0f commits."),
			  drawing->bin);
	if (drawing->legend.far)
		plot_note(plot, 2, vocabulary_format("%s outside the range drawn at its edge."),
			  quantity_count_text(plot->arena, drawing->legend.far,
					      vocabulary_format("value"),
					      vocabulary_format("values")));
	if (drawing->stopped)
		plot_note(plot, 3, vocabulary_format("%s not drawn: %s%s"),
			  quantity_count_text(
				  plot->arena, drawing->stopped,
				  vocabulary_format("series not measured at this commit is"),
				  vocabulary_format("series not measured at this commit are")),
			  strbuf_text(&drawing->names), drawing->stopped > 3 ? "; ..." : "");
	if (drawing->hidden)
		plot_note(plot, 1, "%s",
			  quantity_count_text(plot->arena, drawing->hidden,
					      vocabulary_format("more series not drawn."),
					      vocabulary_format("more series not drawn.")));
}

static const char *title_of(const struct trends *drawing)
{
	struct arena *arena = drawing->plot.arena;
	const struct json *first = drawing->items[0];
	const char *finding = trend_panel_finding(arena, first);
	if (drawing->count == 1)
		return arena_printf(arena, vocabulary_format("%s: %s"),
				    trend_panel_name(arena, first), finding);
	return trend_panel_tally_text(arena, &drawing->tally);
}

/* "Total time at 91 commits up to b52e9f4, 2026-11-22: Tests: odd head sizes" */
static const char *line_of(const struct trends *drawing)
{
	struct arena *arena = drawing->plot.arena;
	const struct json *gate = json_get(drawing->report, KEY(gate));
	const struct json *candidate = json_get(gate, KEY(candidate));
	const struct json *trend = json_get(drawing->items[0], KEY(trend));
	const char *subject = json_text(candidate, KEY(subject), "");
	double commits = drawing->count == 1 ? json_number(trend, KEY(commits), 0)
					     : fmin(drawing->oldest, 4e9) + 1;
	return arena_printf(arena, vocabulary_format("%s at %s up to %s%s%s%s%s"),
			    drawing->count == 1 ? json_text(drawing->items[0], KEY(title), "Value")
						: vocabulary_format("Values"),
			    quantity_count_text(arena, (size_t)commits, vocabulary_format("commit"),
						vocabulary_format("commits")),
			    json_text(candidate, KEY(short), "the latest commit"),
			    json_get(candidate, KEY(time)) ? ", " : "",
			    arena_prefix(arena, json_text(candidate, KEY(time), ""), 10),
			    *subject ? ": " : "", subject);
}

int chart_trend(struct arena *arena, const struct json *report, const struct chart_look *look,
		struct scene **scene, struct error *err)
{
	struct trends drawing = {.report = report};
	struct chart_plot *plot = &drawing.plot;
	plot_begin(plot, arena, look->dark, look->width);
	read_trends(&drawing);
	if (!drawing.count) {
		strbuf_free(&drawing.names);
		return error_set(
			err, ERR_FORMAT,
			"no history to plot: measure at least two commits\nhint: rooflog ingest "
			"FILE, at each of them");
	}
	drawing.commits = trend_panel_commits(arena, report);
	const char *title = title_of(&drawing), *line = line_of(&drawing);
	plot_heading(plot, title, line, line);
	plot->below += 4;
	draw_panels(&drawing);
	draw_notes(&drawing);
	strbuf_free(&drawing.names);
	*scene = plot_end(plot, 16);
	return 0;
}

struct scene *chart_trend_of(struct arena *arena, const struct json *comparison,
			     const struct trend_view *view)
{
	const struct json *trend = json_get(comparison, KEY(trend));
	const struct palette *palette = palette_of(view->dark);
	if (!trend)
		return NULL;
	struct scene *scene = scene_new(arena, view->size.x, view->size.y, palette->background);
	struct trend_panel panel = {.plot = {arena, scene, palette, .below = 0},
				    .comparison = comparison,
				    .trend = trend,
				    .box = {2, 4, view->size.x - 2, view->size.y - 2},
				    .oldest =
					    view->oldest ? view->oldest : trend_panel_oldest(trend),
				    .commits = view->commits,
				    .dots = view->dots,
				    .heading = view->heading};
	const char *title = arena_printf(arena, vocabulary_format("Trend of %s"),
					 trend_panel_name(arena, comparison));
	scene_describe(scene, title,
		       arena_printf(arena, vocabulary_format("%s: %s over %.0f commits"),
				    json_text(comparison, KEY(verdict_text), "not judged"),
				    json_text(comparison, KEY(title), "value"),
				    json_number(trend, KEY(commits), 0)));
	if (view->size.y <= 0) {
		panel.box.bottom = panel.box.top + trend_panel_height(&panel);
		scene->height = ceil(panel.box.bottom + 2);
	}
	trend_panel_draw(&panel);
	plot_close_percents(scene);
	for (size_t i = 0; view->plain && i < scene->count; i++)
		scene->items[i].tooltip = scene->items[i].href = NULL;
	return scene;
}

struct scene *chart_trend_first(struct arena *arena, const struct json *document, bool dark,
				bool narrow)
{
	const struct trend_commits commits = trend_panel_commits(arena, document);
	const struct trend_view view = {.size = {narrow ? 400 : 820, 0},
					.commits = &commits,
					.dark = dark,
					.heading = true,
					.dots = 200};
	return chart_trend_of(arena, json_first(json_get(document, KEY(gate)), KEY(comparisons)),
			      &view);
}

/* --- pages with many --- */

static bool is_news(const struct json *comparison)
{
	return strcmp(json_text(comparison, KEY(verdict), ""), "unchanged") != 0;
}

/* A page draws every series that changed, and unchanged ones up to a number of panels. */
static bool is_shown(const struct json *comparison, size_t shown)
{
	return json_get(comparison, KEY(trend)) && !trend_panel_stopped(comparison) &&
	       (is_news(comparison) || shown < CHART_TREND_PANELS);
}

static void add_left_out(struct arena *arena, const struct json *document, size_t count)
{
	json_set_text(arena, (struct json *)json_get(document, KEY(gate)), "trends_left_out",
		      quantity_count_text(arena, count, "series", "series"));
}

bool chart_trend_inline(struct arena *arena, struct json *document)
{
	enum { ALL_DOTS = 1500 };
	struct json *first = json_first(json_get(document, KEY(gate)), KEY(comparisons));
	struct trend_commits commits = trend_panel_commits(arena, document);
	double oldest = 0;
	size_t shown = 0, drawn = 0, all = 0;
	/* Those with a trend are children of the list (report_add_trends()). */
	for (const struct json *one = first; one; one = one->next) {
		if (is_shown(one, shown))
			shown++;
		all += json_get(one, KEY(trend)) != NULL;
		oldest = fmax(oldest, trend_panel_oldest(json_get(one, KEY(trend))));
	}
	const struct trend_view view = {.size = {400, 260},
					.heading = true,
					.oldest = (uint32_t)fmin(oldest, 4e9),
					.commits = &commits,
					.dots = ALL_DOTS / (shown + 1)};
	for (struct json *one = first; one; one = one->next) {
		if (!is_shown(one, drawn))
			continue;
		struct arena scratch = {0};
		struct scene *scene = chart_trend_of(&scratch, one, &view);
		json_set_text(arena, json_get(one, KEY(trend)), "svg",
			      scene_page_svg(&scratch, scene));
		arena_free(&scratch);
		drawn++;
	}
	if (all > drawn)
		add_left_out(arena, document, all - drawn);
	return drawn > 0;
}
