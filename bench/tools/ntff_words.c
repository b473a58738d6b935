/* Invented instruction words: what one does is drawn first, then written down and added up. */
#include <string.h>

#include "bench/tools/ntff_trace.h"

enum { PSUM = 0x2000000, TILES = 96, TILE = 1024 };

enum { BF16 = 6, FP32 = 10 };

static uint64_t size_of(unsigned dtype)
{
	return dtype == FP32 ? 4 : 2;
}

static void put(unsigned char *word, size_t at, uint64_t number, size_t size)
{
	for (size_t i = 0; i < size; i++)
		word[at + i] = (unsigned char)(number >> 8 * i);
}

/* An address, a step for each dimension, a count for each dimension: rows of `columns` elements. */
static void put_access(unsigned char *word, size_t at, size_t dimensions, uint64_t address,
		       unsigned columns, unsigned rows)
{
	put(word, at, address, 4);
	for (size_t i = 0; i < dimensions; i++) {
		put(word, at + 4 + 2 * i, i == 0 ? 1 : i == 1 ? columns : 0, 2);
		put(word, at + 4 + 2 * (dimensions + i), i == 0 ? columns : i == 1 ? rows : 1, 2);
	}
}

static uint64_t tile(struct random *random)
{
	return (uint64_t)below(random, TILES) * TILE;
}

static void make_matrix(struct n_trace *trace, bool kept, unsigned char *word)
{
	struct random *random = &trace->random;
	struct n_totals *totals = &trace->totals;
	unsigned columns = 64u << below(random, 4);
	bool transposes = trace->version >= 6 && below(random, 8) == 0;
	bool multiplies = below(random, 2);
	uint64_t flops = 2u * 128 * 128 * (uint64_t)columns;
	word[0] = multiplies ? 0x02 : 0x01;
	word[32] = BF16;
	word[34] = transposes;
	word[38] = word[39] = 128;
	put_access(word, 16, 3, tile(random), columns, 1);
	if (multiplies)
		put_access(word, 48, 3, PSUM + tile(random) % 16384, columns, 1);
	if (!kept)
		return;
	totals->sbuf_read += columns * size_of(BF16);
	if (!multiplies)
		return;
	totals->psum_write += columns * size_of(BF16);
	totals->flops += flops;
	totals->transposes += transposes ? flops : 0;
}

/* Element by element, from SBUF or PSUM to SBUF. */
static void make_elements(struct n_trace *trace, bool kept, unsigned opcode, size_t dimensions,
			  unsigned char *word)
{
	struct random *random = &trace->random;
	struct n_totals *totals = &trace->totals;
	unsigned columns = 32u << below(random, 4), rows = 1 + below(random, 4);
	unsigned from = below(random, 2) ? BF16 : FP32, to = below(random, 2) ? BF16 : FP32;
	bool psum = below(random, 2);
	word[0] = (unsigned char)opcode;
	word[32] = (unsigned char)from;
	word[33] = (unsigned char)to;
	word[34] = 128;
	put_access(word, dimensions == 3 ? 16 : 12, dimensions,
		   psum ? PSUM + tile(random) % 16384 : tile(random), columns, rows);
	put_access(word, dimensions == 3 ? 48 : 44, dimensions, tile(random), columns, rows);
	if (!kept)
		return;
	*(psum ? &totals->psum_read : &totals->sbuf_read) += columns * rows * size_of(from);
	totals->sbuf_write += columns * rows * size_of(to);
}

/* Between device memory and SBUF. */
static void make_dma(struct n_trace *trace, bool kept, unsigned char *word)
{
	struct random *random = &trace->random;
	struct n_totals *totals = &trace->totals;
	bool load = below(random, 2);
	uint64_t sbuf = (trace->version >= 6 ? 0x802000000000 : 0xfffc0000000) + tile(random);
	uint64_t device = (uint64_t)0x20 << 56 | tile(random);
	unsigned rows = 128, bytes = 64u << below(random, 5);
	word[0] = 0xb8;
	word[14] = 16;
	put(word, 16, load ? device : sbuf, 8);
	put(word, 24, load ? bytes : 0x40000, 4);
	put(word, 32, rows, 2);
	put(word, 34, 1, 2);
	put(word, 36, bytes, 4);
	put(word, 40, load ? sbuf : device, 8);
	put(word, 48, load ? 0x40000 : bytes, 4);
	put(word, 56, rows, 2);
	put(word, 58, 1, 2);
	put(word, 60, bytes, 2);
	word[62] = word[63] = BF16;
	if (!kept)
		return;
	*(load ? &totals->hbm_read : &totals->sbuf_read) += (uint64_t)rows * bytes;
	*(load ? &totals->sbuf_write : &totals->hbm_write) += (uint64_t)rows * bytes;
}

void make_word(struct n_trace *trace, unsigned engine, bool kept, unsigned char word[64])
{
	static const unsigned four[] = {0x42, 0x46, 0x47, 0x48};
	struct random *random = &trace->random;
	unsigned kind = below(random, 6);
	memset(word, 0, 64);
	if (kind == 0)
		word[0] = 0xa0;
	else if (engine == N_TENSOR)
		make_matrix(trace, kept, word);
	else if (engine == N_SCALAR)
		make_elements(trace, kept, 0x21, 3, word);
	else if (engine == N_VECTOR && kind == 1)
		make_elements(trace, kept, 0x43, 3, word);
	else if (engine == N_VECTOR)
		make_elements(trace, kept, four[below(random, 4)], 4, word);
	else if (kind < 4)
		make_dma(trace, kept, word);
	else
		word[0] = engine == N_SYNC ? 0xa5 : 0xa9;
}
