/*
 * The entropy coder of DEFLATE (RFC 1951): literals and matches, found by somebody
 * who knows the data, become blocks with Huffman codes of their own. The same
 * tokens give the same bytes.
 */
#ifndef RENDER_SCENE_DEFLATE_H
#define RENDER_SCENE_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum {
	DEFLATE_LENGTH_MIN = 3,
	DEFLATE_LENGTH_MAX = 258,
	DEFLATE_DISTANCE_MAX = 32768,
	DEFLATE_BLOCK = 1 << 16, /* tokens */
	DEFLATE_BYTES = 4096,
	DEFLATE_SYMBOLS = 286,
	DEFLATE_DISTANCES = 30
};

struct deflate_token {
	uint16_t value;    /* a byte, or the length of a match */
	uint16_t distance; /* 0: a byte */
};

/* Large: not for the stack. Zeroed but for `out` it is ready. */
struct deflate {
	struct strbuf *out;
	uint64_t bits; /* not yet written, the lowest first */
	unsigned bit_count;
	size_t byte_count; /* whole ones, not yet in `out` */
	unsigned char bytes[DEFLATE_BYTES];
	size_t count;
	struct deflate_token tokens[DEFLATE_BLOCK];
	uint32_t symbols[DEFLATE_SYMBOLS], distances[DEFLATE_DISTANCES]; /* how often in tokens */
};

void deflate_byte(struct deflate *deflate, unsigned char byte);
/* Repeats `length` bytes, at least 3, of those that stand 1 to 32768 bytes back. */
void deflate_match(struct deflate *deflate, size_t length, size_t distance);
/* Ends the stream at a whole byte. */
void deflate_end(struct deflate *deflate);

#endif
