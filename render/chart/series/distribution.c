/* Distribution of repeats: dots and quartiles. */

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/text/text.h"
#include "model/run/run.h"
#include "render/chart/plot/plot.h"
#include "render/chart/series/trend_panel.h"

enum { CHART_DISTRIBUTION_PANELS = 8 }; /* per picture; a note states how many are left out */

enum { ROWS_OF_SIDE = 6, SIDES = 2, STACK = 7 };
static const double row_height = 32, title_height = 32, axis_height = 26, label_width = 240,
		    dot_radius = 2.25, largest = 1e30;

static const char *const key =
	"Dots: repeats (runs, or executions within a run; evenly sampled if many). Box: "
	"interquartile range (5 or more repeats); line: median; diamond: mean; whiskers: minimum "
	"to maximum. Dashed: baseline mean or limit. Repeats show machine noise, not the noise "
	"between commits.";

struct row {
	const struct json *json;
	const char *side, *commit;
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
	double top;
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
			panel->rows[panel->count++] = (struct row){row, name, commit, candidate};
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
	panel->x = (struct chart_axis){HUGE_VAL, -HUGE_VAL, CHART_MARGIN + label_width,
				       CHART_WIDTH - CHART_MARGIN - 12, false};
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
	/* Margins of 6 %, and at least 0.5 % of the values on either side: equal repeats must not
	 * look spread. */
	double middle = (panel->x.low + panel->x.high) / 2;
	double size = fmax(fabs(panel->x.low), fabs(panel->x.high));
	double half = fmax((panel->x.high - panel->x.low) / 2 * 1.06, size * 0.005);
	half = half > 0 ? half : 0.5;
	panel->x.low = middle - half;
	panel->x.high = middle + half;
}

static void draw_axis(const struct panel *panel, double bottom)
{
	struct chart_plot *plot = panel->plot;
	double step = plot_step(panel->x.high - panel->x.low, 5), last = HUGE_VAL;
	double top = panel->top + title_height, used = 0;
	/* `last` ends the loop if a step is below the resolution of a huge value. */
	for (double value = ceil(panel->x.low / step) * step;
	     value <= panel->x.high && value != last; value += step) {
		double at = plot_at(&panel->x, value);
		const char *text =
			plot_value_text(plot->arena, &panel->x, fabs(value) < step / 2 ? 0 : value,
					step, panel->unit);
		double half = plot_text_width(PLOT_SMALL, text) / 2;
		last = value;
		scene_line(plot->scene, at, top, at, bottom, scene_stroke(plot->palette->grid, 1));
		if (at - half < used || at + half > CHART_WIDTH - 4)
			continue;
		used = at + half + 8;
		plot_text(plot, at, bottom + 14, PLOT_SMALL | PLOT_MUTED | PLOT_MIDDLE, text);
	}
	scene_line(plot->scene, panel->x.from, bottom, panel->x.to, bottom,
		   scene_stroke(plot->palette->frame, 1));
}

/* --- rows --- */

static void draw_text(const struct panel *panel, double y, unsigned look, const char *text)
{
	const char *shown = plot_shorten(panel->plot, look, text, label_width - 24);
	struct scene_item *item = plot_text(panel->plot, CHART_MARGIN, y, look, shown);
	if (strcmp(shown, text) != 0)
		scene_tooltip(panel->plot->scene, item, "%s", text);
}

static void draw_label(const struct panel *panel, const struct row *row, double middle)
{
	struct chart_plot *plot = panel->plot;
	double known = json_number(row->json, KEY(known), NAN);
	double count = json_number(row->json, KEY(count), NAN);
	struct strbuf text = {0};
	if (isnan(count))
		strbuf_addstr(&text, "n unknown");
	else
		strbuf_addf(&text, "n = %.0f", count);
	strbuf_addf(&text, " %s", json_text(row->json, KEY(what), "repeats"));
	if (known < count)
		strbuf_addf(&text, ", %.0f known", known);
	draw_text(panel, middle - 2, PLOT_SMALL,
		  arena_printf(plot->arena, "%s %s", row->side, row->commit));
	draw_text(panel, middle + 11, PLOT_SMALL | PLOT_MUTED, strbuf_into(&text, plot->arena));
}

static double x_of(const struct panel *panel, double value)
{
	return round(plot_at(&panel->x, value) * 10) / 10;
}

static void draw_box(const struct panel *panel, const struct json *row, double middle,
		     uint32_t colour)
{
	struct chart_plot *plot = panel->plot;
	double low = number_of(row, KEY(minimum)), high = number_of(row, KEY(maximum));
	double q1 = number_of(row, KEY(quartile_low)), q3 = number_of(row, KEY(quartile_high));
	if (low < high)
		scene_line(plot->scene, x_of(panel, low), middle, x_of(panel, high), middle,
			   scene_stroke(colour, 1));
	if (q1 <= q3)
		scene_rect(plot->scene, x_of(panel, q1), middle - 10,
			   fmax(1, x_of(panel, q3) - x_of(panel, q1)), 20,
			   scene_fill(colour, 0.22));
}

/* Draws dots; overlapping dots are stacked up to the height of the row. */
static void draw_dots(const struct panel *panel, const struct json *row, double middle,
		      uint32_t colour)
{
	const struct chart_plot *plot = panel->plot;
	const struct json *values = json_get(row, KEY(values));
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
				   scene_fill(colour, 0.75));
		if (values->count <= 30)
			scene_tooltip(plot->scene, dot, "%s",
				      quantity_text(plot->arena, value, panel->unit));
	}
}

static void draw_row(const struct panel *panel, const struct row *row, double middle)
{
	struct chart_plot *plot = panel->plot;
	uint32_t colour = plot->palette->series[row->candidate ? 1 : 0];
	double median = number_of(row->json, KEY(median)), mean = number_of(row->json, KEY(mean));
	const struct json *values = json_get(row->json, KEY(values));
	draw_label(panel, row, middle);
	draw_box(panel, row->json, middle, colour);
	draw_dots(panel, row->json, middle, colour);
	if (!isnan(median) && (!values || values->count != 1))
		scene_tooltip(plot->scene,
			      scene_line(plot->scene, x_of(panel, median), middle - 11,
					 x_of(panel, median), middle + 11,
					 scene_stroke(plot->palette->ink, 1.75)),
			      "median %s", quantity_text(plot->arena, median, panel->unit));
	struct scene_style hollow = {
		.fill = plot->palette->background, .stroke = plot->palette->ink, .width = 1.25};
	if (!isnan(mean))
		scene_tooltip(plot->scene,
			      scene_mark(plot->scene, SCENE_DIAMOND, x_of(panel, mean), middle, 3.5,
					 hollow),
			      "mean %s, standard deviation %s",
			      quantity_text(plot->arena, mean, panel->unit),
			      quantity_text(plot->arena, number_of(row->json, KEY(deviation)),
					    panel->unit));
}

/* Draws the level that the verdict compares with, which can differ from the newest commit's
 * value. */
static void draw_judged(const struct panel *panel, double bottom)
{
	struct chart_plot *plot = panel->plot;
	double value = number_of(panel->comparison, KEY(baseline)), at = x_of(panel, value);
	struct scene_style style = scene_stroke(plot->palette->ink2, 1.25);
	style.dash = SCENE_DASHED;
	if (!isnan(value))
		scene_tooltip(
			plot->scene,
			scene_line(plot->scene, at, panel->top + title_height, at, bottom, style),
			"compared with %s", quantity_text(plot->arena, value, panel->unit));
}

/* Draws the panel at plot->below. */
static void draw_panel(struct panel *panel)
{
	struct chart_plot *plot = panel->plot;
	const struct json *comparison = panel->comparison;
	double width = CHART_WIDTH - 2 * CHART_MARGIN;
	const char *name = trend_panel_name(plot->arena, comparison);
	const char *line = arena_printf(plot->arena, "%s vs. baseline (dashed): %s, %s",
					json_text(comparison, KEY(title), "value"),
					json_text(comparison, KEY(change_text), "unknown"),
					json_text(comparison, KEY(verdict_text), "not judged"));
	plot_text(plot, CHART_MARGIN, panel->top + 11, PLOT_LABEL | PLOT_BOLD,
		  plot_shorten(plot, PLOT_LABEL | PLOT_BOLD, name, width));
	plot_text(plot, CHART_MARGIN, panel->top + 25, PLOT_SMALL | PLOT_MUTED,
		  plot_shorten(plot, PLOT_SMALL, line, width));
	double bottom = panel->top + title_height + (double)panel->count * row_height;
	draw_axis(panel, bottom);
	draw_judged(panel, bottom);
	for (size_t i = 0; i < panel->count; i++)
		draw_row(panel, &panel->rows[i],
			 panel->top + title_height + ((double)i + 0.5) * row_height);
	plot->below = bottom + axis_height + 12;
}

static void draw_comparison(struct chart_plot *plot, const struct json *comparison, double *hidden)
{
	struct panel panel = {.plot = plot,
			      .comparison = comparison,
			      .unit = trend_panel_unit(comparison),
			      .top = plot->below};
	read_side(&panel, "baseline");
	read_side(&panel, "candidate");
	set_axis(&panel);
	*hidden += panel.hidden;
	draw_panel(&panel);
}

static bool has_rows(const struct json *comparison)
{
	const struct json *both = json_get(comparison, KEY(distribution));
	return json_first(json_get(both, KEY(candidate)), KEY(rows)) ||
	       json_first(json_get(both, KEY(baseline)), KEY(rows));
}

int chart_distribution(struct arena *arena, const struct json *report,
		       const struct chart_look *look, struct scene **scene, struct error *err)
{
	struct chart_plot plot = {.below = 0};
	const struct json *gate = json_get(report, KEY(gate));
	const struct json *candidate = json_get(gate, KEY(candidate));
	size_t drawn = 0, left = 0;
	double hidden = 0;
	plot_begin(&plot, arena, look->dark, CHART_WIDTH);
	const char *title = arena_printf(arena, "Repeats at %s",
					 json_text(candidate, KEY(short), "the latest commit"));
	plot_heading(&plot, title,
		     arena_printf(arena, "%s; vs. %s", json_text(candidate, KEY(subject), ""),
				  json_text(gate, KEY(against), "a baseline")),
		     "");
	const struct json *list = json_get(gate, KEY(comparisons));
	for (struct json_walk walk = json_walk_of(list); json_walk_next(&walk);) {
		const struct json *one = walk.child;
		if (!has_rows(one))
			continue;
		if (drawn == CHART_DISTRIBUTION_PANELS) {
			left++;
			continue;
		}
		draw_comparison(&plot, one, &hidden);
		drawn++;
	}
	if (!drawn)
		return error_set(err, ERR_FORMAT, "no repeats to plot: nothing was compared");
	scene_describe(
		plot.scene, title,
		arena_printf(arena, "%zu panels: repeats of candidate and baseline.", drawn));
	plot.below += 4;
	plot_note(&plot, 3, "%s", key);
	if (hidden > 0)
		plot_note(&plot, 1, "Executions of %.0f more runs not drawn.", hidden);
	if (left)
		plot_note(&plot, 1, "%zu more comparisons not drawn.", left);
	*scene = plot_end(&plot, 16);
	return 0;
}
