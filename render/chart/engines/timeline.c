/*
 * Timeline difference: for each run, the baseline's engines above those of the run, on one axis of
 * absolute time. Bands join the corresponding parts of both. Bars below show by how much each part
 * became longer (up) or shorter (down).
 */

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/text/text.h"
#include "base/base.h"
#include "render/chart/engines/strip.h"

enum { PANEL_LIMIT = 3, PART_LIMIT = 64 };
static const double strip_pitch = 15, strip_height = 12, band_height = 34, bar_height = 30,
		    label_height = 14, narrowest_name = 60, widest_name = 120, gap = 6;

struct part {
	double from, to, baseline_from, baseline_to;
	double change; /* s */
	const char *engine;
	double engine_change;
	bool reported; /* the change is above the resolution */
};

struct panel {
	struct engines_panel rows;
	const struct json *difference;
	double before, after, total; /* s; total: the longer of both */
	struct part parts[PART_LIMIT];
	size_t count;
	double largest; /* absolute change of a part, s */
	/* y of the bars' foot, and their room above and below it, labels included */
	double zero, up, down;
};

/* --- what is drawn --- */

static const struct json *difference_of(const struct chart_run *run)
{
	const struct json *difference =
		json_get(json_get(run->json, KEY(baseline)), KEY(timeline_difference));
	double before = plot_number(difference, KEY(before_seconds));
	double after = plot_number(difference, KEY(after_seconds));
	bool drawable = before > 1e-12 && before < 1e9 && after > 1e-12 && after < 1e9;
	return drawable ? difference : NULL;
}

static double inside(double seconds, double total)
{
	return seconds > 0 ? fmin(seconds, total) : 0;
}

static void read_parts(struct panel *panel)
{
	double resolution = plot_number(panel->difference, KEY(resolution_seconds));
	for (const struct json *p = json_first(panel->difference, KEY(parts));
	     p && panel->count < PART_LIMIT; p = p->next) {
		struct part part = {
			.from = inside(plot_number(p, KEY(from)), panel->after),
			.to = inside(plot_number(p, KEY(to)), panel->after),
			.baseline_from = inside(plot_number(p, KEY(baseline_from)), panel->before),
			.baseline_to = inside(plot_number(p, KEY(baseline_to)), panel->before),
			.change = plot_number(p, KEY(change_seconds)),
			.engine = json_text(p, KEY(engine_title), json_text(p, KEY(engine), "")),
			.engine_change = plot_number(p, KEY(engine_seconds)),
		};
		if (!isfinite(part.change))
			continue;
		part.reported = !(fabs(part.change) < resolution) && part.change != 0;
		panel->largest = fmax(panel->largest, part.reported ? fabs(part.change) : 0);
		panel->parts[panel->count++] = part;
	}
}

static const char *part_label(struct arena *arena, const struct part *part)
{
	return arena_printf(arena, "%s%s%s", quantity_signed_text(arena, part->change, UNIT_SECOND),
			    *part->engine ? " " : "", part->engine);
}

static const char *part_tooltip(struct arena *arena, const struct part *part)
{
	struct strbuf sb = {0};
	strbuf_addf(&sb, "%s: %s to %s of the run, ",
		    quantity_signed_text(arena, part->change, UNIT_SECOND),
		    quantity_text(arena, part->from, UNIT_SECOND),
		    quantity_text(arena, part->to, UNIT_SECOND));
	strbuf_addf(&sb, "%s to %s of the baseline",
		    quantity_text(arena, part->baseline_from, UNIT_SECOND),
		    quantity_text(arena, part->baseline_to, UNIT_SECOND));
	if (*part->engine)
		strbuf_addf(&sb, "; %s %s %s", part->engine,
			    strcmp(part->engine, "idle") == 0 ? "time" : "active",
			    quantity_signed_text(arena, part->engine_change, UNIT_SECOND));
	return strbuf_into(&sb, arena);
}

static uint32_t part_colour(const struct panel *panel, const struct part *part)
{
	const struct palette *palette = panel->rows.plot->palette;
	return part->change > 0 ? palette->slower : palette->series[0];
}

/* --- strips --- */

static double x_of(const struct panel *panel, double seconds)
{
	const struct engines_panel *rows = &panel->rows;
	return rows->track + seconds / panel->total * (rows->right - rows->track);
}

static void draw_title(struct panel *panel)
{
	const struct chart_plot *plot = panel->rows.plot;
	const struct json *baseline = json_get(panel->rows.run->json, KEY(baseline));
	const char *commit = json_text(json_get(baseline, KEY(commit)), KEY(short), "");
	engines_title(&panel->rows, PLOT_TEXT,
		      arena_printf(plot->arena, "%s, was %s%s%s: %s",
				   quantity_text(plot->arena, panel->after, UNIT_SECOND),
				   quantity_text(plot->arena, panel->before, UNIT_SECOND),
				   *commit ? " at " : "", plot_shorten(plot, PLOT_TEXT, commit, 90),
				   quantity_signed_text(plot->arena, panel->after - panel->before,
							UNIT_SECOND)));
	panel->rows.y += 24;
}

/* Draws the engines of one side, each over the side's own time. */
static void draw_strips(struct panel *panel, const char *member, double total, double opacity)
{
	struct engines_panel *rows = &panel->rows;
	struct chart_plot *plot = rows->plot;
	double width = x_of(panel, total) - rows->track;
	for (size_t i = 0; i < rows->engines.count; i++) {
		const struct json *e = rows->engines.items[i];
		if (!engines_have_timeline(e, "timeline") ||
		    !engines_have_timeline(e, "baseline_timeline"))
			continue;
		double base = rows->y + strip_height;
		struct chart_strip strip = {rows->track, width, base, strip_height};
		engines_label(rows, PLOT_SMALL | PLOT_MUTED, base - 2,
			      engines_name(plot->arena, e));
		scene_rect(plot->scene, rows->track, rows->y, width, strip_height,
			   scene_fill(plot->palette->track, 1));
		engines_strip_draw(plot, &strip, json_get(e, member),
				   scene_fill(engines_color(plot->palette, e, i), opacity));
		rows->y += strip_pitch;
	}
}

/* --- how they correspond --- */

static void draw_band(struct panel *panel, const struct part *part)
{
	struct chart_plot *plot = panel->rows.plot;
	double top = panel->rows.y, bottom = top + band_height;
	struct scene_point corners[] = {{x_of(panel, part->baseline_from), top},
					{x_of(panel, part->baseline_to), top},
					{x_of(panel, part->to), bottom},
					{x_of(panel, part->from), bottom}};
	struct scene_style style = part->reported ? scene_fill(part_colour(panel, part), 0.45)
						  : scene_fill(plot->palette->grid, 0.6);
	struct scene_item *item = scene_polygon(plot->scene, corners, 4, style);
	if (part->reported)
		scene_tooltip(plot->scene, item, "%s", part_tooltip(plot->arena, part));
}

static void draw_bands(struct panel *panel)
{
	struct chart_plot *plot = panel->rows.plot;
	double top = panel->rows.y, bottom = top + band_height;
	for (size_t i = 0; i < panel->count; i++)
		draw_band(panel, &panel->parts[i]);
	for (size_t i = 1; i < panel->count; i++)
		scene_line(plot->scene, x_of(panel, panel->parts[i].baseline_from), top,
			   x_of(panel, panel->parts[i].from), bottom,
			   scene_stroke(plot->palette->background, 1.5));
}

/* --- by how much --- */

static void draw_bar(struct panel *panel, const struct part *part)
{
	struct chart_plot *plot = panel->rows.plot;
	double x = x_of(panel, part->from), width = fmax(x_of(panel, part->to) - x, 3);
	double height = fmax(fabs(part->change) / panel->largest * bar_height, 1);
	double top = part->change > 0 ? panel->zero - height : panel->zero;
	x = fmin(x, panel->rows.right - width);
	scene_tooltip(plot->scene,
		      scene_rect(plot->scene, x, top, width, height,
				 scene_fill(part_colour(panel, part), 1)),
		      "%s", part_tooltip(plot->arena, part))
		->avoid = true;
}

/* Labels a bar at its end or, so that neighbors do not touch, at the far edge of the bars' room;
 * centered or half a width aside. If the text does not fit, the engine is dropped before the
 * number. */
static bool label_bar(struct panel *panel, const struct part *part)
{
	const struct engines_panel *rows = &panel->rows;
	struct chart_plot *plot = rows->plot;
	double middle = (x_of(panel, part->from) + x_of(panel, part->to)) / 2;
	double height = fabs(part->change) / panel->largest * bar_height;
	double y = panel->zero - height - 4, far = panel->zero - panel->up + label_height - 4;
	struct scene_bounds bounds = {rows->track, panel->zero - panel->up - 2, plot->area.right,
				      panel->zero + panel->down + 2};
	if (part->change < 0) {
		y = panel->zero + height + 12;
		far = panel->zero + panel->down - label_height + 12;
	}
	/* A label further away than its own height could be mistaken for that of another bar. */
	far = fabs(far - y) <= label_height ? far : y;
	const char *texts[] = {part_label(plot->arena, part),
			       quantity_signed_text(plot->arena, part->change, UNIT_SECOND)};
	for (size_t i = 0; i < 2; i++) {
		double half = plot_text(plot, 0, 0, PLOT_SMALL, texts[i])->text_width / 2;
		double at = fmin(fmax(middle, rows->track + half), rows->right - half);
		struct scene_spot spots[6];
		for (size_t k = 0; k < 6; k++) {
			static const double steps[] = {0, 0.5, -0.5};
			spots[k] = (struct scene_spot){at + steps[k % 3] * half, k < 3 ? y : far, 0,
						       SCENE_MIDDLE};
		}
		if (scene_place(plot->scene, &bounds, spots, 6))
			return true;
	}
	return false;
}

static int by_change(const void *a, const void *b)
{
	const struct part *const *x = a, *const *y = b;
	double first = fabs((*x)->change), second = fabs((*y)->change);
	return first != second ? (first < second) - (first > second) : (*x > *y) - (*x < *y);
}

/* Labels the largest bars first, so that only small ones stay without a label. Returns how many
 * stay without. */
static size_t label_bars(struct panel *panel)
{
	const struct part *parts[PART_LIMIT];
	size_t left_out = 0;
	assert(panel->count <= PART_LIMIT);
	for (size_t i = 0; i < panel->count; i++)
		parts[i] = &panel->parts[i];
	qsort(parts, panel->count, sizeof *parts, by_change);
	for (size_t i = 0; i < panel->count; i++)
		left_out += parts[i]->reported && !label_bar(panel, parts[i]);
	return left_out;
}

/* The room of the bars in one direction: at least 6 px to stay visible, and their labels. */
static double room_of(const struct panel *panel, double change)
{
	return change > 0 ? fmax(change / panel->largest * bar_height, 6) + label_height : 0;
}

/* Draws the bars of both directions on one scale. Returns how many have no label. */
static size_t draw_bars(struct panel *panel)
{
	struct engines_panel *rows = &panel->rows;
	double longer = 0, shorter = 0;
	for (size_t i = 0; i < panel->count; i++) {
		double change = panel->parts[i].reported ? panel->parts[i].change : 0;
		longer = fmax(longer, change);
		shorter = fmax(shorter, -change);
	}
	if (!(panel->largest > 0))
		return 0;
	panel->up = room_of(panel, longer);
	panel->down = room_of(panel, shorter);
	panel->zero = rows->y + gap + panel->up;
	double zero = panel->zero;
	for (size_t i = 0; i < panel->count; i++)
		if (panel->parts[i].reported)
			draw_bar(panel, &panel->parts[i]);
	scene_line(rows->plot->scene, rows->track, zero, rows->right, zero,
		   scene_stroke(rows->plot->palette->frame, 1));
	if (longer > 0)
		engines_label(rows, PLOT_SMALL | PLOT_MUTED, zero - 4, "longer");
	if (shorter > 0)
		engines_label(rows, PLOT_SMALL | PLOT_MUTED, zero + 12, "shorter");
	size_t left_out = label_bars(panel);
	rows->y = zero + panel->down + gap;
	return left_out;
}

/* --- the picture --- */

/* Draws the panel at plot->below. */
static void draw_panel(struct panel *panel)
{
	struct engines_panel *rows = &panel->rows;
	struct chart_plot *plot = rows->plot;
	const struct json *aligned = json_get(panel->difference, KEY(aligned));
	rows->y = plot->below;
	draw_title(panel);
	engines_label(rows, PLOT_SMALL | PLOT_BOLD, rows->y - 4, "baseline");
	draw_strips(panel, "baseline_timeline", panel->before, 0.55);
	rows->y += 1;
	draw_bands(panel);
	engines_label(rows, PLOT_SMALL | PLOT_BOLD, rows->y + band_height - 5, "this run");
	rows->y += band_height + 3;
	draw_strips(panel, "timeline", panel->after, 1);
	size_t left_out = draw_bars(panel);
	engines_time_axis(rows, panel->total);
	plot->below = rows->y;
	if (aligned && !aligned->truth)
		plot_note(plot, 1,
			  "The timelines differ too much to locate the change; the run is shown as "
			  "one part.");
	else if (!(panel->largest > 0))
		plot_note(
			plot, 1,
			"No part changed by %s or more; smaller changes are below the resolution.",
			quantity_text(plot->arena,
				      plot_number(panel->difference, KEY(resolution_seconds)),
				      UNIT_SECOND));
	if (left_out)
		plot_note(plot, 1, "%zu bar%s ha%s no label (too narrow).", left_out,
			  left_out == 1 ? "" : "s", left_out == 1 ? "s" : "ve");
}

static struct panel panel_of(struct chart_plot *plot, const struct chart_run *run, double names)
{
	struct panel panel = {.difference = difference_of(run)};
	panel.rows = engines_panel_of(plot, run, plot->area.left, plot->area.right, names);
	panel.before = plot_number(panel.difference, KEY(before_seconds));
	panel.after = plot_number(panel.difference, KEY(after_seconds));
	panel.total = fmax(panel.before, panel.after);
	read_parts(&panel);
	return panel;
}

static void draw_notes(struct chart_plot *plot, size_t without, size_t hidden)
{
	plot_note(plot, 3,
		  "Bands connect matching parts whose length changed; a band covers every place "
		  "where the time may have gone. All changes, including those too short to draw, "
		  "add up to the total change.");
	if (hidden)
		plot_note(plot, 1, "%zu more runs are not drawn.", hidden);
	if (without)
		plot_note(plot, 1, "%zu run%s without baseline timelines %s not drawn.", without,
			  without == 1 ? "" : "s", without == 1 ? "is" : "are");
}

/* The runs that can be drawn, in their order. */
static const struct chart_run **drawable_runs(struct arena *arena, const struct chart_runs *runs,
					      size_t *count)
{
	const struct chart_run **drawable = arena_array(arena, runs->count, sizeof *drawable);
	*count = 0;
	for (size_t i = 0; i < runs->count; i++)
		if (difference_of(&runs->items[i]))
			drawable[(*count)++] = &runs->items[i];
	return drawable;
}

int chart_timeline(struct arena *arena, const struct json *report, const struct chart_look *look,
		   struct scene **scene, struct error *err)
{
	struct chart_plot plot = {.area = {CHART_MARGIN, 0, CHART_WIDTH - CHART_MARGIN, 0}};
	struct chart_runs runs;
	struct strbuf text = {0};
	double names = narrowest_name;
	size_t count;
	if (plot_runs_read(arena, report, &runs, err) < 0)
		return -1;
	const struct chart_run **drawable = drawable_runs(arena, &runs, &count);
	if (!count)
		return error_set(err, ERR_FORMAT,
				 "no timelines to compare: a run and its baseline both need a full "
				 "profile (neuron-profile view --output-format json, or NTFF); the "
				 "chart occupancy draws a single run");
	size_t drawn = count < PANEL_LIMIT ? count : PANEL_LIMIT;
	strbuf_addstr(&text, "Where each run got longer than its baseline");
	for (size_t i = 0; i < drawn; i++)
		strbuf_addf(&text, "; %s: %s", drawable[i]->whole,
			    json_text(difference_of(drawable[i]), KEY(text), "unknown"));
	strbuf_addch(&text, '.');
	for (size_t i = 0; i < count; i++) {
		struct engines engines = engines_of(drawable[i]);
		names = engines_names_width(arena, &engines, PLOT_SMALL, names);
	}
	plot_begin(&plot, arena, look->dark, look->width);
	plot_heading(&plot, arena_printf(arena, "Timeline difference of %s", runs.subject),
		     arena_printf(arena, "%s%swhere the run got longer or shorter", runs.device,
				  *runs.device ? "; " : ""),
		     strbuf_into(&text, arena));
	plot.below += 21;
	for (size_t i = 0; i < drawn; i++) {
		struct panel panel = panel_of(&plot, drawable[i], fmin(ceil(names), widest_name));
		draw_panel(&panel);
		plot.below += i + 1 < drawn ? 26 : 8;
	}
	draw_notes(&plot, runs.count - count, count - drawn);
	*scene = plot_end(&plot, 14);
	return 0;
}
