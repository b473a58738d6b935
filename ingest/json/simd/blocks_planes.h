/*
 * Part of blocks.h for processors without an instruction for it: transposes bytes into planes of
 * bits. Two squares of eight are transposed: first bytes, unless the including source has shuffles
 * for that, then bits.
 */
#pragma once

#include "ingest/json/simd/blocks.h"

/* Swaps the bits of `mask` in the lower plane with those `by` positions higher in the upper one. */
#define SWAP_PLANES(lower, upper, by, mask)                                                        \
	do {                                                                                       \
		lanes turn = ((lower) >> (by) ^ (upper)) & (mask);                                 \
		(upper) ^= turn;                                                                   \
		(lower) ^= turn << (by);                                                           \
	} while (0)

/* One step for all eight planes: swaps those with a distance of `step`. */
#define TURN_PLANES(plane, step, by, mask)                                                         \
	do {                                                                                       \
		for (int each = 0; each < 8; each++)                                               \
			if (!(each & (step)))                                                      \
				SWAP_PLANES((plane)[each], (plane)[each + (step)], by, mask);      \
	} while (0)

/* Turns plane k of the bytes 8 i + k into plane k of the bits k. */
static inline void turn_bits(lanes *plane)
{
	TURN_PLANES(plane, 4, 4, 0x0f0f0f0f0f0f0f0fu);
	TURN_PLANES(plane, 2, 2, 0x3333333333333333u);
	TURN_PLANES(plane, 1, 1, 0x5555555555555555u);
}

PREFIX_XOR(lanes_prefix_xor, lanes)
