/*
 * Charts: from the report document to a scene (render/scene/scene.h). A scene is independent of
 * the document and becomes SVG, PNG or PDF.
 *
 * Never add a particular chart.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"

struct scene; /* render/scene/scene.h */

/* What a picture is drawn for. A narrow one is another drawing, with texts of the same size. */
struct chart_look {
	bool dark;
	double width; /* px, at least CHART_NARROWEST; 0: the usual width */
};
enum { CHART_NARROWEST = 346 }; /* px: a phone's page without its margins */

/* Draws the runs of a report document. Returns ERR_FORMAT with a sentence if the document lacks
 * what the chart needs (no peaks, no engines ...). */
typedef int chart_draw(struct arena *arena, const struct json *report,
		       const struct chart_look *look, struct scene **scene, struct error *err);

/* Each row of render/chart/charts.def is drawn by a function in its own file. */
#define CHART(name, writer, title) chart_draw chart_##name;
#include "render/chart/charts.def"
#undef CHART

struct chart {
	const char *name;  /* "roofline", "occupancy", "latency" */
	const char *title; /* for help texts */
	chart_draw *draw;
};
/* Ends with a row whose name is NULL. */
extern const struct chart charts[];
const struct chart *chart_find(const char *name);

/* Adds `chart`, `svg` and `svg_narrow` to a list: drawings for wide and for narrow screens, of
 * which the style sheet shows one. Their colors are those of palette_add_css(). Adds nothing if the
 * chart cannot be drawn (no roofs, no engines), or would show axes only. */
void chart_add_picture(struct arena *arena, struct json *list, const struct chart *chart,
		       double width, const struct json *report);
