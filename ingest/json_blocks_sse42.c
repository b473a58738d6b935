/* json_blocks.h with SSE2 and what came until SSE4.2: products without carries, bit counts. */
#if defined __SSE4_2__
#include <immintrin.h>

#include "ingest/json_blocks.h"
#include "ingest/json_blocks_sse.h"

/* The classes of a byte, by both halves. */
static inline __m128i classes_of(const char *p, const unsigned char (*classes)[16])
{
	__m128i all = _mm_loadu_si128((const __m128i *)p), half = _mm_set1_epi8(0xf);
	__m128i low = _mm_loadu_si128((const __m128i *)classes[0]);
	__m128i high = _mm_loadu_si128((const __m128i *)classes[1]);
	__m128i upper = _mm_and_si128(_mm_srli_epi16(all, 4), half);
	return _mm_and_si128(_mm_shuffle_epi8(low, all), _mm_shuffle_epi8(high, upper));
}

static inline __m128i no_name_ends(const char *p, const struct json_name_ends *ends)
{
	__m128i both = _mm_and_si128(classes_of(p - 2, ends->classes),
				     classes_of(p - 3, ends->classes + 2));
	return _mm_cmpeq_epi8(both, _mm_setzero_si128());
}

static inline uint64_t bytes_name_ends(const char *p, const struct json_name_ends *ends)
{
	return ~mask_of(no_name_ends(p, ends), no_name_ends(p + 16, ends),
			no_name_ends(p + 32, ends), no_name_ends(p + 48, ends));
}

#define json_blocks_kernel json_blocks_sse42
#include "ingest/json_blocks_kernel.h"
#else
extern int json_blocks_no_sse42;
int json_blocks_no_sse42;
#endif
