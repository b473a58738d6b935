/* Reads numbers in an instruction word, for word.c and word_text.c. */
#pragma once

#include "base/base.h"

/* Addresses of the engines: SBUF, then PSUM, each with 128 partitions of 256 KiB. */
static const uint64_t psum_start = 0x2000000;

static inline uint64_t number_at(const unsigned char *word, size_t at, size_t size)
{
	uint64_t number = 0;
	for (size_t i = size; i-- > 0;)
		number = number << 8 | word[at + i];
	return number;
}

static inline uint64_t u16_at(const unsigned char *word, size_t at)
{
	return number_at(word, at, 2);
}

static inline int64_t i16_at(const unsigned char *word, size_t at)
{
	return (int16_t)number_at(word, at, 2);
}

static inline uint64_t u32_at(const unsigned char *word, size_t at)
{
	return number_at(word, at, 4);
}

static inline double f32_at(const unsigned char *word, size_t at)
{
	float number;
	uint32_t bits = (uint32_t)u32_at(word, at);
	memcpy(&number, &bits, sizeof number);
	return (double)number;
}
