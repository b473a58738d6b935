/*
 * For blocks.h: planes of the bits of bytes, for processors that have no
 * instruction for it. Two squares of eight are turned about their diagonals: first
 * bytes, unless the source that includes it has shuffles for that, then bits.
 */
#ifndef INGEST_JSON_SIMD_BLOCKS_PLANES_H
#define INGEST_JSON_SIMD_BLOCKS_PLANES_H

#include <stdint.h>
#include <string.h>

#include "ingest/json/simd/blocks.h"

/* Swaps what `mask` gives of the lower one with what lies `by` bits higher in the other one. */
#define SWAP_PLANES(lower, upper, by, mask)                                                        \
	do {                                                                                       \
		lanes turn = ((lower) >> (by) ^ (upper)) & (mask);                                 \
		(upper) ^= turn;                                                                   \
		(lower) ^= turn << (by);                                                           \
	} while (0)

/* A step for all eight; those `step` apart are swapped. */
#define TURN_PLANES(plane, step, by, mask)                                                         \
	do {                                                                                       \
		for (int each = 0; each < 8; each++)                                               \
			if (!(each & (step)))                                                      \
				SWAP_PLANES((plane)[each], (plane)[each + (step)], by, mask);      \
	} while (0)

/* From plane k of the bytes 8 i + k, to plane k of the bits k. */
static inline void turn_bits(lanes *plane)
{
	TURN_PLANES(plane, 4, 4, 0x0f0f0f0f0f0f0f0fu);
	TURN_PLANES(plane, 2, 2, 0x3333333333333333u);
	TURN_PLANES(plane, 1, 1, 0x5555555555555555u);
}

PREFIX_XOR(lanes_prefix_xor, lanes)

#endif
