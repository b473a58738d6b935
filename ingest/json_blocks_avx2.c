/* json_blocks.h with AVX2: a block is two registers. */
#if defined __AVX2__
#include <immintrin.h>
#include <stdint.h>

#include "ingest/json_blocks.h"

struct bytes {
	__m256i low, high;
};

static inline struct bytes bytes_load(const char *p)
{
	return (struct bytes){_mm256_loadu_si256((const __m256i *)p),
			      _mm256_loadu_si256((const __m256i *)(p + 32))};
}

static inline uint64_t mask_of(__m256i low, __m256i high)
{
	return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high)
							     << 32;
}

static inline uint64_t bytes_equal(const struct bytes *b, char c)
{
	__m256i all = _mm256_set1_epi8(c);
	return mask_of(_mm256_cmpeq_epi8(b->low, all), _mm256_cmpeq_epi8(b->high, all));
}

static inline struct bytes bytes_with(const struct bytes *b, char bits)
{
	__m256i all = _mm256_set1_epi8(bits);
	return (struct bytes){_mm256_or_si256(b->low, all), _mm256_or_si256(b->high, all)};
}

/* Signed bytes below `limit`. */
static inline uint64_t below(struct bytes b, signed char limit)
{
	__m256i all = _mm256_set1_epi8(limit);
	return mask_of(_mm256_cmpgt_epi8(all, b.low), _mm256_cmpgt_epi8(all, b.high));
}

static inline uint64_t bytes_special(const struct bytes *b)
{
	return below(*b, ' ');
}

static inline uint64_t bytes_digit(const struct bytes *b)
{
	/* '0' becomes the least signed byte. */
	__m256i least = _mm256_set1_epi8((char)('0' ^ 0x80));
	return below(
		(struct bytes){_mm256_sub_epi8(b->low, least), _mm256_sub_epi8(b->high, least)},
		-128 + 10);
}

/* A shuffle looks at the lower half of a byte, and finds nothing for bytes from 0x80. */
static inline __m256i no_name_ends(const char *p, const struct json_name_ends *ends)
{
	__m256i last = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)ends->last));
	__m256i before =
		_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)ends->before));
	last = _mm256_shuffle_epi8(last, _mm256_loadu_si256((const __m256i *)(p - 2)));
	before = _mm256_shuffle_epi8(before, _mm256_loadu_si256((const __m256i *)(p - 3)));
	return _mm256_cmpeq_epi8(_mm256_and_si256(last, before), _mm256_setzero_si256());
}

static inline uint64_t bytes_name_ends(const char *p, const struct json_name_ends *ends)
{
	return ~mask_of(no_name_ends(p, ends), no_name_ends(p + 32, ends));
}

static inline uint64_t masks_in_use(const uint64_t *masks)
{
	uint64_t used = 0;
	for (int i = 0; i < 64; i += 4) {
		__m256i four = _mm256_loadu_si256((const __m256i *)(masks + i));
		__m256i none = _mm256_cmpeq_epi64(four, _mm256_setzero_si256());
		used |= (uint64_t)(~_mm256_movemask_pd(_mm256_castsi256_pd(none)) & 15) << i;
	}
	return used;
}

static inline uint64_t masks_signs(const uint64_t *masks)
{
	uint64_t signs = 0;
	for (int i = 0; i < 64; i += 4) {
		__m256i four = _mm256_loadu_si256((const __m256i *)(masks + i));
		signs |= (uint64_t)_mm256_movemask_pd(_mm256_castsi256_pd(four)) << i;
	}
	return signs;
}

#define json_blocks_kernel json_blocks_avx2
#include "ingest/json_blocks_kernel.h"
#define json_pass_kernel json_pass_avx2
#include "ingest/json_pass_kernel.h"
#else
extern int json_blocks_no_avx2;
int json_blocks_no_avx2;
#endif
