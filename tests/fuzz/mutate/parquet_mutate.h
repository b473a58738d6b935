/* Mutations of Parquet files: bytes of the footer, whose length follows, or bytes of pages, whose
 * places stay as the footer says. Without them nearly every change would make the footer
 * unreadable. */
#ifndef TESTS_FUZZ_PARQUET_MUTATE_H
#define TESTS_FUZZ_PARQUET_MUTATE_H

#include <stdint.h>
#include <string.h>

#include "base/base.h"

/* libFuzzer's own; absent where the corpus is only replayed. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room) __attribute__((weak));

enum { parquet_magic = 4, parquet_tail = 8 };

/* The size of the footer; 0: the bytes are not a Parquet file. */
static inline size_t parquet_footer_size(const uint8_t *bytes, size_t size)
{
	if (size < parquet_magic + parquet_tail ||
	    memcmp(bytes + size - parquet_magic, "PAR1", 4) != 0)
		return 0;
	const uint8_t *tail = bytes + size - parquet_tail;
	size_t footer =
		tail[0] | (size_t)tail[1] << 8 | (size_t)tail[2] << 16 | (size_t)tail[3] << 24;
	return footer <= size - parquet_magic - parquet_tail ? footer : 0;
}

static inline size_t parquet_mutate_footer(uint8_t *bytes, size_t size, size_t room, size_t footer)
{
	size_t begin = size - parquet_tail - footer;
	if (begin + parquet_tail >= room)
		return size;
	footer = LLVMFuzzerMutate(bytes + begin, footer, room - begin - parquet_tail);
	uint8_t *tail = bytes + begin + footer;
	for (int i = 0; i < 4; i++)
		tail[i] = (uint8_t)(footer >> 8 * i);
	memcpy(tail + 4, "PAR1", 4);
	return begin + footer + parquet_tail;
}

static inline size_t parquet_mutate(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
	size_t footer = parquet_footer_size(bytes, size);
	if (!LLVMFuzzerMutate)
		return size;
	if (!footer || seed % 16 == 0)
		return LLVMFuzzerMutate(bytes, size, room);
	if (seed % 2)
		return parquet_mutate_footer(bytes, size, room, footer);
	size_t body = size - parquet_tail - footer - parquet_magic;
	if (body == 0)
		return size;
	/* A few bytes at a time: the part keeps its length. */
	size_t at = (seed >> 5) % body, part = body - at < 64 ? body - at : 64;
	LLVMFuzzerMutate(bytes + parquet_magic + at, part, part);
	return size;
}

#endif
