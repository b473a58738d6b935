/* Tokens to blocks: counts, code lengths, codes, bits. */
#include "render/scene/deflate.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { END_OF_BLOCK = 256, FIRST_LENGTH = 257, CODE_BITS = 15, LENGTH_CODES = 19 };

/* A code and the bits that follow it. */
struct part {
	unsigned code, extra, extra_bits;
};

struct code {
	uint8_t lengths[DEFLATE_SYMBOLS];
	uint16_t bits[DEFLATE_SYMBOLS]; /* the first bit lowest */
};

static unsigned log2_of(unsigned number)
{
	return 31 - (unsigned)__builtin_clz(number);
}

/* Codes in groups of 2^`shift`, each group with one more extra bit than that before it. */
static struct part part_of(unsigned number, unsigned shift)
{
	if (number < 2u << shift)
		return (struct part){.code = number};
	unsigned extra_bits = log2_of(number) - shift;
	return (struct part){.code = (extra_bits << shift) + (number >> extra_bits),
			     .extra = number & ((1u << extra_bits) - 1),
			     .extra_bits = extra_bits};
}

static struct part length_part(unsigned length)
{
	/* The greatest length has a code of its own. */
	if (length == DEFLATE_LENGTH_MAX)
		return (struct part){.code = DEFLATE_SYMBOLS - 1};
	struct part part = part_of(length - DEFLATE_LENGTH_MIN, 2);
	part.code += FIRST_LENGTH;
	return part;
}

static struct part distance_part(unsigned distance)
{
	return part_of(distance - 1, 1);
}

/* --- code lengths --- */

struct leaf {
	uint64_t count;
	unsigned symbol;
};

static int by_count(const void *a, const void *b)
{
	const struct leaf *x = a, *y = b;
	if (x->count != y->count)
		return x->count < y->count ? -1 : 1;
	return x->symbol < y->symbol ? -1 : 1;
}

/* Depths of the leaves of Huffman's tree: leaves and inner nodes each come in ascending order, so
 * that the two rarest stand at the head of one of the two. Returns the greatest. */
static unsigned measure_depths(const struct leaf *leaves, size_t count, uint8_t *depths)
{
	enum { NODES = 2 * DEFLATE_SYMBOLS };
	uint64_t weights[NODES] = {0};
	size_t parents[NODES] = {0}, leaf = 0, inner = count, next = count;
	unsigned depth[NODES], most = 0;
	for (size_t i = 0; i < count; i++)
		weights[i] = leaves[i].count;
	for (; next < 2 * count - 1; next++) {
		for (int k = 0; k < 2; k++) {
			bool takes_leaf =
				leaf < count && (inner == next || weights[leaf] <= weights[inner]);
			size_t taken = takes_leaf ? leaf++ : inner++;
			weights[next] += weights[taken];
			parents[taken] = next;
		}
	}
	depth[next - 1] = 0;
	for (size_t i = next - 1; i-- > 0;) {
		depth[i] = depth[parents[i]] + 1;
		if (i < count)
			depths[leaves[i].symbol] = (uint8_t)depth[i];
		most = depth[i] > most ? depth[i] : most;
	}
	return most;
}

/* Code lengths of at most `limit` bits. A tree that is too deep is made again of counts that lie
 * closer together. There are always two codes: a decoder need not take a tree of one leaf. */
static void measure(const uint32_t *counts, size_t symbols, unsigned limit, uint8_t *lengths)
{
	struct leaf leaves[DEFLATE_SYMBOLS];
	size_t count = 0;
	memset(lengths, 0, symbols);
	for (unsigned i = 0; i < symbols; i++)
		if (counts[i])
			leaves[count++] = (struct leaf){counts[i], i};
	for (unsigned i = 0; count < 2; i++)
		if (!counts[i])
			leaves[count++] = (struct leaf){1, i};
	qsort(leaves, count, sizeof *leaves, by_count);
	while (measure_depths(leaves, count, lengths) > limit)
		for (size_t i = 0; i < count; i++)
			leaves[i].count = leaves[i].count / 2 + 1;
}

/* The codes follow from their lengths (RFC 1951, 3.2.2). */
static void assign(struct code *code, size_t symbols)
{
	unsigned counts[CODE_BITS + 1] = {0}, next[CODE_BITS + 1] = {0};
	for (size_t i = 0; i < symbols; i++)
		counts[code->lengths[i]]++;
	counts[0] = 0;
	for (unsigned bits = 1; bits <= CODE_BITS; bits++)
		next[bits] = (next[bits - 1] + counts[bits - 1]) << 1;
	for (size_t i = 0; i < symbols; i++) {
		unsigned value = next[code->lengths[i]]++, turned = 0;
		for (unsigned bit = 0; bit < code->lengths[i]; bit++)
			turned |= (value >> bit & 1) << (code->lengths[i] - 1 - bit);
		code->bits[i] = (uint16_t)turned;
	}
}

static struct code code_of(const uint32_t *counts, size_t symbols, unsigned limit)
{
	struct code code = {.lengths = {0}};
	measure(counts, symbols, limit, code.lengths);
	assign(&code, symbols);
	return code;
}

/* --- bits --- */

static void write_bytes(struct deflate *deflate)
{
	strbuf_add(deflate->out, deflate->bytes, deflate->byte_count);
	deflate->byte_count = 0;
}

static void put(struct deflate *deflate, unsigned bits, unsigned count)
{
	uint64_t all = deflate->bits | (uint64_t)bits << deflate->bit_count;
	deflate->bit_count += count;
	if (deflate->bit_count >= 32) {
		if (deflate->byte_count > DEFLATE_BYTES - 4)
			write_bytes(deflate);
		unsigned char *bytes = deflate->bytes + deflate->byte_count;
		for (unsigned i = 0; i < 4; i++)
			bytes[i] = (unsigned char)(all >> 8 * i);
		deflate->byte_count += 4;
		deflate->bit_count -= 32;
		all >>= 32;
	}
	deflate->bits = all;
}

static void put_symbol(struct deflate *deflate, const struct code *code, unsigned symbol)
{
	put(deflate, code->bits[symbol], code->lengths[symbol]);
}

static void put_part(struct deflate *deflate, const struct code *code, struct part part)
{
	put_symbol(deflate, code, part.code);
	put(deflate, part.extra, part.extra_bits);
}

/* The lengths of both codes, in a code of their own, a symbol for each. */
static void put_codes(struct deflate *deflate, const struct code *symbols,
		      const struct code *distances)
{
	static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
						    11, 4,  12, 3, 13, 2, 14, 1, 15};
	uint32_t counts[LENGTH_CODES] = {0};
	for (size_t i = 0; i < DEFLATE_SYMBOLS; i++)
		counts[symbols->lengths[i]]++;
	for (size_t i = 0; i < DEFLATE_DISTANCES; i++)
		counts[distances->lengths[i]]++;
	struct code lengths = code_of(counts, LENGTH_CODES, 7);
	put(deflate, DEFLATE_SYMBOLS - 257, 5);
	put(deflate, DEFLATE_DISTANCES - 1, 5);
	put(deflate, LENGTH_CODES - 4, 4);
	for (size_t i = 0; i < LENGTH_CODES; i++)
		put(deflate, lengths.lengths[order[i]], 3);
	for (size_t i = 0; i < DEFLATE_SYMBOLS; i++)
		put_symbol(deflate, &lengths, symbols->lengths[i]);
	for (size_t i = 0; i < DEFLATE_DISTANCES; i++)
		put_symbol(deflate, &lengths, distances->lengths[i]);
}

static void put_block(struct deflate *deflate, bool last)
{
	enum { DYNAMIC = 2 };
	deflate->symbols[END_OF_BLOCK] = 1;
	struct code symbols = code_of(deflate->symbols, DEFLATE_SYMBOLS, CODE_BITS);
	struct code distances = code_of(deflate->distances, DEFLATE_DISTANCES, CODE_BITS);
	put(deflate, last, 1);
	put(deflate, DYNAMIC, 2);
	put_codes(deflate, &symbols, &distances);
	for (size_t i = 0; i < deflate->count; i++) {
		const struct deflate_token *token = &deflate->tokens[i];
		if (!token->distance) {
			put_symbol(deflate, &symbols, token->value);
			continue;
		}
		put_part(deflate, &symbols, length_part(token->value));
		put_part(deflate, &distances, distance_part(token->distance));
	}
	put_symbol(deflate, &symbols, END_OF_BLOCK);
	deflate->count = 0;
	memset(deflate->symbols, 0, sizeof deflate->symbols);
	memset(deflate->distances, 0, sizeof deflate->distances);
}

/* --- tokens --- */

static void add(struct deflate *deflate, size_t value, size_t distance)
{
	if (deflate->count == DEFLATE_BLOCK)
		put_block(deflate, false);
	deflate->tokens[deflate->count++] =
		(struct deflate_token){(uint16_t)value, (uint16_t)distance};
}

void deflate_byte(struct deflate *deflate, unsigned char byte)
{
	add(deflate, byte, 0);
	deflate->symbols[byte]++;
}

void deflate_match(struct deflate *deflate, size_t length, size_t distance)
{
	assert(length >= DEFLATE_LENGTH_MIN);
	assert(distance >= 1 && distance <= DEFLATE_DISTANCE_MAX);
	while (length) {
		size_t piece = length < DEFLATE_LENGTH_MAX ? length : DEFLATE_LENGTH_MAX;
		/* What is left has to be a match, too. */
		if (length > piece && length - piece < DEFLATE_LENGTH_MIN)
			piece -= DEFLATE_LENGTH_MIN;
		add(deflate, piece, distance);
		deflate->symbols[length_part((unsigned)piece).code]++;
		deflate->distances[distance_part((unsigned)distance).code]++;
		length -= piece;
	}
}

void deflate_end(struct deflate *deflate)
{
	put_block(deflate, true);
	put(deflate, 0, (8 - deflate->bit_count % 8) % 8);
	write_bytes(deflate);
	for (; deflate->bit_count; deflate->bit_count -= 8, deflate->bits >>= 8)
		strbuf_addch(deflate->out, (char)(deflate->bits & 0xff));
}
