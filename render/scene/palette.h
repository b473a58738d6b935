/*
 * Colors of pictures and pages, one list for both (render/scene/palette.def). Texts (`ink`, `ink2`,
 * `muted`, `accent`, verdicts) have a contrast of at least 4.5:1 on `background`; graphics have at
 * least 3:1. A color is 0xRRGGBB.
 *
 * Never add the meaning of shapes.
 */
#pragma once

#include "base/base.h"

enum { PALETTE_SERIES = 7 };

struct palette {
#define TOKEN(name, css, light, dark) uint32_t name;
#include "render/scene/palette.def"
#undef TOKEN
	/* Marks of many series in one plot, distinguishable with any color vision. */
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
