/*
 * Engine occupancy: one panel per run, two panels side by side. A panel has one bar per engine. If
 * the profile has timelines, it also has one filled curve per engine over the run's time. An
 * engine has the same color and the same row in every panel.
 */

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/text/text.h"
#include "base/base.h"
#include "render/chart/plot/plot.h"
#include "render/chart/plot/run.h"
#include "render/chart/engines/strip.h"

enum { PANEL_LIMIT = 6, WINDOW_LIMIT = 200 };
static const double panel_gap = 40, bar_pitch = 19, bar_height = 11, strip_pitch = 22,
		    strip_height = 17, name_least = 52, name_most = 120, value_gap = 6;

/* Throttle windows that are not drawn. If some of them were merged by the reader, `count` is a
 * lower bound. */
struct hidden_windows {
	size_t count;
	bool merged;
};

struct panel {
	struct chart_plot *plot;
	const struct chart_run *run;
	struct hidden_windows *hidden; /* shared by all panels */
	double left, right;            /* of the whole panel */
	double name_width;             /* of the column of engine names */
	double track;                  /* where bars and strips begin */
	double value_width;            /* of the column of values at the right */
	double total_time;             /* NAN when unknown */
	double axis_time;              /* end of the time axis, s; see set_times() */
	double baseline_time;          /* s; NAN: no outlines over the timelines */
	double y;                      /* top of the next row */
};

static void draw_title(struct panel *panel)
{
	const struct chart_plot *plot = panel->plot;
	const char *time = isnan(panel->total_time)
				   ? ""
				   : quantity_text(plot->arena, panel->total_time, UNIT_SECOND);
	struct scene_item *right = scene_text(plot->scene, panel->right, panel->y, chart_text_size,
					      plot->palette->muted, time);
	right->anchor = SCENE_END;
	double room = panel->right - panel->left - right->text_width - 16;
	struct scene_item *name = scene_bold(
		plot->scene, panel->left, panel->y, chart_text_size, plot->palette->ink,
		scene_shorten(plot->arena, panel->run->name, chart_text_size, true, room));
	scene_tooltip(plot->scene, name, panel->run->whole);
	panel->y += 11;
}

static void draw_name(struct panel *panel, const char *name, double middle)
{
	name = scene_shorten(panel->plot->arena, name, chart_label_size, false, panel->name_width);
	struct scene_item *text = scene_text(panel->plot->scene, panel->track - 8, middle + 4,
					     chart_label_size, panel->plot->palette->ink, name);
	text->anchor = SCENE_END;
}

static void draw_bar(struct panel *panel, const struct json *engine, size_t index)
{
	const struct chart_plot *plot = panel->plot;
	double share = plot_number(engine, KEY(occupancy));
	double before = plot_number(engine, KEY(baseline_occupancy));
	double middle = panel->y + bar_pitch / 2, top = middle - bar_height / 2;
	double room = panel->right - panel->track - panel->value_width;
	const char *text = quantity_percent_text(plot->arena, share);
	struct scene_style track = {.fill = plot->palette->track, .stroke = SCENE_NONE};
	struct scene_style fill = {.fill = engines_color(plot->palette, engine, index),
				   .stroke = SCENE_NONE};
	draw_name(panel, engines_name(plot->arena, engine), middle);
	scene_rect(plot->scene, panel->track, top, room, bar_height, track)->radius = 2;
	if (engines_share(share) > 0) {
		struct scene_item *bar =
			scene_rect(plot->scene, panel->track, top,
				   fmax(engines_share(share) * room, 1), bar_height, fill);
		bar->radius = 2;
		scene_tooltip(plot->scene, bar,
			      arena_printf(plot->arena, "%s: active %s",
					   json_text(engine, KEY(title), "engine"), text));
	}
	if (!isnan(before)) {
		struct scene_style outline = {.fill = SCENE_NONE,
					      .stroke = plot->palette->ink,
					      .opacity = 0.8,
					      .width = 1,
					      .dash = SCENE_DOTTED};
		struct scene_item *box =
			scene_rect(plot->scene, panel->track, top - 2, engines_share(before) * room,
				   bar_height + 4, outline);
		scene_tooltip(plot->scene, box,
			      arena_printf(plot->arena, "baseline: active %.1f %%", before * 100));
	}
	scene_text(plot->scene, panel->track + room + value_gap, middle + 4, chart_label_size,
		   plot->palette->ink, text);
	if (!isnan(before)) {
		struct scene_item *was =
			scene_text(plot->scene, panel->right, middle + 4, chart_small_size,
				   plot->palette->muted,
				   arena_printf(plot->arena, "was %.1f %%", before * 100));
		was->anchor = SCENE_END;
	}
	panel->y += bar_pitch;
}

/* The width of `seconds` on the time axis; the whole track if times are unknown. */
static double width_of(const struct panel *panel, double seconds)
{
	double width = panel->right - panel->track;
	return panel->axis_time > 0 ? seconds / panel->axis_time * width : width;
}

/* Draws the baseline's activity of the engine as an outline, over the baseline's own time. */
static void draw_outline(struct panel *panel, const struct json *engine, double base)
{
	struct scene_style line = {.fill = SCENE_NONE,
				   .stroke = panel->plot->palette->ink,
				   .width = 0.75,
				   .opacity = 0.55};
	if (isnan(panel->baseline_time) || !engines_have_timeline(engine, "baseline_timeline"))
		return;
	struct chart_strip strip = {panel->track, width_of(panel, panel->baseline_time), base,
				    strip_height};
	engines_strip_draw(panel->plot, &strip, json_get(engine, KEY(baseline_timeline)), line);
}

static void draw_strip(struct panel *panel, const struct json *engine, size_t index)
{
	const struct chart_plot *plot = panel->plot;
	double middle = panel->y + strip_pitch / 2, top = middle - strip_height / 2;
	double width = width_of(panel, panel->total_time);
	struct scene_style track = {.fill = plot->palette->track, .stroke = SCENE_NONE};
	struct scene_style fill = {.fill = engines_color(plot->palette, engine, index),
				   .stroke = SCENE_NONE};
	draw_name(panel, engines_name(plot->arena, engine), middle);
	scene_rect(plot->scene, panel->track, top, width, strip_height, track);
	if (engines_have_timeline(engine, "timeline")) {
		struct chart_strip strip = {panel->track, width, top + strip_height, strip_height};
		engines_strip_draw(panel->plot, &strip, json_get(engine, KEY(timeline)), fill);
		draw_outline(panel, engine, top + strip_height);
	} else {
		scene_text(plot->scene, panel->track + 6, middle + 4, chart_small_size,
			   plot->palette->muted, "no timeline");
	}
	panel->y += strip_pitch;
}

/* Draws one throttle window. Returns false if it lies outside the run's time. A lower clock limit
 * is drawn darker. */
static bool draw_window(struct panel *panel, const struct json *window, double middle)
{
	const struct chart_plot *plot = panel->plot;
	double width = width_of(panel, panel->total_time), limit = plot_number(window, KEY(limit));
	double from = plot_number(window, KEY(start));
	double start = engines_share(from / panel->total_time);
	double end = engines_share((from + plot_number(window, KEY(duration))) / panel->total_time);
	struct scene_style style = {.fill = plot->palette->warn, .stroke = SCENE_NONE};
	if (!(end > start))
		return false;
	/* From 0.35 (no limit) to 1 (stopped); short windows are at least 1 px wide. */
	style.opacity = isnan(limit) ? 0.8 : 0.35 + 0.65 * (1 - engines_share(limit));
	struct scene_item *rect = scene_rect(plot->scene, panel->track + start * width, middle - 4,
					     fmax((end - start) * width, 1), 8, style);
	scene_tooltip(plot->scene, rect,
		      arena_printf(plot->arena, "throttled: %s %.3g %%",
				   json_text(window, KEY(type), "limit"), limit * 100));
	return true;
}

/* Draws the windows in which the device limited the clock of a core. A merged window sums many
 * windows whose positions the reader did not store, so it is only counted. */
static void draw_throttles(struct panel *panel)
{
	const struct chart_plot *plot = panel->plot;
	const struct json *list = json_get(panel->run->json, KEY(throttles));
	if (!list || list->type != JSON_ARRAY || !list->count || !(panel->total_time > 0))
		return;
	double middle = panel->y + strip_pitch / 2, width = width_of(panel, panel->total_time);
	struct scene_style track = {.fill = plot->palette->track, .stroke = SCENE_NONE};
	draw_name(panel, "Throttle", middle);
	scene_rect(plot->scene, panel->track, middle - 4, width, 8, track);
	size_t drawn = 0;
	for (const struct json *t = list->first; t; t = t->next) {
		bool merged = strcmp(json_text(t, KEY(type), ""), "merged") == 0;
		panel->hidden->merged |= merged;
		if (!merged && drawn < WINDOW_LIMIT)
			drawn += draw_window(panel, t, middle);
	}
	panel->hidden->count += list->count - drawn;
	panel->y += strip_pitch;
}

static void draw_panel(struct panel *panel)
{
	size_t count = 0, timelines = 0;
	draw_title(panel);
	for (const struct json *e = engines_first(panel->run); e && count < CHART_ENGINE_LIMIT;
	     e = e->next, count++) {
		draw_bar(panel, e, count);
		timelines += engines_have_timeline(e, "timeline");
	}
	if (!count)
		scene_text(panel->plot->scene, panel->left, panel->y + 14, chart_label_size,
			   panel->plot->palette->muted, "no engines in this profile");
	if (!timelines) {
		panel->y += count ? 0 : 20;
		return;
	}
	panel->y += 10;
	count = 0;
	for (const struct json *e = engines_first(panel->run); e && count < CHART_ENGINE_LIMIT;
	     e = e->next, count++)
		draw_strip(panel, e, count);
	draw_throttles(panel);
	panel->y = engines_time_axis(panel->plot, panel->track, panel->right, panel->y,
				     panel->axis_time);
}

/* The name column has the same width in all panels, so that bars can be compared across them. */
static double widest_name(struct arena *arena, const struct chart_runs *runs)
{
	double widest = name_least;
	for (size_t i = 0; i < runs->count && i < PANEL_LIMIT; i++) {
		size_t count = 0;
		for (const struct json *e = engines_first(&runs->items[i]);
		     e && count < CHART_ENGINE_LIMIT; e = e->next, count++)
			widest = fmax(widest, scene_text_width(engines_name(arena, e),
							       chart_label_size, false));
	}
	return fmin(ceil(widest), name_most);
}

/* Sets the times of a panel, all on one scale. A longer baseline extends the axis.
 * A baseline longer than four times the run gets no outlines: it would compress the run. */
static void set_times(struct panel *panel)
{
	const struct json *difference =
		json_get(json_get(panel->run->json, KEY(baseline)), KEY(timeline_difference));
	double before = plot_number(difference, KEY(before_seconds));
	panel->total_time = plot_metric(panel->run->json, KEY(total_time));
	panel->axis_time = panel->total_time;
	panel->baseline_time = NAN;
	if (!(panel->total_time > 0) || !(before > 0) || before > 4 * panel->total_time)
		return;
	panel->baseline_time = before;
	panel->axis_time = fmax(before, panel->total_time);
}

static bool has_outlines(const struct chart_runs *runs)
{
	for (size_t i = 0; i < runs->count && i < PANEL_LIMIT; i++)
		for (const struct json *e = engines_first(&runs->items[i]); e; e = e->next)
			if (!isnan(plot_number(e, KEY(baseline_occupancy))))
				return true;
	return false;
}

/* The width of the value column. With outlines, every value is followed by the baseline's value. */
static double value_width(bool outlines)
{
	const double gap = 10;
	double share = fmax(scene_text_width("100.0 %", chart_label_size, false),
			    scene_text_width("unknown", chart_label_size, false));
	double before = scene_text_width("was 100.0 %", chart_small_size, false);
	return ceil(value_gap + share + (outlines ? gap + before : 0));
}

static double draw_panels(struct chart_plot *plot, const struct chart_runs *runs, double y,
			  struct hidden_windows *hidden)
{
	size_t shown = runs->count < PANEL_LIMIT ? runs->count : PANEL_LIMIT;
	size_t columns = shown > 1 ? 2 : 1;
	double values = value_width(has_outlines(runs));
	double width = CHART_WIDTH - 2 * CHART_MARGIN, lowest = y,
	       names = widest_name(plot->arena, runs);
	double own = (width - (double)(columns - 1) * panel_gap) / (double)columns;
	for (size_t i = 0; i < shown; i++) {
		struct panel panel = {.plot = plot, .run = &runs->items[i], .hidden = hidden};
		if (i % columns == 0)
			y = i ? lowest + 24 : y;
		panel.left = CHART_MARGIN + (double)(i % columns) * (own + panel_gap);
		panel.right = panel.left + own;
		panel.name_width = names;
		panel.track = panel.left + names + 10;
		panel.value_width = values;
		set_times(&panel);
		panel.y = y;
		draw_panel(&panel);
		lowest = fmax(lowest, panel.y);
	}
	return lowest;
}

/* Notes: what the picture leaves out, and how to read its outlines. */
static double draw_notes(struct chart_plot *plot, const struct chart_runs *runs,
			 const struct hidden_windows *windows, double y)
{
	size_t hidden = 0;
	for (size_t i = 0; i < runs->count && i < PANEL_LIMIT; i++) {
		const struct json *engines = json_get(runs->items[i].json, KEY(engines));
		if (engines && engines->count > CHART_ENGINE_LIMIT)
			hidden += engines->count - CHART_ENGINE_LIMIT;
	}
	if (has_outlines(runs))
		y = plot_note(plot, y, "Outlines show the baseline, over its own time.", 1);
	if (hidden)
		y = plot_note(plot, y,
			      arena_printf(plot->arena, "%zu more engines are not drawn.", hidden),
			      1);
	if (windows->count)
		y = plot_note(plot, y,
			      arena_printf(plot->arena, "%s%zu throttle window%s not drawn.",
					   windows->merged ? "At least " : "", windows->count,
					   windows->count == 1 ? " is" : "s are"),
			      1);
	if (runs->count > PANEL_LIMIT)
		y = plot_note(plot, y,
			      arena_printf(plot->arena, "%zu more runs are not drawn.",
					   runs->count - PANEL_LIMIT),
			      1);
	return y;
}

static void describe(struct chart_plot *plot, const struct chart_runs *runs, const char *title)
{
	struct strbuf desc = {0};
	strbuf_addf(&desc, "Share of the run's time in which each engine was active");
	for (size_t i = 0; i < runs->count && i < PANEL_LIMIT; i++) {
		size_t told = 0;
		strbuf_addf(&desc, "; %s:", runs->items[i].whole);
		for (const struct json *e = engines_first(&runs->items[i]);
		     e && told < CHART_ENGINE_LIMIT; e = e->next, told++) {
			strbuf_addf(&desc, "%s %s ", told ? "," : "",
				    json_text(e, KEY(title), json_text(e, KEY(name), "engine")));
			quantity_add(&desc, plot_number(e, KEY(occupancy)), UNIT_FRACTION);
		}
	}
	strbuf_addch(&desc, '.');
	scene_describe(plot->scene, title, strbuf_text(&desc));
	strbuf_free(&desc);
}

int chart_occupancy(struct arena *arena, const struct json *report, bool dark, struct scene **scene,
		    struct error *err)
{
	struct chart_plot plot = {.arena = arena, .palette = palette_of(dark)};
	struct chart_runs runs;
	struct hidden_windows hidden = {0};
	bool any = false;
	if (plot_runs_read(arena, report, &runs, err) < 0)
		return -1;
	for (size_t i = 0; i < runs.count; i++)
		any |= engines_first(&runs.items[i]) != NULL;
	if (!any)
		return error_set(
			err, ERR_FORMAT,
			"no run says how busy its engines were: there is no occupancy to draw");
	const char *title = arena_printf(arena, "Engine occupancy of %s", runs.subject);
	plot.scene = scene_new(arena, CHART_WIDTH, 0, plot.palette->background);
	describe(&plot, &runs, title);
	plot_heading(&plot, title,
		     arena_printf(arena,
				  "%s%sshare of the run's time in which an engine was active",
				  runs.place, *runs.place ? "; " : ""));
	double y = draw_panels(&plot, &runs, 88, &hidden);
	plot.scene->height = ceil(draw_notes(&plot, &runs, &hidden, y + 8) + 14);
	*scene = plot.scene;
	return 0;
}
