/* For json_blocks.h: a block is four registers of SSE2. */
#ifndef INGEST_JSON_BLOCKS_SSE_H
#define INGEST_JSON_BLOCKS_SSE_H

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

#include "ingest/json_blocks_planes.h"

/* 16 bytes, as pairs of bytes 8 apart. */
static inline __m128i load_pairs(const char *p)
{
	__m128i all = _mm_loadu_si128((const __m128i *)p);
	return _mm_unpacklo_epi8(all, _mm_unpackhi_epi64(all, all));
}

/* The bytes of a block that are 8 apart, two words of 8 each. */
static inline void load_rows(const char *p, __m128i *row)
{
	__m128i a = load_pairs(p), b = load_pairs(p + 16);
	__m128i c = load_pairs(p + 32), d = load_pairs(p + 48);
	__m128i low_ab = _mm_unpacklo_epi16(a, b), high_ab = _mm_unpackhi_epi16(a, b);
	__m128i low_cd = _mm_unpacklo_epi16(c, d), high_cd = _mm_unpackhi_epi16(c, d);
	row[0] = _mm_unpacklo_epi32(low_ab, low_cd);
	row[1] = _mm_unpackhi_epi32(low_ab, low_cd);
	row[2] = _mm_unpacklo_epi32(high_ab, high_cd);
	row[3] = _mm_unpackhi_epi32(high_ab, high_cd);
}

static inline void lanes_planes(const char *p, lanes *plane)
{
	__m128i even[4], odd[4];
	load_rows(p, even);
	load_rows(p + 64, odd);
	for (int i = 0; i < 4; i++) {
		plane[2 * i] = (lanes)_mm_unpacklo_epi64(even[i], odd[i]);
		plane[2 * i + 1] = (lanes)_mm_unpackhi_epi64(even[i], odd[i]);
	}
	turn_bits(plane);
}

#endif
