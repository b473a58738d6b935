/* blocks.h without vectors: one lane of one word. */

#include "base/text/text.h"

typedef uint64_t lanes;

static inline lanes lanes_moved(lanes v, lanes before, int n)
{
	return v << n | before >> (64 - n);
}

static inline unsigned lanes_signs(lanes v)
{
	return (unsigned)(v >> 63);
}

static inline unsigned lanes_used(lanes v)
{
	return v != 0;
}

static inline lanes lanes_all(unsigned bits)
{
	return 0 - (uint64_t)(bits & 1);
}

#include "ingest/json/simd/blocks_planes.h"

static inline void lanes_planes(const char *p, lanes *plane)
{
	for (int i = 0; i < 8; i++)
		plane[i] = word_at(p + 8 * i);
	TURN_PLANES(plane, 4, 32, 0x00000000ffffffffu);
	TURN_PLANES(plane, 2, 16, 0x0000ffff0000ffffu);
	TURN_PLANES(plane, 1, 8, 0x00ff00ff00ff00ffu);
	turn_bits(plane);
}

#include "ingest/json/simd/blocks_any_end.h"
#define json_blocks_kernel json_blocks_words
#include "ingest/json/simd/blocks_kernel.h"
