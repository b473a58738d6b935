/*
 * Pictures in files next to a report. They are drawn before the text, which refers to them, and
 * written before it.
 */
#pragma once

#include "cli/output/render.h"
#include "render/chart/chart.h"

struct output_picture {
	const char *path;
	struct span bytes;
};

struct output_pictures {
	struct output_picture *items;
	size_t count, capacity;
};

/* Draws a chart as SVG, PNG or PDF, by the ending of the file. */
int output_draw(struct cli *cli, const struct chart *chart, const struct json *document, bool dark,
		const char *ending, struct strbuf *out, struct error *err);
/* Draws the chart for light and dark pages, and adds its names to the document: "roofline",
 * "roofline_dark", "roofline_url" ... Nothing if it cannot be drawn. */
void output_pictures_draw(struct cli *cli, const struct chart *chart, struct json *document,
			  const struct rendering *rendering, struct output_pictures *pictures);
/* The trend of the worst series alone, in the same way, and for narrow screens: "trend",
 * "trend_narrow_dark" ... */
void output_pictures_worst(struct cli *cli, struct json *document,
			   const struct rendering *rendering, struct output_pictures *pictures);
int output_pictures_write(const struct cli *cli, const struct output_pictures *pictures,
			  struct error *err);
