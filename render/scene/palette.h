/*
 * Colors of charts, based on the Okabe-Ito set, which is distinguishable with any color vision
 * (tests/unit/render/scene/check_palette.c), on a white and on a dark background. Texts (`ink`,
 * `muted`) have a contrast of at least 4.5:1 on `background`; fills never carry text. A color is
 * 0xRRGGBB.
 *
 * Never add the meaning of shapes.
 */
#pragma once

#include "base/base.h"

enum { PALETTE_SERIES = 7 };

struct palette {
	uint32_t background;
	uint32_t ink;   /* titles, labels */
	uint32_t muted; /* axis labels, notes */
	uint32_t frame; /* axes */
	uint32_t grid;  /* decades; minor lines at half opacity */
	uint32_t track; /* the empty part of a bar */
	uint32_t roof;  /* ceilings */
	uint32_t warn;  /* throttling */
	uint32_t series[PALETTE_SERIES];
};

const struct palette *palette_of(bool dark);
/* The color of an engine ("tensor", "vector_engine", "DMA" ...), the same in every picture. An
 * unknown engine gets a color by `index`. */
uint32_t palette_engine(const struct palette *palette, const char *engine, size_t index);
/* Pictures that follow the color scheme of their page: SVG text in the light palette with its
 * colors as CSS variables, and the style sheet with the variables' values for light and dark
 * screens. */
struct strbuf;
void palette_add_svg(struct strbuf *out, const char *svg);
void palette_add_css(struct strbuf *out);
/* WCAG 2 contrast ratio, 1 to 21. */
double palette_contrast(uint32_t a, uint32_t b);
