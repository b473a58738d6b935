/* Eight bytes as a little-endian number, on machines of any byte order. They need not be aligned.
 */
#pragma once

#include "base/base.h"

static inline uint64_t word_at(const char *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}
