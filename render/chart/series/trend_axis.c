/* The axis of commits below a trend: ids of some of them, and the months below the ids. */
#include "render/chart/series/trend_panel.h"

#include "render/document/key.h"

#include "base/json/json.h"
#include "render/vocabulary/vocabulary.h"

enum { COUNT_LIMIT = 12 };
static const double between = 26, least = 10; /* px wanted, and at least, between two labels */
static const double id_below = 17, month_below = 34;
const double trend_panel_axis_height = 40;

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
			.release = json_text(one, KEY(release), NULL),
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

double trend_panel_x(const struct chart_plot *plot, double place)
{
	double at = fmin(fmax(plot_at(&plot->x, -place), plot->area.left), plot->area.right);
	return round(at * 10) / 10;
}

static void draw_counts(struct chart_plot *plot)
{
	struct scene_style frame = scene_stroke(plot->palette->frame, 1);
	double bottom = plot->area.bottom, step = fmax(1, plot_step(-plot->x.low, 4));
	int count = (int)fmin(-plot->x.low / step, COUNT_LIMIT);
	for (int i = 0; i <= count; i++) {
		double index = i * step, at = trend_panel_x(plot, index);
		scene_line(plot->scene, at, bottom, at, bottom + 4, frame);
		plot_text(plot, at, bottom + id_below, PLOT_SMALL | PLOT_MUTED | PLOT_MIDDLE,
			  index > 0 ? arena_printf(plot->arena, "-%.0f", index) : "0");
	}
}

/* --- ids --- */

static void draw_commit(struct chart_plot *plot, const struct trend_commit *commit, double at)
{
	struct scene_type type = {plot_text_size(PLOT_SMALL), plot->palette->ink2, false,
				  SCENE_START};
	struct scene_item *id =
		scene_text(plot->scene, at, plot->area.bottom + id_below, type, commit->id);
	scene_tooltip(plot->scene, id, "%s %s %s", commit->id, commit->day, commit->subject);
	scene_link(plot->scene, id, commit->url);
}

/* The newest commit at the right end, the oldest at the left, and evenly others between them. */
static void draw_commits(struct chart_plot *plot, const struct trend_commits *commits,
			 const struct scene_bounds *box)
{
	struct scene_style frame = scene_stroke(plot->palette->frame, 1);
	double bottom = plot->area.bottom, oldest = -plot->x.low;
	double width = plot_text_width(PLOT_SMALL, trend_panel_commit(commits, 0)->id);
	double room = plot->area.right - plot->area.left, taken = box->right + between;
	int steps = (int)fmin(fmax(floor(room / (width + between)), 1), oldest);
	for (int i = 0; i <= steps; i++) {
		double place = round(oldest * i / fmax(steps, 1));
		double at = trend_panel_x(plot, place);
		const struct trend_commit *one = trend_panel_commit(commits, place);
		bool last = i == steps && i > 0;
		/* Labels at the ends reach inwards, as far as the room outside does not suffice. */
		double from = fmin(fmax(at - width / 2, box->left), box->right - width);
		bool fits = from + width + least <= taken &&
			    (i == 0 || last || from - least >= plot->area.left + width / 2);
		scene_line(plot->scene, at, bottom, at, bottom + 4, frame);
		if (!one || !fits)
			continue;
		draw_commit(plot, one, from);
		taken = from;
	}
}

/* --- months --- */

static const char *const month_names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/* The month of a commit, counted from year 0; -1: unknown. */
static int month_of(const struct trend_commit *commit)
{
	int year, month;
	if (!commit || strlen(commit->day) != 10 ||
	    sscanf(commit->day, "%4d-%2d-", &year, &month) != 2 || year < 0 || month < 1 ||
	    month > 12)
		return -1;
	return year * 12 + month - 1;
}

static const char *month_text(struct arena *arena, int month, bool with_year)
{
	assert(month >= 0);
	const char *name = vocabulary_format(month_names[month % 12]);
	return with_year ? arena_printf(arena, vocabulary_format("%s %d"), name, month / 12) : name;
}

/* "21 Aug 2026" */
static const char *day_text(struct arena *arena, const struct trend_commit *commit)
{
	const char *day = commit->day + (commit->day[8] == '0' ? 9 : 8);
	return arena_printf(arena, vocabulary_format("%.2s %s"), day,
			    month_text(arena, month_of(commit), true));
}

/* All commits are of one month: the first and the last day. */
static void draw_days(struct chart_plot *plot, const struct trend_commit *oldest,
		      const struct trend_commit *newest)
{
	double y = plot->area.bottom + month_below;
	const char *first = day_text(plot->arena, oldest), *last = day_text(plot->arena, newest);
	plot_text(plot, plot->area.left, y, PLOT_LABEL | PLOT_MUTED, first);
	if (strcmp(first, last) != 0 &&
	    plot->area.left + plot_text_width(PLOT_LABEL, first) + least <
		    plot->area.right - plot_text_width(PLOT_LABEL, last))
		plot_text(plot, plot->area.right, y, PLOT_LABEL | PLOT_MUTED | PLOT_END, last);
}

/* A line where a month begins, and its name where there is room; the first one with its year. */
static void draw_months(struct chart_plot *plot, const struct trend_commits *commits)
{
	double bottom = plot->area.bottom, oldest = -plot->x.low, free = plot->area.left;
	const struct trend_commit *first = trend_panel_commit(commits, oldest),
				  *last = trend_panel_commit(commits, 0);
	int before = month_of(first), year = -1;
	if (before < 0 || month_of(last) < 0)
		return;
	if (before == month_of(last)) {
		draw_days(plot, first, last);
		return;
	}
	/* The name of a month that ends at once would only take the room of the next. */
	double next = oldest;
	while (next > 0 && month_of(trend_panel_commit(commits, next)) <= before)
		next--;
	bool short_start =
		trend_panel_x(plot, next + 0.5) <
		plot->area.left +
			plot_text_width(PLOT_LABEL, month_text(plot->arena, 2026 * 12 + 4, true)) +
			2 * least;
	for (int i = (int)oldest; i >= 0; i--) {
		double place = i;
		int month = month_of(trend_panel_commit(commits, place));
		bool begins = month > before, starts = place == oldest && !short_start;
		if (month < 0 || (!begins && !starts))
			continue;
		before = month;
		double at = starts ? plot->area.left : trend_panel_x(plot, place + 0.5);
		const char *text = month_text(plot->arena, month, month / 12 != year);
		double width = plot_text_width(PLOT_LABEL, text);
		if (at + 5 < free || at + 5 + width > plot->area.right)
			continue;
		if (begins)
			scene_line(plot->scene, at, bottom, at, bottom + month_below + 2,
				   scene_stroke(plot->palette->line, 1));
		plot_text(plot, at + 5, bottom + month_below, PLOT_LABEL | PLOT_MUTED, text);
		free = at + 5 + width + least;
		year = month / 12;
	}
}

void trend_panel_axis(struct chart_plot *plot, const struct trend_commits *commits,
		      const struct scene_bounds *box)
{
	scene_line(plot->scene, plot->area.left, plot->area.bottom, plot->area.right,
		   plot->area.bottom, scene_stroke(plot->palette->frame, 1));
	if (!trend_panel_commit(commits, 0) || !trend_panel_commit(commits, -plot->x.low)) {
		draw_counts(plot);
		return;
	}
	draw_months(plot, commits);
	draw_commits(plot, commits, box);
}
