/* The table of charts. */
#include "render/chart.h"

#include <string.h>

#include "render/chart_latency.h"
#include "render/chart_occupancy.h"
#include "render/chart_roofline.h"

const struct chart charts[] = {
	{"roofline", "achieved FLOP/s over arithmetic intensity, with the device's roofs",
	 chart_roofline},
	{"occupancy", "how busy each engine was, in all and over the time of the run",
	 chart_occupancy},
	{"latency", "time over one size, with the boundaries of the tiles", chart_latency},
	{NULL, NULL, NULL},
};

const struct chart *chart_find(const char *name)
{
	for (const struct chart *chart = charts; chart->name; chart++)
		if (strcmp(chart->name, name) == 0)
			return chart;
	return NULL;
}
