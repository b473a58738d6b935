/* FNV-1a with 64 bits, and a hash that multiplies words of eight bytes. */
#include "base/hash/table_hash.h"

uint64_t table_hash_of(struct span bytes)
{
	uint64_t hash = 0xcbf29ce484222325u; /* offset basis and prime of FNV-1a with 64 bits */
	for (size_t i = 0; i < bytes.len; i++)
		hash = (hash ^ (unsigned char)bytes.ptr[i]) * 0x100000001b3u;
	return hash;
}

static uint64_t load8(const char *p)
{
	uint64_t word;
	memcpy(&word, p, sizeof word);
	return word;
}

static uint64_t load4(const char *p)
{
	uint32_t word;
	memcpy(&word, p, sizeof word);
	return word;
}

static uint64_t load1(const char *p)
{
	return (unsigned char)*p;
}

/* The low bits of a product do not depend on the high bits of its factors. Therefore the upper half
 * is folded into the lower one, and table_hash_quickly() multiplies once more at the end. The
 * factors are odd constants with irregular bits: 2^64 divided by the golden ratio, and a prime of
 * xxHash64. */
static uint64_t mix(uint64_t hash, uint64_t a, uint64_t b)
{
	hash = (hash ^ a) * 0x9e3779b97f4a7c15u + (hash ^ hash >> 29 ^ b) * 0xc2b2ae3d27d4eb4fu;
	return hash ^ hash >> 32;
}

/* The pieces that are read may overlap. Thus texts of similar length take the same branch, which
 * the processor predicts, and no loop over single bytes is needed. */
uint64_t table_hash_quickly(struct span bytes)
{
	const char *p = bytes.ptr;
	size_t len = bytes.len, half = len >> 3 << 2;
	uint64_t hash = len * 0xd6e8feb86659fd93u, a = 0, b = 0;
	if (len > 16) {
		for (; len > 16; len -= 16, p += 16)
			hash = mix(hash, load8(p), load8(p + 8));
		a = load8(p + len - 16);
		b = load8(p + len - 8);
	} else if (len >= 4) {
		a = load4(p) << 32 | load4(p + half);
		b = load4(p + len - 4) << 32 | load4(p + len - 4 - half);
	} else if (len > 0) {
		a = load1(p) << 16 | load1(p + len / 2) << 8 | load1(p + len - 1);
	}
	hash = mix(hash, a, b) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}
