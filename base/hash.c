/* FNV-1a with 64 bits, and a hash of words. */
#include "base/hash.h"

#include <string.h>

uint64_t hash_of(struct span bytes)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < bytes.len; i++)
		hash = (hash ^ (unsigned char)bytes.ptr[i]) * 0x100000001b3u;
	return hash;
}

/* All of the bits of the product count: half of it would not tell the higher ones of the word. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

static uint64_t load(const char *p, size_t size)
{
	uint64_t word = 0;
	memcpy(&word, p, size);
	return word;
}

/* The last word overlaps the one before: it costs less than to look at what is left of it. */
uint64_t hash_quickly(struct span bytes)
{
	const char *p = bytes.ptr;
	size_t len = bytes.len;
	uint64_t hash = mix(0xcbf29ce484222325u, len);
	if (len >= 8) {
		for (; len > 8; len -= 8, p += 8)
			hash = mix(hash, load(p, 8));
		hash = mix(hash, load(p + len - 8, 8));
	} else if (len >= 4) {
		hash = mix(hash, load(p, 4) << 32 | load(p + len - 4, 4));
	} else if (len > 0) {
		hash = mix(hash, load(p, 1) << 16 | load(p + len / 2, 1) << 8 | load(p + len - 1, 1));
	}
	return mix(hash, 0);
}
