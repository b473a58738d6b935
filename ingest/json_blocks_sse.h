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

static inline uint64_t bytes_equal_lower(const struct bytes *b, char c)
{
	__m128i bit = _mm_set1_epi8(0x20);
	struct bytes lower = {{_mm_or_si128(b->part[0], bit), _mm_or_si128(b->part[1], bit),
			       _mm_or_si128(b->part[2], bit), _mm_or_si128(b->part[3], bit)}};
	return bytes_equal(&lower, c);
}

static inline __m128i up_to_part(__m128i part, __m128i last)
{
	return _mm_cmpeq_epi8(_mm_min_epu8(part, last), part);
}

/* Bytes of at most `last`. */
static inline uint64_t up_to(struct bytes b, char last)
{
	__m128i all = _mm_set1_epi8(last);
	return mask_of(up_to_part(b.part[0], all), up_to_part(b.part[1], all),
		       up_to_part(b.part[2], all), up_to_part(b.part[3], all));
}

static inline uint64_t bytes_below(const struct bytes *b, char c)
{
	return up_to(*b, (char)(c - 1));
}

static inline uint64_t bytes_digits(const struct bytes *b)
{
	__m128i zero = _mm_set1_epi8('0');
	return up_to((struct bytes){{_mm_sub_epi8(b->part[0], zero),
				     _mm_sub_epi8(b->part[1], zero),
				     _mm_sub_epi8(b->part[2], zero),
				     _mm_sub_epi8(b->part[3], zero)}},
		     9);
}

static inline uint64_t bytes_high(const struct bytes *b)
{
	return mask_of(b->part[0], b->part[1], b->part[2], b->part[3]);
}

#endif
