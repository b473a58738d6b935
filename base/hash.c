/* FNV-1a with 64 bits. */
#include "base/hash.h"

uint64_t hash_of(struct span bytes)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < bytes.len; i++)
		hash = (hash ^ (unsigned char)bytes.ptr[i]) * 0x100000001b3u;
	return hash;
}
