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

/* Signed bytes below `limit`. */
static inline uint64_t below(struct bytes b, signed char limit)
{
	__m128i all = _mm_set1_epi8(limit);
	return mask_of(_mm_cmpgt_epi8(all, b.part[0]), _mm_cmpgt_epi8(all, b.part[1]),
		       _mm_cmpgt_epi8(all, b.part[2]), _mm_cmpgt_epi8(all, b.part[3]));
}

static inline uint64_t bytes_special(const struct bytes *b)
{
	return below(*b, ' ');
}

static inline uint64_t bytes_digit(const struct bytes *b)
{
	/* '0' becomes the least signed byte. */
	__m128i least = _mm_set1_epi8((char)('0' ^ 0x80));
	return below(
		(struct bytes){{_mm_sub_epi8(b->part[0], least), _mm_sub_epi8(b->part[1], least),
				_mm_sub_epi8(b->part[2], least), _mm_sub_epi8(b->part[3], least)}},
		-128 + 10);
}

static inline uint64_t masks_in_use(const uint64_t *masks)
{
	uint64_t unused = 0;
	for (int i = 0; i < 64; i += 4) {
		__m128i zero = _mm_setzero_si128();
		__m128i low = _mm_loadu_si128((const __m128i *)(masks + i));
		__m128i high = _mm_loadu_si128((const __m128i *)(masks + i + 2));
		/* Halves of words: a word is 0 when both are. */
		__m128 a = _mm_castsi128_ps(_mm_cmpeq_epi32(low, zero));
		__m128 b = _mm_castsi128_ps(_mm_cmpeq_epi32(high, zero));
		__m128 both = _mm_and_ps(_mm_shuffle_ps(a, b, 0x88), _mm_shuffle_ps(a, b, 0xdd));
		unused |= (uint64_t)_mm_movemask_ps(both) << i;
	}
	return ~unused;
}

static inline uint64_t masks_signs(const uint64_t *masks)
{
	uint64_t signs = 0;
	for (int i = 0; i < 64; i += 2) {
		__m128i two = _mm_loadu_si128((const __m128i *)(masks + i));
		signs |= (uint64_t)_mm_movemask_pd(_mm_castsi128_pd(two)) << i;
	}
	return signs;
}

#endif
