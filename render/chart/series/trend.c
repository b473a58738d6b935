/* Trends as small multiples, or a single trend. */
#include "render/chart/series/trend.h"

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/text/text.h"
#include "render/chart/series/trend_panel.h"

enum { COLUMNS = 2 };
static const double panel_height = 138, panel_gap = 22;

static const char *const key =
	"Values per commit with segment means; 0 is this commit (diamond). Band: 95 % prediction "
	"for the next commit. Dotted: change point (hollow, ?: tentative). Flag: accepted.";

struct trends {
	struct chart_plot plot;
	const struct json *items[CHART_TREND_PANELS];
	size_t count, hidden, without;
	double oldest, bin;
};

static void read_trends(struct trends *drawing, const struct json *report)
{
	const struct json *gate = json_get(report, KEY(gate));
	const struct json *list = json_get(gate, KEY(comparisons));
	/* Those with a trend are children of the list. */
	for (struct json_walk walk = json_walk_of(list); json_walk_next(&walk);) {
		const struct json *one = walk.child;
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
					    .oldest = drawing->oldest};
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
	if (drawing->hidden)
		plot_note(plot, 1, "%s",
			  quantity_count_text(plot->arena, drawing->hidden,
					      "more series not drawn.", "more series not drawn."));
}

int chart_trend(struct arena *arena, const struct json *report, bool dark, struct scene **scene,
		struct error *err)
{
	struct trends drawing = {.count = 0};
	struct chart_plot *plot = &drawing.plot;
	read_trends(&drawing, report);
	if (!drawing.count)
		return error_set(err, ERR_FORMAT,
				 "no history to plot: measure at least two commits");
	const struct json *candidate = json_get(json_get(report, KEY(gate)), KEY(candidate));
	size_t commits = (size_t)fmin(drawing.oldest, 4e9) + 1;
	plot_begin(plot, arena, dark);
	plot_heading(plot,
		     arena_printf(arena, "Trends up to %s",
				  json_text(candidate, KEY(short), "the latest commit")),
		     arena_printf(arena, "%s, %s", json_text(candidate, KEY(subject), ""),
				  json_text(candidate, KEY(time), "unknown date")),
		     arena_printf(arena, "%s, one per series, over %s.",
				  quantity_count_text(arena, drawing.count, "panel", "panels"),
				  quantity_count_text(arena, commits, "commit", "commits")));
	plot->below = 72;
	draw_panels(&drawing);
	plot->below += 6;
	draw_notes(&drawing);
	*scene = plot_end(plot, 16);
	return 0;
}

struct scene *chart_trend_of(struct arena *arena, const struct json *comparison,
			     struct scene_point size, uint32_t oldest)
{
	const struct json *trend = json_get(comparison, KEY(trend));
	const struct palette *palette = palette_of(false);
	if (!trend)
		return NULL;
	struct scene *scene = scene_new(arena, size.x, size.y, palette->background);
	struct trend_panel panel = {.plot = {arena, scene, palette, .below = 0},
				    .comparison = comparison,
				    .trend = trend,
				    .box = {8, 6, size.x - 8, size.y - 4},
				    .oldest = oldest ? oldest : trend_panel_oldest(trend)};
	const char *title = arena_printf(arena, "Trend of %s", trend_panel_name(arena, comparison));
	scene_describe(scene, title,
		       arena_printf(arena, "%s: %s over %.0f commits",
				    json_text(comparison, KEY(verdict_text), "not judged"),
				    json_text(comparison, KEY(title), "value"),
				    json_number(trend, KEY(commits), 0)));
	trend_panel_draw(&panel);
	return scene;
}

bool chart_trend_inline(struct arena *arena, struct json *document)
{
	static const struct scene_point size = {400, 140};
	struct json *first = json_first(json_get(document, KEY(gate)), KEY(comparisons));
	double oldest = 0;
	bool any = false;
	/* Those with a trend are children of the list (report_add_trends()). */
	for (const struct json *one = first; one; one = one->next)
		oldest = fmax(oldest, trend_panel_oldest(json_get(one, KEY(trend))));
	for (struct json *one = first; one; one = one->next) {
		struct arena scratch = {0};
		struct scene *scene =
			chart_trend_of(&scratch, one, size, (uint32_t)fmin(oldest, 4e9));
		if (scene)
			json_set_text(arena, json_get(one, KEY(trend)), "svg",
				      scene_page_svg(&scratch, scene));
		any = any || scene;
		arena_free(&scratch);
	}
	return any;
}
