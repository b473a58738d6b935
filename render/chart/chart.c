/* The table of charts. */
#include "render/chart/chart.h"

#include <string.h>

#include "render/chart/sizes/buckets.h"
#include "render/chart/series/distribution.h"
#include "render/chart/sizes/fusion.h"
#include "render/chart/sizes/latency.h"
#include "render/chart/engines/occupancy.h"
#include "render/chart/roofline/roofline.h"
#include "render/chart/engines/timeline.h"
#include "render/chart/series/trend.h"

const struct chart charts[] = {
	{"roofline", "achieved FLOP/s over arithmetic intensity, with the device's roofs",
	 chart_roofline},
	{"occupancy", "how busy each engine was, in all and over the time of the run",
	 chart_occupancy},
	{"timeline", "which part of the run got longer than in its baseline", chart_timeline},
	{"latency", "time over one size, with the boundaries of the tiles", chart_latency},
	{"fusion", "speed-up of fused operators over tokens", chart_fusion},
	{"buckets", "the sizes to compile for, and the time lost to padding", chart_buckets},
	{"distribution", "repeats of the candidate beside those of its baseline",
	 chart_distribution},
	{"trend", "series over their commits, the worst first: levels, changes, what is expected",
	 chart_trend},
	{NULL, NULL, NULL},
};

const struct chart *chart_find(const char *name)
{
	for (const struct chart *chart = charts; chart->name; chart++)
		if (strcmp(chart->name, name) == 0)
			return chart;
	return NULL;
}
