/* A series' panel over all its commits. */
#include "render/document/document.h"
#include "render/site/internal.h"

#include "model/trend/trend.h"
#include "render/chart/series/trend.h"
#include "render/report/report.h"
#include "render/scene/scene.h"

/* Sizes for wide screens, tablets and phones: the style sheet shows one of them. */
static const struct {
	const char *name;
	struct scene_point size;
	bool dots;
	size_t sections; /* left out where a page has more */
} drawings[] = {
	{"svg", {1178, 0}, true, 3},
	{"svg_medium", {680, 0}, false, SIZE_MAX},
	{"svg_narrow", {346, 0}, false, SIZE_MAX},
};

static struct trend trend_of_series(const struct site *site, const struct site_series *series)
{
	struct detect_result detected = {.changes = (struct detect_change *)series->changes,
					 .count = series->change_count};
	struct trend_options options = {.direction = series->direction, .detected = &detected};
	struct trend trend = trend_of(site->arena, &series->points, &options);
	const struct history_point *newest = &series->points.items[series->points.count - 1];
	const struct comparison *one = series->comparison;
	if (newest->commit == 0 && !series->dirty)
		trend.candidate = *newest;
	/* If the gate judged this metric, the panel shows the gate's band. */
	if (one && one->metric == series->metric && one->judged.method != METHOD_LIMIT)
		trend_set_band(&one->judged.result, one->judged.turn, &trend);
	trend_find_commits(&trend, site->set->chain, site->set->chain_count, &site->set->chain[0]);
	return trend;
}

void render_site_add_trend(const struct site *site, struct json *section,
			   const struct site_series *series, uint32_t oldest, size_t sections)
{
	enum { PAGE_DOTS = 1200 };
	struct arena *arena = site->arena;
	const struct metric_info *info = metric_info(series->metric);
	struct trend trend = trend_of_series(site, series);
	json_set_text(arena, section, KEY(metric), info->key);
	json_set_text(arena, section, KEY(title), info->title);
	report_add_trend(arena, section, &trend, info->unit);
	struct json *out = section->last;
	for (size_t i = 0; i < sizeof drawings / sizeof *drawings; i++) {
		if (sections > drawings[i].sections)
			continue;
		struct trend_view view = {.size = drawings[i].size,
					  .oldest = oldest,
					  .commits = &site->labels,
					  .dots = drawings[i].dots ? PAGE_DOTS / (sections + 1) : 0,
					  .plain = i + 1 == sizeof drawings / sizeof *drawings};
		json_set_text(arena, out, drawings[i].name,
			      scene_page_svg(arena, chart_trend_of(arena, section, &view)));
	}
}

void render_site_label_commits(struct site *site)
{
	struct arena *arena = site->arena;
	size_t count = site->set->chain_count;
	struct trend_commit *labels = arena_array(arena, count, sizeof *labels);
	for (size_t i = 0; i < count; i++) {
		const struct revision *one = &site->set->chain[i];
		bool has_page = i == 0 || site->commits[i].count;
		labels[i] = (struct trend_commit){
			.id = arena_prefix(arena, one->oid, 10),
			.day = document_day(arena, one->time),
			.release = releases_at(arena, &site->releases, one->oid),
			.subject = one->subject ? one->subject : "",
			.url = has_page ? arena_printf(arena, "../c/%s.html", one->oid) : NULL};
	}
	site->labels = (struct trend_commits){labels, count};
}
