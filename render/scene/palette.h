/*
 * Colours of charts: after the Okabe-Ito set, which people with any colour vision can
 * tell apart (tests/unit/render/scene/check_palette.c), on a white and on a dark ground. Texts
 * (`ink`, `muted`) have a contrast of at least 4.5:1 on `background`; the fills never carry text. A
 * colour is 0xRRGGBB.
 *
 * Never add anything that knows what a shape means.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
/* An engine ("tensor", "vector_engine", "DMA" ...) has the same colour in every picture; one that
 * nobody knows takes a colour that depends on `index`. */
uint32_t palette_engine(const struct palette *palette, const char *engine, size_t index);
/* Pictures that take their colours from the page they stand in: SVG text drawn with the light
 * palette, its colours as variables, and the style sheet that gives the variables their values on
 * light and dark screens. */
struct strbuf;
void palette_add_svg(struct strbuf *out, const char *svg);
void palette_add_css(struct strbuf *out);
/* WCAG 2 contrast ratio, 1 to 21. */
double palette_contrast(uint32_t a, uint32_t b);
