/* The xor of all bits up to each one, as a product without carries. */
#ifndef INGEST_JSON_BLOCKS_CLMUL_H
#define INGEST_JSON_BLOCKS_CLMUL_H

#include <stdint.h>
#include <wmmintrin.h>

static inline uint64_t prefix_xor(uint64_t mask)
{
	__m128i product =
		_mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)mask), _mm_set1_epi8('\xff'), 0);
	return (uint64_t)_mm_cvtsi128_si64(product);
}

#endif
