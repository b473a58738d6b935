/* The sparkline of a series. */

#include "model/trend/trend.h"
#include "render/site/site.h"

enum { SPARK_BINS = 40, SPARK_WIDTH = 96, SPARK_HEIGHT = 20, SPARK_MARGIN = 2 };

const char *render_site_spark(struct arena *arena, const struct history_points *points)
{
	struct arena scratch = {NULL, 0};
	struct strbuf path = {0};
	struct trend_bins bins = trend_bins_of(&scratch, points, SPARK_BINS, 0);
	const double *middles = bins.middles;
	double range = bins.high - bins.low;
	for (size_t i = 0; i < bins.count; i++) {
		if (isnan(middles[i]))
			continue;
		/* A single bin is drawn at the right end, a constant series at half height. */
		double x = bins.count > 1 ? (double)i * (SPARK_WIDTH - 2 * SPARK_MARGIN) /
						    (double)(bins.count - 1)
					  : SPARK_WIDTH - 2 * SPARK_MARGIN;
		double up = range > 0 ? (middles[i] - bins.low) / range : 0.5;
		bool joined = i > 0 && !isnan(middles[i - 1]);
		strbuf_addf(&path, "%c%.0f %.1f", joined ? 'L' : 'M', SPARK_MARGIN + x,
			    SPARK_HEIGHT - SPARK_MARGIN - up * (SPARK_HEIGHT - 2 * SPARK_MARGIN));
		/* A single point between gaps, which a line alone would not show. */
		if (!joined && (i + 1 == bins.count || isnan(middles[i + 1])))
			strbuf_addstr(&path, "h.1");
	}
	arena_free(&scratch);
	return strbuf_into(&path, arena);
}
