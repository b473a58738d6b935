/* json_blocks.h with AVX2: a block is two registers. */
#if defined __AVX2__ && defined __PCLMUL__
#include <immintrin.h>
#include <stdint.h>

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
	return (uint32_t)_mm256_movemask_epi8(low) |
	       (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

static inline uint64_t bytes_equal(const struct bytes *b, char c)
{
	__m256i all = _mm256_set1_epi8(c);
	return mask_of(_mm256_cmpeq_epi8(b->low, all), _mm256_cmpeq_epi8(b->high, all));
}

static inline uint64_t bytes_equal_lower(const struct bytes *b, char c)
{
	__m256i bit = _mm256_set1_epi8(0x20);
	struct bytes lower = {_mm256_or_si256(b->low, bit), _mm256_or_si256(b->high, bit)};
	return bytes_equal(&lower, c);
}

/* Bytes of at most `last`. */
static inline uint64_t up_to(struct bytes b, char last)
{
	__m256i all = _mm256_set1_epi8(last);
	return mask_of(_mm256_cmpeq_epi8(_mm256_min_epu8(b.low, all), b.low),
		       _mm256_cmpeq_epi8(_mm256_min_epu8(b.high, all), b.high));
}

static inline uint64_t bytes_below(const struct bytes *b, char c)
{
	return up_to(*b, (char)(c - 1));
}

static inline uint64_t bytes_digits(const struct bytes *b)
{
	__m256i zero = _mm256_set1_epi8('0');
	return up_to((struct bytes){_mm256_sub_epi8(b->low, zero), _mm256_sub_epi8(b->high, zero)},
		     9);
}

static inline uint64_t bytes_high(const struct bytes *b)
{
	return mask_of(b->low, b->high);
}

#include "ingest/json_blocks_clmul.h"
#define json_blocks_kernel json_blocks_avx2
#include "ingest/json_blocks_kernel.h"
#else
extern int json_blocks_no_avx2;
int json_blocks_no_avx2;
#endif
