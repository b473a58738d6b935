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
		    label_height = 14, name_least = 60, name_most = 120, gap = 6;

struct part {
	double from, to, baseline_from, baseline_to;
	double change; /* s */
	const char *engine;
	double engine_change;
	bool reported; /* the change is above the resolution */
};

struct panel {
	struct chart_plot *plot;
	const struct chart_run *run;
	const struct json *difference;
	double left, track, right, name_width;
	double y;                    /* top of the next row */
	double before, after, total; /* s; total: the longer of both */
	struct part parts[PART_LIMIT];
	size_t count;
	double most; /* the largest absolute change of a part, s */
	double zero, up,
		down; /* baseline of the bars, and their room above and below, labels included */
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
	const struct json *parts = json_get(panel->difference, KEY(parts));
	double resolution = plot_number(panel->difference, KEY(resolution_seconds));
	for (const struct json *p = parts ? parts->first : NULL; p && panel->count < PART_LIMIT;
	     p = p->next) {
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
		panel->most = fmax(panel->most, part.reported ? fabs(part.change) : 0);
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
	const struct palette *palette = panel->plot->palette;
	return part->change > 0 ? palette->warn : palette->series[0];
}

/* --- strips --- */

static double x_of(const struct panel *panel, double seconds)
{
	return panel->track + seconds / panel->total * (panel->right - panel->track);
}

static void draw_title(struct panel *panel)
{
	const struct chart_plot *plot = panel->plot;
	struct arena *arena = plot->arena;
	const char *commit = json_text(
		json_get(json_get(panel->run->json, KEY(baseline)), KEY(commit)), KEY(short), "");
	const char *times = arena_printf(
		arena, "%s, was %s%s%s: %s", quantity_text(arena, panel->after, UNIT_SECOND),
		quantity_text(arena, panel->before, UNIT_SECOND), *commit ? " at " : "",
		scene_shorten(arena, commit, chart_text_size, false, 90),
		quantity_signed_text(arena, panel->after - panel->before, UNIT_SECOND));
	struct scene_item *right = scene_text(plot->scene, panel->right, panel->y, chart_text_size,
					      plot->palette->ink, times);
	right->anchor = SCENE_END;
	double room = panel->right - panel->left - right->text_width - 16;
	struct scene_item *name =
		scene_bold(plot->scene, panel->left, panel->y, chart_text_size, plot->palette->ink,
			   scene_shorten(arena, panel->run->name, chart_text_size, true, room));
	scene_tooltip(plot->scene, name, panel->run->whole);
	panel->y += 24;
}

static void draw_name(struct panel *panel, const char *name, double y, bool bold)
{
	struct chart_plot *plot = panel->plot;
	name = scene_shorten(plot->arena, name, chart_small_size, bold, panel->name_width);
	double x = panel->track - 8;
	struct scene_item *text =
		bold ? scene_bold(plot->scene, x, y, chart_small_size, plot->palette->ink, name)
		     : scene_text(plot->scene, x, y, chart_small_size, plot->palette->muted, name);
	text->anchor = SCENE_END;
}

/* Draws the engines of one side, each over the side's own time. */
static void draw_strips(struct panel *panel, const char *member, double total, double opacity)
{
	struct chart_plot *plot = panel->plot;
	double width = x_of(panel, total) - panel->track;
	struct scene_style track = {.fill = plot->palette->track, .stroke = SCENE_NONE};
	size_t count = 0;
	for (const struct json *e = engines_first(panel->run); e && count < CHART_ENGINE_LIMIT;
	     e = e->next, count++) {
		if (!engines_have_timeline(e, "timeline") ||
		    !engines_have_timeline(e, "baseline_timeline"))
			continue;
		double base = panel->y + strip_height;
		struct scene_style fill = {.fill = engines_color(plot->palette, e, count),
					   .stroke = SCENE_NONE,
					   .opacity = opacity};
		struct chart_strip strip = {panel->track, width, base, strip_height};
		draw_name(panel, engines_name(plot->arena, e), base - 2, false);
		scene_rect(plot->scene, panel->track, panel->y, width, strip_height, track);
		engines_strip_draw(plot, &strip, json_get(e, member), fill);
		panel->y += strip_pitch;
	}
}

/* --- how they correspond --- */

static void draw_band(struct panel *panel, const struct part *part)
{
	struct chart_plot *plot = panel->plot;
	double top = panel->y, bottom = panel->y + band_height;
	struct scene_point corners[] = {{x_of(panel, part->baseline_from), top},
					{x_of(panel, part->baseline_to), top},
					{x_of(panel, part->to), bottom},
					{x_of(panel, part->from), bottom}};
	struct scene_style style = {.fill = part->reported ? part_colour(panel, part)
							   : plot->palette->grid,
				    .stroke = SCENE_NONE,
				    .opacity = part->reported ? 0.45 : 0.6};
	struct scene_item *item = scene_polygon(plot->scene, corners, 4, style);
	if (part->reported)
		scene_tooltip(plot->scene, item, part_tooltip(plot->arena, part));
}

static void draw_bands(struct panel *panel)
{
	struct chart_plot *plot = panel->plot;
	struct scene_style line = {
		.fill = SCENE_NONE, .stroke = plot->palette->background, .width = 1.5};
	for (size_t i = 0; i < panel->count; i++)
		draw_band(panel, &panel->parts[i]);
	for (size_t i = 1; i < panel->count; i++)
		scene_line(plot->scene, x_of(panel, panel->parts[i].baseline_from), panel->y,
			   x_of(panel, panel->parts[i].from), panel->y + band_height, line);
}

/* --- by how much --- */

static void draw_bar(struct panel *panel, const struct part *part)
{
	struct chart_plot *plot = panel->plot;
	double x = x_of(panel, part->from), width = fmax(x_of(panel, part->to) - x, 3);
	double height = fmax(fabs(part->change) / panel->most * bar_height, 1);
	struct scene_style style = {.fill = part_colour(panel, part), .stroke = SCENE_NONE};
	double top = part->change > 0 ? panel->zero - height : panel->zero;
	x = fmin(x, panel->right - width);
	struct scene_item *bar = scene_rect(plot->scene, x, top, width, height, style);
	scene_tooltip(plot->scene, bar, part_tooltip(plot->arena, part));
	bar->avoid = true;
}

/* Labels a bar above or below it. If both texts do not fit, the engine is
 * dropped before the number. */
static bool label_bar(struct panel *panel, const struct part *part)
{
	struct chart_plot *plot = panel->plot;
	double middle = (x_of(panel, part->from) + x_of(panel, part->to)) / 2;
	double height = fabs(part->change) / panel->most * bar_height;
	double y = panel->zero - height - 4, far = panel->zero - panel->up + label_height - 4;
	struct scene_bounds bounds = {panel->track, panel->zero - panel->up - 2, plot->area.right,
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
		struct scene_item *item = scene_text(plot->scene, 0, 0, chart_small_size,
						     plot->palette->ink, texts[i]);
		double half = item->text_width / 2;
		double at = fmin(fmax(middle, panel->track + half), panel->right - half);
		struct scene_spot spots[] = {{at, y, 0, SCENE_MIDDLE},
					     {at + half / 2, y, 0, SCENE_MIDDLE},
					     {at - half / 2, y, 0, SCENE_MIDDLE},
					     {at, far, 0, SCENE_MIDDLE},
					     {at + half / 2, far, 0, SCENE_MIDDLE},
					     {at - half / 2, far, 0, SCENE_MIDDLE}};
		if (scene_place(plot->scene, &bounds, spots, sizeof spots / sizeof *spots))
			return true;
	}
	return false;
}

/* Labels the largest bars first, so that only small ones stay without a label. Returns how many
 * stay without. */
static size_t label_bars(struct panel *panel)
{
	bool done[PART_LIMIT] = {false};
	size_t left_out = 0;
	assert(panel->count <= PART_LIMIT);
	for (size_t round = 0; round < panel->count; round++) {
		size_t best = PART_LIMIT;
		for (size_t i = 0; i < panel->count; i++) {
			const struct part *part = &panel->parts[i];
			if (!done[i] && part->reported &&
			    (best == PART_LIMIT ||
			     fabs(part->change) > fabs(panel->parts[best].change)))
				best = i;
		}
		if (best == PART_LIMIT)
			break;
		done[best] = true;
		left_out += !label_bar(panel, &panel->parts[best]);
	}
	return left_out;
}

static size_t draw_bars(struct panel *panel)
{
	struct chart_plot *plot = panel->plot;
	double longer = 0, shorter = 0;
	for (size_t i = 0; i < panel->count; i++) {
		if (!panel->parts[i].reported)
			continue;
		longer = fmax(longer, panel->parts[i].change);
		shorter = fmax(shorter, -panel->parts[i].change);
	}
	if (!(panel->most > 0))
		return 0;
	/* Both directions share one scale; the smaller one gets at least 6 px to stay visible. */
	panel->up = longer > 0 ? fmax(longer / panel->most * bar_height, 6) + label_height : 0;
	panel->down = shorter > 0 ? fmax(shorter / panel->most * bar_height, 6) + label_height : 0;
	panel->zero = panel->y + gap + panel->up;
	double zero = panel->zero;
	struct scene_style line = {.fill = SCENE_NONE, .stroke = plot->palette->frame, .width = 1};
	for (size_t i = 0; i < panel->count; i++)
		if (panel->parts[i].reported)
			draw_bar(panel, &panel->parts[i]);
	scene_line(plot->scene, panel->track, zero, panel->right, zero, line);
	if (longer > 0)
		draw_name(panel, "longer", zero - 4, false);
	if (shorter > 0)
		draw_name(panel, "shorter", zero + 12, false);
	size_t left_out = label_bars(panel);
	panel->y = zero + panel->down + gap;
	return left_out;
}

/* --- the picture --- */

static void draw_panel(struct panel *panel)
{
	struct chart_plot *plot = panel->plot;
	struct arena *arena = plot->arena;
	const struct json *aligned = json_get(panel->difference, KEY(aligned));
	draw_title(panel);
	draw_name(panel, "baseline", panel->y - 4, true);
	draw_strips(panel, "baseline_timeline", panel->before, 0.55);
	panel->y += 1;
	draw_bands(panel);
	draw_name(panel, "this run", panel->y + band_height - 5, true);
	panel->y += band_height + 3;
	draw_strips(panel, "timeline", panel->after, 1);
	size_t left_out = draw_bars(panel);
	panel->y = engines_time_axis(plot, panel->track, panel->right, panel->y, panel->total);
	if (aligned && !aligned->truth)
		panel->y = plot_note(plot, panel->y,
				     "The timelines have too little in common to say which part "
				     "changed: all of the run is one part.",
				     1);
	else if (!(panel->most > 0))
		panel->y =
			plot_note(plot, panel->y,
				  arena_printf(arena,
					       "No part changed by %s or more: shorter changes are "
					       "not told apart.",
					       quantity_text(arena,
							     plot_number(panel->difference,
									 KEY(resolution_seconds)),
							     UNIT_SECOND)),
				  1);
	if (left_out)
		panel->y = plot_note(plot, panel->y,
				     arena_printf(arena, "%zu bar%s ha%s no room for a label.",
						  left_out, left_out == 1 ? "" : "s",
						  left_out == 1 ? "s" : "ve"),
				     1);
}

static double widest_name(struct arena *arena, const struct chart_runs *runs)
{
	double widest = name_least;
	for (size_t i = 0; i < runs->count; i++) {
		size_t count = 0;
		for (const struct json *e =
			     difference_of(&runs->items[i]) ? engines_first(&runs->items[i]) : NULL;
		     e && count < CHART_ENGINE_LIMIT; e = e->next, count++)
			widest = fmax(widest, scene_text_width(engines_name(arena, e),
							       chart_small_size, false));
	}
	return fmin(ceil(widest), name_most);
}

static struct panel panel_of(struct chart_plot *plot, const struct chart_run *run, double names)
{
	struct panel panel = {.plot = plot, .run = run, .difference = difference_of(run)};
	panel.left = CHART_MARGIN;
	panel.right = CHART_WIDTH - CHART_MARGIN;
	panel.name_width = names;
	panel.track = panel.left + names + 10;
	panel.before = plot_number(panel.difference, KEY(before_seconds));
	panel.after = plot_number(panel.difference, KEY(after_seconds));
	panel.total = fmax(panel.before, panel.after);
	read_parts(&panel);
	return panel;
}

static double draw_notes(struct chart_plot *plot, double y, size_t without, size_t hidden)
{
	struct arena *arena = plot->arena;
	y = plot_note(plot, y,
		      "Coloured bands join the parts of both runs that correspond and differ in "
		      "length; a part is as long as the data leave it open where in it the time "
		      "went. All changes, with those too short to draw, add up to that of the "
		      "whole run.",
		      3);
	if (hidden)
		y = plot_note(plot, y, arena_printf(arena, "%zu more runs are not drawn.", hidden),
			      1);
	if (without)
		y = plot_note(plot, y,
			      arena_printf(arena,
					   "%zu run%s without a baseline with timelines %s not "
					   "drawn.",
					   without, without == 1 ? "" : "s",
					   without == 1 ? "is" : "are"),
			      1);
	return y;
}

static void describe(struct chart_plot *plot, const struct chart_runs *runs, const char *title)
{
	struct strbuf desc = {0};
	size_t drawn = 0;
	strbuf_addstr(&desc, "Which part of each run got longer than in its baseline");
	for (size_t i = 0; i < runs->count && drawn < PANEL_LIMIT; i++) {
		const struct json *difference = difference_of(&runs->items[i]);
		if (!difference)
			continue;
		drawn++;
		strbuf_addf(&desc, "; %s: %s", runs->items[i].whole,
			    json_text(difference, KEY(text), "unknown"));
	}
	strbuf_addch(&desc, '.');
	scene_describe(plot->scene, title, strbuf_into(&desc, plot->arena));
}

static size_t count_drawable(const struct chart_runs *runs)
{
	size_t count = 0;
	for (size_t i = 0; i < runs->count; i++)
		count += difference_of(&runs->items[i]) != NULL;
	return count;
}

int chart_timeline(struct arena *arena, const struct json *report, bool dark, struct scene **scene,
		   struct error *err)
{
	struct chart_plot plot = {.arena = arena, .palette = palette_of(dark)};
	struct chart_runs runs;
	if (plot_runs_read(arena, report, &runs, err) < 0)
		return -1;
	size_t drawable = count_drawable(&runs), drawn = 0;
	if (!drawable)
		return error_set(
			err, ERR_FORMAT,
			"no run has timelines of its engines beside those of a baseline: "
			"there is no timeline difference to draw. Timelines come from "
			"full profiles (neuron-profile view --output-format json, or NTFF)");
	const char *title = arena_printf(arena, "Timeline difference of %s", runs.subject);
	plot.scene = scene_new(arena, CHART_WIDTH, 0, plot.palette->background);
	plot.area = (struct scene_bounds){CHART_MARGIN, 0, CHART_WIDTH - CHART_MARGIN, 0};
	describe(&plot, &runs, title);
	plot_heading(&plot, title,
		     arena_printf(arena, "%s%swhich part of the run got longer or shorter",
				  runs.place, *runs.place ? "; " : ""));
	double y = 88, names = widest_name(arena, &runs);
	for (size_t i = 0; i < runs.count && drawn < PANEL_LIMIT; i++) {
		if (!difference_of(&runs.items[i]))
			continue;
		struct panel panel = panel_of(&plot, &runs.items[i], names);
		panel.y = y;
		draw_panel(&panel);
		y = panel.y + (++drawn < drawable && drawn < PANEL_LIMIT ? 26 : 8);
	}
	y = draw_notes(&plot, y, runs.count - drawable, drawable - drawn);
	plot.scene->height = ceil(y + 14);
	*scene = plot.scene;
	return 0;
}
