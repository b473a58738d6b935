/*
 * Timeline difference: for each run, the engines of its baseline (A) above those of the run (B), in
 * one scale of time. Stretches in which no engine works are folded. Bands join the corresponding
 * parts of both. Bars below show by how much each part became longer (up) or shorter (down).
 */

#include "render/chart/engines/timeline.h"

#include "base/base.h"
#include "base/text/text.h"
#include "render/chart/chart.h"
#include "render/document/key.h"
#include "render/vocabulary/vocabulary.h"

enum { PANEL_LIMIT = 3 };
static const double strip_pitch = 17, strip_height = 14, band_height = 44, narrowest_name = 72,
		    widest_name = 120, gap = 6, folded_share = 0.05, narrowest_fold = 30;

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

static void read_parts(struct chart_difference *panel)
{
	double resolution = plot_number(panel->difference, KEY(resolution_seconds));
	for (const struct json *p = json_first(panel->difference, KEY(parts));
	     p && panel->count < CHART_PART_LIMIT; p = p->next) {
		struct chart_part part = {
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

/* --- strips --- */

/* The engines that have a timeline on both sides. */
static struct engines both_sides(const struct engines *engines)
{
	struct engines both = {.count = 0};
	for (size_t i = 0; i < engines->count; i++)
		if (engines_have_timeline(engines->items[i], "timeline") &&
		    engines_have_timeline(engines->items[i], "baseline_timeline"))
			both.items[both.count++] = engines->items[i];
	return both;
}

/* Finds the folds of both sides and gives them one scale. */
static void set_scales(struct chart_difference *panel)
{
	struct engines_panel *rows = &panel->rows;
	double room = rows->right - rows->track, fold = narrowest_fold, per_second = INFINITY;
	struct engines_scale *sides[] = {&panel->a, &panel->b};
	panel->a.total = panel->before;
	panel->b.total = panel->after;
	engines_find_folds(&panel->a, &rows->engines, "baseline_timeline", folded_share);
	engines_find_folds(&panel->b, &rows->engines, "timeline", folded_share);
	for (size_t i = 0; i < 2; i++)
		if (sides[i]->fold_count)
			fold = fmin(fold, room / 2 / (double)sides[i]->fold_count);
	for (size_t i = 0; i < 2; i++)
		per_second = fmin(per_second, (room - fold * (double)sides[i]->fold_count) /
						      engines_unfolded(sides[i]));
	for (size_t i = 0; i < 2; i++) {
		sides[i]->left = rows->track;
		sides[i]->per_second = per_second;
		sides[i]->fold_width = fold;
	}
}

/* Draws the commit of a side at the left, and its time at the right. */
static void draw_side(struct chart_difference *panel, const char *side, const char *commit,
		      double seconds, double y)
{
	struct engines_panel *rows = &panel->rows;
	struct chart_plot *plot = rows->plot;
	const char *time = quantity_text(plot->arena, seconds, UNIT_SECOND);
	unsigned look = PLOT_TEXT | PLOT_BOLD;
	double room = rows->right - rows->left - plot_text_width(look, time) - 12;
	const char *name = arena_printf(plot->arena, "%s %s", side, commit);
	plot_text(plot, rows->left, y, look, plot_shorten(plot, look, name, room))->halo =
		plot->palette->background;
	plot_text(plot, rows->right, y, look | PLOT_END, time)->halo = plot->palette->background;
}

static const char *commit_of(const struct json *object, const char *otherwise)
{
	return json_text(json_get(object, KEY(commit)), KEY(short), otherwise);
}

/* Draws what is folded over the strips of one side: its length between two zigzags. */
static void draw_folds(struct chart_difference *panel, const struct engines_scale *scale,
		       double top, double bottom)
{
	struct chart_plot *plot = panel->rows.plot;
	for (size_t i = 0; i < scale->fold_count; i++) {
		double left = engines_x(scale, scale->folds[i].from);
		double right = engines_x(scale, scale->folds[i].to);
		const char *text = quantity_text(
			plot->arena, scale->folds[i].to - scale->folds[i].from, UNIT_SECOND);
		scene_tooltip(plot->scene,
			      scene_rect(plot->scene, left, top, right - left, bottom - top,
					 scene_fill(plot->palette->background, 1)),
			      vocabulary_format("no engine active for %s"), text);
		plot_fold(plot, left + 2, top, bottom);
		plot_fold(plot, right - 2, top, bottom);
		if (plot_text_width(PLOT_SMALL, text) > bottom - top ||
		    right - left < plot_text_size(PLOT_SMALL) + 10)
			continue;
		plot_text(plot, (left + right) / 2 + 4, (top + bottom) / 2,
			  PLOT_SMALL | PLOT_MUTED | PLOT_MIDDLE, text)
			->angle = -90;
	}
}

/* Draws the engines of one side, each over the side's own time. */
static void draw_strips(struct chart_difference *panel, const char *member,
			const struct engines_scale *scale, double opacity)
{
	struct engines_panel *rows = &panel->rows;
	struct chart_plot *plot = rows->plot;
	double top = rows->y, width = engines_x(scale, scale->total) - scale->left;
	for (size_t i = 0; i < rows->engines.count; i++) {
		const struct json *e = rows->engines.items[i];
		double base = rows->y + strip_height;
		struct chart_strip strip = {scale, base, strip_height};
		engines_label(rows, PLOT_LABEL, base - 3, engines_name(plot->arena, e));
		scene_rect(plot->scene, rows->track, rows->y, width, strip_height,
			   scene_fill(plot->palette->surface, 1));
		engines_strip_draw(plot, &strip, json_get(e, member),
				   scene_fill(engines_color(plot->palette, e, i), opacity));
		rows->y += strip_pitch;
	}
	rows->y -= strip_pitch - strip_height;
	draw_folds(panel, scale, top, rows->y);
}

/* --- how they correspond --- */

static void draw_band(struct chart_difference *panel, const struct chart_part *part)
{
	struct chart_plot *plot = panel->rows.plot;
	double top = panel->rows.y, bottom = top + band_height;
	struct scene_point corners[] = {{engines_x(&panel->a, part->baseline_from), top},
					{engines_x(&panel->a, part->baseline_to), top},
					{engines_x(&panel->b, part->to), bottom},
					{engines_x(&panel->b, part->from), bottom}};
	struct scene_style style = part->reported
					   ? scene_fill(engines_part_color(panel, part), 0.35)
					   : scene_fill(plot->palette->track, 0.6);
	struct scene_item *item = scene_polygon(plot->scene, corners, 4, style);
	if (part->reported)
		scene_tooltip(plot->scene, item, "%s", engines_part_tooltip(plot->arena, part));
}

/* Joins the parts of both sides, or says why none do. */
static void draw_bands(struct chart_difference *panel)
{
	struct chart_plot *plot = panel->rows.plot;
	double top = panel->rows.y, bottom = top + band_height;
	if (!panel->aligned) {
		plot_text(plot, panel->rows.left, top + 19, PLOT_SMALL | PLOT_MUTED,
			  vocabulary_format("The runs differ too much to match their parts."));
		return;
	}
	for (size_t i = 0; i < panel->count; i++)
		draw_band(panel, &panel->parts[i]);
	for (size_t i = 1; i < panel->count; i++)
		scene_line(plot->scene, engines_x(&panel->a, panel->parts[i].baseline_from), top,
			   engines_x(&panel->b, panel->parts[i].from), bottom,
			   scene_stroke(plot->palette->background, 1.5));
}

/* --- the picture --- */

/* Draws the panel at plot->below. */
static void draw_panel(struct chart_difference *panel, bool named)
{
	struct engines_panel *rows = &panel->rows;
	struct chart_plot *plot = rows->plot;
	const struct json *run = rows->run->json, *baseline = json_get(run, KEY(baseline));
	rows->y = plot->below;
	if (named) {
		engines_title(rows, PLOT_TEXT,
			      quantity_signed_text(plot->arena, panel->after - panel->before,
						   UNIT_SECOND));
		rows->y += 22;
	}
	draw_side(panel, "A", commit_of(baseline, vocabulary_format("baseline")), panel->before,
		  rows->y);
	rows->y += 7;
	draw_strips(panel, "baseline_timeline", &panel->a, 0.55);
	rows->y += 1;
	double band = rows->y;
	draw_bands(panel);
	rows->y = band + band_height;
	draw_side(panel, "B", commit_of(run, vocabulary_format("this run")), panel->after,
		  rows->y - 7);
	rows->y += 1;
	draw_strips(panel, "timeline", &panel->b, 1);
	size_t left_out = engines_bars_draw(panel);
	rows->y += gap;
	engines_time_axis(rows, panel->after >= panel->before ? &panel->b : &panel->a);
	plot->below = rows->y + 4;
	if (panel->aligned && !(panel->largest > 0))
		plot_note(plot, 1,
			  vocabulary_format("No part changed by %s or more; smaller changes are "
					    "below the resolution."),
			  quantity_text(plot->arena,
					plot_number(panel->difference, KEY(resolution_seconds)),
					UNIT_SECOND));
	if (left_out)
		plot_note(plot, 1, vocabulary_format("%zu bar%s ha%s no label (too narrow)."),
			  left_out, left_out == 1 ? "" : "s", left_out == 1 ? "s" : "ve");
}

static struct chart_difference panel_of(struct chart_plot *plot, const struct chart_run *run,
					double names)
{
	struct chart_difference panel = {.difference = difference_of(run)};
	const struct json *aligned = json_get(panel.difference, KEY(aligned));
	panel.rows = engines_panel_of(plot, run, plot->left, plot->right, names);
	panel.rows.engines = both_sides(&panel.rows.engines);
	panel.before = plot_number(panel.difference, KEY(before_seconds));
	panel.after = plot_number(panel.difference, KEY(after_seconds));
	panel.aligned = !aligned || aligned->truth;
	read_parts(&panel);
	set_scales(&panel);
	return panel;
}

/* --- texts --- */

/* The engine that explains most of the change, and how much of it; NULL if none explains half. */
static const char *culprit_of(const struct chart_difference *panel, double *seconds)
{
	double total = panel->after - panel->before, most = 0;
	const char *name = NULL;
	for (size_t i = 0; i < panel->count; i++) {
		double sum = 0;
		for (size_t k = 0; k < panel->count; k++)
			if (panel->parts[k].reported &&
			    strcmp(panel->parts[k].engine, panel->parts[i].engine) == 0 &&
			    isfinite(panel->parts[k].engine_change))
				sum += panel->parts[k].engine_change;
		if (*panel->parts[i].engine && sum * total > 0 && fabs(sum) > fabs(most)) {
			most = sum;
			name = panel->parts[i].engine;
		}
	}
	*seconds = most;
	return fabs(most) >= fabs(total) / 2 ? name : NULL;
}

/* "attention_fwd s=1024: +12.20 us in 8 parts, DMA +11.90 us" */
static const char *finding(struct arena *arena, const char *name,
			   const struct chart_difference *panel)
{
	double total = panel->after - panel->before, seconds;
	const char *change = quantity_signed_text(arena, total, UNIT_SECOND);
	size_t parts = 0;
	for (size_t i = 0; i < panel->count; i++)
		parts += panel->parts[i].reported && panel->parts[i].change * total > 0;
	if (!panel->aligned)
		return arena_printf(
			arena,
			vocabulary_format("%s: %s, in runs too different to compare by parts"),
			name, change);
	if (!parts)
		return arena_printf(arena, vocabulary_format("%s: no part of the run changed"),
				    name);
	const char *culprit = culprit_of(panel, &seconds);
	const char *where = quantity_count_text(arena, parts, vocabulary_format("part"),
						vocabulary_format("parts"));
	if (!culprit)
		return arena_printf(arena, vocabulary_format("%s: %s in %s"), name, change, where);
	return arena_printf(arena, vocabulary_format("%s: %s in %s, %s %s"), name, change, where,
			    strcmp(culprit, "idle") == 0 ? vocabulary_format("idle time") : culprit,
			    quantity_signed_text(arena, seconds, UNIT_SECOND));
}

static const char *name_of(struct arena *arena, const struct chart_runs *runs,
			   const struct chart_run *run)
{
	if (runs->count > 1)
		return run->whole;
	return strcmp(run->name, runs->subject) == 0
		       ? run->name
		       : arena_printf(arena, "%s %s", runs->subject, run->name);
}

/* "fp32 s=1024 changed most of 3 runs of attention: -43.63 us (-37.32 %)" */
static const char *finding_of_many(struct arena *arena, const struct chart_runs *runs,
				   const struct chart_difference *panels, size_t count)
{
	const struct chart_difference *most = &panels[0];
	for (size_t i = 1; i < count; i++)
		if (fabs(log(panels[i].after / panels[i].before)) >
		    fabs(log(most->after / most->before)))
			most = &panels[i];
	return arena_printf(arena, vocabulary_format("%s changed most of %zu runs of %s: %s (%s)"),
			    most->rows.run->name, count, runs->subject,
			    quantity_signed_text(arena, most->after - most->before, UNIT_SECOND),
			    quantity_change_text(arena, most->after / most->before - 1));
}

static void draw_keys(struct chart_plot *plot, bool longer, bool shorter, bool folds)
{
	struct plot_key keys[3];
	size_t count = 0;
	if (longer)
		keys[count++] = (struct plot_key){PLOT_SAMPLE_AREA, plot->palette->slower,
						  vocabulary_format("longer in B")};
	if (shorter)
		keys[count++] = (struct plot_key){PLOT_SAMPLE_AREA, plot->palette->faster,
						  vocabulary_format("shorter in B")};
	if (folds)
		keys[count++] = (struct plot_key){PLOT_SAMPLE_FOLD, plot->palette->frame,
						  vocabulary_format("no engine active, folded")};
	plot_keys(plot, keys, count);
}

static void draw_notes(struct chart_plot *plot, const struct chart_difference *panels, size_t drawn,
		       size_t without, size_t hidden)
{
	bool longer = false, shorter = false, folds = false, parts = false;
	for (size_t i = 0; i < drawn; i++) {
		const struct chart_difference *panel = &panels[i];
		for (size_t k = 0; k < panel->count && panel->aligned; k++) {
			longer |= panel->parts[k].reported && panel->parts[k].change > 0;
			shorter |= panel->parts[k].reported && panel->parts[k].change < 0;
		}
		folds |= panel->a.fold_count || panel->b.fold_count;
	}
	parts = longer || shorter;
	draw_keys(plot, longer, shorter, folds);
	if (parts)
		plot_note(plot, 2,
			  vocabulary_format(
				  "A band covers every place where the time may have gone. All "
				  "changes, "
				  "including those too short to draw, add up to that of the run."));
	if (hidden)
		plot_note(plot, 1, vocabulary_format("%zu more runs are not drawn."), hidden);
	if (without)
		plot_note(plot, 1,
			  vocabulary_format("%zu run%s without baseline timelines %s not drawn."),
			  without, without == 1 ? "" : "s", without == 1 ? "is" : "are");
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

static const char *description(struct arena *arena, const struct chart_run **runs, size_t count)
{
	struct strbuf text = {0};
	strbuf_addstr(&text, vocabulary_format("Where each run got longer than its baseline"));
	for (size_t i = 0; i < count; i++)
		strbuf_addf(&text, "; %s: %s", runs[i]->whole,
			    json_text(difference_of(runs[i]), KEY(text), "unknown"));
	strbuf_addch(&text, '.');
	return strbuf_into(&text, arena);
}

int chart_timeline(struct arena *arena, const struct json *report, const struct chart_look *look,
		   struct scene **scene, struct error *err)
{
	struct chart_plot plot = {0};
	struct chart_runs runs;
	struct chart_difference panels[PANEL_LIMIT];
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
	for (size_t i = 0; i < drawn; i++) {
		struct engines engines = engines_of(drawable[i]);
		names = engines_names_width(arena, &engines, PLOT_LABEL, names);
	}
	plot_begin(&plot, arena, look->dark, look->width);
	for (size_t i = 0; i < drawn; i++)
		panels[i] = panel_of(&plot, drawable[i], fmin(ceil(names), widest_name));
	plot_heading(
		&plot,
		count == 1 ? finding(arena, name_of(arena, &runs, drawable[0]), &panels[0])
			   : finding_of_many(arena, &runs, panels, drawn),
		arena_printf(arena,
			     vocabulary_format("Which part of the run got longer or shorter%s%s"),
			     *runs.device ? vocabulary_format(", on ") : "", runs.device),
		description(arena, drawable, drawn));
	plot.below += 20;
	for (size_t i = 0; i < drawn; i++) {
		draw_panel(&panels[i], drawn > 1);
		plot.below += i + 1 < drawn ? 30 : 6;
	}
	draw_notes(&plot, panels, drawn, runs.count - count, count - drawn);
	*scene = plot_end(&plot, 14);
	return 0;
}
