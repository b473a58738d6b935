/* The table of charts. */
#include "render/chart/chart.h"

#include "render/scene/scene.h"

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

void chart_add_picture(struct arena *arena, struct json *list, const struct chart *chart,
		       double width, const struct json *report)
{
	const struct chart_look wide = {.width = width}, narrow = {.width = CHART_NARROWEST};
	struct error why = {0};
	struct scene *scene;
	if (chart->draw(arena, report, &wide, &scene, &why) < 0 || scene->empty)
		return;
	struct json *picture = json_add_object(arena, list);
	json_set_text(arena, picture, "chart", chart->name);
	json_set_text(arena, picture, "svg", scene_page_svg(arena, scene));
	if (chart->draw(arena, report, &narrow, &scene, &why) == 0)
		json_set_text(arena, picture, "svg_narrow", scene_page_svg(arena, scene));
}
