/* The index: what needs a look as tiles, what moved, what stopped and what is steady as rows, and
 * the heading that says it in one line. */
#include "render/site/internal.h"

#include "base/text/text.h"
#include "render/document/document.h"
#include "render/report/report.h"

enum { GROUP_LEAST = 3, NAME_PART_LEAST = 4 };

struct item {
	const struct site_series *series;
	enum site_state state;
	size_t prefix; /* bytes of the name that its group shares; 0: none */
};

struct items {
	struct item *list;
	size_t count;
};

/* The groups of the page, in order. Items beyond `tiles` are rows, those beyond `rows` folded. */
static const struct group {
	const char *id, *title, *note;
	size_t tiles, rows;
	bool by_name; /* else worst first */
} groups[] = {
	{"look", "Needs a look", "worst first", 12, 12, false},
	{"absent", "Missing", "measured before, but not at the latest commit", 0, 24, true},
	{"moved", "Moved or new", "last 30 commits", 8, 12, false},
	{"stopped", "Stopped arriving", "not measured at the latest commits", 0, 12, true},
	{"steady", "Steady", "within noise; each sparkline has its own scale, at least ±3 %", 0,
	 SIZE_MAX, true},
	{"unjudged", "Not judged", "measured, but not compared", 0, 24, true},
};
enum { GROUPS = sizeof groups / sizeof *groups, GROUP_MOVED = 2, GROUP_STEADY = 4 };

static const size_t group_of_state[SITE_STATES] = {
	[SITE_SLOWER] = 0,   [SITE_UNCLEAR] = 0, [SITE_MISSING] = 1,
	[SITE_ACCEPTED] = 2, [SITE_FASTER] = 2,  [SITE_NEW] = GROUP_MOVED,
	[SITE_STOPPED] = 3,  [SITE_STEADY] = 4,  [SITE_UNJUDGED] = 5,
};

static size_t group_of(const struct item *item)
{
	bool quiet = item->state == SITE_STEADY || item->state == SITE_UNJUDGED;
	return quiet && render_site_recent_change(item->series) ? GROUP_MOVED
								: group_of_state[item->state];
}

/* --- names --- */

void render_site_add_parts(struct arena *arena, struct json *parent, const char *name)
{
	struct json *list = json_set_array(arena, parent, "parts");
	const char *start = name;
	for (const char *at = name; *at; at++) {
		bool ends = strchr("/._:-,", *at) && !strchr("/._:-,", at[1]);
		if (ends && at[1] && at + 1 - start >= NAME_PART_LEAST) {
			json_add_text(arena, list,
				      arena_printf(arena, "%.*s", (int)(at + 1 - start), start));
			start = at + 1;
		}
	}
	json_add_text(arena, list, start);
}

/* The length of the name's path: up to its last "::" or "/", else its last ".", before any
 * parameter. */
static size_t path_of(const char *name)
{
	size_t length = strcspn(name, "[ "), slash = 0, dot = 0;
	for (size_t i = 0; i + 1 < length; i++) {
		if (name[i] == '/' || (name[i] == ':' && i && name[i - 1] == ':'))
			slash = i + 1;
		else if (name[i] == '.')
			dot = i + 1;
	}
	return slash ? slash : dot;
}

static int by_name(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = strcmp(x->series->name, y->series->name);
	return order ? order : (x->series > y->series) - (x->series < y->series);
}

/* The size of the recent change, or of that which was judged; accepted, faster and new in this
 * order. */
static double size_of(const struct item *item)
{
	const struct detect_change *recent = render_site_recent_change(item->series);
	double change = item->series->comparison ? item->series->comparison->judged.change : NAN;
	if (item->state == SITE_NEW)
		return -1;
	if (recent && (item->state == SITE_STEADY || item->state == SITE_UNJUDGED))
		change = recent->relative ? recent->effect : 0;
	return isnan(change) ? 0 : fabs(change);
}

static int by_size(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	double left = size_of(x), right = size_of(y);
	if (left != right)
		return left < right ? 1 : -1;
	return (x->series > y->series) - (x->series < y->series);
}

/* Items with the same path follow one another; enough of them are a list of their own. */
static void find_prefixes(struct items items)
{
	for (size_t i = 0, end; i < items.count; i = end) {
		const char *name = items.list[i].series->name;
		size_t length = path_of(name);
		for (end = i + 1; end < items.count; end++) {
			const char *other = items.list[end].series->name;
			if (path_of(other) != length || strncmp(other, name, length) != 0)
				break;
		}
		for (size_t k = i; k < end; k++)
			items.list[k].prefix = end - i >= GROUP_LEAST ? length : 0;
	}
}

/* --- rows and tiles --- */

/* What follows the last part of a name: its path, unless the list has it as heading,
 * parameters, and what all series of the kernel share. */
static const char *rest_of(const struct site *site, const struct item *item, size_t path,
			   const char *params)
{
	struct strbuf out = {0};
	const char *common = site->common[0] ? "" : site->kernels[item->series->kernel].common;
	if (path && !item->prefix)
		strbuf_add(&out, item->series->name, path);
	while (out.len && strchr("/.:", out.buf[out.len - 1]))
		strbuf_truncate(&out, out.len - 1);
	const char *const texts[] = {params, common ? common : ""};
	for (size_t i = 0; i < 2; i++)
		if (texts[i][0])
			strbuf_addf(&out, "%s%s", out.len ? " · " : "", texts[i]);
	return strbuf_into(&out, site->arena);
}

static void add_item(const struct site *site, struct json *list, const struct item *item, bool tile)
{
	struct arena *arena = site->arena;
	struct json *row = render_site_add_series(site, list, item->series);
	const struct run *run = item->series->identity;
	const char *name = item->series->name, *kernel = run->kernel ? run->kernel : "";
	size_t length = strlen(kernel), path = path_of(name);
	if (!length || strncmp(name, kernel, length) != 0)
		length = strlen(name);
	render_site_add_parts(arena, row,
			      arena_printf(arena, "%.*s", (int)(length - path), name + path));
	const char *params = name + length;
	while (*params == ' ')
		params++;
	json_set_text(arena, row, "rest", rest_of(site, item, path, params));
	if (tile)
		json_set_text(arena, row, "spark_large",
			      render_site_spark(arena, item->series, true));
}

static struct json *begin_list(struct arena *arena, struct json *lists, const struct item *item)
{
	struct json *list = json_add_object(arena, lists);
	if (item->prefix)
		json_set_text(arena, list, "prefix",
			      arena_printf(arena, "%.*s", (int)item->prefix, item->series->name));
	return json_set_array(arena, list, "rows");
}

/* Rows, in a list for each path; those without one come first. */
static void add_lists(const struct site *site, struct json *parent, struct items items)
{
	struct arena *arena = site->arena;
	struct json *lists = json_set_array(arena, parent, "lists"), *rows = NULL;
	for (size_t i = 0; i < items.count; i++) {
		if (items.list[i].prefix)
			continue;
		rows = rows ? rows : begin_list(arena, lists, &items.list[i]);
		add_item(site, rows, &items.list[i], false);
	}
	for (size_t i = 0; i < items.count; i++) {
		const struct item *item = &items.list[i];
		if (!item->prefix)
			continue;
		if (i == 0 || item[-1].prefix != item->prefix ||
		    strncmp(item[-1].series->name, item->series->name, item->prefix) != 0)
			rows = begin_list(arena, lists, item);
		add_item(site, rows, item, false);
	}
}

static struct items part_of(struct items items, size_t from, size_t most)
{
	from = from < items.count ? from : items.count;
	size_t left = items.count - from;
	return (struct items){items.list + from, left < most ? left : most};
}

static void add_group(const struct site *site, struct json *list, const struct group *group,
		      struct items items)
{
	struct arena *arena = site->arena;
	struct json *out = json_add_object(arena, list);
	json_set_text(arena, out, "id", group->id);
	json_set_text(arena, out, KEY(title), group->title);
	json_set_text(arena, out, "note", group->note);
	json_set_number(arena, out, KEY(count), (double)items.count);
	struct json *tiles = json_set_array(arena, out, "tiles");
	struct items shown = part_of(items, 0, group->tiles);
	for (size_t i = 0; i < shown.count; i++)
		add_item(site, tiles, &shown.list[i], true);
	struct items rows = part_of(items, group->tiles, SIZE_MAX);
	if (group->by_name)
		find_prefixes(rows);
	/* A handful more is not worth a fold. */
	bool folds = rows.count > group->rows && rows.count - group->rows > group->rows / 4;
	struct items open = part_of(rows, 0, folds ? (group->by_name ? 0 : group->rows) : SIZE_MAX);
	add_lists(site, out, open);
	if (!folds)
		return;
	struct json *more = json_set_object(arena, out, "more");
	json_set_text(arena, more, KEY(text),
		      arena_printf(arena, open.count ? "%zu more" : "%zu series",
				   rows.count - open.count));
	add_lists(site, more, part_of(rows, open.count, SIZE_MAX));
}

/* --- heading --- */

/* The series that the gate compares, and counts in its first line: also those that stopped
 * arriving, unless that is long ago. */
static size_t count_compared(const struct site *site)
{
	size_t count = 0;
	for (size_t i = 0; i < site->series_count; i++)
		count += site->series[i].comparison != NULL;
	return count;
}

static const char *heading_of(struct arena *arena, const struct site *site, const size_t *counts)
{
	static const enum site_state news[] = {SITE_SLOWER, SITE_MISSING, SITE_UNCLEAR};
	size_t now = count_compared(site);
	for (size_t i = 0; i < sizeof news / sizeof *news; i++)
		if (counts[news[i]])
			return arena_printf(arena, "%zu of %zu series %s", counts[news[i]], now,
					    site_state_names[news[i]].word);
	if (counts[SITE_FASTER])
		return arena_printf(arena, "%zu of %zu series faster, none slower",
				    counts[SITE_FASTER], now);
	if (counts[SITE_STEADY])
		return arena_printf(arena, "None of %zu series slower", now);
	return arena_printf(arena, "%zu series, nothing to compare with yet", site->series_count);
}

static void add_chips(struct arena *arena, struct json *document, const size_t *counts)
{
	struct json *list = json_set_array(arena, document, "chips");
	for (size_t i = 0; i < SITE_STATES; i++) {
		if (!counts[i])
			continue;
		struct json *chip = json_add_object(arena, list);
		json_set_text(arena, chip, "state", site_state_names[i].key);
		json_set_text(arena, chip, "state_text", site_state_names[i].word);
		json_set_text(arena, chip, "state_mark", site_state_names[i].mark);
		json_set_number(arena, chip, KEY(count), (double)counts[i]);
		json_set_text(arena, chip, "group", groups[group_of_state[i]].id);
	}
}

void render_site_add_groups(const struct site *site, struct json *document)
{
	struct arena *arena = site->arena;
	struct items all[GROUPS] = {{0}};
	size_t counts[SITE_STATES] = {0};
	for (size_t i = 0; i < GROUPS; i++)
		all[i].list = arena_array(arena, site->series_count + 1, sizeof *all[i].list);
	for (size_t i = 0; i < site->series_count; i++) {
		struct item item = {&site->series[i], render_site_state(site, &site->series[i]), 0};
		struct items *group = &all[group_of(&item)];
		group->list[group->count++] = item;
		counts[item.state]++;
	}
	json_set_text(arena, document, "heading", heading_of(arena, site, counts));
	add_chips(arena, document, counts);
	if (all[0].count) {
		struct json *worst = json_set_array(arena, document, "worst");
		add_item(site, worst, &all[0].list[0], false);
	}
	struct json *list = json_set_array(arena, document, "groups");
	for (size_t i = 0; i < GROUPS; i++) {
		if (!all[i].count)
			continue;
		if (groups[i].by_name)
			qsort(all[i].list, all[i].count, sizeof *all[i].list, by_name);
		else if (i == GROUP_MOVED)
			qsort(all[i].list, all[i].count, sizeof *all[i].list, by_size);
		add_group(site, list, &groups[i], all[i]);
	}
}
