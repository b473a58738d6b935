/*
 * For json_blocks.h: planes of the bits of bytes, by registers of x86 whose halves of 16 bytes
 * are unpacked alike. The source that includes it has defined
 *
 *   reg                       a register
 *   load_pairs(p)             16 bytes a half, as pairs of bytes 8 apart: of one block, or of two
 *                             with one between them
 *   UNPACK(end, bits, a, b)   pieces of so many bits, in turns, of the halves' lo or hi ends
 */
#ifndef INGEST_JSON_SIMD_BLOCKS_UNPACK_H
#define INGEST_JSON_SIMD_BLOCKS_UNPACK_H

#include "ingest/json/simd/blocks_planes.h"

/* The bytes that are 8 apart, two words of 8 a half. */
static inline void load_rows(const char *p, reg *row)
{
	reg a = load_pairs(p), b = load_pairs(p + 16);
	reg c = load_pairs(p + 32), d = load_pairs(p + 48);
	reg low_ab = UNPACK(lo, 16, a, b), high_ab = UNPACK(hi, 16, a, b);
	reg low_cd = UNPACK(lo, 16, c, d), high_cd = UNPACK(hi, 16, c, d);
	row[0] = UNPACK(lo, 32, low_ab, low_cd);
	row[1] = UNPACK(hi, 32, low_ab, low_cd);
	row[2] = UNPACK(lo, 32, high_ab, high_cd);
	row[3] = UNPACK(hi, 32, high_ab, high_cd);
}

static inline void lanes_planes(const char *p, lanes *plane)
{
	reg even[4], odd[4];
	load_rows(p, even);
	load_rows(p + 64, odd);
	for (int i = 0; i < 4; i++) {
		plane[2 * i] = (lanes)UNPACK(lo, 64, even[i], odd[i]);
		plane[2 * i + 1] = (lanes)UNPACK(hi, 64, even[i], odd[i]);
	}
	turn_bits(plane);
}

#endif
