/* The axis of commits below a trend: id and day of some of them. */
#include "render/chart/series/trend_panel.h"

#include "render/document/key.h"

#include "base/json/json.h"

enum { COUNT_LIMIT = 12 };
static const double between = 34, least = 12; /* px wanted, and at least, between two labels */

struct trend_commits trend_panel_commits(struct arena *arena, const struct json *report)
{
	const struct json *list = json_get(json_get(report, KEY(gate)), KEY(commits));
	const char *prefix = json_text(report, KEY(commit_url), NULL);
	struct trend_commits commits = {NULL, 0};
	if (!list || list->type != JSON_ARRAY || list->more || !list->count)
		return commits;
	struct trend_commit *items = arena_array(arena, list->count, sizeof *items);
	for (const struct json *one = list->first; one; one = one->next) {
		const char *oid = json_text(one, KEY(oid), NULL);
		items[commits.count++] = (struct trend_commit){
			.id = json_text(one, KEY(short), NULL),
			.day = arena_prefix(arena, json_text(one, KEY(time), ""), 10),
			.subject = json_text(one, KEY(subject), ""),
			.url = prefix && oid ? arena_printf(arena, "%s%s", prefix, oid) : NULL};
	}
	commits.items = items;
	return commits;
}

const struct trend_commit *trend_panel_commit(const struct trend_commits *commits, double place)
{
	if (!commits || !(place >= 0) || !(place < (double)commits->count))
		return NULL;
	const struct trend_commit *one = &commits->items[(size_t)place];
	return one->id ? one : NULL;
}

static double at_of(const struct chart_plot *plot, double place)
{
	return round(plot_at(&plot->x, -place) * 10) / 10;
}

static void draw_counts(struct chart_plot *plot)
{
	struct scene_style frame = scene_stroke(plot->palette->frame, 1);
	double bottom = plot->area.bottom, step = fmax(1, plot_step(-plot->x.low, 4));
	int count = (int)fmin(-plot->x.low / step, COUNT_LIMIT);
	for (int i = 0; i <= count; i++) {
		double index = i * step, at = at_of(plot, index);
		scene_line(plot->scene, at, bottom, at, bottom + 3, frame);
		plot_text(plot, at, bottom + 13, PLOT_TICK | PLOT_MUTED | PLOT_MIDDLE,
			  index > 0 ? arena_printf(plot->arena, "-%.0f", index) : "0");
	}
}

static void draw_commit(struct chart_plot *plot, const struct trend_commit *commit, double at,
			unsigned anchor)
{
	double bottom = plot->area.bottom;
	unsigned look = PLOT_TICK | PLOT_MUTED | anchor;
	struct scene_item *id = plot_text(plot, at, bottom + 13, look, commit->id);
	scene_link(plot->scene,
		   scene_tooltip(plot->scene, id, "%s %s %s", commit->id, commit->day,
				 commit->subject),
		   commit->url);
	plot_text(plot, at, bottom + 25, look, commit->day);
}

/* The newest commit at the right end, the oldest at the left, and evenly others between them. */
void trend_panel_axis(struct chart_plot *plot, const struct trend_commits *commits)
{
	struct scene_style frame = scene_stroke(plot->palette->frame, 1);
	double bottom = plot->area.bottom, oldest = -plot->x.low;
	scene_line(plot->scene, plot->area.left, bottom, plot->area.right, bottom, frame);
	const struct trend_commit *newest = trend_panel_commit(commits, 0);
	if (!newest || !trend_panel_commit(commits, oldest)) {
		draw_counts(plot);
		return;
	}
	double width = fmax(plot_text_width(PLOT_TICK, newest->id),
			    plot_text_width(PLOT_TICK, "2026-12-31"));
	double room = plot->area.right - plot->area.left, taken = plot->area.right + between;
	int steps = (int)fmin(fmax(floor(room / (width + between)), 1), oldest);
	for (int i = 0; i <= steps; i++) {
		double place = round(oldest * i / fmax(steps, 1)), at = at_of(plot, place);
		const struct trend_commit *one = trend_panel_commit(commits, place);
		bool first = i == 0, last = i == steps && !first;
		double from = first ? at - width : last ? at : at - width / 2;
		/* Few commits are not evenly apart; those at both ends reach inwards. */
		bool fits = from + width + least <= taken &&
			    (first || last || from - least >= plot->area.left + width);
		if (!fits && !last)
			continue;
		scene_line(plot->scene, at, bottom, at, bottom + 3, frame);
		if (one && fits)
			draw_commit(plot, one, at, first ? PLOT_END : last ? 0 : PLOT_MIDDLE);
		taken = from;
	}
}
