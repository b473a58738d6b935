/*
 * The SHA extensions of x86: sha256rnds2 does two rounds, sha256msg1 and sha256msg2 make the next
 * four words. The eight variables lie in two registers, those of one round's halves together:
 * a b e f and c d g h.
 */
#include "base/hash/sha256_block.h"

#ifdef __x86_64__
#include <immintrin.h>

__attribute__((target("sha,sse4.1"))) void sha256_x86_block(uint32_t state[8],
							    const unsigned char *block)
{
	const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
	const __m128i *in = (const __m128i *)block;
	const __m128i *constants = (const __m128i *)sha256_constants;
	__m128i *out = (__m128i *)state, words[4];
	__m128i dcba = _mm_loadu_si128(out), hgfe = _mm_loadu_si128(out + 1);
	__m128i cdab = _mm_shuffle_epi32(dcba, 0xb1), efgh = _mm_shuffle_epi32(hgfe, 0x1b);
	__m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
	const __m128i old_abef = abef, old_cdgh = cdgh;
	for (int i = 0; i < 16; i++) {
		__m128i *word = &words[i & 3], last = words[(i + 3) & 3];
		if (i < 4)
			*word = _mm_shuffle_epi8(_mm_loadu_si128(in + i), swapped);
		else
			*word = _mm_sha256msg2_epu32(
				_mm_add_epi32(_mm_sha256msg1_epu32(*word, words[(i + 1) & 3]),
					      _mm_alignr_epi8(last, words[(i + 2) & 3], 4)),
				last);
		__m128i added = _mm_add_epi32(*word, _mm_loadu_si128(constants + i));
		cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
		abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
	}
	abef = _mm_add_epi32(abef, old_abef);
	cdgh = _mm_add_epi32(cdgh, old_cdgh);
	__m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
	_mm_storeu_si128(out, _mm_blend_epi16(feba, dchg, 0xf0));
	_mm_storeu_si128(out + 1, _mm_alignr_epi8(dchg, feba, 8));
}
#else
void sha256_x86_block(uint32_t state[8], const unsigned char *block)
{
	sha256_block(state, block);
}
#endif
