/* blocks.h with NEON, which all 64-bit ARM processors have: two lanes per register. */
#if defined __aarch64__
#include <arm_neon.h>

typedef uint64_t lanes __attribute__((vector_size(16)));

static inline lanes lanes_moved(lanes v, lanes before, int n)
{
	return v << n | (lanes)vextq_u64((uint64x2_t)before, (uint64x2_t)v, 1) >> (64 - n);
}

static inline unsigned lanes_signs(lanes v)
{
	return (unsigned)(v[0] >> 63 | v[1] >> 63 << 1);
}

static inline unsigned lanes_used(lanes v)
{
	return lanes_signs((lanes)(v != 0));
}

static inline lanes lanes_all(unsigned bits)
{
	static const lanes all[4] = {
		{0, 0}, {UINT64_MAX, 0}, {0, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}};
	return all[bits & 3];
}

#include "ingest/json/simd/blocks_planes.h"

/* Loads the bytes of a block with a distance of 8, two words of 8 each. */
static inline void load_rows(const char *p, uint64x2_t *row)
{
	uint8x16x4_t four = vld4q_u8((const uint8_t *)p); /* distance 4 */
	for (int i = 0; i < 4; i++) {
		uint8x16_t even = vuzp1q_u8(four.val[i], four.val[i]);
		uint8x16_t odd = vuzp2q_u8(four.val[i], four.val[i]);
		row[i] = vreinterpretq_u64_u8(vextq_u8(even, odd, 8));
	}
}

static inline void lanes_planes(const char *p, lanes *plane)
{
	uint64x2_t even[4], odd[4];
	load_rows(p, even);
	load_rows(p + 64, odd);
	for (int i = 0; i < 4; i++) {
		plane[i] = (lanes)vzip1q_u64(even[i], odd[i]);
		plane[i + 4] = (lanes)vzip2q_u64(even[i], odd[i]);
	}
	turn_bits(plane);
}

#include "ingest/json/simd/blocks_any_end.h"
#define json_blocks_kernel json_blocks_neon
#include "ingest/json/simd/blocks_kernel.h"
#else
extern int json_blocks_no_neon;
int json_blocks_no_neon;
#endif
