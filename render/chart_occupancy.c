/*
 * Engine occupancy: one panel per run, two panels in a row. A panel has a bar per
 * engine and, where the profile has timelines, a filled curve per engine over the
 * run's time. An engine keeps its colour and its place in every panel.
 */
#include "render/chart_occupancy.h"

#include <math.h>
#include <string.h>

#include "base/quantity.h"
#include "base/strbuf.h"
#include "render/chart_plot.h"
#include "render/chart_run.h"

enum { PANEL_LIMIT = 6, ENGINE_LIMIT = 12, BIN_LIMIT = 1024, WINDOW_LIMIT = 200 };
static const double panel_gap = 40, bar_pitch = 19, bar_height = 11, strip_pitch = 22,
		    strip_height = 17, name_least = 52, name_most = 120;

/* Throttle windows that are not drawn; when some of them were merged, there are at least as many.
 */
struct hidden_windows {
	size_t count;
	bool merged;
};

struct panel {
	struct chart_plot *plot;
	const struct chart_run *run;
	struct hidden_windows *hidden; /* of all panels */
	double left, right;            /* of the whole panel */
	double name_width;             /* of the column of engine names */
	double track;                  /* where bars and strips begin */
	double total_time;             /* NAN when unknown */
	double y;                      /* next free line */
};

/* "Tensor engine" -> "Tensor". */
static const char *engine_name(struct arena *arena, const struct json *engine)
{
	const char *title = json_text(engine, "title", json_text(engine, "name", "engine"));
	struct span text = span_trim(span_of(title));
	if (span_ends(text, " engine"))
		text.len -= strlen(" engine");
	return scene_clean(arena, arena_strndup(arena, text.ptr, text.len));
}

static uint32_t engine_colour(const struct panel *panel, const struct json *engine, size_t index)
{
	const char *name = json_text(engine, "name", json_text(engine, "title", ""));
	return palette_engine(panel->plot->palette, name, index);
}

static bool has_timeline(const struct json *engine)
{
	const struct json *timeline = json_get(engine, "timeline");
	return timeline && timeline->type == JSON_ARRAY && timeline->count > 0;
}

static const struct json *first_engine(const struct chart_run *run)
{
	const struct json *engines = json_get(run->json, "engines");
	return engines && engines->type == JSON_ARRAY ? engines->first : NULL;
}

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

static double clamp(double share)
{
	return share > 0 ? fmin(share, 1) : 0;
}

static void draw_bar(struct panel *panel, const struct json *engine, size_t index)
{
	const struct chart_plot *plot = panel->plot;
	double share = chart_number(engine, "occupancy");
	double before = chart_number(engine, "baseline_occupancy");
	double middle = panel->y + bar_pitch / 2, top = middle - bar_height / 2;
	double room = panel->right - panel->track - 52;
	const char *text =
		isnan(share) ? "unknown" : arena_printf(plot->arena, "%.1f %%", share * 100);
	struct scene_style track = {.fill = plot->palette->track, .stroke = SCENE_NONE};
	struct scene_style fill = {.fill = engine_colour(panel, engine, index),
				   .stroke = SCENE_NONE};
	draw_name(panel, engine_name(plot->arena, engine), middle);
	scene_rect(plot->scene, panel->track, top, room, bar_height, track)->radius = 2;
	if (clamp(share) > 0) {
		struct scene_item *bar = scene_rect(plot->scene, panel->track, top,
						    fmax(clamp(share) * room, 1), bar_height, fill);
		bar->radius = 2;
		scene_tooltip(plot->scene, bar,
			      arena_printf(plot->arena, "%s: active %s",
					   json_text(engine, "title", "engine"), text));
	}
	if (!isnan(before)) {
		struct scene_style outline = {.fill = SCENE_NONE,
					      .stroke = plot->palette->ink,
					      .opacity = 0.8,
					      .width = 1,
					      .dash = SCENE_DOTTED};
		struct scene_item *box = scene_rect(plot->scene, panel->track, top - 2,
						    clamp(before) * room, bar_height + 4, outline);
		scene_tooltip(plot->scene, box,
			      arena_printf(plot->arena, "baseline: active %.1f %%", before * 100));
	}
	scene_text(plot->scene, panel->track + room + 6, middle + 4, chart_label_size,
		   plot->palette->ink, text);
	panel->y += bar_pitch;
}

/* A curve of steps: one level per bin, equal neighbours joined. Returns the number of corners. */
static size_t trace_bins(const struct json *timeline, double left, double width, double base,
			 double height, struct scene_point *corners)
{
	size_t used = 0, bin = 0;
	double level = 0,
	       bins = (double)(timeline->count < BIN_LIMIT ? timeline->count : BIN_LIMIT);
	corners[used++] = (struct scene_point){left, base};
	for (const struct json *v = timeline->first; v && bin < BIN_LIMIT; v = v->next, bin++) {
		double next = round(clamp(v->type == JSON_NUMBER ? v->number : 0) * 40) / 40;
		double x = left + (double)bin / bins * width;
		if (next == level)
			continue;
		corners[used++] = (struct scene_point){x, base - level * height};
		corners[used++] = (struct scene_point){x, base - next * height};
		level = next;
	}
	if (level > 0)
		corners[used++] = (struct scene_point){left + width, base - level * height};
	corners[used++] = (struct scene_point){left + width, base};
	return used;
}

static void draw_strip(struct panel *panel, const struct json *engine, size_t index)
{
	const struct chart_plot *plot = panel->plot;
	double middle = panel->y + strip_pitch / 2, top = middle - strip_height / 2;
	double width = panel->right - panel->track;
	struct scene_style track = {.fill = plot->palette->track, .stroke = SCENE_NONE};
	struct scene_style fill = {.fill = engine_colour(panel, engine, index),
				   .stroke = SCENE_NONE};
	draw_name(panel, engine_name(plot->arena, engine), middle);
	scene_rect(plot->scene, panel->track, top, width, strip_height, track);
	if (has_timeline(engine)) {
		const struct json *timeline = json_get(engine, "timeline");
		struct scene_point corners[2 * BIN_LIMIT + 3];
		size_t count = trace_bins(timeline, panel->track, width, top + strip_height,
					  strip_height, corners);
		if (count > 2)
			scene_polygon(plot->scene, corners, count, fill);
	} else {
		scene_text(plot->scene, panel->track + 6, middle + 4, chart_small_size,
			   plot->palette->muted, "no timeline");
	}
	panel->y += strip_pitch;
}

/* False when nothing of it is inside the run's time. Darker for a lower limit. */
static bool draw_window(struct panel *panel, const struct json *window, double middle)
{
	const struct chart_plot *plot = panel->plot;
	double width = panel->right - panel->track, limit = chart_number(window, "limit");
	double from = chart_number(window, "start");
	double start = clamp(from / panel->total_time);
	double end = clamp((from + chart_number(window, "duration")) / panel->total_time);
	struct scene_style style = {.fill = plot->palette->warn, .stroke = SCENE_NONE};
	if (!(end > start))
		return false;
	style.opacity = isnan(limit) ? 0.8 : 0.35 + 0.65 * (1 - clamp(limit));
	struct scene_item *rect = scene_rect(plot->scene, panel->track + start * width, middle - 4,
					     fmax((end - start) * width, 1), 8, style);
	scene_tooltip(plot->scene, rect,
		      arena_printf(plot->arena, "throttled: %s %.3g %%",
				   json_text(window, "type", "limit"), limit * 100));
	return true;
}

/* Windows in which the device slowed a core down. A merged one is the sum of many that the reader
 * did not keep: where they were is not known. */
static void draw_throttles(struct panel *panel)
{
	const struct chart_plot *plot = panel->plot;
	const struct json *list = json_get(panel->run->json, "throttles");
	if (!list || list->type != JSON_ARRAY || !list->count || !(panel->total_time > 0))
		return;
	double middle = panel->y + strip_pitch / 2, width = panel->right - panel->track;
	struct scene_style track = {.fill = plot->palette->track, .stroke = SCENE_NONE};
	draw_name(panel, "Throttle", middle);
	scene_rect(plot->scene, panel->track, middle - 4, width, 8, track);
	size_t drawn = 0;
	for (const struct json *t = list->first; t; t = t->next) {
		bool merged = strcmp(json_text(t, "type", ""), "merged") == 0;
		panel->hidden->merged |= merged;
		if (!merged && drawn < WINDOW_LIMIT)
			drawn += draw_window(panel, t, middle);
	}
	panel->hidden->count += list->count - drawn;
	panel->y += strip_pitch;
}

/* Seconds in the unit that suits the whole axis: the ticks share it. */
static const char *time_unit(double total, double *scale)
{
	static const struct {
		double scale;
		const char *unit;
	} units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};
	size_t i = 0;
	while (i < 3 && total * units[i].scale < 1.5)
		i++;
	*scale = units[i].scale;
	return units[i].unit;
}

static void draw_time_axis(struct panel *panel)
{
	const struct chart_plot *plot = panel->plot;
	double width = panel->right - panel->track, scale;
	struct scene_style line = {.fill = SCENE_NONE, .stroke = plot->palette->frame, .width = 1};
	panel->y += 2;
	scene_line(plot->scene, panel->track, panel->y, panel->right, panel->y, line);
	if (!(panel->total_time > 0)) {
		panel->y += 20;
		return;
	}
	const char *unit = time_unit(panel->total_time, &scale);
	double total = panel->total_time * scale, step = chart_step(total, width > 400 ? 10 : 5);
	for (int i = 0; i * step <= total * (1 + 1e-9) && i < 40; i++) {
		double x = panel->track + i * step / total * width;
		scene_line(plot->scene, x, panel->y, x, panel->y + 4, line);
		const char *text = arena_printf(plot->arena, "%.6g", i * step);
		if (i == 0)
			text = arena_printf(plot->arena, "0 %s", unit);
		struct scene_item *label = scene_text(plot->scene, x, panel->y + 16,
						      chart_small_size, plot->palette->muted, text);
		label->anchor = x > panel->right - 12 ? SCENE_END : SCENE_MIDDLE;
	}
	panel->y += 24;
}

static void draw_panel(struct panel *panel)
{
	size_t count = 0, timelines = 0;
	draw_title(panel);
	for (const struct json *e = first_engine(panel->run); e && count < ENGINE_LIMIT;
	     e = e->next, count++) {
		draw_bar(panel, e, count);
		timelines += has_timeline(e);
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
	for (const struct json *e = first_engine(panel->run); e && count < ENGINE_LIMIT;
	     e = e->next, count++)
		draw_strip(panel, e, count);
	draw_throttles(panel);
	draw_time_axis(panel);
}

/* The same in all panels, so that bars compare across them. */
static double widest_name(struct arena *arena, const struct chart_runs *runs)
{
	double widest = name_least;
	for (size_t i = 0; i < runs->count && i < PANEL_LIMIT; i++) {
		size_t count = 0;
		for (const struct json *e = first_engine(&runs->items[i]);
		     e && count < ENGINE_LIMIT; e = e->next, count++)
			widest = fmax(widest, scene_text_width(engine_name(arena, e),
							       chart_label_size, false));
	}
	return fmin(ceil(widest), name_most);
}

static double draw_panels(struct chart_plot *plot, const struct chart_runs *runs, double y,
			  struct hidden_windows *hidden)
{
	size_t shown = runs->count < PANEL_LIMIT ? runs->count : PANEL_LIMIT;
	size_t columns = shown > 1 ? 2 : 1;
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
		panel.total_time = chart_metric(panel.run->json, "total_time");
		panel.y = y;
		draw_panel(&panel);
		lowest = fmax(lowest, panel.y);
	}
	return lowest;
}

/* What the picture leaves out, and how to read its outlines. */
static double draw_notes(struct chart_plot *plot, const struct chart_runs *runs,
			 const struct hidden_windows *windows, double y)
{
	bool outlined = false;
	size_t hidden = 0;
	for (size_t i = 0; i < runs->count && i < PANEL_LIMIT; i++) {
		const struct json *engines = json_get(runs->items[i].json, "engines");
		for (const struct json *e = first_engine(&runs->items[i]); e; e = e->next)
			outlined |= !isnan(chart_number(e, "baseline_occupancy"));
		if (engines && engines->count > ENGINE_LIMIT)
			hidden += engines->count - ENGINE_LIMIT;
	}
	if (outlined)
		y = chart_note(plot, y, "Dotted outlines show the baseline.", 1);
	if (hidden)
		y = chart_note(plot, y,
			       arena_printf(plot->arena, "%zu more engines are not drawn.", hidden),
			       1);
	if (windows->count)
		y = chart_note(plot, y,
			       arena_printf(plot->arena, "%s%zu throttle window%s not drawn.",
					    windows->merged ? "At least " : "", windows->count,
					    windows->count == 1 ? " is" : "s are"),
			       1);
	if (runs->count > PANEL_LIMIT)
		y = chart_note(plot, y,
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
		for (const struct json *e = first_engine(&runs->items[i]); e && told < ENGINE_LIMIT;
		     e = e->next, told++) {
			strbuf_addf(&desc, "%s %s ", told ? "," : "",
				    json_text(e, "title", json_text(e, "name", "engine")));
			quantity_add(&desc, chart_number(e, "occupancy"), UNIT_FRACTION);
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
	if (chart_runs_read(arena, report, &runs, err) < 0)
		return -1;
	for (size_t i = 0; i < runs.count; i++)
		any |= first_engine(&runs.items[i]) != NULL;
	if (!any)
		return error_set(
			err, ERR_FORMAT,
			"no run says how busy its engines were: there is no occupancy to draw");
	const char *title = arena_printf(arena, "Engine occupancy of %s", runs.subject);
	plot.scene = scene_new(arena, CHART_WIDTH, 0, plot.palette->background);
	describe(&plot, &runs, title);
	chart_heading(&plot, title,
		      arena_printf(arena,
				   "%s%sshare of the run's time in which an engine was active",
				   runs.place, *runs.place ? "; " : ""));
	double y = draw_panels(&plot, &runs, 88, &hidden);
	plot.scene->height = ceil(draw_notes(&plot, &runs, &hidden, y + 8) + 14);
	*scene = plot.scene;
	return 0;
}
