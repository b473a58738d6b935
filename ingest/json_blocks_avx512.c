/* json_blocks.h with AVX-512: a block is one register. */
#if defined __AVX512BW__
#include <immintrin.h>
#include <stdint.h>

#include "ingest/json_blocks.h"

struct bytes {
	__m512i all;
};

static inline struct bytes bytes_load(const char *p)
{
	return (struct bytes){_mm512_loadu_si512(p)};
}

static inline uint64_t bytes_equal(const struct bytes *b, char c)
{
	return _mm512_cmpeq_epi8_mask(b->all, _mm512_set1_epi8(c));
}

static inline struct bytes bytes_with(const struct bytes *b, char bits)
{
	return (struct bytes){_mm512_or_si512(b->all, _mm512_set1_epi8(bits))};
}

static inline uint64_t bytes_special(const struct bytes *b)
{
	return _mm512_cmplt_epi8_mask(b->all, _mm512_set1_epi8(0x20));
}

static inline uint64_t bytes_digit(const struct bytes *b)
{
	__m512i value = _mm512_sub_epi8(b->all, _mm512_set1_epi8('0'));
	return _mm512_cmplt_epu8_mask(value, _mm512_set1_epi8(10));
}

/* A shuffle looks at the lower half of a byte, and finds nothing for bytes from 0x80. */
static inline uint64_t bytes_name_ends(const char *p, const struct json_name_ends *ends)
{
	__m512i last = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)ends->last));
	__m512i before = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)ends->before));
	return _mm512_test_epi8_mask(_mm512_shuffle_epi8(last, _mm512_loadu_si512(p - 2)),
				     _mm512_shuffle_epi8(before, _mm512_loadu_si512(p - 3)));
}

typedef uint64_t lanes __attribute__((vector_size(64)));

static inline lanes lanes_before(lanes v, lanes before)
{
	return (lanes)_mm512_alignr_epi64((__m512i)v, (__m512i)before, 7);
}

static inline unsigned lanes_used(lanes v)
{
	return _mm512_test_epi64_mask((__m512i)v, (__m512i)v);
}

static inline unsigned lanes_signs(lanes v)
{
	return _mm512_cmplt_epi64_mask((__m512i)v, _mm512_setzero_si512());
}

static inline lanes lanes_all(unsigned bits)
{
	return (lanes)_mm512_maskz_set1_epi64((__mmask8)bits, -1);
}

#define json_blocks_kernel json_blocks_avx512
#include "ingest/json_blocks_kernel.h"
#define json_pass_kernel json_pass_avx512
#include "ingest/json_pass_kernel.h"
#else
extern int json_blocks_no_avx512;
int json_blocks_no_avx512;
#endif
