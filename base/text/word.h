/* Eight bytes as a little-endian number, on machines of any byte order. They need not be aligned.
 */
#ifndef BASE_TEXT_WORD_H
#define BASE_TEXT_WORD_H

#include <stdint.h>
#include <string.h>

static inline uint64_t word_at(const char *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

#endif
