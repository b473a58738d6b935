/* json_blocks.h with NEON, which every 64-bit ARM has: a block is four registers. */
#if defined __aarch64__
#include <arm_neon.h>
#include <stdint.h>

struct bytes {
	uint8x16_t part[4];
};

static inline struct bytes bytes_load(const char *p)
{
	const uint8_t *from = (const uint8_t *)p;
	return (struct bytes){
		{vld1q_u8(from), vld1q_u8(from + 16), vld1q_u8(from + 32), vld1q_u8(from + 48)}};
}

/* A bit for each byte, of bytes that are all ones or all zeros. */
static inline uint64_t mask_of(struct bytes b)
{
	static const uint8_t bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
	uint8x16_t bit = vld1q_u8(bits);
	uint8x16_t low = vpaddq_u8(vandq_u8(b.part[0], bit), vandq_u8(b.part[1], bit));
	uint8x16_t high = vpaddq_u8(vandq_u8(b.part[2], bit), vandq_u8(b.part[3], bit));
	low = vpaddq_u8(low, high);
	low = vpaddq_u8(low, low);
	return vgetq_lane_u64(vreinterpretq_u64_u8(low), 0);
}

static inline uint64_t bytes_equal(const struct bytes *b, char c)
{
	uint8x16_t all = vdupq_n_u8((uint8_t)c);
	return mask_of((struct bytes){{vceqq_u8(b->part[0], all), vceqq_u8(b->part[1], all),
				       vceqq_u8(b->part[2], all), vceqq_u8(b->part[3], all)}});
}

static inline struct bytes bytes_with(const struct bytes *b, char bits)
{
	uint8x16_t all = vdupq_n_u8((uint8_t)bits);
	return (struct bytes){{vorrq_u8(b->part[0], all), vorrq_u8(b->part[1], all),
			       vorrq_u8(b->part[2], all), vorrq_u8(b->part[3], all)}};
}

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

/* The bytes of a block that are 8 apart, two words of 8 each. */
static inline void load_rows(const char *p, uint64x2_t *row)
{
	uint8x16x4_t four = vld4q_u8((const uint8_t *)p); /* 4 apart */
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
#define json_pass_kernel json_pass_neon
#include "ingest/json/simd/pass_kernel.h"
#else
extern int json_blocks_no_neon;
int json_blocks_no_neon;
#endif
