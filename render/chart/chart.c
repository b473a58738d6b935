/* The table of charts. */
#include "render/chart/chart.h"

const struct chart charts[] = {
#define CHART(name, writer, title) {#name, title, chart_##name},
#include "render/chart/charts.def"
#undef CHART
	{NULL, NULL, NULL},
};

const struct chart *chart_find(const char *name)
{
	for (const struct chart *chart = charts; chart->name; chart++)
		if (strcmp(chart->name, name) == 0)
			return chart;
	return NULL;
}
