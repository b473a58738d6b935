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
		    strip_height = 17, narrowest_name = 52, widest_name = 120, value_gap = 6;

/* Throttle windows that are not drawn. If some of them were merged by the reader, `count` is a
 * lower bound. */
struct hidden_windows {
	size_t count;
	bool merged;
};

struct panel {
	struct engines_panel rows;
	struct hidden_windows *hidden; /* shared by all panels */
	double value_width;            /* of the column of values at the right */
	double total_time;             /* NAN when unknown */
	double axis_time;              /* end of the time axis, s; see set_times() */
	double baseline_time;          /* s; NAN: no outlines over the timelines */
};

static void draw_bar(struct panel *panel, const struct json *engine, size_t index)
{
	struct engines_panel *rows = &panel->rows;
	struct chart_plot *plot = rows->plot;
	double share = plot_number(engine, KEY(occupancy));
	double before = plot_number(engine, KEY(baseline_occupancy));
	double middle = rows->y + bar_pitch / 2, top = middle - bar_height / 2;
	double room = rows->right - rows->track - panel->value_width;
	const char *text = quantity_percent_text(plot->arena, share);
	uint32_t colour = engines_color(plot->palette, engine, index);
	engines_label(rows, PLOT_LABEL, middle + 4, engines_name(plot->arena, engine));
	scene_rect(plot->scene, rows->track, top, room, bar_height,
		   scene_fill(plot->palette->track, 1))
		->radius = 2;
	if (engines_share(share) > 0)
		scene_tooltip(plot->scene,
			      scene_rect(plot->scene, rows->track, top,
					 fmax(engines_share(share) * room, 1), bar_height,
					 scene_fill(colour, 1)),
			      "%s: active %s", json_text(engine, KEY(title), "engine"), text)
			->radius = 2;
	if (!isnan(before)) {
		struct scene_style outline = {.fill = SCENE_NONE,
					      .stroke = plot->palette->ink,
					      .opacity = 0.8,
					      .width = 1,
					      .dash = SCENE_DOTTED};
		scene_tooltip(plot->scene,
			      scene_rect(plot->scene, rows->track, top - 2,
					 engines_share(before) * room, bar_height + 4, outline),
			      "baseline: active %.1f %%", before * 100);
	}
	plot_text(plot, rows->track + room + value_gap, middle + 4, PLOT_LABEL, text);
	if (!isnan(before))
		plot_text(plot, rows->right, middle + 4, PLOT_SMALL | PLOT_MUTED | PLOT_END,
			  arena_printf(plot->arena, "was %.1f %%", before * 100));
	rows->y += bar_pitch;
}

/* The width of `seconds` on the time axis; the whole track if times are unknown. */
static double width_of(const struct panel *panel, double seconds)
{
	double width = panel->rows.right - panel->rows.track;
	return panel->axis_time > 0 ? seconds / panel->axis_time * width : width;
}

/* Draws the activity of an engine over the run's time, and the baseline's as an outline over its
 * own time. */
static void draw_strip(struct panel *panel, const struct json *engine, size_t index)
{
	struct engines_panel *rows = &panel->rows;
	struct chart_plot *plot = rows->plot;
	double middle = rows->y + strip_pitch / 2, top = middle - strip_height / 2;
	struct chart_strip strip = {rows->track, width_of(panel, panel->total_time),
				    top + strip_height, strip_height};
	struct scene_style outline = scene_stroke(plot->palette->ink, 0.75);
	outline.opacity = 0.55;
	engines_label(rows, PLOT_LABEL, middle + 4, engines_name(plot->arena, engine));
	scene_rect(plot->scene, rows->track, top, strip.width, strip_height,
		   scene_fill(plot->palette->track, 1));
	rows->y += strip_pitch;
	if (!engines_have_timeline(engine, "timeline")) {
		plot_text(plot, rows->track + 6, middle + 4, PLOT_SMALL | PLOT_MUTED,
			  "no timeline");
		return;
	}
	engines_strip_draw(plot, &strip, json_get(engine, KEY(timeline)),
			   scene_fill(engines_color(plot->palette, engine, index), 1));
	if (isnan(panel->baseline_time) || !engines_have_timeline(engine, "baseline_timeline"))
		return;
	strip.width = width_of(panel, panel->baseline_time);
	engines_strip_draw(plot, &strip, json_get(engine, KEY(baseline_timeline)), outline);
}

/* Draws one throttle window. Returns false if it lies outside the run's time. A lower clock limit
 * is drawn darker. */
static bool draw_window(struct panel *panel, const struct json *window, double middle)
{
	const struct chart_plot *plot = panel->rows.plot;
	double width = width_of(panel, panel->total_time), limit = plot_number(window, KEY(limit));
	double from = plot_number(window, KEY(start));
	double start = engines_share(from / panel->total_time);
	double end = engines_share((from + plot_number(window, KEY(duration))) / panel->total_time);
	/* From 0.35 (no limit) to 1 (stopped); short windows are at least 1 px wide. */
	double opacity = isnan(limit) ? 0.8 : 0.35 + 0.65 * (1 - engines_share(limit));
	if (!(end > start))
		return false;
	scene_tooltip(plot->scene,
		      scene_rect(plot->scene, panel->rows.track + start * width, middle - 4,
				 fmax((end - start) * width, 1), 8,
				 scene_fill(plot->palette->slower, opacity)),
		      "throttled: %s %.3g %%", json_text(window, KEY(type), "limit"), limit * 100);
	return true;
}

/* Draws the windows in which the device limited the clock of a core. A merged window sums many
 * windows whose positions the reader did not store, so it is only counted. */
static void draw_throttles(struct panel *panel)
{
	struct engines_panel *rows = &panel->rows;
	const struct json *list = json_get(rows->run->json, KEY(throttles));
	if (!list || list->type != JSON_ARRAY || !list->count || !(panel->total_time > 0))
		return;
	double middle = rows->y + strip_pitch / 2, width = width_of(panel, panel->total_time);
	engines_label(rows, PLOT_LABEL, middle + 4, "Throttle");
	scene_rect(rows->plot->scene, rows->track, middle - 4, width, 8,
		   scene_fill(rows->plot->palette->track, 1));
	size_t drawn = 0;
	for (const struct json *t = list->first; t; t = t->next) {
		bool merged = strcmp(json_text(t, KEY(type), ""), "merged") == 0;
		panel->hidden->merged |= merged;
		if (!merged && drawn < WINDOW_LIMIT)
			drawn += draw_window(panel, t, middle);
	}
	panel->hidden->count += list->count - drawn;
	rows->y += strip_pitch;
}

static void draw_panel(struct panel *panel)
{
	struct engines_panel *rows = &panel->rows;
	const struct engines *engines = &rows->engines;
	size_t timelines = 0;
	engines_title(rows, PLOT_TEXT | PLOT_MUTED,
		      isnan(panel->total_time)
			      ? ""
			      : quantity_text(rows->plot->arena, panel->total_time, UNIT_SECOND));
	rows->y += 11;
	for (size_t i = 0; i < engines->count; i++) {
		draw_bar(panel, engines->items[i], i);
		timelines += engines_have_timeline(engines->items[i], "timeline");
	}
	rows->y += timelines ? 10 : 0;
	if (!timelines)
		return;
	for (size_t i = 0; i < engines->count; i++)
		draw_strip(panel, engines->items[i], i);
	draw_throttles(panel);
	engines_time_axis(rows, panel->axis_time);
}

/* Sets the times of a panel, all on one scale. A longer baseline extends the axis.
 * A baseline longer than four times the run gets no outlines: it would compress the run. */
static void set_times(struct panel *panel)
{
	const struct json *difference =
		json_get(json_get(panel->rows.run->json, KEY(baseline)), KEY(timeline_difference));
	double before = plot_number(difference, KEY(before_seconds));
	panel->total_time = plot_metric(panel->rows.run->json, KEY(total_time));
	panel->axis_time = panel->total_time;
	panel->baseline_time = NAN;
	if (!(panel->total_time > 0) || !(before > 0) || before > 4 * panel->total_time)
		return;
	panel->baseline_time = before;
	panel->axis_time = fmax(before, panel->total_time);
}

/* What the panels have in common, and what they leave out. */
struct summary {
	size_t panels, columns;
	bool outlines;     /* some engine has the baseline's occupancy */
	double name_width; /* the same in all panels, so that bars can be compared across them */
	size_t hidden;     /* engines */
	struct hidden_windows windows;
};

static struct summary summary_of(struct arena *arena, const struct chart_runs *runs)
{
	struct summary all = {.panels = runs->count < PANEL_LIMIT ? runs->count : PANEL_LIMIT};
	double widest = narrowest_name;
	all.columns = all.panels > 1 ? 2 : 1;
	for (size_t i = 0; i < all.panels; i++) {
		struct engines engines = engines_of(&runs->items[i]);
		widest = engines_names_width(arena, &engines, PLOT_LABEL, widest);
		all.hidden += engines.hidden;
		for (const struct json *e = engines.count ? engines.items[0] : NULL; e; e = e->next)
			all.outlines |= !isnan(plot_number(e, KEY(baseline_occupancy)));
	}
	all.name_width = fmin(ceil(widest), widest_name);
	return all;
}

/* The width of the value column. With outlines, every value is followed by the baseline's value. */
static double value_width(bool outlines)
{
	const double gap = 10;
	double share = fmax(plot_text_width(PLOT_LABEL, "100.0 %"),
			    plot_text_width(PLOT_LABEL, "unknown"));
	double before = plot_text_width(PLOT_SMALL, "was 100.0 %");
	return ceil(value_gap + share + (outlines ? gap + before : 0));
}

static double draw_panels(struct chart_plot *plot, const struct chart_runs *runs, double y,
			  struct summary *all)
{
	double values = value_width(all->outlines), lowest = y;
	double width = CHART_WIDTH - 2 * CHART_MARGIN;
	double own = (width - (double)(all->columns - 1) * panel_gap) / (double)all->columns;
	for (size_t i = 0; i < all->panels; i++) {
		double left = CHART_MARGIN + (double)(i % all->columns) * (own + panel_gap);
		struct panel panel = {.hidden = &all->windows, .value_width = values};
		if (i && i % all->columns == 0)
			y = lowest + 24;
		panel.rows =
			engines_panel_of(plot, &runs->items[i], left, left + own, all->name_width);
		panel.rows.y = y;
		set_times(&panel);
		draw_panel(&panel);
		lowest = fmax(lowest, panel.rows.y);
	}
	return lowest;
}

/* Notes: what the picture leaves out, and how to read its outlines. */
static void draw_notes(struct chart_plot *plot, const struct chart_runs *runs,
		       const struct summary *all, size_t without)
{
	const struct hidden_windows *windows = &all->windows;
	if (all->outlines)
		plot_note(plot, 1, "Outlines: baseline, on its own time axis.");
	if (all->hidden)
		plot_note(plot, 1, "%zu more engines are not drawn.", all->hidden);
	if (windows->count)
		plot_note(plot, 1, "%s%zu throttle window%s not drawn.",
			  windows->merged ? "At least " : "", windows->count,
			  windows->count == 1 ? " is" : "s are");
	if (without)
		plot_note(plot, 1, "%s not drawn.",
			  quantity_count_text(plot->arena, without,
					      "run without times of engines is",
					      "runs without times of engines are"));
	if (runs->count > PANEL_LIMIT)
		plot_note(plot, 1, "%s not drawn.",
			  quantity_count_text(plot->arena, runs->count - PANEL_LIMIT, "more run is",
					      "more runs are"));
}

static const char *description(struct arena *arena, const struct chart_runs *runs)
{
	struct strbuf text = {0};
	strbuf_addstr(&text, "Active time of each engine as a share of run time");
	for (size_t i = 0; i < runs->count && i < PANEL_LIMIT; i++) {
		struct engines engines = engines_of(&runs->items[i]);
		strbuf_addf(&text, "; %s:", runs->items[i].whole);
		for (size_t k = 0; k < engines.count; k++) {
			const struct json *e = engines.items[k];
			strbuf_addf(&text, "%s %s ", k ? "," : "",
				    json_text(e, KEY(title), json_text(e, KEY(name), "engine")));
			quantity_add(&text, plot_number(e, KEY(occupancy)), UNIT_FRACTION);
		}
	}
	strbuf_addch(&text, '.');
	return strbuf_into(&text, arena);
}

/* Removes the runs without engines; returns how many. */
static size_t drop_empty(struct chart_runs *runs)
{
	size_t kept = 0, count = runs->count;
	for (size_t i = 0; i < count; i++)
		if (engines_of(&runs->items[i]).count)
			runs->items[kept++] = runs->items[i];
	runs->count = kept;
	return count - kept;
}

int chart_occupancy(struct arena *arena, const struct json *report, const struct chart_look *look,
		    struct scene **scene, struct error *err)
{
	struct chart_plot plot = {0};
	struct chart_runs runs;
	if (plot_runs_read(arena, report, &runs, err) < 0)
		return -1;
	size_t without = drop_empty(&runs);
	if (!runs.count)
		return error_set(
			err, ERR_FORMAT,
			"no engine activity to plot: these profiles have no per-engine times");
	struct summary all = summary_of(arena, &runs);
	plot_begin(&plot, arena, look->dark, look->width);
	plot_heading(&plot, arena_printf(arena, "Engine utilization of %s", runs.subject),
		     arena_printf(arena, "%s%sactive time per engine as a share of run time",
				  runs.device, *runs.device ? "; " : ""),
		     description(arena, &runs));
	plot.below = draw_panels(&plot, &runs, plot.below + 21, &all) + 8;
	draw_notes(&plot, &runs, &all, without);
	*scene = plot_end(&plot, 14);
	return 0;
}
