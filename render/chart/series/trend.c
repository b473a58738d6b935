/* Trends as small multiples, or a single trend. */
#include "render/chart/series/trend.h"

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/text/text.h"
#include "render/chart/series/trend_panel.h"

enum { COLUMNS = 2 };
static const double panel_height = 138, panel_gap = 22;

static const char *const key =
	"The value of each commit with the levels; 0 is the candidate (diamond), left of it the "
	"commits before. Shaded: where the next commit is expected in 95 of 100 cases. Dotted: a "
	"change of level, at the commit that it is attributed to (hollow, ?: few commits speak for "
	"it). Flag: accepted.";

struct trends {
	struct chart_plot plot;
	const struct json *items[CHART_TREND_PANELS];
	size_t count, hidden, without;
	double oldest, bin;
};

static void read_trends(struct trends *drawing, const struct json *report)
{
	const struct json *list = json_get(json_get(report, KEY(gate)), KEY(comparisons));
	for (const struct json *one = list ? list->first : NULL; one; one = one->next) {
		const struct json *trend = json_get(one, KEY(trend));
		if (!trend) {
			drawing->without++;
		} else if (drawing->count == CHART_TREND_PANELS) {
			drawing->hidden++;
		} else {
			drawing->items[drawing->count++] = one;
			drawing->oldest = fmax(drawing->oldest, trend_panel_oldest(trend));
			drawing->bin = fmax(drawing->bin, json_number(trend, KEY(bin), 1));
		}
	}
}

static double draw_panels(struct trends *drawing, double top)
{
	struct chart_plot *plot = &drawing->plot;
	double width = (CHART_WIDTH - 2 * CHART_MARGIN - panel_gap) / COLUMNS;
	for (size_t i = 0; i < drawing->count; i++) {
		double left = CHART_MARGIN + (double)(i % COLUMNS) * (width + panel_gap);
		double y = top + (double)(i / COLUMNS) * (panel_height + panel_gap / 2);
		struct trend_panel panel = {.arena = plot->arena,
					    .scene = plot->scene,
					    .palette = plot->palette,
					    .comparison = drawing->items[i],
					    .trend = json_get(drawing->items[i], KEY(trend)),
					    .box = {left, y, left + width, y + panel_height},
					    .oldest = drawing->oldest};
		trend_panel_draw(&panel);
	}
	size_t rows = (drawing->count + COLUMNS - 1) / COLUMNS;
	return top + (double)rows * (panel_height + panel_gap / 2);
}

static double draw_notes(const struct trends *drawing, double y)
{
	struct chart_plot plot = drawing->plot;
	y = plot_note(&plot, y, key, 3);
	if (drawing->bin > 1)
		y = plot_note(&plot, y,
			      arena_printf(plot.arena,
					   "Of every %.0f commits the median is drawn, and all "
					   "between the least and the largest.",
					   drawing->bin),
			      1);
	if (drawing->hidden)
		y = plot_note(&plot, y,
			      quantity_count_text(plot.arena, drawing->hidden,
						  "more comparison is not drawn.",
						  "more comparisons are not drawn."),
			      1);
	return y;
}

int chart_trend(struct arena *arena, const struct json *report, bool dark, struct scene **scene,
		struct error *err)
{
	struct trends drawing = {.plot = {.arena = arena, .palette = palette_of(dark)}};
	struct chart_plot *plot = &drawing.plot;
	read_trends(&drawing, report);
	if (!drawing.count)
		return error_set(err, ERR_FORMAT,
				 "the report has no trends: there is no history to draw");
	const struct json *candidate = json_get(json_get(report, KEY(gate)), KEY(candidate));
	plot->scene = scene_new(arena, CHART_WIDTH, 0, plot->palette->background);
	const char *title = arena_printf(arena, "Trends up to %s",
					 json_text(candidate, KEY(short), "the newest commit"));
	size_t all = drawing.count + drawing.hidden + drawing.without;
	const char *below = arena_printf(
		arena, "%s, %s; the worst of %s first", json_text(candidate, KEY(subject), ""),
		json_text(candidate, KEY(time), "of unknown time"),
		quantity_count_text(arena, all, "comparison", "comparisons"));
	plot_heading(plot, title, below);
	scene_describe(
		plot->scene, title,
		arena_printf(arena, "%s, a comparison each, over %s.",
			     quantity_count_text(arena, drawing.count, "panel", "panels"),
			     quantity_count_text(arena, (size_t)fmin(drawing.oldest, 4e9) + 1,
						 "commit", "commits")));
	double y = draw_panels(&drawing, 72);
	plot->scene->height = ceil(draw_notes(&drawing, y + 6) + 16);
	*scene = plot->scene;
	return 0;
}

struct scene *chart_trend_of(struct arena *arena, const struct json *comparison, bool dark,
			     struct scene_point size, uint32_t oldest)
{
	const struct json *trend = json_get(comparison, KEY(trend));
	const struct palette *palette = palette_of(dark);
	if (!trend)
		return NULL;
	struct scene *scene = scene_new(arena, size.x, size.y, palette->background);
	struct trend_panel panel = {.arena = arena,
				    .scene = scene,
				    .palette = palette,
				    .comparison = comparison,
				    .trend = trend,
				    .box = {8, 6, size.x - 8, size.y - 4},
				    .oldest = oldest ? oldest : trend_panel_oldest(trend)};
	const char *title = arena_printf(arena, "Trend of %s", trend_panel_name(arena, comparison));
	scene_describe(scene, title,
		       arena_printf(arena, "%s: %s over %.0f commits",
				    json_text(comparison, KEY(verdict), "not judged"),
				    json_text(comparison, KEY(title), "value"),
				    json_number(trend, KEY(commits), 0)));
	trend_panel_draw(&panel);
	return scene;
}

static void set_svg(struct arena *arena, struct json *comparison, uint32_t oldest)
{
	static const struct scene_point size = {400, 140};
	struct arena scratch = {0};
	struct json *trend = (struct json *)json_get(comparison, KEY(trend));
	struct scene *scene = chart_trend_of(&scratch, comparison, false, size, oldest);
	json_set_text(arena, trend, "svg", scene_page_svg(&scratch, scene));
	arena_free(&scratch);
}

bool chart_trend_inline(struct arena *arena, struct json *document)
{
	const struct json *list = json_get(json_get(document, KEY(gate)), KEY(comparisons));
	double oldest = 0;
	bool any = false;
	for (const struct json *one = list ? list->first : NULL; one; one = one->next)
		oldest = fmax(oldest, trend_panel_oldest(json_get(one, KEY(trend))));
	for (struct json *one = list ? list->first : NULL; one; one = one->next)
		if (json_get(one, KEY(trend))) {
			set_svg(arena, one, (uint32_t)fmin(oldest, 4e9));
			any = true;
		}
	return any;
}
