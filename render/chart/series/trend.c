/* Trends as small multiples, or a single trend. */
#include "render/chart/series/trend.h"

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/text/text.h"
#include "render/chart/series/trend_panel.h"

enum { COLUMNS = 2, DOTS = 60 };
static const double panel_height = 150, panel_gap = 22;

static const char *const key =
	"Values per commit with segment means; right: this commit (diamond). Band: 95 % prediction "
	"for the next commit. Dotted: change point (hollow, ?: tentative). Flag: accepted.";

struct trends {
	struct chart_plot plot;
	const struct json *items[CHART_TREND_PANELS];
	size_t count, hidden, stopped;
	struct strbuf names; /* of those that stopped */
	struct trend_commits commits;
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

static void read_trends(struct trends *drawing, const struct json *report)
{
	const struct json *gate = json_get(report, KEY(gate));
	const struct json *list = json_get(gate, KEY(comparisons));
	/* Those with a trend are children of the list. */
	for (struct json_walk walk = json_walk_of(list); json_walk_next(&walk);) {
		const struct json *one = walk.child;
		const struct json *trend = json_get(one, KEY(trend));
		if (!trend)
			continue;
		if (trend_panel_stopped(one)) {
			note_stopped(drawing, one);
		} else if (drawing->count == CHART_TREND_PANELS) {
			drawing->hidden++;
		} else {
			drawing->items[drawing->count++] = one;
			drawing->oldest = fmax(drawing->oldest, trend_panel_oldest(trend));
			drawing->bin = fmax(drawing->bin, json_number(trend, KEY(bin), 1));
		}
	}
}

/* Draws the panels in rows from plot->below on. */
static void draw_panels(struct trends *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	double width = (CHART_WIDTH - 2 * CHART_MARGIN - panel_gap) / COLUMNS;
	double pitch = panel_height + panel_gap / 2;
	for (size_t i = 0; i < drawing->count; i++) {
		double left = CHART_MARGIN + (double)(i % COLUMNS) * (width + panel_gap);
		double y = plot->below + (double)(i / COLUMNS) * pitch;
		struct trend_panel panel = {.plot = *plot,
					    .comparison = drawing->items[i],
					    .trend = json_get(drawing->items[i], KEY(trend)),
					    .box = {left, y, left + width, y + panel_height},
					    .oldest = drawing->oldest,
					    .commits = &drawing->commits,
					    .dots = DOTS};
		trend_panel_draw(&panel);
	}
	size_t rows = (drawing->count + COLUMNS - 1) / COLUMNS;
	plot->below += (double)rows * pitch;
}

static void draw_notes(struct trends *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	plot_note(plot, 3, "%s", key);
	if (drawing->bin > 1)
		plot_note(plot, 1,
			  "Each point is the median of %.0f commits; the band shows their range.",
			  drawing->bin);
	if (drawing->stopped)
		plot_note(plot, 2, "%s not drawn: %s%s",
			  quantity_count_text(plot->arena, drawing->stopped,
					      "series not measured at this commit is",
					      "series not measured at this commit are"),
			  strbuf_text(&drawing->names), drawing->stopped > 3 ? "; ..." : "");
	if (drawing->hidden)
		plot_note(plot, 1, "%s",
			  quantity_count_text(plot->arena, drawing->hidden,
					      "more series not drawn.", "more series not drawn."));
}

int chart_trend(struct arena *arena, const struct json *report, const struct chart_look *look,
		struct scene **scene, struct error *err)
{
	struct trends drawing = {.count = 0};
	struct chart_plot *plot = &drawing.plot;
	plot_begin(plot, arena, look->dark, CHART_WIDTH);
	read_trends(&drawing, report);
	if (!drawing.count) {
		strbuf_free(&drawing.names);
		return error_set(err, ERR_FORMAT,
				 "no history to plot: measure at least two commits");
	}
	drawing.commits = trend_panel_commits(arena, report);
	const struct json *candidate = json_get(json_get(report, KEY(gate)), KEY(candidate));
	size_t commits = (size_t)fmin(drawing.oldest, 4e9) + 1;
	plot_heading(plot,
		     arena_printf(arena, "Trends up to %s",
				  json_text(candidate, KEY(short), "the latest commit")),
		     arena_printf(arena, "%s, %s", json_text(candidate, KEY(subject), ""),
				  json_text(candidate, KEY(time), "unknown date")),
		     arena_printf(arena, "%s, one per series, over %s.",
				  quantity_count_text(arena, drawing.count, "panel", "panels"),
				  quantity_count_text(arena, commits, "commit", "commits")));
	draw_panels(&drawing);
	plot->below += 6;
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
				    .box = {8, 6, view->size.x - 8, view->size.y - 4},
				    .oldest =
					    view->oldest ? view->oldest : trend_panel_oldest(trend),
				    .commits = view->commits,
				    .dots = view->dots};
	const char *title = arena_printf(arena, "Trend of %s", trend_panel_name(arena, comparison));
	scene_describe(scene, title,
		       arena_printf(arena, "%s: %s over %.0f commits",
				    json_text(comparison, KEY(verdict_text), "not judged"),
				    json_text(comparison, KEY(title), "value"),
				    json_number(trend, KEY(commits), 0)));
	trend_panel_draw(&panel);
	return scene;
}

struct scene *chart_trend_first(struct arena *arena, const struct json *document, bool dark,
				bool narrow)
{
	const struct trend_commits commits = trend_panel_commits(arena, document);
	const struct trend_view view = {
		.size = {narrow ? 400 : 820, 240}, .commits = &commits, .dark = dark, .dots = 200};
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
	const struct trend_view view = {.size = {400, 152},
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
