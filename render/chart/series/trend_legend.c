/* The legend of trends: what their marks mean. */
#include "render/chart/series/trend_panel.h"

#include "render/document/key.h"

#include "base/json/json.h"
#include "render/vocabulary/vocabulary.h"

static const double glyph = 28, gap = 18, row_height = 19;

void trend_panel_legend_add(struct trend_panel_legend *legend, const struct trend_panel *panel,
			    const struct trend_panel_points *points)
{
	const struct json *trend = panel->trend;
	const struct trend_commits *commits = panel->commits;
	legend->dots = legend->dots || !points->binned;
	legend->bins = legend->bins || points->binned;
	legend->far += points->far;
	legend->band = legend->band || json_get(trend, KEY(band)) || json_first(trend, KEY(noises));
	legend->accepted = legend->accepted || json_first(trend, KEY(accepted));
	for (const struct json *one = json_first(trend, KEY(changes)); one; one = one->next) {
		bool sure = json_truth(one, KEY(confirmed));
		legend->changes = legend->changes || sure;
		legend->tentative = legend->tentative || !sure;
	}
	for (size_t i = 0; commits && i < commits->count && (double)i <= panel->oldest; i++)
		legend->releases = legend->releases || commits->items[i].release;
}

static void glyph_dot(struct chart_plot *plot, double x, double y)
{
	scene_mark(plot->scene, SCENE_CIRCLE, x + 11, y, 3, scene_fill(plot->palette->data, 1));
}

static void glyph_bin(struct chart_plot *plot, double x, double y)
{
	scene_rect(plot->scene, x, y - 5, 20, 10, scene_fill(plot->palette->data, 0.25));
	scene_line(plot->scene, x, y, x + 20, y, scene_stroke(plot->palette->data, 1.25));
}

static void glyph_level(struct chart_plot *plot, double x, double y)
{
	scene_line(plot->scene, x, y, x + 20, y, scene_stroke(plot->palette->ink, 1.75));
}

void trend_panel_glyph_band(struct chart_plot *plot, double x, double y)
{
	scene_rect(plot->scene, x, y - 5, 20, 10, scene_fill(plot->palette->band, 1))->radius = 2;
}

static void upright(struct chart_plot *plot, double x, double y, struct scene_style style,
		    enum scene_dash dash)
{
	style.dash = dash;
	scene_line(plot->scene, x + 11, y - 6, x + 11, y + 6, style);
}

static void glyph_change(struct chart_plot *plot, double x, double y)
{
	upright(plot, x, y, scene_stroke(plot->palette->ink2, 1.5), SCENE_DASHED);
}

static void glyph_tentative(struct chart_plot *plot, double x, double y)
{
	struct scene_style style = {
		.fill = plot->palette->background, .stroke = plot->palette->ink2, .width = 1};
	scene_mark(plot->scene, SCENE_TRIANGLE, x + 11, y, 4, style);
}

static void glyph_accepted(struct chart_plot *plot, double x, double y)
{
	upright(plot, x, y, scene_stroke(plot->palette->accepted, 1.5), SCENE_DASHED);
}

static void glyph_release(struct chart_plot *plot, double x, double y)
{
	upright(plot, x, y, scene_stroke(plot->palette->frame, 1.25), SCENE_DOTTED);
}

void trend_panel_legend_entries(struct chart_plot *plot, const struct trend_panel_entry *entries,
				size_t count)
{
	double x = plot->left;
	for (size_t i = 0; i < count; i++) {
		double width = glyph + plot_text_width(PLOT_LABEL, entries[i].text);
		if (!entries[i].shown)
			continue;
		if (x > plot->left && x + width > plot->right) {
			x = plot->left;
			plot->below += row_height;
		}
		entries[i].draw(plot, x, plot->below + row_height / 2);
		plot_text(plot, x + glyph, plot->below + row_height / 2 + 4, PLOT_LABEL,
			  entries[i].text);
		x += width + gap;
	}
	plot->below += row_height;
}

void trend_panel_legend_draw(struct chart_plot *plot, const struct trend_panel_legend *legend)
{
	const struct trend_panel_entry entries[] = {
		{legend->dots, glyph_dot, vocabulary_format("a commit, median")},
		{legend->bins, glyph_bin, vocabulary_format("several commits, median and range")},
		{true, glyph_level, vocabulary_format("level")},
		{legend->band, trend_panel_glyph_band, vocabulary_format("noise between commits")},
		{legend->changes, glyph_change, vocabulary_format("change point")},
		{legend->tentative, glyph_tentative,
		 vocabulary_format("?: few commits support it")},
		{legend->accepted, glyph_accepted, vocabulary_format("accepted")},
		{legend->releases, glyph_release, vocabulary_format("release")},
	};
	trend_panel_legend_entries(plot, entries, sizeof entries / sizeof *entries);
}
