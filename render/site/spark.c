/* The sparkline of a series. */

#include "render/chart/series/spark.h"

#include "base/text/text.h"
#include "model/acceptance/acceptance.h"
#include "model/trend/trend.h"
#include "render/site/internal.h"

enum { SPARK_STEPS = 8 };
static const struct spark_size {
	size_t bins;
	double width, height;
} small = {34, 84, 22}, wide = {96, 288, 52};

/* The newest changes. Bins are equal parts of the places from the oldest commit to the newest. */
static size_t steps_of(const struct site_series *series, struct spark_step *steps)
{
	const struct history_point *points = series->points.items;
	double oldest = points[0].commit;
	size_t count = 0;
	for (size_t i = series->change_count; i-- > 0 && count < SPARK_STEPS;) {
		const struct detect_change *change = &series->changes[i];
		bool worse = acceptance_is_worse(change->after, change->before, series->direction);
		double place = points[change->index].commit;
		if (change->index)
			place = (place + points[change->index - 1].commit) / 2;
		steps[count++] = (struct spark_step){1 - place / fmax(oldest, 1), worse, !worse};
	}
	return count;
}

/* Two standard deviations around the level that the gate compares with, from the newest change. */
static void set_band(const struct site_series *series, struct spark *spark)
{
	const struct comparison *one = series->comparison;
	if (!one || one->metric != series->metric || !verdict_is_by_history(&one->judged) ||
	    !one->judged.result.relative)
		return;
	double level = verdict_turned(one->judged.turn, one->judged.result.level);
	double half = 2 * one->judged.result.scale * fabs(level);
	spark->band_from = spark->step_count ? spark->steps[0].x : 0;
	spark->band_low = level - half;
	spark->band_high = level + half;
}

const char *render_site_spark(struct arena *arena, const struct site_series *series, bool large)
{
	const struct spark_size size = large ? wide : small;
	struct arena scratch = {NULL, 0};
	struct trend_bins bins = trend_bins_of(&scratch, &series->points, size.bins, 0);
	struct scene_point *points = arena_array(&scratch, bins.count + 1, sizeof *points);
	struct spark_step steps[SPARK_STEPS];
	/* A single bin is drawn at the right end. */
	for (size_t i = 0; i < bins.count; i++)
		points[i] = (struct scene_point){
			bins.count > 1 ? (double)i / (double)(bins.count - 1) : 1, bins.middles[i]};
	struct spark spark = {
		.width = size.width,
		.height = size.height,
		.verdict = series->comparison ? verdict_name(series->comparison->judged.verdict)
					      : NULL,
		.points = points,
		.count = bins.count,
		.steps = steps,
		.step_count = bins.count ? steps_of(series, steps) : 0,
		.band_low = NAN,
		.band_high = NAN,
	};
	spark.label = arena_printf(
		&scratch, "%s, %s",
		quantity_count_text(&scratch, series->points.count, "commit", "commits"),
		quantity_count_text(&scratch, series->change_count, "change", "changes"));
	if (large)
		set_band(series, &spark);
	const char *drawn = spark_svg(arena, &spark);
	arena_free(&scratch);
	return drawn;
}
