/* A series' panel over all its commits. */
#include "render/document/key.h"
#include "render/site/internal.h"

#include "model/trend/trend.h"
#include "render/chart/series/trend.h"
#include "render/report/report.h"
#include "render/scene/scene.h"

static const struct scene_point panel_size = {960, 190};

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
			   const struct site_series *series, uint32_t oldest)
{
	struct arena *arena = site->arena;
	const struct metric_info *info = metric_info(series->metric);
	struct trend trend = trend_of_series(site, series);
	json_set_text(arena, section, KEY(metric), info->key);
	json_set_text(arena, section, KEY(title), info->title);
	report_add_trend(arena, section, &trend, info->unit);
	struct scene *scene = chart_trend_of(arena, section, panel_size, oldest);
	json_set_text(arena, section->last, "svg", scene_page_svg(arena, scene));
}
