/* blocks.h with AVX-512: eight lanes per register. */
#if defined __AVX512VBMI__ && defined __AVX512VBMI2__ && defined __GFNI__ && defined __VPCLMULQDQ__
#include <immintrin.h>

#include "ingest/json/simd/blocks.h"

/* The shuffle looks up the lower half of each byte; bytes from 0x80 give 0. */
static inline uint64_t bytes_name_ends(const char *p, const struct json_name_ends *ends)
{
	__m512i last = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)ends->last));
	__m512i before = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)ends->before));
	return _mm512_test_epi8_mask(_mm512_shuffle_epi8(last, _mm512_loadu_si512(p)),
				     _mm512_shuffle_epi8(before, _mm512_loadu_si512(p - 1)));
}

typedef uint64_t lanes __attribute__((vector_size(64)));

static inline lanes lanes_moved(lanes v, lanes before, int n)
{
	__m512i lower = _mm512_alignr_epi64((__m512i)v, (__m512i)before, 7);
	return (lanes)_mm512_shldv_epi64((__m512i)v, lower, _mm512_set1_epi64(n));
}

/* Works around GCC 12: if it spills a mask, it may store one byte and load eight. Therefore a mask
 * is converted to an integer immediately. */
static inline unsigned integer_of(__mmask8 mask)
{
	unsigned bits = mask;
	__asm__("" : "+r"(bits));
	return bits;
}

static inline unsigned lanes_used(lanes v)
{
	return integer_of(_mm512_test_epi64_mask((__m512i)v, (__m512i)v));
}

static inline unsigned lanes_signs(lanes v)
{
	return integer_of(_mm512_cmplt_epi64_mask((__m512i)v, _mm512_setzero_si512()));
}

static inline lanes lanes_all(unsigned bits)
{
	return (lanes)_mm512_maskz_set1_epi64((__mmask8)bits, -1);
}

/* The lower half of the carry-less product with all ones is the prefix xor. */
static inline lanes lanes_prefix_xor(lanes v)
{
	const __m512i ones = _mm512_set1_epi64(-1);
	__m512i even = _mm512_clmulepi64_epi128((__m512i)v, ones, 0x00);
	__m512i odd = _mm512_clmulepi64_epi128((__m512i)v, ones, 0x01);
	return (lanes)_mm512_unpacklo_epi64(even, odd);
}

/* Transposes eight bytes, the last one first: into a byte of their bits 0, one of their bits 1,
 * etc. */
static inline __m512i turned(const char *p)
{
	const __m512i unit = _mm512_set1_epi64((long long)0x8040201008040201);
	const __m512i backwards = _mm512_set4_epi32(0x08090a0b, 0x0c0d0e0f, 0x00010203, 0x04050607);
	__m512i bytes = _mm512_shuffle_epi8(_mm512_loadu_si512(p), backwards);
	return _mm512_gf2p8affine_epi64_epi8(unit, bytes, 0);
}

/* plane[k] is bit k of each byte, for 8 blocks. */
static inline void lanes_planes(const char *p, lanes *plane)
{
	static const unsigned char even[64] = {0,   8,   16,  24,  32,  40,  48,  56,  64,  72,  80,
					       88,  96,  104, 112, 120, 2,   10,  18,  26,  34,  42,
					       50,  58,  66,  74,  82,  90,  98,  106, 114, 122, 4,
					       12,  20,  28,  36,  44,  52,  60,  68,  76,  84,  92,
					       100, 108, 116, 124, 6,   14,  22,  30,  38,  46,  54,
					       62,  70,  78,  86,  94,  102, 110, 118, 126},
				   odd[64] = {1,   9,   17,  25,  33,  41,  49,  57,  65,  73,  81,
					      89,  97,  105, 113, 121, 3,   11,  19,  27,  35,  43,
					      51,  59,  67,  75,  83,  91,  99,  107, 115, 123, 5,
					      13,  21,  29,  37,  45,  53,  61,  69,  77,  85,  93,
					      101, 109, 117, 125, 7,   15,  23,  31,  39,  47,  55,
					      63,  71,  79,  87,  95,  103, 111, 119, 127};
	const __m512i evens = _mm512_loadu_si512(even), odds = _mm512_loadu_si512(odd);
	__m512i two[8], four[8];
	for (int i = 0; i < 8; i += 2, p += 128) {
		__m512i a = turned(p), b = turned(p + 64);
		two[i] = _mm512_permutex2var_epi8(a, evens, b);
		two[i + 1] = _mm512_permutex2var_epi8(a, odds, b);
	}
	for (int half = 0; half < 8; half += 4)
		for (int i = half; i < half + 2; i++) {
			four[i] = _mm512_shuffle_i64x2(two[i], two[i + 2], 0x88);
			four[i + 2] = _mm512_shuffle_i64x2(two[i], two[i + 2], 0xdd);
		}
	for (int i = 0; i < 4; i++) {
		plane[i] = (lanes)_mm512_shuffle_i64x2(four[i], four[i + 4], 0x88);
		plane[i + 4] = (lanes)_mm512_shuffle_i64x2(four[i], four[i + 4], 0xdd);
	}
}

#define json_blocks_kernel json_blocks_avx512
#include "ingest/json/simd/blocks_kernel.h"
#else
extern int json_blocks_no_avx512;
int json_blocks_no_avx512;
#endif
