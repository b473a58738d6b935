/* The xor of all bits up to each one, by shifts. */
#ifndef INGEST_JSON_BLOCKS_SHIFT_H
#define INGEST_JSON_BLOCKS_SHIFT_H

#include <stdint.h>

static inline uint64_t prefix_xor(uint64_t mask)
{
	for (int width = 1; width < 64; width *= 2)
		mask ^= mask << width;
	return mask;
}

#endif
