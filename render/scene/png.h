/*
 * Opaque pictures as PNG, 8 bits a channel. Made for drawings, which are flat: what
 * is repeated from the left, from above, or from nearby is found pixel by pixel,
 * several times faster than by a compressor that has to look at bytes.
 */
#ifndef RENDER_SCENE_PNG_H
#define RENDER_SCENE_PNG_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct png {
	size_t width, height;
	/* Paints all of `count` rows, from row `y` on: 0xRRGGBB, row after row. What is above these
	 * bits is not shown, but best the same everywhere: what differs in it is not found to be
	 * repeated. Asked from the top down, for few rows at a time, which stay in the processor's
	 * cache until they are packed. */
	void (*paint)(void *context, size_t y, size_t count, uint32_t *rows);
	void *context;
};

/* Width and height are at least 1 and at most 2^24. The same pixels give the same bytes. */
void png_write(const struct png *png, struct strbuf *out);

#endif
