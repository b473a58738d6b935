/* json_blocks.h with SSE2 and what came until SSE4.2: shuffles of bytes, bit counts. */
#if defined __SSE4_2__
#include <immintrin.h>

#include "ingest/json/simd/blocks.h"
#include "ingest/json/simd/blocks_sse.h"

/* A shuffle looks at the lower half of a byte, and finds nothing for bytes from 0x80. */
static inline __m128i no_name_ends(const char *p, const struct json_name_ends *ends)
{
	__m128i last = _mm_loadu_si128((const __m128i *)ends->last);
	__m128i before = _mm_loadu_si128((const __m128i *)ends->before);
	last = _mm_shuffle_epi8(last, _mm_loadu_si128((const __m128i *)p));
	before = _mm_shuffle_epi8(before, _mm_loadu_si128((const __m128i *)(p - 1)));
	return _mm_cmpeq_epi8(_mm_and_si128(last, before), _mm_setzero_si128());
}

static inline uint64_t bytes_name_ends(const char *p, const struct json_name_ends *ends)
{
	return ~mask_of(no_name_ends(p, ends), no_name_ends(p + 16, ends),
			no_name_ends(p + 32, ends), no_name_ends(p + 48, ends));
}

#define json_blocks_kernel json_blocks_sse42
#include "ingest/json/simd/blocks_kernel.h"
#define json_pass_kernel json_pass_sse42
#include "ingest/json/simd/pass_kernel.h"
#else
extern int json_blocks_no_sse42;
int json_blocks_no_sse42;
#endif
