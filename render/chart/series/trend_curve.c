/* The curve of a trend, clipped to the area of its panel. */
#include "render/chart/series/trend_panel.h"

/* The share of the way from `y` to `to` at which the area is left: 0 to 1. */
static double share_inside(const struct scene_bounds *area, double y, double to)
{
	if (to >= area->top && to <= area->bottom)
		return 1;
	if (to < area->top ? y <= area->top : y >= area->bottom)
		return 0;
	return ((to < area->top ? area->top : area->bottom) - y) / (to - y);
}

/* The point at this share of the way, in the area, to 0.1 px. */
static struct scene_point on_way(const struct scene_bounds *area, const struct scene_point *way,
				 double share)
{
	double x = way[0].x + share * (way[1].x - way[0].x);
	double y = way[0].y + share * (way[1].y - way[0].y);
	y = fmin(fmax(y, area->top), area->bottom);
	return (struct scene_point){round(x * 10) / 10, round(y * 10) / 10};
}

void trend_panel_curve(const struct chart_plot *plot, const struct scene_point *points,
		       size_t count, struct scene_style style)
{
	const struct scene_bounds *area = &plot->area;
	struct scene_point *line = arena_array(plot->arena, count + 1, sizeof *line);
	size_t used = 0;
	for (size_t i = 0; i + 1 < count; i++) {
		double enter = 1 - share_inside(area, points[i + 1].y, points[i].y);
		double leave = share_inside(area, points[i].y, points[i + 1].y);
		if (enter < leave && !used)
			line[used++] = on_way(area, points + i, enter);
		if (enter < leave)
			line[used++] = on_way(area, points + i, leave);
		if (used && (leave < 1 || i + 2 == count)) {
			scene_polyline(plot->scene, line, used, style);
			used = 0;
		}
	}
}
