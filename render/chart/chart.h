/*
 * Charts: from the report document to a scene (render/scene/scene.h), which knows
 * no document and becomes SVG, PNG or PDF.
 */
#ifndef RENDER_CHART_CHART_H
#define RENDER_CHART_CHART_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json/json.h"

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

#endif
