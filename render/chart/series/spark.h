/*
 * Sparklines: the course of a series as a small SVG element for a row of a page. Its parts have
 * classes, and the page's style sheet (templates/report/style.css) their colors: no color is
 * written here.
 *
 * Of 17 values or more, 3 % at either end do not set the range, the newest value excepted; a tick
 * at the edge marks each. The range is at least 6 % of the median, so that quiet series look quiet.
 *
 * Never add axes or texts.
 */
#pragma once

#include "base/base.h"
#include "render/scene/scene.h"

struct json;

struct spark_step {
	double x; /* 0 to 1 */
	bool worse, better;
};

struct spark {
	double width, height; /* px */
	const char *label;    /* for readers who cannot see it */
	const char *verdict;  /* of the newest value, as in documents; NULL: not judged */
	/* x from 0, the oldest, to 1; y the value, or NAN for a gap. */
	const struct scene_point *points;
	size_t count;
	const struct spark_step *steps;
	size_t step_count;
	double band_from, band_low, band_high; /* x and values; NAN: without a band */
};

/* "" without values. */
const char *spark_svg(struct arena *arena, const struct spark *spark);
/* Adds `spark_svg` to each row of the nightly and weekly lists of the document whose comparison has
 * a trend. */
void spark_rows_inline(struct arena *arena, struct json *document);
