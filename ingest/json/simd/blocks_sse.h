/* For json_blocks.h: a block is four registers of SSE2. */
#ifndef INGEST_JSON_SIMD_BLOCKS_SSE_H
#define INGEST_JSON_SIMD_BLOCKS_SSE_H

#include <emmintrin.h>
#include <stdint.h>

struct bytes {
	__m128i part[4];
};

static inline struct bytes bytes_load(const char *p)
{
	const __m128i *from = (const __m128i *)p;
	return (struct bytes){{_mm_loadu_si128(from), _mm_loadu_si128(from + 1),
			       _mm_loadu_si128(from + 2), _mm_loadu_si128(from + 3)}};
}

static inline uint64_t mask_of(__m128i a, __m128i b, __m128i c, __m128i d)
{
	uint32_t low = (uint32_t)_mm_movemask_epi8(a) | (uint32_t)_mm_movemask_epi8(b) << 16;
	uint32_t high = (uint32_t)_mm_movemask_epi8(c) | (uint32_t)_mm_movemask_epi8(d) << 16;
	return low | (uint64_t)high << 32;
}

static inline uint64_t bytes_equal(const struct bytes *b, char c)
{
	__m128i all = _mm_set1_epi8(c);
	return mask_of(_mm_cmpeq_epi8(b->part[0], all), _mm_cmpeq_epi8(b->part[1], all),
		       _mm_cmpeq_epi8(b->part[2], all), _mm_cmpeq_epi8(b->part[3], all));
}

static inline struct bytes bytes_with(const struct bytes *b, char bits)
{
	__m128i all = _mm_set1_epi8(bits);
	return (struct bytes){{_mm_or_si128(b->part[0], all), _mm_or_si128(b->part[1], all),
			       _mm_or_si128(b->part[2], all), _mm_or_si128(b->part[3], all)}};
}

typedef uint64_t lanes __attribute__((vector_size(16)));

static inline lanes lanes_moved(lanes v, lanes before, int n)
{
	return v << n | (lanes)_mm_shuffle_pd((__m128d)before, (__m128d)v, 1) >> (64 - n);
}

static inline unsigned lanes_signs(lanes v)
{
	return (unsigned)_mm_movemask_pd((__m128d)v);
}

static inline unsigned lanes_used(lanes v)
{
	/* Halves of words: a word is 0 when both are. */
	__m128i none = _mm_cmpeq_epi32((__m128i)v, _mm_setzero_si128());
	return ~lanes_signs((lanes)_mm_and_si128(none, _mm_shuffle_epi32(none, 0xb1))) & 3;
}

static inline lanes lanes_all(unsigned bits)
{
	static const lanes all[4] = {
		{0, 0}, {UINT64_MAX, 0}, {0, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}};
	return all[bits & 3];
}

typedef __m128i reg;

static inline reg load_pairs(const char *p)
{
	__m128i all = _mm_loadu_si128((const __m128i *)p);
	return _mm_unpacklo_epi8(all, _mm_unpackhi_epi64(all, all));
}

#define UNPACK(end, bits, a, b) _mm_unpack##end##_epi##bits(a, b)
#include "ingest/json/simd/blocks_unpack.h"

#endif
