/*
 * The page that compares any two commits, and its data. The page's script judges as the program
 * does, so it needs the values themselves:
 *
 *   data/compare.js  rooflog.compare: the rules, and of each metric of each series its levels
 *   data/v-N.js      rooflog.values[N]: the values of some consecutive commits
 *
 * Places count commits from the oldest one, 0, and files are filled from the oldest commit on, so
 * that a new commit changes only the last file. A page reads the files of both commits, and those
 * before until each level has the commits that a judgement uses.
 */
#include "render/document/document.h"
#include "render/site/internal.h"

#include "base/text/text.h"
#include "model/statistics/statistics.h"
#include "render/report/report.h"

/* Numbers in one file: below 500 kB at 12 characters each. A commit that was not measured takes a
 * comma, more of them than STRETCH_GAP begin a new stretch: both take less than a number. */
enum { FILE_NUMBERS = 32000, STRETCH_GAP = 8, LISTED_COMMITS = 10 };

static uint32_t place_of(const struct site *site, uint32_t commit)
{
	assert(commit < site->set->chain_count);
	return (uint32_t)site->set->chain_count - 1 - commit;
}

/* --- data/compare.js --- */

static void add_rules(const struct site *site, struct strbuf *out)
{
	static const char *const better[] = {
		[METRIC_LOWER] = "lower", [METRIC_HIGHER] = "higher", [METRIC_NEITHER] = ""};
	strbuf_addstr(out, ",\n\"rules\":[");
	for (size_t i = 0; i < site->rule_count; i++) {
		const struct site_rule *rule = &site->rules[i];
		const double numbers[] = {
			rule->policy->alpha, rule->policy->tolerance,       rule->relative,
			rule->exact,         rule->policy->limits.absolute, rule->policy->noise};
		strbuf_addf(out, "%s[\"%s\"", i ? "," : "", better[rule->direction]);
		for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
			strbuf_addch(out, ',');
			render_site_add_number(out, numbers[k]);
		}
		strbuf_addch(out, ']');
	}
	strbuf_addstr(out, "]");
}

/* Key, title, unit, whether it is a time or a rate, whether it counts. */
static void add_metrics(const struct site *site, struct strbuf *out)
{
	strbuf_addstr(out, ",\n\"metrics\":[");
	for (size_t i = 0; i < site->set->metric_count; i++) {
		enum metric metric = site->set->metrics[i];
		const struct metric_info *info = metric_info(metric);
		strbuf_addf(out, "%s[\"%s\",", i ? "," : "", info->key);
		json_string(out, info->title);
		strbuf_addch(out, ',');
		quantity_add_unit(out, info->unit);
		strbuf_addf(out, ",%d,%d]", metric_is_time_or_rate(metric),
			    info->role == METRIC_ROLE_COUNTER);
	}
	strbuf_addstr(out, "]");
}

/* Column of the metric, rule, then place and noise of each level. */
static void add_levels(const struct site *site, const struct site_compared *one, struct strbuf *out)
{
	strbuf_addf(out, "[%zu,%zu", one->column, one->rule);
	for (size_t i = 0; i < one->level_count; i++) {
		strbuf_addf(out, ",%u,", place_of(site, one->levels[i].commit));
		render_site_add_number(out, one->levels[i].noise);
	}
	strbuf_addch(out, ']');
}

/* Names, address, and what noise is borrowed by: device and tool. */
static void add_series(const struct site *site, size_t index, struct strbuf *out)
{
	const struct site_series *series = &site->series[index];
	const struct site_kernel *kernel = &site->kernels[series->kernel];
	const struct run *run = series->identity;
	const char *texts[] = {series->anchor, series->name, kernel->common, kernel->slug,
			       run->device,    run->tool,    run->dtype};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		strbuf_addch(out, i ? ',' : '[');
		render_site_add_text(out, texts[i] ? texts[i] : "");
	}
}

void render_site_compare_data(const struct site *site, struct strbuf *out)
{
	strbuf_addf(out,
		    "\"use strict\";var rooflog=self.rooflog||{};rooflog.compare={\"newest\":%zu",
		    site->set->chain_count - 1);
	strbuf_addstr(out, ",\"q\":");
	render_site_add_number(out, site->settings->false_discovery);
	strbuf_addstr(out, ",\"together\":");
	render_site_add_number(out, site->settings->together);
	strbuf_addstr(out, ",\"common\":");
	render_site_add_text(out, site->common);
	strbuf_addstr(out, ",\n\"files\":[");
	for (size_t i = 0; i < site->value_files.count; i++)
		strbuf_addf(out, i ? ",%u" : "%u", site->value_files.first[i]);
	strbuf_addch(out, ']');
	add_metrics(site, out);
	add_rules(site, out);
	strbuf_addstr(out, ",\n\"series\":[");
	for (size_t i = 0; i < site->compared_count; i++) {
		const struct site_compared *one = &site->compared[i];
		bool same = i && one[-1].series == one->series;
		if (!same) {
			strbuf_addstr(out, i ? "]],\n" : "\n");
			add_series(site, one->series, out);
			strbuf_addstr(out, ",[");
		} else {
			strbuf_addch(out, ',');
		}
		add_levels(site, one, out);
	}
	strbuf_addstr(out, site->compared_count ? "]]\n]};\n" : "]};\n");
}

/* --- data/v-N.js --- */

void render_site_split_values(struct site *site)
{
	size_t count = site->set->chain_count, numbers = 0;
	size_t *at = arena_array(site->arena, count, sizeof *at);
	memset(at, 0, count * sizeof *at);
	for (size_t i = 0; i < site->compared_count; i++)
		for (size_t k = 0; k < site->compared[i].points.count; k++) {
			const struct history_point *point = &site->compared[i].points.items[k];
			bool after_gap = k == 0 || point[-1].commit > point->commit + 1;
			at[place_of(site, point->commit)] += (point->runs > 1 ? 4 : 1) + after_gap;
		}
	site->value_files.first = arena_array(site->arena, count, sizeof(uint32_t));
	for (size_t place = 0; place < count; place++) {
		if (place == 0 || numbers + at[place] > FILE_NUMBERS) {
			site->value_files.first[site->value_files.count++] = (uint32_t)place;
			numbers = 0;
		}
		numbers += at[place];
	}
}

/* Six digits, all of a whole number: equal values stay equal, and rounding is below all noise. */
static void add_value(struct strbuf *out, double value)
{
	strbuf_addf(out, value == floor(value) ? "%.15g" : "%.6g", value);
}

/* The values of the runs at a point, sorted. */
static size_t sorted_runs(struct arena *arena, const struct site_compared *one,
			  const struct history_point *point, double **sorted)
{
	const struct history *history = one->history;
	const double *values = history->values + one->column * history->run_count;
	double *list = arena_array(arena, point->runs + 1, sizeof *list);
	size_t count = 0, low = 0, high = history->run_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (history->runs[middle].commit > point->commit)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low; i < history->run_count && history->runs[i].commit == point->commit;
	     i++)
		if (isfinite(values[i]) && count < point->runs &&
		    history->runs[i].unproven == point->unproven)
			list[count++] = values[i];
	noise_sort(arena, list, count);
	*sorted = list;
	return count;
}

/* What three repeats or more agree on: [runs, the value that six in ten are not below, the value
 * that six in ten are not above]; their number alone if they are equal. Unproven: 0. */
static void add_repeats(const struct site_compared *one, const struct history_point *point,
			struct strbuf *out)
{
	static const double agreement = 0.6;
	struct arena scratch = {0};
	double *sorted;
	if (point->unproven) {
		strbuf_addch(out, '0');
		return;
	}
	if (point->runs < 2)
		return;
	size_t count = sorted_runs(&scratch, one, point, &sorted), share = 1;
	while (share < count && (double)share / (double)count < agreement)
		share++;
	if (count < 2 || sorted[0] == sorted[count - 1]) {
		strbuf_addf(out, "%u", point->runs);
	} else {
		strbuf_addf(out, "[%u,", point->runs);
		add_value(out, sorted[count - share]);
		strbuf_addch(out, ',');
		add_value(out, sorted[share - 1]);
		strbuf_addch(out, ']');
	}
	arena_free(&scratch);
}

static bool is_plain(const struct history_point *point)
{
	return point->runs < 2 && !point->unproven;
}

/* [first place, [values], [repeats]]; nothing between commas where there is none. */
static void add_stretch(const struct site *site, const struct site_compared *one, size_t start,
			size_t end, struct strbuf *out)
{
	const struct history_point *points = one->points.items;
	uint32_t first = place_of(site, points[start].commit), place = first;
	bool plain = true;
	strbuf_addf(out, "[%u,[", first);
	for (size_t i = start; i < end; i++) {
		for (; place < place_of(site, points[i].commit); place++)
			strbuf_addch(out, ',');
		add_value(out, points[i].value);
		plain = plain && is_plain(&points[i]);
	}
	strbuf_addch(out, ']');
	if (!plain)
		strbuf_addstr(out, ",[");
	place = first;
	for (size_t i = start; i < end && !plain; i++) {
		for (; place < place_of(site, points[i].commit); place++)
			strbuf_addch(out, ',');
		add_repeats(one, &points[i], out);
	}
	strbuf_addstr(out, plain ? "]" : "]]");
}

/* "KEY METRIC":[stretches] */
static void add_part(const struct site *site, const struct site_compared *one, size_t start,
		     size_t end, struct strbuf *out)
{
	const struct history_point *points = one->points.items;
	strbuf_addf(out, "%s\"%s %zu\":[", out->buf[out->len - 1] == '{' ? "\n" : ",\n",
		    site->series[one->series].anchor, one->column);
	for (size_t next; start < end; start = next) {
		for (next = start + 1; next < end; next++)
			if (points[next - 1].commit - points[next].commit > STRETCH_GAP)
				break;
		add_stretch(site, one, start, next, out);
		if (next < end)
			strbuf_addch(out, ',');
	}
	strbuf_addch(out, ']');
}

/* The index of the first point at the place or after it. */
static size_t first_from(const struct site *site, const struct history_points *points,
			 uint32_t place)
{
	size_t low = 0, high = points->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (place_of(site, points->items[middle].commit) < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void render_site_values(const struct site *site, size_t number, struct strbuf *out)
{
	uint32_t from = site->value_files.first[number];
	uint32_t to = number + 1 < site->value_files.count ? site->value_files.first[number + 1]
							   : UINT32_MAX;
	strbuf_addf(out,
		    "\"use strict\";var rooflog=self.rooflog||{};"
		    "(rooflog.values=rooflog.values||{})[%zu]={",
		    number);
	for (size_t i = 0; i < site->compared_count; i++) {
		const struct history_points *points = &site->compared[i].points;
		size_t start = first_from(site, points, from), end = first_from(site, points, to);
		if (start < end)
			add_part(site, &site->compared[i], start, end, out);
	}
	strbuf_addstr(out, "\n};\n");
}

/* --- the page --- */

struct json *render_site_compare(const struct site *site)
{
	struct arena *arena = site->arena;
	struct json *document = render_site_document(site, "", "Compare two commits");
	json_set_bool(arena, document, "on_compare", true);
	json_set_text(arena, document, "diff_url", site->diff_url);
	struct json *list = json_set_array(arena, document, KEY(commits));
	size_t shown = 0;
	for (size_t i = 0; i < site->set->chain_count && shown < LISTED_COMMITS; i++)
		if (site->commits[i].count) {
			struct json *row = json_add_object(arena, list);
			render_site_add_revision(site, row, "commit", &site->set->chain[i], false);
			shown++;
		}
	return document;
}
