/* Distribution of repeats: both sides of a comparison on one axis, with the noise between commits.
 */

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/text/text.h"
#include "model/run/run.h"
#include "render/chart/plot/plot.h"
#include "render/chart/series/trend_panel.h"
#include "render/vocabulary/vocabulary.h"

enum { CHART_DISTRIBUTION_PANELS = 8 }; /* per picture; a note states how many are left out */

enum { ROWS_OF_SIDE = 6, SIDES = 2, STACK = 5, BOX_FROM = 40 };
static const double row_height = 24, axis_height = 22, panel_gap = 18, dot_radius = 2.75,
		    largest = 1e30;
/* Half the noise band, in standard deviations: 95 % of the commits. */
static const double noise_reach = 1.96;

struct row {
	const struct json *json;
	const char *side, *name, *commit; /* "A", "baseline", id */
	bool candidate;
};

struct panel {
	struct chart_plot *plot;
	const struct json *comparison;
	struct row rows[SIDES * ROWS_OF_SIDE];
	size_t count;
	double hidden; /* rows that are not drawn */
	enum unit unit;
	struct chart_axis x;
	double top; /* of the rows */
	struct trend_panel_colours colours;
};

static double number_of(const struct json *row, const char *name)
{
	const struct json *member = json_get(row, name);
	double value = member && member->type == JSON_NUMBER ? member->number
							     : json_number(member, KEY(value), NAN);
	return fabs(value) < largest ? value : NAN;
}

static void read_side(struct panel *panel, const char *name)
{
	const struct json *side = json_get(json_get(panel->comparison, KEY(distribution)), name);
	const char *commit = json_text(json_get(side, KEY(commit)), KEY(short), "");
	bool candidate = strcmp(name, "candidate") == 0;
	size_t count = 0;
	for (const struct json *row = json_first(side, KEY(rows)); row; row = row->next, count++)
		if (count < ROWS_OF_SIDE)
			panel->rows[panel->count++] =
				(struct row){row, candidate ? "B" : "A", name, commit, candidate};
	panel->hidden += count > ROWS_OF_SIDE ? (double)(count - ROWS_OF_SIDE) : 0;
	panel->hidden += json_number(side, KEY(more), 0);
}

/* --- axis --- */

static void widen(struct panel *panel, double value)
{
	/* fmin() and fmax() ignore NAN. */
	panel->x.low = fmin(panel->x.low, value);
	panel->x.high = fmax(panel->x.high, value);
}

/* A repeat; NAN if it cannot be drawn. */
static double repeat_of(const struct json *value)
{
	return value->type == JSON_NUMBER && fabs(value->number) < largest ? value->number : NAN;
}

static void set_axis(struct panel *panel)
{
	static const char *const names[] = {"minimum", "median", "mean", "maximum"};
	panel->x = (struct chart_axis){HUGE_VAL, -HUGE_VAL, panel->plot->left + 6,
				       panel->plot->right - 6, false};
	for (size_t i = 0; i < panel->count; i++) {
		const struct json *row = panel->rows[i].json;
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			widen(panel, number_of(row, names[k]));
		for (const struct json *v = json_first(row, KEY(values)); v; v = v->next)
			widen(panel, repeat_of(v));
	}
	widen(panel, number_of(panel->comparison, KEY(baseline)));
	if (!(panel->x.low <= panel->x.high))
		panel->x.low = panel->x.high = 0;
	/* Margins of 10 %, and at least 0.5 % of the values on either side: equal repeats must not
	 * look spread. */
	double middle = (panel->x.low + panel->x.high) / 2;
	double size = fmax(fabs(panel->x.low), fabs(panel->x.high));
	double half = fmax((panel->x.high - panel->x.low) / 2 * 1.2, size * 0.005);
	half = half > 0 ? half : 0.5;
	panel->x.low = middle - half;
	panel->x.high = middle + half;
}

static void draw_axis(const struct panel *panel, double bottom)
{
	struct chart_plot *plot = panel->plot;
	int parts = plot->narrow ? 3 : 6;
	double step = plot_step(panel->x.high - panel->x.low, parts), last = HUGE_VAL;
	double used = 0;
	scene_line(plot->scene, panel->x.from, bottom, panel->x.to, bottom,
		   scene_stroke(plot->palette->frame, 1));
	/* `last` ends the loop if a step is below the resolution of a huge value. */
	for (double value = ceil(panel->x.low / step) * step;
	     value <= panel->x.high && value != last; value += step) {
		double at = plot_at(&panel->x, value);
		const char *text =
			plot_value_text(plot->arena, &panel->x, fabs(value) < step / 2 ? 0 : value,
					step, panel->unit);
		double half = plot_text_width(PLOT_SMALL, text) / 2;
		last = value;
		if (at - half < used || at + half > plot->right + 6)
			continue;
		used = at + half + 8;
		scene_line(plot->scene, at, bottom, at, bottom + 4,
			   scene_stroke(plot->palette->frame, 1));
		plot_text(plot, at, bottom + 16, PLOT_SMALL | PLOT_MUTED | PLOT_MIDDLE, text);
	}
}

static double x_of(const struct panel *panel, double value)
{
	double at = plot_at(&panel->x, value);
	return round(fmin(fmax(at, panel->plot->left), panel->plot->right) * 10) / 10;
}

/* --- rows --- */

static uint32_t colour_of(const struct panel *panel, const struct row *row)
{
	return row->candidate ? panel->colours.line : panel->plot->palette->muted;
}

static bool has_dots(const struct json *row)
{
	const struct json *values = json_get(row, KEY(values));
	return values && values->count > 0;
}

/* "n = 12 executions", "n = 5000 executions, 1024 known" */
static const char *count_of(struct arena *arena, const struct json *row)
{
	double known = json_number(row, KEY(known), NAN), count = json_number(row, KEY(count), NAN);
	const char *what = vocabulary_format(json_text(row, KEY(what), "repeats"));
	if (isnan(count))
		return arena_printf(arena, vocabulary_format("n unknown %s"), what);
	if (known < count)
		return arena_printf(arena, vocabulary_format("n = %.0f %s, %.0f known"), count,
				    what, known);
	return arena_printf(arena, vocabulary_format("n = %.0f %s"), count, what);
}

/* Minimum to maximum, and the middle half of many repeats. */
static void draw_spread(const struct panel *panel, const struct row *row, double middle)
{
	struct chart_plot *plot = panel->plot;
	const struct json *json = row->json, *values = json_get(json, KEY(values));
	double low = number_of(json, KEY(minimum)), high = number_of(json, KEY(maximum));
	double q1 = number_of(json, KEY(quartile_low)), q3 = number_of(json, KEY(quartile_high));
	struct scene_style line = scene_stroke(colour_of(panel, row), 1);
	line.opacity = 0.5;
	if (low < high)
		scene_line(plot->scene, x_of(panel, low), middle, x_of(panel, high), middle, line);
	if (q1 <= q3 && (!has_dots(json) || values->count >= BOX_FROM))
		scene_tooltip(plot->scene,
			      scene_rect(plot->scene, x_of(panel, q1), middle - 8,
					 fmax(1, x_of(panel, q3) - x_of(panel, q1)), 16,
					 scene_fill(colour_of(panel, row), 0.25)),
			      vocabulary_format("the middle half: %s to %s"),
			      quantity_text(plot->arena, q1, panel->unit),
			      quantity_text(plot->arena, q3, panel->unit));
}

/* Draws dots; overlapping dots are stacked up to the height of the row. */
static void draw_dots(const struct panel *panel, const struct row *row, double middle)
{
	const struct chart_plot *plot = panel->plot;
	const struct json *values = json_get(row->json, KEY(values));
	double last = -HUGE_VAL;
	int level = 0;
	for (const struct json *v = values ? values->first : NULL; v; v = v->next) {
		double value = repeat_of(v), at = x_of(panel, value);
		if (isnan(value))
			continue;
		level = at - last < 2 * dot_radius ? (level + 1) % STACK : 0;
		last = level ? last : at;
		double lift = level % 2 ? (level + 1) / 2 : -level / 2;
		struct scene_item *dot =
			scene_mark(plot->scene, SCENE_CIRCLE, at, middle + lift * 3, dot_radius,
				   scene_fill(colour_of(panel, row), 0.75));
		if (values->count <= 30)
			scene_tooltip(plot->scene, dot, "%s %s: %s", row->name, row->commit,
				      quantity_text(plot->arena, value, panel->unit));
	}
}

/* "A 66.25 us, n = 12 executions", right of the repeats, or over their end without room. */
static void draw_label(const struct panel *panel, const struct row *row, double middle,
		       double value, const char *what)
{
	struct chart_plot *plot = panel->plot;
	double low = number_of(row->json, KEY(minimum)), high = number_of(row->json, KEY(maximum));
	double from = x_of(panel, fmin(low, value)) - 8, to = x_of(panel, fmax(high, value)) + 8;
	const char *text = isnan(value)
				   ? row->side
				   : arena_printf(plot->arena, "%s %s%s", row->side, what,
						  quantity_text(plot->arena, value, panel->unit));
	const char *count = count_of(plot->arena, row->json);
	double width = plot_text_width(PLOT_LABEL, text);
	double whole = width + 10 + plot_text_width(PLOT_SMALL, count);
	bool right = to + whole <= plot->right, left = !right && from - whole >= plot->left;
	double x = right ? to : left ? from - whole : fmax(plot->left, plot->right - whole);
	if (isnan(from) || isnan(to))
		x = plot->left;
	struct scene_item *item = plot_text(plot, x, middle + 4, PLOT_LABEL, text);
	item->halo = plot->palette->background;
	scene_tooltip(plot->scene, item, "%s %s", row->name, row->commit);
	plot_text(plot, x + width + 10, middle + 4, PLOT_SMALL | PLOT_MUTED,
		  plot_shorten(plot, PLOT_SMALL, count, plot->right - x - width - 9))
		->halo = plot->palette->background;
}

static void draw_row(const struct panel *panel, const struct row *row, double middle)
{
	struct chart_plot *plot = panel->plot;
	double median = number_of(row->json, KEY(median)), mean = number_of(row->json, KEY(mean));
	double value = isnan(median) ? mean : median;
	draw_spread(panel, row, middle);
	draw_dots(panel, row, middle);
	if (!isnan(value))
		scene_tooltip(
			plot->scene,
			scene_line(plot->scene, x_of(panel, value), middle - 9, x_of(panel, value),
				   middle + 9, scene_stroke(colour_of(panel, row), 2.5)),
			vocabulary_format("%s %s; mean %s, standard deviation %s"),
			isnan(median) ? vocabulary_format("mean") : vocabulary_format("median"),
			quantity_text(plot->arena, value, panel->unit),
			quantity_text(plot->arena, mean, panel->unit),
			quantity_text(plot->arena, number_of(row->json, KEY(deviation)),
				      panel->unit));
	draw_label(panel, row, middle, value, isnan(median) ? vocabulary_format("mean ") : "");
}

/* The noise between commits around the level of the baseline, which can differ from the newest
 * commit's value, and that level. */
static void draw_noise(const struct panel *panel, double bottom)
{
	struct chart_plot *plot = panel->plot;
	double value = number_of(panel->comparison, KEY(baseline));
	double half = fabs(value) * number_of(panel->comparison, KEY(noise)) * noise_reach;
	struct scene_style style = scene_stroke(plot->palette->frame, 1);
	style.dash = SCENE_DASHED;
	if (isnan(value))
		return;
	if (isfinite(half))
		scene_tooltip(
			plot->scene,
			scene_rect(plot->scene, x_of(panel, value - half), panel->top,
				   x_of(panel, value + half) - x_of(panel, value - half),
				   bottom - panel->top, scene_fill(plot->palette->band, 1)),
			vocabulary_format("95 %% of the commits at the baseline's level: %s to %s"),
			quantity_text(plot->arena, value - half, panel->unit),
			quantity_text(plot->arena, value + half, panel->unit));
	scene_tooltip(plot->scene,
		      scene_line(plot->scene, x_of(panel, value), panel->top, x_of(panel, value),
				 bottom, style),
		      vocabulary_format("compared with %s"),
		      quantity_text(plot->arena, value, panel->unit));
}

/* --- panels --- */

/* "slower, +18.40 % (+17.9 to +18.9 %)" */
static const char *result_of(struct arena *arena, const struct json *comparison)
{
	const char *unknown = vocabulary_label("unknown");
	const char *change = json_text(comparison, KEY(change_text), unknown);
	const char *interval = json_text(json_get(comparison, KEY(interval)), KEY(text), NULL);
	const char *verdict = json_text(comparison, KEY(verdict_text), "not judged");
	if (strcmp(change, unknown) == 0)
		return verdict;
	return interval ? arena_printf(arena, vocabulary_format("%s, %s (95 %%: %s)"), verdict,
				       change, interval)
			: arena_printf(arena, vocabulary_format("%s, %s"), verdict, change);
}

/* The name and the result: in one line, or in two without room for one. */
static void draw_heading(struct panel *panel)
{
	struct chart_plot *plot = panel->plot;
	double width = plot->right - plot->left;
	bool news = panel->colours.line != plot->palette->data;
	unsigned look = news ? PLOT_LABEL | PLOT_BOLD : PLOT_LABEL;
	const char *name = trend_panel_name(plot->arena, panel->comparison);
	const char *result =
		plot_shorten(plot, look, result_of(plot->arena, panel->comparison), width);
	double room = width - plot_text_width(look, result) - 16;
	bool one_line = plot_text_width(PLOT_TEXT | PLOT_BOLD, name) <= room;
	struct scene_type type = {plot_text_size(look),
				  news ? panel->colours.line : plot->palette->ink2, news,
				  one_line ? SCENE_END : SCENE_START};
	const char *shown = plot_shorten(plot, PLOT_TEXT | PLOT_BOLD, name, width);
	struct scene_item *title =
		plot_text(plot, plot->left, plot->below + 12, PLOT_TEXT | PLOT_BOLD, shown);
	if (strcmp(shown, name) != 0)
		scene_tooltip(plot->scene, title, "%s", name);
	plot->below += one_line ? 0 : 16;
	scene_text(plot->scene, one_line ? plot->right : plot->left, plot->below + 12, type,
		   result);
	plot->below += 20;
}

static void draw_comparison(struct chart_plot *plot, const struct json *comparison, double *hidden)
{
	struct panel panel = {.plot = plot,
			      .comparison = comparison,
			      .unit = trend_panel_unit(comparison),
			      .colours = trend_panel_verdict(plot->palette, comparison)};
	read_side(&panel, "baseline");
	read_side(&panel, "candidate");
	set_axis(&panel);
	*hidden += panel.hidden;
	draw_heading(&panel);
	panel.top = plot->below;
	double bottom = panel.top + (double)panel.count * row_height;
	draw_noise(&panel, bottom);
	draw_axis(&panel, bottom);
	for (size_t i = 0; i < panel.count; i++)
		draw_row(&panel, &panel.rows[i], panel.top + ((double)i + 0.5) * row_height);
	plot->below = bottom + axis_height + panel_gap;
}

/* Whether a side has several repeats, or their figures. */
static bool has_repeats(const struct json *side)
{
	for (const struct json *row = json_first(side, KEY(rows)); row; row = row->next)
		if (json_number(row, KEY(count), 0) > 1)
			return true;
	return false;
}

/* --- the picture --- */

struct drawn {
	const struct json *items[CHART_DISTRIBUTION_PANELS];
	size_t count, more, single, stopped;
	struct trend_panel_tally tally;
};

static void read_comparisons(const struct json *gate, struct drawn *drawn)
{
	const struct json *list = json_get(gate, KEY(comparisons));
	for (struct json_walk walk = json_walk_of(list); json_walk_next(&walk);) {
		const struct json *one = walk.child, *both = json_get(one, KEY(distribution));
		if (!both)
			continue;
		if (trend_panel_stopped(one)) {
			drawn->stopped++;
		} else if (!has_repeats(json_get(both, KEY(candidate))) &&
			   !has_repeats(json_get(both, KEY(baseline)))) {
			drawn->single++;
		} else if (drawn->count == CHART_DISTRIBUTION_PANELS) {
			drawn->more++;
		} else {
			drawn->items[drawn->count++] = one;
		}
	}
	for (size_t i = 0; i < drawn->count; i++)
		trend_panel_tally_add(&drawn->tally, drawn->items[i]);
}

/* The id of the baselines if all have the same one. */
static const char *baseline_of(const struct drawn *drawn)
{
	const char *all = NULL;
	for (size_t i = 0; i < drawn->count; i++) {
		const struct json *side =
			json_get(json_get(drawn->items[i], KEY(distribution)), KEY(baseline));
		const char *one = json_text(json_get(side, KEY(commit)), KEY(short), NULL);
		if (!one || (all && strcmp(one, all) != 0))
			return NULL;
		all = one;
	}
	return all;
}

static void draw_title(struct chart_plot *plot, const struct json *gate, const struct drawn *drawn)
{
	struct arena *arena = plot->arena;
	const struct json *candidate = json_get(gate, KEY(candidate));
	const char *baseline = baseline_of(drawn),
		   *subject = json_text(candidate, KEY(subject), "");
	const char *against = json_text(gate, KEY(against), "the baseline");
	const char *title = drawn->count > 1
				    ? trend_panel_tally_text(arena, &drawn->tally)
				    : arena_printf(arena, vocabulary_format("%s: %s"),
						   trend_panel_name(arena, drawn->items[0]),
						   trend_panel_finding(arena, drawn->items[0]));
	const char *line = arena_printf(
		arena, vocabulary_format("Every dot is a repeat; A %s%s%s%s, B %s%s%s"),
		baseline ? baseline : against, baseline ? vocabulary_format(" (") : "",
		baseline ? against : "", baseline ? vocabulary_format(")") : "",
		json_text(candidate, KEY(short), "the latest commit"), *subject ? " " : "",
		subject);
	plot_heading(plot, title, line, line);
}

static void glyph_median(struct chart_plot *plot, double x, double y)
{
	scene_line(plot->scene, x + 11, y - 6, x + 11, y + 6,
		   scene_stroke(plot->palette->ink2, 2.5));
}

static void glyph_level(struct chart_plot *plot, double x, double y)
{
	struct scene_style style = scene_stroke(plot->palette->frame, 1);
	style.dash = SCENE_DASHED;
	scene_line(plot->scene, x + 11, y - 6, x + 11, y + 6, style);
}

static void glyph_middle(struct chart_plot *plot, double x, double y)
{
	scene_rect(plot->scene, x, y - 5, 20, 10, scene_fill(plot->palette->ink2, 0.25));
}

static void draw_notes(struct chart_plot *plot, const struct drawn *drawn, double hidden)
{
	const struct trend_panel_entry entries[] = {
		{true, glyph_median, vocabulary_format("median")},
		{true, glyph_middle, vocabulary_format("middle half of many")},
		{true, glyph_level, vocabulary_format("level compared with")},
		{true, trend_panel_glyph_band, vocabulary_format("noise between commits there")},
	};
	trend_panel_legend_entries(plot, entries, sizeof entries / sizeof *entries);
	plot->below += 6;
	if (drawn->count > 1)
		plot_note(plot, 2, vocabulary_format("Each series has its own axis."));
	if (hidden > 0)
		plot_note(plot, 2, vocabulary_format("Executions of %.0f more runs not drawn."),
			  hidden);
	if (drawn->single + drawn->stopped + drawn->more)
		plot_note(plot, 3,
			  vocabulary_format("Not drawn: %zu series without repeats, %zu not "
					    "measured at this commit, "
					    "%zu more with repeats."),
			  drawn->single, drawn->stopped, drawn->more);
}

int chart_distribution(struct arena *arena, const struct json *report,
		       const struct chart_look *look, struct scene **scene, struct error *err)
{
	struct chart_plot plot = {.below = 0};
	const struct json *gate = json_get(report, KEY(gate));
	struct drawn drawn = {.count = 0};
	double hidden = 0;
	read_comparisons(gate, &drawn);
	if (!drawn.count)
		return error_set(err, ERR_FORMAT,
				 drawn.single
					 ? "no repeats to plot: each series was measured once; "
					   "ingest several runs of a commit: rooflog ingest FILE..."
					 : "no repeats to plot: nothing was compared");
	plot_begin(&plot, arena, look->dark, look->width);
	draw_title(&plot, gate, &drawn);
	plot.below += 6;
	for (size_t i = 0; i < drawn.count; i++)
		draw_comparison(&plot, drawn.items[i], &hidden);
	draw_notes(&plot, &drawn, hidden);
	*scene = plot_end(&plot, 16);
	return 0;
}
