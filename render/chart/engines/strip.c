/* Activity over time: the strips and the time axis that the charts of engines share. */
#include "render/chart/engines/strip.h"

#include "render/document/key.h"

#include "base/base.h"

struct engines engines_of(const struct chart_run *run)
{
	struct engines engines = {.count = 0};
	const struct json *list = json_get(run->json, KEY(engines));
	if (!list || list->type != JSON_ARRAY)
		return engines;
	for (const struct json *one = list->first; one; one = one->next)
		if (engines.count < CHART_ENGINE_LIMIT)
			engines.items[engines.count++] = one;
	engines.hidden = list->count - engines.count;
	return engines;
}

const char *engines_name(struct arena *arena, const struct json *engine)
{
	const char *title = json_text(engine, KEY(title), json_text(engine, KEY(name), "engine"));
	struct span text = span_trim(span_of(title));
	if (span_ends(text, " engine"))
		text.len -= strlen(" engine");
	return scene_clean(arena, arena_strndup(arena, text.ptr, text.len));
}

uint32_t engines_color(const struct palette *palette, const struct json *engine, size_t index)
{
	const char *name = json_text(engine, KEY(name), json_text(engine, KEY(title), ""));
	return palette_engine(palette, name, index);
}

bool engines_have_timeline(const struct json *engine, const char *member)
{
	const struct json *timeline = json_get(engine, member);
	return timeline && timeline->type == JSON_ARRAY && timeline->count > 0;
}

double engines_names_width(struct arena *arena, const struct engines *engines, unsigned look,
			   double widest)
{
	for (size_t i = 0; i < engines->count; i++)
		widest =
			fmax(widest, plot_text_width(look, engines_name(arena, engines->items[i])));
	return widest;
}

double engines_share(double share)
{
	return share > 0 ? fmin(share, 1) : 0;
}

struct engines_panel engines_panel_of(struct chart_plot *plot, const struct chart_run *run,
				      double left, double right, double name_width)
{
	return (struct engines_panel){.plot = plot,
				      .run = run,
				      .engines = engines_of(run),
				      .left = left,
				      .right = right,
				      .name_width = name_width,
				      .track = left + name_width + 10};
}

void engines_title(struct engines_panel *panel, unsigned look, const char *right)
{
	struct chart_plot *plot = panel->plot;
	double width = plot_text(plot, panel->right, panel->y, look | PLOT_END, right)->text_width;
	const char *name = plot_shorten(plot, PLOT_TEXT | PLOT_BOLD, panel->run->name,
					panel->right - panel->left - width - 16);
	scene_tooltip(plot->scene,
		      plot_text(plot, panel->left, panel->y, PLOT_TEXT | PLOT_BOLD, name), "%s",
		      panel->run->whole);
}

void engines_label(struct engines_panel *panel, unsigned look, double y, const char *name)
{
	plot_text(panel->plot, panel->track - 8, y, look | PLOT_END,
		  plot_shorten(panel->plot, look, name, panel->name_width));
}

/* --- seconds on the picture --- */

double engines_x(const struct engines_scale *scale, double seconds)
{
	double x = scale->left + seconds * scale->per_second;
	for (size_t i = 0; i < scale->fold_count && seconds > scale->folds[i].from; i++) {
		double from = scale->folds[i].from, to = scale->folds[i].to;
		double gone = fmin(seconds, to) - from;
		x += gone / (to - from) * scale->fold_width - gone * scale->per_second;
	}
	return x;
}

double engines_unfolded(const struct engines_scale *scale)
{
	double seconds = scale->total;
	for (size_t i = 0; i < scale->fold_count; i++)
		seconds -= scale->folds[i].to - scale->folds[i].from;
	return seconds;
}

/* Marks the bins in which some engine is active; returns how many bins there are, 0 if the engines
 * do not agree on it. */
static size_t mark_active(const struct engines *engines, const char *member,
			  bool active[CHART_BIN_LIMIT])
{
	size_t bins = 0;
	for (size_t i = 0; i < engines->count; i++) {
		const struct json *timeline = json_get(engines->items[i], member);
		size_t bin = 0;
		if (!engines_have_timeline(engines->items[i], member))
			continue;
		if (timeline->count > CHART_BIN_LIMIT || (bins && bins != timeline->count))
			return 0;
		bins = timeline->count;
		for (const struct json *v = timeline->first; v && bin < bins; v = v->next, bin++)
			active[bin] |= v->type == JSON_NUMBER && v->number > 0;
	}
	return bins;
}

void engines_find_folds(struct engines_scale *scale, const struct engines *engines,
			const char *member, double share)
{
	bool active[CHART_BIN_LIMIT] = {false};
	size_t bins = mark_active(engines, member, active), from = 0;
	for (size_t bin = 0; bin <= bins && bins; bin++) {
		if (bin < bins && !active[bin])
			continue;
		double length = (double)(bin - from) / (double)bins;
		/* A fold at the very end would hide how long the run is. */
		if (length > share && bin - from < bins && scale->fold_count < CHART_FOLD_LIMIT) {
			scale->folds[scale->fold_count].from =
				(double)from / (double)bins * scale->total;
			scale->folds[scale->fold_count++].to =
				(double)bin / (double)bins * scale->total;
		}
		from = bin + 1;
	}
}

/* --- strips --- */

/* Converts bins to the corners of a step curve; equal neighbors are joined. Returns the number of
 * corners. */
static size_t trace_bins(const struct chart_strip *strip, const struct json *timeline,
			 struct scene_point *corners)
{
	size_t used = 0, bin = 0;
	double level = 0, base = strip->base, total = strip->scale->total;
	double bins =
		(double)(timeline->count < CHART_BIN_LIMIT ? timeline->count : CHART_BIN_LIMIT);
	corners[used++] = (struct scene_point){engines_x(strip->scale, 0), base};
	for (const struct json *v = timeline->first; v && bin < CHART_BIN_LIMIT;
	     v = v->next, bin++) {
		double next = engines_share(v->type == JSON_NUMBER ? v->number : 0);
		double x = engines_x(strip->scale, (double)bin / bins * total);
		/* Steps of 1/40 are below half a pixel of the strips and give fewer corners. */
		next = round(next * 40) / 40;
		if (next == level)
			continue;
		corners[used++] = (struct scene_point){x, base - level * strip->height};
		corners[used++] = (struct scene_point){x, base - next * strip->height};
		level = next;
	}
	double right = engines_x(strip->scale, total);
	if (level > 0)
		corners[used++] = (struct scene_point){right, base - level * strip->height};
	corners[used++] = (struct scene_point){right, base};
	return used;
}

void engines_strip_draw(struct chart_plot *plot, const struct chart_strip *strip,
			const struct json *timeline, struct scene_style style)
{
	struct scene_point corners[2 * CHART_BIN_LIMIT + 3];
	size_t count = trace_bins(strip, timeline, corners);
	assert(count <= sizeof corners / sizeof *corners);
	if (count > 2 && style.fill == SCENE_NONE)
		scene_polyline(plot->scene, corners, count, style);
	else if (count > 2)
		scene_polygon(plot->scene, corners, count, style);
}

static bool is_folded(const struct engines_scale *scale, double seconds)
{
	for (size_t i = 0; i < scale->fold_count; i++)
		if (seconds > scale->folds[i].from && seconds < scale->folds[i].to)
			return true;
	return false;
}

void engines_time_axis(struct engines_panel *panel, const struct engines_scale *scale)
{
	struct chart_plot *plot = panel->plot;
	double y = panel->y + 2, factor, end = panel->right, total = scale->total;
	struct scene_style line = scene_stroke(plot->palette->frame, 1);
	bool known = total > 0 && scale->per_second > 0;
	scene_line(plot->scene, scale->left, y, end, y, line);
	panel->y = y + (known ? 24 : 20);
	if (!known)
		return;
	const char *unit = plot_time_unit(total, 1.5, &factor);
	/* About one label in 60 px, where the time is not folded. */
	double step = plot_step((end - scale->left) / scale->per_second,
				(int)fmax(2, (end - scale->left) / 60)) *
		      factor;
	double free = -HUGE_VAL, last = floor(total * factor / step * (1 + 1e-9));
	for (double i = 0; i <= last && i < 4000; i++) {
		double seconds = i * step / factor, x = engines_x(scale, seconds);
		const char *text = i > 0 ? arena_printf(plot->arena, "%.6g", i * step)
					 : arena_printf(plot->arena, "0 %s", unit);
		double width = plot_text_width(PLOT_SMALL, text);
		double left = i > 0 ? fmin(x - width / 2, end - width) : x;
		if (left < free || is_folded(scale, seconds))
			continue;
		free = left + width + 6;
		scene_line(plot->scene, x, y, x, y + 4, line);
		plot_text(plot, left, y + 16, PLOT_SMALL | PLOT_MUTED, text);
	}
}
