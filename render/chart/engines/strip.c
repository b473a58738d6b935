/* Activity over time: the strips and the time axis that the charts of engines share. */
#include "render/chart/engines/strip.h"

#include "render/document/key.h"

#include "base/base.h"

const struct json *engines_first(const struct chart_run *run)
{
	const struct json *engines = json_get(run->json, KEY(engines));
	return engines && engines->type == JSON_ARRAY ? engines->first : NULL;
}

const char *engines_name(struct arena *arena, const struct json *engine)
{
	const char *title = json_text(engine, KEY(title), json_text(engine, KEY(name), "engine"));
	struct span text = span_trim(span_of(title));
	if (span_ends(text, " engine"))
		text.len -= strlen(" engine");
	return scene_clean(arena, arena_strndup(arena, text.ptr, text.len));
}

uint32_t engines_color(const struct palette *palette, const struct json *engine, size_t index)
{
	const char *name = json_text(engine, KEY(name), json_text(engine, KEY(title), ""));
	return palette_engine(palette, name, index);
}

bool engines_have_timeline(const struct json *engine, const char *member)
{
	const struct json *timeline = json_get(engine, member);
	return timeline && timeline->type == JSON_ARRAY && timeline->count > 0;
}

double engines_share(double share)
{
	return share > 0 ? fmin(share, 1) : 0;
}

/* Converts bins to the corners of a step curve; equal neighbors are joined. Returns the number of
 * corners. */
static size_t trace_bins(const struct chart_strip *strip, const struct json *timeline,
			 struct scene_point *corners)
{
	size_t used = 0, bin = 0;
	double level = 0, left = strip->left, base = strip->base;
	double bins =
		(double)(timeline->count < CHART_BIN_LIMIT ? timeline->count : CHART_BIN_LIMIT);
	corners[used++] = (struct scene_point){left, base};
	for (const struct json *v = timeline->first; v && bin < CHART_BIN_LIMIT;
	     v = v->next, bin++) {
		double next = engines_share(v->type == JSON_NUMBER ? v->number : 0);
		double x = left + (double)bin / bins * strip->width;
		/* Steps of 1/40 are below half a pixel of the strips and give fewer corners. */
		next = round(next * 40) / 40;
		if (next == level)
			continue;
		corners[used++] = (struct scene_point){x, base - level * strip->height};
		corners[used++] = (struct scene_point){x, base - next * strip->height};
		level = next;
	}
	double right = left + strip->width;
	if (level > 0)
		corners[used++] = (struct scene_point){right, base - level * strip->height};
	corners[used++] = (struct scene_point){right, base};
	return used;
}

void engines_strip_draw(struct chart_plot *plot, const struct chart_strip *strip,
			const struct json *timeline, struct scene_style style)
{
	struct scene_point corners[2 * CHART_BIN_LIMIT + 3];
	size_t count = trace_bins(strip, timeline, corners);
	assert(count <= sizeof corners / sizeof *corners);
	if (count > 2 && style.fill == SCENE_NONE)
		scene_polyline(plot->scene, corners, count, style);
	else if (count > 2)
		scene_polygon(plot->scene, corners, count, style);
}

/* The unit of all ticks of an axis, chosen by its total in seconds. `scale` converts seconds to
 * it. */
static const char *time_unit(double total, double *scale)
{
	static const struct {
		double scale;
		const char *unit;
	} units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};
	size_t i = 0;
	while (i < 3 && total * units[i].scale < 1.5)
		i++;
	*scale = units[i].scale;
	return units[i].unit;
}

double engines_time_axis(struct chart_plot *plot, double left, double right, double y, double total)
{
	double width = right - left, scale;
	struct scene_style line = {.fill = SCENE_NONE, .stroke = plot->palette->frame, .width = 1};
	y += 2;
	scene_line(plot->scene, left, y, right, y, line);
	if (!(total > 0))
		return y + 20;
	const char *unit = time_unit(total, &scale);
	total *= scale;
	double step = plot_step(total, width > 400 ? 10 : 5);
	for (int i = 0; i * step <= total * (1 + 1e-9) && i < 40; i++) {
		double x = left + i * step / total * width;
		scene_line(plot->scene, x, y, x, y + 4, line);
		const char *text = arena_printf(plot->arena, "%.6g", i * step);
		if (i == 0)
			text = arena_printf(plot->arena, "0 %s", unit);
		struct scene_item *label = scene_text(plot->scene, x, y + 16, chart_small_size,
						      plot->palette->muted, text);
		label->anchor = x > right - 12 ? SCENE_END : SCENE_MIDDLE;
	}
	return y + 24;
}
