/* Little-endian numbers of four and eight bytes, on machines of any byte order. They need not be
 * aligned. */
#pragma once

#include <endian.h>

#include "base/base.h"

static inline uint64_t word_at(const void *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
	return le64toh(word);
}

static inline void word_put(void *p, uint64_t word)
{
	word = htole64(word);
	memcpy(p, &word, sizeof word);
}

static inline uint32_t half_word_at(const void *p)
{
	uint32_t half;
	memcpy(&half, p, sizeof half);
	return le32toh(half);
}

static inline void half_word_put(void *p, uint32_t half)
{
	half = htole32(half);
	memcpy(p, &half, sizeof half);
}
