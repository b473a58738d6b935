/* Multiplies words of eight bytes, little-endian, to 128 bits and folds the halves (as in wyhash).
 * Each input word goes through the product with a state that is never known to be 0, so each of its
 * bits reaches about half of the result. */
#include "db/sqlite/seal.h"

#include "base/text/text.h"

/* Odd constants with irregular bits, from wyhash's. */
static const uint64_t first_factor = 0xa0761d6478bd642fu, second_factor = 0xe7037ed1a0b428dbu;

enum { NULL_TAG = 1, INTEGER_TAG, NUMBER_TAG, TEXT_TAG, BYTES_TAG };

static uint64_t fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static void add(struct seal *seal, uint64_t word)
{
	seal->state = fold(seal->state ^ word ^ first_factor, second_factor) + word;
}

void seal_add_null(struct seal *seal)
{
	add(seal, NULL_TAG);
}

void seal_add_integer(struct seal *seal, int64_t number)
{
	add(seal, INTEGER_TAG);
	add(seal, (uint64_t)number);
}

void seal_add_number(struct seal *seal, double number)
{
	uint64_t bits;
	if (isnan(number)) {
		seal_add_null(seal);
		return;
	}
	memcpy(&bits, &number, sizeof bits);
	add(seal, NUMBER_TAG);
	add(seal, bits);
}

void seal_add_bytes(struct seal *seal, bool text, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	unsigned char rest[8] = {0};
	add(seal, (uint64_t)len << 8 | (text ? TEXT_TAG : BYTES_TAG));
	for (; len >= sizeof rest; len -= sizeof rest, at += sizeof rest)
		add(seal, word_at(at));
	if (len) {
		memcpy(rest, at, len);
		add(seal, word_at(rest));
	}
}

int64_t seal_value(const struct seal *seal)
{
	uint64_t last = fold(seal->state ^ second_factor, first_factor);
	return (int64_t)last;
}
