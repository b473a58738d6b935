/*
 * Engine occupancy: one panel per run. An engine is a row: its name, a bar for the run (B) with a
 * tick for its baseline (A), the number and its change in percentage points; next to it, or below
 * it on a narrow picture, the course over the run if the profile has timelines. An engine has the
 * same color and the same row in every panel.
 */

#include "render/document/key.h"
#include "render/chart/chart.h"

#include "base/text/text.h"
#include "base/base.h"
#include "render/chart/plot/plot.h"
#include "render/chart/plot/run.h"
#include "render/chart/engines/strip.h"
#include "render/vocabulary/vocabulary.h"

enum { PANEL_LIMIT = 6, WINDOW_LIMIT = 200 };
static const double narrowest_name = 52, widest_name = 120, gap = 8, bar_share = 0.42,
		    least_change = 0.0005; /* of a share: below it prints as 0.0 */

/* Throttle windows that are not drawn. If some of them were merged by the reader, `count` is a
 * lower bound. */
struct hidden_windows {
	size_t count;
	bool merged;
};

/* What the panels have in common, and what they leave out. */
struct summary {
	size_t panels;
	bool changes;      /* some engine has the baseline's occupancy */
	bool timelines;    /* some engine has a course over the run */
	double name_width; /* the same in all panels, so that bars can be compared across them */
	double number_width, change_width;
	double pitch, bar_height, strip_height;
	size_t hidden; /* engines */
	struct hidden_windows windows;
};

struct panel {
	struct engines_panel rows;
	struct summary *all;
	double bar_right;               /* where bars of 100 % end */
	double strip_left, strip_right; /* of the course over the run */
	struct engines_scale scale;
	double total_time; /* NAN when unknown */
	size_t busiest;    /* index of the engine */
};

/* --- rows --- */

static const char *change_text(struct arena *arena, double change)
{
	if (fabs(change) < least_change)
		return "\xc2\xb1"
		       "0 pp";
	return arena_printf(arena, fabs(change) < 0.0995 ? "%s%.1f pp" : "%s%.0f pp",
			    change > 0 ? "+" : "\xe2\x88\x92", fabs(change) * 100);
}

/* Draws the bar of B and the tick of A, then the number and its change. */
static void draw_bar(struct panel *panel, size_t index, double middle)
{
	struct engines_panel *rows = &panel->rows;
	struct chart_plot *plot = rows->plot;
	const struct summary *all = panel->all;
	const struct json *engine = rows->engines.items[index];
	double share = plot_number(engine, KEY(occupancy));
	double before = plot_number(engine, KEY(baseline_occupancy));
	double top = middle - all->bar_height / 2, room = panel->bar_right - rows->track;
	unsigned bold = index == panel->busiest ? PLOT_BOLD : 0;
	const char *text = quantity_percent_text(plot->arena, share);
	const char *name = json_text(engine, KEY(title), "engine");
	engines_label(rows, PLOT_LABEL | bold, middle + 4, engines_name(plot->arena, engine));
	scene_rect(plot->scene, rows->track, top, room, all->bar_height,
		   scene_fill(plot->palette->track, 1))
		->radius = 2;
	if (engines_share(share) > 0)
		scene_tooltip(
			plot->scene,
			scene_rect(plot->scene, rows->track, top,
				   fmax(engines_share(share) * room, 1), all->bar_height,
				   scene_fill(engines_color(plot->palette, engine, index), 1)),
			vocabulary_format("%s: active %s"), name, text)
			->radius = 2;
	double x = panel->bar_right + gap + all->number_width;
	plot_text(plot, x, middle + 4, PLOT_LABEL | bold | PLOT_END, text);
	if (isnan(before))
		return;
	double at = rows->track + engines_share(before) * room;
	scene_tooltip(plot->scene,
		      scene_line(plot->scene, at, top - 4, at, top + all->bar_height + 4,
				 scene_stroke(plot->palette->ink, 2)),
		      vocabulary_format("%s: A active %s"), name,
		      quantity_percent_text(plot->arena, before));
	plot_text(plot, x + gap + all->change_width, middle + 4,
		  PLOT_LABEL | PLOT_END | (bold ? bold : PLOT_MUTED),
		  change_text(plot->arena, share - before));
}

/* Draws the activity of an engine over the run's time. */
static void draw_strip(struct panel *panel, size_t index, double base)
{
	struct chart_plot *plot = panel->rows.plot;
	const struct json *engine = panel->rows.engines.items[index];
	double height = panel->all->strip_height;
	struct chart_strip strip = {&panel->scale, base, height};
	if (!engines_have_timeline(engine, "timeline"))
		return;
	scene_rect(plot->scene, panel->strip_left, base - height,
		   panel->strip_right - panel->strip_left, height,
		   scene_fill(plot->palette->surface, 1));
	engines_strip_draw(plot, &strip, json_get(engine, KEY(timeline)),
			   scene_fill(engines_color(plot->palette, engine, index), 1));
}

/* --- throttling --- */

/* Draws one throttle window. Returns false if it lies outside the run's time. A lower clock limit
 * is drawn darker. */
static bool draw_window(struct panel *panel, const struct json *window, double middle)
{
	const struct chart_plot *plot = panel->rows.plot;
	double width = panel->strip_right - panel->strip_left,
	       limit = plot_number(window, KEY(limit));
	double from = plot_number(window, KEY(start));
	double start = engines_share(from / panel->total_time);
	double end = engines_share((from + plot_number(window, KEY(duration))) / panel->total_time);
	/* From 0.35 (no limit) to 1 (stopped); short windows are at least 1 px wide. */
	double opacity = isnan(limit) ? 0.8 : 0.35 + 0.65 * (1 - engines_share(limit));
	if (!(end > start))
		return false;
	scene_tooltip(plot->scene,
		      scene_rect(plot->scene, panel->strip_left + start * width, middle - 4,
				 fmax((end - start) * width, 1), 8,
				 scene_fill(plot->palette->slower, opacity)),
		      vocabulary_format("throttled: %s %.3g %%"),
		      json_text(window, KEY(type), "limit"), limit * 100);
	return true;
}

/* Draws the windows in which the device limited the clock of a core. A merged window sums many
 * windows whose positions the reader did not store, so it is only counted. */
static void draw_throttles(struct panel *panel)
{
	struct engines_panel *rows = &panel->rows;
	struct chart_plot *plot = rows->plot;
	struct hidden_windows *hidden = &panel->all->windows;
	const struct json *list = json_get(rows->run->json, KEY(throttles));
	if (!list || list->type != JSON_ARRAY || !list->count || !(panel->total_time > 0))
		return;
	double middle = rows->y + 9;
	plot_text(plot, panel->strip_left - gap, middle + 4, PLOT_LABEL | PLOT_END,
		  vocabulary_format("Throttled"));
	scene_rect(plot->scene, panel->strip_left, middle - 4,
		   panel->strip_right - panel->strip_left, 8, scene_fill(plot->palette->track, 1));
	size_t drawn = 0;
	for (const struct json *t = list->first; t; t = t->next) {
		bool merged = strcmp(json_text(t, KEY(type), ""), "merged") == 0;
		hidden->merged |= merged;
		if (!merged && drawn < WINDOW_LIMIT)
			drawn += draw_window(panel, t, middle);
	}
	hidden->count += list->count - drawn;
	rows->y += 20;
}

/* --- panels --- */

/* 0, 50 and 100 % below the bars. */
static void draw_shares(struct panel *panel)
{
	struct chart_plot *plot = panel->rows.plot;
	double left = panel->rows.track, width = panel->bar_right - left, y = panel->rows.y + 2;
	unsigned look = PLOT_SMALL | PLOT_MUTED;
	scene_line(plot->scene, left, y, panel->bar_right, y,
		   scene_stroke(plot->palette->frame, 1));
	plot_text(plot, left, y + 15, look, "0");
	if (width >= 120)
		plot_text(plot, left + width / 2, y + 15, look | PLOT_MIDDLE, "50");
	plot_text(plot, panel->bar_right, y + 15, look | PLOT_END, "100 %");
}

static void draw_panel(struct panel *panel)
{
	struct engines_panel *rows = &panel->rows;
	const struct summary *all = panel->all;
	bool below = rows->plot->narrow, timelines = false;
	if (all->panels > 1) {
		engines_title(
			rows, PLOT_TEXT | PLOT_MUTED,
			isnan(panel->total_time)
				? ""
				: quantity_text(rows->plot->arena, panel->total_time, UNIT_SECOND));
		rows->y += 10;
	}
	for (size_t i = 0; i < rows->engines.count; i++) {
		bool course = engines_have_timeline(rows->engines.items[i], "timeline");
		double middle = rows->y + (below && course ? 11 : all->pitch / 2);
		double base =
			below ? rows->y + 22 + all->strip_height : middle + all->strip_height / 2;
		draw_bar(panel, i, middle);
		draw_strip(panel, i, base);
		rows->y = below && course ? base + 7 : rows->y + all->pitch;
		timelines |= course;
	}
	rows->y += 4;
	if (timelines)
		draw_throttles(panel);
	struct engines_panel axis = *rows;
	if (!below || !timelines)
		draw_shares(panel);
	if (timelines && panel->total_time > 0)
		engines_time_axis(&axis, &panel->scale);
	rows->y = fmax(axis.y, rows->y + 22);
}

static size_t busiest_of(const struct engines *engines)
{
	size_t best = 0;
	double most = -1;
	for (size_t i = 0; i < engines->count; i++) {
		double share = plot_number(engines->items[i], KEY(occupancy));
		best = share > most ? i : best;
		most = fmax(most, share);
	}
	return best;
}

static struct summary summary_of(const struct chart_plot *plot, const struct chart_runs *runs)
{
	struct summary all = {.panels = runs->count < PANEL_LIMIT ? runs->count : PANEL_LIMIT};
	double widest = narrowest_name;
	for (size_t i = 0; i < all.panels; i++) {
		struct engines engines = engines_of(&runs->items[i]);
		widest = engines_names_width(plot->arena, &engines, PLOT_LABEL | PLOT_BOLD, widest);
		all.hidden += engines.hidden;
		for (size_t k = 0; k < engines.count; k++) {
			const struct json *e = engines.items[k];
			all.changes |= !isnan(plot_number(e, KEY(baseline_occupancy)));
			all.timelines |= engines_have_timeline(e, "timeline");
		}
	}
	all.name_width = fmin(ceil(widest), widest_name);
	all.number_width = ceil(fmax(plot_text_width(PLOT_LABEL | PLOT_BOLD, "100.0 %"),
				     plot_text_width(PLOT_LABEL, vocabulary_format("unknown"))));
	if (all.changes)
		all.change_width = ceil(plot_text_width(PLOT_LABEL | PLOT_BOLD, "+99.9 pp"));
	all.pitch = all.panels > 1 ? 26 : 42;
	all.bar_height = all.panels > 1 ? 12 : 18;
	all.strip_height = all.panels > 1 ? 20 : 32;
	if (plot->narrow) {
		all.pitch = 26;
		all.bar_height = 14;
		all.strip_height = 24;
	}
	return all;
}

static struct panel panel_of(struct chart_plot *plot, const struct chart_run *run,
			     struct summary *all)
{
	struct panel panel = {
		.rows = engines_panel_of(plot, run, plot->left, plot->right, all->name_width),
		.all = all,
		.total_time = plot_metric(run->json, KEY(total_time))};
	double numbers = gap + all->number_width + (all->changes ? gap + all->change_width : 0);
	double room = plot->right - panel.rows.track;
	bool beside = all->timelines && !plot->narrow;
	panel.bar_right = panel.rows.track + (beside ? room * bar_share : room) - numbers;
	panel.strip_left = beside ? panel.rows.track + room * bar_share + 24 : panel.rows.track;
	panel.strip_right = plot->right;
	/* Without a time the course is drawn over the unknown whole. */
	double total = panel.total_time > 0 ? panel.total_time : 1;
	panel.scale =
		(struct engines_scale){.left = panel.strip_left,
				       .per_second = (panel.strip_right - panel.strip_left) / total,
				       .total = total};
	panel.busiest = busiest_of(&panel.rows.engines);
	return panel;
}

/* --- texts --- */

/* "DMA is the busiest engine: 59 % of the run, was 30 %" */
static const char *finding(struct arena *arena, const struct chart_runs *runs)
{
	struct engines first = engines_of(&runs->items[0]);
	const struct json *busiest = first.items[busiest_of(&first)];
	const char *name = engines_name(arena, busiest);
	double before = plot_number(busiest, KEY(baseline_occupancy));
	size_t same = 0;
	for (size_t i = 0; i < runs->count; i++) {
		struct engines engines = engines_of(&runs->items[i]);
		same += strcmp(engines_name(arena, engines.items[busiest_of(&engines)]), name) == 0;
	}
	if (runs->count > 1 && same == runs->count)
		return arena_printf(arena,
				    vocabulary_format("%s is the busiest engine of all %zu runs"),
				    name, same);
	if (runs->count > 1)
		return arena_printf(
			arena,
			vocabulary_format("Engines of %s: %s is the busiest in %zu of %zu runs"),
			runs->subject, name, same, runs->count);
	const char *share = quantity_percent_text(arena, plot_number(busiest, KEY(occupancy)));
	return isnan(before)
		       ? arena_printf(arena,
				      vocabulary_format("%s is the busiest engine: %s of the run"),
				      name, share)
		       : arena_printf(arena,
				      vocabulary_format(
					      "%s is the busiest engine: %s of the run, was %s"),
				      name, share, quantity_percent_text(arena, before));
}

/* "attention_fwd s=1024 on trn2, 78.40 us: share of the run that each engine is active" */
static const char *line_of(struct arena *arena, const struct chart_runs *runs,
			   const struct summary *all)
{
	const struct chart_run *run = &runs->items[0];
	const struct json *baseline = json_get(run->json, KEY(baseline));
	const char *commit = json_text(json_get(baseline, KEY(commit)), KEY(short), "");
	const char *on = *runs->device ? vocabulary_format(" on ") : "";
	const char *what = all->timelines
				   ? vocabulary_format("share of the run active, then over the run")
				   : vocabulary_format("share of the run active");
	double time = plot_metric(run->json, KEY(total_time));
	if (runs->count > 1)
		return arena_printf(arena, vocabulary_format("%s%s%s: %s"), runs->subject, on,
				    runs->device, what);
	return arena_printf(arena, vocabulary_format("%s%s%s%s%s%s%s%s%s: %s"), runs->subject,
			    strcmp(run->name, runs->subject) ? " " : "",
			    strcmp(run->name, runs->subject) ? run->name : "", on, runs->device,
			    isnan(time) ? "" : vocabulary_format(", "),
			    isnan(time) ? "" : quantity_text(arena, time, UNIT_SECOND),
			    all->changes && *commit ? vocabulary_format("; A is ") : "",
			    all->changes ? commit : "", what);
}

static void draw_keys(struct chart_plot *plot)
{
	const struct plot_key keys[] = {
		{PLOT_SAMPLE_AREA, plot->palette->dma, vocabulary_format("B: this run")},
		{PLOT_SAMPLE_TICK, plot->palette->ink, vocabulary_format("A: baseline")},
	};
	plot_keys(plot, keys, 2);
}

/* Notes: how to read the picture, and what it leaves out. */
static void draw_notes(struct chart_plot *plot, const struct chart_runs *runs,
		       const struct summary *all, size_t without)
{
	const struct hidden_windows *windows = &all->windows;
	if (all->changes)
		draw_keys(plot);
	if (all->changes || all->timelines)
		plot_note(plot, 2, "%s%s",
			  all->changes ? vocabulary_format("pp: percentage points from A. ") : "",
			  all->timelines
				  ? vocabulary_format(
					    "The courses rise to 100 % of each slice of the run.")
				  : "");
	if (all->hidden)
		plot_note(plot, 1, vocabulary_format("%zu more engines are not drawn."),
			  all->hidden);
	if (windows->count)
		plot_note(plot, 1, vocabulary_format("%s%zu throttle window%s not drawn."),
			  windows->merged ? vocabulary_format("At least ") : "", windows->count,
			  windows->count == 1 ? " is" : "s are");
	if (without)
		plot_note(plot, 1, vocabulary_format("%s not drawn."),
			  quantity_count_text(
				  plot->arena, without,
				  vocabulary_format("run without times of engines is"),
				  vocabulary_format("runs without times of engines are")));
	if (runs->count > PANEL_LIMIT)
		plot_note(plot, 1, vocabulary_format("%s not drawn."),
			  quantity_count_text(plot->arena, runs->count - PANEL_LIMIT,
					      vocabulary_format("more run is"),
					      vocabulary_format("more runs are")));
}

static const char *description(struct arena *arena, const struct chart_runs *runs)
{
	struct strbuf text = {0};
	strbuf_addstr(&text,
		      vocabulary_format("Active time of each engine as a share of run time"));
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
			"no engine activity to plot: these profiles have no per-engine "
			"times\nhint: neuron-profile view --output-format json, or an NTFF, "
			"has them: rooflog ingest FILE");
	plot_begin(&plot, arena, look->dark, look->width);
	struct summary all = summary_of(&plot, &runs);
	plot_heading(&plot, finding(arena, &runs), line_of(arena, &runs, &all),
		     description(arena, &runs));
	plot.below += all.panels > 1 ? 22 : 8;
	for (size_t i = 0; i < all.panels; i++) {
		struct panel panel = panel_of(&plot, &runs.items[i], &all);
		panel.rows.y = plot.below;
		draw_panel(&panel);
		plot.below = panel.rows.y + (i + 1 < all.panels ? 26 : 8);
	}
	draw_notes(&plot, &runs, &all, without);
	*scene = plot_end(&plot, 14);
	return 0;
}
