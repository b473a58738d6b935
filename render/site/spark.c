/* The sparkline of a series. */

#include "render/chart/series/spark.h"

#include "base/text/text.h"
#include "model/acceptance/acceptance.h"
#include "model/trend/trend.h"
#include "render/site/internal.h"

enum { SPARK_BINS = 34, SPARK_WIDTH = 84, SPARK_HEIGHT = 22, SPARK_STEPS = 8 };

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

const char *render_site_spark(struct arena *arena, const struct site_series *series)
{
	struct arena scratch = {NULL, 0};
	struct trend_bins bins = trend_bins_of(&scratch, &series->points, SPARK_BINS, 0);
	struct scene_point *points = arena_array(&scratch, bins.count + 1, sizeof *points);
	struct spark_step steps[SPARK_STEPS];
	/* A single bin is drawn at the right end. */
	for (size_t i = 0; i < bins.count; i++)
		points[i] = (struct scene_point){
			bins.count > 1 ? (double)i / (double)(bins.count - 1) : 1, bins.middles[i]};
	struct spark spark = {
		.width = SPARK_WIDTH,
		.height = SPARK_HEIGHT,
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
	const char *drawn = spark_svg(arena, &spark);
	arena_free(&scratch);
	return drawn;
}
