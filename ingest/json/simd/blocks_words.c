/* json_blocks.h without vectors: a block is eight words. */
#include <stdint.h>

#include "base/text/word.h"

struct bytes {
	uint64_t word[8]; /* the first byte in the lowest bits */
};

#define EACH(byte) (0x0101010101010101u * (unsigned char)(byte))

static inline struct bytes bytes_load(const char *p)
{
	struct bytes b;
	for (int i = 0; i < 8; i++)
		b.word[i] = word_at(p + 8 * i);
	return b;
}

/* A bit for each byte, of bytes of which only the highest bit may be set. */
static inline uint64_t mask_of(const struct bytes *b)
{
	uint64_t mask = 0;
	for (int i = 0; i < 8; i++)
		mask |= (b->word[i] >> 7) * 0x0102040810204080u >> 56 << 8 * i;
	return mask;
}

/* Bytes that are 0 give 0x80. No borrow or carry passes from a byte to the next one. */
static inline uint64_t zeros(uint64_t x)
{
	return ~(((x & EACH(0x7f)) + EACH(0x7f)) | x) & EACH(0x80);
}

static inline uint64_t bytes_equal(const struct bytes *b, char c)
{
	struct bytes found;
	for (int i = 0; i < 8; i++)
		found.word[i] = zeros(b->word[i] ^ EACH(c));
	return mask_of(&found);
}

static inline struct bytes bytes_with(const struct bytes *b, char bits)
{
	struct bytes with;
	for (int i = 0; i < 8; i++)
		with.word[i] = b->word[i] | EACH(bits);
	return with;
}

typedef uint64_t lanes;

static inline lanes lanes_moved(lanes v, lanes before, int n)
{
	return v << n | before >> (64 - n);
}

static inline unsigned lanes_signs(lanes v)
{
	return (unsigned)(v >> 63);
}

static inline unsigned lanes_used(lanes v)
{
	return v != 0;
}

static inline lanes lanes_all(unsigned bits)
{
	return 0 - (uint64_t)(bits & 1);
}

#include "ingest/json/simd/blocks_planes.h"

static inline void lanes_planes(const char *p, lanes *plane)
{
	for (int i = 0; i < 8; i++)
		plane[i] = word_at(p + 8 * i);
	TURN_PLANES(plane, 4, 32, 0x00000000ffffffffu);
	TURN_PLANES(plane, 2, 16, 0x0000ffff0000ffffu);
	TURN_PLANES(plane, 1, 8, 0x00ff00ff00ff00ffu);
	turn_bits(plane);
}

#include "ingest/json/simd/blocks_any_end.h"
#define json_blocks_kernel json_blocks_words
#include "ingest/json/simd/blocks_kernel.h"
#define json_pass_kernel json_pass_words
#include "ingest/json/simd/pass_kernel.h"
