/* blocks.h with AVX2: four lanes per register. */
#if defined __AVX2__
#include <immintrin.h>

#include "ingest/json/simd/blocks.h"

static inline uint64_t mask_of(__m256i low, __m256i high)
{
	return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high)
							     << 32;
}

/* The shuffle looks up the lower half of each byte; bytes from 0x80 give 0. */
static inline __m256i no_name_ends(const char *p, const struct json_name_ends *ends)
{
	__m256i last = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)ends->last));
	__m256i before =
		_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)ends->before));
	last = _mm256_shuffle_epi8(last, _mm256_loadu_si256((const __m256i *)p));
	before = _mm256_shuffle_epi8(before, _mm256_loadu_si256((const __m256i *)(p - 1)));
	return _mm256_cmpeq_epi8(_mm256_and_si256(last, before), _mm256_setzero_si256());
}

static inline uint64_t bytes_name_ends(const char *p, const struct json_name_ends *ends)
{
	return ~mask_of(no_name_ends(p, ends), no_name_ends(p + 32, ends));
}

typedef uint64_t lanes __attribute__((vector_size(32)));

static inline lanes lanes_moved(lanes v, lanes before, int n)
{
	__m256i middle = _mm256_permute2x128_si256((__m256i)before, (__m256i)v, 0x21);
	return v << n | (lanes)_mm256_alignr_epi8((__m256i)v, middle, 8) >> (64 - n);
}

static inline unsigned lanes_signs(lanes v)
{
	return (unsigned)_mm256_movemask_pd((__m256d)v);
}

static inline unsigned lanes_used(lanes v)
{
	return ~lanes_signs((lanes)_mm256_cmpeq_epi64((__m256i)v, _mm256_setzero_si256())) & 15;
}

static inline lanes lanes_all(unsigned bits)
{
	const lanes bit = {1, 2, 4, 8};
	lanes those = (lanes)_mm256_set1_epi64x((int)bits) & bit;
	return (lanes)_mm256_cmpeq_epi64((__m256i)those, (__m256i)bit);
}

#include "ingest/json/simd/blocks_planes.h"

/* Loads 16 bytes of each of the blocks 0 and 2, or 1 and 3,
 * as pairs of bytes with a distance of 8. */
static inline __m256i load_pairs(const char *p)
{
	const __m256i pairs = _mm256_broadcastsi128_si256(
		_mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
	__m256i both = _mm256_loadu2_m128i((const __m128i *)(p + 128), (const __m128i *)p);
	return _mm256_shuffle_epi8(both, pairs);
}

/* Loads the bytes with a distance of 8, two words of 8 in each half. */
static inline void load_rows(const char *p, __m256i *row)
{
	__m256i a = load_pairs(p), b = load_pairs(p + 16);
	__m256i c = load_pairs(p + 32), d = load_pairs(p + 48);
	__m256i low_ab = _mm256_unpacklo_epi16(a, b), high_ab = _mm256_unpackhi_epi16(a, b);
	__m256i low_cd = _mm256_unpacklo_epi16(c, d), high_cd = _mm256_unpackhi_epi16(c, d);
	row[0] = _mm256_unpacklo_epi32(low_ab, low_cd);
	row[1] = _mm256_unpackhi_epi32(low_ab, low_cd);
	row[2] = _mm256_unpacklo_epi32(high_ab, high_cd);
	row[3] = _mm256_unpackhi_epi32(high_ab, high_cd);
}

static inline void lanes_planes(const char *p, lanes *plane)
{
	__m256i even[4], odd[4];
	load_rows(p, even);
	load_rows(p + 64, odd);
	for (int i = 0; i < 4; i++) {
		plane[2 * i] = (lanes)_mm256_unpacklo_epi64(even[i], odd[i]);
		plane[2 * i + 1] = (lanes)_mm256_unpackhi_epi64(even[i], odd[i]);
	}
	turn_bits(plane);
}

#define json_blocks_kernel json_blocks_avx2
#include "ingest/json/simd/blocks_kernel.h"
#else
extern int json_blocks_no_avx2;
int json_blocks_no_avx2;
#endif
