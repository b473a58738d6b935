/*
 * Charts: from the report document to a scene (a display list), from the scene to
 * SVG text or, through Cairo, to PNG and PDF. The scene knows no library and no
 * document.
 */
#ifndef RENDER_CHART_CHART_H
#define RENDER_CHART_CHART_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/strbuf.h"

struct scene; /* render/scene/scene.h */

struct chart {
	const char *name;  /* "roofline", "occupancy", "latency" */
	const char *title; /* for help texts */
	/* Draws the runs of a report document. ERR_FORMAT with a sentence when the document lacks
	 * what the chart needs (no peaks, no engines ...). */
	int (*draw)(struct arena *arena, const struct json *report, bool dark, struct scene **scene,
		    struct error *err);
};
/* NULL-named row at the end. */
extern const struct chart charts[];
const struct chart *chart_find(const char *name);

/* SVG text with <title> and <desc>; deterministic. */
void scene_svg(const struct scene *scene, struct strbuf *out);
/* The same for a page whose style sheet has palette_add_css(): light there and dark. Of a scene in
 * the light palette. */
const char *scene_page_svg(struct arena *arena, const struct scene *scene);
/* PNG at `scale` device pixels per unit, or PDF, as bytes. */
int scene_png(const struct scene *scene, double scale, struct strbuf *out, struct error *err);
int scene_pdf(const struct scene *scene, struct strbuf *out, struct error *err);

#endif
