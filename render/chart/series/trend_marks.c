/* The marks above a trend: changes of its level in one lane, releases in the lane below it. */
#include "render/chart/series/trend_panel.h"

#include "render/document/key.h"

#include "base/json/json.h"
#include "render/vocabulary/vocabulary.h"

enum { MARK_LIMIT = 64 };
static const double change_height = 20, release_height = 18, lane_gap = 5, mark_width = 20,
		    release_width = 88;

struct range {
	double from, to;
};

/* Ranges of x that labels have, and the lines that other labels must not cover. */
struct lane {
	const struct trend_panel *panel;
	const struct chart_plot *plot;
	double top, height;
	struct range used[MARK_LIMIT];
	size_t count;
	double lines[MARK_LIMIT];
	size_t line_count;
};

static bool in_view(const struct trend_panel *panel, double place)
{
	return place >= 0 && place <= fmax(panel->oldest, 1);
}

static bool has_changes(const struct trend_panel *panel)
{
	return json_first(panel->trend, KEY(changes)) != NULL;
}

static bool has_releases(const struct trend_panel *panel)
{
	const struct trend_commits *commits = panel->commits;
	for (size_t i = 0; commits && i < commits->count && in_view(panel, (double)i); i++)
		if (commits->items[i].release)
			return true;
	return false;
}

struct trend_panel_lanes trend_panel_lanes_of(const struct trend_panel *panel, double top)
{
	struct trend_panel_lanes lanes = {NAN, NAN, top};
	if (has_changes(panel)) {
		lanes.changes = lanes.below;
		lanes.below += change_height + lane_gap;
	}
	if (has_releases(panel)) {
		lanes.releases = lanes.below;
		lanes.below += release_height + lane_gap;
	}
	return lanes;
}

/* --- room --- */

static bool is_free(const struct lane *lane, struct range range, bool over_lines)
{
	const struct scene_bounds *box = &lane->panel->box;
	bool free = range.from >= box->left && range.to <= box->right && lane->count < MARK_LIMIT;
	for (size_t i = 0; i < lane->count; i++)
		free = free &&
		       (range.to + 3 < lane->used[i].from || range.from - 3 > lane->used[i].to);
	for (size_t i = 0; i < lane->line_count && !over_lines; i++)
		free = free && (lane->lines[i] < range.from - 3 || lane->lines[i] > range.to + 3);
	return free;
}

/* Finds room for a label of this width at a line: around it, or to one of its sides. */
static bool take(struct lane *lane, double at, double width, bool over_lines, struct range *found)
{
	const struct scene_bounds *box = &lane->panel->box;
	const double inset = fmin(10, width / 2);
	double middle = fmin(fmax(at - width / 2, box->left), box->right - width);
	const double starts[] = {middle, at - inset, at - width + inset};
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
		struct range range = {starts[i], starts[i] + width};
		if (at < range.from || at > range.to || !is_free(lane, range, over_lines))
			continue;
		lane->used[lane->count++] = *found = range;
		return true;
	}
	return false;
}

/* The lines of all other marks. */
static void set_lines(struct lane *lane, const double *lines, size_t count, double own)
{
	lane->line_count = 0;
	for (size_t i = 0; i < count && lane->line_count < MARK_LIMIT; i++)
		if (lines[i] != own)
			lane->lines[lane->line_count++] = lines[i];
}

/* --- changes --- */

struct change {
	const struct json *json, *accepted;
	struct trend_panel_colours colours;
	double at;
	bool up, sure;
	const char *tooltip;
};

static const char *tooltip_of(struct arena *arena, const struct change *change)
{
	const struct json *json = change->json, *accepted = change->accepted;
	double place = json_number(json, KEY(place), 0);
	const struct json *first = json_get(json, KEY(first_after));
	struct strbuf text = {0};
	strbuf_addf(&text, vocabulary_format("%s%s at %s"),
		    change->sure ? "" : vocabulary_format("tentative: "),
		    json_text(json, KEY(effect_text), "changed"),
		    json_text(first, KEY(short), "unknown"));
	strbuf_addf(&text, vocabulary_format(" %s, %.0f commit%s ago: %s to %s"),
		    json_text(first, KEY(subject), ""), place, place == 1 ? "" : "s",
		    json_text(json_get(json, KEY(before)), KEY(text), "unknown"),
		    json_text(json_get(json, KEY(after)), KEY(text), "unknown"));
	if (accepted)
		strbuf_addf(&text, vocabulary_format("; accepted by %s: %s (until %s)"),
			    json_text(accepted, KEY(author), "unknown"),
			    json_text(accepted, KEY(reason), "unknown"),
			    json_text(accepted, KEY(expires), "unknown"));
	return strbuf_into(&text, arena);
}

static struct change change_of(const struct lane *lane, const struct json *json)
{
	const struct json *trend = lane->panel->trend;
	double place = json_number(json, KEY(place), NAN);
	struct change change = {
		.json = json,
		.accepted = trend_panel_accepted(trend, place),
		.colours = trend_panel_change(lane->plot->palette, trend, json),
		.at = trend_panel_x(lane->plot, place + 0.5),
		.up = json_number(json, KEY(effect), 0) > 0,
		.sure = json_truth(json, KEY(confirmed)),
	};
	change.tooltip = tooltip_of(lane->plot->arena, &change);
	return change;
}

/* "+18.40 %", with a real minus sign. */
static const char *effect_of(struct arena *arena, const struct change *change)
{
	const char *text = json_text(change->json, KEY(effect_text), "");
	return arena_printf(arena, "%s%s%s", *text == '-' ? "\u2212" : "", text + (*text == '-'),
			    change->accepted ? vocabulary_format(" accepted")
			    : change->sure   ? ""
					     : " ?");
}

/* A triangle, or a flag if the change is accepted. */
static void draw_mark(const struct lane *lane, const struct change *change, double x)
{
	struct scene *scene = lane->plot->scene;
	double y = lane->top + lane->height / 2;
	struct scene_style style = {.fill = change->sure ? change->colours.line
							 : lane->plot->palette->background,
				    .stroke = change->colours.line,
				    .width = 1};
	if (!change->accepted) {
		scene_mark(scene, change->up ? SCENE_TRIANGLE : SCENE_TRIANGLE_DOWN, x, y, 3.5,
			   style);
		return;
	}
	struct scene_point flag[] = {{x - 3, y - 5}, {x + 5, y - 2.5}, {x - 3, y}};
	scene_line(scene, x - 3, y - 5, x - 3, y + 5, scene_stroke(change->colours.line, 1.5));
	scene_polygon(scene, flag, 3, style);
}

static void draw_pill(const struct lane *lane, const struct change *change, struct range range,
		      const char *text)
{
	const struct chart_plot *plot = lane->plot;
	struct scene_style style = {.fill = change->sure ? change->colours.ground
							 : plot->palette->background,
				    .stroke = change->colours.line,
				    .dash = change->sure ? SCENE_SOLID : SCENE_DASHED,
				    .width = 1};
	struct scene_item *pill = scene_rect(plot->scene, range.from, lane->top,
					     range.to - range.from, lane->height, style);
	pill->radius = lane->height / 2;
	if (!text)
		scene_tooltip(plot->scene, pill, "%s", change->tooltip);
	scene_role(pill, "trend-change", json_number(change->json, KEY(place), 0));
	draw_mark(lane, change, range.from + mark_width / 2 + (text ? 1 : 0));
	if (!text)
		return;
	struct scene_type type = {plot_text_size(PLOT_LABEL), change->colours.line, true,
				  SCENE_START};
	scene_tooltip(plot->scene,
		      scene_text(plot->scene, range.from + mark_width,
				 lane->top + lane->height - 5.5, type, text),
		      "%s", change->tooltip);
}

static void draw_line(const struct lane *lane, const struct change *change, double top)
{
	const struct chart_plot *plot = lane->plot;
	struct scene_style style = {.fill = SCENE_NONE,
				    .stroke = change->colours.line,
				    .width = change->sure ? 1.5 : 1,
				    .opacity = change->sure ? 1 : 0.7,
				    .dash = SCENE_DASHED};
	scene_line(plot->scene, change->at, top, change->at, plot->area.bottom, style);
}

struct changes {
	struct change *items; /* oldest first */
	double *lines;
	size_t count;
};

static struct changes changes_of(const struct lane *lane)
{
	const struct json *list = json_get(lane->panel->trend, KEY(changes));
	struct arena *arena = lane->plot->arena;
	size_t most = list ? list->count : 0;
	struct changes all = {arena_array(arena, most + 1, sizeof *all.items),
			      arena_array(arena, most + 1, sizeof *all.lines), 0};
	for (const struct json *one = list ? list->first : NULL; one; one = one->next)
		if (in_view(lane->panel, json_number(one, KEY(place), NAN))) {
			all.items[all.count] = change_of(lane, one);
			all.lines[all.count] = all.items[all.count].at;
			all.count++;
		}
	return all;
}

/* The newest changes first, so that only old ones lose their words. */
static void draw_pills(struct lane *lane, const struct changes *all)
{
	for (size_t i = all->count; i-- > 0;) {
		const struct change *change = &all->items[i];
		const char *text = effect_of(lane->plot->arena, change);
		double width = plot_text_width(PLOT_LABEL | PLOT_BOLD, text) + mark_width + 8;
		struct range range;
		set_lines(lane, all->lines, all->count, change->at);
		if (*text && take(lane, change->at, width, false, &range))
			draw_pill(lane, change, range, text);
		else if (take(lane, change->at, mark_width, true, &range))
			draw_pill(lane, change, range, NULL);
	}
}

/* --- releases --- */

static void draw_release(struct lane *lane, const struct trend_commit *commit, double at)
{
	const struct chart_plot *plot = lane->plot;
	struct scene_style dotted = scene_stroke(plot->palette->frame, 1.25);
	struct scene_style box = {
		.fill = plot->palette->track, .stroke = plot->palette->line, .width = 1};
	const char *name = plot_shorten(plot, PLOT_SMALL, commit->release, release_width - 12);
	double width = plot_text_width(PLOT_SMALL, name) + 12;
	struct range range;
	if (!take(lane, at, width, false, &range) && !take(lane, at, width, true, &range))
		return;
	dotted.dash = SCENE_DOTTED;
	scene_line(plot->scene, at, lane->top + lane->height, at, plot->area.bottom, dotted);
	struct scene_item *label = scene_rect(plot->scene, range.from, lane->top,
					      range.to - range.from, lane->height, box);
	label->radius = 4;
	struct scene_type type = {plot_text_size(PLOT_SMALL), plot->palette->ink2, false,
				  SCENE_MIDDLE};
	struct scene_item *text = scene_text(plot->scene, (range.from + range.to) / 2,
					     lane->top + lane->height - 5, type, name);
	scene_tooltip(plot->scene, text, vocabulary_format("release %s: %s %s %s"), commit->release,
		      commit->id, commit->day, commit->subject);
	scene_link(plot->scene, text, commit->url);
}

/* The newest first; those without room are left out. */
static void draw_releases(struct lane *lane)
{
	const struct trend_commits *commits = lane->panel->commits;
	for (size_t i = 0; i < commits->count && in_view(lane->panel, (double)i); i++)
		if (commits->items[i].release && commits->items[i].id)
			draw_release(lane, &commits->items[i],
				     trend_panel_x(lane->plot, (double)i));
}

/* Lines first: the labels of both lanes lie over them. */
void trend_panel_marks(const struct trend_panel *panel, const struct chart_plot *plot,
		       const struct trend_panel_lanes *lanes)
{
	struct lane releases = {panel, plot, lanes->releases, release_height, .count = 0};
	struct lane changes = {panel, plot, lanes->changes, change_height, .count = 0};
	struct changes all = changes_of(&changes);
	for (size_t i = 0; i < all.count; i++)
		draw_line(&changes, &all.items[i], changes.top + changes.height);
	set_lines(&releases, all.lines, all.count, NAN);
	if (!isnan(lanes->releases))
		draw_releases(&releases);
	draw_pills(&changes, &all);
}
